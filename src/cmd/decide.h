#pragma once
/* Decisions of Karpenter on a world. */
#include "plan.h"
#include "world.h"

/* What the provisioner creates: the plan, with the CreateFleet request and the predicted launch of each
 * claim. */
struct plan *decide_plan(struct arena *a, const struct world *w);
