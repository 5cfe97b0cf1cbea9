#pragma once
/*
 * What was decided, in ids; report/ turns it into text, JSON or YAML. A plan belongs to the arena of its
 * solve.
 */
#include "pod_why.h"

/* A NodeClaim to be created. */
struct fleet_override {
	sid type, subnet, ami, zone;
	sid reservation; /* SID_NONE: none */
	double priority;
};

struct fleet_config {
	sid template_name; /* the AMI id stands in for the real name, which is a hash */
	uint32_t n;
	struct fleet_override *override;
};

/* The CreateFleet request (aws-provider 3.5). */
struct fleet {
	sid capacity_type;              /* of the launch; reserved ones are asked for in other words */
	sid context;                    /* SID_NONE: not sent */
	const char *default_target;     /* DefaultTargetCapacityType */
	const char *spot_strategy;      /* NULL: no SpotOptions */
	const char *on_demand_strategy; /* NULL: no OnDemandOptions */
	const char *reservation_type;   /* NULL: no ReservedCapacityOptions */
	struct labels tags;
	uint32_t nconfig;
	struct fleet_config *config;
};

struct launch {
	sid type, zone, capacity_type; /* type SID_NONE: nothing can be launched */
	sid reservation;               /* of a reserved launch */
	double price;
	double price_max; /* of the dearest candidate */
	bool weighed;     /* by price and interruptions, not by price alone */
};

struct plan_claim {
	const struct node_pool *pool;
	uint32_t npod;
	uint32_t *pod; /* indices into cluster.pods; virtual pods (buffers) count from cluster.pods.n on */
	rsetid reqs;   /* what the NodeClaim object carries (A15.4 e) */
	uint32_t ntype;
	const struct itype **type; /* in Karpenter's price order, after truncation */
	struct reslist requests;
	struct labels labels, annotations;
	bool is_static;
	const struct fleet
		*fleet; /* NULL: no request, see fleet_error; both NULL with the generic provider */
	const char *fleet_error;
	struct launch launch;
};

/* Names that were given in earlier states of the cluster, and are not given again. */
struct names_given {
	const struct cluster *first; /* the first of those states; NULL: there was none */
	const uint32_t *last;        /* by NodePool: the number that names had reached */
};

struct plan_node {
	sid name;
	uint32_t npod;
	uint32_t *pod;
};

struct pod_error {
	uint32_t pod;
	const char *message; /* Karpenter's: those of the NodePools joined, or one of its own */
	uint32_t npool;
	const struct pool_error *pool; /* in the order they are tried */
	const struct pod_why *why; /* kspot's; NULL: Karpenter leaves the pod out, whatever the NodePools */
};

struct plan {
	const char *unsynced; /* why Karpenter would not decide on this state yet; NULL: it does */
	uint32_t nclaim;
	struct plan_claim *claim;
	uint32_t nnode;
	struct plan_node *node; /* existing nodes that took pods, by name */
	uint32_t nerror;
	struct pod_error *error; /* by namespace/name */
	uint32_t nstatic;
	struct plan_claim *static_claim;
};
