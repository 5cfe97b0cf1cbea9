#pragma once
/*
 * Why EC2 would find a NodeClaim drifted from its EC2NodeClass. Rule: Karpenter AWS provider v1.14.1, drift
 * (aws-provider DR-1); what stands for the instance behind a claim: determinism, "Disruption".
 */
#include "ec2_types.h"

/*
 * The reason, SID_EMPTY when the claim is not drifted, SID_NONE when it cannot be told (no image id, type
 * unknown, no AMIs). nc with a status; types as the claim's NodePool sees them.
 */
sid ec2_drift(struct cluster *c, const struct ec2_node_class *nc, const struct itype_list *types,
	      const struct node_claim *claim);
