#include "rep_disruption.h"

#include <string.h>

#include "rep_claim.h"
#include "rep_money.h"
#include "rep_outcome.h"

static const char *const reason_name[] = {
	[DISRUPT_EMPTY] = "Empty", [DISRUPT_UNDERUTILIZED] = "Underutilized", [DISRUPT_DRIFTED] = "Drifted"};

static const char *const method_name[METHOD_MAX_] = {
	[METHOD_EMPTINESS] = "emptiness", [METHOD_STATIC_DRIFT] = "staticDrift",
	[METHOD_DRIFT] = "drift",         [METHOD_MULTI] = "multi",
	[METHOD_SINGLE] = "single",
};

const char *rep_reason(enum disrupt_reason reason)
{
	return reason_name[reason];
}

static void command(struct emit *e, const struct report *r, const struct disrupt_command *cmd,
		    struct claim_namer *namer)
{
	emit_map(e);
	emit_kv_cstr(e, "reason", reason_name[cmd->reason]);
	emit_kv_cstr(e, "decision", cmd->nreplacement ? "replace" : "delete");
	emit_kv_seq(e, "candidates");
	for (uint32_t i = 0; i < cmd->ncandidate; i++)
		emit_str(e, report_text(r, cmd->candidate[i]));
	emit_end(e);
	emit_kv_seq(e, "replacements");
	for (uint32_t i = 0; i < cmd->nreplacement; i++)
		rep_claim(e, r, &cmd->replacement[i], claim_namer_next(namer, &cmd->replacement[i]));
	emit_end(e);
	/* Ready-made instance types have prices in no particular unit. */
	if (!cluster_generic(r->c))
		emit_kv_double(e, "savings", cmd->savings);
	emit_end(e);
}

static void commands(struct emit *e, const struct report *r, const char *key,
		     const struct disrupt_commands *list)
{
	struct arena_mark mark = arena_mark(r->scratch);
	struct claim_namer namer;

	claim_namer_init(&namer, r, r->scratch);
	emit_kv_seq(e, key);
	for (uint32_t i = 0; i < list->n; i++)
		command(e, r, &list->v[i], &namer);
	emit_end(e);
	arena_rewind(r->scratch, mark);
}

static void conditions(struct emit *e, const struct report *r, const struct disruption *d)
{
	emit_kv_seq(e, "conditions");
	for (uint32_t i = 0; i < d->ncondition; i++) {
		emit_map(e);
		emit_kv_str(e, "nodeClaim", report_text(r, d->condition[i].claim));
		emit_kv_str(e, "drifted", report_text(r, d->condition[i].drifted));
		emit_kv_bool(e, "consolidatable", d->condition[i].consolidatable);
		emit_end(e);
	}
	emit_end(e);
}

static void errors(struct emit *e, const struct disruption *d)
{
	emit_kv_map(e, "errors");
	if (d->round_error)
		emit_kv_cstr(e, "round", d->round_error);
	for (int m = 0; m < METHOD_MAX_; m++)
		if (d->method_error[m])
			emit_kv_cstr(e, method_name[m], d->method_error[m]);
	emit_end(e);
}

/* Only where a limit was set and reached. */
static void cut_off(struct emit *e, const struct disruption *d)
{
	bool any = false;

	for (int m = 0; m < METHOD_MAX_; m++)
		any = any || d->cut_off[m];
	if (!any)
		return;
	emit_kv_seq(e, "cutOff");
	for (int m = 0; m < METHOD_MAX_; m++)
		if (d->cut_off[m])
			emit_cstr(e, method_name[m]);
	emit_end(e);
}

/* object: NULL for all. */
static void events(struct emit *e, const struct disruption *d, const char *object)
{
	emit_kv_seq(e, "events");
	for (uint32_t i = 0; i < d->nevent; i++) {
		if (object && strcmp(d->event[i].object, object) != 0)
			continue;
		emit_map(e);
		emit_kv_cstr(e, "object", d->event[i].object);
		emit_kv_cstr(e, "reason", d->event[i].reason);
		emit_kv_cstr(e, "message", d->event[i].message);
		emit_end(e);
	}
	emit_end(e);
}

static void verdict(struct emit *e, const struct node_verdict *v)
{
	emit_kv_cstr(e, "verdict", v->verdict);
	emit_kv_cstr(e, "reason", v->reason);
	emit_kv_cstr(e, "detail", v->detail);
	if (v->found)
		emit_kv_cstr(e, "found", v->found);
}

static void nodes(struct emit *e, const struct report *r, const struct disruption *d)
{
	emit_kv_seq(e, "nodes");
	for (uint32_t i = 0; i < d->nnode; i++) {
		emit_map(e);
		emit_kv_str(e, "name", report_text(r, d->node[i].name));
		verdict(e, &d->node[i]);
		emit_end(e);
	}
	emit_end(e);
}

void rep_disruption(struct emit *e, const struct disruption_report *p)
{
	struct report r = {.c = p->c, .scratch = p->scratch, .given = p->given};
	const struct disruption *d = p->d;

	emit_map(e);
	rep_head(e, &r, "Disruption");
	commands(e, &r, "commands", &d->commands);
	emit_kv_map(e, "methods");
	for (int m = 0; m < METHOD_MAX_; m++)
		commands(e, &r, method_name[m], &d->method[m]);
	emit_end(e);
	emit_kv_seq(e, "candidates");
	for (uint32_t i = 0; i < d->ncandidate; i++)
		emit_str(e, report_text(&r, d->candidate[i]));
	emit_end(e);
	/* Without a cloud nothing but the input itself says what is drifted. */
	if (!cluster_generic(p->c))
		conditions(e, &r, d);
	errors(e, d);
	cut_off(e, d);
	events(e, d, NULL);
	nodes(e, &r, d);
	rep_outcome(e, &(struct outcome_report){&r, d, p->outcome, p->onward});
	emit_end(e);
}

static bool has_candidate(const struct disrupt_command *cmd, sid node)
{
	for (uint32_t i = 0; i < cmd->ncandidate; i++)
		if (cmd->candidate[i] == node)
			return true;
	return false;
}

void rep_disruption_of_node(struct emit *e, const struct disruption_report *p, sid node)
{
	struct report r = {.c = p->c, .scratch = p->scratch};
	const struct disruption *d = p->d;

	for (uint32_t i = 0; i < d->nnode; i++)
		if (d->node[i].name == node)
			verdict(e, &d->node[i]);
	emit_kv_map(e, "methods");
	for (int m = 0; m < METHOD_MAX_; m++) {
		struct disrupt_commands mine = {
			0, ARENA_ARRAY(p->scratch, struct disrupt_command, d->method[m].n)};

		for (uint32_t i = 0; i < d->method[m].n; i++)
			if (has_candidate(&d->method[m].v[i], node))
				mine.v[mine.n++] = d->method[m].v[i];
		commands(e, &r, method_name[m], &mine);
	}
	emit_end(e);
	errors(e, d);
	events(e, d, arena_printf(p->scratch, "Node/%s", intern_c(p->c->in, node)));
}

void rep_disruption_objects(struct emit *e, const struct disruption_report *p)
{
	struct report r = {.c = p->c, .scratch = p->scratch, .given = p->given};
	struct arena_mark mark = arena_mark(p->scratch);
	const struct disrupt_commands *list = &p->d->commands;
	struct claim_namer namer;

	claim_namer_init(&namer, &r, p->scratch);
	for (uint32_t i = 0; i < list->n; i++)
		for (uint32_t k = 0; k < list->v[i].nreplacement; k++) {
			const struct plan_claim *claim = &list->v[i].replacement[k];

			rep_claim_object(e, &r, claim, claim_namer_next(&namer, claim));
		}
	arena_rewind(p->scratch, mark);
}

void rep_disruption_names(struct buf *out, const struct disruption_report *p)
{
	const struct disrupt_commands *list = &p->d->commands;

	for (uint32_t i = 0; i < list->n; i++)
		for (uint32_t k = 0; k < list->v[i].ncandidate; k++)
			buf_addf(out, "node/%s\n", intern_c(p->c->in, list->v[i].candidate[k]));
}

double rep_disruption_cost(const struct disruption_report *p)
{
	double sum = p->usd_before;

	for (uint32_t i = 0; i < p->d->commands.n; i++)
		if (!p->outcome || !p->outcome->failed[i])
			sum -= p->d->commands.v[i].savings;
	return usd_round(sum < 0 ? 0 : sum);
}

void rep_pod_list(struct emit *e, const char *key, const char *const *pods, uint32_t n)
{
	emit_kv_seq(e, key);
	for (uint32_t i = 0; i < n; i++)
		emit_cstr(e, pods[i]);
	emit_end(e);
}

void rep_removed_pods(struct emit *e, const char *const *removed, uint32_t nremoved)
{
	rep_pod_list(e, "removedPods", removed, nremoved);
}

void rep_after_scale(struct emit *e, const char *const *removed, uint32_t nremoved,
		     const struct disruption_report *p)
{
	rep_removed_pods(e, removed, nremoved);
	emit_key(e, "disruption");
	rep_disruption(e, p);
}
