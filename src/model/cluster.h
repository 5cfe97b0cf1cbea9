#pragma once
/*
 * The objects of a run: everything read from the input, decoded, with defaults applied and workloads expanded
 * to pods. Built by load/, immutable afterwards. Arrays of namespaced objects are ordered by namespace, then
 * name; others by name (determinism, "Scheduling"): the order of the arrays is the order of API lists. The
 * session arena owns it all.
 */
#include "itype.h"
#include "object.h"
#include "settings.h"

enum pod_phase { POD_PENDING, POD_RUNNING, POD_SUCCEEDED, POD_FAILED, POD_UNKNOWN };

struct pod {
	struct object_meta meta;
	const struct pod_spec *spec;
	sid node; /* spec.nodeName, SID_EMPTY when unbound */
	sid nominated_node;
	enum pod_phase phase;
	bool has_conditions;
	struct conditions conditions;
	int64_t start_time;                 /* status.startTime, TIME_NONE when absent */
	int32_t restarts, sidecar_restarts; /* the most of a container, and of a restartable init container */
	struct reslist requests;            /* effective, with pods: 1 (A4.1) */
	uint32_t order;                     /* position in the input, among pods */
};

struct node {
	struct object_meta meta;
	sid provider_id;
	struct taints taints;
	bool unschedulable;
	struct reslist capacity, allocatable;
	struct conditions conditions;
};

/* A requirement entry as an API object holds it. */
struct api_requirement {
	sid key, op; /* op as written */
	uint32_t n;
	sid *values;
	int32_t min_values; /* -1 when absent */
};

struct node_class_ref {
	sid group, kind, name;
};

struct node_claim {
	struct object_meta meta;
	struct node_class_ref class_ref;
	uint32_t nreq;
	struct api_requirement *req;
	struct reslist requests; /* spec.resources.requests */
	struct taints taints, startup_taints;
	int64_t expire_after;      /* DURATION_* */
	int64_t termination_grace; /* DURATION_NONE when absent */
	sid node_name, provider_id, image_id;
	struct reslist capacity, allocatable; /* status */
	struct conditions conditions;
	int64_t last_pod_event; /* TIME_NONE when absent */
};

struct budget {
	sid nodes; /* text: "10%", "3" */
	bool has_reasons;
	uint32_t nreason;
	sid *reason;
	sid schedule;     /* SID_NONE when absent */
	int64_t duration; /* DURATION_NONE when absent */
};

enum consolidation_policy { CONSOLIDATE_WHEN_EMPTY, CONSOLIDATE_UNDERUTILIZED, CONSOLIDATE_BALANCED };

struct node_pool {
	struct object_meta meta;
	struct node_class_ref class_ref;
	struct labels template_labels, template_annotations;
	uint32_t nreq;
	struct api_requirement *req;
	struct taints taints, startup_taints;
	int64_t expire_after;      /* default 720h */
	int64_t termination_grace; /* DURATION_NONE when absent */
	int64_t consolidate_after; /* DURATION_NEVER for Never; default 0 */
	enum consolidation_policy policy;
	uint32_t nbudget;
	struct budget *budget; /* default one of 10% */
	bool has_limits;
	struct reslist limits;
	int32_t weight; /* 0 when absent */
	bool is_static; /* spec.replicas given */
	int64_t replicas;
	struct conditions conditions;
	sid invalid; /* why Karpenter's own validation refuses it; SID_NONE when it does not */
};

struct selector_req {
	sid key, op;
	uint32_t n;
	sid *values;
};

struct nc_subnet {
	sid id, zone, zone_id;
};

struct nc_ami {
	sid id, name;
	uint32_t nreq;
	struct api_requirement *req;
};

struct nc_reservation {
	sid id, instance_type, zone, owner, match_criteria, state;
	sid type; /* "default" or "capacity-block" */
	bool interruptible;
	int64_t end_time; /* TIME_NONE when absent */
};

struct nc_block_device {
	sid device_name;
	bool root_volume;
	bool has_ebs, has_size;
	struct quantity size;
};

struct nc_interface {
	int32_t card, device;
	bool efa_only;
};

struct nc_kubelet {
	bool present;
	int32_t max_pods, pods_per_core; /* -1 when absent */
	struct reslist system_reserved, kube_reserved;
	struct labels eviction_hard, eviction_soft;
};

struct ec2_node_class {
	struct object_meta meta;
	sid ami_family; /* as written; SID_NONE when absent */
	sid alias;      /* of the alias term; SID_NONE when none */
	sid instance_profile, role;
	sid context; /* SID_NONE when absent */
	struct labels tags;
	bool raid0; /* instanceStorePolicy */
	bool has_devices;
	uint32_t ndevice;
	struct nc_block_device *device;
	bool has_interfaces;
	uint32_t ninterface;
	struct nc_interface *interface;
	struct nc_kubelet kubelet;
	bool nested_virtualization; /* cpuOptions */
	bool connection_tracking;
	sid placement_group; /* selector id or name; SID_NONE when none */
	bool has_status;
	uint32_t nsubnet, nami, nreservation, nsecurity_group;
	struct nc_subnet *subnet;
	struct nc_ami *ami;
	struct nc_reservation *reservation;
	sid *security_group; /* ids */
	struct conditions conditions;
};

struct node_overlay {
	struct object_meta meta;
	uint32_t nreq;
	struct api_requirement *req;
	int32_t weight;
	sid price, price_adjustment; /* SID_NONE when absent */
	struct reslist capacity;
	struct conditions conditions;
};

struct capacity_buffer {
	struct object_meta meta;
	bool ready;
	sid template_name, scalable_kind, scalable_name; /* SID_NONE when absent */
	int64_t asked, percentage;                       /* spec.replicas and percentage; -1 when absent */
	int64_t replicas;                                /* what comes of them */
	struct reslist limits;
	const struct pod_spec *spec; /* of the template; NULL when not found */
	struct reslist requests;     /* of one pod */
	struct labels labels;
};

/* A pod that a CapacityBuffer stands for. */
struct virtual_pod {
	struct object_meta meta;
	const struct pod_spec *spec;
	struct reslist requests;
};

struct daemon_set {
	struct object_meta meta;
	struct pod_spec *spec;
	struct labels template_labels;
};

struct pdb {
	struct object_meta meta;
	struct label_selector selector;
	sid max_unavailable, min_available; /* text of the int-or-string, SID_NONE when absent */
	bool always_allow;                  /* unhealthyPodEvictionPolicy: AlwaysAllow */
	int64_t disruptions_allowed;        /* status; 0 when absent */
};

struct pvc {
	struct object_meta meta;
	sid volume_name;   /* SID_EMPTY when absent */
	sid storage_class; /* SID_NONE when absent */
	bool lost;         /* phase Lost */
};

struct pv {
	struct object_meta meta;
	sid csi_driver; /* SID_NONE when no CSI volume */
	bool aws_ebs;   /* in-tree awsElasticBlockStore */
	bool local;     /* local or hostPath volume */
	uint32_t nterm;
	struct node_term *term;
};

struct storage_class {
	struct object_meta meta;
	sid provisioner;
	sid binding_mode; /* SID_NONE when absent */
	uint32_t nterm;
	struct node_term *term; /* allowedTopologies */
};

struct csi_driver_limit {
	sid driver;
	int64_t count; /* -1: none given */
};

struct csi_node {
	struct object_meta meta;
	uint32_t n;
	struct csi_driver_limit *driver;
};

struct namespace_obj {
	struct object_meta meta;
};

enum workload_kind { WL_DEPLOYMENT, WL_REPLICA_SET, WL_STATEFUL_SET, WL_JOB };

/* A workload that was expanded; --scale finds it here. */
struct workload {
	struct object_meta meta;
	enum workload_kind kind;
	int64_t replicas;
	struct label_selector selector;
	const struct pod_spec *spec;
	struct labels template_labels, template_annotations;
	struct reslist requests; /* of one pod */
	sid node;                /* spec.nodeName of the template, SID_EMPTY when absent */
	uint32_t nclaim;
	const struct pvc *claim; /* volumeClaimTemplates */
};

struct instance_type_set {
	struct span at;
	uint32_t npool;
	sid *pool; /* only for these NodePools; none: for all */
	struct itype_list types;
};

#define OBJECTS(T)          \
	struct {            \
		uint32_t n; \
		T *v;       \
	}

struct cluster {
	struct arena *arena;
	struct intern *in;
	struct reqpool *rp;
	struct settings settings;
	OBJECTS(struct node_pool) pools;
	OBJECTS(struct ec2_node_class) classes;
	OBJECTS(struct node_overlay) overlays;
	OBJECTS(struct capacity_buffer) buffers;
	OBJECTS(struct node_claim) claims;
	OBJECTS(struct node) nodes;
	OBJECTS(struct pod) pods;
	OBJECTS(struct virtual_pod) virtual_pods; /* numbered from pods.n on where a pod is an index */
	OBJECTS(struct daemon_set) daemons;
	OBJECTS(struct pdb) pdbs;
	OBJECTS(struct pvc) pvcs;
	OBJECTS(struct pv) pvs;
	OBJECTS(struct storage_class) storage_classes;
	OBJECTS(struct csi_node) csi_nodes;
	OBJECTS(struct namespace_obj) namespaces;
	OBJECTS(struct workload) workloads;
	OBJECTS(struct instance_type_set) type_sets;
	uint32_t nnote;
	const char **note; /* defaults that were assumed, in order of assumption */
};

const struct node_pool *cluster_pool(const struct cluster *c, sid name);
const struct ec2_node_class *cluster_class(const struct cluster *c, sid name);
const struct node *cluster_node(const struct cluster *c, sid name);
const struct pod *cluster_pod(const struct cluster *c, sid ns, sid name);
/* Of a pod by its index, which from pods.n on is that of a virtual pod. */
const struct object_meta *cluster_pod_meta(const struct cluster *c, uint32_t pod);
const struct reslist *cluster_pod_requests(const struct cluster *c, uint32_t pod);
const struct pvc *cluster_pvc(const struct cluster *c, sid ns, sid name);
const struct pv *cluster_pv(const struct cluster *c, sid name);
const struct storage_class *cluster_storage_class(const struct cluster *c, sid name);
/* Whether the instance types come ready made (InstanceTypeSet) and no EC2 applies. */
static inline bool cluster_generic(const struct cluster *c)
{
	return c->type_sets.n > 0;
}
