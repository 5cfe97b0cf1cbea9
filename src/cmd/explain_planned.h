#pragma once
/* A node that a plan would make, for kspot explain node/NAME: its pods, why it is what it is, and what
 * follows. */
#include "emit.h"
#include "plan.h"
#include "suggest.h"
#include "world.h"

struct planned {
	const struct plan_claim *claim; /* NULL: the plan makes no node of that name */
	const char *name;
	const struct world *after; /* the plan launched, and workloads scaled as --scale says */
};

/* Plans; names of planned nodes are tried as suggestions. false after diagnostics about --scale. */
bool planned_find(struct run *r, const struct world *w, const char *name, struct suggest *s,
		  struct planned *ret);
void planned_text(struct run *r, const struct world *w, const struct planned *p);
/* planned: {...}, as a member of an open map. */
void planned_json(struct run *r, struct emit *e, const struct world *w, const struct planned *p);
