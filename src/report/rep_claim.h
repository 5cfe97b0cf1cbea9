#pragma once
/*
 * A NodeClaim to be created: as a member of a report (design 4.1), as the object the API server would store,
 * and its CreateFleet request in AWS's own field names.
 */
#include "plan.h"
#include "rep_object.h"

/*
 * Names for claims, which Karpenter draws at random: POOL-1, POOL-2, ... in the order asked for, passing over
 * names that NodeClaims and nodes have or had.
 */
struct claim_namer {
	const struct report *r;
	struct arena *arena; /* holds the names */
	uint32_t *last;      /* number given last, by pool */
};

void claim_namer_init(struct claim_namer *n, const struct report *r, struct arena *a);
const char *claim_namer_next(struct claim_namer *n, const struct plan_claim *claim);

void rep_claim(struct emit *e, const struct report *r, const struct plan_claim *claim, const char *name);
void rep_claim_object(struct emit *e, const struct report *r, const struct plan_claim *claim,
		      const char *name);
void rep_fleet(struct emit *e, const struct report *r, const char *key, const struct fleet *fleet);
