#pragma once
/*
 * What comes of a round of disruption once its commands are carried out with the predicted launches, static
 * NodePools are cut to their replicas, and the provisioner placed what waits. Pods keep the numbers that they
 * have in the cluster before the round. Belongs to the arena it was made in.
 */
#include "disruption.h"

/* A pod that had a node before and has none any more. */
struct lost_pod {
	uint32_t pod;
	const char *reason; /* a word for programs: Refused, NotSimulated, CannotLaunch, NoPlace */
	const char *detail; /* a sentence for people */
};

struct outcome {
	const char *
		*failed; /* by command of the round: why Karpenter gives it up; NULL entries: it does not */
	struct disrupt_commands done; /* those that are carried out */
	uint32_t nsurplus;
	sid *surplus;             /* NodeClaims of static NodePools beyond their replicas, deleted */
	const struct plan *plan;  /* what the provisioner does afterwards */
	struct names_given given; /* before the plan */
	uint32_t nlost;
	struct lost_pod *lost; /* by namespace/name */
};
