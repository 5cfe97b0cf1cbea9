/* kspot disrupt: one round of Karpenter's disruption controller on the nodes of the input. */
#include <string.h>

#include "cmd.h"
#include "decide.h"
#include "rep_disruption.h"
#include "stats.h"
#include "world.h"

static void print_disruption(struct run *r, const struct disruption_report *p)
{
	const char *output = r->opts.output;
	struct emit e;

	if (strcmp(output, "json") == 0) {
		emit_init(&e, EMIT_JSON, &r->out);
		rep_disruption(&e, p);
		emit_finish(&e);
	} else if (strcmp(output, "yaml") == 0) {
		emit_init(&e, EMIT_YAML, &r->out);
		rep_disruption_objects(&e, p);
		emit_finish(&e);
	} else if (strcmp(output, "name") == 0) {
		rep_disruption_names(&r->out, p);
	} else {
		rep_disruption_text(&r->out, p, strcmp(output, "wide") == 0);
	}
}

int cmd_disrupt(struct run *r)
{
	struct disruption_report report;
	struct stats stats;
	struct world *w;

	stats_init(&stats, r);
	w = world_load(r);
	if (!w)
		return RC_BAD_INPUT;
	stats_part(&stats, "load");
	report = (struct disruption_report){.c = w->c,
					    .d = decide_disruption(&r->arena, w),
					    .usd_before = world_cost(w),
					    .nnodes = world_nodes(w),
					    .scratch = &r->arena};
	stats_part(&stats, "decide");
	print_disruption(r, &report);
	stats_part(&stats, "report");
	stats_finish(&stats, r);
	return r->opts.detailed_exitcode && report.d->commands.n ? RC_CHANGES : RC_OK;
}
