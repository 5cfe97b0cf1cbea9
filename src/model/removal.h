#pragma once
/*
 * What removing one node alone would come to, whatever keeps it: where its pods would go, and why some of
 * them nowhere. Part of the arena that it was worked out in.
 */
#include "plan.h"

struct removal {
	double price;          /* of the node, USD an hour; 0: not known */
	const char *error;     /* why it cannot be simulated; the rest is empty then. NULL: it can */
	uint32_t nkept, *kept; /* pods that count, but that nobody may move now (A2.3) */
	uint32_t nnode;
	struct plan_node *node; /* nodes that would take pods of it, by name, with those pods */
	uint32_t nclaim;
	struct plan_claim
		*claim; /* new nodes for the others, before any filter by price; neither fleet nor launch */
	uint32_t nnowhere;
	struct pod_trail *nowhere; /* pods without a place */
};
