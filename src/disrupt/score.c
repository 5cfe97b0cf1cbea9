#include <math.h>

#include "round_impl.h"

/* The Balanced policy weighs savings against disruption (Karpenter v1.14.1, B12). */

#define BALANCED_K 2
#define BALANCED_THRESHOLD 0.5

struct score score_of(const struct pool_totals *t, double savings, double cost)
{
	struct score s = {0};

	if (t->price > 0 && t->cost > 0) {
		s.savings = savings / t->price;
		s.cost = cost / t->cost;
	}
	if (s.savings > 0)
		s.value = s.cost > 0 || s.cost < 0 ? s.savings / s.cost : (double)INFINITY;
	s.approved = s.value >= BALANCED_THRESHOLD;
	return s;
}

bool can_pass(const struct round *r, const struct candidate *c)
{
	const struct pool_totals *t = &r->totals[c->pool - r->s->c->pools.v];

	if (c->pool->policy != CONSOLIDATE_BALANCED || !t->known || t->price <= 0)
		return true;
	return score_of(t, c->price, c->cost).approved;
}

struct share {
	double price, cost;
	uint32_t pools; /* distinct NodePools of the command */
	double total;
};

static struct share share_of(const struct move *m, const struct node_pool *np)
{
	struct share s = {0};

	for (uint32_t i = 0; i < m->n; i++) {
		bool seen = false;

		for (uint32_t k = 0; k < i; k++)
			seen = seen || m->v[k]->pool == m->v[i]->pool;
		s.pools += !seen;
		s.total += m->v[i]->price;
		if (m->v[i]->pool != np)
			continue;
		s.price += m->v[i]->price;
		s.cost += m->v[i]->cost;
	}
	return s;
}

static struct score pool_score(const struct round *r, const struct move *m, const struct node_pool *np)
{
	struct share s = share_of(m, np);
	double savings = m->savings;

	if (s.total > 0 && s.pools > 1)
		savings = savings * (s.price / s.total);
	return score_of(&r->totals[np - r->s->c->pools.v], savings, s.cost);
}

static void score_text(struct buf *b, const struct score *s)
{
	if (isinf(s->value))
		buf_adds(b, "score +Inf");
	else
		buf_addf(b, "score %.2f", s->value);
	buf_addf(b, " >= threshold %.2f (k: %d, savings %.1f%%, disruption %.1f%%)", BALANCED_THRESHOLD,
		 BALANCED_K, s->savings * 100, s->cost * 100);
}

bool move_approved(struct round *r, const struct move *m)
{
	bool approved = true;

	for (uint32_t i = 0; i < m->n; i++) {
		struct score s;
		struct buf b;

		if (m->v[i]->pool->policy != CONSOLIDATE_BALANCED)
			continue;
		s = pool_score(r, m, m->v[i]->pool);
		approved = approved && s.approved;
		if (m->n != 1 || !s.approved)
			continue;
		buf_init(&b);
		score_text(&b, &s);
		event_node(r, &r->s->state.v[m->v[i]->snode], "ConsolidationApproved", "%s", buf_cstr(&b));
		buf_release(&b);
	}
	return approved;
}

void verdict_score(struct round *r, const struct candidate *c, double savings, const char *when)
{
	struct score s = score_of(&r->totals[c->pool - r->s->c->pools.v], savings, c->cost);

	verdict(r, c->snode, VERDICT_SCORE,
		"%.1f%% of what NodePool %s costs is saved %s, for %.1f%% of its disruption cost: score "
		"%.2f, "
		"%.2f is needed",
		s.savings * 100, intern_c(r->s->c->in, c->pool->meta.name), when, s.cost * 100, s.value,
		BALANCED_THRESHOLD);
}

void score_events_multi(struct round *r, const struct move *m)
{
	for (uint32_t i = 0; i < m->n; i++) {
		const struct node_pool *np = m->v[i]->pool;
		struct score s;
		struct buf b;

		if (np->policy != CONSOLIDATE_BALANCED)
			continue;
		s = pool_score(r, m, np);
		if (!s.approved)
			continue;
		buf_init(&b);
		score_text(&b, &s);
		event_on(r, arena_printf(r->arena, "NodePool/%s", intern_c(r->s->c->in, np->meta.name)),
			 "ConsolidationApproved", "%s", buf_cstr(&b));
		buf_release(&b);
	}
}
