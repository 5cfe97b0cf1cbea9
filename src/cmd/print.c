#include "print.h"

#include <string.h>

enum output output_of(const struct opts *o)
{
	static const char *const names[] = {"text", "wide", "name", "json", "yaml"};

	for (int i = 0; i < 5; i++)
		if (strcmp(o->output, names[i]) == 0)
			return (enum output)i;
	return OUTPUT_TEXT;
}

uint32_t rounds_wanted(const struct opts *o)
{
	return o->settle ? ROUNDS_MAX : o->rounds ? o->rounds : 1;
}

bool rounds_many(const struct opts *o)
{
	return o->settle || o->rounds;
}

struct disruption_report round_report(struct arena *scratch, const struct one_round *round)
{
	return (struct disruption_report){
		.c = round->before->c,
		.d = round->d,
		.usd_before = round->usd_before,
		.nnodes = world_nodes(round->before),
		.scratch = scratch,
	};
}

void print_rounds_text(struct run *r, const struct rounds *rounds, bool wide)
{
	for (uint32_t i = 0; i < rounds->v.n; i++) {
		struct disruption_report p = round_report(&r->arena, &rounds->v.v[i]);

		if (rounds_many(&r->opts))
			buf_addf(&r->out, "%sround %u\n", i ? "\n" : "", i + 1);
		rep_disruption_text(&r->out, &p, wide);
	}
}

void emit_rounds(struct run *r, struct emit *e, const struct rounds *rounds)
{
	emit_kv_seq(e, "rounds");
	for (uint32_t i = 0; i < rounds->v.n; i++) {
		struct disruption_report p = round_report(&r->arena, &rounds->v.v[i]);

		rep_disruption(e, &p);
	}
	emit_end(e);
	emit_kv_seq(e, "cost");
	for (uint32_t i = 0; i < rounds->v.n; i++) {
		emit_map(e);
		emit_kv_double(e, "usdPerHourBefore", rounds->v.v[i].usd_before);
		emit_kv_double(e, "usdPerHourAfter", rounds->v.v[i].usd_after);
		emit_end(e);
	}
	emit_end(e);
}
