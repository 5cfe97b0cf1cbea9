#include <criterion/criterion.h>

#include "round.h"
#include "stage.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

#define SHIELD "|| annotations: {karpenter.sh/do-not-disrupt: 'true'}"
#define N1 "node n1 np large z1 on-demand 8\n"

static void add(const struct stage *s, struct buf *b, const char *before, const uint32_t *pod, uint32_t n,
		const char *after)
{
	if (b->n)
		buf_addch(b, ' ');
	buf_adds(b, before);
	for (uint32_t i = 0; i < n; i++)
		buf_addf(b, "%s%s", i ? " " : "", intern_c(s->c->in, s->c->pods.v[pod[i]].meta.name));
	buf_adds(b, after);
}

/* "n2(a) np(b) !c kept(d)" */
static const char *show(struct stage *s, const struct removal *x)
{
	const struct intern *in = s->c->in;
	const char *text;
	struct buf b;

	buf_init(&b);
	for (uint32_t i = 0; i < x->nnode; i++)
		add(s, &b, arena_printf(&s->arena, "%s(", intern_c(in, x->node[i].name)), x->node[i].pod,
		    x->node[i].npod, ")");
	for (uint32_t i = 0; i < x->nclaim; i++)
		add(s, &b, arena_printf(&s->arena, "%s(", intern_c(in, x->claim[i].pool->meta.name)),
		    x->claim[i].pod, x->claim[i].npod, ")");
	for (uint32_t i = 0; i < x->nnowhere; i++)
		add(s, &b, "!", &x->nowhere[i].pod, 1, "");
	if (x->nkept)
		add(s, &b, "kept(", x->kept, x->nkept, ")");
	if (x->error)
		add(s, &b, x->error, NULL, 0, "");
	text = arena_strndup(&s->arena, buf_cstr(&b), b.n);
	buf_release(&b);
	return text;
}

static const struct removal *remove_n1(struct stage *s)
{
	struct disrupt_input in = {.types = s->types};
	struct snapshot *snapshot = snapshot_new(&s->arena, s->c, s->types, FOR_DISRUPTION);
	uint32_t at = state_find_node(&snapshot->state, intern_cstr(s->c->in, "n1"));

	cr_assert_neq(at, UINT32_MAX);
	return disrupt_removal(&s->arena, snapshot, &in, at);
}

/* B6: the pods of one node, whatever keeps it, and no others. */
Test(removal, places)
{
	static const struct {
		const char *name, *text, *want; /* NULL: nothing */
	} rows[] = {
		{"a new node", "pool np\n" N1 "run a 1 n1", "np(a)"},
		{"nodes there are", "pool np\n" N1 "run a 1 n1\nrun b 2 n1\nnode n2 np small z1 spot 2",
		 "n2(b) np(a)"},
		{"several new nodes", "pool np\n" N1 "run a 5 n1\nrun b 5 n1", "np(a) np(b)"},
		{"nowhere", "pool np\n" N1 "run a 1 n1\nrun b 9 n1", "np(a) !b"},
		{"a node that is not initialized",
		 "pool np\n" N1 "run a 1 n1\nnode n2 np large z1 spot 8 new", "!a"},
		{"a blocked node", "pool np\npdb b 0\n" N1 "run a 1 n1", "np(a)"},
		{"a pod that may not be moved", "pool np\n" N1 "run a 1 n1 " SHIELD "\nrun b 1 n1",
		 "np(b) kept(a)"},
		{"pending pods are no part of it", "pool np\n" N1 "run a 1 n1\npod p 1\npod q 8", "np(a)"},
		{"of a NodePool that never consolidates",
		 "pool np || disruption: {consolidateAfter: Never}\n" N1 "run a 1 n1", "np(a)"},
		{"no pods that count", "pool np\n" N1 "ds a 1 n1\nmirror b 1 n1", ""},
		{"no NodePool to simulate with", "pool np || replicas: 1\n" N1 "run a 1 n1",
		 "creating scheduler, no nodepools found"},
		{"nor a pod to simulate", "pool np || replicas: 1\n" N1, ""},
		{"no such NodePool", "pool other\n" N1 "run a 1 n1", NULL},
		{"on its way out", "pool np\nnode n1 np large z1 on-demand 8 || " DELETED "\nrun a 1 n1",
		 NULL},
		{"not Karpenter's",
		 "pool np\n{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {providerID: p}}", NULL},
	};

	for (size_t i = 0; i < N(rows); i++) {
		const struct removal *x;
		const char *got;
		struct stage s;

		stage_init(&s, rows[i].text);
		x = remove_n1(&s);
		got = x ? show(&s, x) : NULL;
		cr_expect(rows[i].want && got ? strcmp(got, rows[i].want) == 0 : got == rows[i].want,
			  "%s: %s", rows[i].name, got ? got : "nothing");
		stage_release(&s);
	}
}

/* Why a pod goes nowhere: by NodePool, and by node; neither the node itself nor those that would take it. */
Test(removal, reasons)
{
	const struct pod_trail *t;
	const struct removal *x;
	struct stage s;

	stage_init(&s, "pool np\npool other | requirements: [" REQ(
			       ZONE, "In",
			       "z2") "]\n" N1 "run a 9 n1 | nodeSelector: {" ZONE
				     ": z1}\nnode n2 np large z1 spot 8\nnode n3 np small z2 spot 99\n"
				     "node n4 np large z1 spot 8 || " DELETED);
	x = remove_n1(&s);
	cr_assert_eq(x->nnowhere, 1);
	cr_expect_float_eq(x->price, 0.24, 1e-9);
	t = &x->nowhere[0];
	cr_expect_eq(t->why->n, 2);
	cr_assert_eq(t->nnodes, 3);
	for (uint32_t i = 0; i < t->nnodes; i++) {
		const char *node = intern_c(s.c->in, t->nodes[i].nearest);
		enum why_code want = strcmp(node, "n2") == 0   ? WHY_RESOURCE
				     : strcmp(node, "n3") == 0 ? WHY_REQUIREMENT
							       : WHY_GOING;

		cr_expect_eq(t->nodes[i].code, want, "%s: %s", node, t->nodes[i].message);
	}
	stage_release(&s);
}
