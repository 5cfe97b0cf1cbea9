#include "crd_rules.h"
#include "crd_schema.h"

const struct crd_rule crd_requirements_rules[] = {
	{cel_in_has_values, "requirements with operator 'In' must have a value defined"},
	{cel_bound_is_one_integer,
	 "requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a single positive integer value"},
	{cel_min_values_fit, "requirements with 'minValues' must have at least that many values specified in "
			     "the 'values' field"},
	{0},
};

const struct crd_field crd_string_item = {.type = CRD_STRING};

const struct crd_field crd_quantity_item = {
	.type = CRD_INT_OR_STRING, .pattern = CRD_QUANTITY_PATTERN, .go = GO_QUANTITY};

const char *const crd_operators[] = {"Gte", "Lte", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", NULL};

static const char *const effects[] = {"NoSchedule", "PreferNoSchedule", "NoExecute", NULL};

static const struct crd_field taint_fields[] = {
	{.name = "effect", .type = CRD_STRING, .flags = CRD_REQUIRED, .values = effects},
	{.name = "key",
	 .type = CRD_STRING,
	 .flags = CRD_REQUIRED,
	 .min_chars = 1,
	 .pattern = CRD_LABEL_KEY_PATTERN},
	{.name = "timeAdded", .type = CRD_DATE_TIME, .go = GO_TIME},
	{.name = "value", .type = CRD_STRING, .pattern = CRD_LABEL_KEY_PATTERN},
	{0},
};

const struct crd_field crd_taint_item = {.type = CRD_OBJECT, .fields = taint_fields};

static const struct crd_rule group_rules[] = {{cel_not_empty, "group may not be empty"}, {0}};
static const struct crd_rule kind_rules[] = {{cel_not_empty, "kind may not be empty"}, {0}};
static const struct crd_rule name_rules[] = {{cel_not_empty, "name may not be empty"}, {0}};

const struct crd_field crd_class_ref_fields[] = {
	{.name = "group",
	 .type = CRD_STRING,
	 .flags = CRD_REQUIRED,
	 .pattern = "^[^/]*$",
	 .rules = group_rules},
	{.name = "kind", .type = CRD_STRING, .flags = CRD_REQUIRED, .rules = kind_rules},
	{.name = "name", .type = CRD_STRING, .flags = CRD_REQUIRED, .rules = name_rules},
	{0},
};

static const struct crd_field condition_fields[] = {
	{.name = "lastTransitionTime", .type = CRD_DATE_TIME},
	{.name = "message", .type = CRD_STRING},
	{.name = "observedGeneration", .type = CRD_INTEGER},
	{.name = "reason", .type = CRD_STRING},
	{.name = "status", .type = CRD_STRING},
	{.name = "type", .type = CRD_STRING},
	{0},
};

const struct crd_field crd_condition_item = {.type = CRD_OBJECT, .fields = condition_fields};

static const struct crd_kind *const kinds[] = {&crd_nodepool, &crd_nodeclaim, &crd_nodeoverlay,
					       &crd_nodeclass, &crd_buffer};

const struct crd_kind *crd_find(struct str api_version, struct str kind)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (str_is(api_version, kinds[i]->api_version) && str_is(kind, kinds[i]->kind))
			return kinds[i];
	return NULL;
}

bool crd_is_karpenter_group(struct str api_version, struct str kind)
{
	const char *slash = memchr(api_version.p, '/', api_version.n);
	struct str group = {api_version.p, slash ? (size_t)(slash - api_version.p) : 0};

	return str_is(group, "karpenter.sh") || str_is(group, "karpenter.k8s.aws") ||
	       (str_is(group, "autoscaling.x-k8s.io") && str_is(kind, "CapacityBuffer"));
}
