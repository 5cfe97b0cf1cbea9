#include <criterion/criterion.h>
#include <math.h>

#include "round_impl.h"
#include "stage.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

/* B12.3. */
Test(balanced, score)
{
	static const struct {
		double price, cost, savings, disruption, value;
		bool approved;
	} rows[] = {
		{10, 10, 5, 5, 1, true},       {10, 10, 1, 2, 0.5, true},
		{10, 10, 0.9, 2, 0.45, false}, {10, 10, 0, 1, 0, false},
		{10, 10, -1, 1, 0, false},     {10, 10, 0.01, 0, (double)INFINITY, true},
		{0, 10, 1, 1, 0, false},       {10, 0, 1, 1, 0, false},
		{10, 20, 5, 20, 0.5, true},    {10, 20, 4.99, 20, 0.499, false},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct pool_totals t = {true, rows[i].price, rows[i].cost};
		struct score s = score_of(&t, rows[i].savings, rows[i].disruption);

		cr_expect_eq(s.approved, rows[i].approved, "row %zu", i);
		cr_expect((isinf(s.value) && isinf(rows[i].value)) || fabs(s.value - rows[i].value) < 1e-9,
			  "row %zu: %g", i, s.value);
	}
}

#define SHIELD "|| annotations: {karpenter.sh/do-not-disrupt: 'true'}"
#define CAPACITY(v) REQ("karpenter.sh/capacity-type", "In", v)
#define BALANCED(name, budget)                                                                        \
	"pool " name                                                                                  \
	" | requirements: [" CAPACITY("on-demand") "] | disruption: {consolidationPolicy: Balanced, " \
						   "budgets: [{nodes: " budget "}]}\n"
#define OTHER(name, budget)                                                                                  \
	"pool " name " | requirements: [" CAPACITY("on-demand") "] | disruption: {budgets: [{nodes: " budget \
								"}]}\n"
#define NODE(n, pool, type, cpu) "node " n " " pool " " type " z1 on-demand " cpu "\n"

/*
 * B12. On-demand prices: small 0.06, medium 0.12, large 0.24. n1 is a medium with a pod of 1 CPU, its
 * disruption costs 2; replacing it by a small saves 0.06. n2 is a full large that stays, with one pod after
 * another: the NodePool costs 0.36, its disruption 2 and 1 more than n2's pods.
 */
Test(balanced, moves)
{
	static const struct round_row rows[] = {
		/* (0.06 / 0.36) / (2 / 4) = 0.33; deleting it would be 0.67. */
		{"too little",
		 BALANCED("np", "'1'") NODE("n1", "np", "medium", "1") "run a 1 n1\n" NODE(
			 "n2", "np", "large", "1") "run k 1 n2 " SHIELD,
		 "n1:BalancedScore n2:PodDoNotDisrupt", 0, "Node/n1", "ConsolidationApproved", NULL},
		/* (0.06 / 0.36) / (2 / 7) = 0.58. */
		{"enough, as others would be disturbed more",
		 BALANCED("np", "'1'") NODE("n1", "np", "medium", "1") "run a 1 n1\n" NODE(
			 "n2", "np", "large", "1") "run k 1 n2 " SHIELD
						   "\nrun l 0 n2\nrun m 0 n2\nrun o 0 n2",
		 "Underutilized replace n1 -> np(a) / n2:PodDoNotDisrupt", 0, "NodeClaim/n1",
		 "ConsolidationApproved",
		 "score 0.58 >= threshold 0.50 (k: 2, savings 16.7%, disruption 28.6%)"},
		/* B12.5: neither DaemonSets' pods of others nor pods that cost nothing count: 0.33 as above.
		 */
		{"what does not count of others",
		 BALANCED("np", "'1'") NODE("n1", "np", "medium", "1") "run a 1 n1\n" NODE(
			 "n2", "np", "large", "1") "run k 1 n2 " SHIELD
						   "\nds l 0 n2\nds m 0 n2\nds o 0 n2\nrun p 0 n2 | "
						   "priority: -33554432\nrun q 0 n2 | "
						   "priority: -99999999",
		 "n1:BalancedScore n2:PodDoNotDisrupt", 0, NO_EVENT},
		/* (0.06 / 0.30) / (4 / 6) = 0.30: it is not even simulated. */
		{"not if it were for nothing",
		 BALANCED("np", "'1'")
			 NODE("n1", "np", "small", "1") "run a 1 n1\nrun b 0 n1\nrun c 0 n1\n" NODE(
				 "n2", "np", "large", "1") "run k 1 n2 " SHIELD,
		 "n1:BalancedScore n2:PodDoNotDisrupt", 0, "Node/n1", "Unconsolidatable", NULL},
		/* The same of another policy: simulated, and found without a cheaper one. */
		{"others are not scored",
		 OTHER("np", "'1'")
			 NODE("n1", "np", "small", "1") "run a 1 n1\nrun b 0 n1\nrun c 0 n1\n" NODE(
				 "n2", "np", "large", "1") "run k 1 n2 " SHIELD,
		 "n1:NoCheaperReplacement n2:PodDoNotDisrupt", 0, "Node/n1", "Unconsolidatable",
		 "Can't replace with a cheaper node"},
		/* B12.7. */
		{"emptiness is not scored",
		 BALANCED("np", "'1'") NODE("n1", "np", "small", "1")
			 NODE("n2", "np", "large", "1") "run k 1 n2 " SHIELD,
		 "Empty delete n1 / n2:PodDoNotDisrupt", 0, "Node/n1", "ConsolidationApproved", NULL},
		{"nor is drift",
		 BALANCED("np",
			  "'1'") "node n1 np medium z1 on-demand 1 |||||||{type: Drifted, status: 'True', "
				 "reason: R}\nrun a 1 n1\n" NODE("n2", "np", "large",
								 "1") "run k 1 n2 " SHIELD,
		 "Drifted replace n1 -> np(a) / n2:PodDoNotDisrupt", 0, NO_EVENT},
		/* B12.6: a NodePool without a price passes the quick test, and B12.3 the slow one does not.
		 */
		{"no price, and no place",
		 BALANCED("np",
			  "'1'") "node n1 np medium z9 on-demand 1 |||||||{type: Drifted, status: 'False'}\n"
				 "run a 1 n1",
		 "n1:NoCheaperReplacement", 0, NO_EVENT},
		{"no price, and a place",
		 BALANCED("np", "'1'")
			 OTHER("op", "'1'") "node n1 np medium z9 on-demand 1 "
					    "|||||||{type: Drifted, status: 'False'}\nrun a 1 n1\n" NODE(
						    "n2", "op", "large", "4") "run k 1 n2 " SHIELD,
		 "n1:BalancedScore n2:PodDoNotDisrupt", 0, NO_EVENT},
		/* B12.4, B12.5: n3 is no candidate, but adds 0.24, and 4: (0.06 / 0.60) / (2 / 8) = 0.4. */
		{"nodes that are no candidates",
		 BALANCED("np", "'1'") NODE("n1", "np", "medium", "1") "run a 1 n1\n" NODE(
			 "n2", "np", "large", "1") "run k 1 n2 " SHIELD
						   "\n" NODE("n3", "np", "large",
							     "1 new") "run x 1 n3\nrun y 0 n3\nrun z 0 n3",
		 "n1:BalancedScore n2:PodDoNotDisrupt n3:NotInitialized", 0, NO_EVENT},
	};

	check_rounds(rows, N(rows));
}

/*
 * Several nodes. Two full mediums of one pod become a small, saving 0.18 of 0.24 for all of the disruption:
 * score 0.75. With a full large of k that stays: 0.18 / 0.48 = 37.5 %, for 4 / 6 = 66.7 %: 0.56.
 */
#define PAIR(pool) \
	NODE("n1", pool, "medium", "1") "run a 1 n1\n" NODE("n2", pool, "medium", "1") "run b 1 n2\n"
#define STAYS(pool, pods) NODE("n3", pool, "large", "1") "run k 1 n3 " SHIELD "\n" pods

Test(balanced, several)
{
	static const struct round_row rows[] = {
		{"all of it", BALANCED("np", "'2'") PAIR("np"),
		 "Underutilized replace n1 n2 -> np(a b)=small,arm", SHOW_TYPES, "NodePool/np",
		 "ConsolidationApproved",
		 "score 0.75 >= threshold 0.50 (k: 2, savings 75.0%, disruption 100.0%)"},
		{"most of it", BALANCED("np", "'2'") PAIR("np") STAYS("np", ""),
		 "Underutilized replace n1 n2 -> np(a b)=small,arm / n3:PodDoNotDisrupt", SHOW_TYPES,
		 "NodePool/np", "ConsolidationApproved",
		 "score 0.56 >= threshold 0.50 (k: 2, savings 37.5%, disruption 66.7%)"},
		/* Alone, n1 scores (0.06 / 0.48) / (2 / 6) = 0.38, and several have events of their NodePool.
		 */
		{"events are of the NodePool", BALANCED("np", "'2'") PAIR("np") STAYS("np", ""),
		 "Underutilized replace n1 n2 -> np(a b) / n3:PodDoNotDisrupt", 0, "Node/n1",
		 "ConsolidationApproved", NULL},
		/*
		 * B12.3, two NodePools: each has 0.12 of 0.24, so 0.09 of the savings. np has 0.36 and 4 in
		 * all: (0.09 / 0.36) / (2 / 4) = 0.5. One Node more of np, at 0.24, with a pod: (0.09 / 0.60)
		 * / (2 / 6) = 0.45. Alone, n1 scores (0.06 / 0.60) / (2 / 6) = 0.3, and n2 of the other
		 * NodePool passes.
		 */
		{"each NodePool has to approve",
		 BALANCED("np", "'2'") OTHER("op", "'2'") NODE("n1", "np", "medium", "1") "run a 1 n1\n" NODE(
			 "n2", "op", "medium", "1") "run b 1 n2\n" STAYS("np", "")
			 NODE("n4", "np", "large", "1") "run l 1 n4 " SHIELD,
		 "Underutilized replace n2 -> op(b) / n1:BalancedScore n3:PodDoNotDisrupt n4:PodDoNotDisrupt",
		 0, NO_EVENT},
		{"both, if both are Balanced",
		 BALANCED("np", "'2'") BALANCED("op", "'2'")
			 NODE("n1", "np", "medium", "1") "run a 1 n1\n" NODE(
				 "n2", "op", "medium", "1") "run b 1 n2\n" STAYS("np", "")
				 NODE("n4", "np", "large", "1") "run l 1 n4 " SHIELD,
		 "Underutilized replace n2 -> op(b) / n1:BalancedScore n3:PodDoNotDisrupt n4:PodDoNotDisrupt",
		 0, NO_EVENT},
		/* Without those: (0.09 / 0.12) / (2 / 2) = 0.75 of np. */
		{"and only those that are Balanced",
		 BALANCED("np", "'2'") OTHER("op", "'2'") NODE("n1", "np", "medium", "1") "run a 1 n1\n" NODE(
			 "n2", "op", "medium", "1") "run b 1 n2\n" NODE("n3", "op", "large",
									"1") "run k 1 n3 " SHIELD,
		 "Underutilized replace n1 n2 -> op(a b) / n3:PodDoNotDisrupt", 0, "NodePool/np",
		 "ConsolidationApproved",
		 "score 0.75 >= threshold 0.50 (k: 2, savings 75.0%, disruption 100.0%)"},
	};

	check_rounds(rows, N(rows));
}
