#pragma once
/*
 * Karpenter's view of the nodes: a Node and the NodeClaim behind it as one thing, with what runs there
 * (Karpenter v1.14.1, cluster state: A8). Built once for a cluster; nodes are ordered by name, then provider
 * id; immutable afterwards.
 */
#include "volume.h"

struct snode {
	sid name;
	sid provider_id;
	const struct node *node;        /* NULL: the NodeClaim has no node yet */
	const struct node_claim *claim; /* NULL: not managed by Karpenter */
	const struct node_pool *pool;   /* by label; NULL: none */
	bool registered, initialized, deleting;
	sid host;
	const struct labels *labels, *annotations;
	struct hreqs reqs;      /* its labels, without the hostname; host is its hostname */
	struct taints taints;   /* that count for scheduling */
	uint32_t taint_id;      /* equal lists have equal ids */
	struct hreqs node_reqs; /* labels of the Node itself */
	uint32_t node_taint_id;
	struct reslist capacity, allocatable, available, daemon_requests;
	uint32_t npod, *pod; /* bound to it, by namespace and name, in any phase */
	struct ports ports;
	struct attachments attached;
	struct csi_limits limits;
};

struct state {
	uint32_t n;
	struct snode *v;
	const char *unsynced;  /* why the state cannot be synced; NULL: it can */
	uint32_t *node_of_pod; /* by pod: index of its snode, UINT32_MAX when unbound or unknown */
};

/* undisrupt: nodes that are not going lose the karpenter.sh/disrupted taint. */
void state_build(struct state *s, struct class_table *t, bool undisrupt);
/* UINT32_MAX when there is none of that Node name. */
uint32_t state_find_node(const struct state *s, sid node_name);

bool pod_is_terminal(const struct pod *p);
bool pod_is_active(const struct pod *p);
bool pod_owned_by(const struct cluster *c, const struct pod *p, const char *api_version, const char *kind);
/* A2.1 and A2.2. */
bool pod_is_provisionable(const struct cluster *c, const struct pod *p);
bool pod_is_reschedulable(const struct cluster *c, const struct pod *p);
