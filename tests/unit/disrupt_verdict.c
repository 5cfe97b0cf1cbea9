#include <criterion/criterion.h>
#include <stdio.h>

#include "budget.h"
#include "stage.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

#define SHIELD(v) "|| annotations: {karpenter.sh/do-not-disrupt: '" v "'}"
#define CAPACITY(v) REQ("karpenter.sh/capacity-type", "In", v)
#define DRIFT "|||||||{type: Drifted, status: 'True', reason: AMIDrift}"
#define BUDGETS(list) "pool np || disruption: {budgets: [" list "]}\n"
#define N1 "node n1 np large z1 on-demand 8 "
#define RUN "run a 1 n1 "
#define DEFAULT_BUDGET "the budgets of NodePool np allow 1 of its 2 nodes for reason "

/* What is said of n1: the words, with the names, figures and moments to act on. It is midnight. */
Test(verdict, details)
{
	static const struct {
		const char *text, *detail, *found; /* found NULL: nothing */
	} rows[] = {
		{"pool np\npdb b 0\n" N1 "\n" RUN,
		 "pod default/a cannot be evicted: PodDisruptionBudget default/b allows no disruption now "
		 "(disruptionsAllowed: 0)",
		 NULL},
		{"pool np\npdb c 1\npdb b 1\n" N1 "\n" RUN,
		 "pod default/a cannot be evicted: more than one PodDisruptionBudget matches it (default/b "
		 "default/c)",
		 NULL},
		{"pool np\n" N1 "\n" RUN SHIELD("1h") "| startTime: '2025-12-31T23:30:00Z'",
		 "pod default/a is annotated karpenter.sh/do-not-disrupt: '1h', which holds until "
		 "2026-01-01T00:30:00Z",
		 NULL},
		{"pool np\n" N1 DRIFT "\n" RUN SHIELD("true"),
		 "it is drifted (AMIDrift), but pod default/a is annotated karpenter.sh/do-not-disrupt: "
		 "'true'; a "
		 "terminationGracePeriod of its NodeClaim would overrule that",
		 NULL},
		{"pool np\nnode n1 np large z1 on-demand 8 ||| terminationGracePeriod: 1h ||||{type: "
		 "Drifted, status: "
		 "'True', reason: AMIDrift}\n" RUN SHIELD("true") "\nrun b 1 n1",
		 "it is drifted (AMIDrift): it is replaced; 1 of its pods may not be moved now, and stay "
		 "until its "
		 "terminationGracePeriod ends",
		 NULL},
		{BUDGETS("{nodes: '0'}") N1 "\n" RUN,
		 "the budgets of NodePool np allow 0 of its 1 node for reason Underutilized (nodes: '0')",
		 NULL},
		{BUDGETS("{nodes: '0', schedule: '0 20 * * *', duration: 8h}") N1,
		 "the budgets of NodePool np allow 0 of its 1 node for reason Empty (nodes: '0', schedule: "
		 "'0 20 * * "
		 "*', duration: 8h, in force until 2026-01-01T04:00:00Z)",
		 NULL},
		{BUDGETS("{nodes: '1'}") N1 "\nnode n2 np large z1 on-demand 8 unready",
		 DEFAULT_BUDGET "Empty (nodes: '1'); 1 of them not ready or on the way out", NULL},
		{BUDGETS("{nodes: '1'}") "node n1 np small z1 spot 2\nnode n2 np large z1 on-demand 8",
		 DEFAULT_BUDGET "Empty (nodes: '1'); other nodes come first", NULL},
		{BUDGETS("{nodes: '0', reasons: [Drifted]}") N1 DRIFT "\nrun a 9 n1",
		 "it is drifted (AMIDrift), but the budgets of NodePool np allow 0 of its 1 node for reason "
		 "Drifted "
		 "(nodes: '0')",
		 NULL},
		{"pool np || disruption: {consolidateAfter: 25h}\n" N1,
		 "not before 2026-01-01T01:01:00Z: consolidateAfter: 25h of its NodePool counts from "
		 "2025-12-31T00:01:00Z, when it was initialized",
		 NULL},
		{"pool np || disruption: {consolidateAfter: 90s}\n" N1
		 "|||| lastPodEventTime: '2025-12-31T23:59:00Z'",
		 "not before 2026-01-01T00:00:30Z: consolidateAfter: 1m30s of its NodePool counts from "
		 "2025-12-31T23:59:00Z, when a pod came or went",
		 NULL},
		{"pool np\n" N1 "|||||||{type: Consolidatable, status: 'False'}",
		 "condition Consolidatable of its NodeClaim n1 is False", NULL},
		{"pool np | requirements: [" CAPACITY(
			 "on-demand") "]\nnode n1 np medium z1 on-demand 4\nrun a 4 n1 | "
				      "nodeSelector: {kubernetes.io/arch: amd64}",
		 "Can't replace with a cheaper node",
		 "2 instance types hold its pods, 0 of them cheaper than its $0.1200/h; the cheapest, "
		 "medium, costs up "
		 "to $0.1200/h"},
		{"pool np | requirements: [" CAPACITY(
			 "on-demand") "]\nnode n1 np large z9 on-demand 8 "
				      "|||||||{type: Drifted, status: 'False'}\nrun a 8 n1",
		 "Can't replace with a cheaper node",
		 "1 instance type holds its pods, 0 of them cheaper than its own price, which is not known; "
		 "the "
		 "cheapest, large, costs up to $0.2400/h"},
		{"pool np\n" N1, "it is empty: it is deleted", NULL},
		{"pool np\nrun a 64 n1 | priority: -33554432\n" N1,
		 "evicting its pods (1) costs nothing: it is deleted, and nobody looks for places for them",
		 NULL},
		{"pool np\n" N1 "\n" RUN, "a cheaper node can take its pods: it is replaced", NULL},
		{BUDGETS("{nodes: '2'}") "node n1 np large z1 on-demand 1\nrun a 1 n1\nnode n2 np large z1 "
					 "on-demand 1\n"
					 "run b 1 n2",
		 "a cheaper node can take its pods: it is replaced together with 1 more", NULL},
		{"pool np || disruption: {consolidateAfter: Never}\n" N1 DRIFT "\nrun a 8 n1\nrun b 8 n1",
		 "it is drifted (AMIDrift): 2 nodes replace it", NULL},
		{"pool np || replicas: 1\npool o || replicas: 1\nnode n1 np large z1 spot 8 " DRIFT
		 "\nnode n2 np large z1 spot 8",
		 "it is drifted (AMIDrift), but NodePool np has more nodes than replicas, and they go first",
		 NULL},
		{BUDGETS("{nodes: '2'}") N1 "\n" RUN "\nnode n2 np small z1 spot 2",
		 "single-node consolidation would delete it, but emptiness comes first and acts on other "
		 "nodes: one "
		 "method a round",
		 NULL},
		{"{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {karpenter.sh/nodepool: np, "
		 "node.kubernetes.io/instance-type: large}}, spec: {providerID: p}}",
		 "it is labelled as one of NodePool np, but no NodeClaim has its providerID 'p'", NULL},
		{"{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {providerID: p}}",
		 "it is not Karpenter's: it has no NodeClaim and no label karpenter.sh/nodepool", NULL},
	};

	for (size_t i = 0; i < N(rows); i++) {
		const struct node_verdict *v;
		const struct disruption *d;
		struct stage s;

		stage_init(&s, rows[i].text);
		d = stage_disrupt(&s);
		v = &d->node[0];
		cr_assert_str_eq(intern_c(s.c->in, v->name), "n1");
		cr_expect_str_eq(v->detail, rows[i].detail, "row %zu:\n  got  %s\n  want %s", i, v->detail,
				 rows[i].detail);
		cr_expect(rows[i].found && v->found ? strcmp(v->found, rows[i].found) == 0
						    : v->found == rows[i].found,
			  "row %zu: %s", i, v->found);
		stage_release(&s);
	}
}

/* When a budget ends: windows that touch are one, and those that always do have no end. 2026-01-01 is a
 * Thursday. */
Test(verdict, budget_until)
{
	static const struct {
		const char *budget;
		const char *until; /* NULL: no end */
	} rows[] = {
		{"nodes: '0'", NULL},
		{"nodes: '0', schedule: '0 20 * * *', duration: 8h", "2026-01-01T04:00:00Z"},
		{"nodes: '0', schedule: '@daily', duration: 1h", "2026-01-01T01:00:00Z"},
		{"nodes: '0', schedule: '@daily', duration: 24h", NULL},
		{"nodes: '0', schedule: '0 0 * * mon-fri', duration: 24h", "2026-01-03T00:00:00Z"},
		{"nodes: '0', schedule: '0 0 * * mon-fri', duration: 23h59m", "2026-01-01T23:59:00Z"},
	};

	for (size_t i = 0; i < N(rows); i++) {
		const struct node_pool *np;
		const char *want, *detail;
		char text[300];
		struct stage s;
		int64_t end;
		bool ends;

		snprintf(text, sizeof(text), "pool np || disruption: {budgets: [{%s}]}\n" N1, rows[i].budget);
		stage_init(&s, text);
		np = &s.c->pools.v[0];
		ends = budget_until(s.c->in, &np->budget[0], s.c->settings.now, &end);
		cr_expect_eq(ends, rows[i].until != NULL, "row %zu", i);
		detail = stage_disrupt(&s)->node[0].detail;
		want = rows[i].until ? arena_printf(&s.arena, "in force until %s)", rows[i].until) : "')";
		cr_expect(strstr(detail, want) || (!rows[i].until && !strstr(detail, "until")), "row %zu: %s",
			  i, detail);
		stage_release(&s);
	}
}
