#include "round_impl.h"

/* Which NodeClaims are drifted and which consolidatable (Karpenter v1.14.1, B4, C3; determinism,
 * "Disruption"). */

static sid annotation(const struct object_meta *m, sid key)
{
	return labels_get(&m->annotations, key);
}

/* C3.2. */
static bool static_drift(const struct node_pool *np, const struct node_claim *c)
{
	sid pool = annotation(&np->meta, ANN_NODEPOOL_HASH), claim = annotation(&c->meta, ANN_NODEPOOL_HASH);
	sid pool_version = annotation(&np->meta, ANN_NODEPOOL_HASH_VERSION);
	sid claim_version = annotation(&c->meta, ANN_NODEPOOL_HASH_VERSION);

	return pool != SID_NONE && claim != SID_NONE && pool_version != SID_NONE &&
	       pool_version == claim_version && pool != claim;
}

/* C3.4. */
static bool type_gone(struct reqpool *p, const struct itype_list *types, const struct node_claim *c)
{
	sid name = labels_get(&c->meta.labels, LBL_INSTANCE_TYPE);
	rsetid reqs = reqs_of_labels(p, &c->meta.labels);

	if (labels_get(&c->meta.labels, LBL_CAPACITY_TYPE) == CAP_RESERVED) {
		const sid either[] = {CAP_RESERVED, CAP_ON_DEMAND};
		static const sid reservation[] = {LBL_CR_ID, LBL_CR_TYPE, LBL_CR_INTERRUPTIBLE};

		reqs = rset_replace(p, reqs,
				    req_make(p, req_key(p, LBL_CAPACITY_TYPE), OP_IN, either, 2, -1));
		for (size_t i = 0; i < 3; i++)
			reqs = rset_without(p, reqs, req_key(p, reservation[i]));
	}
	for (uint32_t i = 0; types && i < types->n; i++) {
		if (types->v[i].name != name)
			continue;
		for (uint32_t k = 0; k < types->v[i].noffering; k++)
			if (rset_compatible(p, reqs, types->v[i].offering[k].reqs, true))
				return false;
		return true;
	}
	return true;
}

static sid drift_reason(struct round *r, const struct node_pool *np, uint32_t claim)
{
	struct cluster *c = r->s->c;
	const struct node_claim *nc = &c->claims.v[claim];
	rsetid labels = reqs_of_labels(c->rp, &nc->meta.labels);
	sid provider = r->in->provider_drift ? r->in->provider_drift[claim] : SID_EMPTY;

	if (!conditions_true(&nc->conditions, c->in, "Launched"))
		return SID_EMPTY;
	if (static_drift(np, nc))
		return intern_cstr(c->in, "NodePoolDrifted");
	if (!rset_compatible(c->rp, labels, reqs_of_api(c->rp, np->req, np->nreq), false))
		return intern_cstr(c->in, "RequirementsDrifted");
	if ((nc->meta.created == TIME_NONE || c->settings.now - nc->meta.created > 3600) &&
	    type_gone(c->rp, r->in->types[np - c->pools.v], nc))
		return intern_cstr(c->in, "InstanceTypeNotFound");
	return provider == SID_NONE ? SID_EMPTY : provider;
}

/* B4. */
static bool is_consolidatable(const struct cluster *c, const struct node_pool *np,
			      const struct node_claim *nc)
{
	const struct condition *init = conditions_find(&nc->conditions, c->in, "Initialized");
	int64_t since;

	if (np->is_static || np->consolidate_after == DURATION_NEVER || !init ||
	    !str_is(intern_str(c->in, init->status), "True"))
		return false;
	since = nc->last_pod_event != TIME_NONE ? nc->last_pod_event : init->transition;
	if (since == TIME_NONE || np->consolidate_after <= 0)
		return true;
	return c->settings.now - since >=
	       np->consolidate_after / 1000000000 + (np->consolidate_after % 1000000000 != 0);
}

static void decide(struct round *r, uint32_t i)
{
	struct cluster *c = r->s->c;
	const struct node_claim *nc = &c->claims.v[i];
	const struct condition *drifted = conditions_find(&nc->conditions, c->in, "Drifted");
	const struct condition *consolidatable = conditions_find(&nc->conditions, c->in, "Consolidatable");
	sid pool = labels_get(&nc->meta.labels, LBL_NODEPOOL);
	const struct node_pool *np = pool == SID_NONE ? NULL : cluster_pool(c, pool);
	bool judged = np && nc->meta.deleted == TIME_NONE;
	struct drift_state *d = &r->claim[i];

	d->at = c->settings.now;
	if (drifted && str_is(intern_str(c->in, drifted->status), "True")) {
		d->drifted = drifted->reason == SID_NONE || drifted->reason == SID_EMPTY
				     ? intern_cstr(c->in, "Drifted")
				     : drifted->reason;
		d->at = drifted->transition;
	} else if (!drifted && judged) {
		d->drifted = drift_reason(r, np, i);
	}
	if (consolidatable)
		d->consolidatable = str_is(intern_str(c->in, consolidatable->status), "True");
	else
		d->consolidatable = judged && is_consolidatable(c, np, nc);
}

void conditions_decide(struct round *r)
{
	const struct cluster *c = r->s->c;

	r->claim = ARENA_ARRAY(r->arena, struct drift_state, c->claims.n);
	r->out->condition = ARENA_ARRAY(r->arena, struct disrupt_condition, c->claims.n);
	for (uint32_t i = 0; i < c->claims.n; i++) {
		decide(r, i);
		r->out->condition[r->out->ncondition++] = (struct disrupt_condition){
			c->claims.v[i].meta.name, r->claim[i].drifted, r->claim[i].consolidatable};
	}
}
