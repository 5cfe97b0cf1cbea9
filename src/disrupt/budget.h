#pragma once
/*
 * Disruption budgets: how many nodes of a NodePool may be disrupted now, for a reason (Karpenter v1.14.1,
 * B5).
 */
#include "disruption.h"
#include "run.h"

#define BUDGET_UNLIMITED INT32_MAX

/* Karpenter's name of a reason: Empty, Underutilized, Drifted. */
const char *disrupt_reason_name(enum disrupt_reason r);
/* Whether a budget is in force at now; false also when its schedule cannot be read: *ret_bad. */
bool budget_active(const struct intern *in, const struct budget *b, int64_t now, bool *ret_bad);
/*
 * When a budget in force ends to be: the end of the last of its windows that follow one another without a
 * gap. false: it has no schedule, or no end that can be told.
 */
bool budget_until(const struct intern *in, const struct budget *b, int64_t now, int64_t *ret_end);

struct budget_limit {
	int64_t n; /* the least that the budgets of the pool allow of nodes, for a reason */
	const struct budget
		*by; /* the first that allows no more; NULL: none limits it, n is BUDGET_UNLIMITED */
	bool broken; /* by cannot be read, and blocks the pool */
};

struct budget_limit budget_limit(const struct intern *in, const struct node_pool *np, int64_t nodes,
				 enum disrupt_reason r, int64_t now);

struct pool_budget {
	int64_t nodes;             /* that count: managed, initialized, not terminating */
	int64_t busy;              /* of them not ready, or deleting */
	struct budget_limit limit; /* before busy ones are taken off */
	int64_t left;
};

/* By index of cluster.pools. */
struct pool_budget *budgets_now(struct arena *a, const struct snapshot *s, enum disrupt_reason r);
