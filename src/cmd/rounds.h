#pragma once
/*
 * Rounds of disruption, each on what the one before left: its commands carried out, the evicted pods placed.
 * Everything lives in the arena of the run.
 */
#include "disruption.h"
#include "world.h"

struct one_round {
	const struct world *before;
	struct disruption *d;
	double usd_before, usd_after; /* an hour */
};

struct rounds {
	VEC(struct one_round) v;
};

/* The most rounds of --settle: a cluster that still changes then never comes to rest. */
#define ROUNDS_MAX 100

/* At most max rounds; stops after one without commands. */
void rounds_run(struct arena *a, const struct world *w, uint32_t max, struct rounds *out);
/* The world once a plan was launched. */
struct world *world_launched(struct arena *a, const struct world *w, const struct plan *plan);
