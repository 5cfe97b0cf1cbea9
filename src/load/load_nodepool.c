#include "loader.h"

static const struct field template_meta_fields[] = {
	FIELD("labels", load_strmap, struct node_pool, template_labels),
	FIELD("annotations", load_strmap, struct node_pool, template_annotations),
};
const struct schema pool_meta_schema = SCHEMA_OF(template_meta_fields, NULL);

static const struct field claim_template_fields[] = {
	FIELD_MAP("nodeClassRef", class_ref_schema, struct node_pool, class_ref),
	FIELD_LIST("requirements", requirement_schema, struct api_requirement, struct node_pool, nreq, req),
	FIELD_LIST("taints", taint_schema, struct taint, struct node_pool, taints.n, taints.v),
	FIELD_LIST("startupTaints", taint_schema, struct taint, struct node_pool, startup_taints.n,
		   startup_taints.v),
	FIELD("expireAfter", load_nillable, struct node_pool, expire_after),
	FIELD("terminationGracePeriod", load_duration, struct node_pool, termination_grace),
	FIELD_GONE("kubelet", "since v1 it is spec.kubelet of the EC2NodeClass"),
};
static const struct schema claim_template_schema = SCHEMA_OF(claim_template_fields, NULL);

static const struct field pool_template_fields[] = {
	FIELD_IN("metadata", pool_meta_schema),
	FIELD_IN("spec", claim_template_schema),
};
static const struct schema pool_template_schema = SCHEMA_OF(pool_template_fields, NULL);

static const struct field budget_fields[] = {
	FIELD("nodes", load_text, struct budget, nodes),
	FIELD_COUNTED("reasons", load_strings, struct budget, nreason, reason),
	FIELD("schedule", load_string, struct budget, schedule),
	FIELD("duration", load_duration, struct budget, duration),
};

static void budget_init(void *rec)
{
	struct budget *b = rec;

	b->nodes = b->schedule = SID_NONE;
	b->duration = DURATION_NONE;
}

const struct schema budget_schema = SCHEMA_OF(budget_fields, budget_init);

bool load_budgets(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	((struct pool_record *)rec)->has_budgets = true;
	return load_list(l, f, n, rec);
}

static const char *const policies[] = {"WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced", NULL};

static const struct field disruption_fields[] = {
	FIELD("consolidateAfter", load_nillable, struct node_pool, consolidate_after),
	FIELD_CHOICE("consolidationPolicy", policies, struct node_pool, policy),
	{FIELD_NAME("budgets"), .decode = load_budgets, .off = offsetof(struct node_pool, budget),
	 .count = offsetof(struct node_pool, nbudget), .size = sizeof(struct budget), .sub = &budget_schema},
};
static const struct schema disruption_schema = SCHEMA_OF(disruption_fields, NULL);

static const struct field pool_spec_fields[] = {
	FIELD_IN("template", pool_template_schema),
	FIELD_IN("disruption", disruption_schema),
	FIELD("limits", load_reslist, struct node_pool, limits),
	FIELD("weight", load_int32, struct node_pool, weight),
	FIELD("replicas", load_int64, struct node_pool, replicas),
	FIELD_GONE("ttlSecondsAfterEmpty",
		   "write spec.disruption: consolidationPolicy WhenEmpty with consolidateAfter"),
	FIELD_GONE("ttlSecondsUntilExpired", "write spec.template.spec.expireAfter"),
	FIELD_GONE("consolidation", "write spec.disruption.consolidationPolicy"),
	FIELD_GONE("providerRef", "write spec.template.spec.nodeClassRef"),
	FIELD_GONE("provider", "write an EC2NodeClass and name it in spec.template.spec.nodeClassRef"),
	FIELD_GONE("kubeletConfiguration", "write spec.kubelet of the EC2NodeClass"),
};
static const struct schema pool_spec_schema = SCHEMA_OF(pool_spec_fields, NULL);

static const struct field pool_status_fields[] = {
	FIELD_LIST("conditions", condition_schema, struct condition, struct node_pool, conditions.n,
		   conditions.v),
	FIELD_KNOWN("nodes"),
	FIELD_KNOWN("nodeClassObservedGeneration"),
	FIELD_KNOWN("resources"),
};
const struct schema pool_status_schema = SCHEMA_OF(pool_status_fields, NULL);

static const struct field pool_fields[] = {
	FIELD_MAP("metadata", meta_schema, struct node_pool, meta),
	FIELD_IN("spec", pool_spec_schema),
	FIELD_IN("status", pool_status_schema),
};

void node_pool_init(void *rec)
{
	struct node_pool *p = rec;

	meta_schema.init(&p->meta);
	p->expire_after = DEFAULT_EXPIRE_AFTER;
	p->termination_grace = DURATION_NONE;
	p->policy = CONSOLIDATE_UNDERUTILIZED;
	p->replicas = INT64_MIN;
	p->invalid = SID_NONE;
}

const struct schema node_pool_schema = SCHEMA_OF(pool_fields, node_pool_init);

bool node_pool_loaded(struct loader *l, const struct doc_node *n, void *rec)
{
	struct pool_record *r = rec;
	struct node_pool *p = &r->p;

	(void)n;
	p->has_limits = p->limits.v != NULL;
	p->is_static = p->replicas != INT64_MIN;
	if (!p->is_static)
		p->replicas = 0;
	if (!r->has_budgets) {
		p->nbudget = 1;
		p->budget = ARENA_NEW(l->arena, struct budget);
		budget_init(p->budget);
	}
	for (uint32_t i = 0; i < p->nbudget; i++) {
		struct budget *b = &p->budget[i];

		if (b->nodes == SID_NONE)
			b->nodes = intern_cstr(l->in, "10%");
		b->has_reasons = b->reason != NULL;
	}
	return true;
}

static const struct field overlay_spec_fields[] = {
	FIELD_LIST("requirements", requirement_schema, struct api_requirement, struct node_overlay, nreq,
		   req),
	FIELD("weight", load_int32, struct node_overlay, weight),
	FIELD("price", load_text, struct node_overlay, price),
	FIELD("priceAdjustment", load_text, struct node_overlay, price_adjustment),
	FIELD("capacity", load_reslist, struct node_overlay, capacity),
};
static const struct schema overlay_spec_schema = SCHEMA_OF(overlay_spec_fields, NULL);

static const struct field overlay_status_fields[] = {
	FIELD_LIST("conditions", condition_schema, struct condition, struct node_overlay, conditions.n,
		   conditions.v),
};
static const struct schema overlay_status_schema = SCHEMA_OF(overlay_status_fields, NULL);

static const struct field overlay_fields[] = {
	FIELD_MAP("metadata", meta_schema, struct node_overlay, meta),
	FIELD_IN("spec", overlay_spec_schema),
	FIELD_IN("status", overlay_status_schema),
};

static void overlay_init(void *rec)
{
	struct node_overlay *o = rec;

	meta_schema.init(&o->meta);
	o->price = o->price_adjustment = SID_NONE;
}

const struct schema overlay_schema = SCHEMA_OF(overlay_fields, overlay_init);
