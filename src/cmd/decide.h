#pragma once
/* Decisions of Karpenter on a world. */
#include "disruption.h"
#include "plan.h"
#include "world.h"

/* What the provisioner creates: the plan, with the CreateFleet request and the predicted launch of each
 * claim. */
struct plan *decide_plan(struct arena *a, const struct world *w);
/* One round of disruption on the world as it is, with requests and launches of the replacements. */
struct disruption *decide_disruption(struct arena *a, const struct world *w);
/* NodeClaims of static NodePools beyond their replicas, which Karpenter deletes: how many, and their names.
 */
uint32_t decide_surplus(struct arena *a, const struct world *w, sid **ret_claim);
