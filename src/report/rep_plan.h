#pragma once
/* The result of planning, in each of the forms that kspot plan prints. Reads the plan, changes nothing. */
#include "plan.h"
#include "rep_object.h"

struct plan_report {
	const struct cluster *c;
	const struct plan *plan;
	double usd_before;        /* what the nodes of the input cost an hour */
	struct names_given given; /* to NodeClaims before */
	struct arena *scratch;
};

/* kind: Plan (design 4.1), left open so that the caller may add members before emit_end(). */
void rep_plan_open(struct emit *e, const struct plan_report *p);
/* The NodeClaims as objects, one document each. */
void rep_plan_objects(struct emit *e, const struct plan_report *p);
/* The names of the NodeClaims, one a line, as kubectl prints names. */
void rep_plan_names(struct buf *out, const struct plan_report *p);
/* The screen (design 4.5). wide: nothing is cut to 80 columns, and more is told. */
void rep_plan_text(struct buf *out, const struct plan_report *p, bool wide);

/* Costs after the plan an hour: predicted, and if every launch were the dearest candidate. */
double rep_plan_cost(const struct plan_report *p, bool dearest);
