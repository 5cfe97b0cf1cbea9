/* kspot disrupt: rounds of Karpenter's disruption controller on the cluster of the input. */
#include "hints.h"
#include "print.h"
#include "stats.h"

static void print_json(struct run *r, const struct rounds *rounds)
{
	struct emit e;

	emit_init(&e, EMIT_JSON, &r->out);
	if (rounds_many(&r->opts)) {
		emit_map(&e);
		emit_kv_cstr(&e, "apiVersion", "kspot.dev/v1");
		emit_kv_cstr(&e, "kind", "DisruptionRounds");
		emit_kv_int(&e, "formatVersion", 1);
		emit_rounds(r, &e, rounds);
		emit_end(&e);
	} else {
		struct disruption_report p = round_report(r, &rounds->v.v[0]);

		rep_disruption(&e, &p);
	}
	emit_finish(&e);
}

static void print_objects(struct run *r, const struct rounds *rounds)
{
	struct emit e;

	emit_init(&e, EMIT_YAML, &r->out);
	for (uint32_t i = 0; i < rounds->v.n; i++) {
		struct disruption_report p = round_report(r, &rounds->v.v[i]);

		rep_disruption_objects(&e, &p);
	}
	emit_finish(&e);
}

static void print_names(struct run *r, const struct rounds *rounds)
{
	for (uint32_t i = 0; i < rounds->v.n; i++) {
		struct disruption_report p = round_report(r, &rounds->v.v[i]);

		rep_disruption_names(&r->out, &p);
	}
}

static void print_result(struct run *r, const struct rounds *rounds)
{
	switch (output_of(&r->opts)) {
	case OUTPUT_JSON:
		print_json(r, rounds);
		break;
	case OUTPUT_YAML:
		print_objects(r, rounds);
		break;
	case OUTPUT_NAME:
		print_names(r, rounds);
		break;
	case OUTPUT_TEXT:
	case OUTPUT_WIDE:
		print_rounds_text(r, rounds, output_of(&r->opts) == OUTPUT_WIDE);
		break;
	}
}

int cmd_disrupt(struct run *r)
{
	struct rounds rounds = {0};
	struct stats stats;
	struct world *w;

	stats_init(&stats, r);
	if (!rounds_options_fit(r))
		return RC_BAD_INPUT;
	w = world_load(r);
	if (!w)
		return RC_BAD_INPUT;
	hint_nothing_to_disrupt(r, w->c);
	stats_part(&stats, "load");
	rounds_run(&r->arena, w, rounds_wanted(&r->opts), &rounds);
	stats_part(&stats, "decide");
	print_result(r, &rounds);
	stats_part(&stats, "report");
	stats_finish(&stats, r);
	if (r->opts.fail_on_churn && rounds.end == ROUNDS_CHURN)
		return RC_FAILED;
	return r->opts.detailed_exitcode && rounds.v.v[0].d->commands.n ? RC_CHANGES : RC_OK;
}
