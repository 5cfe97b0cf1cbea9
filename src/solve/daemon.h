#pragma once
/*
 * DaemonSet pods as overhead (Karpenter v1.14.1, A12). One representative pod for each DaemonSet, in API list
 * order. The representatives are worn down while they are matched: OR-terms dropped for one type or NodePool
 * stay dropped (A12.3), so a fresh list is made for each run and used in Karpenter's order.
 */
#include "podclass.h"

struct daemon {
	sid ns, name; /* of the pod; for telling sets of daemons apart */
	uint32_t key; /* pod key for host ports, distinct from cluster pods */
	const struct labels *node_selector;
	uint32_t nterm;
	struct node_term *term; /* required terms left */
	uint32_t ntoleration;
	struct toleration *toleration;
	struct reslist requests;
	uint32_t nport;
	struct host_port *port;
	bool resource_claims;
	rsetid strict; /* of the first term left */
};

struct daemons {
	uint32_t n;
	struct daemon *v;
};

void daemons_build(struct daemons *d, struct class_table *t, struct arena *a);
/* Forgets the first required term; false when only one is left. */
bool daemon_drop_term(struct daemon *d, struct class_table *t);
/* Adds the toleration of every PreferNoSchedule taint. */
void daemon_tolerate_preference(struct daemon *d, struct arena *a);
