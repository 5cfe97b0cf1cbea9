/* kspot plan: what Karpenter's provisioner decides on the pods of the input. */
#include <string.h>

#include "carry_out.h"
#include "decide.h"
#include "hints.h"
#include "print.h"
#include "rep_plan.h"
#include "scale.h"
#include "stats.h"
#include "world.h"

/* What follows on the planned nodes, with --scale once workloads are scaled; rounds.v.n is 0 when not asked
 * for.
 */
struct after_scale {
	uint32_t nscale;
	const struct scale *scale;
	struct pod_names removed;
	struct rounds rounds;
};

static void scale_down(struct run *r, const struct world *w, const struct plan *plan,
		       struct after_scale *after)
{
	struct world *launched = world_launched(&r->arena, w, plan);

	launched->c = scales_apply(r, launched->c, after->scale, after->nscale, &after->removed);
	rounds_run(&r->arena, launched, rounds_wanted(&r->opts), &after->rounds);
}

static void emit_after_scale(struct run *r, struct emit *e, const struct after_scale *after)
{
	struct disruption_report first = round_report(r, &after->rounds.v.v[0]);

	emit_kv_map(e, "afterScale");
	if (!rounds_many(&r->opts)) {
		rep_after_scale(e, after->removed.v, after->removed.n, &first);
	} else {
		rep_removed_pods(e, after->removed.v, after->removed.n);
		emit_rounds(r, e, &after->rounds);
	}
	emit_end(e);
}

static void print_json(struct run *r, const struct plan_report *p, const struct after_scale *after)
{
	struct emit e;

	emit_init(&e, EMIT_JSON, &r->out);
	rep_plan_open(&e, p);
	if (after->rounds.v.n)
		emit_after_scale(r, &e, after);
	emit_end(&e);
	emit_finish(&e);
}

static void print_text(struct run *r, const struct plan_report *p, const struct after_scale *after, bool wide)
{
	rep_plan_text(&r->out, p, wide);
	if (!after->rounds.v.n)
		return;
	buf_adds(&r->out, "\nafter");
	for (uint32_t i = 0; i < after->nscale; i++)
		buf_addf(&r->out, "%s %s", i ? "," : "", after->scale[i].text);
	if (after->nscale)
		buf_addf(&r->out, " (%u pod%s fewer):\n\n", after->removed.n,
			 after->removed.n == 1 ? "" : "s");
	else
		buf_adds(&r->out, " the launch:\n\n");
	print_rounds_text(r, &after->rounds, wide);
}

static void print_plan(struct run *r, const struct plan_report *p, const struct after_scale *after)
{
	struct emit e;

	switch (output_of(&r->opts)) {
	case OUTPUT_JSON:
		print_json(r, p, after);
		break;
	case OUTPUT_YAML:
		emit_init(&e, EMIT_YAML, &r->out);
		rep_plan_objects(&e, p);
		emit_finish(&e);
		break;
	case OUTPUT_NAME:
		rep_plan_names(&r->out, p);
		break;
	case OUTPUT_TEXT:
	case OUTPUT_WIDE:
		print_text(r, p, after, output_of(&r->opts) == OUTPUT_WIDE);
		break;
	}
}

static int exit_status(const struct opts *o, const struct plan *plan, const struct rounds *rounds)
{
	if (o->fail_on_pending && (plan->nerror || plan->unsynced))
		return RC_PENDING;
	if (o->fail_on_churn && rounds->v.n && rounds->end == ROUNDS_CHURN)
		return RC_FAILED;
	if (o->detailed_exitcode && (plan->nclaim || plan->nstatic))
		return RC_CHANGES;
	return RC_OK;
}

int cmd_plan(struct run *r)
{
	struct after_scale after = {.nscale = r->opts.scale.n};
	struct plan_report report;
	struct scale *scale;
	struct stats stats;
	struct world *w;
	struct plan *plan;

	stats_init(&stats, r);
	if (!rounds_options_fit(r))
		return RC_BAD_INPUT;
	w = world_load(r);
	if (!w || !scales_parse(r, w->c, &scale))
		return RC_BAD_INPUT;
	after.scale = scale;
	stats_part(&stats, "load");
	plan = decide_claims(&r->arena, w);
	stats_part(&stats, "solve");
	decide_launches(&r->arena, w, plan);
	world_note_prices(r, w, plan);
	world_note_unsynced(r, plan->unsynced);
	hint_nothing_to_plan(r, w->c, plan);
	stats_part(&stats, "launch");
	if (after.nscale || rounds_many(&r->opts)) {
		scale_down(r, w, plan, &after);
		stats_part(&stats, "disrupt");
	}
	report = (struct plan_report){
		.c = w->c, .plan = plan, .usd_before = world_cost(w), .scratch = &r->arena};
	print_plan(r, &report, &after);
	stats_part(&stats, "report");
	stats_finish(&stats, r);
	return exit_status(&r->opts, plan, &after.rounds);
}
