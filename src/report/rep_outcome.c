#include "rep_outcome.h"

#include <inttypes.h>

#include "rep_claim.h"
#include "table.h"

static uint32_t nfailed(const struct outcome_report *p)
{
	return p->d->commands.n - p->o->done.n;
}

/* --- JSON and YAML --- */

static void emit_failed(struct emit *e, const struct outcome_report *p)
{
	if (!nfailed(p) && !p->onward)
		return;
	emit_kv_seq(e, "failed");
	for (uint32_t i = 0; i < p->d->commands.n; i++) {
		const struct disrupt_command *cmd = &p->d->commands.v[i];

		if (!p->o->failed[i])
			continue;
		emit_map(e);
		emit_kv_seq(e, "candidates");
		for (uint32_t k = 0; k < cmd->ncandidate; k++)
			emit_str(e, report_text(p->r, cmd->candidate[k]));
		emit_end(e);
		emit_kv_cstr(e, "message", p->o->failed[i]);
		emit_end(e);
	}
	emit_end(e);
}

static void emit_lost(struct emit *e, const struct outcome_report *p)
{
	if (!p->o->nlost && !p->onward)
		return;
	emit_kv_seq(e, "lostPods");
	for (uint32_t i = 0; i < p->o->nlost; i++) {
		const struct lost_pod *lost = &p->o->lost[i];

		emit_map(e);
		emit_kv_str(e, "pod", rep_pod_name(p->r, lost->pod));
		emit_kv_cstr(e, "reason", lost->reason);
		emit_kv_cstr(e, "message", lost->detail);
		emit_end(e);
	}
	emit_end(e);
}

static void emit_claims(struct emit *e, const struct report *r, const char *key,
			const struct plan_claim *claim, uint32_t n, struct claim_namer *namer)
{
	emit_kv_seq(e, key);
	for (uint32_t i = 0; i < n; i++)
		rep_claim(e, r, &claim[i], claim_namer_next(namer, &claim[i]));
	emit_end(e);
}

static void emit_onward(struct emit *e, const struct outcome_report *p)
{
	const struct report r = {.c = p->r->c, .scratch = p->r->scratch, .given = p->o->given};
	const struct plan *plan = p->o->plan;
	struct claim_namer namer;

	emit_kv_seq(e, "surplusNodeClaims");
	for (uint32_t i = 0; i < p->o->nsurplus; i++)
		emit_str(e, report_text(&r, p->o->surplus[i]));
	emit_end(e);
	claim_namer_init(&namer, &r, r.scratch);
	emit_claims(e, &r, "nodeClaims", plan->claim, plan->nclaim, &namer);
	emit_claims(e, &r, "staticNodeClaims", plan->static_claim, plan->nstatic, &namer);
	emit_kv_seq(e, "existingNodes");
	for (uint32_t i = 0; i < plan->nnode; i++) {
		emit_map(e);
		emit_kv_str(e, "name", report_text(&r, plan->node[i].name));
		emit_kv_seq(e, "pods");
		for (uint32_t k = 0; k < plan->node[i].npod; k++)
			emit_str(e, rep_pod_name(&r, plan->node[i].pod[k]));
		emit_end(e);
		emit_end(e);
	}
	emit_end(e);
}

void rep_outcome(struct emit *e, const struct outcome_report *p)
{
	struct arena_mark mark = arena_mark(p->r->scratch);

	if (!p->o || (!p->onward && !p->o->nlost && !nfailed(p)))
		return;
	emit_kv_map(e, "outcome");
	emit_failed(e, p);
	emit_lost(e, p);
	if (p->onward)
		emit_onward(e, p);
	emit_end(e);
	arena_rewind(p->r->scratch, mark);
}

/* --- text --- */

static void failed_text(struct buf *out, const struct outcome_report *p, uint32_t width)
{
	for (uint32_t i = 0; i < p->d->commands.n; i++) {
		const struct disrupt_command *cmd = &p->d->commands.v[i];

		if (p->o->failed[i])
			text_wrap(
				out,
				arena_printf(p->r->scratch,
					     "given up: %s stay%s, as Karpenter waits for every replacement "
					     "and one cannot be launched",
					     rep_names(p->r, cmd->candidate, cmd->ncandidate),
					     cmd->ncandidate == 1 ? "s" : ""),
				0, 2, width);
	}
}

static void claim_text(struct buf *out, const struct report *r, const struct plan_claim *claim,
		       const char *name, uint32_t width)
{
	const struct intern *in = r->c->in;
	const struct launch *l = &claim->launch;
	const char *what = claim->is_static ? arena_printf(r->scratch, "for static NodePool %s",
							   intern_c(in, claim->pool->meta.name))
					    : arena_printf(r->scratch, "for %" PRIu32 " pod%s", claim->npod,
							   plural(claim->npod));
	const char *text;

	if (l->type == SID_NONE)
		text = arena_printf(r->scratch, "then %s %s cannot be launched%s%s", name, what,
				    claim->fleet_error ? ": " : "",
				    claim->fleet_error ? claim->fleet_error : "");
	else
		text = arena_printf(r->scratch, "then %s is created %s: %s %s in %s, $%.4f/h", name, what,
				    intern_c(in, l->capacity_type), intern_c(in, l->type),
				    intern_c(in, l->zone), l->price);
	text_wrap(out, text, 0, 2, width);
}

static void moved_text(struct buf *out, const struct report *r, const struct plan *plan, uint32_t width)
{
	sid *node = ARENA_ARRAY(r->scratch, sid, plan->nnode);
	uint32_t n = 0, pods = 0;

	for (uint32_t i = 0; i < plan->nnode; i++) {
		uint32_t here = 0;

		for (uint32_t k = 0; k < plan->node[i].npod; k++)
			here += plan->node[i].pod[k] < r->c->pods.n;
		pods += here;
		if (here)
			node[n++] = plan->node[i].name;
	}
	if (!n)
		return;
	if (width && n > 4)
		text_wrap(out,
			  arena_printf(r->scratch,
				       "then %" PRIu32 " pods go to %s and %" PRIu32 " more nodes", pods,
				       rep_names(r, node, 3), n - 3),
			  0, 2, width);
	else
		text_wrap(out,
			  arena_printf(r->scratch, "then %" PRIu32 " pod%s go%s to %s", pods, plural(pods),
				       pods == 1 ? "es" : "", rep_names(r, node, n)),
			  0, 2, width);
}

/* By their nodes, as everything else is called on the screen. */
static const sid *surplus_nodes(const struct report *r, const struct outcome *o)
{
	sid *v = ARENA_ARRAY(r->scratch, sid, o->nsurplus);

	for (uint32_t i = 0; i < o->nsurplus; i++) {
		v[i] = o->surplus[i];
		for (uint32_t k = 0; k < r->c->claims.n; k++)
			if (r->c->claims.v[k].meta.name == o->surplus[i] &&
			    r->c->claims.v[k].node_name != SID_EMPTY)
				v[i] = r->c->claims.v[k].node_name;
	}
	return v;
}

static void onward_text(struct buf *out, const struct outcome_report *p, uint32_t width)
{
	const struct report r = {.c = p->r->c, .scratch = p->r->scratch, .given = p->o->given};
	const struct plan *plan = p->o->plan;
	struct claim_namer namer;

	if (p->o->nsurplus)
		text_wrap(out,
			  arena_printf(r.scratch,
				       "then %s go%s: static NodePools have more than their replicas",
				       rep_names(&r, surplus_nodes(&r, p->o), p->o->nsurplus),
				       p->o->nsurplus == 1 ? "es" : ""),
			  0, 2, width);
	moved_text(out, &r, plan, width);
	claim_namer_init(&namer, &r, r.scratch);
	for (uint32_t i = 0; i < plan->nclaim + plan->nstatic; i++) {
		const struct plan_claim *claim =
			i < plan->nclaim ? &plan->claim[i] : &plan->static_claim[i - plan->nclaim];

		claim_text(out, &r, claim, claim_namer_next(&namer, claim), width);
	}
}

void rep_outcome_text(struct buf *out, const struct outcome_report *p, uint32_t width)
{
	struct arena_mark mark = arena_mark(p->r->scratch);

	failed_text(out, p, width);
	if (p->onward)
		onward_text(out, p, width);
	for (uint32_t i = 0; i < p->o->nlost; i++) {
		struct str pod = rep_pod_name(p->r, p->o->lost[i].pod);

		text_wrap(out,
			  arena_printf(p->r->scratch, "warning: then pod %.*s has no place: %s", (int)pod.n,
				       pod.p, p->o->lost[i].detail),
			  0, 2, width);
	}
	arena_rewind(p->r->scratch, mark);
}
