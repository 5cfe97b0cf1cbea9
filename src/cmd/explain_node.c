#include "explain_node.h"

#include <inttypes.h>
#include <string.h>

#include "decide.h"
#include "explain.h"
#include "explain_planned.h"
#include "rep_disruption.h"
#include "rep_removal.h"
#include "suggest.h"
#include "table.h"
#include "world.h"

static const char *const method_name[METHOD_MAX_] = {
	[METHOD_EMPTINESS] = "emptiness",
	[METHOD_STATIC_DRIFT] = "static drift",
	[METHOD_DRIFT] = "drift",
	[METHOD_MULTI] = "multi-node consolidation",
	[METHOD_SINGLE] = "single-node consolidation",
};

static void not_found(struct run *r, const char *text, const struct suggest *s)
{
	diag(&r->diags, KS_EXPLAIN_SUBJECT, SPAN_NONE, "no node '%s' in the input, or in the plan for it",
	     text);
	if (s->best.n)
		diag_hint(&r->diags, "did you mean '%.*s'?", STR_ARG(s->best));
	else
		diag_hint(&r->diags, "planned nodes are called as kspot plan -o name calls them");
}

static const struct node *find_node(const struct cluster *c, const char *text, struct suggest *s)
{
	for (uint32_t i = 0; i < c->nodes.n; i++) {
		struct str name = intern_str(c->in, c->nodes.v[i].meta.name);

		if (str_eq(name, str_of(text)))
			return &c->nodes.v[i];
		suggest_try(s, name);
	}
	return NULL;
}

static void line(struct buf *out, const char *what, const char *text)
{
	buf_addf(out, "  %-14s ", what);
	text_wrap(out, text, 17, 17, SCREEN_WIDTH);
}

static void label_line(struct run *r, const struct cluster *c, const struct node *n, const char *what,
		       sid label)
{
	sid value = labels_get(&n->meta.labels, label);

	line(&r->out, what, value == SID_NONE ? "(no label)" : intern_c(c->in, value));
}

static uint32_t pods_on(const struct cluster *c, sid node, uint32_t *ret_daemons)
{
	uint32_t n = 0;

	*ret_daemons = 0;
	for (uint32_t i = 0; i < c->pods.n; i++) {
		const struct pod *p = &c->pods.v[i];

		if (p->node != node)
			continue;
		n++;
		for (uint32_t k = 0; k < p->meta.nowner; k++)
			*ret_daemons += p->meta.owner[k].controller &&
					str_is(intern_str(c->in, p->meta.owner[k].kind), "DaemonSet");
	}
	return n;
}

static void pods_line(struct run *r, const struct cluster *c, sid node)
{
	uint32_t daemons, n = pods_on(c, node, &daemons);

	line(&r->out, "pods", arena_printf(&r->arena, "%" PRIu32 ", %" PRIu32 " of DaemonSets", n, daemons));
}

static bool names(const struct disrupt_command *cmd, sid node)
{
	for (uint32_t i = 0; i < cmd->ncandidate; i++)
		if (cmd->candidate[i] == node)
			return true;
	return false;
}

static void command_line(struct run *r, const char *what, const struct disrupt_command *cmd)
{
	const char *alone = cmd->ncandidate == 1
				    ? ""
				    : arena_printf(&r->arena, " with %" PRIu32 " other node%s",
						   cmd->ncandidate - 1, cmd->ncandidate == 2 ? "" : "s");

	line(&r->out, what,
	     arena_printf(&r->arena, "%s%s, saving $%.4f/h", cmd->nreplacement ? "replace it" : "delete it",
			  alone, cmd->savings));
}

/* Each method by itself, and what of it is carried out. */
static void methods(struct run *r, const struct disruption *d, sid node)
{
	uint32_t n = 0;

	buf_adds(&r->out, "\nEach method by itself would\n");
	for (int m = 0; m < METHOD_MAX_; m++) {
		if (d->method_error[m])
			line(&r->out, method_name[m], d->method_error[m]);
		for (uint32_t i = 0; i < d->method[m].n; i++)
			if (names(&d->method[m].v[i], node)) {
				buf_addf(&r->out, "  %s:\n", method_name[m]);
				command_line(r, "", &d->method[m].v[i]);
				n++;
			}
	}
	if (!n)
		buf_adds(&r->out, "  leave it alone\n");
}

static void events(struct run *r, const struct cluster *c, const struct disruption *d,
		   const struct node *node)
{
	const char *object = arena_printf(&r->arena, "Node/%s", intern_c(c->in, node->meta.name));
	bool any = false;

	for (uint32_t i = 0; i < d->nevent; i++) {
		if (strcmp(d->event[i].object, object) != 0)
			continue;
		if (!any)
			buf_adds(&r->out, "\nKarpenter's events\n");
		any = true;
		buf_addf(&r->out, "  %s: ", d->event[i].reason);
		text_wrap(&r->out, d->event[i].message, (uint32_t)strlen(d->event[i].reason) + 4, 4,
			  SCREEN_WIDTH);
	}
}

static void print_text(struct run *r, const struct cluster *c, const struct node *node,
		       const struct disruption *d, const struct removal *x, const char *head)
{
	const struct report report = {.c = c, .scratch = &r->arena};

	buf_adds(&r->out, head);
	label_line(r, c, node, "NodePool", LBL_NODEPOOL);
	label_line(r, c, node, "type", LBL_INSTANCE_TYPE);
	label_line(r, c, node, "capacity type", LBL_CAPACITY_TYPE);
	label_line(r, c, node, "zone", LBL_ZONE);
	pods_line(r, c, node->meta.name);
	if (x && x->price > 0 && !cluster_generic(c))
		line(&r->out, "price", arena_printf(&r->arena, "$%.4f/h", x->price));
	if (d->round_error)
		line(&r->out, "no decisions", d->round_error);
	for (uint32_t i = 0; i < d->nnode; i++) {
		const struct node_verdict *v = &d->node[i];

		if (v->name != node->meta.name)
			continue;
		line(&r->out, "verdict", arena_printf(&r->arena, "%s (%s)", v->verdict, v->reason));
		line(&r->out, "because", v->detail);
		if (v->found)
			line(&r->out, "found", v->found);
	}
	if (x)
		rep_removal_text(&r->out, &report, x);
	methods(r, d, node->meta.name);
	events(r, c, d, node);
}

static void label_json(struct emit *e, const struct cluster *c, const struct node *n, const char *what,
		       sid label)
{
	sid value = labels_get(&n->meta.labels, label);

	if (value != SID_NONE)
		emit_kv_str(e, what, intern_str(c->in, value));
}

static void node_json(struct run *r, struct emit *e, const struct world *w, const struct node *node)
{
	const struct disruption *d = decide_disruption(&r->arena, w);
	const struct disruption_report report = {.c = w->c, .d = d, .scratch = &r->arena};
	const struct report objects = {.c = w->c, .scratch = &r->arena};
	const struct removal *x = decide_removal(&r->arena, w, node->meta.name);
	uint32_t daemons, pods = pods_on(w->c, node->meta.name, &daemons);

	label_json(e, w->c, node, "nodePool", LBL_NODEPOOL);
	label_json(e, w->c, node, "instanceType", LBL_INSTANCE_TYPE);
	label_json(e, w->c, node, "capacityType", LBL_CAPACITY_TYPE);
	label_json(e, w->c, node, "zone", LBL_ZONE);
	emit_kv_int(e, "pods", pods);
	emit_kv_int(e, "daemonPods", daemons);
	rep_disruption_of_node(e, &report, node->meta.name);
	if (x)
		rep_removal(e, &objects, x);
}

/* planned: NULL when the node is there. */
static void print(struct run *r, const struct world *w, const char *name, const struct planned *planned,
		  const struct world *at, const struct node *node)
{
	const char *head = arena_printf(&r->arena, "node %s%s\n", name, at == w ? "" : ", after the plan");
	struct emit e;

	if (explain_json(r)) {
		explain_open(&e, r, "node", name);
		if (planned)
			planned_json(r, &e, w, planned);
		if (node)
			node_json(r, &e, at, node);
		explain_close(&e);
		return;
	}
	if (planned) {
		planned_text(r, w, planned);
		head = r->opts.scale.n ? "\nOnce it is launched, and after --scale\n"
				       : "\nOnce it is launched\n";
	}
	if (node)
		print_text(r, at->c, node, decide_disruption(&r->arena, at),
			   decide_removal(&r->arena, at, node->meta.name), head);
}

int explain_node(struct run *r, const char *name)
{
	const struct world *w = world_load(r), *at = w;
	struct planned planned = {0};
	const struct node *node;
	struct suggest s;

	if (!w)
		return RC_BAD_INPUT;
	suggest_init(&s, str_of(name));
	node = find_node(w->c, name, &s);
	if (!node || r->opts.scale.n) {
		if (!planned_find(r, w, name, &s, &planned))
			return RC_BAD_INPUT;
		if (!node && !planned.claim) {
			not_found(r, name, &s);
			return RC_BAD_INPUT;
		}
		at = planned.after;
		node = find_node(at->c, name, &s);
	}
	print(r, w, name, planned.claim ? &planned : NULL, at, node);
	return RC_OK;
}
