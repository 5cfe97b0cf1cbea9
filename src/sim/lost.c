#include "sim_impl.h"

/* Pods that a round of disruption leaves without a node, and why: the plan made afterwards has the message.
 */

static const struct pod_error *error_of(const struct plan *plan, uint32_t pod)
{
	for (uint32_t i = 0; i < plan->nerror; i++)
		if (plan->error[i].pod == pod)
			return &plan->error[i];
	return NULL;
}

/* The NodeClaim of the plan that would hold the pod. */
static const struct plan_claim *claim_of(const struct plan *plan, uint32_t pod)
{
	for (uint32_t i = 0; i < plan->nclaim; i++)
		for (uint32_t k = 0; k < plan->claim[i].npod; k++)
			if (plan->claim[i].pod[k] == pod)
				return &plan->claim[i];
	return NULL;
}

static struct lost_pod explain(struct arena *a, const struct disrupt_command *cmd, const struct plan *plan,
			       uint32_t pod)
{
	const struct pod_error *error = error_of(plan, pod);
	const struct plan_claim *claim = claim_of(plan, pod);
	const char *message = error ? error->message : plan->unsynced ? plan->unsynced : "nothing takes it";

	if (claim && claim->launch.type == SID_NONE)
		return (struct lost_pod){
			pod, "CannotLaunch",
			arena_printf(a, "its NodeClaim cannot be launched: %s",
				     claim->fleet_error ? claim->fleet_error : "no instance type is left")};
	if (error && !error->npool && !error->why)
		return (struct lost_pod){
			pod, "Refused",
			arena_printf(a,
				     "Karpenter validates pods only when they wait, and refuses this one: %s",
				     message)};
	if (cmd && cmd->reason == DISRUPT_EMPTY)
		return (struct lost_pod){pod, "NotSimulated",
					 arena_printf(a,
						      "Karpenter takes a node whose pods cost nothing to "
						      "evict as empty, and looks for no place for them: %s",
						      message)};
	return (struct lost_pod){pod, "NoPlace", message};
}

void sim_lost(struct arena *a, const struct cluster *before, const struct cluster *after, struct outcome *out)
{
	VEC(struct lost_pod) lost = {0};

	for (uint32_t i = 0; i < before->pods.n; i++) {
		const struct pod *was = &before->pods.v[i];

		if (was->node != SID_EMPTY && pod_is_reschedulable(before, was) &&
		    after->pods.v[i].node == SID_EMPTY)
			VEC_PUSH(a, &lost,
				 explain(a, disrupt_command_of(&out->done, was->node), out->plan, i));
	}
	out->nlost = lost.n;
	out->lost = lost.v;
}
