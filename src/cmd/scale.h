#pragma once
/* --scale KIND/NAME=N or KIND/NAMESPACE/NAME=N: a workload and its new number of replicas. */
#include "carry_out.h"
#include "world.h"

struct run;

struct scale {
	const char *text; /* as given */
	const struct workload *workload;
	uint32_t replicas;
};

/* All of --scale in order; false after diagnostics. *ret_v lives in the arena of the run. */
bool scales_parse(struct run *r, const struct cluster *c, struct scale **ret_v);
/* What came of all of --scale. */
struct scaled {
	struct pod_names removed, added;
	const struct world *before; /* the world of the second plan; NULL without */
	struct plan *plan;          /* for the pods that were added; NULL: none were */
};

/* Scales each workload of a launched world, which is changed, in turn; pods that come are planned for and
 * what the plan makes is launched. */
struct world *scales_apply(struct run *r, struct world *w, const struct scale *v, uint32_t n,
			   struct scaled *ret_scaled);
