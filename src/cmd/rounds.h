#pragma once
/*
 * Rounds of disruption, each on what the one before left: its commands carried out, static NodePools cut to
 * their replicas, the pods that wait placed. Everything lives in the arena of the run.
 */
#include "outcome.h"
#include "world.h"

struct one_round {
	const struct world *before, *after; /* after: NULL when nothing was carried out */
	struct disruption *d;
	struct outcome *outcome;      /* NULL with after */
	double usd_before, usd_after; /* an hour; after as the commands say where they were not carried out */
	const char *signature;        /* of the state before */
};

enum rounds_end {
	ROUNDS_SETTLED,  /* the last round found nothing to do */
	ROUNDS_CHURN,    /* the last rounds come back to a state that was there before, and would for ever */
	ROUNDS_LIMIT,    /* as many as wanted */
	ROUNDS_UNSYNCED, /* nothing can be decided */
};

struct rounds {
	VEC(struct one_round) v;
	enum rounds_end end;
	uint32_t loop; /* ROUNDS_CHURN: the first of the rounds that repeat */
};

/* The most rounds of --settle. */
#define ROUNDS_MAX 100

/*
 * At most max rounds; stops after one that changes nothing, and before one that would begin on a state that
 * an earlier one began on. With max 1 a round without commands is not carried further.
 */
void rounds_run(struct arena *a, const struct world *w, uint32_t max, struct rounds *out);
/* The world once a plan was launched. */
struct world *world_launched(struct arena *a, const struct world *w, const struct plan *plan);
