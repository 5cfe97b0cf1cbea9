#pragma once
/*
 * From a filled claim to the NodeClaim object that would be created (Karpenter v1.14.1, A15.4).
 */
#include "plan.h"
#include "run.h"

/* A claim between solving and creation; consolidation narrows reqs and types before the object is made. */
struct claim_data {
	struct template *m;
	rsetid reqs;
	uint32_t ntype;
	const struct itype **type;
	struct reslist requests;
	uint32_t npod;
	uint32_t *pod; /* indices of cluster.pods, or virtual */
	bool relaxed, relaxed_known;
};

void claim_data_of(const struct solving *r, const struct claim *c, struct claim_data *ret_d);
/* Sorts the types once more and writes the object. Neither fleet nor launch is set. */
void claim_object(struct snapshot *s, struct arena *a, const struct claim_data *d, struct plan_claim *out);
/* The NodeClaim of a static NodePool: its plain template, without a choice of types. */
void claim_of_pool(struct snapshot *s, struct arena *a, const struct node_pool *np, struct plan_claim *out);
