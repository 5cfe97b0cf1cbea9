#include <string.h>

#include "bits.h"
#include "run.h"

/* What is left of the NodePools' limits in a run (Karpenter v1.14.1, A9). */

static void take(struct reslist *left, const struct reslist *capacity)
{
	for (uint32_t i = 0; i < left->n; i++)
		left->v[i].v -= reslist_amount(capacity, left->v[i].name);
}

void limits_start(struct solving *r)
{
	const struct snapshot *s = r->s;

	r->limit = ARENA_ARRAY(r->arena, struct reslist, s->m.n + 1);
	for (uint32_t k = 0; k < s->m.n; k++) {
		const struct node_pool *np = s->m.v[k].pool;
		struct reslist *left = &r->limit[k];

		if (!np->has_limits)
			continue;
		*left = r->o.limits ? r->o.limits[k] : np->limits;
		left->v = arena_memdup(r->arena, left->v, left->n, sizeof(*left->v));
		for (uint32_t i = 0; i < s->state.n; i++)
			if (!bits_test(r->o.absent, i) && s->state.v[i].pool == np)
				take(left, &s->state.v[i].capacity);
	}
}

bool limit_types(const struct solving *r, const struct template *m, uint64_t *mask)
{
	const struct reslist *left = &r->limit[m->index];

	memcpy(mask, m->all, m->nwords * sizeof(*mask));
	for (uint32_t k = 0; k < left->n; k++)
		for (uint32_t i = 0; i < m->ntype; i++)
			if (m->limited[k * m->ntype + i] > left->v[k].v)
				bits_clear(mask, i);
	return bits_any(mask, m->nwords);
}

void limit_take(struct solving *r, const struct claim *c)
{
	const struct template *m = c->m;
	struct reslist *left = &r->limit[m->index];

	for (uint32_t k = 0; k < left->n; k++) {
		qty most = 0;

		BITS_EACH (i, c->types, m->nwords) {
			qty x = m->limited[k * m->ntype + i];

			most = x > most ? x : most;
		}
		left->v[k].v -= most;
	}
}

bool limit_of_nodes_reached(const struct solving *r, const struct template *m)
{
	const struct res_item *nodes = reslist_find(&r->limit[m->index], RES_NODES);

	return nodes && nodes->v == 0;
}
