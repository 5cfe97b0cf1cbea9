#include "decide.h"

#include "fleet.h"
#include "provision.h"

static const struct launch no_launch = {.type = SID_NONE, .zone = SID_NONE, .capacity_type = SID_NONE};

static void add_launch(struct arena *a, const struct world *w, struct plan_claim *claim)
{
	ptrdiff_t pool = claim->pool - w->c->pools.v;

	if (!w->catalog) {
		claim->launch = launch_of_claim(w->c, claim);
		return;
	}
	if (!claim->fleet_error)
		claim->fleet =
			fleet_build(a, w->c, w->class[pool], w -> types[pool], claim, &claim -> fleet_error);
	claim->launch = claim->fleet ? launch_of_fleet(claim->fleet) : no_launch;
}

struct plan *decide_plan(struct arena *a, const struct world *w)
{
	struct plan *plan = provision(a, snapshot_new(a, w->c, w->types));

	for (uint32_t i = 0; i < plan->nclaim; i++)
		add_launch(a, w, &plan->claim[i]);
	for (uint32_t i = 0; i < plan->nstatic; i++)
		add_launch(a, w, &plan->static_claim[i]);
	return plan;
}
