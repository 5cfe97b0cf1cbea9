#include "loader.h"

static const char *const eviction_policies[] = {"IfHealthyBudget", "AlwaysAllow", NULL};

static const struct field pdb_spec_fields[] = {
	FIELD_WITH("selector", load_selector, label_selector_schema, struct pdb, selector),
	FIELD("maxUnavailable", load_text, struct pdb, max_unavailable),
	FIELD("minAvailable", load_text, struct pdb, min_available),
	FIELD_CHOICE("unhealthyPodEvictionPolicy", eviction_policies, struct pdb, always_allow),
};
static const struct schema pdb_spec_schema = SCHEMA_OF(pdb_spec_fields, NULL);

static const struct field pdb_status_fields[] = {
	FIELD("disruptionsAllowed", load_int64, struct pdb, disruptions_allowed),
	FIELD_KNOWN("conditions"),
	FIELD_KNOWN("currentHealthy"),
	FIELD_KNOWN("desiredHealthy"),
	FIELD_KNOWN("disruptedPods"),
	FIELD_KNOWN("expectedPods"),
	FIELD_KNOWN("observedGeneration"),
};
static const struct schema pdb_status_schema = SCHEMA_OF(pdb_status_fields, NULL);

static const struct field pdb_fields[] = {
	FIELD_MAP("metadata", meta_schema, struct pdb, meta),
	FIELD_IN("spec", pdb_spec_schema),
	FIELD_IN("status", pdb_status_schema),
};

static void pdb_init(void *rec)
{
	struct pdb *p = rec;

	meta_schema.init(&p->meta);
	p->max_unavailable = p->min_available = SID_NONE;
}

const struct schema pdb_schema = SCHEMA_OF(pdb_fields, pdb_init);

static const struct field namespace_fields[] = {
	FIELD_MAP("metadata", meta_schema, struct namespace_obj, meta),
	FIELD_KNOWN("spec"),
	FIELD_KNOWN("status"),
};

static void namespace_init(void *rec)
{
	meta_schema.init(&((struct namespace_obj *)rec)->meta);
}

const struct schema namespace_schema = SCHEMA_OF(namespace_fields, namespace_init);

static const struct field priority_fields[] = {
	FIELD_MAP("metadata", meta_schema, struct priority_class, meta),
	FIELD("value", load_int32, struct priority_class, value),
	FIELD("globalDefault", load_bool, struct priority_class, is_default),
	FIELD_KNOWN("preemptionPolicy"),
	FIELD_KNOWN("description"),
};

static void priority_init(void *rec)
{
	meta_schema.init(&((struct priority_class *)rec)->meta);
}

const struct schema priority_class_schema = SCHEMA_OF(priority_fields, priority_init);

static const struct field template_ref_fields[] = {
	FIELD("name", load_string, struct capacity_buffer, template_name),
};
static const struct schema template_ref_schema = SCHEMA_OF(template_ref_fields, NULL);

static const struct field scalable_ref_fields[] = {
	FIELD("kind", load_string, struct capacity_buffer, scalable_kind),
	FIELD("name", load_string, struct capacity_buffer, scalable_name),
	FIELD_KNOWN("apiGroup"),
};
static const struct schema scalable_ref_schema = SCHEMA_OF(scalable_ref_fields, NULL);

static const struct field buffer_spec_fields[] = {
	FIELD_IN("podTemplateRef", template_ref_schema),
	FIELD_IN("scalableRef", scalable_ref_schema),
	FIELD("replicas", load_int64, struct capacity_buffer, replicas),
	FIELD("percentage", load_int64, struct capacity_buffer, percentage),
	FIELD("limits", load_reslist, struct capacity_buffer, limits),
	FIELD_KNOWN("provisioningStrategy"),
};
static const struct schema buffer_spec_schema = SCHEMA_OF(buffer_spec_fields, NULL);

static const struct field buffer_fields[] = {
	FIELD_MAP("metadata", meta_schema, struct capacity_buffer, meta),
	FIELD_IN("spec", buffer_spec_schema),
	FIELD_KNOWN("status"),
};

static void buffer_init(void *rec)
{
	struct capacity_buffer *b = rec;

	meta_schema.init(&b->meta);
	b->template_name = b->scalable_kind = b->scalable_name = SID_NONE;
	b->replicas = b->percentage = -1;
}

const struct schema buffer_schema = SCHEMA_OF(buffer_fields, buffer_init);
