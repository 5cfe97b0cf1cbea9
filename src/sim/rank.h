#pragma once
/*
 * Which pods Kubernetes' controllers remove first when a workload is scaled down: the order of the ReplicaSet
 * controller (Kubernetes 1.34, getPodsToDelete), of the Job controller, and of StatefulSets.
 */
#include "cluster.h"

/* A pod that may be removed. */
struct victim {
	uint32_t pod, order; /* index in cluster.pods, and position in the input */
	bool bound, ready;
	int phase;        /* Pending, Unknown, Running */
	int32_t cost;     /* annotation controller.kubernetes.io/pod-deletion-cost */
	uint32_t doubled; /* pods of the workload on its node */
	int64_t ready_since, created;
	int32_t restarts, sidecar_restarts;
	sid uid;
	unsigned long ordinal;
};

/* Fills in all but doubled. */
void victim_of(struct victim *v, const struct cluster *c, uint32_t pod);
/* The order in which n pods of a workload go; fills in doubled. */
void victims_sort(struct arena *a, const struct cluster *c, enum workload_kind kind, struct victim *v,
		  uint32_t n);
