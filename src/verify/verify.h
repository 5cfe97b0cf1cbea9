#pragma once
/*
 * An independent check of decisions: whether a plan, or a round of disruption, respects what its input asks
 * for. It shares no code with the engine that decides: from the objects alone it looks up labels, sums
 * amounts and counts pods, one rule after the other, and is as slow as that. It judges the outcome, not the
 * way there: whether another place had been better is no business of it.
 *
 * Rules, each with the word that its findings start with:
 *   place       each pod that waits is once on a NodeClaim, on a node or among the errors, and no other pod
 * is pool        the NodePool of a NodeClaim is ready and dynamic; its labels and requirements hold, for
 * every value that the NodeClaim leaves open fit         pods and DaemonSets fit each instance type of a
 * NodeClaim; nodes hold their pods type        each instance type meets the requirements and has an offering;
 * types are in order of price minvalues   the types keep as many values as minValues demands launch      the
 * predicted launch is one of the types and offerings selector    node selector and a required node affinity
 * term hold for every value that is left open volume      one alternative of each volume's own terms holds
 *   taint       NoSchedule and NoExecute taints are tolerated
 *   port        host ports are free
 *   anti        required anti-affinity, of the pod and of those it meets
 *   affinity    required affinity
 *   spread      DoNotSchedule constraints
 *   limit       limits of NodePools
 *   candidate   a disrupted node is one of Karpenter's, known once, and nothing shields it
 *   budget      disruption budgets
 *   price       a consolidation gets cheaper whatever of its replacement is launched; savings are right
 *   home        pods of a removed node get a place
 *   node        a node that is no candidate stays with its pods
 *
 * What Karpenter does against its own rules, and what only the order of events decides, is no finding
 * (karpenter-core, by number):
 *   - PreferNoSchedule taints, preferences and ScheduleAnyway are given up (A11).
 *   - A DaemonSet with alternatives of required terms loses them as it is tried (A12.3): such DaemonSets are
 *     not counted.
 *   - Limits count the largest type that a NodeClaim had when it was opened (A9.3): the final types must
 *     respect them all the more. `nodes` limits only whether a run opens any NodeClaim (A9.4).
 *   - A capacity type left to reservations replaces what pods ask, and types without one stay listed (A15.1).
 *   - Expressions on one key that contradict one another ask for its absence (A6.4).
 *   - Nodes of static NodePools are replaced whatever becomes of their pods (B13.3).
 *   - A spread constraint counts pods at the time of each placement and takes NodeClaims whose domain is open
 *     for no domain (A13.18): counts are judged where every pod placed there answers to the same constraint.
 *     A pod with alternatives over the key, or that honours taints, is judged by hostname only.
 *   - Such counts are shared by constraints that differ in minDomains or selected nodes only (A13.9).
 *   - A pod that gives up a required term, or is given a toleration of PreferNoSchedule, goes by a count that
 *     knows none of the pods placed before the first such one (A11.2, A13.6, A13.9): maxSkew holds within
 *     each of these parts of a run, not over them.
 *   - Pods of a node that is not registered yet count by the Node, new ones by its NodeClaim (A8.3, A13.6).
 *   - The first pod of an affinity to itself goes anywhere (A13.16).
 *   - DaemonSets that could still come to a node hold room there, and are counted once in sum (A8.6).
 *   - Emptiness disregards pods that cost nothing to evict (B3.3).
 *   - Pods that may not be evicted are no obstacle where the method does not respect them (B6.2).
 *   - After narrowing a replacement to Spot, types without a Spot offering stay listed (B7.9).
 *   - A pod is validated only when it waits (A2.5): one that Karpenter refuses then may lose its place to a
 * round that found one for it. refused.c looks at the pod alone.
 *   - A node whose pods cost nothing to evict goes as empty, and no place is sought for them (B3.3): they may
 * lose theirs, and what they get instead may be dearer.
 *   - Pods of capacity buffers are in no input: only their number is seen.
 */
#include "outcome.h"

struct verify_input {
	struct cluster *c;                     /* not changed, but for names it learns */
	const struct itype_list *const *types; /* by index of c->pools; NULL entries: none */
};

struct findings {
	VEC(const char *) v; /* "RULE: text" */
	uint64_t checks;     /* how many facts were looked at */
};

/* What a plan gets wrong is added to out; all in a. */
void verify_plan(struct arena *a, const struct verify_input *in, const struct plan *plan,
		 struct findings *out);
/* The same of a round and of each of its methods alone. */
void verify_disruption(struct arena *a, const struct verify_input *in, const struct disruption *d,
		       struct findings *out);
/* A cluster before a round, what came of the round, and the cluster after it. Pods keep their numbers. */
void verify_settled(struct arena *a, const struct verify_input *before, const struct disruption *d,
		    const struct outcome *o, const struct verify_input *after, struct findings *out);
