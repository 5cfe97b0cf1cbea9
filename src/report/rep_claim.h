#pragma once
/*
 * A NodeClaim to be created: as a member of a report (design 4.1), as the object the API server would store,
 * and its CreateFleet request in AWS's own field names.
 */
#include "plan.h"
#include "rep_object.h"

/* The names of claims, which Karpenter draws at random: POOL-1, POOL-2, ... in order of the plan, passing
 * over taken ones. */
const char **rep_claim_names(const struct report *r, struct arena *a, const struct plan_claim *claim,
			     uint32_t n);

void rep_claim(struct emit *e, const struct report *r, const struct plan_claim *claim, const char *name);
void rep_claim_object(struct emit *e, const struct report *r, const struct plan_claim *claim,
		      const char *name);
void rep_fleet(struct emit *e, const struct report *r, const char *key, const struct fleet *fleet);
