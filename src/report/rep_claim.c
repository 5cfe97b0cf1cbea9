#include "rep_claim.h"

#include <string.h>

static bool has_name(const struct cluster *c, sid name)
{
	for (uint32_t i = 0; i < c->claims.n; i++)
		if (c->claims.v[i].meta.name == name)
			return true;
	return cluster_node(c, name) != NULL;
}

static bool name_taken(const struct report *r, const char *name)
{
	sid id = intern_find(r->c->in, str_of(name));

	return id != SID_NONE && (has_name(r->c, id) || (r->given.first && has_name(r->given.first, id)));
}

void claim_namer_init(struct claim_namer *n, const struct report *r, struct arena *a)
{
	*n = (struct claim_namer){.r = r, .arena = a, .last = ARENA_ARRAY(a, uint32_t, r->c->pools.n)};
	if (r->given.last && r->c->pools.n)
		memcpy(n->last, r->given.last, r->c->pools.n * sizeof(*n->last));
}

const char *claim_namer_next(struct claim_namer *n, const struct plan_claim *claim)
{
	const struct node_pool *pool = claim->pool;
	uint32_t *number = &n->last[pool - n->r->c->pools.v];
	const char *name;

	do {
		name = arena_printf(n->arena, "%s-%u", intern_c(n->r->c->in, pool->meta.name), ++*number);
	} while (name_taken(n->r, name));
	return name;
}

static void tags(struct emit *e, const struct report *r, const struct labels *l)
{
	static const char *const resource[] = {"instance", "volume", "fleet"};

	emit_kv_seq(e, "TagSpecifications");
	for (size_t i = 0; i < sizeof(resource) / sizeof(resource[0]); i++) {
		emit_map(e);
		emit_kv_cstr(e, "ResourceType", resource[i]);
		emit_kv_seq(e, "Tags");
		for (uint32_t k = 0; k < l->n; k++) {
			emit_map(e);
			emit_kv_str(e, "Key", report_text(r, l->v[k].key));
			emit_kv_str(e, "Value", report_text(r, l->v[k].val));
			emit_end(e);
		}
		emit_end(e);
		emit_end(e);
	}
	emit_end(e);
}

static void launch_templates(struct emit *e, const struct report *r, const struct fleet *fleet)
{
	emit_kv_seq(e, "LaunchTemplateConfigs");
	for (uint32_t i = 0; i < fleet->nconfig; i++) {
		const struct fleet_config *config = &fleet->config[i];

		emit_map(e);
		emit_kv_map(e, "LaunchTemplateSpecification");
		emit_kv_str(e, "LaunchTemplateName", report_text(r, config->template_name));
		emit_kv_cstr(e, "Version", "$Latest");
		emit_end(e);
		emit_kv_seq(e, "Overrides");
		for (uint32_t k = 0; k < config->n; k++) {
			const struct fleet_override *o = &config->override[k];

			emit_map(e);
			emit_kv_str(e, "AvailabilityZone", report_text(r, o->zone));
			emit_kv_str(e, "ImageId", report_text(r, o->ami));
			emit_kv_str(e, "InstanceType", report_text(r, o->type));
			emit_kv_double(e, "Priority", o->priority);
			emit_kv_str(e, "SubnetId", report_text(r, o->subnet));
			emit_end(e);
		}
		emit_end(e);
		emit_end(e);
	}
	emit_end(e);
}

static void strategy(struct emit *e, const char *key, const char *name)
{
	if (!name)
		return;
	emit_kv_map(e, key);
	emit_kv_cstr(e, "AllocationStrategy", name);
	emit_end(e);
}

void rep_fleet(struct emit *e, const struct report *r, const char *key, const struct fleet *fleet)
{
	emit_kv_map(e, key);
	if (fleet->context != SID_NONE)
		emit_kv_str(e, "Context", report_text(r, fleet->context));
	launch_templates(e, r, fleet);
	strategy(e, "OnDemandOptions", fleet->on_demand_strategy);
	if (fleet->reservation_type) {
		emit_kv_map(e, "ReservedCapacityOptions");
		emit_kv_seq(e, "ReservationTypes");
		emit_cstr(e, fleet->reservation_type);
		emit_end(e);
		emit_end(e);
	}
	strategy(e, "SpotOptions", fleet->spot_strategy);
	tags(e, r, &fleet->tags);
	emit_kv_map(e, "TargetCapacitySpecification");
	emit_kv_cstr(e, "DefaultTargetCapacityType", fleet->default_target);
	emit_kv_int(e, "TotalTargetCapacity", 1);
	emit_end(e);
	emit_kv_cstr(e, "Type", "instant");
	emit_end(e);
}

static void launch(struct emit *e, const struct report *r, const struct launch *l)
{
	if (l->type == SID_NONE)
		return;
	emit_kv_map(e, "launch");
	emit_kv_str(e, "instanceType", report_text(r, l->type));
	emit_kv_str(e, "zone", report_text(r, l->zone));
	emit_kv_str(e, "capacityType", report_text(r, l->capacity_type));
	emit_kv_double(e, "usdPerHour", l->price);
	emit_kv_double(e, "usdPerHourDearest", l->price_max);
	emit_kv_cstr(e, "model", l->weighed ? "weighed" : "cheapest");
	emit_end(e);
}

static void duration(struct emit *e, const char *key, int64_t ns, bool brief)
{
	struct buf text;

	buf_init(&text);
	(brief ? duration_print_short : duration_print)(&text, ns);
	emit_kv_cstr(e, key, buf_cstr(&text));
	buf_release(&text);
}

void rep_claim(struct emit *e, const struct report *r, const struct plan_claim *claim, const char *name)
{
	const struct node_pool *pool = claim->pool;
	struct arena_mark mark = arena_mark(r->scratch);

	emit_map(e);
	emit_kv_cstr(e, "name", name);
	emit_kv_str(e, "nodePool", report_text(r, pool->meta.name));
	emit_kv_str(e, "nodeClass", report_text(r, pool->class_ref.name));
	emit_kv_seq(e, "pods");
	for (uint32_t i = 0; i < claim->npod; i++)
		emit_str(e, rep_pod_name(r, claim->pod[i]));
	emit_end(e);
	rep_requirements(e, r, "requirements", claim->reqs, false);
	emit_kv_seq(e, "instanceTypes");
	for (uint32_t i = 0; i < claim->ntype; i++)
		emit_str(e, report_text(r, claim->type[i]->name));
	emit_end(e);
	rep_resources(e, r, "requests", &claim->requests);
	rep_labels(e, r, "labels", &claim->labels);
	rep_labels(e, r, "annotations", &claim->annotations);
	rep_taints(e, r, "taints", &pool->taints, false);
	rep_taints(e, r, "startupTaints", &pool->startup_taints, false);
	duration(e, "expireAfter", pool->expire_after, true);
	duration(e, "terminationGracePeriod", pool->termination_grace, false);
	if (claim->fleet)
		rep_fleet(e, r, "fleet", claim->fleet);
	else if (claim->fleet_error)
		emit_kv_cstr(e, "fleetError", claim->fleet_error);
	launch(e, r, &claim->launch);
	emit_end(e);
	arena_rewind(r->scratch, mark);
}

static void owner(struct emit *e, const struct report *r, const struct node_pool *pool)
{
	emit_kv_seq(e, "ownerReferences");
	emit_map(e);
	emit_kv_cstr(e, "apiVersion", "karpenter.sh/v1");
	emit_kv_bool(e, "blockOwnerDeletion", true);
	emit_kv_cstr(e, "kind", "NodePool");
	emit_kv_str(e, "name", report_text(r, pool->meta.name));
	/* A NodePool that was never in a cluster has none. */
	if (report_text(r, pool->meta.uid).n)
		emit_kv_str(e, "uid", report_text(r, pool->meta.uid));
	emit_end(e);
	emit_end(e);
}

static void claim_spec(struct emit *e, const struct report *r, const struct plan_claim *claim)
{
	const struct node_pool *pool = claim->pool;

	emit_kv_map(e, "spec");
	duration(e, "expireAfter", pool->expire_after, true);
	emit_kv_map(e, "nodeClassRef");
	emit_kv_str(e, "group", report_text(r, pool->class_ref.group));
	emit_kv_str(e, "kind", report_text(r, pool->class_ref.kind));
	emit_kv_str(e, "name", report_text(r, pool->class_ref.name));
	emit_end(e);
	rep_requirements(e, r, "requirements", claim->reqs, true);
	emit_kv_map(e, "resources");
	rep_resources(e, r, "requests", &claim->requests);
	emit_end(e);
	if (pool->startup_taints.n)
		rep_taints(e, r, "startupTaints", &pool->startup_taints, true);
	if (pool->taints.n)
		rep_taints(e, r, "taints", &pool->taints, true);
	if (pool->termination_grace != DURATION_NONE)
		duration(e, "terminationGracePeriod", pool->termination_grace, false);
	emit_end(e);
}

void rep_claim_object(struct emit *e, const struct report *r, const struct plan_claim *claim,
		      const char *name)
{
	struct arena_mark mark = arena_mark(r->scratch);

	emit_map(e);
	emit_kv_cstr(e, "apiVersion", "karpenter.sh/v1");
	emit_kv_cstr(e, "kind", "NodeClaim");
	emit_kv_map(e, "metadata");
	rep_labels(e, r, "annotations", &claim->annotations);
	emit_kv_cstr(e, "generateName",
		     arena_printf(r->scratch, "%s-", intern_c(r->c->in, claim->pool->meta.name)));
	rep_labels(e, r, "labels", &claim->labels);
	emit_kv_cstr(e, "name", name);
	owner(e, r, claim->pool);
	emit_end(e);
	claim_spec(e, r, claim);
	emit_end(e);
	arena_rewind(r->scratch, mark);
}
