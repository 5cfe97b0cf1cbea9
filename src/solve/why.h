#pragma once
/*
 * Why a pod of a run has no place (pod_why.h). Worked out after the run, on the state that it ended in, by
 * holding the pod against each NodePool step by step as a new NodeClaim would be: taints, requirements,
 * volumes, topology, instance types, limits. What stops it is noted and taken out of the way, and the rest is
 * held against the NodePool still. The pod counts as Karpenter tried it last; of several required node
 * affinity terms the one that comes nearest is told of.
 */
#include "pod_why.h"
#include "run.h"

/* Readies a finished run for questions about one pod; why_close() gives back what they needed. */
void why_open(struct solving *r);
void why_close(struct solving *r);

/* By pod of the run; NULL for those that have a place, and those that Karpenter does not look at NodePools
 * for. Lives in a. */
const struct pod_why *const *why_pending(struct arena *a, struct solving *r);
/* NodePools that make no nodes at all, for when there is no run. */
const struct pod_why *why_no_pools(struct arena *a, struct snapshot *s);
