#pragma once
/* One pod held against one NodePool; for the files why*.c. */
#include "why.h"

/* Instance types of a template. */
struct why_masks {
	uint32_t nwords;
	uint64_t *good;    /* meet the requirements */
	uint64_t *offered; /* can be had */
	uint64_t *open;    /* without a clash of host ports with their daemons */
	uint64_t *fit;     /* are large enough */
	uint64_t *within;  /* do not exceed the limits */
	uint64_t *left;    /* candidates after the steps so far */
};

struct why_list {
	VEC(struct why_obstacle) v;
};

/* The domains that a group leaves the pod. */
struct why_choice {
	struct topology_group *group;
	reqid answer;
};

struct why_try {
	struct arena *a;
	struct solving *r;
	struct run_pod *p;
	struct pod_variant *v;
	struct template *m;
	sid host;
	/* What is asked of the node by the pod, one choice of its volumes and topology, without what was
	 * found to be in the way. */
	rsetid pod, volume, topology;
	uint32_t nchoice; /* behind topology; not of hostname groups */
	struct why_choice *choice;
	struct why_list out;
	struct buf message, enough; /* of the obstacle being written */
};

/* Notes an obstacle with the texts written so far, and empties them. */
struct why_obstacle *why_add(struct why_try *w, enum why_code code, sid subject);
/* Starts a further alternative of what would be enough. */
struct buf *why_or(struct why_try *w);
/* All that is asked besides the NodePool. */
rsetid why_asks(struct why_try *w);
/* NodePool and all that is asked. */
rsetid why_reqs(struct why_try *w);
/* The values of an In, "a, b or c"; other requirements in full. */
void why_values(struct why_try *w, struct buf *out, reqid r);
/* The requirement without its key. */
void why_sans_key(struct why_try *w, struct buf *out, reqid r);
/* Whether amounts of a resource are bytes. */
bool why_is_bytes(const struct intern *in, sid resource);
/* An amount as people write it, rounded up or down to a few digits: 3.9 cpu, 14.8Gi memory. */
void why_amount(const struct intern *in, struct buf *out, sid resource, qty v, bool up);
/* Whether two requirements of a key can be met by one node. */
bool why_meet(struct why_try *w, rsetid node, reqid r);

/* The pods that a group counts, as kubectl takes a selector. */
void why_selector(const struct intern *in, struct buf *out, const struct topology_group *g);
/* The NodePools that make no node for any pod; *ret_n of them. */
struct why_pool *why_idle_pools(struct arena *a, struct snapshot *s, uint32_t *ret_n);
/* "topology spread over topology.kubernetes.io/zone, maxSkew 1,". */
void why_group_name(struct why_try *w, struct buf *out, const struct topology_group *g);
/* " (eu-west-1a 3, eu-west-1b 0)": pods that count by domain. */
void why_counts(struct why_try *w, struct buf *out, const struct topology_group *g);
/* What keeps the types of the NodePool from being used when reqs are asked of the node. */
void why_set_masks(struct why_try *w, rsetid reqs, struct why_masks *ret_k);
/* "let the NodePool allow X, which its KEY keeps out": the cheapest type that would do but for a single
 * requirement of the NodePool. */
void why_allow_type(struct why_try *w);
/* Blames topology that chose a domain in which the NodePool makes no node for the pod. */
void why_domain(struct why_try *w);
void why_topology(struct why_try *w);
void why_types(struct why_try *w);
/* The cheapest instance type of the NodePool's class, whether the NodePool allows it or not, that reqs allow,
 * the pod and its daemons fit on, the limits have room for, and that can be had. NULL: none. */
const struct itype *why_find_type(struct why_try *w, rsetid reqs);
/* "let the NodePool allow X", if that would do: the NodePool's requirement of r's key being r. */
void why_allow(struct why_try *w, reqid r);
/* Whether two masks share a type. */
bool why_both(const uint64_t *a, const uint64_t *b, uint32_t nwords);
void why_min_values(struct why_try *w, const struct why_masks *k);
void why_limits(struct why_try *w, const struct why_masks *k);
/* Says of all obstacles of limits what is enough for every pod that waits for them. y: by pod of the run. */
void why_raise_limits(struct arena *a, struct solving *r, const struct pod_why *const *y);
void why_reservations(struct why_try *w, const struct why_masks *k);
