#pragma once
/*
 * Carrying out decisions: the cluster as it will be once a plan was launched, or once a workload was scaled
 * down. Each step gives a new cluster in the arena given; the old one stands, and both share what did not
 * change.
 *
 * What cannot be known is modelled: each claim becomes the node that its plan predicts, long enough ago to be
 * registered, initialised and past its NodePool's consolidateAfter (design 4.1). Pods of DaemonSets are not
 * made up; Karpenter counts on them all the same.
 */
#include "disruption.h"

/* Instance types by index of cluster.pools, as the plan was made with. */
struct sim_types {
	const struct itype_list *const *by_pool;
};

/* names: of the plan's claims, then of its static ones. Claims that cannot be launched are left out, their
 * pods stay pending. */
struct cluster *sim_launch(struct arena *a, const struct cluster *c, const struct plan *plan,
			   struct sim_types types, const char *const *names);

struct pod_names {
	uint32_t n;
	const char **v; /* NAMESPACE/NAME */
};

/* The pods of a workload that neither ended nor are ending. */
uint32_t sim_replicas(const struct cluster *c, const struct workload *w);
/*
 * Removes pods until no more than replicas are left, in the order of Kubernetes' controllers: pods without a
 * node, pending ones, those with the least deletion cost, those that share their node with most others of the
 * workload, the newest; a StatefulSet from its highest ordinal down. ret_removed: in order of namespace and
 * name.
 */
struct cluster *sim_scale_down(struct arena *a, const struct cluster *c, const struct workload *w,
			       uint32_t replicas, struct pod_names *ret_removed);

/*
 * Carries out the commands of a round: the candidates and their NodeClaims go, the replacements come (names:
 * one for each, in order of the commands), with the pods that the decision put there. The other pods of the
 * candidates become pending, those of DaemonSets and of the node itself go with it.
 */
struct cluster *sim_disrupt(struct arena *a, const struct cluster *c, const struct disrupt_commands *commands,
			    struct sim_types types, const char *const *names);
