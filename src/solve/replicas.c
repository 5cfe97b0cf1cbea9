#include "replicas.h"

#include "poolhash.h"

void static_count(const struct snapshot *s, const struct node_pool *np, int64_t *ret_active, int64_t *ret_all)
{
	const struct state *st = &s->state;

	*ret_active = *ret_all = 0;
	for (uint32_t i = 0; i < st->n; i++) {
		const struct snode *n = &st->v[i];

		if (!n->claim || labels_get(&n->claim->meta.labels, LBL_NODEPOOL) != np->meta.name)
			continue;
		*ret_active += !n->deleting;
		(*ret_all)++;
	}
}

int64_t static_admits(const struct snapshot *s, const struct node_pool *np, int64_t n)
{
	const struct res_item *limit = np->has_limits ? reslist_find(&np->limits, RES_NODES) : NULL;
	int64_t active, all, room;

	if (!limit)
		return n;
	static_count(s, np, &active, &all);
	room = quantity_ceil(limit->v) - all;
	return n < room ? n : room > 0 ? room : 0;
}

int64_t static_shortfall(const struct snapshot *s, const struct node_pool *np)
{
	int64_t active, all;

	if (!np->is_static || !s->c->settings.gates[GATE_STATIC_CAPACITY] || np->meta.deleted != TIME_NONE ||
	    !pool_ready(s->c, np))
		return 0;
	static_count(s, np, &active, &all);
	return active < np->replicas ? static_admits(s, np, np->replicas - active) : 0;
}
