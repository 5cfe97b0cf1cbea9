/* NodeOverlay (karpenter.sh/v1alpha1) and CapacityBuffer (autoscaling.x-k8s.io/v1beta1) of Karpenter v1.14.1.
 */
#include "crd_rules.h"

static const struct crd_rule key_rules[] = {
	{cel_key_domain_core, "label domain \"karpenter.sh\" is restricted"},
	{cel_key_not_hostname, "label \"kubernetes.io/hostname\" is restricted"},
	{cel_key_domain_aws_overlay, "label domain \"karpenter.k8s.aws\" is restricted"},
	{0},
};

static const struct crd_field requirement_fields[] = {
	CRD_REQUIREMENT_KEY(key_rules),
	CRD_REQUIREMENT_VALUES,
	{0},
};

static const struct crd_field requirement_item = {.type = CRD_OBJECT, .fields = requirement_fields};

static const struct crd_rule requirements_rules[] = {
	{cel_not_in_has_values, "requirements with operator 'NotIn' must have a value defined"},
	{cel_in_has_values, "requirements with operator 'In' must have a value defined"},
	{cel_bound_is_one_integer,
	 "requirements operator 'Gt', 'Lt', 'Gte' or 'Lte' must have a single positive integer value"},
	{0},
};

static const struct crd_rule capacity_rules[] = {{cel_overlay_capacity, "invalid resource restricted"}, {0}};

static const struct crd_field overlay_spec_fields[] = {
	{.name = "capacity", .type = CRD_MAP, .item = &crd_quantity_item, .rules = capacity_rules},
	{.name = "price", .type = CRD_STRING, .pattern = "^\\d+(\\.\\d+)?$"},
	{.name = "priceAdjustment",
	 .type = CRD_STRING,
	 .pattern = "^(([+-]{1}(\\d*\\.?\\d+))|(\\+{1}\\d*\\.?\\d+%)|(^(-\\d{1,2}(\\.\\d+)?%)$)|(-100%))$"},
	{.name = "requirements",
	 .type = CRD_LIST,
	 .flags = CRD_REQUIRED,
	 .max_len = 100,
	 .item = &requirement_item,
	 .rules = requirements_rules},
	{.name = "weight",
	 .type = CRD_INTEGER,
	 .flags = CRD_HAS_MIN | CRD_HAS_MAX,
	 .min = 1,
	 .max = 10000,
	 .go = GO_INT32,
	 .go_type = "NodeOverlaySpec"},
	{0},
};

static const struct crd_rule overlay_spec_rules[] = {
	{cel_one_price, "cannot set both 'price' and 'priceAdjustment'"},
	{0},
};

static const struct crd_field overlay_status_fields[] = {
	{.name = "conditions", .type = CRD_LIST, .item = &crd_condition_item},
	{0},
};

static const struct crd_field overlay_root_fields[] = {
	{.name = "spec",
	 .type = CRD_OBJECT,
	 .flags = CRD_REQUIRED,
	 .fields = overlay_spec_fields,
	 .rules = overlay_spec_rules},
	{.name = "status", .type = CRD_OBJECT, .fields = overlay_status_fields},
	{0},
};

const struct crd_kind crd_nodeoverlay = {
	.api_version = "karpenter.sh/v1alpha1",
	.kind = "NodeOverlay",
	.root = {.type = CRD_OBJECT, .fields = overlay_root_fields},
};

static const struct crd_field template_ref_fields[] = {
	{.name = "name", .type = CRD_STRING, .flags = CRD_REQUIRED, .min_chars = 1},
	{0},
};

static const struct crd_field scalable_ref_fields[] = {
	{.name = "apiGroup", .type = CRD_STRING},
	{.name = "kind", .type = CRD_STRING, .flags = CRD_REQUIRED, .min_chars = 1},
	{.name = "name", .type = CRD_STRING, .flags = CRD_REQUIRED, .min_chars = 1},
	{0},
};

static const struct crd_field buffer_spec_fields[] = {
	{.name = "limits", .type = CRD_MAP, .item = &crd_quantity_item},
	{.name = "percentage",
	 .type = CRD_INTEGER,
	 .flags = CRD_HAS_MIN,
	 .go = GO_INT32,
	 .go_type = "CapacityBufferSpec"},
	{.name = "podTemplateRef", .type = CRD_OBJECT, .fields = template_ref_fields},
	{.name = "provisioningStrategy", .type = CRD_STRING, .dflt = "\"buffer.x-k8s.io/active-capacity\""},
	{.name = "replicas",
	 .type = CRD_INTEGER,
	 .flags = CRD_HAS_MIN,
	 .go = GO_INT32,
	 .go_type = "CapacityBufferSpec"},
	{.name = "scalableRef", .type = CRD_OBJECT, .fields = scalable_ref_fields},
	{0},
};

static const struct crd_rule buffer_spec_rules[] = {
	{cel_buffer_size, "If podTemplateRef is set, replicas or limits must also be set"},
	{cel_buffer_target, "You must define either PodTemplateRef or ScalableRef, but not both"},
	{0},
};

static const struct crd_field buffer_status_fields[] = {
	{.name = "conditions", .type = CRD_LIST, .item = &crd_condition_item},
	{.name = "podTemplateGeneration", .type = CRD_INTEGER},
	{.name = "podTemplateRef", .type = CRD_OBJECT, .fields = template_ref_fields},
	{.name = "provisioningStrategy", .type = CRD_STRING},
	{.name = "replicas", .type = CRD_INTEGER},
	{0},
};

static const struct crd_field buffer_root_fields[] = {
	{.name = "spec",
	 .type = CRD_OBJECT,
	 .flags = CRD_REQUIRED,
	 .fields = buffer_spec_fields,
	 .rules = buffer_spec_rules},
	{.name = "status", .type = CRD_OBJECT, .fields = buffer_status_fields},
	{0},
};

const struct crd_kind crd_buffer = {
	.api_version = "autoscaling.x-k8s.io/v1beta1",
	.kind = "CapacityBuffer",
	.namespaced = true,
	.root = {.type = CRD_OBJECT, .fields = buffer_root_fields},
};
