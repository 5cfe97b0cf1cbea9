#pragma once
/*
 * One run of Karpenter's scheduler (Karpenter v1.14.1, A4, A5, A8-A11, A15): pods are taken from a queue,
 * largest first, and tried on existing nodes, on the claims opened so far and on a new claim of each
 * NodePool.
 *
 * A snapshot is what is the same for all runs on one cluster; it is built once and holds every memory that
 * survives a run. A run is an overlay on it: which pods to place, which nodes are left out. Everything a run
 * makes lives in its own arena.
 */
#include "plan.h"
#include "topology.h"

/* The part of an existing node that placements change. */
struct node_base {
	bool never;             /* some amount left is negative: nothing fits, not even nothing (A7.5) */
	bool under_consolidate; /* within consolidateAfter (B4.4) */
	struct reslist left;    /* available less what its daemons still will take */
};

struct snapshot {
	struct cluster *c;
	struct class_table t;
	struct state state;
	struct template_set m;
	struct topology_base *base;
	struct node_base *node;
	uint32_t *order;       /* state nodes as existing nodes are tried: initialized ones first, by name */
	uint32_t run;          /* runs so far */
	uint32_t hosts;        /* hostname placeholders given out so far */
	struct idmap reserved; /* reservation id -> instances left */
};

enum purpose {
	FOR_PROVISIONING,
	FOR_DISRUPTION, /* left-over karpenter.sh/disrupted taints are taken off first (B1.2) */
};

/* types: by index of cluster.pools; NULL entries: none. Everything it needs lives in a. */
struct snapshot *snapshot_new(struct arena *a, struct cluster *c, const struct itype_list *const *types,
			      enum purpose purpose);

/* A pod of a run. */
struct run_pod {
	uint32_t pod; /* index of cluster.pods; beyond it: virtual */
	const struct object_meta *meta;
	struct pod_class *class;
	const struct pod_volumes *volumes;
	qty cpu, memory;
	bool exempt; /* may go to nodes within consolidateAfter: pending, or from a deleting node */
	bool from_deleting;
	bool reserved_error;     /* deferred: reserved capacity is short */
	uint32_t variant, hosts; /* of the last try: variant, and placeholders given out before new claims */
	const char *error;       /* NULL: placed */
	uint32_t npool_error;
	struct pool_error *pool_error; /* by NodePool, when the NodePools are why */
};

struct run_node {
	uint32_t snode;
	rsetid reqs;
	qty *left; /* by lane */
	struct ports ports;
	struct attachments attached;
	VEC(uint32_t) pods; /* of the run */
};

/* A NodeClaim being filled. */
struct claim {
	struct template *m;
	uint32_t number; /* order of creation */
	sid host;
	rsetid reqs; /* without the hostname */
	uint64_t *types;
	qty *total; /* requests by lane */
	struct ports ports;
	VEC(sid) reserved;  /* reservations held */
	VEC(uint32_t) pods; /* of the run */
	/* after finishing: */
	const struct claim *like; /* an earlier one of the same template, requirements and types, or NULL */
	uint32_t ntype;
	const struct itype **type;
	struct reslist requests;
	bool dropped; /* its types were cut below minValues: its pods have errors (A15.2) */
};

struct run_options {
	bool strict_reserved;         /* provisioning: running out of reservations defers a pod (A10.4) */
	bool simulate;                /* consolidation: consolidateAfter of nodes is respected (A5.3) */
	const uint64_t *absent;       /* bits over state nodes that are left out; NULL: only deleting ones */
	const struct reslist *limits; /* by template, of the same resources as its NodePool's; NULL: those */
};

struct claim_order {
	uint32_t pods, claim;
	rsetid reqs; /* of the claim */
};

/*
 * Requirement sets of claims that topology refuses the pod of this turn, whatever else the claims hold: many
 * claims share few sets.
 */
struct refused_sets {
	uint32_t turn, n;
	uint32_t *at; /* by rsetid: the turn it was refused in */
};

struct solving {
	struct arena *arena;
	struct arena scratch; /* while solving; rewound by whoever uses it */
	struct snapshot *s;
	struct run_options o;
	struct topology y;
	uint32_t nlane;
	qty *total; /* by lane, to add up in */
	uint32_t npod;
	struct run_pod *pod;
	uint32_t nnode;
	struct run_node *node; /* in the order they are tried */
	VEC(struct claim *) claims;
	struct claim_order *order; /* as Karpenter keeps sorting them */
	struct refused_sets refused;
	uint32_t order_cap, dirty; /* dirty: the place that changed since the last sort; UINT32_MAX: none */
	struct reslist *limit;     /* by template: what is left of the limits */
	struct idmap reserved;     /* reservation -> instances left in this run */
	uint32_t hosts;            /* hostname placeholders given out, by this run and those before it */
	uint32_t hosts_used;       /* by this run */
	uint32_t max_words;        /* of a template's masks */
	bool *relaxed; /* by template: the min-values-relaxed annotation as last written (A5.10) */
	bool *relaxed_set;
};

/*
 * Places the pods. pods keeps the order of Karpenter's list (A2.9); errors are set for those without a place.
 * The run and everything in it belongs to a.
 */
struct solving *run_solve(struct arena *a, struct snapshot *s, struct run_pod *pods, uint32_t n,
			  const struct run_options *o);
/* Fills in class, volumes and amounts; pod may be a virtual one. */
void run_pod_set(struct snapshot *s, struct run_pod *p, uint32_t pod);

/* --- parts of a run, for its own files --- */

/* What a successful try found. */
struct fit {
	rsetid reqs;
	uint64_t *fit;   /* types large enough, whatever the requirements */
	uint64_t *types; /* of them those that are left */
	VEC(sid) reserve;
	bool reserved_error;
	bool topology; /* refused for the requirements of the claim alone, by a topology */
};

struct attempt {
	struct solving *r;
	struct run_pod *p;
	struct pod_variant *v;
};

bool node_try(struct attempt *a, struct run_node *n, struct fit *ret_fit, bool *ret_final);
void node_add(struct attempt *a, struct run_node *n, uint32_t pod, const struct fit *fit);
/* relax: minValues may be lowered. */
bool claim_try(struct attempt *a, struct claim *c, bool relax, struct fit *ret_fit, bool *ret_final);
void claim_add(struct attempt *a, struct claim *c, uint32_t pod, const struct fit *fit);
struct claim *claim_new(struct solving *r, struct template *m, const uint64_t *types);
/* Why the pod cannot go on a claim, in Karpenter's words. true: for want of reserved capacity. */
bool claim_explain(struct attempt *a, struct claim *c, bool relax, struct buf *out);
/* Limits less what the nodes of the run hold. */
void limits_start(struct solving *r);
/* Types of a template within what is left of its NodePool's limits; false: none. */
bool limit_types(const struct solving *r, const struct template *m, uint64_t *mask);
/* A new claim counts with the most that one of its types has. */
void limit_take(struct solving *r, const struct claim *c);
bool limit_of_nodes_reached(const struct solving *r, const struct template *m);
/* Brings the claims into the order of Karpenter's next sort (A5.5). */
void claims_sort(struct solving *r);
/* Reservations, daemon overhead, truncation (A15.1, A15.2). */
void claims_finish(struct solving *r);
/* The types of a mask in order. */
const struct itype **types_listed(struct arena *arena, const struct template *m, const uint64_t *mask,
				  uint32_t *ret_n);
