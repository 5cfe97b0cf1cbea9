#include <criterion/criterion.h>

#include "stage.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

#define TYPE "node.kubernetes.io/instance-type"
#define ARCH "kubernetes.io/arch"
#define CAPACITY "karpenter.sh/capacity-type"
#define GATE "settings | featureGates: {NodeOverlay: true}\npool p"
#define OVERLAY(name, reqs, more)                                                         \
	"\n{apiVersion: karpenter.sh/v1alpha1, kind: NodeOverlay, metadata: {name: " name \
	"}, spec: {requirements: [" reqs "], " more "}}"
#define OF(type) REQ(TYPE, "In", type)
#define USUAL "p(a)=small,arm,medium,large"

/* A18.5, A18.6, A15.3. */
Test(offers, overlay_prices)
{
	static const struct plan_row rows[] = {
		{"none", GATE "\npod a 1", USUAL, SHOW_TYPES},
		{"a price", GATE OVERLAY("o", OF("large"), "price: '0.001'") "\npod a 1",
		 "p(a)=large,small,arm,medium", SHOW_TYPES},
		{"... with the gate closed", "pool p" OVERLAY("o", OF("large"), "price: '0.001'") "\npod a 1",
		 USUAL, SHOW_TYPES},
		{"an amount more", GATE OVERLAY("o", OF("small"), "priceAdjustment: '+1'") "\npod a 1",
		 "p(a)=arm,medium,large,small", SHOW_TYPES},
		/* medium then costs what small does; equals stay in order. */
		{"a share less", GATE OVERLAY("o", OF("medium"), "priceAdjustment: '-50%'") "\npod a 1",
		 "p(a)=small,medium,arm,large", SHOW_TYPES},
		{"a share more", GATE OVERLAY("o", OF("small"), "priceAdjustment: '+100%'") "\npod a 1",
		 "p(a)=arm,small,medium,large", SHOW_TYPES},
		{"never below nothing",
		 GATE OVERLAY("o", OF("large"), "priceAdjustment: '-2'")
			 OVERLAY("q", OF("medium"), "priceAdjustment: '-1'") "\npod a 1",
		 "p(a)=medium,large,small,arm", SHOW_TYPES},
		{"the heavier of two",
		 GATE OVERLAY("a", OF("large"), "price: '0.001', weight: 10")
			 OVERLAY("b", OF("large"), "price: '9', weight: 1") "\npod a 1",
		 "p(a)=large,small,arm,medium", SHOW_TYPES},
		{"of equal weight the later name, and the other not at all",
		 GATE OVERLAY("a", OF("large, small"), "price: '9', weight: 3")
			 OVERLAY("b", OF("large"), "price: '0.001', weight: 3") "\npod a 1",
		 "p(a)=large,small,arm,medium", SHOW_TYPES},
		{"of equal weight, about different types",
		 GATE OVERLAY("a", OF("medium"), "price: '0.002'")
			 OVERLAY("b", OF("large"), "price: '0.001'") "\npod a 1",
		 "p(a)=large,medium,small,arm", SHOW_TYPES},
		{"in one zone", GATE OVERLAY("o", REQ(ZONE, "In", "z2"), "price: '0.001'") "\npod a 1",
		 "p(a)=small,medium,large,arm", SHOW_TYPES},
		{"... and the pod in another",
		 GATE OVERLAY("o", REQ(ZONE, "In", "z2"), "price: '0.001'") "\npod a 1 | nodeSelector: {" ZONE
									    ": z1}",
		 USUAL, SHOW_TYPES},
		{"of one capacity type",
		 GATE OVERLAY("o", REQ(CAPACITY, "In", "on-demand") ", " OF("large"),
			      "price: '0.001'") "\npod a 1 | nodeSelector: {" CAPACITY ": spot}",
		 USUAL, SHOW_TYPES},
		{"of one NodePool",
		 GATE OVERLAY("o", REQ("karpenter.sh/nodepool", "In", "q") ", " OF("large"),
			      "price: '0.001'") "\npod a 1",
		 USUAL, SHOW_TYPES},
		{"... this one",
		 GATE OVERLAY("o", REQ("karpenter.sh/nodepool", "In", "p") ", " OF("large"),
			      "price: '0.001'") "\npod a 1",
		 "p(a)=large,small,arm,medium", SHOW_TYPES},
		{"a label that nobody has",
		 GATE OVERLAY("o", REQ("team", "In", "x") ", " OF("large"), "price: '0.001'") "\npod a 1",
		 USUAL, SHOW_TYPES},
		{"... a well-known one",
		 GATE OVERLAY("o", REQ("topology.kubernetes.io/region", "In", "x") ", " OF("large"),
			      "price: '0.001'") "\npod a 1",
		 USUAL, SHOW_TYPES},
		{"a label of the template",
		 GATE " ||| labels: {team: x}" OVERLAY("o", REQ("team", "In", "x") ", " OF("large"),
						       "price: '0.001'") "\npod a 1",
		 "p(a)=large,small,arm,medium", SHOW_TYPES},
		/* A15.4 c. */
		{"the NodeClaim is marked", GATE OVERLAY("o", OF("large"), "price: '0.001'") "\npod a 1",
		 "p(a) <> <karpenter.sh/nodeclaim-min-values-relaxed=false "
		 "karpenter.sh/price-overlay-applied=true>",
		 SHOW_META},
		{"... when such a type is among its own",
		 GATE OVERLAY("o", OF("small"), "price: '0.001'") "\npod a 3",
		 "p(a) <> <karpenter.sh/nodeclaim-min-values-relaxed=false>", SHOW_META},
	};

	check_plans(rows, N(rows));
}

Test(offers, overlay_capacity)
{
	static const struct plan_row rows[] = {
		{"a resource of one type",
		 GATE OVERLAY("o", OF("arm"),
			      "capacity: {example.com/x: '2'}") "\npod a - ||| resources: {requests: "
								"{example.com/x: '2'}}",
		 "p(a)=arm <> <karpenter.sh/capacity-overlay-applied=true "
		 "karpenter.sh/nodeclaim-min-values-relaxed=false>",
		 SHOW_TYPES | SHOW_META},
		{"too little of it",
		 GATE OVERLAY("o", OF("arm"),
			      "capacity: {example.com/x: '2'}") "\npod a - ||| resources: {requests: "
								"{example.com/x: '3'}}",
		 "!a", 0},
		{"the heavier says how much, the lighter what else",
		 GATE OVERLAY("a", OF("arm"), "capacity: {example.com/x: '1'}, weight: 10")
			 OVERLAY("b", OF("arm"),
				 "capacity: {example.com/x: '5', example.com/y: '1'}, "
				 "weight: 1") "\npod a - ||| resources: {requests: "
					      "{example.com/x: '2'}}\npod b - ||| resources: "
					      "{requests: {example.com/y: '1'}}",
		 "p(b)=arm !a", SHOW_TYPES},
		{"of equal weight and one resource",
		 GATE OVERLAY("a", OF("arm"), "capacity: {example.com/x: '5', example.com/y: '1'}") OVERLAY(
			 "b", OF("arm"), "capacity: {example.com/x: '1'}") "\npod a - ||| resources: "
									   "{requests: {example.com/x: "
									   "'2'}}\npod b - ||| resources: "
									   "{requests: {example.com/y: "
									   "'1'}}\npod c - ||| resources: "
									   "{requests: {example.com/x: '1'}}",
		 "p(c)=arm !a !b", SHOW_TYPES},
	};

	check_plans(rows, N(rows));
}

#define MIN(key, n) "{key: " key ", operator: Exists, minValues: " n "}"
#define FLEXIBLE(key, n) "pool p | requirements: [" MIN(key, n) "]"
#define EFFORT "settings | minValuesPolicy: BestEffort\n"
#define ARM "\npod a 1 | nodeSelector: {" ARCH ": arm64}"

/* A3.6, A5.8, A5.10, A10.8. */
Test(offers, min_values)
{
	static const struct plan_row rows[] = {
		{"enough", FLEXIBLE(TYPE, "4") "\npod a 1", USUAL, SHOW_TYPES},
		{"too few for the pod", FLEXIBLE(TYPE, "2") ARM,
		 "!a: minValues requirement is not met for label(s) "
		 "(label(s)=[node.kubernetes.io/instance-type]), "
		 "requirements=g.io/class In [c], karpenter.sh/initialized In [true], karpenter.sh/nodepool "
		 "In [p], "
		 "karpenter.sh/registered In [true], kubernetes.io/arch In [arm64], "
		 "node.kubernetes.io/instance-type Exists minValues 2, "
		 "resources={\"cpu\":\"1\",\"pods\":\"1\"}",
		 SHOW_ERRORS},
		{"... as many as there are", FLEXIBLE(TYPE, "1") ARM, "p(a)=arm", SHOW_TYPES},
		{"too few at all", FLEXIBLE(TYPE, "5") "\npod a 1",
		 "!a: nodepool requirements filtered out all available instance types", SHOW_ERRORS},
		{"a label that no type has",
		 "pool p | requirements: [" MIN("example.com/c", "1") "]\npod a 1", "!a", 0},
		{"two keys, one of them short",
		 "pool p | requirements: [" MIN(TYPE, "2") ", " MIN(
			 ARCH, "2") "]\npod a 1 | nodeSelector: {" ARCH ": amd64}",
		 "!a", 0},
		{"another pod may not narrow a claim below",
		 FLEXIBLE(TYPE, "3") "\npod a 1\npod b 3\npod c 3", "p(b a) p(c)", 0},
		{"... nor need it", FLEXIBLE(TYPE, "1") "\npod a 1\npod b 3\npod c 3", "p(b c a)", 0},
		{"the next NodePool takes what this cannot", FLEXIBLE(TYPE, "2") " | weight: 1\npool q" ARM,
		 "q(a)=arm", SHOW_TYPES},
		/* The claim's minValues are lowered to what was reached. */
		{"best effort", EFFORT FLEXIBLE(ARCH, "2") ARM,
		 "p(a) {karpenter.sh/capacity-type In [on-demand spot], kubernetes.io/arch In [arm64] "
		 "minValues 1} <> "
		 "<karpenter.sh/nodeclaim-min-values-relaxed=true>",
		 SHOW_REQS | SHOW_META},
		{"... where it is met", EFFORT FLEXIBLE(ARCH, "2") "\npod a 1",
		 "p(a) {karpenter.sh/capacity-type In [on-demand spot], kubernetes.io/arch Exists minValues "
		 "2} <> "
		 "<karpenter.sh/nodeclaim-min-values-relaxed=false>",
		 SHOW_REQS | SHOW_META},
		{"... with too few at all", EFFORT FLEXIBLE(TYPE, "5") "\npod a 1", USUAL, SHOW_TYPES},
		{"best effort does not narrow a claim that is open",
		 EFFORT FLEXIBLE(ARCH, "2") "\npod b 2" ARM, "p(b) p(a)", 0},
		/* Claims of a NodePool share the mark of the one opened last. */
		{"the mark of the last", EFFORT FLEXIBLE(ARCH, "2") "\npod b 2" ARM,
		 "p(b) <> <karpenter.sh/nodeclaim-min-values-relaxed=true> p(a) <> "
		 "<karpenter.sh/nodeclaim-min-values-relaxed=true>",
		 SHOW_META},
		{"... the other way round",
		 EFFORT FLEXIBLE(ARCH, "2") "\npod b 3 | nodeSelector: {" ARCH ": arm64}\npod a 2",
		 "p(b) <> <karpenter.sh/nodeclaim-min-values-relaxed=false> p(a) <> "
		 "<karpenter.sh/nodeclaim-min-values-relaxed=false>",
		 SHOW_META},
	};

	check_plans(rows, N(rows));
}

#define AT_MOST(n) "settings | maxInstanceTypes: " n ", minValuesPolicy: "

/* A15.2: the cheapest types are kept. */
Test(offers, truncation)
{
	static const struct plan_row rows[] = {
		{"the cheapest", AT_MOST("2") "Strict\npool p\npod a 1", "p(a)=small,arm", SHOW_TYPES},
		{"enough of them", AT_MOST("2") "Strict\n" FLEXIBLE(TYPE, "2") "\npod a 1", "p(a)=small,arm",
		 SHOW_TYPES},
		{"too few of them", AT_MOST("2") "Strict\n" FLEXIBLE(TYPE, "3") "\npod a 1",
		 "!a: pod didn\xe2\x80\x99t schedule because NodePool couldn\xe2\x80\x99t meet minValues "
		 "requirements, "
		 "validating minValues, minValues requirement is not met for label(s) "
		 "(label(s)=[node.kubernetes.io/instance-type]) (NodePool=p)",
		 SHOW_ERRORS},
		{"... and every pod of the claim with it",
		 AT_MOST("2") "Strict\n" FLEXIBLE(
			 TYPE, "3") "\npod a 1\npod b 1\npod c 8 | nodeSelector: {" ARCH ": arm64}",
		 "!a !b !c", 0},
		{"values of another key go as well", AT_MOST("1") "Strict\n" FLEXIBLE(ARCH, "2") "\npod a 1",
		 "!a", 0},
		{"best effort keeps them", AT_MOST("2") "BestEffort\n" FLEXIBLE(TYPE, "3") "\npod a 1",
		 "p(a)=small,arm", SHOW_TYPES},
	};

	check_plans(rows, N(rows));
}

#define TYPES "{apiVersion: kspot.dev/v1, kind: InstanceTypeSet, metadata: {name: t}, spec: {instanceTypes: ["
#define PLAIN(name, more, offers)                                         \
	"{name: " name ", capacity: {cpu: 4, memory: 1Gi, pods: 10}" more \
	", requirements: [" REQ(TYPE, "In", name) "], offerings: [" offers "]}, "
#define AT(zone, price, more)                                                                                \
	"{price: " price ", requirements: [" REQ(ZONE, "In", zone) ", " REQ(CAPACITY, "In", "spot") "]" more \
												    "}, "

/* A15.3, A10.3, A7.5. */
Test(offers, types)
{
	static const struct plan_row rows[] = {
		{"by price, whatever the order",
		 TYPES PLAIN("dear", "", AT("z1", "0.2", ""))
			 PLAIN("cheap", "", AT("z1", "0.1", "")) "]}}\npool p\npod a 1",
		 "p(a)=cheap,dear", SHOW_TYPES},
		{"by the lowest price of a type",
		 TYPES PLAIN("one", "", AT("z1", "0.2", ""))
			 PLAIN("two", "", AT("z1", "0.3", "") AT("z2", "0.1", "")) "]}}\npool p\npod a 1",
		 "p(a)=two,one", SHOW_TYPES},
		{"... that the claim can have",
		 TYPES PLAIN("one", "", AT("z1", "0.2", "")) PLAIN(
			 "two", "",
			 AT("z1", "0.3", "")
				 AT("z2", "0.1", "")) "]}}\npool p\npod a 1 | nodeSelector: {" ZONE ": z1}",
		 "p(a)=one,two", SHOW_TYPES},
		{"... and that is available",
		 TYPES PLAIN("one", "", AT("z1", "0.2", "")) PLAIN(
			 "two", "",
			 AT("z1", "0.3", "") AT("z2", "0.1", ", available: false")) "]}}\npool p\npod a 1",
		 "p(a)=one,two", SHOW_TYPES},
		{"a type that is not available at all",
		 TYPES PLAIN("one", "", AT("z1", "0.2", ""))
			 PLAIN("two", "", AT("z1", "0.1", ", available: false")) "]}}\npool p\npod a 1",
		 "p(a)=one", SHOW_TYPES},
		{"one whose daemons of the system take more than it has",
		 TYPES PLAIN("one", "", AT("z1", "0.2", ""))
			 PLAIN("two", ", overhead: {kubeReserved: {memory: 2Gi}}",
			       AT("z1", "0.1", "")) "]}}\npool p\npod a 1",
		 "p(a)=one", SHOW_TYPES},
		{"what the system takes is not for pods",
		 TYPES PLAIN("one",
			     ", overhead: {kubeReserved: {cpu: 1}, systemReserved: {cpu: 1}, "
			     "evictionThreshold: {cpu: 1}}",
			     AT("z1", "0.2", "")) "]}}\npool p\npod a 1\npod b 1",
		 "p(a) p(b)", 0},
	};

	check_plans(rows, N(rows));
}

#define RSV "example.com/reservation"
#define RESERVING(more)                                                              \
	"settings | reservationLabel: " RSV ", wellKnownLabels: [" RSV "]" more "\n" \
	"{apiVersion: kspot.dev/v1, kind: InstanceTypeSet, metadata: {name: t}, spec: {instanceTypes: ["
#define OFFER(type, price, more) \
	"{price: " price ", requirements: [" REQ(ZONE, "In", "z1") ", " REQ(CAPACITY, "In", type) more
#define HELD(type, id, count) \
	OFFER("reserved", "0.001", ", " REQ(RSV, "In", id)) "], reservationCapacity: " count "}"
#define MACHINE(name, cpu, id, count)                                                 \
	"{name: " name ", capacity: {cpu: " cpu                                       \
	", pods: 10}, requirements: [" REQ(TYPE, "In", name) "], offerings: [" OFFER( \
		"on-demand", "0.1", "") "]}, " HELD(name, id, count) "]}, "
#define ONE(count) RESERVING("") MACHINE("big", "4", "r1", count) "]}}\npool p"
#define BOTH RESERVING("") MACHINE("big", "4", "r1", "1") MACHINE("huge", "8", "r2", "1") "]}}\npool p"
#define ON_DEMAND " | nodeSelector: {" CAPACITY ": on-demand}"
#define TAKEN                                                                                            \
	"one or more instance types with compatible reserved offerings are available, but could not be " \
	"reserved"

/* A10.4, A5.6, A4.6, A15.1. */
Test(offers, reserved)
{
	static const struct plan_row rows[] = {
		{"what a claim holds", ONE("1") "\npod a 3",
		 "p(a) {example.com/reservation In [r1], karpenter.sh/capacity-type In [reserved]}",
		 SHOW_REQS},
		{"for one node only", ONE("1") "\npod a 3\npod b 3", "p(a) !b: " TAKEN, SHOW_ERRORS},
		{"for two", ONE("2") "\npod a 3\npod b 3", "p(a) p(b)", 0},
		{"one node counts once", ONE("1") "\npod a 2\npod b 2", "p(a b)", 0},
		{"a pod that wants none of it", ONE("1") "\npod a 3\npod b 3" ON_DEMAND,
		 "p(a) {example.com/reservation In [r1], karpenter.sh/capacity-type In [reserved]} p(b) "
		 "{karpenter.sh/capacity-type In [on-demand]}",
		 SHOW_REQS},
		{"a claim does not give up what it holds",
		 ONE("1") "\npod a 2\npod b 1" ON_DEMAND "\npod c 1", "p(a c) p(b)", 0},
		{"no other NodePool is asked for",
		 ONE("1") " || weight: 1\npool q | requirements: [" REQ(CAPACITY, "In",
									"on-demand") "]\npod a 3\npod b 3",
		 "p(a) !b: " TAKEN, SHOW_ERRORS},
		{"the other NodePool is heavier",
		 ONE("1") "\npool q | requirements: [" REQ(CAPACITY, "In",
							   "on-demand") "] | weight: 1\npod a 3\npod b 3",
		 "q(a) q(b)", 0},
		/* b could do without, had it been relaxed. */
		{"nothing is given up for it",
		 ONE("1") "\npod a 3\npod b 3 | affinity: {nodeAffinity: "
			  "{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
			  "[{matchExpressions: "
			  "[" REQ(CAPACITY, "In", "reserved") "]}, {matchExpressions: [" REQ(
				  CAPACITY, "In", "on-demand") "]}]}}}",
		 "p(a) !b: " TAKEN, SHOW_ERRORS},
		/* The first claim holds both until it has outgrown big. */
		{"what it has outgrown is free again", BOTH "\npod a 3\npod b 3\npod c 3",
		 "p(a b) {example.com/reservation In [r2], karpenter.sh/capacity-type In [reserved]} p(c) "
		 "{example.com/reservation In [r1], karpenter.sh/capacity-type In [reserved]}",
		 SHOW_REQS},
		{"... and not before", BOTH "\npod a 3\npod b 6", "p(b) p(a)", 0},
		{"with the gate closed nothing is held",
		 RESERVING(", featureGates: {ReservedCapacity: false}")
			 MACHINE("big", "4", "r1", "1") "]}}\npool p\npod a 3\npod b 3",
		 "p(a) {karpenter.sh/capacity-type In [on-demand reserved]} p(b) {karpenter.sh/capacity-type "
		 "In "
		 "[on-demand reserved]}",
		 SHOW_REQS},
	};

	check_plans(rows, N(rows));
}
