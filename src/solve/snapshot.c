#include "run.h"

/* Amounts that the node's daemons still will take (A8.6): for all that fit its labels and taints, less those
 * that run. */
static struct reslist daemon_reserve(struct snapshot *s, const struct snode *n)
{
	struct cluster *c = s->c;
	struct arena *a = s->t.arena;
	struct reslist sum = {0};
	rsetid labels = rset_add(c->rp, n->reqs.set, req_in1(c->rp, s->t.host_key, n->host));
	sid own = labels_get(n->labels, LBL_HOSTNAME);

	if (own == SID_NONE)
		labels = n->reqs.set;
	for (uint32_t i = 0; i < s->m.daemons.n; i++) {
		const struct daemon *d = &s->m.daemons.v[i];

		if (!d->resource_claims && tolerates_all(c->in, d->toleration, d->ntoleration, &n->taints) &&
		    rset_compatible(c->rp, labels, d->strict, false))
			sum = reslist_add(c->in, a, &sum, &d->requests);
	}
	sum = reslist_sub(a, &sum, &n->daemon_requests);
	for (uint32_t i = 0; i < sum.n; i++)
		if (sum.v[i].v < 0)
			sum.v[i].v = 0;
	return sum;
}

static bool takes_part(const struct snapshot *s, const struct node_pool *np)
{
	for (uint32_t i = 0; i < s->m.npool; i++)
		if (s->m.pool[i] == np)
			return true;
	return false;
}

/* B4.4; only of NodePools that the scheduler knows, so not of static ones. */
static bool under_consolidate_after(const struct snapshot *s, const struct snode *n)
{
	const struct cluster *c = s->c;
	const struct condition *init;
	int64_t since;

	if (!takes_part(s, n->pool) || !n->claim || n->pool->consolidate_after == DURATION_NEVER ||
	    n->pool->consolidate_after <= 0)
		return false;
	init = conditions_find(&n->claim->conditions, c->in, "Initialized");
	if (!init || !str_is(intern_str(c->in, init->status), "True"))
		return false;
	since = n->claim->last_pod_event != TIME_NONE ? n->claim->last_pod_event : init->transition;
	if (since == TIME_NONE)
		return false;
	return c->settings.now - since < n->pool->consolidate_after / 1000000000 ||
	       (c->settings.now - since == n->pool->consolidate_after / 1000000000 &&
		n->pool->consolidate_after % 1000000000 > 0);
}

static void set_base(struct snapshot *s)
{
	s->node = ARENA_ARRAY(s->t.arena, struct node_base, s->state.n);
	for (uint32_t i = 0; i < s->state.n; i++) {
		const struct snode *n = &s->state.v[i];
		struct reslist reserve = daemon_reserve(s, n);
		struct node_base *b = &s->node[i];

		b->left = reslist_sub(s->t.arena, &n->available, &reserve);
		for (uint32_t k = 0; k < b->left.n; k++)
			b->never = b->never || b->left.v[k].v < 0;
		b->under_consolidate = under_consolidate_after(s, n);
	}
}

/* Initialized nodes first; state nodes are by name already (A5.2). */
static void set_order(struct snapshot *s)
{
	uint32_t n = 0;

	s->order = ARENA_ARRAY(s->t.arena, uint32_t, s->state.n);
	for (int initialized = 1; initialized >= 0; initialized--)
		for (uint32_t i = 0; i < s->state.n; i++)
			if (s->state.v[i].initialized == (bool)initialized)
				s->order[n++] = i;
}

/* The least capacity that any offering of a reservation shows (A10.4). */
static void set_reservations(struct snapshot *s)
{
	idmap_init(&s->reserved, s->t.arena);
	for (uint32_t i = 0; i < s->m.npool; i++) {
		const struct itype_list *l = s->m.types[i];

		for (uint32_t k = 0; l && k < l->n; k++)
			for (uint32_t o = 0; o < l->v[k].noffering; o++) {
				const struct offering *of = &l->v[k].offering[o];
				uint32_t have,
					cap = of->reservation_cap > 0 ? (uint32_t)of->reservation_cap : 0;

				if (of->reservation == SID_NONE)
					continue;
				if (!idmap_get(&s->reserved, of->reservation, &have) || have > cap)
					idmap_put(&s->reserved, of->reservation, cap);
			}
	}
}

static bool prefers_no_schedule(const struct cluster *c, struct arena *a)
{
	uint32_t n;
	const struct node_pool **pool = pools_by_weight(c, a, &n);

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < pool[i]->taints.n; k++)
			if (pool[i]->taints.v[k].effect == EFFECT_PREFER_NO_SCHEDULE)
				return true;
	return false;
}

struct snapshot *snapshot_new(struct arena *a, struct cluster *c, const struct itype_list *const *types,
			      enum purpose purpose)
{
	struct snapshot *s = ARENA_NEW(a, struct snapshot);

	s->c = c;
	class_table_init(&s->t, a, c, prefers_no_schedule(c, a));
	state_build(&s->state, &s->t, purpose == FOR_DISRUPTION);
	templates_build(&s->m, &s->t, types);
	s->base = topology_base_new(a, &s->t, &s->state, &s->m);
	set_base(s);
	set_order(s);
	set_reservations(s);
	return s;
}
