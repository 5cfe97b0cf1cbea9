#include "rep_trail.h"

#include <inttypes.h>

#include "rep_why.h"
#include "table.h"

static void paragraph(struct buf *out, const char *head, const char *text)
{
	buf_adds(out, head);
	text_wrap(out, text, (uint32_t)strlen(head), 4, SCREEN_WIDTH);
}

static void pod_itself(struct buf *out, const struct report *r, const struct pod_trail *t)
{
	const struct pod *pod = &r->c->pods.v[t->pod];
	struct buf b;

	buf_init(&b);
	for (uint32_t i = 0; i < pod->requests.n; i++) {
		const struct res_item *x = &pod->requests.v[i];

		buf_addf(&b, "%s", i ? ", " : "");
		quantity_print(&b, (struct quantity){x->v, x->format});
		buf_addf(&b, " %s", intern_c(r->c->in, x->name));
	}
	paragraph(out, "  requests ", buf_cstr(&b));
	buf_clear(&b);
	if (t->needs != RSET_EMPTY) {
		rset_print(r->c->rp, &b, t->needs);
		if (b.n)
			paragraph(out, "  needs ", buf_cstr(&b));
	}
	buf_release(&b);
	if (t->alike > 1)
		buf_addf(out, "  like %" PRIu32 " other pod%s of the plan\n", t->alike - 1,
			 plural(t->alike - 1));
	if (t->given_up)
		buf_addf(out,
			 "  tried %" PRIu32 " times, giving up a preference or an alternative each time\n",
			 t->given_up + 1);
}

static void verdict(struct buf *out, const struct report *r, const struct pod_trail *t)
{
	const struct intern *in = r->c->in;
	const struct pod *pod = &r->c->pods.v[t->pod];
	const char *text = "stays pending";

	switch (t->verdict) {
	case POD_NOT_LOOKED_AT:
		text = pod->node == SID_EMPTY
			       ? "not a pod that Karpenter looks for a node for"
			       : arena_printf(r->scratch, "on node %s", intern_c(in, pod->node));
		break;
	case POD_LEFT_OUT:
		text = "left out by Karpenter";
		break;
	case POD_TO_NODE:
		text = arena_printf(r->scratch, "goes to node %s, with %" PRIu32 " other pod%s of the plan",
				    intern_c(in, t->node), t->companions, plural(t->companions));
		break;
	case POD_TO_CLAIM:
		text = arena_printf(r->scratch,
				    "goes to a new node of NodePool %s, with %" PRIu32 " other pod%s",
				    intern_c(in, t->pool->meta.name), t->companions, plural(t->companions));
		break;
	case POD_STAYS:
		break;
	}
	buf_addf(out, "pod/%s: ", rep_pod_name(r, t->pod).p);
	text_wrap(out, text, (uint32_t)rep_pod_name(r, t->pod).n + 6, 2, SCREEN_WIDTH);
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
