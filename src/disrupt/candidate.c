#include "round_impl.h"

#include <stdlib.h>

#include "bits.h"
#include "gosort.h"

/* --- costs (B3) --- */

double eviction_cost(const struct cluster *c, const struct pod *p)
{
	sid text = labels_get(&p->meta.annotations, ANN_POD_DELETION_COST);
	double cost = 1.0;

	if (text != SID_NONE && intern_str(c->in, text).n) {
		char *end;
		double v = strtod(intern_c(c->in, text), &end);

		if (*end == '\0')
			cost += v / 134217728.0; /* 2^27 */
	}
	if (p->spec->has_priority)
		cost += (double)p->spec->priority / 33554432.0; /* 2^25 */
	return cost < -10.0 ? -10.0 : cost > 10.0 ? 10.0 : cost;
}

static double positive_cost(const struct cluster *c, const struct pod *p)
{
	double cost = eviction_cost(c, p);

	return cost > 0 ? cost : 0;
}

static double price_of(const struct itype *t, sid zone, sid capacity_type)
{
	for (uint32_t i = 0; t && i < t->noffering; i++)
		if (t->offering[i].zone == zone && t->offering[i].capacity_type == capacity_type)
			return t->offering[i].price;
	return 0;
}

/* --- what blocks a node (B2.2) --- */

static const char *node_block(const struct round *r, const struct snode *n)
{
	struct arena *a = r->arena;
	sid guard = labels_get(n->annotations, ANN_DO_NOT_DISRUPT);

	if (!n->node)
		return "nodeclaim does not have an associated node";
	if (!n->initialized)
		return "node isn't initialized";
	if (n->deleting)
		return "node is deleting or marked for deletion";
	if (guard == STR_TRUE)
		return "disruption is blocked through the \"karpenter.sh/do-not-disrupt\" annotation";
	if (labels_get(n->labels, LBL_NODEPOOL) == SID_NONE)
		return arena_printf(a, "node doesn't have required label (label=karpenter.sh/nodepool)");
	return NULL;
}

static const char *pdb_block(const struct round *r, const struct pdb_block *b)
{
	const struct cluster *c = r->s->c;
	struct buf out;
	const char *text;

	buf_init(&out);
	if (b->n > 1) {
		buf_adds(&out, "eviction does not support multiple PDBs (PodDisruptionBudget(s)=[");
		for (uint32_t i = 0; i < b->n; i++) {
			const struct object_meta *m = &c->pdbs.v[b->all[i]].meta;

			buf_addf(&out, "%s%s/%s", i ? " " : "", intern_c(c->in, m->ns),
				 intern_c(c->in, m->name));
		}
	} else {
		buf_addf(&out, "pdb prevents pod evictions (PodDisruptionBudget=[%s/%s",
			 intern_c(c->in, b->pdb[0]->meta.ns), intern_c(c->in, b->pdb[0]->meta.name));
	}
	buf_adds(&out, "])");
	text = arena_strndup(r->arena, out.p, out.n);
	buf_release(&out);
	return text;
}

static const char *pods_block(struct round *r, const struct snode *n)
{
	const struct cluster *c = r->s->c;

	for (uint32_t i = 0; i < n->npod; i++) {
		const struct pod *p = &c->pods.v[n->pod[i]];

		if (!pod_is_active(p))
			continue;
		event_shield(r, p);
		if (pod_shielded(c, p))
			return arena_printf(r->arena,
					    "pod has \"karpenter.sh/do-not-disrupt\" annotation (Pod=%s/%s)",
					    intern_c(c->in, p->meta.ns), intern_c(c->in, p->meta.name));
	}
	for (uint32_t i = 0; i < n->npod; i++) {
		struct pdb_block b;

		if (!pod_evictable(c, &c->pods.v[n->pod[i]], false, r->arena, &b))
			return pdb_block(r, &b);
	}
	return NULL;
}

static void set_pods(struct round *r, const struct snode *n, struct candidate *out)
{
	const struct cluster *c = r->s->c;

	out->cost = 1.0;
	out->pod = ARENA_ARRAY(r->arena, uint32_t, n->npod);
	for (uint32_t i = 0; i < n->npod; i++) {
		const struct pod *p = &c->pods.v[n->pod[i]];

		if (!pod_is_reschedulable(c, p))
			continue;
		out->pod[out->npod++] = n->pod[i];
		out->cost += positive_cost(c, p);
	}
}

static bool candidate_of(struct round *r, uint32_t snode, bool eventual, struct candidate *out)
{
	const struct cluster *c = r->s->c;
	const struct snode *n = &r->s->state.v[snode];
	const struct itype_list *types;
	const char *why;

	if (!n->claim) {
		verdict(r, snode, "NotManaged", "the node isn't managed by Karpenter");
		return false;
	}
	why = node_block(r, n);
	if (why) {
		event_node(r, n, "DisruptionBlocked", "%s", sentence(r->arena, why));
		verdict(r, snode, "NodeBlocked", "%s", why);
		return false;
	}
	types = n->pool ? r->in->types[n->pool - c->pools.v] : NULL;
	if (!n->pool || !types || !types->n) {
		event_node(r, n, "DisruptionBlocked", "NodePool not found (NodePool=%s)",
			   intern_c(c->in, labels_get(n->labels, LBL_NODEPOOL)));
		verdict(r, snode, "NodePoolNotFound", "its NodePool is not there or has no instance types");
		return false;
	}
	why = pods_block(r, n);
	if (why && !(eventual && n->claim->termination_grace != DURATION_NONE)) {
		event_node(r, n, "DisruptionBlocked", "%s", sentence(r->arena, why));
		verdict(r, snode, "PodsBlock", "%s", why);
		return false;
	}
	*out = (struct candidate){.snode = snode,
				  .pool = n->pool,
				  .type = itype_find(types, labels_get(n->labels, LBL_INSTANCE_TYPE)),
				  .zone = labels_get(n->labels, LBL_ZONE),
				  .capacity_type = labels_get(n->labels, LBL_CAPACITY_TYPE),
				  .drifted_at = r->claim[n->claim - c->claims.v].at};
	out->price = price_of(out->type, out->zone, out->capacity_type);
	set_pods(r, n, out);
	return true;
}

/* --- filters (B2.4) --- */

static bool is_empty(const struct candidate *c)
{
	return c->cost <= 1.0;
}

static bool consolidation_off(struct round *r, const struct candidate *c)
{
	if (c->pool->consolidate_after != DURATION_NEVER)
		return false;
	event_node(r, &r->s->state.v[c->snode], "Unconsolidatable",
		   "NodePool \"%s\" has consolidation disabled", intern_c(r->s->c->in, c->pool->meta.name));
	verdict(r, c->snode, "ConsolidationDisabled", "its NodePool has consolidateAfter: Never");
	return true;
}

static bool has_virtual_pods(struct round *r, const struct candidate *c)
{
	const struct snode *n = &r->s->state.v[c->snode];

	if (!bits_test(r->virtual_nodes, c->snode))
		return false;
	event_node(r, n, "Unconsolidatable", "Node \"%s\" has buffer pods", intern_c(r->s->c->in, n->name));
	verdict(r, c->snode, "BufferPods", "pods of a CapacityBuffer are to have room on it");
	return true;
}

static bool passes_consolidate(struct round *r, const struct candidate *c, const struct drift_state *d)
{
	const struct intern *in = r->s->c->in;
	const struct snode *n = &r->s->state.v[c->snode];
	sid type = labels_get(n->labels, LBL_INSTANCE_TYPE);

	if (c->pool->is_static) {
		verdict(r, c->snode, "StaticNodePool",
			"its NodePool is static: its nodes are replaced when they drift, never consolidated");
		return false;
	}
	if (!c->type) {
		event_node(r, n, "Unconsolidatable", "Instance Type \"%s\" not found", intern_c(in, type));
		verdict(r, c->snode, "InstanceTypeNotFound",
			"its instance type is not among those of its NodePool");
		return false;
	}
	if (c->capacity_type == SID_NONE || c->zone == SID_NONE) {
		const char *label = c->capacity_type == SID_NONE ? "karpenter.sh/capacity-type"
								 : "topology.kubernetes.io/zone";

		event_node(r, n, "Unconsolidatable", "Node does not have label \"%s\"", label);
		verdict(r, c->snode, "LabelMissing", "the node has no label %s", label);
		return false;
	}
	if (consolidation_off(r, c) || is_empty(c))
		return false;
	if (c->pool->policy == CONSOLIDATE_WHEN_EMPTY) {
		event_node(r, n, "Unconsolidatable",
			   "NodePool \"%s\" has consolidation policy WhenEmpty, but node is not empty",
			   intern_c(in, c->pool->meta.name));
		verdict(r, c->snode, "PolicyWhenEmpty", "its NodePool consolidates empty nodes only");
		return false;
	}
	if (!d->consolidatable)
		verdict(r, c->snode, "ConsolidateAfter", "it is not consolidatable yet (consolidateAfter)");
	return d->consolidatable;
}

static bool passes(struct round *r, enum candidate_filter f, const struct candidate *c)
{
	const struct snode *n = &r->s->state.v[c->snode];
	const struct drift_state *d = &r->claim[n->claim - r->s->c->claims.v];

	switch (f) {
	case FILTER_EMPTY:
		return !c->pool->is_static && !consolidation_off(r, c) && !has_virtual_pods(r, c) &&
		       is_empty(c) && d->consolidatable;
	case FILTER_STATIC_DRIFT:
		return c->pool->is_static && d->drifted != SID_EMPTY;
	case FILTER_DRIFT:
		return !c->pool->is_static && d->drifted != SID_EMPTY;
	case FILTER_CONSOLIDATE:
		break;
	}
	return passes_consolidate(r, c, d);
}

/* --- totals of the pools (B12.4, B12.5) --- */

/* Positive eviction costs of the pods that are not a DaemonSet's, as tracked for a node that is no candidate.
 */
static double tracked_cost(const struct round *r, const struct snode *n)
{
	const struct cluster *c = r->s->c;
	double cost = 1.0;

	for (uint32_t i = 0; i < n->npod; i++) {
		const struct pod *p = &c->pods.v[n->pod[i]];

		if (!pod_is_terminal(p) && !pod_owned_by(c, p, "apps/v1", "DaemonSet"))
			cost += positive_cost(c, p);
	}
	return cost;
}

/* What the NodeClaims of a pool cost by their labels; those that lack one are not tracked. */
static double tracked_price(const struct round *r, const struct node_pool *np)
{
	const struct cluster *c = r->s->c;
	const struct itype_list *types = r->in->types[np - c->pools.v];
	double sum = 0;

	for (uint32_t i = 0; i < c->claims.n; i++) {
		const struct labels *l = &c->claims.v[i].meta.labels;
		sid type = labels_get(l, LBL_INSTANCE_TYPE), zone = labels_get(l, LBL_ZONE);
		sid capacity = labels_get(l, LBL_CAPACITY_TYPE);

		if (labels_get(l, LBL_NODEPOOL) == np->meta.name && type != SID_NONE && zone != SID_NONE &&
		    capacity != SID_NONE)
			sum += price_of(itype_find(types, type), zone, capacity);
	}
	return sum;
}

static void set_totals(struct round *r, const struct candidates *all)
{
	const struct cluster *c = r->s->c;
	uint32_t k = 0;

	r->totals = ARENA_ARRAY(r->arena, struct pool_totals, c->pools.n);
	for (uint32_t i = 0; i < all->v.n; i++) {
		struct pool_totals *t = &r->totals[all->v.v[i].pool - c->pools.v];

		t->known = true;
		t->price += all->v.v[i].price;
	}
	for (uint32_t i = 0; i < r->s->state.n; i++) {
		const struct snode *n = &r->s->state.v[i];
		bool is_candidate = k < all->v.n && all->v.v[k].snode == i;

		if (n->pool)
			r->totals[n->pool - c->pools.v].cost +=
				is_candidate ? all->v.v[k].cost : tracked_cost(r, n);
		k += is_candidate;
	}
	for (uint32_t i = 0; i < c->pools.n; i++) {
		double tracked = tracked_price(r, &c->pools.v[i]);

		if (tracked > 0)
			r->totals[i].price = tracked;
	}
}

void candidates_find(struct round *r, enum candidate_filter f, bool eventual, struct candidates *out)
{
	struct candidates all = {0};
	struct candidate c;

	for (uint32_t i = 0; i < r->s->state.n; i++)
		if (candidate_of(r, i, eventual, &c))
			VEC_PUSH(r->arena, &all.v, c);
	set_totals(r, &all);
	for (uint32_t i = 0; i < all.v.n; i++)
		if (passes(r, f, &all.v.v[i]))
			VEC_PUSH(r->arena, &out->v, all.v.v[i]);
}

static bool better(void *ctx, size_t i, size_t j)
{
	struct candidate *c = ctx;

	return c[i].price / c[i].cost > c[j].price / c[j].cost;
}

static void swap_candidates(void *ctx, size_t i, size_t j)
{
	struct candidate *c = ctx, x = c[i];

	c[i] = c[j];
	c[j] = x;
}

void candidates_sort(struct candidates *c)
{
	gosort(c->v.v, c->v.n, better, swap_candidates);
}
