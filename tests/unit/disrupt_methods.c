#include <criterion/criterion.h>

#include "stage.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

#define SINCE(type, status, reason, time)                                                                  \
	"{type: " type ", status: '" status "', reason: " reason ", lastTransitionTime: '2025-12-31T" time \
	":00Z'}"
#define DRIFT(time) "|||||||" SINCE("Drifted", "True", "AMIDrift", time)
#define SHIELD "|| annotations: {karpenter.sh/do-not-disrupt: 'true'}"
#define LARGE(n) "node " n " np large z1 on-demand 8 "
#define BUDGETS(list) "pool np || disruption: {budgets: [" list "]}\n"
#define WHENEVER "100%"

/* B5.1, B5.5: what counts, and what takes from it. */
Test(methods, counting)
{
	static const char blocked[] =
		"No allowed disruptions for disruption reason Empty due to blocking budget";
	static const struct round_row rows[] = {
		{"a tenth of two, rounded up", "pool np\n" LARGE("n1") "\n" LARGE("n2"),
		 "Empty delete n1 / n2:Budget", 0, "NodePool/np", "DisruptionBlocked", NULL},
		{"none", BUDGETS("{nodes: '0'}") LARGE("n1"), "n1:Budget", 0, "NodePool/np",
		 "DisruptionBlocked", blocked},
		{"none of no nodes is no event",
		 BUDGETS("{nodes: '0'}") "pool other\nnode n1 other large z1 "
					 "on-demand 8",
		 "Empty delete n1", 0, "NodePool/np", "DisruptionBlocked", NULL},
		{"a node that is not ready takes one",
		 BUDGETS("{nodes: '1'}") LARGE("n1") "\n" LARGE("n2") "unready", "n1:Budget n2:Budget", 0,
		 "NodePool/np", "DisruptionBlocked", NULL},
		{"so does one on its way out",
		 BUDGETS("{nodes: '1'}") LARGE("n1") "\n" LARGE("n2") "|| " DELETED, "n1:Budget n2:Deleting",
		 0, NO_EVENT},
		{"both counted once",
		 BUDGETS("{nodes: '2'}") LARGE("n1") "\n" LARGE("n2") "unready || " DELETED,
		 "Empty delete n1 / n2:Deleting", 0, NO_EVENT},
		/* Half of 4 is 2, half of 3 is 2, half of 2 is 1. */
		{"a node that is not initialized does not count",
		 BUDGETS("{nodes: 50%}") LARGE("n1") "\n" LARGE("n2") "\n" LARGE("n3") "new",
		 "Empty delete n1 / n2:Budget n3:NotInitialized", 0, NO_EVENT},
		{"one whose instance is being terminated does not either",
		 BUDGETS("{nodes: 50%}") LARGE("n1") "\n" LARGE("n2") "\n" LARGE("n3") "|||||||" SINCE(
			 "InstanceTerminating", "True", "x", "12:00"),
		 "Empty delete n1 / n2:Budget n3:Deleting", 0, NO_EVENT},
		{"nor does it take one",
		 BUDGETS("{nodes: '1'}") LARGE("n1") "\n" LARGE("n2") "|||||||" SINCE("InstanceTerminating",
										      "True", "x", "12:00"),
		 "Empty delete n1 / n2:Deleting", 0, NO_EVENT},
		{"one on its way out counts",
		 BUDGETS("{nodes: 50%}") LARGE("n1") "\n" LARGE("n2") "\n" LARGE("n3") "|| " DELETED,
		 "Empty delete n1 / n2:Budget n3:Deleting", 0, NO_EVENT},
		{"of another NodePool",
		 BUDGETS("{nodes: 50%}") "pool other\n" LARGE("n1") "\n" LARGE(
			 "n2") "\nnode n3 other large z1 on-demand 8",
		 "Empty delete n1 n3 / n2:Budget", 0, NO_EVENT},
	};

	check_rounds(rows, N(rows));
}

#define HOURS(h, duration) "schedule: '0 " h " * * *', duration: " duration

/* B5.2 to B5.4, B5.6: which budget counts when. It is midnight. */
Test(methods, budgets)
{
	static const struct round_row rows[] = {
		{"for another reason", BUDGETS("{nodes: '0', reasons: [Drifted]}") LARGE("n1"),
		 "Empty delete n1", 0, NO_EVENT},
		{"for this reason too", BUDGETS("{nodes: '0', reasons: [Drifted, Empty]}") LARGE("n1"),
		 "n1:Budget", 0, NO_EVENT},
		{"emptiness has the reason Empty",
		 BUDGETS("{nodes: '0', reasons: [Underutilized]}")
			 LARGE("n1") "\n" LARGE("n2") "\nrun a 1 n2",
		 "Empty delete n1 / n2:Budget", 0, NO_EVENT},
		{"drift",
		 BUDGETS("{nodes: '0', reasons: [Drifted]}") LARGE("n1") DRIFT("12:00") "\nrun a 1 n1",
		 "Underutilized replace n1 -> np(a)", 0, NO_EVENT},
		{"the least counts",
		 BUDGETS("{nodes: '2'}, {nodes: '1'}, {nodes: '3'}") LARGE("n1") "\n" LARGE("n2"),
		 "Empty delete n1 / n2:Budget", 0, NO_EVENT},
		{"from now", BUDGETS("{nodes: '0', " HOURS("0", "1h") "}") LARGE("n1"), "n1:Budget", 0,
		 NO_EVENT},
		{"until now", BUDGETS("{nodes: '0', " HOURS("23", "1h") "}") LARGE("n1"), "Empty delete n1",
		 0, NO_EVENT},
		{"until in a minute", BUDGETS("{nodes: '0', " HOURS("23", "1h1m") "}") LARGE("n1"),
		 "n1:Budget", 0, NO_EVENT},
		{"while it is closed others count",
		 BUDGETS("{nodes: '0', " HOURS("9", "8h") "}, {nodes: '1'}") LARGE("n1") "\n" LARGE("n2"),
		 "Empty delete n1 / n2:Budget", 0, NO_EVENT},
	};

	check_rounds(rows, N(rows));
}

/* B1.3: the first method with a command ends the round. */
Test(methods, order)
{
	static const struct round_row rows[] = {
		{"emptiness before drift",
		 BUDGETS("{nodes: " WHENEVER "}") LARGE("n1") DRIFT("12:00") "\nrun a 1 n1\n" LARGE("n2"),
		 "Empty delete n2 / n1:LaterMethod", 0, NO_EVENT},
		{"all empty nodes at once",
		 BUDGETS("{nodes: " WHENEVER "}")
			 LARGE("n1") "\nnode n2 np large z1 spot 8\nnode n3 np small z2 on-demand 2",
		 "Empty delete n1 n2 n3 $0.3800", SHOW_SAVINGS, NO_EVENT},
		{"an empty node that is drifted is empty", "pool np\n" LARGE("n1") DRIFT("12:00"),
		 "Empty delete n1", 0, NO_EVENT},
		{"drift before consolidation",
		 BUDGETS("{nodes: " WHENEVER "}") LARGE("n1") "\nrun a 1 n1\n" LARGE("n2")
			 DRIFT("12:00") "\nrun b 8 n2",
		 "Drifted replace n2 -> np(b) / n1:LaterMethod", 0, NO_EVENT},
	};

	check_rounds(rows, N(rows));
}

#define NEVER "pool np || disruption: {budgets: [{nodes: 100%}], consolidateAfter: Never}\n"

/* B13.2. */
Test(methods, drift)
{
	static const struct round_row rows[] = {
		{"the longest drifted one",
		 NEVER LARGE("n1") DRIFT("13:00") "\nrun a 8 n1\n" LARGE("n2") DRIFT("12:00") "\nrun b 8 n2",
		 "Drifted replace n2 -> np(b) / n1:DriftLater", 0, NO_EVENT},
		{"by name, if alike",
		 NEVER LARGE("n1") DRIFT("12:00") "\nrun a 8 n1\n" LARGE("n2") DRIFT("12:00") "\nrun b 8 n2",
		 "Drifted replace n1 -> np(a) / n2:DriftLater", 0, NO_EVENT},
		{"without pods first",
		 NEVER LARGE("n1") DRIFT("12:00") "\nrun a 8 n1\n" LARGE("n2") DRIFT("13:00") "\nds b 8 n2",
		 "Drifted delete n2 / n1:DriftLater", 0, NO_EVENT},
		/* Pods that cost nothing are pods. */
		{"not without cost first",
		 NEVER LARGE("n1") DRIFT("12:00") "\nrun a 8 n1\n" LARGE("n2")
			 DRIFT("13:00") "\nrun b 8 n2 | priority: -33554432",
		 "Drifted replace n1 -> np(a) / n2:DriftLater", 0, NO_EVENT},
		{"at any price", NEVER "node n1 np small z1 spot 8 " DRIFT("12:00") "\nrun a 8 n1",
		 "Drifted replace n1 -> np(a)=large", SHOW_TYPES, NO_EVENT},
		{"by its own kind too", NEVER "node n1 np small z1 spot 2 " DRIFT("12:00") "\nrun a 1 n1",
		 "Drifted replace n1 -> np(a)=small,arm,medium,large", SHOW_TYPES, NO_EVENT},
		{"by several nodes",
		 NEVER "node n1 np large z1 spot 16 " DRIFT("12:00") "\nrun a 8 n1\nrun b 8 n1",
		 "Drifted replace n1 -> np(a) np(b)", 0, NO_EVENT},
		{"a blocked one, and the next",
		 NEVER LARGE("n1") DRIFT(
			 "12:00") "\nrun a 9 n1 | nodeSelector: {karpenter.sh/nodepool: none}\n" LARGE("n2")
			 DRIFT("13:00") "\nrun b 8 n2",
		 "Drifted replace n2 -> np(b) / n1:DriftBlocked", 0, NO_EVENT},
		{"why it is blocked",
		 "pool np || limits: {cpu: '0'}, disruption: {consolidateAfter: Never}\n" LARGE("n1")
			 DRIFT("12:00") "\nrun a 1 n1",
		 "n1:DriftBlocked", 0, "Node/n1", "DisruptionBlocked",
		 "Not all pods would schedule, default/a => all available instance types exceed limits for "
		 "nodepool (NodePool=np) "},
		{"no budget, and the next NodePool",
		 "pool np || disruption: {budgets: [{nodes: '0'}]}\npool other\n" LARGE("n1")
			 DRIFT("12:00") "\nrun a 8 n1\nnode n2 other large z1 on-demand 8 " DRIFT(
				 "13:00") "\nrun b 8 n2",
		 "Drifted replace n2 -> other(b) / n1:Budget", 0, NO_EVENT},
		/* B13.2: a pending pod that finds no place does not matter, one that does opens a node. */
		{"pending pods", NEVER LARGE("n1") DRIFT("12:00") "\nrun a 8 n1\npod p 8\npod q 99",
		 "Drifted replace n1 -> np(a) np(p)", 0, NO_EVENT},
	};

	check_rounds(rows, N(rows));
}

#define STATIC(replicas, more) \
	"pool np || replicas: " replicas ", disruption: {budgets: [{nodes: 100%}]}" more "\n"
#define TWO_DRIFTED LARGE("n1") DRIFT("13:00") "\n" LARGE("n2") DRIFT("12:00")

/* B13.3: a replacement for each of the first nodes, as many as budget and limits allow. */
Test(methods, static_drift)
{
	static const struct round_row rows[] = {
		{"all at once", STATIC("2", "") TWO_DRIFTED,
		 "Drifted replace n1 -> np(); Drifted replace n2 -> np()", 0, NO_EVENT},
		{"the whole price is saved", STATIC("1", "") LARGE("n1") DRIFT("12:00"),
		 "Drifted replace n1 -> np() $0.2400", SHOW_SAVINGS, NO_EVENT},
		{"pods do not matter", STATIC("1", "") LARGE("n1") DRIFT("12:00") "\nrun a 99 n1",
		 "Drifted replace n1 -> np()", 0, NO_EVENT},
		{"not drifted", STATIC("1", "") LARGE("n1"), "n1:StaticNodePool", 0, NO_EVENT},
		{"more nodes than replicas", STATIC("1", "") TWO_DRIFTED,
		 "n1:StaticScaleDown n2:StaticScaleDown", 0, NO_EVENT},
		{"a node on its way out is none",
		 STATIC("1", "") LARGE("n1") DRIFT("12:00") "\n" LARGE("n2") "|| " DELETED,
		 "Drifted replace n1 -> np() / n2:Deleting", 0, NO_EVENT},
		{"fewer nodes than replicas", STATIC("3", "") TWO_DRIFTED,
		 "Drifted replace n1 -> np(); Drifted replace n2 -> np()", 0, NO_EVENT},
		{"limits.nodes leave room for one", STATIC("2", ", limits: {nodes: 3}") TWO_DRIFTED,
		 "Drifted replace n1 -> np() / n2:StaticNodeLimit", 0, NO_EVENT},
		{"no room", STATIC("2", ", limits: {nodes: 2}") TWO_DRIFTED,
		 "n1:StaticNodeLimit n2:StaticNodeLimit", 0, NO_EVENT},
		{"a node on its way out takes room",
		 STATIC("1", ", limits: {nodes: 2}") LARGE("n1")
			 DRIFT("12:00") "\n" LARGE("n2") "|| " DELETED,
		 "n1:StaticNodeLimit n2:Deleting", 0, NO_EVENT},
		{"other limits do not count", STATIC("2", ", limits: {cpu: 1}") TWO_DRIFTED,
		 "Drifted replace n1 -> np(); Drifted replace n2 -> np()", 0, NO_EVENT},
		{"a budget of one",
		 "pool np || replicas: 2, disruption: {budgets: [{nodes: '1'}]}\n" TWO_DRIFTED,
		 "Drifted replace n1 -> np() / n2:Budget", 0, NO_EVENT},
		{"no budget", "pool np || replicas: 2, disruption: {budgets: [{nodes: '0'}]}\n" TWO_DRIFTED,
		 "n1:Budget n2:Budget", 0, "NodePool/np", "DisruptionBlocked",
		 "No allowed disruptions for disruption reason Drifted due to blocking budget"},
		{"NodePools by name",
		 "pool b || replicas: 1\npool a || replicas: 1\nnode n1 b large z1 spot 8 " DRIFT(
			 "12:00") "\nnode n2 a large z1 spot 8 " DRIFT("12:00"),
		 "Drifted replace n2 -> a(); Drifted replace n1 -> b()", 0, NO_EVENT},
		{"static before other drift",
		 STATIC("1", "") "pool other\n" LARGE("n1")
			 DRIFT("13:00") "\nnode n2 other large z1 on-demand 8 " DRIFT("12:00") "\nrun a 8 n2",
		 "Drifted replace n1 -> np() / n2:LaterMethod", 0, NO_EVENT},
		{"pods block without a terminationGracePeriod",
		 STATIC("1", "") LARGE("n1") DRIFT("12:00") "\nrun a 1 n1 " SHIELD, "n1:PodDoNotDisrupt", 0,
		 NO_EVENT},
		{"and do not with one",
		 STATIC("1", "") LARGE("n1") "||| terminationGracePeriod: 1m ||||" SINCE(
			 "Drifted", "True", "AMIDrift", "12:00") "\nrun a 1 n1 " SHIELD,
		 "Drifted replace n1 -> np()", 0, NO_EVENT},
	};

	check_rounds(rows, N(rows));
}
