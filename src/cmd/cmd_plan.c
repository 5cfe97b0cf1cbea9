/* kspot plan: what Karpenter's provisioner decides on the pods of the input. */
#include <string.h>

#include "cmd.h"
#include "decide.h"
#include "rep_plan.h"
#include "stats.h"
#include "world.h"

static void print_plan(struct run *r, const struct plan_report *p)
{
	const char *output = r->opts.output;
	struct emit e;

	if (strcmp(output, "json") == 0) {
		emit_init(&e, EMIT_JSON, &r->out);
		rep_plan_open(&e, p);
		emit_end(&e);
		emit_finish(&e);
	} else if (strcmp(output, "yaml") == 0) {
		emit_init(&e, EMIT_YAML, &r->out);
		rep_plan_objects(&e, p);
		emit_finish(&e);
	} else if (strcmp(output, "name") == 0) {
		rep_plan_names(&r->out, p);
	} else {
		rep_plan_text(&r->out, p, strcmp(output, "wide") == 0);
	}
}

static int exit_status(const struct opts *o, const struct plan *plan)
{
	if (o->fail_on_pending && plan->nerror)
		return RC_PENDING;
	if (o->detailed_exitcode && (plan->nclaim || plan->nstatic))
		return RC_CHANGES;
	return RC_OK;
}

int cmd_plan(struct run *r)
{
	struct plan_report report;
	struct stats stats;
	struct world *w;
	struct plan *plan;

	stats_init(&stats, r);
	w = world_load(r);
	if (!w)
		return RC_BAD_INPUT;
	stats_part(&stats, "load");
	plan = decide_plan(&r->arena, w);
	world_note_prices(r, w, plan);
	stats_part(&stats, "decide");
	report = (struct plan_report){
		.c = w->c, .plan = plan, .usd_before = world_cost(w), .scratch = &r->arena};
	print_plan(r, &report);
	stats_part(&stats, "report");
	stats_finish(&stats, r);
	return exit_status(&r->opts, plan);
}
