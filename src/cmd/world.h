#pragma once
/*
 * What a decision is taken on: the objects, and for each NodePool the instance types that its class gives.
 * Built from the options of a run, immutable afterwards; lives in the arena of the run.
 */
#include "catalog.h"
#include "cluster.h"
#include "plan.h"

struct run;

struct world {
	struct cluster *c;
	const struct catalog *catalog; /* NULL: the input brings its instance types, and EC2 plays no part */
	const struct ec2_node_class **classes; /* by index of c->pools, with a status; NULL entries: none */
	const struct itype_list **types;       /* by index of c->pools; NULL entries: none */
	uint32_t interruption_weight;          /* of predicted Spot launches, in percent; 0: by price alone */
	struct names_given given;              /* to NodeClaims so far */
	uint32_t max_simulations;              /* of multi- and single-node consolidation; 0: any number */
	const bool *unseen; /* by index of c->pools: not reached by the round before; NULL: none */
};

/* Reads objects and catalogue; settles the region and the time where the input left them open. NULL after
 * diagnostics. */
struct world *world_load(struct run *r);
/* The same for objects that were loaded already. */
struct world *world_of(struct run *r, struct cluster *c);
/* The catalogue for objects that come without instance types; settles region and time. NULL after
 * diagnostics. */
const struct catalog *world_catalog(struct run *r, struct cluster *c);
/* The types of a class over a catalogue; what its status lacks is made up, with a note. */
const struct itype_list *world_class_types(struct run *r, struct cluster *c, const struct catalog *cat,
					   const struct ec2_node_class **node_class);
/* All instance type sets that a NodePool takes part in, one after the other. */
const struct itype_list *world_generic_types(struct arena *a, const struct cluster *c, sid pool);
/* Notes on prices that are no record of what EC2 asked in the zone, where the plan uses them. */
void world_note_prices(struct run *r, struct world *w, const struct plan *plan);
/* Warns when a state cannot be decided on; why: NULL when it can. */
void world_note_unsynced(struct run *r, const char *why);
/* What the nodes that belong to NodePools cost an hour, those on their way too; nodes without a known price
 * count nothing. */
double world_cost(const struct world *w);
/* How many nodes belong to NodePools, those on their way too. */
uint32_t world_nodes(const struct world *w);
