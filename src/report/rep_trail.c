#include "rep_trail.h"

#include <inttypes.h>

#include "rep_why.h"
#include "table.h"

static void paragraph(struct buf *out, const char *head, const char *text)
{
	buf_adds(out, head);
	text_wrap(out, text, (uint32_t)strlen(head), 4, SCREEN_WIDTH);
}

/* "topology spread over topology.kubernetes.io/zone, maxSkew 1, of pods with app=web: a 1, b 0" */
static void group(struct buf *out, const struct report *r, const struct why_group *g)
{
	enum { SHOWN = 12 };
	struct buf b;

	buf_init(&b);
	buf_adds(&b, intern_c(r->c->in, g->key));
	if (g->max_skew)
		buf_addf(&b, ", maxSkew %" PRId32, g->max_skew);
	buf_addf(&b, ", pods with %s", g->selector);
	for (uint32_t i = 0; i < g->ndomain && i < SHOWN; i++)
		buf_addf(&b, "%s %s %" PRId32, i ? "," : ":", intern_c(r->c->in, g->domain[i].name),
			 g->domain[i].pods);
	if (g->ndomain > SHOWN)
		buf_addf(&b, ", %" PRIu32 " more", g->ndomain - SHOWN);
	paragraph(out, arena_printf(r->scratch, "  %s%s over ", g->kind, g->inverse ? " of other pods" : ""),
		  buf_cstr(&b));
	buf_release(&b);
}

static void pod_itself(struct buf *out, const struct report *r, const struct pod_trail *t)
{
	struct buf b;

	if (t->pod >= r->c->pods.n)
		buf_adds(out, "  a pod that a CapacityBuffer keeps room for\n");
	paragraph(out, "  requests ", rep_amounts(r, cluster_pod_requests(r->c, t->pod)));
	buf_init(&b);
	if (t->needs != RSET_EMPTY)
		rset_print(r->c->rp, &b, t->needs);
	if (b.n)
		paragraph(out, "  needs ", buf_cstr(&b));
	buf_release(&b);
	for (uint32_t i = 0; i < t->ngroup; i++)
		group(out, r, &t->group[i]);
	if (t->alike > 1)
		buf_addf(out, "  like %" PRIu32 " other pod%s of the plan\n", t->alike - 1,
			 plural(t->alike - 1));
	if (t->given_up)
		buf_addf(out,
			 "  tried %" PRIu32 " times, giving up a preference or an alternative each time\n",
			 t->given_up + 1);
}

/* The code of the verdict and, as *ret_text, a sentence. */
static const char *verdict_of(const struct report *r, const struct pod_trail *t, const char **ret_text)
{
	const struct intern *in = r->c->in;
	sid node = t->pod < r->c->pods.n ? r->c->pods.v[t->pod].node : SID_EMPTY;
	const char *others = arena_printf(r->scratch, "with %" PRIu32 " other pod%s", t->companions,
					  plural(t->companions));

	switch (t->verdict) {
	case POD_NOT_LOOKED_AT:
		if (node != SID_EMPTY) {
			*ret_text = arena_printf(r->scratch, "on node %s", intern_c(in, node));
			return "Bound";
		}
		*ret_text = "not a pod that Karpenter looks for a node for";
		return "NotConsidered";
	case POD_LEFT_OUT:
		*ret_text = "left out by Karpenter";
		return "Ignored";
	case POD_TO_NODE:
		*ret_text = arena_printf(r->scratch, "goes to node %s, %s of the plan", intern_c(in, t->node),
					 others);
		return "ToNode";
	case POD_TO_CLAIM:
		*ret_text = arena_printf(r->scratch, "goes to a new node of NodePool %s, %s",
					 intern_c(in, t->pool->meta.name), others);
		return "ToNewNode";
	case POD_STAYS:
		break;
	}
	*ret_text = "stays pending";
	return "Unschedulable";
}

static void verdict(struct buf *out, const struct report *r, const struct pod_trail *t)
{
	struct str name = rep_pod_name(r, t->pod);
	const char *text;

	verdict_of(r, t, &text);
	buf_addf(out, "pod/%s: ", name.p);
	text_wrap(out, text, (uint32_t)name.n + 6, 2, SCREEN_WIDTH);
}

static void nodes(struct buf *out, const struct report *r, const struct pod_trail *t)
{
	const struct intern *in = r->c->in;

	buf_adds(out, "\nnodes there are, after the plan:\n");
	for (uint32_t i = 0; i < t->nnodes; i++) {
		const struct why_nodes *n = &t->nodes[i];
		const char *node = intern_c(in, n->nearest);
		const char *head = n->count == 1
					   ? arena_printf(r->scratch, "  %s: ", node)
					   : arena_printf(r->scratch, "  %" PRIu32 " nodes: ", n->count);
		const char *text =
			n->count == 1 ? n->message : arena_printf(r->scratch, "%s (%s)", n->message, node);

		paragraph(out, head, text);
	}
}

void rep_trail_text(struct buf *out, const struct report *r, const struct pod_trail *t)
{
	verdict(out, r, t);
	if (t->verdict != POD_NOT_LOOKED_AT)
		pod_itself(out, r, t);
	if (t->message) {
		buf_adds(out, "\nKarpenter's message:\n  ");
		text_wrap(out, t->message, 2, 2, SCREEN_WIDTH);
	}
	if (t->why && t->why->n) {
		buf_adds(out, "\nNodePools, nearest miss first:\n");
		rep_why_text(out, r, t->why, 0, SCREEN_WIDTH);
	}
	if (t->nnodes)
		nodes(out, r, t);
}

static void emit_group(struct emit *e, const struct report *r, const struct why_group *g)
{
	emit_map(e);
	emit_kv_cstr(e, "kind", g->kind);
	if (g->inverse)
		emit_kv_bool(e, "ofOtherPods", true);
	emit_kv_str(e, "topologyKey", report_text(r, g->key));
	if (g->max_skew)
		emit_kv_int(e, "maxSkew", g->max_skew);
	emit_kv_cstr(e, "selector", g->selector);
	emit_kv_map(e, "domains");
	for (uint32_t i = 0; i < g->ndomain; i++)
		emit_kv_int(e, intern_c(r->c->in, g->domain[i].name), g->domain[i].pods);
	emit_end(e);
	emit_end(e);
}

static void emit_nodes(struct emit *e, const struct report *r, const struct why_nodes *n)
{
	emit_map(e);
	emit_kv_cstr(e, "code", why_info(n->code)->name);
	if (n->subject != SID_NONE)
		emit_kv_str(e, "subject", report_text(r, n->subject));
	emit_kv_int(e, "count", n->count);
	emit_kv_str(e, "nearest", report_text(r, n->nearest));
	emit_kv_cstr(e, "message", n->message);
	emit_end(e);
}

static void emit_verdict(struct emit *e, const struct report *r, const struct pod_trail *t)
{
	const char *text, *code = verdict_of(r, t, &text);

	emit_kv_cstr(e, "verdict", code);
	emit_kv_cstr(e, "detail", text);
	if (t->verdict == POD_TO_NODE)
		emit_kv_str(e, "node", report_text(r, t->node));
	if (t->verdict == POD_NOT_LOOKED_AT && r->c->pods.v[t->pod].node != SID_EMPTY)
		emit_kv_str(e, "node", report_text(r, r->c->pods.v[t->pod].node));
	if (t->verdict == POD_TO_CLAIM)
		emit_kv_str(e, "nodePool", report_text(r, t->pool->meta.name));
}

void rep_trail(struct emit *e, const struct report *r, const struct pod_trail *t)
{
	emit_kv_bool(e, "ofBuffer", t->pod >= r->c->pods.n);
	emit_verdict(e, r, t);
	rep_resources(e, r, "requests", cluster_pod_requests(r->c, t->pod));
	rep_requirements(e, r, "requirements", t->needs, false);
	emit_kv_seq(e, "topology");
	for (uint32_t i = 0; i < t->ngroup; i++)
		emit_group(e, r, &t->group[i]);
	emit_end(e);
	emit_kv_int(e, "alike", t->alike);
	emit_kv_int(e, "givenUp", t->given_up);
	if (t->message)
		emit_kv_cstr(e, "message", t->message);
	if (t->why)
		rep_why(e, r, t->why, t->pool_error, t->npool_error);
	emit_kv_seq(e, "nodes");
	for (uint32_t i = 0; i < t->nnodes; i++)
		emit_nodes(e, r, &t->nodes[i]);
	emit_end(e);
}
