#pragma once
/*
 * Provisioning: the decision that Karpenter's provisioner takes on a cluster (Karpenter v1.14.1, A1.4).
 */
#include "finish.h"

/* Pods of a deleting node that are looked for a new place, and pending pods; Karpenter's list (A2.9). */
struct pod_list {
	VEC(struct run_pod) v;
};

/* The pending pods that take part; the errors of those that do not are appended to errors. */
void pending_pods(struct snapshot *s, struct arena *a, struct pod_list *out, struct pod_error **errors,
		  uint32_t *nerror);
/* Pods of nodes being deleted, in node order. */
void deleting_pods(struct snapshot *s, struct arena *a, struct pod_list *out);

/* Bits over state nodes: those that the provisioner gives pods of CapacityBuffers (A17.2). */
void nodes_with_virtual_pods(struct arena *a, struct snapshot *s, uint64_t *ret_nodes);

struct errors {
	VEC(struct pod_error) v;
};

/*
 * The run of the provisioner: its pods, and errors of those that Karpenter leaves out. NULL when there is
 * nothing to place or no NodePool to place it with.
 */
struct solving *provision_run(struct arena *a, struct snapshot *s, struct pod_list *list,
			      struct errors *errors);
/* The plan, without Fleet requests and launches. It belongs to a. */
struct plan *provision(struct arena *a, struct snapshot *s);
/* resource usage exceeds limit (...): why creating a NodeClaim of the pool would be refused (A9.5); NULL: it
 * would not. */
const char *pool_over_limit(const struct snapshot *s, struct arena *a, const struct node_pool *np);
