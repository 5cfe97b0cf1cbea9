#include "verify_impl.h"

/* What came of a round of disruption once it was carried out (karpenter-core B14, B15). */

struct settling {
	struct scene before, after;
	const struct outcome *o;
};

static bool listed(const sid *v, uint32_t n, sid x)
{
	for (uint32_t i = 0; i < n; i++)
		if (v[i] == x)
			return true;
	return false;
}

/* The command that was carried out on the node. */
static const struct disrupt_command *command_on(const struct disrupt_commands *done, sid node)
{
	for (uint32_t i = 0; i < done->n; i++)
		if (listed(done->v[i].candidate, done->v[i].ncandidate, node))
			return &done->v[i];
	return NULL;
}

/* --- commands that are given up, static NodePools --- */

static void check_failed(struct settling *x, const struct disrupt_commands *all)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < all->n; i++) {
		bool launches = true;

		for (uint32_t k = 0; k < all->v[i].nreplacement; k++)
			launches = launches && all->v[i].replacement[k].launch.type != SID_NONE;
		x->after.out->checks++;
		if (launches == (x->o->failed[i] != NULL))
			finding(&x->after, "node", "command %u was %s", i,
				launches ? "given up" : "carried out");
		kept += launches;
	}
	if (kept != x->o->done.n)
		finding(&x->after, "node", "%u commands were carried out, not %u", x->o->done.n, kept);
}

static void check_surplus(struct settling *x)
{
	const struct scene *s = &x->before;

	for (uint32_t i = 0; i < s->c->pools.n; i++) {
		const struct node_pool *np = &s->c->pools.v[i];
		int64_t have = 0, less = 0;

		for (uint32_t k = 0; k < s->place.n; k++) {
			const struct place *p = &s->place.v[k];

			if (!p->claim || p->pool != np || p->deleting)
				continue;
			have += !p->node || !command_on(&x->o->done, p->node->meta.name);
			less += listed(x->o->surplus, x->o->nsurplus, p->claim->meta.name);
		}
		for (uint32_t k = 0; k < x->o->done.n; k++)
			for (uint32_t m = 0; m < x->o->done.v[k].nreplacement; m++)
				have += x->o->done.v[k].replacement[m].pool == np;
		x->after.out->checks++;
		if (less && (!np->is_static || have - less < np->replicas))
			finding(&x->after, "node", "NodePool %s loses %lld of %lld nodes",
				name_of(s, np->meta.name), (long long)less, (long long)have);
	}
}

/* --- pods --- */

/* Who waited before may get a node now, or the room that was found for another. */
static bool someone_waited(const struct scene *before)
{
	for (uint32_t i = 0; i < before->c->pods.n; i++)
		if (waits_for_node(before->c, &before->c->pods.v[i]))
			return true;
	return false;
}

/* Nodes of static NodePools go without a look at their pods (B13.3, B15.2). */
static bool on_static(const struct scene *s, uint32_t pod)
{
	const struct node_pool *np = s->place.v[s->at[pod]].pool;

	return np && np->is_static;
}

/* Karpenter never looked for a place for it: it refuses the pod, or counted its node as empty. */
static bool never_looked(struct settling *x, uint32_t pod)
{
	const struct pod *p = &x->before.c->pods.v[pod];
	const struct disrupt_command *cmd = command_on(&x->o->done, p->node);

	return refused(&x->before, p) ||
	       (cmd && cmd->reason == DISRUPT_EMPTY && !costs_to_evict(x->before.c, p));
}

static bool told(const struct outcome *o, uint32_t pod)
{
	for (uint32_t i = 0; i < o->nlost; i++)
		if (o->lost[i].pod == pod)
			return true;
	return false;
}

static void check_fate(struct settling *x, uint32_t i, bool crowded)
{
	struct scene *before = &x->before, *after = &x->after;
	const struct pod *was = &before->c->pods.v[i], *is = &after->c->pods.v[i];
	const struct place *p = &before->place.v[before->at[i]];
	bool lost = after->at[i] == NOWHERE;

	after->out->checks++;
	if (lost != told(x->o, i))
		finding(after, "home", "pod %s %s its place, and that is not told", pod_text(before, i),
			lost ? "lost" : "kept");
	if (!command_on(&x->o->done, was->node) && !p->deleting &&
	    !(p->claim && listed(x->o->surplus, x->o->nsurplus, p->claim->meta.name)) &&
	    is->node != was->node)
		finding(after, "node", "pod %s left node %s, which stays", pod_text(before, i),
			intern_c(before->c->in, was->node));
	else if (lost && !crowded && !held(before, was, true) && !on_static(before, i) && !never_looked(x, i))
		finding(after, "home", "pod %s lost its place", pod_text(before, i));
}

static void check_fates(struct settling *x)
{
	bool crowded = someone_waited(&x->before);

	for (uint32_t i = 0; i < x->before.c->pods.n; i++)
		if (x->before.at[i] != NOWHERE && moves_on(x->before.c, &x->before.c->pods.v[i]))
			check_fate(x, i, crowded);
}

/* --- nodes and cost --- */

static bool overfull(struct scene *s, const struct place *p)
{
	struct reslist room = p->allocatable, used = {0};

	for (uint32_t i = 0; i < p->pods.n; i++)
		used = reslist_add(s->c->in, s->a, &used, &s->c->pods.v[p->pods.v[i]].requests);
	return lacking(&used, &room) != SID_NONE;
}

/* A node is known by its NodeClaim until it registers. */
static const struct place *place_of(const struct scene *s, const struct node *node)
{
	for (uint32_t i = 0; node && i < s->place.n; i++)
		if (s->place.v[i].node && s->place.v[i].node->meta.name == node->meta.name)
			return &s->place.v[i];
	return NULL;
}

static void check_nodes(struct settling *x)
{
	struct scene *before = &x->before, *after = &x->after;

	for (uint32_t i = 0; i < before->place.n; i++) {
		const struct place *p = &before->place.v[i];
		bool there, goes;

		after->out->checks++;
		if (!p->node || p->deleting)
			continue;
		there = cluster_node(after->c, p->node->meta.name) != NULL;
		goes = command_on(&x->o->done, p->node->meta.name) ||
		       (p->claim && listed(x->o->surplus, x->o->nsurplus, p->claim->meta.name));
		if (goes == there)
			finding(after, "node", there ? "%s was to go" : "%s was to stay", p->what);
	}
	for (uint32_t i = 0; i < after->place.n; i++) {
		const struct place *p = &after->place.v[i], *was = place_of(before, p->node);

		if (overfull(after, p) && !(was && overfull(before, was)))
			finding(after, "fit", "%s holds more than it has", p->what);
	}
}

/* Of what NodePools have that are not static: those keep what they have to, whatever it costs. */
static double cost_of(const struct scene *s)
{
	double sum = 0;

	for (uint32_t i = 0; i < s->place.n; i++)
		if (s->place.v[i].pool && !s->place.v[i].pool->is_static)
			sum += price_of(s->in, s->place.v[i].pool, s->place.v[i].labels);
	return sum;
}

/* A consolidation makes nothing dearer, unless Karpenter did not see all that moves. */
static void check_cost(struct settling *x)
{
	double was = cost_of(&x->before), is = cost_of(&x->after);
	const struct cluster *c = x->before.c;

	for (uint32_t i = 0; i < x->o->done.n; i++)
		if (x->o->done.v[i].reason == DISRUPT_DRIFTED)
			return;
	if (someone_waited(&x->before) || x->o->nsurplus || c->virtual_pods.n)
		return;
	for (uint32_t i = 0; i < x->before.place.n; i++)
		if (x->before.place.v[i].deleting && x->before.place.v[i].pods.n)
			return;
	for (uint32_t i = 0; i < c->pods.n; i++) {
		const struct disrupt_command *cmd = command_on(&x->o->done, c->pods.v[i].node);

		if (cmd && cmd->reason == DISRUPT_EMPTY && moves_on(c, &c->pods.v[i]))
			return;
	}
	x->after.out->checks++;
	if (is > was + 1e-9)
		finding(&x->after, "price", "the cluster costs %.17g after a consolidation, %.17g before", is,
			was);
}

void verify_settled(struct arena *a, const struct verify_input *before, const struct disruption *d,
		    const struct outcome *o, const struct verify_input *after, struct findings *out)
{
	struct settling x = {.o = o};

	scene_init(&x.before, a, before, out, true);
	scene_init(&x.after, a, after, out, true);
	check_failed(&x, &d->commands);
	check_surplus(&x);
	check_nodes(&x);
	check_fates(&x);
	check_cost(&x);
}
