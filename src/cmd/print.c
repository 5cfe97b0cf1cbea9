#include "print.h"

#include <string.h>

#include "rep_money.h"
#include "table.h"

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

bool rounds_options_fit(struct run *r)
{
	if (!r->opts.fail_on_churn || rounds_many(&r->opts))
		return true;
	diag(&r->diags, KS_OPTION_VALUE, SPAN_NONE, "--fail-on-churn needs --settle or --rounds");
	return false;
}

struct disruption_report round_report(struct run *r, const struct one_round *round)
{
	return (struct disruption_report){
		.c = round->before->c,
		.d = round->d,
		.usd_before = round->usd_before,
		.usd_after = round->usd_after,
		.given = round->before->given,
		.outcome = round->outcome,
		.onward = rounds_many(&r->opts),
		.nnodes = world_nodes(round->before),
		.scratch = &r->arena,
	};
}

/* --- how the rounds ended --- */

static const char *const end_name[] = {[ROUNDS_SETTLED] = "Settled",
				       [ROUNDS_CHURN] = "ChurnLoop",
				       [ROUNDS_LIMIT] = "RoundLimit",
				       [ROUNDS_UNSYNCED] = "NotSynced"};

/* A NodePool and a reason that the rounds of a churn loop disrupt it for, again and again. */
struct churn {
	sid pool;
	enum disrupt_reason reason;
	bool failed; /* and the replacement cannot be launched */
};

struct churns {
	VEC(struct churn) v;
};

static void add_churn(struct run *r, struct churns *list, struct churn one)
{
	for (uint32_t i = 0; i < list->v.n; i++)
		if (list->v.v[i].pool == one.pool && list->v.v[i].reason == one.reason &&
		    list->v.v[i].failed == one.failed)
			return;
	VEC_PUSH(&r->arena, &list->v, one);
}

static struct churns churn_of(struct run *r, const struct rounds *rounds)
{
	struct churns out = {0};

	for (uint32_t i = rounds->loop; i < rounds->v.n; i++) {
		const struct one_round *round = &rounds->v.v[i];
		const struct disrupt_commands *all = &round->d->commands;

		for (uint32_t k = 0; k < all->n; k++)
			for (uint32_t m = 0; m < all->v[k].ncandidate; m++) {
				const struct node *n = cluster_node(round->before->c, all->v[k].candidate[m]);
				sid pool = n ? labels_get(&n->meta.labels, LBL_NODEPOOL) : SID_NONE;

				if (pool != SID_NONE)
					add_churn(r, &out,
						  (struct churn){pool, all->v[k].reason,
								 round->outcome->failed[k] != NULL});
			}
	}
	return out;
}

static const char *churn_text(struct run *r, const struct rounds *rounds)
{
	const struct intern *in = rounds->v.v[0].before->c->in;
	struct churns list = churn_of(r, rounds);
	uint32_t first = rounds->loop + 1, last = rounds->v.n;
	const char *text;
	struct buf b;

	buf_init(&b);
	if (first == last)
		buf_addf(&b, "; churn loop: round %u repeats for ever", first);
	else
		buf_addf(&b, "; churn loop: rounds %u to %u repeat for ever", first, last);
	for (uint32_t i = 0; i < list.v.n; i++)
		buf_addf(&b, "%s NodePool %s (%s%s)", i ? "," : ":", intern_c(in, list.v.v[i].pool),
			 rep_reason(list.v.v[i].reason), list.v.v[i].failed ? ", cannot be launched" : "");
	text = arena_strndup(&r->arena, b.p, b.n);
	buf_release(&b);
	return text;
}

static const char *end_text(struct run *r, const struct rounds *rounds)
{
	switch (rounds->end) {
	case ROUNDS_SETTLED:
		return "; settled: nothing more happens";
	case ROUNDS_CHURN:
		return churn_text(r, rounds);
	case ROUNDS_LIMIT:
		return "; not settled yet";
	case ROUNDS_UNSYNCED:
		return "; nothing can be decided on this state";
	}
	return "";
}

static const struct world *last_world(const struct rounds *rounds)
{
	const struct one_round *last = &rounds->v.v[rounds->v.n - 1];

	return last->after ? last->after : last->before;
}

static void print_end(struct run *r, const struct rounds *rounds, bool wide)
{
	const struct world *first = rounds->v.v[0].before, *last = last_world(rounds);
	uint32_t n = rounds->v.n, nodes = world_nodes(first);
	const char *text =
		arena_printf(&r->arena, "%u round%s: %u node%s -> %u, $%.4f/h -> $%.4f/h%s", n,
			     n == 1 ? "" : "s", nodes, nodes == 1 ? "" : "s", world_nodes(last),
			     usd_round(world_cost(first)), usd_round(world_cost(last)), end_text(r, rounds));

	buf_addch(&r->out, '\n');
	text_wrap(&r->out, text, 0, 2, wide ? 0 : SCREEN_WIDTH);
}

static void emit_churn(struct run *r, struct emit *e, const struct rounds *rounds)
{
	const struct intern *in = rounds->v.v[0].before->c->in;
	struct churns list = churn_of(r, rounds);

	emit_kv_map(e, "loop");
	emit_kv_int(e, "firstRound", rounds->loop + 1);
	emit_kv_int(e, "rounds", rounds->v.n - rounds->loop);
	emit_kv_seq(e, "disruptions");
	for (uint32_t i = 0; i < list.v.n; i++) {
		emit_map(e);
		emit_kv_str(e, "nodePool", intern_str(in, list.v.v[i].pool));
		emit_kv_cstr(e, "reason", rep_reason(list.v.v[i].reason));
		emit_kv_bool(e, "failed", list.v.v[i].failed);
		emit_end(e);
	}
	emit_end(e);
	emit_end(e);
}

static void emit_end_of(struct run *r, struct emit *e, const struct rounds *rounds)
{
	const struct world *first = rounds->v.v[0].before, *last = last_world(rounds);

	emit_kv_map(e, "ended");
	emit_kv_cstr(e, "because", end_name[rounds->end]);
	emit_kv_int(e, "rounds", rounds->v.n);
	emit_kv_int(e, "nodesBefore", world_nodes(first));
	emit_kv_int(e, "nodesAfter", world_nodes(last));
	emit_kv_double(e, "usdPerHourBefore", usd_round(world_cost(first)));
	emit_kv_double(e, "usdPerHourAfter", usd_round(world_cost(last)));
	if (rounds->end == ROUNDS_CHURN)
		emit_churn(r, e, rounds);
	emit_end(e);
}

/* --- rounds --- */

void print_rounds_text(struct run *r, const struct rounds *rounds, bool wide)
{
	for (uint32_t i = 0; i < rounds->v.n; i++) {
		struct disruption_report p = round_report(r, &rounds->v.v[i]);

		if (rounds_many(&r->opts))
			buf_addf(&r->out, "%sround %u\n", i ? "\n" : "", i + 1);
		rep_disruption_text(&r->out, &p, wide);
	}
	if (rounds_many(&r->opts))
		print_end(r, rounds, wide);
}

void emit_rounds(struct run *r, struct emit *e, const struct rounds *rounds)
{
	emit_kv_seq(e, "rounds");
	for (uint32_t i = 0; i < rounds->v.n; i++) {
		struct disruption_report p = round_report(r, &rounds->v.v[i]);

		rep_disruption(e, &p);
	}
	emit_end(e);
	emit_kv_seq(e, "cost");
	for (uint32_t i = 0; i < rounds->v.n; i++) {
		emit_map(e);
		emit_kv_double(e, "usdPerHourBefore", usd_round(rounds->v.v[i].usd_before));
		emit_kv_double(e, "usdPerHourAfter", usd_round(rounds->v.v[i].usd_after));
		emit_end(e);
	}
	emit_end(e);
	emit_end_of(r, e, rounds);
}
