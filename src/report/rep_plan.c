#include "rep_plan.h"

#include <stdio.h>
#include <stdlib.h>

#include "rep_claim.h"

/* Sums of prices carry the noise of their additions; prices have at most nine decimals. */
static double rounded(double usd)
{
	char text[64];

	snprintf(text, sizeof(text), "%.9f", usd);
	return strtod(text, NULL);
}

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
	return rounded(p->usd_before + claims_cost(p->plan->claim, p->plan->nclaim, dearest) +
		       claims_cost(p->plan->static_claim, p->plan->nstatic, dearest));
}

static void claims(struct emit *e, const struct report *r, const char *key, const struct plan_claim *claim,
		   const char **names, uint32_t n)
{
	emit_kv_seq(e, key);
	for (uint32_t i = 0; i < n; i++)
		rep_claim(e, r, &claim[i], names[i]);
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
		emit_end(e);
	}
	emit_end(e);
}

void rep_plan_open(struct emit *e, const struct plan_report *p)
{
	const struct plan *plan = p->plan;
	struct report r = {.c = p->c, .scratch = p->scratch};
	struct arena_mark mark = arena_mark(p->scratch);
	const char **names = rep_claim_names(&r, p->scratch, plan->claim, plan->nclaim);

	emit_map(e);
	emit_kv_cstr(e, "apiVersion", "kspot.dev/v1");
	emit_kv_cstr(e, "kind", "Plan");
	emit_kv_int(e, "formatVersion", 1);
	emit_kv_str(e, "karpenterVersion", report_text(&r, p->c->settings.karpenter_version));
	emit_kv_seq(e, "notes");
	for (uint32_t i = 0; i < p->c->nnote; i++)
		emit_cstr(e, p->c->note[i]);
	emit_end(e);
	claims(e, &r, "nodeClaims", plan->claim, names, plan->nclaim);
	if (plan->nstatic) {
		names = rep_claim_names(&r, p->scratch, plan->static_claim, plan->nstatic);
		claims(e, &r, "staticNodeClaims", plan->static_claim, names, plan->nstatic);
	}
	existing_nodes(e, &r, plan);
	pod_errors(e, &r, plan);
	emit_kv_map(e, "cost");
	emit_kv_double(e, "usdPerHourBefore", rounded(p->usd_before));
	emit_kv_double(e, "usdPerHourAfter", rep_plan_cost(p, false));
	emit_end(e);
	arena_rewind(p->scratch, mark);
}

void rep_plan_objects(struct emit *e, const struct plan_report *p)
{
	const struct plan *plan = p->plan;
	struct report r = {.c = p->c, .scratch = p->scratch};
	struct arena_mark mark = arena_mark(p->scratch);
	const char **names = rep_claim_names(&r, p->scratch, plan->claim, plan->nclaim);

	for (uint32_t i = 0; i < plan->nclaim; i++)
		rep_claim_object(e, &r, &plan->claim[i], names[i]);
	names = rep_claim_names(&r, p->scratch, plan->static_claim, plan->nstatic);
	for (uint32_t i = 0; i < plan->nstatic; i++)
		rep_claim_object(e, &r, &plan->static_claim[i], names[i]);
	arena_rewind(p->scratch, mark);
}

void rep_plan_names(struct buf *out, const struct plan_report *p)
{
	const struct plan *plan = p->plan;
	struct report r = {.c = p->c, .scratch = p->scratch};
	struct arena_mark mark = arena_mark(p->scratch);
	const char **names = rep_claim_names(&r, p->scratch, plan->claim, plan->nclaim);

	for (uint32_t i = 0; i < plan->nclaim; i++)
		buf_addf(out, "nodeclaim.karpenter.sh/%s\n", names[i]);
	names = rep_claim_names(&r, p->scratch, plan->static_claim, plan->nstatic);
	for (uint32_t i = 0; i < plan->nstatic; i++)
		buf_addf(out, "nodeclaim.karpenter.sh/%s\n", names[i]);
	arena_rewind(p->scratch, mark);
}
