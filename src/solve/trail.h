#pragma once
/*
 * How Karpenter comes to its verdict on one pod: the provisioner's run, and what it makes of the pod. Nodes
 * are held against the pod in the state that the run leaves them in.
 */
#include "pod_why.h"
#include "run.h"

/* pod: index of cluster.pods. Lives in a. */
const struct pod_trail *trail_of_pod(struct arena *a, struct snapshot *s, uint32_t pod);
/*
 * The same of a pod of a run that has ended, be it any run. Nodes that the run leaves out are told of only
 * when they are on their way out.
 */
void trail_in_run(struct arena *a, struct solving *r, struct run_pod *p, struct pod_trail *ret_t);
