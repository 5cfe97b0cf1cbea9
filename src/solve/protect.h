#pragma once
/*
 * What keeps a pod from being moved: do-not-disrupt annotations and disruption budgets (Karpenter v1.14.1,
 * A2.3, B3.6-B3.8).
 */
#include "state.h"

enum shield { SHIELD_NONE, SHIELD_ACTIVE, SHIELD_UNTIL, SHIELD_ELAPSED, SHIELD_INVALID };

struct shield_info {
	enum shield state; /* NONE: no annotation; ACTIVE: "true", or a duration without a start time */
	int64_t until;     /* UNTIL: seconds since 1970 */
	const char *why;   /* INVALID: Karpenter's words */
};

/* The pod's do-not-disrupt annotation at settings.now; why is made in a (may be NULL). */
struct shield_info pod_shield(const struct cluster *c, const struct pod *p, struct arena *a);
bool pod_shielded(const struct cluster *c, const struct pod *p);
/* Not active, or not shielded. */
bool pod_is_disruptable(const struct cluster *c, const struct pod *p);

/* Active, does not tolerate the taint of disrupted nodes, and not the node's own. */
bool pod_can_be_evicted(const struct cluster *c, const struct pod *p);

struct pdb_block {
	uint32_t n;
	const struct pdb *pdb[2]; /* the first two that match; n > 1: more than one matches */
	uint32_t *all;            /* indices of all that match, when n > 1 */
};

/* Whether the budgets let the pod go. full: only those that never allow any disruption count (B3.8). */
bool pod_evictable(const struct cluster *c, const struct pod *p, bool full, struct arena *a,
		   struct pdb_block *ret_block);
/* Reschedulable, disruptable, and not fully blocked. */
bool pod_is_currently_reschedulable(const struct cluster *c, const struct pod *p);
