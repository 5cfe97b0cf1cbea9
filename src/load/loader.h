#pragma once
/*
 * What the files of this layer share: the state of one load. Objects are decoded one by one in input order
 * into arrays by kind; what depends on other objects (priorities, default classes, workloads) is settled
 * after the last one.
 */
#include "cluster.h"
#include "diag.h"
#include "idmap.h"
#include "load.h"
#include "schema.h"
#include "vec.h"

/* Rows of the kind table in load.c. */
enum load_kind {
	LK_SETTINGS,
	LK_TYPE_SET,
	LK_NODE_POOL,
	LK_NODE_CLASS,
	LK_NODE_CLAIM,
	LK_OVERLAY,
	LK_BUFFER,
	LK_NODE,
	LK_POD,
	LK_DAEMON_SET,
	LK_WORKLOAD,
	LK_POD_TEMPLATE,
	LK_PDB,
	LK_PVC,
	LK_PV,
	LK_STORAGE_CLASS,
	LK_CSI_NODE,
	LK_NAMESPACE,
	LK_PRIORITY_CLASS,
	LK_MAX_
};

/* Every record starts with the metadata of its object. */
struct record_list {
	char *v;
	uint32_t n, cap;
};

/* expireAfter of NodePools and NodeClaims, 720h, in nanoseconds (their CRDs). */
#define DEFAULT_EXPIRE_AFTER ((int64_t)720 * 3600 * 1000000000)
/* Kinds of workloads share a list and not their names: these follow the lists. */
#define LK_NAMES (LK_MAX_ + WL_JOB + 1)
#define LK_NAMES_OF(workload_kind) (LK_MAX_ + (unsigned)(workload_kind))
#define SPEC_SLOTS 16384u
#define LOAD_MAX_OBJECTS 1000000u
#define LOAD_MAX_PODS 1000000u
#define LOAD_MAX_UNKNOWN 20u /* warnings about unknown fields */

/* How a pod spec gets its defaults. */
enum spec_mode {
	SPEC_STORED,   /* not at all */
	SPEC_NEW,      /* as the API server does with a new pod */
	SPEC_TEMPLATE, /* as it does with the template of a DaemonSet */
};

/* A pod spec and what follows from it alone. */
struct shared_spec {
	struct pod_spec spec;
	struct reslist requests; /* effective */
	sid *container_names, *init_names;
	const struct doc_node *node;
	uint64_t hash;
	uint8_t mode; /* enum spec_mode */
	bool ok;
	struct span at;
	struct shared_spec *next; /* in its hash bucket */
};

/* One of status.containerStatuses. */
struct container_status {
	sid name;
	struct reslist allocated, requests;
	int32_t restarts;
};

struct pod_record {
	struct pod pod;
	const struct doc_node *spec_node;
	struct shared_spec *shared;
	uint32_t nstatus, ninit_status;
	struct container_status *status, *init_status;
};

/* metadata and spec of a pod template; the spec is decoded by load_spec. */
struct template_record {
	struct object_meta meta;
	const struct doc_node *spec_node;
};

struct daemon_record {
	struct daemon_set ds;
	struct template_record template;
};

struct pod_template {
	struct object_meta meta; /* of the PodTemplate */
	struct template_record template;
	struct shared_spec *shared;
};

struct workload_record {
	struct workload w;
	uint32_t order;                             /* place among pods and workloads in the input */
	int64_t replicas, parallelism, completions; /* -1: absent */
	bool suspend;
	struct conditions conditions;
	struct template_record template;
	struct shared_spec *shared;
	sid node; /* spec.nodeName of the template */
	uint32_t nclaim;
	struct pvc *claim; /* volumeClaimTemplates */
	uint32_t owner;    /* index of the Deployment that owns this ReplicaSet, or UINT32_MAX */
	uint32_t existing; /* pods of the input that belong to it */
};

/* A NodePool as the API has it. */
struct pool_record {
	struct node_pool p;
	bool has_budgets;
	/* v1beta1 only */
	bool kubelet, given_expiry;
	bool when_empty;
	sid ref_api_version;
};

struct ami_term {
	sid alias;
};

/* An EC2NodeClass as the API has it; the model keeps what decides something. */
struct class_record {
	struct ec2_node_class c;
	uint32_t nterm;
	struct ami_term *term;
	sid pg_name, pg_id;
};

struct priority_class {
	struct object_meta meta;
	int32_t value;
	bool is_default;
};

struct ignored_kind {
	enum diag_code code;
	struct str kind;
	uint32_t n;
	struct span first;
};

struct type_set_doc {
	const struct doc *doc;
	const struct doc_node *node;
};

struct loader {
	struct arena *arena;
	struct diags *d;
	struct intern *in;
	struct cluster *c;
	const struct load_options *o;

	const struct doc *doc; /* being decoded */
	const struct frame *path;
	const struct schema *root; /* of the kind */
	bool stored;               /* the object was stored by an API server: it stands as written */
	uint32_t unknown;          /* unknown fields so far */

	struct record_list objects[LK_MAX_];
	bool dropped[LK_MAX_];              /* some record was replaced by a later one */
	struct idmap names[LK_NAMES];       /* of a kind: namespace, name -> index of its record */
	VEC(struct type_set_doc) type_sets; /* decoded last: requirements need the well-known labels */
	struct span settings_at;
	uint32_t nobject;                /* objects seen, lists expanded */
	uint64_t npod;                   /* pods, made-up ones included */
	uint32_t sequence;               /* pods and workloads seen */
	int64_t newest;                  /* latest past time seen, TIME_NONE before the first */
	struct shared_spec **spec_slot;  /* SPEC_SLOTS lists, by hash */
	VEC(struct shared_spec *) specs; /* in order of first use */
	VEC(struct ignored_kind) ignored;
	VEC(const char *) notes;
};

/* Messages of the object being decoded. */
struct span load_span(const struct loader *l, const struct doc_node *n);
/* The path of the place, as spec.template.spec.taints[0].key. */
const char *load_path(const struct loader *l);
bool load_wrong_type(struct loader *l, const struct doc_node *n, const char *expected);
__attribute__((format(printf, 3, 4))) bool load_bad_value(struct loader *l, const struct doc_node *n,
							  const char *fmt, ...);
/* A default that was assumed: a note, and a line for the report. */
__attribute__((format(printf, 4, 5))) void load_assume(struct loader *l, enum diag_code code, struct span at,
						       const char *fmt, ...);
/* A zeroed record at the end of a list. */
void *record_add(struct loader *l, struct record_list *list, size_t size);
void *load_add(struct loader *l, enum load_kind k);
void *record_at(const struct loader *l, enum load_kind k, uint32_t i);
/* The index of an object in its list, or UINT32_MAX. names: an enum load_kind, or LK_NAMES_OF. */
uint32_t record_find(const struct loader *l, unsigned names, sid ns, sid name);

/* Pieces of many kinds (load_common.c). */
extern const struct schema meta_schema, class_ref_schema, condition_schema, taint_schema, requirement_schema,
	label_selector_schema, node_term_schema, pod_spec_schema, template_schema, pvc_spec_schema;
bool load_selector(struct loader *l, const struct field *f, const struct doc_node *n, void *rec);

void labels_sort(const struct intern *in, struct labels *l);

/* The decoded spec of a pod or a template; equal specs are one. NULL after an error. */
struct shared_spec *load_spec(struct loader *l, const struct doc_node *n, enum spec_mode mode);
/* spec.nodeName, which is a pod's own; SID_EMPTY when absent. path: of the field, for messages. */
bool load_node_name(struct loader *l, const struct doc_node *spec, const char *path, sid *ret_node);
/* The same, with the path of the spec for messages. */
struct shared_spec *load_spec_at(struct loader *l, const struct doc_node *n, const char *path,
				 enum spec_mode mode);
bool load_no_template(struct loader *l, const struct doc_node *n);

/* What the rows of the kind table do after their objects are decoded; false after an error. */
bool pod_loaded(struct loader *l, const struct doc_node *n, void *rec);
bool daemon_set_loaded(struct loader *l, const struct doc_node *n, void *rec);
bool workload_loaded(struct loader *l, const struct doc_node *n, void *rec);
bool pod_template_loaded(struct loader *l, const struct doc_node *n, void *rec);
bool node_pool_loaded(struct loader *l, const struct doc_node *n, void *rec);
bool storage_class_loaded(struct loader *l, const struct doc_node *n, void *rec);
bool beta_pool_loaded(struct loader *l, const struct doc_node *n, void *rec);
bool beta_class_loaded(struct loader *l, const struct doc_node *n, void *rec);
bool node_class_loaded(struct loader *l, const struct doc_node *n, void *rec);

extern const struct schema pod_schema, daemon_set_schema, deployment_schema, replica_set_schema,
	stateful_set_schema, job_schema, pod_template_schema, node_schema, node_claim_schema,
	node_pool_schema, node_class_schema, overlay_schema, buffer_schema, pdb_schema, pvc_schema, pv_schema,
	storage_class_schema, csi_node_schema, namespace_schema, priority_class_schema;

/* What NodePools of v1 and v1beta1 share. */
extern const struct schema pool_meta_schema, budget_schema, pool_status_schema, beta_pool_schema;
bool load_budgets(struct loader *l, const struct field *f, const struct doc_node *n, void *rec);
void node_pool_init(void *rec);

/* Settings and ready instance types. */
bool load_settings(struct loader *l, const struct doc_node *n);
bool load_type_set(struct loader *l, const struct doc_node *n);
bool load_type_sets(struct loader *l);
bool settings_override(struct loader *l);
void settings_assume(struct loader *l);

/* What depends on several objects, in this order. */
/* All pods in order of expansion. */
bool expand_workloads(struct loader *l, struct record_list *ret_pods);
const char *workload_kind_name(enum workload_kind k);
void resolve_priorities(struct loader *l);
void resolve_claims(struct loader *l);
void resolve_classes(struct loader *l);
void resolve_namespaces(struct loader *l);
void resolve_buffers(struct loader *l);
/* After pods and buffers are published; false when there would be too many. */
bool make_virtual_pods(struct loader *l);
/* An EC2NodeClass as a plain input takes for granted. */
void node_class_default(struct loader *l, sid name, struct span at, void *ret_record);
