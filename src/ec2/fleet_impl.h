#pragma once
/* Candidates of a launch as the filters narrow them; private to ec2/. */
#include "fleet.h"

/* A type with those of its offerings that are still considered. */
struct candidate {
	const struct itype *type;
	uint32_t n;
	const struct offering **offering;
};

struct fleet_ctx {
	struct arena *arena;
	struct intern *in;
	struct reqpool *rp;
	rsetid reqs; /* of the claim */
	bool min_values;
	const struct plan_claim *claim;
	uint32_t n;
	struct candidate *v;
};

/* Whether the claim's requirement on the capacity type admits it (absent admits all). */
bool fleet_admits(const struct fleet_ctx *x, sid capacity_type);
/* An available offering that goes with the requirements. */
bool fleet_usable(const struct fleet_ctx *x, const struct offering *o, rsetid reqs);
/* The value of an offering's requirement; SID_EMPTY when it has none. */
sid fleet_offering_label(const struct fleet_ctx *x, const struct offering *o, sid label);

/* LA-10: takes all types of the class and leaves in x those that a request may name. */
void fleet_filter(struct fleet_ctx *x, const struct itype_list *types);
