#pragma once
/*
 * Topology spread, pod affinity and anti-affinity (Karpenter v1.14.1, A13): groups of pods counted by domain.
 *
 * A topology lives for one run. What does not depend on the run - the domains that NodePools could make, the
 * pods already in the cluster by domain - is kept in a topology_base and shared by all runs on a cluster.
 */
#include "state.h"
#include "template.h"

enum group_type { GROUP_SPREAD, GROUP_AFFINITY, GROUP_ANTI_AFFINITY };

enum domain_state { DOMAIN_UNKNOWN, DOMAIN_EMPTY, DOMAIN_COUNTED };

/* Which nodes take part in a spread (A13.7). */
struct node_filter {
	bool active, honor_affinity, honor_taints;
	uint32_t n;
	struct hreqs *reqs;
	uint32_t ntoleration;
	const struct toleration *toleration;
};

struct topology_group {
	enum group_type type;
	bool inverse;
	/* As spelled, so an alias of a key meets no requirement; answers are about the key it stands for. */
	keyid key, answer_key;
	bool host; /* the key is kubernetes.io/hostname */
	uint32_t nns;
	sid *ns;
	const struct label_selector *selector;
	uint32_t nextra; /* matchLabelKeys, as key In [value] */
	struct kv *extra;
	int32_t max_skew, min_domains;
	struct node_filter filter;
	uint32_t ndomain; /* size of the arrays; by value number of the key */
	int32_t *count;
	uint8_t *state; /* enum domain_state */
	uint32_t nknown, ncounted;
	uint32_t nselect; /* by pod class: 1 selected, 0 not, 2 unknown */
	uint8_t *selects;
	VEC(uint8_t) owner; /* inverse groups: by pod class, owns it in this run */
	uint32_t version;   /* grows with every change of a domain */
};

/* What a run knows of a variant: its groups, and answers that still hold. */
struct variant_run {
	uint32_t ngroup;
	struct topology_group **group; /* owned, in order of creation */
	uint32_t ninverse, inverse_seen;
	struct topology_group *
		*inverse; /* inverse groups that select the class, of the first inverse_seen ones */
	uint32_t nhost, nother;
	struct topology_group **host, **other; /* both of the above, by whether the key is the hostname */
	uint64_t stamp;                        /* sum of versions of other when the answers were given */
	struct idmap answer;                   /* requirement set -> tightened set + 1, 0: unsatisfiable */
	uint64_t *dead_node, *dead_claim;      /* places that can never take it in this run */
	uint32_t dead_claim_words;
};

struct topology_base;

struct topology {
	struct arena *arena;
	struct arena *scratch; /* rewound by whoever uses it; nothing else may live there */
	struct class_table *t;
	const struct state *state;
	const struct template_set *templates;
	struct topology_base *base;
	const uint64_t *excluded; /* by pod: in this run's list, so not counted where it is */
	const uint64_t *absent;   /* by state node: not part of this run */
	uint32_t run;
	VEC(struct topology_group *) groups; /* in order of creation */
	VEC(struct topology_group *) inverse;
	struct idmap group_of, inverse_of; /* identity -> index */
};

struct topology_base *topology_base_new(struct arena *a, struct class_table *t, const struct state *s,
					const struct template_set *m);
/* The class of a pod of the cluster, and what its volumes ask (NULL: nothing); worked out once. */
struct pod_class *topology_pod_class(struct topology_base *b, uint32_t pod,
				     const struct pod_volumes **ret_volumes);
/* Groups of inverse anti-affinity of pods that are already placed are there from the start. */
void topology_init(struct topology *y, struct arena *a, struct arena *scratch, struct topology_base *base,
		   uint32_t run, const uint64_t *excluded, const uint64_t *absent);

/* Makes a variant of a class own its groups (A13.10). */
void topology_own(struct topology *y, struct pod_class *c, struct pod_variant *v);
/* Makes it own none, as a pod that was left out of the preparation (A2.10). */
void topology_own_none(struct topology *y, struct pod_variant *v);
/* A hostname becomes a domain of all hostname groups. */
void topology_register_host(struct topology *y, sid host);

/* Where a pod is being tried. */
struct place {
	sid host;
	const struct taints *taints;
};

/* Whether the hostname groups take the pod. false that holds for good: *ret_final. */
bool topology_host_ok(struct topology *y, const struct pod_class *c, struct pod_variant *v, sid host,
		      bool *ret_final);
/* Tightens reqs (without hostname) by what the other groups ask (A13.13). false: one cannot be satisfied. */
bool topology_tighten(struct topology *y, const struct pod_class *c, struct pod_variant *v, rsetid reqs,
		      rsetid *ret_reqs);
/* The first group that cannot be satisfied, or NULL. */
const struct topology_group *topology_obstacle(struct topology *y, const struct pod_class *c,
					       struct pod_variant *v, const struct place *at, rsetid reqs);
/* The groups that have a say on a variant. */
const struct variant_run *topology_groups(struct topology *y, const struct pod_class *c,
					  struct pod_variant *v);
/* Whether one group takes the pod. *ret_req: what it asks of the node, REQ_NONE for hostname groups. */
bool topology_ask(struct topology *y, struct topology_group *g, const struct pod_class *c,
		  struct pod_variant *v, sid host, rsetid reqs, reqid *ret_req);
/* Records a placement with its final requirements (A13.18). */
void topology_record(struct topology *y, const struct pod_class *c, const struct place *at, rsetid reqs);
/* unsatisfiable topology constraint for ... (A13.13) */
void topology_explain(struct topology *y, struct buf *out, const struct topology_group *g,
		      const struct pod_variant *v, const struct place *at, rsetid reqs);
