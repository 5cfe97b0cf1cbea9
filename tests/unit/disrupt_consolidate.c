#include <criterion/criterion.h>

#include "stage.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

#define GIVEN(type, status) \
	"{type: " type ", status: '" status "', lastTransitionTime: '2025-12-31T12:00:00Z'}"
#define SHIELD "|| annotations: {karpenter.sh/do-not-disrupt: 'true'}"
#define NO_DRIFT "|||||||" GIVEN("Drifted", "False")
#define DRIFT "|||||||" GIVEN("Drifted", "True")
#define N1 "node n1 np large z1 on-demand 8 "
#define RUN "run a 1 n1 "
/* A node that stays, with 3 CPU left. */
#define KEEPER "node n2 np medium z1 on-demand 4\nrun k 1 n2 " SHIELD "\n"
#define CAPACITY(v) REQ("karpenter.sh/capacity-type", "In", v)
#define ONLY_ON_DEMAND "pool np | requirements: [" CAPACITY("on-demand") "]\n"

#define ALL_AT_ONCE "pool np || disruption: {budgets: [{nodes: 100%}]}\n"

#define FOUR "run a 9 n1\nrun b 9 n1\nrun c 9 n1\nrun d 9 n1\n"
#define NO_ROOM(pods)                                                                                \
	"pool np || limits: {cpu: '0'}, disruption: {budgets: [{nodes: '2'}]}\nnode n1 np large z1 " \
	"on-demand 99\n" pods
#define OVER(pod) "default/" pod " => all available instance types exceed limits for nodepool (NodePool=np) "
#define LEFT_OVER "taints: [{key: karpenter.sh/disrupted, effect: NoSchedule}]"
#define NOT_READY                                                                                           \
	"{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: np}, spec: {disruption: {budgets: " \
	"[{nodes: "                                                                                         \
	"100%}]}, template: {spec: {nodeClassRef: {group: g.io, kind: Class, name: c}, requirements: "      \
	"[]}}}, status: "                                                                                   \
	"{conditions: [" GIVEN("Ready", "False") "]}}\n"

/* B6: which pods have to find a place, and where. */
Test(consolidate, simulation)
{
	static const struct round_row rows[] = {
		{"room elsewhere", "pool np\n" N1 "\n" RUN "\n" KEEPER,
		 "Underutilized delete n1 / n2:PodDoNotDisrupt", 0, "Node/n1", "ConsolidationCandidate",
		 NULL},
		{"pods of a node on its way out take it",
		 ALL_AT_ONCE N1 "\n" RUN "\n" KEEPER "node n3 np medium z1 on-demand 4 || " DELETED
				"\nrun d 3 n3",
		 "Underutilized replace n1 -> np(a) / n2:PodDoNotDisrupt n3:Deleting", 0, NO_EVENT},
		{"pending pods take it", "pool np\n" N1 "\n" RUN "\n" KEEPER "pod p 3",
		 "Underutilized replace n1 -> np(a) / n2:PodDoNotDisrupt", 0, NO_EVENT},
		/* B6.7. */
		{"a claim for a pending pod alone is a replacement",
		 "pool np\n" N1 "\n" RUN "\n" KEEPER "pod p 7",
		 "Underutilized replace n1 -> np(p) / n2:PodDoNotDisrupt", 0, NO_EVENT},
		/* B6.5. */
		{"a pending pod without a place does not matter",
		 "pool np\n" N1 "\n" RUN "\n" KEEPER "pod p 99",
		 "Underutilized delete n1 / n2:PodDoNotDisrupt", 0, NO_EVENT},
		/* B6.4. */
		{"a node that is not initialized is no place",
		 "pool np\n" N1 "\n" RUN "\nnode n2 np large z1 on-demand 8 new",
		 "n1:PodsWouldNotSchedule n2:NotInitialized", 0, "Node/n1", "Unconsolidatable",
		 "Not all pods would schedule, default/a => would schedule against uninitialized "
		 "nodeclaim/n2, "
		 "node/n2 "},
		{"but for pods of a node on its way out",
		 ALL_AT_ONCE N1 "\n" RUN "\n" KEEPER "node n3 np large z1 on-demand 8 || " DELETED
				"\nrun d 7 n3\nnode n4 np large z1 on-demand 8 new",
		 "Underutilized delete n1 / n2:PodDoNotDisrupt n3:Deleting n4:NotInitialized", 0, NO_EVENT},
		/* B6.6. */
		{"four pods without a place", NO_ROOM(FOUR), "n1:PodsWouldNotSchedule", 0, "Node/n1",
		 "Unconsolidatable", "Not all pods would schedule, " OVER("a") OVER("b") OVER("c") OVER("d")},
		{"five", NO_ROOM(FOUR "run e 9 n1\n"), "n1:PodsWouldNotSchedule", 0, "Node/n1",
		 "Unconsolidatable",
		 "Not all pods would schedule, " OVER("a") OVER("b") OVER("c") OVER("d")
			 OVER("e") " and 0 other(s)"},
		{"six", NO_ROOM(FOUR "run f 9 n1\nrun e 9 n1\n"), "n1:PodsWouldNotSchedule", 0, "Node/n1",
		 "Unconsolidatable",
		 "Not all pods would schedule, " OVER("a") OVER("b") OVER("c") OVER("d")
			 OVER("e") " and 1 other(s)"},
		{"pods of nodes on their way out block too, by name",
		 NO_ROOM("run b 9 n1\nnode n2 np large z1 on-demand 8 || " DELETED "\nrun a 9 n2"),
		 "n1:PodsWouldNotSchedule n2:Deleting", 0, "Node/n1", "Unconsolidatable",
		 "Not all pods would schedule, " OVER("a") OVER("b")},
		/* A5.3, B6.3. */
		{"a node within consolidateAfter takes no pods of others",
		 "pool np\npool fresh || disruption: {consolidateAfter: 48h}\n" N1 "\n" RUN
		 "\nnode n2 fresh large z1 on-demand 8",
		 "Underutilized replace n1 -> np(a) / n2:ConsolidateAfter", 0, NO_EVENT},
		{"but those of a drifted node",
		 "pool np\npool fresh || disruption: {consolidateAfter: 48h}\n" N1 DRIFT "\n" RUN
		 "\nnode n2 fresh large z1 on-demand 8",
		 "Drifted delete n1 / n2:ConsolidateAfter", 0, NO_EVENT},
		{"at its end it does",
		 "pool np\npool fresh || disruption: {consolidateAfter: 23h59m}\n" N1 "\n" RUN
		 "\nnode n2 fresh large z1 on-demand 8\nrun k 1 n2 " SHIELD,
		 "Underutilized delete n1 / n2:PodDoNotDisrupt", 0, NO_EVENT},
		/* B1.2. */
		{"a left-over taint is taken off",
		 "pool np\n" N1 "\n" RUN "\nnode n2 np large z1 on-demand 8 |||||| " LEFT_OVER
		 "\nrun k 1 n2 " SHIELD,
		 "Underutilized delete n1 / n2:PodDoNotDisrupt", 0, NO_EVENT},
		{"not that of a Node on its way out",
		 "pool np\n" N1 "\n" RUN "\nnode n2 np large z1 on-demand 8 ||||| " DELETED "| " LEFT_OVER
		 "\nrun k 1 n2 " SHIELD,
		 "Underutilized replace n1 -> np(a) / n2:PodDoNotDisrupt", 0, NO_EVENT},
		/* A15.2: the truncation leaves fewer than minValues, the claim for the pending pod is
		   dropped. */
		{"claims that cannot be made are none",
		 "settings | maxInstanceTypes: 2\n" N1 "\n" RUN "\n" KEEPER
		 "pool np | requirements: [{key: node.kubernetes.io/instance-type, operator: Exists, "
		 "minValues: 3}]\n"
		 "pod p 4\npod q 4",
		 "Underutilized delete n1 / n2:PodDoNotDisrupt", 0, NO_EVENT},
		/* A9.1: what the node takes of the limits of its NodePool is free again. */
		{"limits without the node", "pool np || limits: {cpu: 8}\n" N1 "\n" RUN,
		 "Underutilized replace n1 -> np(a)", 0, NO_EVENT},
		{"limits of others",
		 "pool np || limits: {cpu: 8}\n" N1 "\n" RUN "\nnode n2 np large z1 on-demand 8\n"
		 "run k 8 n2 " SHIELD,
		 "n1:PodsWouldNotSchedule n2:PodDoNotDisrupt", 0, "Node/n1", "Unconsolidatable",
		 "Not all pods would schedule, default/a => all available instance types exceed limits for "
		 "nodepool (NodePool=np) "},
		{"a NodePool without types is told",
		 "pool none | requirements: [" CAPACITY("reserved") "]\npool np\n" N1 "\n" RUN,
		 "Underutilized replace n1 -> np(a)", 0, "NodePool/none", "NoCompatibleInstanceTypes",
		 "NodePool requirements filtered out all compatible available instance types"},
		/* determinism, B9: single-node consolidation goes on without a decision, multi-node ends the
		   round. */
		{"no NodePool is ready", NOT_READY N1 "\n" RUN "\n" KEEPER,
		 "n1:SimulationFailed n2:PodDoNotDisrupt", 0, "Node/n1", "Unconsolidatable", NULL},
		{"empty nodes go all the same", NOT_READY N1, "Empty delete n1", 0, NO_EVENT},
	};

	check_rounds(rows, N(rows));
}

#define OFFER(zone, capacity, price, more) \
	"{price: " price ", " more "requirements: [" REQ(ZONE, "In", zone) ", " CAPACITY(capacity) "]}, "
#define TYPE(name, offerings)                                                              \
	"{name: " name ", capacity: {cpu: 4, memory: 8Gi, pods: 10}, requirements: [" REQ( \
		"node.kubernetes.io/instance-type", "In",                                  \
		name) ", " REQ(ZONE, "In",                                                 \
			       "z1, z2") ", " CAPACITY("spot, on-demand") "], offerings: [" offerings "]}, "
#define TYPES(list)                                                                                     \
	"{apiVersion: kspot.dev/v1, kind: InstanceTypeSet, metadata: {name: t}, spec: {instanceTypes: " \
	"[" list "]}}\n"
#define GONE "available: false, "

/* B3.4, B7: what a node costs, and what may come instead. */
Test(consolidate, price)
{
	static const char dear[] = "Can't replace with a cheaper node";
	static const struct round_row rows[] = {
		{"all that is cheaper", ONLY_ON_DEMAND N1 "\n" RUN,
		 "Underutilized replace n1 -> np(a)=small,arm,medium", SHOW_TYPES, "Node/n1",
		 "ConsolidationCandidate",
		 "Consolidation candidate: replace: [n1] -> [1 replacement] (savings: $0.18)"},
		{"equal is not cheaper", ONLY_ON_DEMAND "node n1 np small z1 on-demand 2\n" RUN,
		 "n1:NoCheaperReplacement", 0, "Node/n1", "Unconsolidatable", dear},
		/* B7.9: from on-demand to Spot; the price is that of Spot, as it is launched first. */
		{"on-demand to Spot", "pool np\nnode n1 np small z1 on-demand 2\n" RUN,
		 "Underutilized replace n1 -> np(a)=small,arm,medium {karpenter.sh/capacity-type In [spot]}",
		 SHOW_TYPES | SHOW_REQS, NO_EVENT},
		{"nothing to narrow", ONLY_ON_DEMAND "node n1 np medium z1 on-demand 4\n" RUN,
		 "Underutilized replace n1 -> np(a)=small,arm {karpenter.sh/capacity-type In [on-demand]}",
		 SHOW_TYPES | SHOW_REQS, NO_EVENT},
		{"a Spot node to on-demand", ONLY_ON_DEMAND "node n1 np large z1 spot 8" NO_DRIFT "\n" RUN,
		 "Underutilized replace n1 -> np(a)=small", SHOW_TYPES, NO_EVENT},
		/* B7.7: the dearest of the class that a launch would choose. */
		{"the dearest zone counts",
		 TYPES(TYPE("dear", OFFER("z1", "on-demand", "5", ""))
			       TYPE("fair", OFFER("z1", "spot", "1", "") OFFER(
						    "z2", "spot", "5",
						    ""))) "pool np\nnode n1 np dear z1 on-demand 4\n" RUN,
		 "n1:NoCheaperReplacement", 0, "Node/n1", "Unconsolidatable", dear},
		{"if it is allowed",
		 TYPES(TYPE("dear", OFFER("z1", "on-demand", "5", ""))
			       TYPE("fair", OFFER("z1", "spot", "1", "") OFFER(
						    "z2", "spot", "5",
						    ""))) "pool np\nnode n1 np dear z1 on-demand 4\n" RUN
							  "| nodeSelector: {" ZONE ": z1}",
		 "Underutilized replace n1 -> np(a)=fair", SHOW_TYPES, NO_EVENT},
		{"if it can be had",
		 TYPES(TYPE("dear", OFFER("z1", "on-demand", "5", ""))
			       TYPE("fair", OFFER("z1", "spot", "1", "") OFFER(
						    "z2", "spot", "5",
						    GONE))) "pool np\nnode n1 np dear z1 on-demand 4\n" RUN,
		 "Underutilized replace n1 -> np(a)=fair", SHOW_TYPES, NO_EVENT},
		{"Spot before on-demand, though dearer",
		 TYPES(TYPE("dear", OFFER("z1", "on-demand", "5", ""))
			       TYPE("fair", OFFER("z1", "spot", "6", "") OFFER(
						    "z1", "on-demand", "1",
						    ""))) "pool np\nnode n1 np dear z1 on-demand 4\n" RUN,
		 "n1:NoCheaperReplacement", 0, NO_EVENT},
		{"on-demand where Spot cannot be had",
		 TYPES(TYPE("dear", OFFER("z1", "on-demand", "5", ""))
			       TYPE("fair", OFFER("z1", "spot", "6", GONE) OFFER(
						    "z1", "on-demand", "1",
						    ""))) "pool np\nnode n1 np dear z1 on-demand 4\n" RUN,
		 "Underutilized replace n1 -> np(a)=fair", SHOW_TYPES, NO_EVENT},
		/* B3.4: the node's own price is that of its offering, which may be gone. */
		{"the own price of an offering that is gone",
		 TYPES(TYPE("dear", OFFER("z1", "on-demand", "5", GONE))
			       TYPE("fair", OFFER("z1", "on-demand", "4",
						  ""))) "pool np\nnode n1 np dear z1 on-demand 4\n" RUN,
		 "Underutilized replace n1 -> np(a)=fair", SHOW_TYPES, NO_EVENT},
		{"the first offering of the node's zone and capacity type",
		 TYPES(TYPE("dear", OFFER("z1", "on-demand", "3", "") OFFER("z1", "on-demand", "5", ""))
			       TYPE("fair", OFFER("z1", "on-demand", "4",
						  ""))) "pool np\nnode n1 np dear z1 on-demand 4\n" RUN,
		 "n1:NoCheaperReplacement", 0, NO_EVENT},
		/* B7.3, B7.5. */
		{"a node without a price is deleted",
		 "pool np\nnode n1 np large z9 on-demand 8 " NO_DRIFT "\n" RUN "\n" KEEPER,
		 "Underutilized delete n1 / n2:PodDoNotDisrupt", 0, NO_EVENT},
		{"but never replaced", "pool np\nnode n1 np large z9 on-demand 8 " NO_DRIFT "\n" RUN,
		 "n1:NoCheaperReplacement", 0, "Node/n1", "Unconsolidatable", dear},
		/* B7.4. */
		{"two new nodes", "pool np\nnode n1 np large z1 on-demand 16\nrun a 5 n1\nrun b 5 n1",
		 "n1:NeedsSeveralNodes", 0, "Node/n1", "Unconsolidatable",
		 "Can't remove without creating 2 candidates"},
		/* B7.8. */
		{"minValues met",
		 "pool np | requirements: [" CAPACITY("on-demand") ", {key: "
								   "node.kubernetes.io/instance-type, "
								   "operator: Exists, minValues: 3}]\n" N1
								   "\n" RUN,
		 "Underutilized replace n1 -> np(a)=small,arm,medium", SHOW_TYPES, NO_EVENT},
		{"minValues of what is cheaper",
		 "pool np | requirements: [" CAPACITY(
			 "on-demand") ", {key: node.kubernetes.io/instance-type, operator: Exists, "
				      "minValues: 4}]\n" N1 "\n" RUN,
		 "n1:MinValues", 0, "Node/n1", "Unconsolidatable",
		 "Filtering by price: minValues requirement is not met for label(s) "
		 "(label(s)=[node.kubernetes.io/instance-type])"},
		{"minValues whatever the policy",
		 "settings | minValuesPolicy: BestEffort\npool np | requirements: [" CAPACITY(
			 "on-demand") ", {key: node.kubernetes.io/instance-type, operator: Exists, "
				      "minValues: 4}]\n" N1 "\n" RUN,
		 "n1:MinValues", 0, NO_EVENT},
	};

	check_rounds(rows, N(rows));
}

#define GATE "settings | featureGates: {SpotToSpotConsolidation: true}\n"
#define SPOT(type) "node n1 np " type " z1 spot 4\n"
#define MIN_TYPES(n)                                                                                       \
	"pool np | requirements: [{key: node.kubernetes.io/instance-type, operator: Exists, minValues: " n \
	"}]\n"
#define T15 "t01,t02,t03,t04,t05,t06,t07,t08,t09,t10,t11,t12,t13,t14,t15"

/* B8. */
Test(consolidate, spot_to_spot)
{
	static const struct round_row rows[] = {
		{"the gate", "types 20\npool np\n" SPOT("t20") RUN, "n1:SpotToSpotDisabled", 0, "Node/n1",
		 "Unconsolidatable",
		 "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node"},
		{"the gate does not keep a node from being deleted",
		 "types 20\npool np\n" SPOT("t20") RUN "\nnode n2 np t01 z1 spot 4\nrun k 1 n2 " SHIELD,
		 "Underutilized delete n1 / n2:PodDoNotDisrupt", 0, NO_EVENT},
		{"14 cheaper ones", GATE "types 20\npool np\n" SPOT("t15") RUN, "n1:SpotToSpotTooFewTypes", 0,
		 "Node/n1", "Unconsolidatable",
		 "SpotToSpotConsolidation requires 15 cheaper instance type options than the current "
		 "candidate "
		 "to consolidate, got 14"},
		{"15 cheaper ones", GATE "types 20\npool np\n" SPOT("t16") RUN,
		 "Underutilized replace n1 -> np(a)=" T15 " {karpenter.sh/capacity-type In [spot]}",
		 SHOW_TYPES | SHOW_REQS, NO_EVENT},
		{"the 15 cheapest of 19", GATE "types 20\npool np\n" SPOT("t20") RUN,
		 "Underutilized replace n1 -> np(a)=" T15, SHOW_TYPES, NO_EVENT},
		{"as many as minValues needs", GATE "types 20\n" MIN_TYPES("18") SPOT("t20") RUN,
		 "Underutilized replace n1 -> np(a)=" T15 ",t16,t17,t18", SHOW_TYPES, NO_EVENT},
		{"not fewer for less", GATE "types 20\n" MIN_TYPES("3") SPOT("t20") RUN,
		 "Underutilized replace n1 -> np(a)=" T15, SHOW_TYPES, NO_EVENT},
		{"minValues not met", GATE "types 20\n" MIN_TYPES("20") SPOT("t20") RUN, "n1:MinValues", 0,
		 "Node/n1", "Unconsolidatable",
		 "Filtering by price: minValues requirement is not met for label(s) "
		 "(label(s)=[node.kubernetes.io/instance-type])"},
		{"none cheaper", GATE "types 20\npool np\n" SPOT("t01") RUN, "n1:NoCheaperReplacement", 0,
		 "Node/n1", "Unconsolidatable", "Can't replace with a cheaper node"},
		/* On-demand at 3, 6, 9 and so on: B8 drops what is not to be had as Spot. */
		{"types without Spot do not count",
		 GATE TYPES(TYPE("dear", OFFER("z1", "spot", "5", ""))
				    TYPE("fair", OFFER("z1", "on-demand", "1",
						       ""))) "pool np\nnode n1 np dear z1 spot 4\n" RUN,
		 "n1:NoCheaperReplacement", 0, NO_EVENT},
		/* B7.6: without Spot in the claim it is no Spot-to-Spot move; no gate, no 15 types. */
		{"a pod that wants on-demand",
		 "types 20\npool np\n" SPOT("t20") RUN
		 "| nodeSelector: {karpenter.sh/capacity-type: on-demand}",
		 "Underutilized replace n1 -> np(a)=t01,t02,t03,t04,t05,t06", SHOW_TYPES, NO_EVENT},
	};

	check_rounds(rows, N(rows));
}

#define OD_ALL_AT_ONCE \
	"pool np | requirements: [" CAPACITY("on-demand") "] | disruption: {budgets: [{nodes: 100%}]}\n"
/* A full node of one CPU, with a pod of it; replacing it by its own type saves nothing. */
#define FULL(n, type) "node n" n " np " type " z1 on-demand 1\nrun p" n " 1 n" n "\n"

/* B9: several nodes at once. */
Test(consolidate, multi)
{
	static const struct round_row rows[] = {
		{"two into one", OD_ALL_AT_ONCE FULL("1", "large") FULL("2", "large"),
		 "Underutilized replace n1 n2 -> np(p1 p2)=small,arm,medium", SHOW_TYPES, "Node/n2",
		 "ConsolidationCandidate",
		 "Consolidation candidate: replace: [n2] (part of 2-node consolidation) (savings: $0.42)"},
		{"one is none", OD_ALL_AT_ONCE FULL("1", "large"),
		 "Underutilized replace n1 -> np(p1)=small,arm,medium", SHOW_TYPES, NO_EVENT},
		/* B9.3: 3 of 4 fail, then 2 are found. */
		{"the largest prefix",
		 "types 1\n" OD_ALL_AT_ONCE FULL("1", "t01") FULL("2", "t01") FULL("3", "t01")
			 FULL("4", "t01") "node n5 np t01 z1 on-demand 3\nrun k 1 n5 " SHIELD,
		 "Underutilized delete n1 n2 / n3:NotReached n4:NotReached n5:PodDoNotDisrupt", 0, NO_EVENT},
		{"all four",
		 "types 1\n" OD_ALL_AT_ONCE FULL("1", "t01") FULL("2", "t01") FULL("3", "t01")
			 FULL("4", "t01") "node n5 np t01 z1 on-demand 5\nrun k 1 n5 " SHIELD,
		 "Underutilized delete n1 n2 n3 n4 / n5:PodDoNotDisrupt", 0, NO_EVENT},
		/* B9.1, B5.6: the budget cuts the list. */
		{"as many as the budget allows",
		 "types 1\npool np | requirements: [" CAPACITY(
			 "on-demand") "] | disruption: {budgets: [{nodes: '2'}]}\n" FULL("1", "t01")
			 FULL("2", "t01")
				 FULL("3", "t01") "node n5 np t01 z1 on-demand 5\nrun k 1 n5 " SHIELD,
		 "Underutilized delete n1 n2 / n3:NotReached n5:PodDoNotDisrupt", 0, NO_EVENT},
		/* B9.5: three of t03 at 9 cents; t01 and t02 are left of what is below 27. */
		{"not by one of their own type",
		 "types 9\n" OD_ALL_AT_ONCE FULL("1", "t03") FULL("2", "t03") FULL("3", "t03"),
		 "Underutilized replace n1 n2 n3 -> np(p1 p2 p3)=t01,t02", SHOW_TYPES, NO_EVENT},
		{"two of the cheapest type", "types 9\n" OD_ALL_AT_ONCE FULL("1", "t01") FULL("2", "t01"),
		 "n1:NoCheaperReplacement n2:NoCheaperReplacement", 0, NO_EVENT},
		{"the cheapest of their types counts",
		 "types 9\n" OD_ALL_AT_ONCE FULL("1", "t03") FULL("2", "t05"),
		 "Underutilized replace n2 n1 -> np(p1 p2)=t01,t02", SHOW_TYPES, NO_EVENT},
		/* Of their types t04 costs 12 cents and t09, as Spot in its zone, 9: what is below 9 is left.
		 */
		{"Spot and on-demand",
		 "types 9\n" ALL_AT_ONCE
		 "node n1 np t09 z1 spot 1\nrun a 1 n1\nnode n2 np t04 z1 on-demand 1\n"
		 "run b 1 n2",
		 "Underutilized replace n2 n1 -> np(a b)=t01,t02,t03,t04,t05,t06,t07,t08", SHOW_TYPES,
		 NO_EVENT},
		{"Spot first",
		 "types 20\n" ALL_AT_ONCE
		 "node n1 np t19 z1 spot 1\nrun a 1 n1\nnode n2 np t04 z1 on-demand 1\n"
		 "run b 1 n2",
		 "Underutilized replace n1 n2 -> np(a b)=t01,t02,t03,t04,t05,t06,t07,t08,t09,t10,t11",
		 SHOW_TYPES, NO_EVENT},
		/*
		 * Two at 4: cheap is the first of their types by its best price, but its worst is above 4. It
		 * is dropped, and 8 - 3 are saved.
		 */
		{"savings after that",
		 TYPES(TYPE("cheap", OFFER("z1", "spot", "1", "") OFFER("z2", "spot", "5", "")) TYPE(
			 "mid", OFFER("z1", "spot", "3", "") OFFER("z1", "on-demand", "4", ""))) ALL_AT_ONCE
		 "node n1 np mid z1 on-demand 1\nrun a 1 n1\nnode n2 np mid z1 on-demand 1\nrun b 1 n2",
		 "Underutilized replace n1 n2 -> np(a b)=mid $5.0000", SHOW_TYPES | SHOW_SAVINGS, NO_EVENT},
		{"minValues after that",
		 "types 9\npool np | requirements: [" CAPACITY(
			 "on-demand") ", {key: node.kubernetes.io/instance-type, operator: Exists, "
				      "minValues: "
				      "3}] | disruption: {budgets: [{nodes: 100%}]}\n" FULL("1", "t03")
					      FULL("2", "t03"),
		 "n1:MinValues n2:MinValues", 0, NO_EVENT},
		/* B8.3: no 15 types, no truncation. */
		{"Spot nodes",
		 GATE "types 20\n" ALL_AT_ONCE
		      "node n1 np t05 z1 spot 1\nrun a 1 n1\nnode n2 np t05 z1 spot 1\n"
		      "run b 1 n2",
		 "Underutilized replace n1 n2 -> np(a b)=t01,t02,t03,t04", SHOW_TYPES, NO_EVENT},
		{"Spot nodes of dear types",
		 GATE "types 20\n" ALL_AT_ONCE
		      "node n1 np t20 z1 spot 1\nrun a 1 n1\nnode n2 np t20 z1 spot 1\n"
		      "run b 1 n2",
		 "Underutilized replace n1 n2 -> np(a b)=" T15 ",t16,t17,t18,t19", SHOW_TYPES, NO_EVENT},
		{"Spot nodes without the gate",
		 "types 20\n" ALL_AT_ONCE "node n1 np t05 z1 spot 1\nrun a 1 n1\nnode n2 np t05 z1 spot 1\n"
		 "run b 1 n2",
		 "n1:SpotToSpotDisabled n2:SpotToSpotDisabled", 0, "Node/n1", "Unconsolidatable",
		 "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node"},
	};

	check_rounds(rows, N(rows));
}

/* B9.2: with more than 100, up to 101 are taken. */
Test(consolidate, hundred)
{
	static const struct {
		uint32_t nodes, taken;
	} rows[] = {{99, 99}, {100, 100}, {101, 101}, {103, 101}};

	for (size_t i = 0; i < N(rows); i++) {
		const struct disruption *d;
		struct stage s;
		struct buf b;

		buf_init(&b);
		buf_adds(&b, "types 1\n" OD_ALL_AT_ONCE "pool big\n");
		for (uint32_t k = 0; k < 13; k++)
			buf_addf(&b, "node big%02u big t01 z1 on-demand 90\nrun k%02u 1 big%02u " SHIELD "\n",
				 k, k, k);
		for (uint32_t k = 0; k < rows[i].nodes; k++)
			buf_addf(&b, "node n%03u np t01 z1 on-demand 1\nrun p%03u 1 n%03u\n", k, k, k);
		stage_init(&s, buf_cstr(&b));
		d = stage_disrupt(&s);
		cr_expect_eq(d->commands.n, 1);
		cr_expect_eq(d->commands.n ? d->commands.v[0].ncandidate : 0, rows[i].taken, "%u of %u",
			     d->commands.n ? d->commands.v[0].ncandidate : 0, rows[i].nodes);
		stage_release(&s);
		buf_release(&b);
	}
}

#define ONE(pool) "pool " pool " || disruption: {budgets: [{nodes: '1'}]}\n"

/* B10: one node, NodePools in turn. */
Test(consolidate, single)
{
	static const struct round_row rows[] = {
		/* By savings a1, a2, b1; a1 needs two nodes, and with it any pair. */
		{"NodePools take turns",
		 ONE("a") ONE(
			 "b") "node a1 a large z1 on-demand 10\nrun p 5 a1\nrun q 5 a1\n"
			      "node a2 a large z1 on-demand 1\nrun r 1 a2\nrun s 100m a2\nrun s2 100m a2\n"
			      "node b1 b small z1 on-demand 1\nrun t 1 b1",
		 "Underutilized replace b1 -> b(t) / a1:NeedsSeveralNodes a2:NotReached", 0, NO_EVENT},
		/* Of one NodePool in the order of savings. */
		{"one NodePool",
		 ONE("a") "node a1 a large z1 on-demand 10\nrun p 5 a1\nrun q 5 a1\n"
			  "node a2 a large z1 on-demand 1\nrun r 1 a2\nrun s 100m a2\nrun s2 100m a2\n"
			  "node b1 a small z1 on-demand 1\nrun t 1 b1",
		 "Underutilized replace a2 -> a(r s s2) / a1:NeedsSeveralNodes b1:NotReached", 0, NO_EVENT},
		/* B10.4: its own type may come, if it is cheaper. */
		{"the own type, elsewhere",
		 TYPES(TYPE("dear", OFFER("z1", "on-demand", "5", "") OFFER("z2", "on-demand", "3", "")))
			 ONE("np") "node n1 np dear z1 on-demand 1\n" RUN "| nodeSelector: {" ZONE ": z2}",
		 "Underutilized replace n1 -> np(a)=dear", SHOW_TYPES, NO_EVENT},
		{"no budget",
		 "pool np || disruption: {budgets: [{nodes: '0', reasons: [Underutilized]}]}\n" N1 "\n" RUN,
		 "n1:Budget", 0, "NodePool/np", "DisruptionBlocked",
		 "No allowed disruptions for disruption reason Underutilized due to blocking budget"},
	};

	check_rounds(rows, N(rows));
}

/* determinism, "Corrections", B9: what a method that fails leaves undone. */
Test(consolidate, errors)
{
	static const char text[] = "computing disruption decision, creating scheduler, no nodepools found";
	static const struct {
		const char *text, *stays;
		enum disrupt_method method;
	} rows[] = {
		{NOT_READY FULL("1", "large") FULL("2", "large"), "n1:SimulationFailed n2:SimulationFailed",
		 METHOD_MULTI},
		{NOT_READY RUN "\n" N1 DRIFT, "n1:SimulationFailed", METHOD_DRIFT},
	};

	for (size_t i = 0; i < N(rows); i++) {
		const struct disruption *d;
		const char *stays;
		struct stage s;

		stage_init(&s, rows[i].text);
		d = stage_disrupt(&s);
		stays = stage_stays(&s, d);
		cr_expect_eq(d->commands.n, 0, "row %zu", i);
		cr_expect(d->method_error[rows[i].method] &&
				  strcmp(d->method_error[rows[i].method], text) == 0,
			  "row %zu: %s", i, d->method_error[rows[i].method]);
		cr_expect_str_eq(stays, rows[i].stays, "row %zu: %s", i, stays);
		stage_release(&s);
	}
}
