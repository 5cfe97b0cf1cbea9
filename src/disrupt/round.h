#pragma once
/*
 * One round of Karpenter's disruption controller (Karpenter v1.14.1, B1): what each of its five methods would
 * do on the same state, and what the round executes, which is the first of them that finds anything.
 *
 * The snapshot is built once; every simulation is an overlay on it.
 */
#include "budget.h"
#include "removal.h"

struct disrupt_input {
	/*
	 * By NodeClaim of the cluster: why its cloud provider finds it drifted, SID_EMPTY when it does not,
	 * SID_NONE when it cannot tell.
	 */
	const sid *provider_drift;
	const struct itype_list *const *types; /* by NodePool of the cluster, static ones too; NULL: none */
	/*
	 * After so many simulations multi- and single-node consolidation each give up, as Karpenter does
	 * after one and three minutes (B9.6, B10.2). 0: never.
	 */
	uint32_t max_simulations;
	/* By NodePool: those that a round before gave up on before it reached them come first. NULL: none. */
	const bool *unseen;
};

/* Replacements have neither Fleet requests nor launches yet. The result belongs to a. */
struct disruption *disrupt_round(struct arena *a, struct snapshot *s, const struct disrupt_input *in);

/*
 * NodeClaims that static NodePools have beyond their replicas, those first that go first: without an
 * instance, empty, then by what their pods cost to move and the life that is left (B15.2). Ties by name.
 */
uint32_t static_surplus(struct arena *a, const struct snapshot *s, sid **ret_claim);
/* Of the node at an index of the state; NULL when it is not Karpenter's, on its way out, or its NodePool is
 * not there, and when the state is not complete. */
const struct removal *disrupt_removal(struct arena *a, struct snapshot *s, const struct disrupt_input *in,
				      uint32_t snode);
