#pragma once
/*
 * The pieces that Kubernetes objects are made of, decoded. Strings are interned; arrays belong to the session
 * arena and never change after loading. Optional strings are SID_NONE when absent, and SID_EMPTY when given
 * as "".
 */
#include <stdbool.h>
#include <stdint.h>

#include "diag.h"
#include "label.h"
#include "reslist.h"

/* Whole seconds since 1970-01-01T00:00:00Z. */
#define TIME_NONE INT64_MIN
/* Durations are nanoseconds. */
#define DURATION_NONE INT64_MIN  /* field absent */
#define DURATION_NEVER INT64_MAX /* "Never" */

/* Go's notation of a duration, "48h0m0s"; DURATION_NONE is "", DURATION_NEVER "Never". */
void duration_print(struct buf *out, int64_t ns);
/* The same without parts that are zero at the end, as people write it: "48h". */
void duration_print_short(struct buf *out, int64_t ns);

struct kv {
	sid key, val;
};

/* Sorted by key text, keys distinct. */
struct labels {
	uint32_t n;
	struct kv *v;
};

/* The value, or SID_NONE. */
sid labels_get(const struct labels *l, sid key);

/* A copy with the entry set. */
struct labels labels_set(struct arena *a, const struct intern *in, const struct labels *l, sid key, sid val);

struct owner_ref {
	sid api_version, kind, name, uid;
	bool controller;
};

struct object_meta {
	sid name, ns, uid; /* ns SID_EMPTY for cluster-scoped kinds */
	struct labels labels, annotations;
	uint32_t nowner;
	struct owner_ref *owner;
	int64_t created, deleted; /* TIME_NONE when absent */
	int64_t generation;
	struct span at; /* where the object starts in the input */
};

struct condition {
	sid type, status, reason, message;
	int64_t transition; /* TIME_NONE when absent */
	int64_t observed;   /* generation that it speaks of; 0 when absent */
};

struct conditions {
	uint32_t n;
	struct condition *v;
};

const struct condition *conditions_find(const struct conditions *c, const struct intern *in,
					const char *type);
/* Whether a condition is there with status "True". */
bool conditions_true(const struct conditions *c, const struct intern *in, const char *type);

struct taint {
	sid key, value, effect;
	int64_t time_added; /* TIME_NONE when absent */
};

struct taints {
	uint32_t n;
	struct taint *v;
};

struct toleration {
	sid key, op, value, effect; /* SID_EMPTY when absent */
	bool has_seconds;
	int64_t seconds;
};

/* One expression of a label selector or a node selector term; op as written (unknown operators are kept). */
struct match_expr {
	sid key, op;
	uint32_t n;
	sid *values;
};

struct label_selector {
	bool present;        /* absent and empty selectors differ */
	bool invalid;        /* an operator or value that Kubernetes refuses: selects nothing */
	struct labels match; /* matchLabels */
	uint32_t n;
	struct match_expr *expr;
};

struct node_term {
	uint32_t n;
	struct match_expr *expr;
	uint32_t nfields; /* matchFields entries, which Karpenter refuses */
};

struct preferred_node_term {
	int32_t weight;
	struct node_term term;
};

struct affinity_term {
	int32_t weight; /* preferred terms; 0 for required ones */
	struct label_selector selector;
	struct label_selector ns_selector;
	uint32_t nns;
	sid *ns;
	sid topology_key;
};

struct affinity_terms {
	uint32_t n;
	struct affinity_term *v;
};

struct spread_constraint {
	int32_t max_skew;
	int32_t min_domains; /* -1 when absent */
	sid topology_key;
	bool schedule_anyway; /* whenUnsatisfiable: ScheduleAnyway */
	bool honor_affinity;  /* nodeAffinityPolicy, default Honor */
	bool honor_taints;    /* nodeTaintsPolicy, default Ignore */
	struct label_selector selector;
	uint32_t nmatch_keys;
	sid *match_keys; /* matchLabelKeys */
};

struct host_port {
	sid ip; /* as written; SID_EMPTY when absent (every address) */
	sid protocol;
	int32_t port;
};

struct container {
	struct reslist requests, limits;
	bool restart_always; /* init containers: a sidecar */
	/* status.containerStatuses of a running pod, where it matters (A4.1) */
	bool has_status;
	struct reslist status_allocated, status_requests;
	uint32_t nport;
	struct host_port *port; /* entries with a host port */
};

struct pod_volume {
	sid name;
	sid claim;           /* PVC name of persistentVolumeClaim; SID_NONE otherwise */
	bool ephemeral;      /* generic ephemeral volume: PVC <pod>-<volume> */
	sid ephemeral_class; /* storage class of the template; SID_NONE when absent */
};

/* What the scheduler reads of a pod's spec; shared by pods made from one template. */
struct pod_spec {
	struct labels node_selector;
	bool has_required_terms; /* requiredDuringScheduling... is present */
	uint32_t nrequired;
	struct node_term *required;
	uint32_t npreferred;
	struct preferred_node_term *preferred;
	struct affinity_terms affinity_required, affinity_preferred;
	struct affinity_terms anti_required, anti_preferred;
	bool has_anti_affinity; /* podAntiAffinity is present */
	uint32_t nspread;
	struct spread_constraint *spread;
	uint32_t ntoleration;
	struct toleration *toleration;
	uint32_t ncontainer, ninit;
	struct container *container, *init;
	struct reslist pod_requests, pod_limits; /* spec.resources */
	bool has_pod_resources;
	struct reslist overhead;
	uint32_t nvolume;
	struct pod_volume *volume;
	bool resource_claims; /* dynamic resource allocation, pod or container level */
	bool gated;           /* schedulingGates */
	bool host_network;
	bool has_priority;
	int32_t priority;
	sid priority_class;
	sid scheduler_name;
	int64_t grace_seconds;
};
