#include "rep_plan.h"

#include "rep_claim.h"
#include "rep_money.h"
#include "rep_why.h"

static double claims_cost(const struct plan_claim *claim, uint32_t n, bool dearest)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		if (claim[i].launch.type != SID_NONE)
			sum += dearest ? claim[i].launch.price_max : claim[i].launch.price;
	return sum;
}

double rep_plan_cost(const struct plan_report *p, bool dearest)
{
	return usd_round(p->usd_before + claims_cost(p->plan->claim, p->plan->nclaim, dearest) +
			 claims_cost(p->plan->static_claim, p->plan->nstatic, dearest));
}

static void claims(struct emit *e, const struct report *r, const char *key, const struct plan_claim *claim,
		   uint32_t n, struct claim_namer *namer)
{
	emit_kv_seq(e, key);
	for (uint32_t i = 0; i < n; i++)
		rep_claim(e, r, &claim[i], claim_namer_next(namer, &claim[i]));
	emit_end(e);
}

static void existing_nodes(struct emit *e, const struct report *r, const struct plan *plan)
{
	emit_kv_seq(e, "existingNodes");
	for (uint32_t i = 0; i < plan->nnode; i++) {
		const struct plan_node *node = &plan->node[i];

		emit_map(e);
		emit_kv_str(e, "name", report_text(r, node->name));
		emit_kv_seq(e, "pods");
		for (uint32_t k = 0; k < node->npod; k++)
			emit_str(e, rep_pod_name(r, node->pod[k]));
		emit_end(e);
		emit_end(e);
	}
	emit_end(e);
}

static void pod_errors(struct emit *e, const struct report *r, const struct plan *plan)
{
	emit_kv_map(e, "podErrors");
	for (uint32_t i = 0; i < plan->nerror; i++) {
		const struct pod_error *err = &plan->error[i];
		bool ignored = str_starts(str_of(err->message), "ignoring pod, ");

		emit_key_str(e, rep_pod_name(r, err->pod));
		emit_map(e);
		emit_kv_cstr(e, "reason", ignored ? "Ignored" : "Unschedulable");
		emit_kv_cstr(e, "message", err->message);
		if (err->why)
			rep_why(e, r, err->why, err->pool, err->npool);
		emit_end(e);
	}
	emit_end(e);
}

void rep_plan_open(struct emit *e, const struct plan_report *p)
{
	const struct plan *plan = p->plan;
	struct report r = {.c = p->c, .scratch = p->scratch, .given = p->given};
	struct arena_mark mark = arena_mark(p->scratch);
	struct claim_namer namer;

	claim_namer_init(&namer, &r, p->scratch);
	emit_map(e);
	rep_head(e, &r, "Plan");
	claims(e, &r, "nodeClaims", plan->claim, plan->nclaim, &namer);
	if (plan->nstatic)
		claims(e, &r, "staticNodeClaims", plan->static_claim, plan->nstatic, &namer);
	existing_nodes(e, &r, plan);
	pod_errors(e, &r, plan);
	emit_kv_map(e, "cost");
	emit_kv_double(e, "usdPerHourBefore", usd_round(p->usd_before));
	emit_kv_double(e, "usdPerHourAfter", rep_plan_cost(p, false));
	emit_end(e);
	arena_rewind(p->scratch, mark);
}

void rep_plan_objects(struct emit *e, const struct plan_report *p)
{
	const struct plan *plan = p->plan;
	struct report r = {.c = p->c, .scratch = p->scratch, .given = p->given};
	struct arena_mark mark = arena_mark(p->scratch);
	struct claim_namer namer;

	claim_namer_init(&namer, &r, p->scratch);
	for (uint32_t i = 0; i < plan->nclaim; i++)
		rep_claim_object(e, &r, &plan->claim[i], claim_namer_next(&namer, &plan->claim[i]));
	for (uint32_t i = 0; i < plan->nstatic; i++)
		rep_claim_object(e, &r, &plan->static_claim[i],
				 claim_namer_next(&namer, &plan->static_claim[i]));
	arena_rewind(p->scratch, mark);
}

void rep_plan_names(struct buf *out, const struct plan_report *p)
{
	const struct plan *plan = p->plan;
	struct report r = {.c = p->c, .scratch = p->scratch, .given = p->given};
	struct arena_mark mark = arena_mark(p->scratch);
	struct claim_namer namer;

	claim_namer_init(&namer, &r, p->scratch);
	for (uint32_t i = 0; i < plan->nclaim; i++)
		buf_addf(out, "nodeclaim.karpenter.sh/%s\n", claim_namer_next(&namer, &plan->claim[i]));
	for (uint32_t i = 0; i < plan->nstatic; i++)
		buf_addf(out, "nodeclaim.karpenter.sh/%s\n",
			 claim_namer_next(&namer, &plan->static_claim[i]));
	arena_rewind(p->scratch, mark);
}
