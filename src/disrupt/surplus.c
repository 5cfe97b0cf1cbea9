#include "gosort.h"
#include "replicas.h"
#include "round_impl.h"

/* NodeClaims of static NodePools beyond their replicas (Karpenter v1.14.1, B15.2). */

struct spare {
	sid claim;
	int rank; /* 0: without an instance; 1: empty; 2: with pods; 3: with pods that may not be disrupted */
	double cost;
	uint32_t order; /* by name */
};

struct spares {
	VEC(struct spare) v;
};

static bool spare_before(const void *x, const void *y, const void *ctx)
{
	const struct spare *a = x, *b = y;

	(void)ctx;
	if (a->rank != b->rank)
		return a->rank < b->rank;
	if (a->cost < b->cost || b->cost < a->cost)
		return a->cost < b->cost;
	return a->order < b->order;
}

/* The part of its life that is left; all of it where nodes do not expire (B3.5). */
static double lifetime_left(const struct cluster *c, const struct node_claim *claim)
{
	double life = (double)claim->expire_after / 1e9, left;

	if (claim->expire_after == DURATION_NEVER || claim->expire_after <= 0)
		return 1;
	left = (life - (double)(c->settings.now - claim->meta.created)) / life;
	return left < 0 ? 0 : left > 1 ? 1 : left;
}

static struct spare spare_of(const struct snapshot *s, uint32_t snode)
{
	const struct cluster *c = s->c;
	const struct snode *n = &s->state.v[snode];
	bool empty = true, shielded = false;
	struct spare out = {.claim = n->claim->meta.name, .order = snode};

	for (uint32_t i = 0; i < n->npod; i++) {
		const struct pod *p = &c->pods.v[n->pod[i]];

		empty = empty && pod_owned_by(c, p, "apps/v1", "DaemonSet");
		shielded = shielded || pod_shielded(c, p);
		out.cost += eviction_cost(c, p);
	}
	out.cost *= lifetime_left(c, n->claim);
	if (n->claim->provider_id == SID_EMPTY)
		out.rank = 0;
	else
		out.rank = shielded ? 3 : empty ? 1 : 2;
	if (out.rank < 2)
		out.cost = 0;
	return out;
}

static void of_pool(struct arena *a, const struct snapshot *s, const struct node_pool *np, struct spares *out)
{
	struct spares all = {0};
	int64_t active, total;

	static_count(s, np, &active, &total);
	for (uint32_t i = 0; active > np->replicas && i < s->state.n; i++) {
		const struct snode *n = &s->state.v[i];

		if (n->claim && n->pool == np && !n->deleting)
			VEC_PUSH(a, &all.v, spare_of(s, i));
	}
	GOSORT(all.v.v, all.v.n, spare_before, NULL);
	for (uint32_t i = 0; i < all.v.n && active > np->replicas; i++, active--)
		VEC_PUSH(a, &out->v, all.v.v[i]);
}

uint32_t static_surplus(struct arena *a, const struct snapshot *s, sid **ret_claim)
{
	const struct cluster *c = s->c;
	struct spares all = {0};

	for (uint32_t i = 0; c->settings.gates[GATE_STATIC_CAPACITY] && i < c->pools.n; i++)
		if (c->pools.v[i].is_static && c->pools.v[i].meta.deleted == TIME_NONE)
			of_pool(a, s, &c->pools.v[i], &all);
	*ret_claim = ARENA_ARRAY(a, sid, all.v.n);
	for (uint32_t i = 0; i < all.v.n; i++)
		(*ret_claim)[i] = all.v.v[i].claim;
	return all.v.n;
}
