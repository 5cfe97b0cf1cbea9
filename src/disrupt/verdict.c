#include <inttypes.h>
#include <stdarg.h>

#include "round_impl.h"
#include "when.h"

/* kspot's own words on why nodes stay. */

__attribute__((format(printf, 4, 0))) static void set(struct round *r, uint32_t snode, enum verdict_code code,
						      const char *fmt, va_list ap)
{
	struct node_verdict *v = &r->verdict[snode];

	v->verdict = "stay";
	v->reason = verdict_name(code);
	v->detail = arena_vprintf(r->arena, fmt, ap);
}

void verdict(struct round *r, uint32_t snode, enum verdict_code code, const char *fmt, ...)
{
	va_list ap;

	if (r->verdict[snode].reason)
		return;
	va_start(ap, fmt);
	set(r, snode, code, fmt, ap);
	va_end(ap);
}

void verdict_over(struct round *r, uint32_t snode, enum verdict_code code, const char *fmt, ...)
{
	va_list ap;

	r->verdict[snode].found = NULL;
	va_start(ap, fmt);
	set(r, snode, code, fmt, ap);
	va_end(ap);
}

static const char *duration(struct round *r, int64_t ns)
{
	const char *text;
	struct buf b;

	buf_init(&b);
	duration_print_short(&b, ns);
	text = arena_strndup(r->arena, buf_cstr(&b), b.n);
	buf_release(&b);
	return text;
}

static const char *moment(struct round *r, int64_t at)
{
	const char *text;
	struct buf b;

	buf_init(&b);
	when_print(&b, at);
	text = arena_strndup(r->arena, buf_cstr(&b), b.n);
	buf_release(&b);
	return text;
}

const char *drifted_text(struct round *r, uint32_t snode)
{
	const struct snode *n = &r->s->state.v[snode];

	return arena_printf(r->arena, "it is drifted (%s), but ",
			    intern_c(r->s->c->in, r->claim[n->claim - r->s->c->claims.v].drifted));
}

/* "nodes: '10%', schedule: '0 9 * * *', duration: 8h, until ..." */
static const char *budget_text(struct round *r, const struct budget *b)
{
	const struct intern *in = r->s->c->in;
	const char *text = arena_printf(r->arena, "nodes: '%s'", intern_c(in, b->nodes));
	int64_t end;

	if (b->schedule != SID_NONE)
		text = arena_printf(r->arena, "%s, schedule: '%s'", text, intern_c(in, b->schedule));
	if (b->duration != DURATION_NONE)
		text = arena_printf(r->arena, "%s, duration: %s", text, duration(r, b->duration));
	if (budget_until(in, b, r->s->c->settings.now, &end))
		text = arena_printf(r->arena, "%s, in force until %s", text, moment(r, end));
	return text;
}

static const char *budget_says(struct round *r, const struct candidate *c, const struct pool_budget *b,
			       enum disrupt_reason reason)
{
	const char *pool = intern_c(r->s->c->in, c->pool->meta.name), *more = "";

	if (b->limit.broken)
		return arena_printf(
			r->arena, "a budget of NodePool %s cannot be read (%s), and blocks every disruption",
			pool, budget_text(r, b->limit.by));
	if (b->busy)
		more = arena_printf(r->arena, "; %" PRId64 " of them not ready or on the way out", b->busy);
	if (b->limit.n > b->busy)
		more = arena_printf(r->arena, "%s; other nodes come first", more);
	return arena_printf(r->arena,
			    "the budgets of NodePool %s allow %" PRId64 " of its %" PRId64
			    " node%s for reason %s (%s)%s",
			    pool, b->limit.n, b->nodes, b->nodes == 1 ? "" : "s", disrupt_reason_name(reason),
			    budget_text(r, b->limit.by), more);
}

void verdict_budget(struct round *r, const struct candidate *c, const struct pool_budget *b,
		    enum disrupt_reason reason)
{
	const char *text = budget_says(r, c, b, reason);

	if (reason == DISRUPT_DRIFTED)
		verdict_over(r, c->snode, VERDICT_BUDGET, "%s%s", drifted_text(r, c->snode), text);
	else
		verdict(r, c->snode, VERDICT_BUDGET, "%s", text);
}

void verdict_too_early(struct round *r, const struct candidate *c)
{
	const struct snode *n = &r->s->state.v[c->snode];
	const struct node_claim *nc = n->claim;
	const struct intern *in = r->s->c->in;
	const struct condition *given = conditions_find(&nc->conditions, in, "Consolidatable"),
			       *init = conditions_find(&nc->conditions, in, "Initialized");
	const char *claim = intern_c(in, nc->meta.name);
	int64_t since;

	if (given) {
		verdict(r, c->snode, VERDICT_TOO_EARLY, "condition Consolidatable of its NodeClaim %s is %s",
			claim, intern_c(in, given->status));
		return;
	}
	if (!init || !str_is(intern_str(in, init->status), "True")) {
		verdict(r, c->snode, VERDICT_TOO_EARLY,
			"condition Initialized of its NodeClaim %s is not True", claim);
		return;
	}
	since = nc->last_pod_event != TIME_NONE ? nc->last_pod_event : init->transition;
	verdict(r, c->snode, VERDICT_TOO_EARLY,
		"not before %s: consolidateAfter: %s of its NodePool counts from %s, when %s",
		moment(r, since + (c->pool->consolidate_after + 999999999) / 1000000000),
		duration(r, c->pool->consolidate_after), moment(r, since),
		nc->last_pod_event != TIME_NONE ? "a pod came or went" : "it was initialized");
}

/* --- of a whole round --- */

static const char *const method_names[METHOD_MAX_] = {
	[METHOD_EMPTINESS] = "emptiness",
	[METHOD_STATIC_DRIFT] = "static drift",
	[METHOD_DRIFT] = "drift",
	[METHOD_MULTI] = "multi-node consolidation",
	[METHOD_SINGLE] = "single-node consolidation",
};

/* Of a node's pods that count: those that nobody may move now. */
static uint32_t pods_left(const struct round *r, const struct snode *n, uint32_t *ret_all)
{
	const struct cluster *c = r->s->c;
	uint32_t left = 0;

	*ret_all = 0;
	for (uint32_t i = 0; i < n->npod; i++) {
		const struct pod *p = &c->pods.v[n->pod[i]];

		if (!pod_is_reschedulable(c, p))
			continue;
		++*ret_all;
		left += !pod_is_currently_reschedulable(c, p);
	}
	return left;
}

static const char *drift_goes(struct round *r, uint32_t snode, const struct disrupt_command *cmd,
			      uint32_t left)
{
	const struct snode *n = &r->s->state.v[snode];
	const char *reason = intern_c(r->s->c->in, r->claim[n->claim - r->s->c->claims.v].drifted);
	const char *what = !cmd->nreplacement       ? "it is deleted"
			   : cmd->nreplacement == 1 ? "it is replaced"
						    : arena_printf(r->arena, "%" PRIu32 " nodes replace it",
								   cmd->nreplacement);

	if (!left || n->pool->is_static)
		return arena_printf(r->arena, "it is drifted (%s): %s", reason, what);
	return arena_printf(
		r->arena,
		"it is drifted (%s): %s; %" PRIu32
		" of its pods may not be moved now, and stay until its terminationGracePeriod ends",
		reason, what, left);
}

static const char *why_goes(struct round *r, uint32_t snode, const struct disrupt_command *cmd)
{
	uint32_t all, left = pods_left(r, &r->s->state.v[snode], &all);
	const char *with = cmd->ncandidate == 1 ? ""
						: arena_printf(r->arena, " together with %" PRIu32 " more",
							       cmd->ncandidate - 1);

	switch (cmd->reason) {
	case DISRUPT_EMPTY:
		return !all ? "it is empty: it is deleted"
			    : arena_printf(
				      r->arena,
				      "evicting its pods (%" PRIu32
				      ") costs nothing: it is deleted, and nobody looks for places for them",
				      all);
	case DISRUPT_DRIFTED:
		return drift_goes(r, snode, cmd, left);
	case DISRUPT_UNDERUTILIZED:
		break;
	}
	return arena_printf(r->arena,
			    cmd->nreplacement ? "a cheaper node can take its pods: it is replaced%s"
					      : "other nodes have room for its pods: it is deleted%s",
			    with);
}

static void goes(struct round *r, uint32_t snode, const struct disrupt_command *cmd)
{
	static const enum verdict_code codes[] = {[DISRUPT_EMPTY] = VERDICT_EMPTY,
						  [DISRUPT_UNDERUTILIZED] = VERDICT_UNDERUTILIZED,
						  [DISRUPT_DRIFTED] = VERDICT_DRIFTED};
	struct node_verdict *v = &r->verdict[snode];

	v->verdict = cmd->nreplacement ? "replace" : "delete";
	v->reason = verdict_name(codes[cmd->reason]);
	v->detail = why_goes(r, snode, cmd);
	v->found = NULL;
}

/* Of a node that only later methods would have taken, or that was not looked at. */
static void passed_over(struct round *r, uint32_t i, int acting)
{
	const struct disrupt_commands *single = &r->out->method[METHOD_SINGLE];
	const struct disrupt_command *cmd;

	for (int m = acting + 1; m < METHOD_MAX_; m++) {
		cmd = disrupt_command_of(&r->out->method[m], r->s->state.v[i].name);
		if (!cmd)
			continue;
		verdict_over(r, i, VERDICT_LATER,
			     "%s would %s it, but %s comes first and acts on other nodes: one method a round",
			     method_names[m], cmd->nreplacement ? "replace" : "delete", method_names[acting]);
		return;
	}
	if (r->verdict[i].reason || !single->n)
		return;
	verdict(r, i, VERDICT_NOT_REACHED, "single-node consolidation %s %s, and looked no further",
		acting == METHOD_SINGLE ? "takes" : "by itself would take",
		intern_c(r->s->c->in, single->v[0].candidate[0]));
}

void verdicts_finish(struct round *r, int acting)
{
	for (uint32_t i = 0; i < r->s->state.n; i++) {
		struct node_verdict *v = &r->verdict[i];
		const struct disrupt_command *cmd = NULL;

		v->name = r->s->state.v[i].name;
		if (r->out->round_error)
			verdict(r, i, VERDICT_UNSYNCED, "%s", r->out->round_error);
		if (acting < METHOD_MAX_)
			cmd = disrupt_command_of(&r->out->method[acting], v->name);
		if (cmd)
			goes(r, i, cmd);
		else
			passed_over(r, i, acting);
	}
	r->out->node = r->verdict;
	r->out->nnode = r->s->state.n;
}
