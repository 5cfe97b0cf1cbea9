#pragma once
/*
 * Why a pod has no place, beside Karpenter's own message: for each NodePool what stood in the way, and what
 * would be enough. Obstacles of one NodePool are those that remain one after the other when each is taken
 * away, so that doing away with all of them lets the pod in. Part of a plan and of its arena; pods of one
 * class share it.
 */
#include "cluster.h"

enum why_code {
#define WHY(id, name, stage, summary) WHY_##id,
#include "pod_why.def"
#undef WHY
	WHY_MAX_
};

struct why_info {
	const char *name; /* as in JSON */
	bool of_pool;     /* stage POOL */
	const char *summary;
};

const struct why_info *why_info(enum why_code code);

struct why_obstacle {
	enum why_code code;
	sid subject;     /* label key, taint key, resource or driver; SID_NONE: nothing in particular */
	bool has_amount; /* of the resource, or the limit, that subject names */
	qty need, have;
	uint8_t format;
	const char *message;
	const char *enough; /* alternatives joined by ", or "; NULL: nothing that is known to help */
};

struct why_pool {
	const struct node_pool *pool;
	uint32_t n; /* 0: nothing stands in the way */
	struct why_obstacle *v;
};

struct pod_why {
	uint32_t n; /* every NodePool, nearest miss first */
	struct why_pool *pool;
};

/* Why one NodePool cannot take a pod, in Karpenter's words. */
struct pool_error {
	sid pool;
	const char *message;
};

/* A topology spread constraint or a term of affinity that has a say on a pod. */
struct why_group {
	const char *kind; /* "topology spread", "pod affinity", "pod anti-affinity" */
	bool inverse;     /* of other pods, which shun this one */
	sid key;
	int32_t max_skew;     /* of a spread */
	const char *selector; /* of the pods that count, as kubectl takes it */
	uint32_t ndomain;     /* known ones, by name; none of the hostname */
	struct why_domain {
		sid name;
		int32_t pods;
	} * domain;
};

/* Nodes that refuse a pod for one reason. */
struct why_nodes {
	enum why_code code;
	sid subject;
	uint32_t count;
	sid nearest;         /* the node with the smallest shortfall, else the first by name */
	const char *message; /* of the nearest one */
};

enum pod_verdict {
	POD_NOT_LOOKED_AT, /* bound, done, of a DaemonSet, gated or not marked unschedulable */
	POD_LEFT_OUT,      /* Karpenter refuses its spec */
	POD_TO_NODE,
	POD_TO_CLAIM,
	POD_STAYS,
};

/* All that is known of how one pod was decided on. */
struct pod_trail {
	uint32_t pod;
	enum pod_verdict verdict;
	const char *message;       /* Karpenter's, POD_LEFT_OUT and POD_STAYS; NULL otherwise */
	const struct pod_why *why; /* POD_STAYS; NULL: the NodePools play no part */
	uint32_t npool_error;
	const struct pool_error *pool_error;
	sid node;                     /* POD_TO_NODE */
	const struct node_pool *pool; /* POD_TO_CLAIM */
	uint32_t companions;          /* other pods of the run that go there */
	uint32_t alike;               /* pods of the run that cannot be told from it, itself included */
	rsetid needs;                 /* what it requires of nodes, as tried last */
	uint32_t given_up;            /* preferences and alternatives given up one by one */
	uint32_t ngroup;
	struct why_group *group; /* pods counted after the plan */
	uint32_t nnodes;
	struct why_nodes
		*nodes; /* nodes that do not take it after the plan, by reason, most frequent first */
};
