#include "verify_impl.h"

#include <math.h>
#include <stdlib.h>

#include "cron.h"

/* Disruption: candidates, budgets, prices, and what becomes of the pods (karpenter-core B). */

#define SAME_MONEY 1e-9

static const char *const reason_names[] = {
	[DISRUPT_EMPTY] = "Empty", [DISRUPT_UNDERUTILIZED] = "Underutilized", [DISRUPT_DRIFTED] = "Drifted"};

/* --- candidates --- */

/* Emptiness takes a node whose pods all cost nothing to evict (B3.1, B3.3). */
bool costs_to_evict(const struct cluster *c, const struct pod *p)
{
	sid text = labels_get(&p->meta.annotations, ANN_POD_DELETION_COST);
	double cost = 1;

	if (text != SID_NONE)
		cost += strtod(intern_c(c->in, text), NULL) / 134217728;
	if (p->spec->has_priority)
		cost += (double)p->spec->priority / 33554432;
	return cost > 0;
}

static void check_candidate_pods(struct scene *s, const struct place *p, enum disrupt_reason reason)
{
	bool forced = reason == DISRUPT_DRIFTED && p->claim->termination_grace != DURATION_NONE;

	for (uint32_t i = 0; i < p->pods.n; i++) {
		const struct pod *pod = &s->c->pods.v[p->pods.v[i]];

		s->out->checks++;
		if (!forced && held(s, pod, false))
			finding(s, "candidate", "pod %s holds %s", pod_text(s, p->pods.v[i]), p->what);
		if (reason == DISRUPT_EMPTY && moves_on(s->c, pod) && costs_to_evict(s->c, pod))
			finding(s, "candidate", "%s is not empty: pod %s", p->what,
				pod_text(s, p->pods.v[i]));
	}
}

static bool is_drifted(const struct scene *s, const struct disruption *d, const struct node_claim *claim)
{
	for (uint32_t i = 0; i < d->ncondition; i++)
		if (d->condition[i].claim == claim->meta.name)
			return d->condition[i].drifted != SID_EMPTY;
	return conditions_true(&claim->conditions, s->c->in, "Drifted");
}

static void check_policy(struct scene *s, const struct disruption *d, const struct place *p,
			 enum disrupt_reason reason)
{
	const struct node_pool *np = p->pool;

	if (reason == DISRUPT_DRIFTED && !is_drifted(s, d, p->claim))
		finding(s, "candidate", "%s has not drifted", p->what);
	if (reason == DISRUPT_DRIFTED)
		return;
	if (np->is_static || np->consolidate_after == DURATION_NEVER)
		finding(s, "candidate", "NodePool %s is not consolidated", name_of(s, np->meta.name));
	if (reason == DISRUPT_UNDERUTILIZED && np->policy == CONSOLIDATE_WHEN_EMPTY)
		finding(s, "candidate", "NodePool %s is consolidated only when empty",
			name_of(s, np->meta.name));
}

static void check_candidate(struct scene *s, const struct disruption *d, struct place *p, sid name,
			    enum disrupt_reason reason)
{
	if (!p || !p->node || !p->claim || !p->pool || !p->initialized || p->deleting) {
		finding(s, "candidate", "node %s is none that Karpenter may disrupt", name_of(s, name));
		return;
	}
	if (labels_get(&p->node->meta.annotations, ANN_DO_NOT_DISRUPT) == STR_TRUE)
		finding(s, "candidate", "an annotation shields %s", p->what);
	check_policy(s, d, p, reason);
	check_candidate_pods(s, p, reason);
}

/* --- budgets (B5) --- */

static bool in_force(struct scene *s, const struct budget *b, bool *ret_broken)
{
	int64_t now = s->c->settings.now, hit;
	struct cron cron;

	if (b->schedule == SID_NONE && b->duration == DURATION_NONE)
		return true;
	if (b->schedule == SID_NONE || cron_parse(s->a, intern_str(s->c->in, b->schedule), &cron)) {
		*ret_broken = true;
		return false;
	}
	hit = cron_next(&cron, now - (b->duration == DURATION_NONE ? 0 : b->duration / 1000000000));
	return hit <= now || hit == INT64_MAX;
}

static bool is_for(const struct scene *s, const struct budget *b, enum disrupt_reason reason)
{
	for (uint32_t i = 0; i < b->nreason; i++)
		if (str_is(intern_str(s->c->in, b->reason[i]), reason_names[reason]))
			return true;
	return !b->has_reasons;
}

static int64_t allowance(struct scene *s, const struct node_pool *np, enum disrupt_reason reason)
{
	int64_t nodes = 0, busy = 0, least = INT32_MAX;
	bool broken = false;

	for (uint32_t i = 0; i < s->place.n; i++) {
		const struct place *p = &s->place.v[i];

		if (p->fresh || p->pool != np || !p->claim || !p->node || !p->initialized ||
		    conditions_true(&p->claim->conditions, s->c->in, "InstanceTerminating"))
			continue;
		nodes++;
		busy += p->deleting || !conditions_true(&p->node->conditions, s->c->in, "Ready");
	}
	for (uint32_t i = 0; i < np->nbudget; i++) {
		const char *text = name_of(s, np->budget[i].nodes);
		int64_t value = strtoll(text, NULL, 10);

		if (strchr(text, '%'))
			value = (value * nodes + 99) / 100;
		if (in_force(s, &np->budget[i], &broken) && is_for(s, &np->budget[i], reason) &&
		    value < least)
			least = value;
	}
	return broken || least < busy ? 0 : least - busy;
}

static void check_budgets(struct scene *s, const struct disrupt_commands *all)
{
	for (uint32_t i = 0; i < s->c->pools.n; i++)
		for (int reason = DISRUPT_EMPTY; reason <= DISRUPT_DRIFTED; reason++) {
			int64_t n = 0;

			for (uint32_t k = 0; k < all->n; k++)
				for (uint32_t m = 0; m < all->v[k].ncandidate; m++) {
					const struct place *p = place_find(s, all->v[k].candidate[m]);

					n += (int)all->v[k].reason == reason && p &&
					     p->pool == &s->c->pools.v[i];
				}
			s->out->checks++;
			if (n && n > allowance(s, &s->c->pools.v[i], (enum disrupt_reason)reason))
				finding(s, "budget", "%lld nodes of NodePool %s are disrupted at once, %s",
					(long long)n, name_of(s, s->c->pools.v[i].meta.name),
					reason_names[reason]);
		}
}

/* --- prices (B3.4, B7, B12.2) --- */

double price_of(const struct verify_input *in, const struct node_pool *np, const struct labels *l)
{
	const struct itype_list *types = np ? in->types[np - in->c->pools.v] : NULL;
	sid type = labels_get(l, LBL_INSTANCE_TYPE), zone = labels_get(l, LBL_ZONE);
	sid capacity_type = labels_get(l, LBL_CAPACITY_TYPE);

	for (uint32_t i = 0; types && i < types->n; i++)
		for (uint32_t k = 0; types->v[i].name == type && k < types->v[i].noffering; k++) {
			const struct offering *o = &types->v[i].offering[k];

			if (o->zone == zone && o->capacity_type == capacity_type)
				return isnan(o->price) ? 0 : o->price;
		}
	return 0;
}

static void check_prices(struct scene *s, const struct disrupt_command *cmd)
{
	double before = 0, after = 0, savings;

	for (uint32_t i = 0; i < cmd->ncandidate; i++) {
		const struct place *p = place_find(s, cmd->candidate[i]);

		before += p ? price_of(s->in, p->pool, p->labels) : 0;
	}
	savings = before;
	for (uint32_t i = 0; i < cmd->nreplacement; i++) {
		const struct plan_claim *d = &cmd->replacement[i];
		const struct offering *o = d->ntype ? offering_of(s, d->type[0], d->reqs, false) : NULL;

		savings -= o ? o->price : 0;
		for (uint32_t k = 0; k < d->ntype; k++) {
			o = offering_of(s, d->type[k], d->reqs, true);
			after = o && o->price > after ? o->price : after;
		}
	}
	s->out->checks++;
	if (cmd->reason != DISRUPT_DRIFTED && cmd->nreplacement && after >= before)
		finding(s, "price", "a replacement may cost %.17g, not less than %.17g", after, before);
	if (cmd->reason != DISRUPT_DRIFTED && cmd->nreplacement > 1)
		finding(s, "price", "%u replacements are no consolidation", cmd->nreplacement);
	if (fabs(cmd->savings - savings) > SAME_MONEY)
		finding(s, "price", "savings of %.17g are told, %.17g are right", cmd->savings, savings);
}

/* --- a place for everyone --- */

struct leaving {
	VEC(uint32_t) pod;
};

/* Pods of the candidates that have to be started again, largest first. */
static void find_leaving(struct scene *s, const struct disrupt_command *cmd, struct leaving *out)
{
	for (uint32_t i = 0; i < cmd->ncandidate; i++) {
		struct place *p = place_find(s, cmd->candidate[i]);

		for (uint32_t k = 0; p && k < p->pods.n; k++) {
			const struct pod *pod = &s->c->pods.v[p->pods.v[k]];
			uint32_t at;

			if (!moves_on(s->c, pod) || held(s, pod, true))
				continue;
			VEC_PUSH(s->a, &out->pod, p->pods.v[k]);
			for (at = out->pod.n - 1; at; at--) {
				uint32_t *v = &out->pod.v[at - 1], x = *v;

				if (reslist_amount(&pod->requests, RES_CPU) <=
				    reslist_amount(&s->c->pods.v[x].requests, RES_CPU))
					break;
				v[0] = v[1];
				v[1] = x;
			}
		}
	}
}

static struct reslist room_of(struct scene *s, const struct place *p)
{
	struct reslist used = daemons_to_come(s, p);

	for (uint32_t i = 0; i < p->pods.n; i++)
		used = reslist_add(s->c->in, s->a, &used, &s->c->pods.v[p->pods.v[i]].requests);
	return reslist_sub(s->a, &p->allocatable, &used);
}

/* The first node that takes the pod; a search of its own, as the decision does not tell where pods go. */
static bool find_home(struct scene *s, struct reslist *room, uint32_t pod)
{
	const struct reslist *want = &s->c->pods.v[pod].requests;

	for (uint32_t i = 0; i < s->place.n; i++) {
		const struct place *p = &s->place.v[i];

		if (!p->node || !p->initialized || p->removed || p->deleting ||
		    lacking(want, &room[i]) != SID_NONE || !check_pod(s, p, pod, false))
			continue;
		room[i] = reslist_sub(s->a, &room[i], want);
		return true;
	}
	return false;
}

/* The first pod that finds no place in the order given; the number of pods when all do. */
static uint32_t first_homeless(struct scene *s, const struct reslist *empty, const struct leaving *all)
{
	struct reslist *room = arena_memdup(s->a, empty, s->place.n, sizeof(*room));

	for (uint32_t i = 0; i < all->pod.n; i++)
		if (!s->placed[all->pod.v[i]] && !find_home(s, room, all->pod.v[i]))
			return i;
	return all->pod.n;
}

static void check_homes(struct scene *s, struct leaving *all)
{
	struct reslist *room = ARENA_ARRAY(s->a, struct reslist, s->place.n);

	for (uint32_t i = 0; i < s->place.n; i++)
		room[i] = s->place.v[i].node ? room_of(s, &s->place.v[i]) : (struct reslist){0};
	/* Who finds no place is let go first the next time, as often as there are pods. */
	for (uint32_t tries = 0; tries <= all->pod.n; tries++) {
		uint32_t at = first_homeless(s, room, all), pod;

		s->out->checks++;
		if (at == all->pod.n)
			return;
		pod = all->pod.v[at];
		for (; at; at--)
			all->pod.v[at] = all->pod.v[at - 1];
		all->pod.v[0] = pod;
	}
	finding(s, "home", "pod %s loses its place", pod_text(s, all->pod.v[0]));
}

/* --- commands --- */

static void check_command(struct arena *a, const struct verify_input *in, const struct disruption *d,
			  const struct disrupt_command *cmd, struct findings *out)
{
	struct leaving leaving = {0};
	struct scene s;

	scene_init(&s, a, in, out, true);
	find_leaving(&s, cmd, &leaving);
	for (uint32_t i = 0; i < cmd->ncandidate; i++) {
		struct place *p = place_find(&s, cmd->candidate[i]);

		check_candidate(&s, d, p, cmd->candidate[i], cmd->reason);
		if (p && p->removed)
			finding(&s, "candidate", "%s is removed twice", p->what);
		if (p)
			p->removed = true;
	}
	check_prices(&s, cmd);
	for (uint32_t i = 0; i < cmd->nreplacement; i++)
		place_fresh(&s, &cmd->replacement[i], i);
	for (uint32_t i = 0; i < s.place.n; i++)
		if (s.place.v[i].fresh)
			check_claim(&s, &s.place.v[i]);
	check_topology(&s);
	check_limits(&s);
	if (cmd->reason != DISRUPT_EMPTY && !(cmd->nreplacement && cmd->replacement[0].is_static))
		check_homes(&s, &leaving);
}

static void check_commands(struct arena *a, const struct verify_input *in, const struct disruption *d,
			   const struct disrupt_commands *all, struct findings *out)
{
	struct scene s;

	scene_init(&s, a, in, out, true);
	check_budgets(&s, all);
	for (uint32_t i = 0; i < all->n; i++) {
		check_command(a, in, d, &all->v[i], out);
		for (uint32_t k = 0; k < all->v[i].ncandidate; k++) {
			struct place *p = place_find(&s, all->v[i].candidate[k]);

			if (p && p->removed)
				finding(&s, "candidate", "two commands disrupt %s", p->what);
			if (p)
				p->removed = true;
		}
	}
}

void verify_disruption(struct arena *a, const struct verify_input *in, const struct disruption *d,
		       struct findings *out)
{
	check_commands(a, in, d, &d->commands, out);
	for (int m = 0; m < METHOD_MAX_; m++)
		check_commands(a, in, d, &d->method[m], out);
}
