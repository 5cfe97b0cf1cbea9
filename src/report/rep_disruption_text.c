#include <inttypes.h>

#include "rep_claim.h"
#include "rep_disruption.h"
#include "rep_money.h"
#include "rep_outcome.h"
#include "table.h"

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

/* What comes instead: the predicted launch, out of how many types. */
static void replacement_text(struct buf *out, const struct report *r, const struct plan_claim *claim,
			     const char *name, uint32_t width)
{
	const struct intern *in = r->c->in;
	const struct launch *l = &claim->launch;
	const char *pool = intern_c(in, claim->pool->meta.name), *text;

	if (name)
		pool = arena_printf(r->scratch, "%s, %s", pool, name);

	if (l->type == SID_NONE)
		text = arena_printf(r->scratch, "by a node of %s that cannot be launched%s%s", pool,
				    claim->fleet_error ? ": " : "",
				    claim->fleet_error ? claim->fleet_error : "");
	else
		text = arena_printf(r->scratch,
				    "by a node of %s: %s %s in %s, $%.4f/h, the cheapest of %" PRIu32
				    " type%s (at most $%.4f/h)",
				    pool, intern_c(in, l->capacity_type), intern_c(in, l->type),
				    intern_c(in, l->zone), l->price, claim->ntype, plural(claim->ntype),
				    l->price_max);
	buf_adds(out, "  ");
	text_wrap(out, text, 2, 4, width);
}

/* names: of the replacements; NULL when they have none. */
static void command_text(struct buf *out, const struct report *r, const struct disrupt_command *cmd,
			 const char *const *names, uint32_t width)
{
	struct arena_mark mark = arena_mark(r->scratch);
	const char *nodes = rep_names(r, cmd->candidate, cmd->ncandidate);
	const char *head = arena_printf(r->scratch, "%s %s (%s), saves $%.4f/h",
					cmd->nreplacement ? "replace" : "delete", nodes,
					rep_reason(cmd->reason), usd_round(cmd->savings));

	text_wrap(out, head, 0, 2, width);
	for (uint32_t i = 0; i < cmd->nreplacement; i++)
		replacement_text(out, r, &cmd->replacement[i], names ? names[i] : NULL, width);
	arena_rewind(r->scratch, mark);
}

/* Whether two nodes stay for what reads the same. */
static bool alike(const struct node_verdict *a, const struct node_verdict *b, bool wide)
{
	if (strcmp(a->verdict, "stay") != 0 || strcmp(a->detail, b->detail) != 0)
		return false;
	return !wide || (!a->found && !b->found) || (a->found && b->found && strcmp(a->found, b->found) == 0);
}

/* Why nodes stay; those with one reason stand together, in the order of the first. */
static void staying_text(struct buf *out, const struct report *r, const struct disruption *d, bool wide)
{
	bool *told = ARENA_ARRAY(r->scratch, bool, d->nnode);
	sid *same = ARENA_ARRAY(r->scratch, sid, d->nnode);
	uint32_t width = wide ? 0 : SCREEN_WIDTH;

	for (uint32_t i = 0; i < d->nnode; i++) {
		uint32_t n = 0;
		const char *text;

		if (told[i] || strcmp(d->node[i].verdict, "stay") != 0)
			continue;
		for (uint32_t k = i; k < d->nnode; k++)
			if (alike(&d->node[k], &d->node[i], wide)) {
				told[k] = true;
				same[n++] = d->node[k].name;
			}
		if (!wide && n > 4)
			text = arena_printf(r->scratch, "%s and %" PRIu32 " more stay: %s",
					    rep_names(r, same, 3), n - 3, d->node[i].detail);
		else
			text = arena_printf(r->scratch, "%s stay%s: %s%s%s", rep_names(r, same, n),
					    n == 1 ? "s" : "", d->node[i].detail,
					    wide && d->node[i].found ? "; " : "",
					    wide && d->node[i].found ? d->node[i].found : "");
		text_wrap(out, text, 0, 2, width);
	}
}

static void errors_text(struct buf *out, const struct disruption *d, uint32_t width)
{
	static const char *const name[METHOD_MAX_] = {"emptiness", "static drift", "drift",
						      "multi-node consolidation",
						      "single-node consolidation"};

	if (d->round_error) {
		buf_adds(out, "no decisions: ");
		text_wrap(out, d->round_error, 14, 2, width);
	}
	for (int m = 0; m < METHOD_MAX_; m++)
		if (d->cut_off[m])
			buf_addf(out, "%s ended early, at its limit of simulations\n", name[m]);
	for (int m = 0; m < METHOD_MAX_; m++)
		if (d->method_error[m]) {
			buf_addf(out, "%s failed: ", name[m]);
			text_wrap(out, d->method_error[m], (uint32_t)strlen(name[m]) + 9, 2, width);
		}
}

static void events_text(struct buf *out, const struct report *r, const struct disruption *d)
{
	static const struct table_column columns[] = {
		{.title = "OBJECT"}, {.title = "EVENT"}, {.title = "MESSAGE"}};
	struct table t;

	if (!d->nevent)
		return;
	table_init(&t, r->scratch, columns, COUNT(columns));
	for (uint32_t i = 0; i < d->nevent; i++) {
		table_cell(&t, "%s", d->event[i].object);
		table_cell(&t, "%s", d->event[i].reason);
		table_cell(&t, "%s", d->event[i].message);
	}
	buf_addch(out, '\n');
	table_print(&t, out, 0);
}

/* Where rounds follow, replacements are called by the names that they have there. */
static void commands_text(struct buf *out, const struct report *r, const struct disruption_report *p,
			  uint32_t width)
{
	struct claim_namer namer;

	claim_namer_init(&namer, r, r->scratch);
	for (uint32_t i = 0; i < p->d->commands.n; i++) {
		const struct disrupt_command *cmd = &p->d->commands.v[i];
		const char **names = ARENA_ARRAY(r->scratch, const char *, cmd->nreplacement);

		for (uint32_t k = 0; k < cmd->nreplacement; k++)
			names[k] = claim_namer_next(&namer, &cmd->replacement[k]);
		command_text(out, r, cmd, p->onward ? names : NULL, width);
	}
}

static uint32_t launched(const struct plan_claim *claim, uint32_t n)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += claim[i].launch.type != SID_NONE;
	return sum;
}

/* One line: how many nodes come and go, and the cost before and after. */
static void closing(struct buf *out, const struct disruption_report *p)
{
	const struct disrupt_commands *all = &p->d->commands;
	const struct outcome *o = p->outcome;
	uint32_t created = 0, removed = 0;

	for (uint32_t i = 0; i < all->n; i++) {
		if (o && o->failed[i])
			continue;
		created += all->v[i].nreplacement;
		removed += all->v[i].ncandidate;
	}
	if (o && p->onward) {
		created += launched(o->plan->claim, o->plan->nclaim) +
			   launched(o->plan->static_claim, o->plan->nstatic);
		removed += o->nsurplus;
	}
	buf_addf(out,
		 "%" PRIu32 " node%s to create, %" PRIu32 " of %" PRIu32 " to remove; $%.4f/h -> $%.4f/h\n",
		 created, plural(created), removed, p->nnodes, usd_round(p->usd_before),
		 o && p->onward ? usd_round(p->usd_after) : rep_disruption_cost(p));
}

void rep_disruption_text(struct buf *out, const struct disruption_report *p, bool wide)
{
	const struct disruption *d = p->d;
	struct report r = {.c = p->c, .scratch = p->scratch, .given = p->given};
	struct arena_mark mark = arena_mark(p->scratch);
	uint32_t width = wide ? 0 : SCREEN_WIDTH;

	commands_text(out, &r, p, width);
	if (p->outcome)
		rep_outcome_text(out, &(struct outcome_report){&r, d, p->outcome, p->onward}, width);
	staying_text(out, &r, d, wide);
	errors_text(out, d, width);
	if (wide)
		events_text(out, &r, d);
	if (out->n)
		buf_addch(out, '\n');
	closing(out, p);
	arena_rewind(p->scratch, mark);
}
