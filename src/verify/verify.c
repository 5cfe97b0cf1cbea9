#include "verify_impl.h"

/* A plan: who is where, once; and every rule on each place (karpenter-core A2, A9). */

/* Amounts that NodePools limit: what nodes have, and the most that new NodeClaims may come to have. */
static void check_limit(struct scene *s, const struct node_pool *np, const struct res_item *limit)
{
	qty used = 0, before;
	uint32_t opened = 0;

	for (uint32_t i = 0; i < s->place.n; i++) {
		const struct place *p = &s->place.v[i];

		if (p->pool == np && !p->fresh && !p->deleting && !p->removed)
			used += limit->name == RES_NODES ? QTY_ONE
							 : reslist_amount(&p->capacity, limit->name);
	}
	before = used;
	for (uint32_t i = 0; i < s->place.n; i++) {
		const struct plan_claim *d = s->place.v[i].fresh;
		qty most = 0;

		if (!d || d->pool != np || d->is_static)
			continue;
		opened++;
		for (uint32_t k = 0; k < d->ntype; k++) {
			qty has = reslist_amount(&d->type[k]->capacity, limit->name);

			most = has > most ? has : most;
		}
		used += most;
	}
	s->out->checks++;
	if (opened && (limit->name == RES_NODES ? before >= limit->v : used > limit->v))
		finding(s, "limit", "NodePool %s exceeds its limit of %s", name_of(s, np->meta.name),
			name_of(s, limit->name));
}

void check_limits(struct scene *s)
{
	for (uint32_t i = 0; i < s->c->pools.n; i++)
		for (uint32_t k = 0; s->c->pools.v[i].has_limits && k < s->c->pools.v[i].limits.n; k++)
			check_limit(s, &s->c->pools.v[i], &s->c->pools.v[i].limits.v[k]);
}

/* Without the provider id of a NodeClaim Karpenter does not know its nodes and waits. */
static bool unsynced(const struct cluster *c)
{
	for (uint32_t i = 0; i < c->claims.n; i++)
		if (c->claims.v[i].provider_id == SID_EMPTY || c->claims.v[i].provider_id == SID_NONE)
			return true;
	return false;
}

/* Whether the plan has to say where the pod goes: it waits, or its node goes away. */
static bool concerned(const struct scene *s, uint32_t pod)
{
	const struct pod *p = &s->c->pods.v[pod];
	uint32_t at = s->at[pod];

	if (waits_for_node(s->c, p))
		return true;
	return at != NOWHERE && s->place.v[at].node && s->place.v[at].deleting && moves_on(s->c, p) &&
	       !held(s, p, true);
}

static void check_everyone_once(struct scene *s, const bool *due)
{
	for (uint32_t i = 0; i < s->c->pods.n; i++) {
		bool told = s->placed[i] || s->waiting[i];

		s->out->checks++;
		if (due[i] && !told)
			finding(s, "place", "nothing is said of pod %s", pod_text(s, i));
		if (!due[i] && told)
			finding(s, "place", "pod %s needs no place", pod_text(s, i));
		if (s->placed[i] && s->waiting[i])
			finding(s, "place", "pod %s is placed and is not", pod_text(s, i));
	}
}

static void put_all(struct scene *s, const struct plan *plan)
{
	for (uint32_t i = 0; i < plan->nnode; i++) {
		struct place *p = place_find(s, plan->node[i].name);

		if (p)
			put_pods(s, p, plan->node[i].pod, plan->node[i].npod);
		else
			finding(s, "place", "there is no node %s", name_of(s, plan->node[i].name));
	}
	for (uint32_t i = 0; i < plan->nclaim; i++)
		place_fresh(s, &plan->claim[i], i);
	for (uint32_t i = 0; i < plan->nstatic; i++)
		place_fresh(s, &plan->static_claim[i], plan->nclaim + i);
	for (uint32_t i = 0; i < plan->nerror; i++) {
		if (plan->error[i].pod >= s->c->pods.n)
			continue;
		if (s->waiting[plan->error[i].pod])
			finding(s, "place", "pod %s has two errors", pod_text(s, plan->error[i].pod));
		s->waiting[plan->error[i].pod] = true;
	}
}

void verify_plan(struct arena *a, const struct verify_input *in, const struct plan *plan,
		 struct findings *out)
{
	struct scene s;
	bool *due;

	scene_init(&s, a, in, out, false);
	due = ARENA_ARRAY(a, bool, in->c->pods.n);
	for (uint32_t i = 0; i < in->c->pods.n; i++)
		due[i] = !unsynced(in->c) && concerned(&s, i);
	put_all(&s, plan);
	check_everyone_once(&s, due);
	for (uint32_t i = 0; i < s.place.n; i++)
		if (s.place.v[i].fresh)
			check_claim(&s, &s.place.v[i]);
		else if (s.place.v[i].nplaced)
			check_node(&s, &s.place.v[i]);
	check_topology(&s);
	check_limits(&s);
}
