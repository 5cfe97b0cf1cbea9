#pragma once
/*
 * The CreateFleet request that Karpenter sends for a NodeClaim. Rule: Karpenter AWS provider v1.14.1,
 * instance creation (aws-provider 3; what stands in for random and hashed parts: determinism, "Reading the
 * recorded cases").
 */
#include "ec2_types.h"
#include "plan.h"

/* Types in one request, after ordering by price (LA-11). */
#define FLEET_MAX_TYPES 60

/*
 * The request for a claim of a NodePool that uses nc. types are all types of the class in the provider's
 * order, with the pool's NodeOverlays applied; the claim's requirements narrow them. NULL when the launch
 * fails before a request is sent: *ret_error then holds Karpenter's words. The result belongs to the arena.
 */
const struct fleet *fleet_build(struct arena *a, const struct cluster *c, const struct ec2_node_class *nc,
				const struct itype_list *types, const struct plan_claim *claim,
				const char **ret_error);

/*
 * What EC2 would launch, as far as it can be told: the cheapest candidate of the request, and the price of
 * the dearest. For on-demand that is EC2's documented choice; for spot it is a model.
 */
struct launch launch_of_fleet(const struct fleet *f);
/*
 * The same with an eye on interruptions: of Spot candidates, each class of the catalogue counts as percent %
 * on the price. The prices told are the real ones.
 */
struct launch launch_weighed(const struct fleet *f, const struct catalog *cat, const struct intern *in,
			     uint32_t percent);
/* The same without EC2: the cheapest available offering among the claim's types that its requirements allow.
 */
struct launch launch_of_claim(const struct cluster *c, const struct plan_claim *claim);
