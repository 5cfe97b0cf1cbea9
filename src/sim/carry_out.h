#pragma once
/*
 * Carrying out decisions: the cluster as it will be once a plan was launched, or once a workload was scaled
 * down. Each step gives a new cluster in the arena given; the old one stands, and both share what did not
 * change.
 *
 * What cannot be known is modelled: each claim becomes the node that its plan predicts, long enough ago to be
 * registered, initialised and past its NodePool's consolidateAfter (design 4.1). Pods of DaemonSets are not
 * made up; Karpenter counts on them all the same. The clock stands still.
 */
#include "outcome.h"

/* Instance types by index of cluster.pools, as the plan was made with. */
struct sim_types {
	const struct itype_list *const *by_pool;
};

/*
 * names: of the plan's claims, then of its static ones. Claims that cannot be launched are left out, their
 * pods stay pending, as gated pods do. Nodes that the cluster was starting come up; those on their way out go
 * as soon as the plan found a place for all their pods.
 */
struct cluster *sim_launch(struct arena *a, const struct cluster *c, const struct plan *plan,
			   struct sim_types types, const char *const *names);

struct pod_names {
	uint32_t n;
	const char **v; /* NAMESPACE/NAME */
};

/* The pods of a workload that neither ended nor are ending. */
uint32_t sim_replicas(const struct cluster *c, const struct workload *w);
/* Removes pods until no more than replicas are left, in the order of rank.h. ret_removed: in order of
 * namespace and name. */
struct cluster *sim_scale_down(struct arena *a, const struct cluster *c, const struct workload *w,
			       uint32_t replicas, struct pod_names *ret_removed);

/*
 * Adds pods until there are replicas of them: named, numbered and without a node as those that the loader
 * makes, with the claims of a StatefulSet. Pods get other numbers. ret_added: in the order made.
 */
struct cluster *sim_scale_up(struct arena *a, const struct cluster *c, const struct workload *w,
			     uint32_t replicas, struct pod_names *ret_added);
/* The CapacityBuffers that go by a workload once it has so many replicas, and their pods. */
struct cluster *sim_scale_buffers(struct arena *a, const struct cluster *c, const struct workload *w,
				  uint32_t replicas);

/*
 * Carries out the commands of a round: the candidates and their NodeClaims go, the replacements come (names:
 * one for each, in order of the commands), with the pods that the decision put there. The other pods of the
 * candidates become pending, those of DaemonSets and of the node itself go with it. failed: by command, why
 * it is given up, NULL when it is not: then its candidates stay, and what of its replacements can be launched
 * stays empty (B14.2).
 */
struct cluster *sim_disrupt(struct arena *a, const struct cluster *c, const struct disrupt_commands *commands,
			    const char *const *failed, struct sim_types types, const char *const *names);
/* Why a replacement of a command cannot be launched; NULL when all can. */
const char *sim_unlaunchable(const struct disrupt_command *command);
/* Without these NodeClaims and their nodes; pods that ran there become pending. */
struct cluster *sim_remove(struct arena *a, const struct cluster *c, const sid *claim, uint32_t n);

/* Fills in the pods that had a node before and have none after; done and plan of the outcome are there. */
void sim_lost(struct arena *a, const struct cluster *before, const struct cluster *after,
	      struct outcome *out);

/*
 * Instance types by index of cluster.pools with what a step left of capacity reservations: a NodeClaim that
 * came took an instance, one that went gave it back (aws-provider OF-6). by_pool itself when none did.
 */
const struct itype_list **sim_recount(struct arena *a, const struct cluster *before,
				      const struct cluster *after, const struct itype_list **by_pool);

/*
 * The cluster but for the names of things, so that equal states have equal texts: nodes with their labels,
 * taints and whose pods they hold, and pods that wait. drifted: by NodeClaim, SID_EMPTY when it is not.
 */
const char *sim_signature(struct arena *a, const struct cluster *c, const sid *drifted);
