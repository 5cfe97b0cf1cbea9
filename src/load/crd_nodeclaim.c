/* The NodeClaim of karpenter.sh/v1 as Karpenter v1.14.1 defines it. */
#include "crd_rules.h"

static const struct crd_rule key_rules[] = {
	{cel_key_domain_core, "label domain \"karpenter.sh\" is restricted"},
	{cel_key_not_hostname, "label \"kubernetes.io/hostname\" is restricted"},
	{cel_key_domain_aws, "label domain \"karpenter.k8s.aws\" is restricted"},
	{0},
};

static const struct crd_field requirement_fields[] = {
	CRD_REQUIREMENT_KEY(key_rules),
	CRD_REQUIREMENT_MIN_VALUES,
	CRD_REQUIREMENT_VALUES,
	{0},
};

static const struct crd_field requirement_item = {.type = CRD_OBJECT, .fields = requirement_fields};

static const struct crd_field resources_fields[] = {
	{.name = "requests", .type = CRD_MAP, .item = &crd_quantity_item},
	{0},
};

static const struct crd_field spec_fields[] = {
	{.name = "expireAfter",
	 .type = CRD_STRING,
	 .pattern = CRD_DURATION_OR_NEVER_PATTERN,
	 .dflt = "\"720h\"",
	 .go = GO_NILLABLE_DURATION},
	{.name = "nodeClassRef", .type = CRD_OBJECT, .flags = CRD_REQUIRED, .fields = crd_class_ref_fields},
	{.name = "requirements",
	 .type = CRD_LIST,
	 .flags = CRD_REQUIRED,
	 .max_len = 100,
	 .item = &requirement_item,
	 .rules = crd_requirements_rules},
	{.name = "resources", .type = CRD_OBJECT, .fields = resources_fields},
	{.name = "startupTaints", .type = CRD_LIST, .item = &crd_taint_item},
	{.name = "taints", .type = CRD_LIST, .item = &crd_taint_item},
	{.name = "terminationGracePeriod",
	 .type = CRD_STRING,
	 .pattern = CRD_DURATION_PATTERN,
	 .go = GO_DURATION},
	{0},
};

static const struct crd_field status_fields[] = {
	{.name = "allocatable", .type = CRD_MAP, .item = &crd_quantity_item},
	{.name = "capacity", .type = CRD_MAP, .item = &crd_quantity_item},
	{.name = "conditions", .type = CRD_LIST, .item = &crd_condition_item},
	{.name = "imageID", .type = CRD_STRING},
	{.name = "lastPodEventTime", .type = CRD_DATE_TIME},
	{.name = "nodeName", .type = CRD_STRING},
	{.name = "providerID", .type = CRD_STRING},
	{0},
};

static const struct crd_field root_fields[] = {
	{.name = "spec", .type = CRD_OBJECT, .flags = CRD_REQUIRED, .fields = spec_fields},
	{.name = "status", .type = CRD_OBJECT, .fields = status_fields},
	{0},
};

const struct crd_kind crd_nodeclaim = {
	.api_version = "karpenter.sh/v1",
	.kind = "NodeClaim",
	.root = {.type = CRD_OBJECT, .fields = root_fields},
};
