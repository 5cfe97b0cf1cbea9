/* The NodePool of karpenter.sh/v1 as Karpenter v1.14.1 defines it. */
#include "crd_rules.h"

static const char *const reasons[] = {"Underutilized", "Empty", "Drifted", NULL};
static const char *const policies[] = {"WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced", NULL};

static const struct crd_field reason_item = {.type = CRD_STRING, .values = reasons};

static const struct crd_field budget_fields[] = {
	{.name = "duration",
	 .type = CRD_STRING,
	 .pattern = "^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$",
	 .go = GO_DURATION},
	{.name = "nodes",
	 .type = CRD_STRING,
	 .flags = CRD_REQUIRED,
	 .pattern = "^((100|[0-9]{1,2})%|[0-9]+)$",
	 .dflt = "\"10%\""},
	{.name = "reasons", .type = CRD_LIST, .flags = CRD_SET, .max_len = 50, .item = &reason_item},
	{.name = "schedule",
	 .type = CRD_STRING,
	 .pattern = "^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|"
		    "((.+)\\s(.+)\\s(.+)\\s(.+)\\s(.+))$"},
	{0},
};

static const struct crd_field budget_item = {.type = CRD_OBJECT, .fields = budget_fields};

static const struct crd_rule budgets_rules[] = {
	{cel_schedule_with_duration, "'schedule' must be set with 'duration'"},
	{0},
};

static const struct crd_field disruption_fields[] = {
	{.name = "budgets",
	 .type = CRD_LIST,
	 .max_len = 50,
	 .dflt = "[{\"nodes\": \"10%\"}]",
	 .item = &budget_item,
	 .rules = budgets_rules},
	{.name = "consolidateAfter",
	 .type = CRD_STRING,
	 .flags = CRD_REQUIRED,
	 .pattern = CRD_DURATION_OR_NEVER_PATTERN,
	 .go = GO_NILLABLE_DURATION},
	{.name = "consolidationPolicy",
	 .type = CRD_STRING,
	 .values = policies,
	 .dflt = "\"WhenEmptyOrUnderutilized\""},
	{0},
};

static const struct crd_field label_value = {
	.type = CRD_STRING, .max_chars = 63, .pattern = CRD_LABEL_VALUE_PATTERN};

static const struct crd_rule labels_rules[] = {
	{cel_labels_domain_core, "label domain \"karpenter.sh\" is restricted"},
	{cel_labels_not_nodepool, "label \"karpenter.sh/nodepool\" is restricted"},
	{cel_labels_not_hostname, "label \"kubernetes.io/hostname\" is restricted"},
	{cel_labels_domain_aws, "label domain \"karpenter.k8s.aws\" is restricted"},
	{0},
};

static const struct crd_field metadata_fields[] = {
	{.name = "annotations", .type = CRD_MAP, .item = &crd_string_item},
	{.name = "labels", .type = CRD_MAP, .max_len = 100, .item = &label_value, .rules = labels_rules},
	{0},
};

static const struct crd_rule key_rules[] = {
	{cel_key_domain_core, "label domain \"karpenter.sh\" is restricted"},
	{cel_key_not_nodepool, "label \"karpenter.sh/nodepool\" is restricted"},
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

static const struct crd_field template_spec_fields[] = {
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
	{.name = "startupTaints", .type = CRD_LIST, .item = &crd_taint_item},
	{.name = "taints", .type = CRD_LIST, .item = &crd_taint_item},
	{.name = "terminationGracePeriod",
	 .type = CRD_STRING,
	 .pattern = CRD_DURATION_PATTERN,
	 .go = GO_DURATION},
	{0},
};

static const struct crd_field template_fields[] = {
	{.name = "metadata", .type = CRD_OBJECT, .fields = metadata_fields},
	{.name = "spec", .type = CRD_OBJECT, .flags = CRD_REQUIRED, .fields = template_spec_fields},
	{0},
};

static const struct crd_field spec_fields[] = {
	{.name = "disruption",
	 .type = CRD_OBJECT,
	 .dflt = "{\"consolidateAfter\": \"0s\"}",
	 .fields = disruption_fields},
	{.name = "limits", .type = CRD_MAP, .item = &crd_quantity_item},
	{.name = "replicas", .type = CRD_INTEGER, .flags = CRD_HAS_MIN, .min = 0},
	{.name = "template", .type = CRD_OBJECT, .flags = CRD_REQUIRED, .fields = template_fields},
	{.name = "weight",
	 .type = CRD_INTEGER,
	 .flags = CRD_HAS_MIN | CRD_HAS_MAX,
	 .min = 1,
	 .max = 100,
	 .go = GO_INT32,
	 .go_type = "NodePoolSpec"},
	{0},
};

static const struct crd_rule spec_rules[] = {
	{cel_static_limits, "only 'limits.nodes' is supported on static NodePools"},
	{cel_static_weight, "'weight' is not supported on static NodePools"},
	{0},
};

static const struct crd_field status_fields[] = {
	{.name = "conditions", .type = CRD_LIST, .item = &crd_condition_item},
	{.name = "nodeClassObservedGeneration", .type = CRD_INTEGER},
	{.name = "nodes", .type = CRD_INTEGER},
	{.name = "resources", .type = CRD_MAP, .item = &crd_quantity_item},
	{0},
};

static const struct crd_field root_fields[] = {
	{.name = "spec",
	 .type = CRD_OBJECT,
	 .flags = CRD_REQUIRED,
	 .fields = spec_fields,
	 .rules = spec_rules},
	{.name = "status", .type = CRD_OBJECT, .fields = status_fields},
	{0},
};

const struct crd_kind crd_nodepool = {
	.api_version = "karpenter.sh/v1",
	.kind = "NodePool",
	.replicas_path = "spec.replicas",
	.root = {.type = CRD_OBJECT, .fields = root_fields},
};
