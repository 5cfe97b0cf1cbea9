#pragma once
/*
 * Pod classes. Pods that the scheduler cannot tell apart share a class: same namespace, labels, spec and
 * requests. What a pod asks for, at each step of giving up its preferences, is worked out once a class
 * (Karpenter v1.14.1, pod data and preference relaxation: A4, A11).
 *
 * A class belongs to the arena of its table and only grows: further variants are made when they are first
 * needed.
 */
#include "tolerate.h"

/* Requirements with the hostname kept apart, since nodes differ in it and in little else. */
struct hreqs {
	rsetid set;
	reqid host; /* REQ_NONE: no requirement on kubernetes.io/hostname */
};

/* A pod as it stands after some steps of relaxation. */
struct pod_variant {
	struct hreqs reqs, strict; /* strict leaves out the preferred node affinity term */
	uint32_t ntoleration;
	struct toleration *toleration;
	uint32_t tol_id; /* equal lists of tolerations have equal ids */
	uint32_t nrequired, npreferred;
	struct node_term *required;
	struct preferred_node_term *preferred;
	uint32_t naffinity, nanti; /* preferred terms left */
	struct affinity_term *affinity, *anti;
	uint32_t nspread;
	struct spread_constraint *spread;
	/* What a run knows of this variant (topology.h); only valid while run is that run's number. */
	uint32_t run;
	struct variant_run *r;
};

struct pod_class {
	uint32_t id;
	sid ns;
	const struct labels *labels;
	const struct pod_spec *spec;
	struct reslist requests;
	uint32_t nlane; /* requests as lanes */
	uint32_t *lane;
	qty *amount;
	uint32_t nport;
	const struct host_port *port;
	VEC(struct pod_variant *) variants;
	bool complete; /* the last variant has nothing left to give up */
	bool alone;    /* not shared: its pod has volumes of its own */
};

/* Resource names that take part in fitting, as dense lane numbers. */
struct lanes {
	VEC(sid) name;
	struct idmap of;
};

struct class_table {
	struct arena *arena;
	struct cluster *cluster;
	struct lanes lanes;
	VEC(struct pod_class *) classes;
	struct idset index;
	VEC(struct pod_variant *) tolerations; /* one variant for each distinct list of tolerations */
	bool tolerate_prefer;                  /* some NodePool has a PreferNoSchedule taint (A11.2 step 6) */
	bool ignore_preferences;               /* preferencePolicy Ignore */
	keyid host_key;
};

void class_table_init(struct class_table *t, struct arena *a, struct cluster *c, bool tolerate_prefer);
/* The class of a pod, new or known. alone: not shared with any other pod (its volumes are its own). */
struct pod_class *class_of(struct class_table *t, const struct object_meta *meta, const struct pod_spec *spec,
			   const struct reslist *requests, bool alone);
/* The i-th variant, or NULL when there is nothing left to give up before it. */
struct pod_variant *class_variant(struct class_table *t, struct pod_class *c, uint32_t i);

uint32_t lane_of(struct class_table *t, sid name);
/* Requirements of node selector entries and terms. */
struct hreqs hreqs_split(struct class_table *t, rsetid s);
rsetid reqs_of_labels(struct reqpool *p, const struct labels *l);
rsetid reqs_of_term(struct reqpool *p, const struct node_term *t);
/* Requirements of an API object (a NodePool, a NodeOverlay). */
rsetid reqs_of_api(struct reqpool *p, const struct api_requirement *r, uint32_t n);
/* nodeSelector with one required term (i < nrequired) or none. */
rsetid reqs_strict(struct reqpool *p, const struct pod_spec *spec, const struct node_term *required,
		   uint32_t nrequired);
