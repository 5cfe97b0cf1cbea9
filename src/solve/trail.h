#pragma once
/*
 * How Karpenter comes to its verdict on one pod: the provisioner's run, and what it makes of the pod. Nodes
 * are held against the pod in the state that the run leaves them in.
 */
#include "pod_why.h"
#include "run.h"

/* pod: index of cluster.pods. Lives in a. */
const struct pod_trail *trail_of_pod(struct arena *a, struct snapshot *s, uint32_t pod);
