#include "rounds.h"

#include <string.h>

#include "carry_out.h"
#include "decide.h"
#include "rep_claim.h"
#include "rep_disruption.h"

static struct world *world_with(struct arena *a, const struct world *w, struct cluster *c)
{
	struct world *out = arena_memdup(a, w, 1, sizeof(*w));

	out->c = c;
	out->types = sim_recount(a, w->c, c, w->types);
	return out;
}

/* The names that the namer gave in a world are given for ever. */
static void give(struct world *out, const struct world *w, const struct claim_namer *namer)
{
	out->given.last = namer->last;
	if (!out->given.first)
		out->given.first = w->c;
}

struct world *world_launched(struct arena *a, const struct world *w, const struct plan *plan)
{
	uint32_t n = plan->nclaim + plan->nstatic;
	const char **names = ARENA_ARRAY(a, const char *, n);
	const struct report r = {.c = w->c, .scratch = a, .given = w->given};
	struct claim_namer namer;
	struct world *out;

	claim_namer_init(&namer, &r, a);
	for (uint32_t i = 0; i < n; i++)
		names[i] = claim_namer_next(&namer, i < plan->nclaim ? &plan->claim[i]
								     : &plan->static_claim[i - plan->nclaim]);
	out = world_with(a, w, sim_launch(a, w->c, plan, (struct sim_types){w->types}, names));
	give(out, w, &namer);
	return out;
}

/* The commands carried out, but for those that fail. */
static struct world *world_disrupted(struct arena *a, const struct world *w,
				     const struct disrupt_commands *commands, const struct outcome *outcome)
{
	const struct report r = {.c = w->c, .scratch = a, .given = w->given};
	struct claim_namer namer;
	VEC(const char *) names = {0};
	struct world *out;

	claim_namer_init(&namer, &r, a);
	for (uint32_t i = 0; i < commands->n; i++)
		for (uint32_t k = 0; k < commands->v[i].nreplacement; k++)
			VEC_PUSH(a, &names, claim_namer_next(&namer, &commands->v[i].replacement[k]));
	out = world_with(
		a, w, sim_disrupt(a, w->c, commands, outcome->failed, (struct sim_types){w->types}, names.v));
	give(out, w, &namer);
	return out;
}

static void find_failing(struct arena *a, const struct disrupt_commands *commands, struct outcome *out)
{
	out->failed = ARENA_ARRAY(a, const char *, commands->n);
	out->done.v = ARENA_ARRAY(a, struct disrupt_command, commands->n);
	for (uint32_t i = 0; i < commands->n; i++) {
		out->failed[i] = sim_unlaunchable(&commands->v[i]);
		if (!out->failed[i])
			out->done.v[out->done.n++] = commands->v[i];
	}
}

static void carry_out(struct arena *a, struct one_round *round)
{
	struct outcome *o = ARENA_NEW(a, struct outcome);
	struct world *w;
	struct plan *plan;

	find_failing(a, &round->d->commands, o);
	w = world_disrupted(a, round->before, &round->d->commands, o);
	o->nsurplus = decide_surplus(a, w, &o->surplus);
	if (o->nsurplus)
		w = world_with(a, w, sim_remove(a, w->c, o->surplus, o->nsurplus));
	o->given = w->given;
	o->plan = plan = decide_plan(a, w);
	w = world_launched(a, w, plan);
	w->unseen = round->d->unseen;
	round->after = w;
	sim_lost(a, round->before->c, w->c, o);
	round->outcome = o;
	round->usd_after = world_cost(round->after);
}

/* With what the disruption controller remembers. d: to tell drifted NodeClaims apart; NULL: not to. */
static const char *signature(struct arena *a, const struct world *w, const struct disruption *d)
{
	sid *drifted = ARENA_ARRAY(a, sid, w->c->claims.n);
	char *unseen = arena_alloc(a, (size_t)w->c->pools.n + 1, 1);

	for (uint32_t i = 0; d && i < d->ncondition; i++)
		drifted[i] = d->condition[i].drifted;
	for (uint32_t i = 0; i < w->c->pools.n; i++)
		unseen[i] = w->unseen && w->unseen[i] ? '1' : '0';
	return arena_printf(a, "%s\n%s", unseen, sim_signature(a, w->c, drifted));
}

static void decide(struct arena *a, const struct world *w, struct one_round *out)
{
	struct disruption_report report = {.c = w->c};

	*out = (struct one_round){.before = w, .d = decide_disruption(a, w), .usd_before = world_cost(w)};
	out->signature = signature(a, w, out->d);
	report.d = out->d;
	report.usd_before = out->usd_before;
	out->usd_after = rep_disruption_cost(&report);
}

/* The first round that began on the same state. */
static bool seen_before(const struct rounds *r, const char *signature, uint32_t *ret_round)
{
	for (uint32_t i = 0; i < r->v.n; i++)
		if (strcmp(r->v.v[i].signature, signature) == 0) {
			*ret_round = i;
			return true;
		}
	return false;
}

/* Whether the rounds that repeat do anything. */
static bool some_command(const struct rounds *r)
{
	for (uint32_t i = r->loop; i < r->v.n; i++)
		if (r->v.v[i].d->commands.n)
			return true;
	return false;
}

/* Carries the round out; false when that changed nothing or nothing can be decided. */
static bool go_on(struct arena *a, struct one_round *round, uint32_t max, enum rounds_end *ret_end)
{
	*ret_end = round->d->round_error ? ROUNDS_UNSYNCED : ROUNDS_SETTLED;
	if (!round->d->commands.n && (max == 1 || round->d->round_error))
		return false;
	carry_out(a, round);
	return round->d->commands.n ||
	       strcmp(signature(a, round->before, NULL), signature(a, round->after, NULL)) != 0;
}

void rounds_run(struct arena *a, const struct world *w, uint32_t max, struct rounds *out)
{
	out->end = ROUNDS_LIMIT;
	for (uint32_t i = 0; i < max; i++) {
		struct one_round round;

		decide(a, w, &round);
		if (seen_before(out, round.signature, &out->loop)) {
			out->end = some_command(out) ? ROUNDS_CHURN : ROUNDS_SETTLED;
			return;
		}
		enum rounds_end end;
		bool more = go_on(a, &round, max, &end);

		VEC_PUSH(a, &out->v, round);
		if (!more) {
			out->end = end;
			return;
		}
		w = round.after;
	}
}
