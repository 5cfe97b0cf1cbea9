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
	struct scaled scaled;
	struct rounds rounds;
};

static void scale(struct run *r, const struct world *w, const struct plan *plan, struct after_scale *after)
{
	struct world *launched = world_launched(&r->arena, w, plan);

	launched = scales_apply(r, launched, after->scale, after->nscale, &after->scaled);
	rounds_run(&r->arena, launched, rounds_wanted(&r->opts), &after->rounds);
}

/* What comes for the pods that a workload got. Notes were told with the first plan. */
static struct plan_report second_plan(struct run *r, const struct after_scale *after)
{
	struct cluster *c = arena_memdup(&r->arena, after->scaled.before->c, 1, sizeof(*c));

	c->nnote = 0;
	return (struct plan_report){.c = c,
				    .plan = after->scaled.plan,
				    .usd_before = world_cost(after->scaled.before),
				    .given = after->scaled.before->given,
				    .scratch = &r->arena};
}

static void emit_after_scale(struct run *r, struct emit *e, const struct after_scale *after)
{
	struct disruption_report first = round_report(r, &after->rounds.v.v[0]);

	emit_kv_map(e, "afterScale");
	if (after->scaled.plan) {
		struct plan_report second = second_plan(r, after);

		rep_pod_list(e, "addedPods", after->scaled.added.v, after->scaled.added.n);
		emit_key(e, "plan");
		rep_plan_open(e, &second);
		emit_end(e);
	}
	if (!rounds_many(&r->opts)) {
		rep_after_scale(e, after->scaled.removed.v, after->scaled.removed.n, &first);
	} else {
		rep_removed_pods(e, after->scaled.removed.v, after->scaled.removed.n);
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

static const char *change_text(struct run *r, const struct after_scale *after)
{
	uint32_t less = after->scaled.removed.n, more = after->scaled.added.n;

	if (!more)
		return arena_printf(&r->arena, " (%u pod%s fewer)", less, less == 1 ? "" : "s");
	if (!less)
		return arena_printf(&r->arena, " (%u pod%s more)", more, more == 1 ? "" : "s");
	return arena_printf(&r->arena, " (%u pod%s fewer, %u more)", less, less == 1 ? "" : "s", more);
}

static void print_text(struct run *r, const struct plan_report *p, const struct after_scale *after, bool wide)
{
	rep_plan_text(&r->out, p, wide);
	if (!after->rounds.v.n)
		return;
	buf_adds(&r->out, "\nafter");
	for (uint32_t i = 0; i < after->nscale; i++)
		buf_addf(&r->out, "%s %s", i ? "," : "", after->scale[i].text);
	buf_addf(&r->out, "%s:\n\n", after->nscale ? change_text(r, after) : " the launch");
	if (after->scaled.plan) {
		struct plan_report second = second_plan(r, after);

		rep_plan_text(&r->out, &second, wide);
		buf_addch(&r->out, '\n');
	}
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

static int exit_status(const struct opts *o, const struct plan *plan, const struct after_scale *after)
{
	if (o->fail_on_pending &&
	    (plan->nerror || plan->unsynced || (after->scaled.plan && after->scaled.plan->nerror)))
		return RC_PENDING;
	if (o->fail_on_churn && after->rounds.v.n && after->rounds.end == ROUNDS_CHURN)
		return RC_FAILED;
	if (o->detailed_exitcode && (plan->nclaim || plan->nstatic))
		return RC_CHANGES;
	return RC_OK;
}

int cmd_plan(struct run *r)
{
	struct after_scale after = {.nscale = r->opts.scale.n};
	struct plan_report report;
	struct scale *scales;
	struct stats stats;
	struct world *w;
	struct plan *plan;

	stats_init(&stats, r);
	if (!rounds_options_fit(r))
		return RC_BAD_INPUT;
	w = world_load(r);
	if (!w || !scales_parse(r, w->c, &scales))
		return RC_BAD_INPUT;
	after.scale = scales;
	stats_part(&stats, "load");
	plan = decide_claims(&r->arena, w);
	stats_part(&stats, "solve");
	decide_launches(&r->arena, w, plan);
	world_note_prices(r, w, plan);
	world_note_unsynced(r, plan->unsynced);
	hint_nothing_to_plan(r, w->c, plan);
	stats_part(&stats, "launch");
	if (after.nscale || rounds_many(&r->opts)) {
		scale(r, w, plan, &after);
		stats_part(&stats, "disrupt");
	}
	report = (struct plan_report){
		.c = w->c, .plan = plan, .usd_before = world_cost(w), .scratch = &r->arena};
	print_plan(r, &report, &after);
	stats_part(&stats, "report");
	stats_finish(&stats, r);
	return exit_status(&r->opts, plan, &after);
}
