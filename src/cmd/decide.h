#pragma once
/* Decisions of Karpenter on a world. */
#include "disruption.h"
#include "plan.h"
#include "removal.h"
#include "world.h"

/* What the provisioner creates, without requests and launches. */
struct plan *decide_claims(struct arena *a, const struct world *w);
/* Gives each claim its CreateFleet request and its predicted launch. */
void decide_launches(struct arena *a, const struct world *w, struct plan *plan);
/* Both. */
struct plan *decide_plan(struct arena *a, const struct world *w);
/* One round of disruption on the world as it is, with requests and launches of the replacements. */
struct disruption *decide_disruption(struct arena *a, const struct world *w);
/* What the removal of a node of that name would come to, with predicted launches; NULL: nothing (round.h). */
const struct removal *decide_removal(struct arena *a, const struct world *w, sid node);
/* NodeClaims of static NodePools beyond their replicas, which Karpenter deletes: how many, and their names.
 */
uint32_t decide_surplus(struct arena *a, const struct world *w, sid **ret_claim);
