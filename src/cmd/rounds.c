#include "rounds.h"

#include "carry_out.h"
#include "decide.h"
#include "rep_claim.h"
#include "rep_disruption.h"

static struct world *world_with(struct arena *a, const struct world *w, struct cluster *c)
{
	struct world *out = arena_memdup(a, w, 1, sizeof(*w));

	out->c = c;
	return out;
}

struct world *world_launched(struct arena *a, const struct world *w, const struct plan *plan)
{
	uint32_t n = plan->nclaim + plan->nstatic;
	const char **names = ARENA_ARRAY(a, const char *, n);
	const struct report r = {.c = w->c, .scratch = a};
	struct claim_namer namer;

	claim_namer_init(&namer, &r, a);
	for (uint32_t i = 0; i < n; i++)
		names[i] = claim_namer_next(&namer, i < plan->nclaim ? &plan->claim[i]
								     : &plan->static_claim[i - plan->nclaim]);
	return world_with(a, w, sim_launch(a, w->c, plan, (struct sim_types){w->types}, names));
}

/* The commands carried out, and then the pods placed that they left without a node. */
static struct world *world_disrupted(struct arena *a, const struct world *w,
				     const struct disrupt_commands *commands)
{
	const struct report r = {.c = w->c, .scratch = a};
	struct claim_namer namer;
	VEC(const char *) names = {0};
	struct world *out;

	claim_namer_init(&namer, &r, a);
	for (uint32_t i = 0; i < commands->n; i++)
		for (uint32_t k = 0; k < commands->v[i].nreplacement; k++)
			VEC_PUSH(a, &names, claim_namer_next(&namer, &commands->v[i].replacement[k]));
	out = world_with(a, w, sim_disrupt(a, w->c, commands, (struct sim_types){w->types}, names.v));
	return world_launched(a, out, decide_plan(a, out));
}

void rounds_run(struct arena *a, const struct world *w, uint32_t max, struct rounds *out)
{
	for (uint32_t i = 0; i < max; i++) {
		struct one_round *round = VEC_ADD(a, &out->v);
		struct disruption_report report;

		*round = (struct one_round){
			.before = w, .d = decide_disruption(a, w), .usd_before = world_cost(w)};
		report =
			(struct disruption_report){.c = w->c, .d = round->d, .usd_before = round->usd_before};
		round->usd_after = rep_disruption_cost(&report);
		if (!round->d->commands.n)
			return;
		if (i + 1 < max)
			w = world_disrupted(a, w, &round->d->commands);
	}
}
