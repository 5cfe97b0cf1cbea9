#include <criterion/criterion.h>

#include "stage.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

#define SHIELD "annotations: {karpenter.sh/do-not-disrupt: 'true'}"
#define SHIELD_FOR(d) "annotations: {karpenter.sh/do-not-disrupt: '" d "'}"
#define GIVEN(type, status) \
	"{type: " type ", status: '" status "', lastTransitionTime: '2025-12-31T12:00:00Z'}"
#define SOME_POOL "pool np\n"
#define N1 "node n1 np large z1 on-demand 8 "
#define RUN "run a 1 n1 "
#define META(kind, version, name) "{apiVersion: " version ", kind: " kind ", metadata: {name: " name ", "

/* B2.2, 2 to 9: what of the node itself keeps it. */
Test(candidates, nodes)
{
	static const struct round_row rows[] = {
		{"nothing", SOME_POOL N1 "\n" RUN, "Underutilized replace n1 -> np(a)", 0, NO_EVENT},
		{"no NodeClaim",
		 SOME_POOL META("Node", "v1",
				"n1") "labels: {karpenter.sh/nodepool: np, "
				      "node.kubernetes.io/instance-type: large}}, spec: {providerID: p}}",
		 "n1:NotManaged", 0, "Node/n1", "DisruptionBlocked", NULL},
		{"no Node",
		 SOME_POOL META(
			 "NodeClaim", "karpenter.sh/v1",
			 "c1") "labels: {karpenter.sh/nodepool: np}}, spec: {nodeClassRef: {group: "
			       "g.io, kind: Class, name: c}, requirements: []}, status: {providerID: p}}",
		 "c1:NoNode", 0, "NodeClaim/c1", "DisruptionBlocked",
		 "Nodeclaim does not have an associated node"},
		{"not initialized", SOME_POOL N1 "new", "n1:NotInitialized", 0, "Node/n1",
		 "DisruptionBlocked", "Node isn't initialized"},
		{"not initialized comes before being deleted", SOME_POOL N1 "new || " DELETED,
		 "n1:NotInitialized", 0, NO_EVENT},
		{"being deleted", SOME_POOL N1 "|| " DELETED, "n1:Deleting", 0, "Node/n1",
		 "DisruptionBlocked", "Node is deleting or marked for deletion"},
		{"its instance being terminated",
		 SOME_POOL N1 "||||||| " GIVEN("InstanceTerminating", "True"), "n1:Deleting", 0, NO_EVENT},
		{"annotated", SOME_POOL N1 "||||| " SHIELD, "n1:NodeDoNotDisrupt", 0, "NodeClaim/n1",
		 "DisruptionBlocked",
		 "Disruption is blocked through the \"karpenter.sh/do-not-disrupt\" annotation"},
		{"a node takes no duration", SOME_POOL N1 "||||| " SHIELD_FOR("5m"), "Empty delete n1", 0,
		 NO_EVENT},
		{"the annotation of the NodeClaim of a registered node", SOME_POOL N1 "|| " SHIELD,
		 "Empty delete n1", 0, NO_EVENT},
		{"no such NodePool", SOME_POOL "node n1 other large z1 on-demand 8", "n1:NodePoolNotFound", 0,
		 "Node/n1", "DisruptionBlocked", "NodePool not found (NodePool=other)"},
		{"a NodePool without instance types",
		 "pool np\npool other\n" META("InstanceTypeSet", "kspot.dev/v1",
					      "t") "}, spec: {nodePools: [other], instanceTypes: []}}\n" N1,
		 "n1:NodePoolNotFound", 0, NO_EVENT},
		{"no label for the NodePool",
		 SOME_POOL META(
			 "NodeClaim", "karpenter.sh/v1",
			 "c1") "}, spec: {nodeClassRef: {group: g.io, "
			       "kind: Class, name: c}, requirements: "
			       "[]}, status: {providerID: p}}\n" META(
				       "Node", "v1",
				       "n1") "labels: {karpenter.sh/registered: 'true', "
					     "karpenter.sh/initialized: 'true'}}, spec: {providerID: p}}",
		 "n1:NodePoolLabelMissing", 0, "Node/n1", "DisruptionBlocked",
		 "Node doesn't have required label (label=karpenter.sh/nodepool)"},
	};

	check_rounds(rows, N(rows));
}

/* A1.3: the state is not complete, and nothing is decided. */
Test(candidates, unsynced)
{
	static const struct round_row rows[] = {
		{"a NodeClaim without an instance",
		 SOME_POOL N1 "\n" META("NodeClaim", "karpenter.sh/v1",
					"c1") "labels: {karpenter.sh/nodepool: np}}, spec: {nodeClassRef: "
					      "{group: g.io, kind: Class, name: c}, requirements: []}}",
		 "n1:NotSynced", 0, NO_EVENT},
	};

	check_rounds(rows, N(rows));
}

#define ONE_OF_TWO                                              \
	"pool np || disruption: {budgets: [{nodes: '2'}]}\n" N1 \
	"\nrun b 1 n1\nnode n2 np large z1 on-demand 8 || " DELETED "\n"

/* B2.2, 10, and B3.6: do-not-disrupt on pods. */
Test(candidates, shielded_pods)
{
	static const char blocked[] = "Pod has \"karpenter.sh/do-not-disrupt\" annotation (Pod=default/a)";
	static const struct round_row rows[] = {
		{"a pod", SOME_POOL N1 "\n" RUN "|| " SHIELD, "n1:PodDoNotDisrupt", 0, "Node/n1",
		 "DisruptionBlocked", blocked},
		{"a DaemonSet's", SOME_POOL N1 "\nds a 1 n1 || " SHIELD, "n1:PodDoNotDisrupt", 0, "Node/n1",
		 "DisruptionBlocked", blocked},
		{"the node's own", SOME_POOL N1 "\nmirror a 1 n1 || " SHIELD, "n1:PodDoNotDisrupt", 0,
		 NO_EVENT},
		{"a pod on its way out", SOME_POOL N1 "\n" RUN "|| " SHIELD ", " DELETED, "Empty delete n1",
		 0, NO_EVENT},
		{"another value", SOME_POOL N1 "\n" RUN "|| " SHIELD_FOR("false"),
		 "Underutilized replace n1 -> np(a)", 0, "Pod/default/a", "InvalidDoNotDisruptAnnotation",
		 "Invalid karpenter.sh/do-not-disrupt annotation: failed to parse \"false\" as a duration: "
		 "time: invalid duration \"false\", ignoring annotation"},
		{"no positive duration", SOME_POOL N1 "\n" RUN "|| " SHIELD_FOR("0s"),
		 "Underutilized replace n1 -> np(a)", 0, "Pod/default/a", "InvalidDoNotDisruptAnnotation",
		 "Invalid karpenter.sh/do-not-disrupt annotation: duration \"0s\" must be positive, ignoring "
		 "annotation"},
		{"a second left",
		 SOME_POOL N1 "\n" RUN "|| " SHIELD_FOR("30m") "| startTime: '2025-12-31T23:30:01Z'",
		 "n1:PodDoNotDisrupt", 0, "Pod/default/a", "DoNotDisruptUntil",
		 "The karpenter.sh/do-not-disrupt grace period will elapse at 2026-01-01T00:00:01Z"},
		{"just over",
		 SOME_POOL N1 "\n" RUN "|| " SHIELD_FOR("30m") "| startTime: '2025-12-31T23:30:00Z'",
		 "Underutilized replace n1 -> np(a)", 0, "Pod/default/a", "DoNotDisruptGracePeriodElapsed",
		 "The karpenter.sh/do-not-disrupt grace period has elapsed, pod is now disruptable"},
		{"not started yet", SOME_POOL N1 "\n" RUN "|| " SHIELD_FOR("30m"), "n1:PodDoNotDisrupt", 0,
		 NO_EVENT},
		/* Karpenter looks at pods of deleting nodes only where they may be evicted or moved. */
		{"a pod of a node on its way out", ONE_OF_TWO "run a 1 n2 || " SHIELD_FOR("x"),
		 "Underutilized replace n1 -> np(b a) / n2:Deleting", 0, "Pod/default/a",
		 "InvalidDoNotDisruptAnnotation",
		 "Invalid karpenter.sh/do-not-disrupt annotation: failed to parse \"x\" as a duration: time: "
		 "invalid "
		 "duration \"x\", ignoring annotation"},
		{"the own pod of one", ONE_OF_TWO "mirror a 1 n2 || " SHIELD_FOR("x"),
		 "Underutilized replace n1 -> np(b) / n2:Deleting", 0, "Pod/default/a",
		 "InvalidDoNotDisruptAnnotation", NULL},
		{"a DaemonSet's pod of one, that stays to the end",
		 ONE_OF_TWO "ds a 1 n2 | tolerations: [{operator: Exists}] | " SHIELD_FOR("x"),
		 "Underutilized replace n1 -> np(b) / n2:Deleting", 0, "Pod/default/a",
		 "InvalidDoNotDisruptAnnotation", NULL},
		{"before PodDisruptionBudgets", SOME_POOL N1 "\npdb b 0\nrun b 1 n1\n" RUN "|| " SHIELD,
		 "n1:PodDoNotDisrupt", 0, NO_EVENT},
	};

	check_rounds(rows, N(rows));
}

#define READY(status) "conditions: [" GIVEN("Ready", status) "]"

/* B2.2, 11, and B3.7: PodDisruptionBudgets. */
Test(candidates, pdbs)
{
	static const char moves[] = "Underutilized replace n1 -> np(a)", blocked[] = "n1:PodDisruptionBudget";
	static const struct round_row rows[] = {
		{"no disruption allowed", SOME_POOL N1 "\npdb b 0\n" RUN, blocked, 0, "Node/n1",
		 "DisruptionBlocked", "Pdb prevents pod evictions (PodDisruptionBudget=[default/b])"},
		{"one allowed", SOME_POOL N1 "\npdb b 1\n" RUN, moves, 0, NO_EVENT},
		{"one allowed for two pods", SOME_POOL N1 "\npdb b 1\n" RUN "\nrun b 1 n1",
		 "Underutilized replace n1 -> np(a b)", 0, NO_EVENT},
		{"two that match", SOME_POOL N1 "\npdb c 1\npdb b 1\n" RUN, "n1:SeveralPodDisruptionBudgets",
		 0, "Node/n1", "DisruptionBlocked",
		 "Eviction does not support multiple PDBs (PodDisruptionBudget(s)=[default/b default/c])"},
		{"an unhealthy pod",
		 SOME_POOL N1 "\npdb b 0 | selector: {}, unhealthyPodEvictionPolicy: AlwaysAllow\n" RUN
			      "||| " READY("False"),
		 moves, 0, NO_EVENT},
		{"a healthy pod",
		 SOME_POOL N1 "\npdb b 0 | selector: {}, unhealthyPodEvictionPolicy: AlwaysAllow\n" RUN
			      "||| " READY("True"),
		 blocked, 0, NO_EVENT},
		{"a pod of unknown health",
		 SOME_POOL N1 "\npdb b 0 | selector: {}, unhealthyPodEvictionPolicy: AlwaysAllow\n" RUN,
		 blocked, 0, NO_EVENT},
		{"an unhealthy pod, if healthy budget",
		 SOME_POOL N1 "\npdb b 0 | selector: {}, unhealthyPodEvictionPolicy: IfHealthyBudget\n" RUN
			      "||| " READY("False"),
		 blocked, 0, NO_EVENT},
		{"a pod that tolerates the taint",
		 SOME_POOL N1 "\npdb b 0\n" RUN "| tolerations: [{operator: Exists}]", moves, 0, NO_EVENT},
		{"a DaemonSet's pod", SOME_POOL N1 "\npdb b 0\nds a 1 n1", blocked, 0, NO_EVENT},
		{"the node's own pod", SOME_POOL N1 "\npdb b 0\nmirror a 1 n1", "Empty delete n1", 0,
		 NO_EVENT},
		{"a pod on its way out", SOME_POOL N1 "\npdb b 0\n" RUN "|| " DELETED, "Empty delete n1", 0,
		 NO_EVENT},
		{"no selector", SOME_POOL N1 "\npdb b 0 | minAvailable: 1\n" RUN, moves, 0, NO_EVENT},
		{"another label", SOME_POOL N1 "\npdb b 0 | selector: {matchLabels: {app: b}}\n" RUN, moves,
		 0, NO_EVENT},
		{"another namespace",
		 SOME_POOL N1
		 "\n" META("PodDisruptionBudget", "policy/v1", "b") "namespace: other}, spec: "
								    "{selector: {}}, status: "
								    "{disruptionsAllowed: 0}}\n" RUN,
		 moves, 0, NO_EVENT},
	};

	check_rounds(rows, N(rows));
}

#define DRIFTED_N1 "\nnode n1 np large z1 on-demand 8 "
#define DRIFT "|||||||" GIVEN("Drifted", "True")
#define GRACE_DRIFT "||| terminationGracePeriod: 1h ||||" GIVEN("Drifted", "True")

/* B2.2 and B1.4: drift is eventual, a terminationGracePeriod overrules pods; the rest is not. */
Test(candidates, eventual)
{
	static const struct round_row rows[] = {
		{"a PodDisruptionBudget", SOME_POOL "pdb b 0\n" RUN DRIFTED_N1 DRIFT,
		 "n1:PodDisruptionBudget", 0, NO_EVENT},
		{"a PodDisruptionBudget overruled", SOME_POOL "pdb b 0\n" RUN DRIFTED_N1 GRACE_DRIFT,
		 "Drifted replace n1 -> np(a)", 0, NO_EVENT},
		{"an annotation", SOME_POOL RUN "|| " SHIELD DRIFTED_N1 DRIFT, "n1:PodDoNotDisrupt", 0,
		 NO_EVENT},
		/* A2.3, B6.2: the pod has no place to be found, and does not stop the node. */
		{"an annotation overruled", SOME_POOL RUN "|| " SHIELD DRIFTED_N1 GRACE_DRIFT,
		 "Drifted delete n1", 0, NO_EVENT},
		/* B3.8. */
		{"a budget that never allows any",
		 SOME_POOL "pdb b 0 | selector: {}, maxUnavailable: 0\n" RUN DRIFTED_N1 GRACE_DRIFT,
		 "Drifted delete n1", 0, NO_EVENT},
		{"in percent",
		 SOME_POOL "pdb b 0 | selector: {}, maxUnavailable: 0%\n" RUN DRIFTED_N1 GRACE_DRIFT,
		 "Drifted delete n1", 0, NO_EVENT},
		{"all must be available",
		 SOME_POOL "pdb b 0 | selector: {}, minAvailable: 100%\n" RUN DRIFTED_N1 GRACE_DRIFT,
		 "Drifted delete n1", 0, NO_EVENT},
		{"almost all must be available",
		 SOME_POOL "pdb b 0 | selector: {}, minAvailable: 99%\n" RUN DRIFTED_N1 GRACE_DRIFT,
		 "Drifted replace n1 -> np(a)", 0, NO_EVENT},
		{"the node's annotation",
		 SOME_POOL RUN DRIFTED_N1 "||| terminationGracePeriod: 1h || " SHIELD
					  "|| " GIVEN("Drifted", "True"),
		 "n1:NodeDoNotDisrupt", 0, NO_EVENT},
		{"consolidation is graceful",
		 SOME_POOL "pdb b 0\n" RUN DRIFTED_N1 "||| terminationGracePeriod: 1h",
		 "n1:PodDisruptionBudget", 0, NO_EVENT},
	};

	check_rounds(rows, N(rows));
}

#define NO_DRIFT "|||||||" GIVEN("Drifted", "False")
#define LABELLED(name, labels)                                                                              \
	META("NodeClaim", "karpenter.sh/v1", name)                                                          \
	"creationTimestamp: '2025-12-31T00:00:00Z', labels: {" labels                                       \
	"}}, spec: {nodeClassRef: {group: g.io, "                                                           \
	"kind: Class, name: c}, requirements: []}, status: {providerID: p, conditions: [" GIVEN(            \
		"Initialized",                                                                              \
		"True") ", " GIVEN("Drifted",                                                               \
				   "False") "]}}\n" META("Node", "v1",                                      \
							 name) "labels: {karpenter.sh/registered: 'true', " \
							       "karpenter.sh/initialized: 'true', " labels  \
							       "}}, spec: {providerID: p}, status: "        \
							       "{allocatable: {cpu: 8, memory: 8Gi, pods: " \
							       "9}, conditions: [" GIVEN("Ready",           \
											 "True") "]}}\n"
#define OF_LARGE "karpenter.sh/nodepool: np, node.kubernetes.io/instance-type: large"

/* B2.4: what the methods look for. */
Test(candidates, filters)
{
	static const char never[] = "NodePool \"np\" has consolidation disabled",
			  when_empty[] =
				  "NodePool \"np\" has consolidation policy WhenEmpty, but node is not empty";
	static const struct round_row rows[] = {
		{"an empty node, never", "pool np || disruption: {consolidateAfter: Never}\n" N1,
		 "n1:ConsolidationDisabled", 0, "Node/n1", "Unconsolidatable", never},
		{"a node, never", "pool np || disruption: {consolidateAfter: Never}\n" N1 "\n" RUN,
		 "n1:ConsolidationDisabled", 0, "NodeClaim/n1", "Unconsolidatable", never},
		{"a static NodePool's", "pool np || replicas: 1\n" N1, "n1:StaticNodePool", 0, "Node/n1",
		 "Unconsolidatable", NULL},
		{"a type that is not there", SOME_POOL "node n1 np huge z1 on-demand 8 " NO_DRIFT "\n" RUN,
		 "n1:InstanceTypeNotFound", 0, "Node/n1", "Unconsolidatable",
		 "Instance Type \"huge\" not found"},
		{"an empty node of a type that is not there",
		 SOME_POOL "node n1 np huge z1 on-demand 8 " NO_DRIFT, "Empty delete n1", 0, NO_EVENT},
		{"no label for the capacity type",
		 SOME_POOL LABELLED("n1", OF_LARGE ", topology.kubernetes.io/zone: z1") RUN,
		 "n1:LabelMissing", 0, "Node/n1", "Unconsolidatable",
		 "Node does not have label \"karpenter.sh/capacity-type\""},
		{"no label for the zone",
		 SOME_POOL LABELLED("n1", OF_LARGE ", karpenter.sh/capacity-type: spot") RUN,
		 "n1:LabelMissing", 0, "Node/n1", "Unconsolidatable",
		 "Node does not have label \"topology.kubernetes.io/zone\""},
		{"WhenEmpty, empty", "pool np || disruption: {consolidationPolicy: WhenEmpty}\n" N1,
		 "Empty delete n1", 0, NO_EVENT},
		{"WhenEmpty, not empty",
		 "pool np || disruption: {consolidationPolicy: WhenEmpty}\n" N1 "\n" RUN,
		 "n1:PolicyWhenEmpty", 0, "Node/n1", "Unconsolidatable", when_empty},
		{"the policy comes before the time",
		 "pool np || disruption: {consolidationPolicy: WhenEmpty}\n" RUN "\n" N1
		 "|||||||" GIVEN("Consolidatable", "False"),
		 "n1:PolicyWhenEmpty", 0, NO_EVENT},
		{"not consolidatable, empty", SOME_POOL N1 "|||||||" GIVEN("Consolidatable", "False"),
		 "n1:ConsolidateAfter", 0, "Node/n1", "Unconsolidatable", NULL},
		{"not consolidatable", SOME_POOL RUN "\n" N1 "|||||||" GIVEN("Consolidatable", "Unknown"),
		 "n1:ConsolidateAfter", 0, "Node/n1", "Unconsolidatable", NULL},
		/* B13.2: drift asks for none of it. */
		{"drift, never", "pool np || disruption: {consolidateAfter: Never}\n" RUN DRIFTED_N1 DRIFT,
		 "Drifted replace n1 -> np(a)", 0, NO_EVENT},
	};

	check_rounds(rows, N(rows));
}

#define BUFFER(cpu)                                                                                       \
	"settings | featureGates: {CapacityBuffer: true}\n{apiVersion: v1, kind: PodTemplate, metadata: " \
	"{name: pt}, "                                                                                    \
	"template: {spec: {containers: [{name: c, resources: {requests: {cpu: '" cpu                      \
	"'}}}]}}}\n{apiVersion: autoscaling.x-k8s.io/v1beta1, kind: CapacityBuffer, metadata: {name: "    \
	"spare}, spec: "                                                                                  \
	"{podTemplateRef: {name: pt}, replicas: 1}}\n"

/* B2.4, A17.2: a node that is to have room for a buffer is not empty. */
Test(candidates, buffers)
{
	static const char text[] = "Node \"n1\" has buffer pods";
	static const struct round_row rows[] = {
		{"an empty node", BUFFER("1") SOME_POOL N1, "n1:BufferPods", 0, "Node/n1", "Unconsolidatable",
		 text},
		{"a buffer elsewhere", BUFFER("1") SOME_POOL N1 "\nnode n0 np small z1 spot 2",
		 "Empty delete n1 / n0:BufferPods", 0, NO_EVENT},
		{"a buffer too large for the node", BUFFER("3") SOME_POOL "node n1 np small z1 spot 2",
		 "Empty delete n1", 0, NO_EVENT},
		{"never comes first", BUFFER("1") "pool np || disruption: {consolidateAfter: Never}\n" N1,
		 "n1:ConsolidationDisabled", 0, NO_EVENT},
		/* It is told of, but consolidation asks no more than that the buffer has room after it. */
		{"a node that is not empty", BUFFER("1") SOME_POOL N1 "\n" RUN,
		 "Underutilized replace n1 -> np(~ a)", 0, "Node/n1", "Unconsolidatable", text},
		{"its verdict is that of consolidation",
		 BUFFER("1") "pool np || disruption: {consolidationPolicy: WhenEmpty}\n" N1 "\n" RUN,
		 "n1:PolicyWhenEmpty", 0, NO_EVENT},
	};

	check_rounds(rows, N(rows));
}

/* B4: when a node is consolidatable. It was initialized 23 h 59 min ago. */
Test(candidates, consolidate_after)
{
	static const struct round_row rows[] = {
		{"over", "pool np || disruption: {consolidateAfter: 23h59m}\n" N1, "Empty delete n1", 0,
		 NO_EVENT},
		{"a second to go", "pool np || disruption: {consolidateAfter: 23h59m1s}\n" N1,
		 "n1:ConsolidateAfter", 0, NO_EVENT},
		{"since the last pod, over",
		 "pool np || disruption: {consolidateAfter: 30s}\n" N1
		 "|||| lastPodEventTime: '2025-12-31T23:59:30Z'",
		 "Empty delete n1", 0, NO_EVENT},
		{"since the last pod",
		 "pool np || disruption: {consolidateAfter: 31s}\n" N1
		 "|||| lastPodEventTime: '2025-12-31T23:59:30Z'",
		 "n1:ConsolidateAfter", 0, NO_EVENT},
		{"no time at all", SOME_POOL N1 "|||| lastPodEventTime: '2026-01-01T00:00:00Z'",
		 "Empty delete n1", 0, NO_EVENT},
		{"what the input says stands",
		 "pool np || disruption: {consolidateAfter: 48h}\n" N1
		 "|||||||" GIVEN("Consolidatable", "True"),
		 "Empty delete n1", 0, NO_EVENT},
		{"a NodeClaim that is not initialized",
		 SOME_POOL META("NodeClaim", "karpenter.sh/v1",
				"n1") "creationTimestamp: '2025-12-31T00:00:00Z', labels: {" OF_LARGE
				      "}}, spec: {nodeClassRef: {group: g.io, kind: Class, name: c}, "
				      "requirements: []}, status: {providerID: p, conditions: [" GIVEN(
					      "Initialized",
					      "False") "]}}\n" META("Node", "v1",
								    "n1") "labels: {karpenter.sh/registered: "
									  "'true', karpenter.sh/initialized: "
									  "'true', " OF_LARGE
									  "}}, spec: {providerID: p}}\n",
		 "n1:ConsolidateAfter", 0, NO_EVENT},
	};

	check_rounds(rows, N(rows));
}

#define COST(v) "annotations: {controller.kubernetes.io/pod-deletion-cost: '" v "'}"
#define ONE_AT_A_TIME "pool np || disruption: {budgets: [{nodes: '1'}]}\n"
#define TWO "node n1 np large z1 on-demand 8\nnode n2 np large z1 on-demand 8\n"

/* B3: what a disruption costs, and who is first. With a budget of one, single-node consolidation decides. */
Test(candidates, costs)
{
	static const struct round_row rows[] = {
		{"alike: by name", ONE_AT_A_TIME TWO "run a 1 n1\nrun b 1 n2",
		 "Underutilized delete n1 / n2:NotReached", 0, NO_EVENT},
		{"fewer pods first", ONE_AT_A_TIME TWO "run a 1 n1\nrun b 1 n1\nrun c 1 n2",
		 "Underutilized delete n2 / n1:NotReached", 0, NO_EVENT},
		{"what an eviction costs",
		 ONE_AT_A_TIME TWO "run a 1 n1 || " COST("134217728") "\nrun c 1 n2",
		 "Underutilized delete n2 / n1:NotReached", 0, NO_EVENT},
		{"a cost that is no number", ONE_AT_A_TIME TWO "run a 1 n1 || " COST("x") "\nrun c 1 n2",
		 "Underutilized delete n1 / n2:NotReached", 0, NO_EVENT},
		{"priorities count", ONE_AT_A_TIME TWO "run a 1 n1 | priority: 33554432\nrun c 1 n2",
		 "Underutilized delete n2 / n1:NotReached", 0, NO_EVENT},
		/* (1 + 1) against (1 + 2 + 0): negative costs do not make up for others. */
		{"a negative cost counts nothing",
		 ONE_AT_A_TIME TWO
		 "run a 1 n1 || " COST("134217728") "\nrun b 1 n1 || " COST("-2147483647") "\nrun c 1 n2",
		 "Underutilized delete n2 / n1:NotReached", 0, NO_EVENT},
		{"DaemonSets' pods count nothing", ONE_AT_A_TIME TWO "run a 1 n1\nds x 1 n1\nrun c 1 n2",
		 "Underutilized delete n1 / n2:NotReached", 0, NO_EVENT},
		{"the dearer one first",
		 ONE_AT_A_TIME "node n1 np medium z1 on-demand 8\nnode n2 np large z1 on-demand 8\n"
			       "run a 1 n1\nrun b 1 n2",
		 "Underutilized delete n2 / n1:NotReached", 0, NO_EVENT},
		{"the dearer of empty ones first",
		 ONE_AT_A_TIME "node n1 np medium z1 on-demand 8\nnode n2 np large z1 on-demand 8\n",
		 "Empty delete n2 / n1:Budget", 0, NO_EVENT},
		{"Spot is cheaper",
		 ONE_AT_A_TIME "node n1 np large z1 spot 8\nnode n2 np medium z1 on-demand 8\n",
		 "Empty delete n2 / n1:Budget", 0, NO_EVENT},
	};

	check_rounds(rows, N(rows));
}

/* B3.3, A2.2: what is empty. */
Test(candidates, empty)
{
	static const struct round_row rows[] = {
		{"no pods", SOME_POOL N1, "Empty delete n1", 0, NO_EVENT},
		{"a DaemonSet's", SOME_POOL N1 "\nds a 1 n1", "Empty delete n1", 0, NO_EVENT},
		{"the node's own", SOME_POOL N1 "\nmirror a 1 n1", "Empty delete n1", 0, NO_EVENT},
		{"on its way out", SOME_POOL N1 "\n" RUN "|| " DELETED, "Empty delete n1", 0, NO_EVENT},
		{"a StatefulSet's on its way out", SOME_POOL N1 "\nsts a 1 n1 || " DELETED,
		 "Underutilized replace n1 -> np(a)", 0, NO_EVENT},
		/* The quirk: no simulation, though no type has 64 CPU. */
		{"pods that cost nothing", SOME_POOL "run a 64 n1 | priority: -33554432\n" N1,
		 "Empty delete n1", 0, NO_EVENT},
		{"pods that cost next to nothing", SOME_POOL "run a 64 n1 | priority: -33554431\n" N1,
		 "n1:PodsWouldNotSchedule", 0, NO_EVENT},
	};

	check_rounds(rows, N(rows));
}
