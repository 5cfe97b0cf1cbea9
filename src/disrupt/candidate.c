#include "round_impl.h"

#include <stdlib.h>

#include "bits.h"
#include "gosort.h"
#include "when.h"

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

/* Karpenter's words, and those of the verdict. */
struct block {
	enum verdict_code code;
	const char *event, *detail;
};

/* With what its NodeClaim says of it. */
static const char *uninitialized(const struct round *r, const struct snode *n)
{
	const struct intern *in = r->s->c->in;
	const struct condition *c = conditions_find(&n->claim->conditions, in, "Initialized");
	static const char text[] = "it is not initialized: it has no label karpenter.sh/initialized: 'true'";
	struct str message = c ? intern_str(in, c->message) : STR_LIT("");

	if (!c || !message.n || str_is(intern_str(in, c->status), "True"))
		return text;
	return arena_printf(r->arena, "%s (%s)", text, message.p);
}

static bool node_blocked(const struct round *r, const struct snode *n, struct block *ret)
{
	sid guard = labels_get(n->annotations, ANN_DO_NOT_DISRUPT);

	if (!n->node)
		*ret = (struct block){VERDICT_NO_NODE, "nodeclaim does not have an associated node",
				      "its NodeClaim has no Node yet"};
	else if (!n->initialized)
		*ret = (struct block){VERDICT_NOT_INITIALIZED, "node isn't initialized", uninitialized(r, n)};
	else if (n->deleting)
		*ret = (struct block){VERDICT_DELETING, "node is deleting or marked for deletion",
				      arena_printf(r->arena,
						   "it is on the way out: NodeClaim %s is being deleted",
						   intern_c(r->s->c->in, n->claim->meta.name))};
	else if (guard == STR_TRUE)
		*ret = (struct block){
			VERDICT_NODE_SHIELDED,
			"disruption is blocked through the \"karpenter.sh/do-not-disrupt\" annotation",
			"the node is annotated karpenter.sh/do-not-disrupt: 'true'"};
	else if (labels_get(n->labels, LBL_NODEPOOL) == SID_NONE)
		*ret = (struct block){VERDICT_NO_POOL_LABEL,
				      "node doesn't have required label (label=karpenter.sh/nodepool)",
				      "the node has no label karpenter.sh/nodepool"};
	else
		return false;
	return true;
}

static void pdb_blocked(const struct round *r, const struct pod *p, const struct pdb_block *b,
			struct block *ret)
{
	const struct cluster *c = r->s->c;
	const char *pod = arena_printf(r->arena, "%s/%s", intern_c(c->in, p->meta.ns),
				       intern_c(c->in, p->meta.name)),
		   *names = "";

	for (uint32_t i = 0; i < b->n; i++) {
		const struct object_meta *m = b->n > 1 ? &c->pdbs.v[b->all[i]].meta : &b->pdb[0]->meta;

		names = arena_printf(r->arena, "%s%s%s/%s", names, i ? " " : "", intern_c(c->in, m->ns),
				     intern_c(c->in, m->name));
	}
	if (b->n > 1)
		*ret = (struct block){
			VERDICT_PDBS,
			arena_printf(r->arena,
				     "eviction does not support multiple PDBs (PodDisruptionBudget(s)=[%s])",
				     names),
			arena_printf(
				r->arena,
				"pod %s cannot be evicted: more than one PodDisruptionBudget matches it (%s)",
				pod, names)};
	else
		*ret = (struct block){
			VERDICT_PDB,
			arena_printf(r->arena, "pdb prevents pod evictions (PodDisruptionBudget=[%s])",
				     names),
			arena_printf(
				r->arena,
				"pod %s cannot be evicted: PodDisruptionBudget %s allows no disruption now "
				"(disruptionsAllowed: 0)",
				pod, names)};
}

static void shield_blocked(const struct round *r, const struct pod *p, struct block *ret)
{
	const struct intern *in = r->s->c->in;
	struct shield_info s = pod_shield(r->s->c, p, r->arena);
	const char *pod =
		arena_printf(r->arena, "%s/%s", intern_c(in, p->meta.ns), intern_c(in, p->meta.name));
	struct buf until;

	buf_init(&until);
	if (s.state == SHIELD_UNTIL) {
		buf_adds(&until, ", which holds until ");
		when_print(&until, s.until);
	}
	*ret = (struct block){
		VERDICT_POD_SHIELDED,
		arena_printf(r->arena, "pod has \"karpenter.sh/do-not-disrupt\" annotation (Pod=%s)", pod),
		arena_printf(r->arena, "pod %s is annotated karpenter.sh/do-not-disrupt: '%s'%s", pod,
			     intern_c(in, labels_get(&p->meta.annotations, ANN_DO_NOT_DISRUPT)),
			     buf_cstr(&until))};
	buf_release(&until);
}

static bool pods_blocked(struct round *r, const struct snode *n, struct block *ret)
{
	const struct cluster *c = r->s->c;

	for (uint32_t i = 0; i < n->npod; i++) {
		const struct pod *p = &c->pods.v[n->pod[i]];

		if (!pod_is_active(p))
			continue;
		event_shield(r, p);
		if (pod_shielded(c, p)) {
			shield_blocked(r, p, ret);
			return true;
		}
	}
	for (uint32_t i = 0; i < n->npod; i++) {
		const struct pod *p = &c->pods.v[n->pod[i]];
		struct pdb_block b;

		if (!pod_evictable(c, p, false, r->arena, &b)) {
			pdb_blocked(r, p, &b, ret);
			return true;
		}
	}
	return false;
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

void candidate_make(struct round *r, uint32_t snode, struct candidate *out)
{
	const struct cluster *c = r->s->c;
	const struct snode *n = &r->s->state.v[snode];
	const struct itype_list *types = r->in->types[n->pool - c->pools.v];

	*out = (struct candidate){.snode = snode,
				  .pool = n->pool,
				  .type = itype_find(types, labels_get(n->labels, LBL_INSTANCE_TYPE)),
				  .zone = labels_get(n->labels, LBL_ZONE),
				  .capacity_type = labels_get(n->labels, LBL_CAPACITY_TYPE),
				  .drifted_at = r->claim[n->claim - c->claims.v].at};
	out->price = price_of(out->type, out->zone, out->capacity_type);
	set_pods(r, n, out);
}

static void stays_blocked(struct round *r, uint32_t snode, const struct block *b)
{
	event_node(r, &r->s->state.v[snode], "DisruptionBlocked", "%s", sentence(r->arena, b->event));
	verdict(r, snode, b->code, "%s", b->detail);
}

static bool candidate_of(struct round *r, uint32_t snode, bool eventual, struct candidate *out)
{
	const struct cluster *c = r->s->c;
	const struct snode *n = &r->s->state.v[snode];
	const struct itype_list *types;
	struct block block;

	if (!n->claim) {
		sid pool = labels_get(n->labels, LBL_NODEPOOL);

		if (pool == SID_NONE)
			verdict(r, snode, VERDICT_NOT_MANAGED,
				"it is not Karpenter's: it has no NodeClaim and no label "
				"karpenter.sh/nodepool");
		else
			verdict(r, snode, VERDICT_NOT_MANAGED,
				"it is labelled as one of NodePool %s, but no NodeClaim has its providerID "
				"'%s'",
				intern_c(c->in, pool), intern_c(c->in, n->provider_id));
		return false;
	}
	if (node_blocked(r, n, &block)) {
		stays_blocked(r, snode, &block);
		return false;
	}
	types = n->pool ? r->in->types[n->pool - c->pools.v] : NULL;
	if (!n->pool || !types || !types->n) {
		const char *name = intern_c(c->in, labels_get(n->labels, LBL_NODEPOOL));

		event_node(r, n, "DisruptionBlocked", "NodePool not found (NodePool=%s)", name);
		verdict(r, snode, VERDICT_NO_POOL, "%s NodePool %s%s", n->pool ? "its" : "there is no", name,
			n->pool ? " has no instance types" : "");
		return false;
	}
	if (pods_blocked(r, n, &block) && !(eventual && n->claim->termination_grace != DURATION_NONE)) {
		stays_blocked(r, snode, &block);
		if (eventual && r->claim[n->claim - c->claims.v].drifted != SID_EMPTY)
			verdict_over(r, snode, block.code,
				     "%s%s; a terminationGracePeriod of its NodeClaim would overrule that",
				     drifted_text(r, snode), block.detail);
		return false;
	}
	candidate_make(r, snode, out);
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
	verdict(r, c->snode, VERDICT_CONSOLIDATION_OFF, "its NodePool %s has consolidateAfter: Never",
		intern_c(r->s->c->in, c->pool->meta.name));
	return true;
}

static bool has_virtual_pods(struct round *r, const struct candidate *c)
{
	const struct snode *n = &r->s->state.v[c->snode];

	if (!bits_test(r->virtual_nodes, c->snode))
		return false;
	event_node(r, n, "Unconsolidatable", "Node \"%s\" has buffer pods", intern_c(r->s->c->in, n->name));
	if (is_empty(c))
		verdict(r, c->snode, VERDICT_BUFFER,
			"it is empty, but pods of a CapacityBuffer are to have room on it");
	return true;
}

static bool passes_consolidate(struct round *r, const struct candidate *c, const struct drift_state *d)
{
	const struct intern *in = r->s->c->in;
	const struct snode *n = &r->s->state.v[c->snode];
	sid type = labels_get(n->labels, LBL_INSTANCE_TYPE);

	if (c->pool->is_static) {
		verdict(r, c->snode, VERDICT_STATIC,
			"its NodePool %s is static: its nodes are replaced when they drift, never "
			"consolidated",
			intern_c(in, c->pool->meta.name));
		return false;
	}
	if (!c->type) {
		event_node(r, n, "Unconsolidatable", "Instance Type \"%s\" not found", intern_c(in, type));
		verdict(r, c->snode, VERDICT_TYPE_NOT_FOUND,
			"its instance type '%s' is not among those of its NodePool", intern_c(in, type));
		return false;
	}
	if (c->capacity_type == SID_NONE || c->zone == SID_NONE) {
		const char *label = c->capacity_type == SID_NONE ? "karpenter.sh/capacity-type"
								 : "topology.kubernetes.io/zone";

		event_node(r, n, "Unconsolidatable", "Node does not have label \"%s\"", label);
		verdict(r, c->snode, VERDICT_LABEL_MISSING, "the node has no label %s", label);
		return false;
	}
	/* Empty ones are for emptiness, or were passed over by it. */
	if (consolidation_off(r, c) || is_empty(c))
		return false;
	if (c->pool->policy == CONSOLIDATE_WHEN_EMPTY) {
		event_node(r, n, "Unconsolidatable",
			   "NodePool \"%s\" has consolidation policy WhenEmpty, but node is not empty",
			   intern_c(in, c->pool->meta.name));
		verdict(r, c->snode, VERDICT_POLICY,
			"its NodePool %s has consolidationPolicy: WhenEmpty, and it is not empty",
			intern_c(in, c->pool->meta.name));
		return false;
	}
	if (!d->consolidatable)
		verdict_too_early(r, c);
	return d->consolidatable;
}

static bool passes_empty(struct round *r, const struct candidate *c, const struct drift_state *d)
{
	if (c->pool->is_static || consolidation_off(r, c) || has_virtual_pods(r, c) || !is_empty(c))
		return false;
	if (!d->consolidatable)
		verdict_too_early(r, c);
	return d->consolidatable;
}

static bool passes(struct round *r, enum candidate_filter f, const struct candidate *c)
{
	const struct snode *n = &r->s->state.v[c->snode];
	const struct drift_state *d = &r->claim[n->claim - r->s->c->claims.v];

	switch (f) {
	case FILTER_EMPTY:
		return passes_empty(r, c, d);
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

static bool better(const void *x, const void *y, const void *ctx)
{
	const struct candidate *a = x, *b = y;

	(void)ctx;
	return a->price / a->cost > b->price / b->cost;
}

void candidates_sort(struct candidates *c)
{
	GOSORT(c->v.v, c->v.n, better, NULL);
}
