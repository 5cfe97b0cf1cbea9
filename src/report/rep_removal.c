#include "rep_removal.h"

#include <inttypes.h>

#include "rep_claim.h"
#include "rep_why.h"
#include "table.h"

static const char *names(const struct report *r, const uint32_t *pod, uint32_t n)
{
	enum { SHOWN = 6 };
	const char *text;
	struct buf b;

	buf_init(&b);
	for (uint32_t i = 0; i < n && i < SHOWN; i++)
		buf_addf(&b, "%s%s", i ? ", " : "", rep_pod_name(r, pod[i]).p);
	if (n > SHOWN)
		buf_addf(&b, " and %" PRIu32 " more", n - SHOWN);
	text = arena_strndup(r->scratch, buf_cstr(&b), b.n);
	buf_release(&b);
	return text;
}

static void item(struct buf *out, const struct report *r, const char *head, const char *text)
{
	buf_adds(out, "  ");
	text_wrap(out, arena_printf(r->scratch, "%s: %s", head, text), 2, 4, SCREEN_WIDTH);
}

static const char *new_node(const struct report *r, const struct plan_claim *c)
{
	const struct intern *in = r->c->in;
	const struct launch *l = &c->launch;
	const char *pool = intern_c(in, c->pool->meta.name);

	if (l->type == SID_NONE)
		return arena_printf(r->scratch, "to a new node of %s, which could not be launched", pool);
	return arena_printf(r->scratch,
			    "to a new node of %s (%s %s in %s, $%.4f/h, the cheapest of %" PRIu32 " type%s)",
			    pool, intern_c(in, l->capacity_type), intern_c(in, l->type),
			    intern_c(in, l->zone), l->price, c->ntype, plural(c->ntype));
}

/* Karpenter's message only where there are no words of our own; events and verdicts have it in full. */
static void nowhere(struct buf *out, const struct report *r, const struct pod_trail *t)
{
	const char *pod = rep_pod_name(r, t->pod).p;
	bool explained = t->why && t->why->n;

	item(out, r, "nowhere", explained ? pod : arena_printf(r->scratch, "%s: %s", pod, t->message));
	if (explained) {
		struct buf b;

		buf_init(&b);
		rep_why_text(&b, r, t->why, 0, SCREEN_WIDTH - 2);
		for (const char *p = buf_cstr(&b); *p; p = strchr(p, '\n') + 1)
			buf_addf(out, "  %.*s", (int)(strchr(p, '\n') + 1 - p), p);
		buf_release(&b);
	}
	for (uint32_t i = 0; i < t->nnodes; i++) {
		const struct why_nodes *n = &t->nodes[i];
		const char *node = intern_c(r->c->in, n->nearest);
		const char *text = n->count == 1 ? arena_printf(r->scratch, "node %s: %s", node, n->message)
						 : arena_printf(r->scratch, "%" PRIu32 " nodes: %s (%s)",
								n->count, n->message, node);

		buf_adds(out, "    ");
		text_wrap(out, text, 4, 6, SCREEN_WIDTH);
	}
}

void rep_removal_text(struct buf *out, const struct report *r, const struct removal *x)
{
	struct arena_mark mark = arena_mark(r->scratch);

	if (!x->error && !x->nnode && !x->nclaim && !x->nnowhere && !x->nkept)
		return;
	buf_adds(out, "\nIf it alone were removed, its pods would go\n");
	if (x->error)
		item(out, r, "unknown", x->error);
	for (uint32_t i = 0; i < x->nnode; i++)
		item(out, r, arena_printf(r->scratch, "to %s", intern_c(r->c->in, x->node[i].name)),
		     names(r, x->node[i].pod, x->node[i].npod));
	for (uint32_t i = 0; i < x->nclaim; i++)
		item(out, r, new_node(r, &x->claim[i]), names(r, x->claim[i].pod, x->claim[i].npod));
	for (uint32_t i = 0; i < x->nnowhere; i++)
		nowhere(out, r, &x->nowhere[i]);
	if (x->nkept)
		item(out, r, "nowhere now, as they may not be moved", names(r, x->kept, x->nkept));
	arena_rewind(r->scratch, mark);
}

static void emit_pods(struct emit *e, const struct report *r, const char *key, const uint32_t *pod,
		      uint32_t n)
{
	emit_kv_seq(e, key);
	for (uint32_t i = 0; i < n; i++)
		emit_str(e, rep_pod_name(r, pod[i]));
	emit_end(e);
}

static void emit_claim(struct emit *e, const struct report *r, const struct plan_claim *c)
{
	emit_map(e);
	emit_kv_str(e, "nodePool", report_text(r, c->pool->meta.name));
	emit_pods(e, r, "pods", c->pod, c->npod);
	emit_kv_int(e, "instanceTypes", c->ntype);
	if (c->launch.type != SID_NONE) {
		emit_kv_str(e, "instanceType", report_text(r, c->launch.type));
		emit_kv_str(e, "zone", report_text(r, c->launch.zone));
		emit_kv_str(e, "capacityType", report_text(r, c->launch.capacity_type));
		emit_kv_double(e, "usdPerHour", c->launch.price);
	}
	emit_end(e);
}

void rep_removal(struct emit *e, const struct report *r, const struct removal *x)
{
	emit_kv_map(e, "removal");
	/* Ready-made instance types have prices in no particular unit. */
	if (x->price > 0 && !cluster_generic(r->c))
		emit_kv_double(e, "usdPerHour", x->price);
	if (x->error)
		emit_kv_cstr(e, "error", x->error);
	emit_kv_seq(e, "toNodes");
	for (uint32_t i = 0; i < x->nnode; i++) {
		emit_map(e);
		emit_kv_str(e, "name", report_text(r, x->node[i].name));
		emit_pods(e, r, "pods", x->node[i].pod, x->node[i].npod);
		emit_end(e);
	}
	emit_end(e);
	emit_kv_seq(e, "toNewNodes");
	for (uint32_t i = 0; i < x->nclaim; i++)
		emit_claim(e, r, &x->claim[i]);
	emit_end(e);
	emit_kv_seq(e, "nowhere");
	for (uint32_t i = 0; i < x->nnowhere; i++) {
		emit_map(e);
		emit_kv_str(e, "pod", rep_pod_name(r, x->nowhere[i].pod));
		emit_kv_cstr(e, "message", x->nowhere[i].message);
		emit_end(e);
	}
	emit_end(e);
	emit_pods(e, r, "kept", x->kept, x->nkept);
	emit_end(e);
}
