#include <criterion/criterion.h>

#include "stage.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

#define APP "labels: {app: x}"
#define SELECT "labelSelector: {matchLabels: {app: x}}"
#define SPREAD(key, skew, when, more)                                                                    \
	"topologySpreadConstraints: [{topologyKey: " key ", maxSkew: " skew ", whenUnsatisfiable: " when \
	", " SELECT ", " more "}]"
#define HARD "DoNotSchedule"
#define OLD_ZONE "failure-domain.beta.kubernetes.io/zone"
#define SOFT "ScheduleAnyway"
/* A pod of the application, one CPU. */
#define X(name, spec) "\npod " name " 1 | " spec " | " APP
#define X3(spec) X("a", spec) X("b", spec) X("c", spec)
#define X4(spec) X3(spec) X("d", spec)

/* A13.2-A13.8, A13.14, A13.15, A13.18-A13.20. */
Test(topology, spread)
{
	static const struct plan_row rows[] = {
		{"one in each zone, by name", "pool p" X3(SPREAD(ZONE, "1", HARD, "")),
		 "p(a)@z1 p(b)@z2 p(c)@z3", SHOW_ZONE},
		{"the fourth starts again", "pool p" X4(SPREAD(ZONE, "1", HARD, "")),
		 "p(a d)@z1 p(b)@z2 p(c)@z3", SHOW_ZONE},
		/* Claims are tried first, and the skew lets them have more. */
		{"a wider skew", "pool p" X3(SPREAD(ZONE, "9", HARD, "")), "p(a b c)@z1", SHOW_ZONE},
		{"zones that no NodePool allows are no domains",
		 "pool p | requirements: [" REQ(ZONE, "In", "z1, z2") "]" X3(SPREAD(ZONE, "1", HARD, "")),
		 "p(a c)@z1 p(b)@z2", SHOW_ZONE},
		{"zones of another NodePool are",
		 "pool p | requirements: [" REQ(
			 ZONE, "In",
			 "z1") "] | weight: 1\npool q | requirements: [" REQ(ZONE, "In",
									     "z3") "]" X3(SPREAD(ZONE, "1",
												 HARD, "")),
		 "p(a c)@z1 q(b)@z3", SHOW_ZONE},
		{"... and bind when the pool cannot be used",
		 "pool p | requirements: [" REQ(ZONE, "In", "z1") "]\npool q | requirements: [" REQ(
			 ZONE, "In", "z3") "] | limits: {cpu: 0}" X3(SPREAD(ZONE, "1", HARD, "")),
		 "p(a)@z1 !b !c", SHOW_ZONE},
		{"pods that run count",
		 "pool p\nnode n1 p small z1 spot 1\nrun r 1 n1 || " APP X3(SPREAD(ZONE, "1", HARD, "")),
		 "p(a c)@z2 p(b)@z3", SHOW_ZONE},
		{"not those of another namespace",
		 "pool p\nnode n1 p small z1 spot 1\nrun r 1 n1 || namespace: other, " APP X(
			 "a", SPREAD(ZONE, "1", HARD, "")),
		 "p(a)@z1", SHOW_ZONE},
		{"nor those that are going",
		 "pool p\nnode n1 p small z1 spot 1\nrun r 1 n1 || " DELETED
		 ", " APP X("a", SPREAD(ZONE, "1", HARD, "")),
		 "p(a)@z1", SHOW_ZONE},
		{"nor those that are done",
		 "pool p\nnode n1 p small z1 spot 2\n{apiVersion: v1, kind: Pod, metadata: {name: r, " APP
		 "}, spec: {nodeName: n1, containers: [{}]}, status: {phase: Succeeded}}\npod f 2" X(
			 "a", SPREAD(ZONE, "1", HARD, "")),
		 "p(a)@z1 n1(f)", SHOW_ZONE},
		{"nor those without the label",
		 "pool p\nnode n1 p small z1 spot 1\nrun r 1 n1 || labels: {app: other}" X(
			 "a", SPREAD(ZONE, "1", HARD, "")),
		 "p(a)@z1", SHOW_ZONE},
		{"skew 1 keeps pods out of a full zone",
		 "pool p | requirements: [" REQ(
			 ZONE, "In", "z1, z2") "]\nnode n1 p small z1 spot 1\nrun r 1 n1 || " APP
					       "\nnode n2 p small z1 spot 2" X("a",
									       SPREAD(ZONE, "1", HARD, "")),
		 "p(a)@z2", SHOW_ZONE},
		{"skew 2 does not",
		 "pool p | requirements: [" REQ(
			 ZONE, "In", "z1, z2") "]\nnode n1 p small z1 spot 1\nrun r 1 n1 || " APP
					       "\nnode n2 p small z1 spot 2" X("a",
									       SPREAD(ZONE, "2", HARD, "")),
		 "n2(a)", SHOW_ZONE},
		{"fewer domains than minDomains: the least is 0",
		 "pool p | requirements: [" REQ(ZONE, "In",
						"z1, z2") "]" X4(SPREAD(ZONE, "1", HARD, "minDomains: 3")),
		 "p(a)@z1 p(b)@z2 !c !d", SHOW_ZONE},
		{"enough domains",
		 "pool p | requirements: [" REQ(ZONE, "In",
						"z1, z2") "]" X4(SPREAD(ZONE, "1", HARD, "minDomains: 2")),
		 "p(a c)@z1 p(b d)@z2", SHOW_ZONE},
		{"the pod's own zone counts alone",
		 "pool p\nnode n1 p small z1 spot 1\nrun r 1 n1 || " APP
		 "\nrun s 1 n1 || " APP X("a", SPREAD(ZONE, "1", HARD, "") ", nodeSelector: {" ZONE ": z1}"),
		 "p(a)@z1", SHOW_ZONE},
		{"nodeAffinityPolicy Ignore: all zones count",
		 "pool p\nnode n1 p small z1 spot 1\nrun r 1 n1 || " APP X(
			 "a", SPREAD(ZONE, "1", HARD, "nodeAffinityPolicy: Ignore") ", nodeSelector: {" ZONE
										    ": z1}"),
		 "p(a)@z1", SHOW_ZONE},
		{"a constraint that does not select its own pod",
		 "pool p" X("a", SPREAD(ZONE, "1", HARD, "")) "\npod y 1 | " SPREAD(
			 ZONE, "1", HARD, "") "\npod z 1 | " SPREAD(ZONE, "1", HARD, ""),
		 "p(a y z)@z1", SHOW_ZONE},
		{"soft, and possible", "pool p" X3(SPREAD(ZONE, "1", SOFT, "")), "p(a)@z1 p(b)@z2 p(c)@z3",
		 SHOW_ZONE},
		{"soft, and given up",
		 "pool p | requirements: [" REQ(ZONE, "In",
						"z1, z2") "]" X4(SPREAD(ZONE, "1", SOFT, "minDomains: 3")),
		 "p(a c)@z1 p(b d)@z2", SHOW_ZONE},
		{"soft does not count with policy Ignore",
		 "settings | preferencePolicy: Ignore\npool p" X3(SPREAD(ZONE, "1", SOFT, "")), "p(a b c)",
		 SHOW_ZONE},
		{"hostname: a claim for each", "pool p" X3(SPREAD(HOST, "1", HARD, "")), "p(a) p(b) p(c)", 0},
		{"hostname, skew 2", "pool p" X3(SPREAD(HOST, "2", HARD, "")), "p(a b) p(c)", 0},
		{"hostname counts what runs on the node",
		 "pool p\nnode n1 p large z1 spot 8\nrun r 1 n1 || " APP X3(SPREAD(HOST, "2", HARD, "")),
		 "p(b c) n1(a)", 0},
		{"capacity types", "pool p" X3(SPREAD("karpenter.sh/capacity-type", "1", HARD, "")),
		 "p(a c) {karpenter.sh/capacity-type In [on-demand]} p(b) {karpenter.sh/capacity-type In "
		 "[spot]}",
		 SHOW_REQS},
		{"a key that nothing has", "pool p" X("a", SPREAD("rack", "1", HARD, "")), "!a", 0},
		/* The key of a constraint is not normalised, its answer is. */
		{"an old spelling is a label of its own",
		 "pool p" X("a", SPREAD(OLD_ZONE, "1", HARD, "") ", nodeSelector: {" ZONE ": z3}"),
		 "!a: unsatisfiable topology constraint for topology spread, key=" OLD_ZONE
		 " (counts = , podDomains = " ZONE " Exists, nodeDomains = " ZONE " Exists",
		 SHOW_ERRORS},
		{"... that nodes may have",
		 "pool p\nnode n1 p small z1 spot 2 | " OLD_ZONE ": z2" X3(SPREAD(OLD_ZONE, "1", HARD, "")),
		 "p(c)@z2 n1(a b)", SHOW_ZONE},
		{"a domain with an empty name is never chosen",
		 "pool p ||| labels: {rack: ''}" X("a", SPREAD("rack", "1", HARD, "")), "!a", 0},
		{"... not even before another",
		 "pool p ||| labels: {rack: ''}\npool q ||| labels: {rack: r}" X3(
			 SPREAD("rack", "1", HARD, "")),
		 "q(a) !b !c", 0},
		{"a key of the template, two NodePools",
		 "pool p ||| labels: {rack: r1}\npool q ||| labels: {rack: r2}" X3(
			 SPREAD("rack", "1", HARD, "")),
		 "q(a c) p(b)", 0},
		{"matchLabelKeys: revisions are apart",
		 "pool p\nnode n1 p small z1 spot 1\nrun r 1 n1 || labels: {app: x, rev: '1'}\npod a 1 "
		 "| " SPREAD(ZONE, "1", HARD,
			     "matchLabelKeys: [rev]") " | labels: {app: x, rev: '2'}\npod b 1 "
						      "| " SPREAD(ZONE, "1", HARD,
								  "matchLabelKeys: [rev]") " | labels: "
											   "{app: x, "
											   "rev: '1'}",
		 "p(a)@z1 p(b)@z2", SHOW_ZONE},
	};

	check_plans(rows, N(rows));
}

/* nodeTaintsPolicy and the taints of NodePools (A13.3, A13.4, A13.7). */
Test(topology, spread_taints)
{
#define TAINTED "pool q | taints: [{key: k, effect: NoSchedule}], requirements: [" REQ(ZONE, "In", "z3") "]"
#define TWO "pool p | requirements: [" REQ(ZONE, "In", "z1, z2") "]\n" TAINTED
	static const struct plan_row rows[] = {
		{"Ignore: a zone behind a taint is a domain", TWO X3(SPREAD(ZONE, "1", HARD, "")),
		 "p(a)@z1 p(b)@z2 !c", SHOW_ZONE},
		{"Honor: it is not", TWO X3(SPREAD(ZONE, "1", HARD, "nodeTaintsPolicy: Honor")),
		 "p(a c)@z1 p(b)@z2", SHOW_ZONE},
		{"Honor, and tolerated",
		 TWO X3(SPREAD(ZONE, "1", HARD,
			       "nodeTaintsPolicy: Honor") ", tolerations: [{operator: Exists}]"),
		 "q(a)@z3 p(b)@z1 p(c)@z2", SHOW_ZONE},
		{"Honor: pods on tainted nodes do not count",
		 "pool p\nnode n1 p small z1 spot 1 |||||| taints: [{key: k, effect: NoSchedule}]\nrun r 1 "
		 "n1 || " APP X("a", SPREAD(ZONE, "1", HARD, "nodeTaintsPolicy: Honor")),
		 "p(a)@z1", SHOW_ZONE},
	};

	check_plans(rows, N(rows));
}

/* Which nodes and pods a spread looks at (A13.5-A13.7), and who shares a count (A13.9). */
Test(topology, spread_nodes)
{
#define TEAM "pool p ||| labels: {team: u}\n"
#define FIRST "node n1 p small z1 spot 1\nrun r 1 n1 || " APP
#define TERMS(a, b)                                                                                \
	"affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "               \
	"{nodeSelectorTerms: [{matchExpressions: [" REQ("team", "In", a) "]}, {matchExpressions: " \
									 "[" REQ("team", "In", b) "]}]}}}"
#define Z12 "pool p | requirements: [" REQ(ZONE, "In", "z1, z2") "]"
#define Z1_OR_TAINT                                                                         \
	"pool p | requirements: [" REQ(ZONE, "In", "z1") "]\npool q | requirements: [" REQ( \
		ZONE, "In", "z2") "]"                                                       \
				  ", taints: [{key: k, effect: PreferNoSchedule}] | limits: {cpu: 0}"
	static const struct plan_row rows[] = {
		{"pods on nodes that the pod could not be on do not count",
		 TEAM FIRST X("a", SPREAD(ZONE, "1", HARD, "") ", nodeSelector: {team: u}"), "p(a)@z1",
		 SHOW_ZONE},
		{"... with nodeAffinityPolicy Ignore they do",
		 TEAM FIRST X("a", SPREAD(ZONE, "1", HARD,
					  "nodeAffinityPolicy: Ignore") ", nodeSelector: {team: u}"),
		 "p(a)@z2", SHOW_ZONE},
		{"any required term will do",
		 TEAM "node n1 p small z1 spot 1 | team: v\nrun r 1 n1 || " APP X(
			 "a", SPREAD(ZONE, "1", HARD, "") ", " TERMS("u", "v")),
		 "p(a)@z2", SHOW_ZONE},
		{"... and one has to",
		 TEAM "node n1 p small z1 spot 1 | team: w\nrun r 1 n1 || " APP X(
			 "a", SPREAD(ZONE, "1", HARD, "") ", " TERMS("u", "v")),
		 "p(a)@z1", SHOW_ZONE},
		{"the zone of a node is a domain",
		 "pool p\nnode n4 p small z4 spot 0" X4(SPREAD(ZONE, "1", HARD, "")),
		 "p(a)@z1 p(b)@z2 p(c)@z3 !d", SHOW_ZONE},
		{"... unless the pod could not be on it",
		 TEAM "node n4 p small z4 spot 0" X4(SPREAD(ZONE, "1", HARD, "") ", nodeSelector: {team: u}"),
		 "p(a d)@z1 p(b)@z2 p(c)@z3", SHOW_ZONE},
		{"... or the node goes",
		 "pool p\nnode n4 p small z4 spot 0 || " DELETED X4(SPREAD(ZONE, "1", HARD, "")),
		 "p(a d)@z1 p(b)@z2 p(c)@z3", SHOW_ZONE},
		{"pods that stay on such a node count",
		 "pool p\nnode n1 p small z1 spot 1 || " DELETED
		 "\nrun r 1 n1 || annotations: {karpenter.sh/do-not-disrupt: 'true'}, " APP X(
			 "a", SPREAD(ZONE, "1", HARD, "")),
		 "p(a)@z2", SHOW_ZONE},
		{"matchLabelKeys that the pod does not have",
		 "pool p\nnode n1 p small z1 spot 1\nrun r 1 n1 || labels: {app: x, rev: '1'}" X(
			 "a", SPREAD(ZONE, "1", HARD, "matchLabelKeys: [rev]")),
		 "p(a)@z2", SHOW_ZONE},
		{"minDomains of the first pod is everybody's",
		 Z12 X("a", SPREAD(ZONE, "1", HARD, "minDomains: 3")) X("b", SPREAD(ZONE, "1", HARD, ""))
			 X("c", SPREAD(ZONE, "1", HARD, "")),
		 "p(a)@z1 p(b)@z2 !c", SHOW_ZONE},
		{"... if it has none, nobody does",
		 Z12 X("a", SPREAD(ZONE, "1", HARD, "")) X("b", SPREAD(ZONE, "1", HARD, "minDomains: 3"))
			 X("c", SPREAD(ZONE, "1", HARD, "minDomains: 3")),
		 "p(a c)@z1 p(b)@z2", SHOW_ZONE},
		/* The count is kept by what the first one selects: b on another team's node is not in it. */
		{"values of node selectors do not tell counts apart",
		 TEAM "pool q ||| labels: {team: v}" X(
			 "a", SPREAD(ZONE, "1", HARD, "") ", nodeSelector: {team: u}")
			 X("b", SPREAD(ZONE, "1", HARD, "") ", nodeSelector: {team: v}")
				 X("c", SPREAD(ZONE, "1", HARD, "") ", nodeSelector: {team: v}"),
		 "p(a)@z1 q(b c)@z2", SHOW_ZONE},
		{"without a selector all pods count, and none is its own",
		 "pool p\nnode n1 p small z1 spot 1\nrun r 1 n1\npod a 1 | topologySpreadConstraints: "
		 "[{topologyKey: " ZONE ", maxSkew: 1, whenUnsatisfiable: DoNotSchedule}]",
		 "p(a)@z2", SHOW_ZONE},
		{"... not the pod itself",
		 "pool p | requirements: [" REQ(ZONE, "In", "z1") "]\npool q | requirements: [" REQ(
			 ZONE, "In",
			 "z2") "] | limits: {cpu: 0}\nnode n1 p small z1 spot 1\nrun r 1 n1\npod a 1 | "
			       "topologySpreadConstraints: [{topologyKey: " ZONE
			       ", maxSkew: 1, whenUnsatisfiable: DoNotSchedule}]",
		 "p(a)@z1", SHOW_ZONE},
		{"a node without a hostname goes by its name",
		 "pool p\n{apiVersion: v1, kind: Node, metadata: {name: f}, spec: {providerID: 'p://f'}, "
		 "status: "
		 "{allocatable: {cpu: 8, pods: 10}}}\nrun r 1 f || " APP X("a", SPREAD(HOST, "1", HARD, "")),
		 "p(a)", 0},
		/* With its toleration b counts by other words, and nobody by these so far (A11.2). */
		{"a pod that is given a toleration counts anew", Z1_OR_TAINT X3(SPREAD(ZONE, "1", HARD, "")),
		 "p(a b)@z1 !c", SHOW_ZONE},
		{"... not when it had it",
		 Z1_OR_TAINT X3(SPREAD(ZONE, "1", HARD,
				       "") ", tolerations: [{operator: Exists, effect: PreferNoSchedule}]"),
		 "p(a)@z1 !b !c", SHOW_ZONE},
	};

	check_plans(rows, N(rows));
}

#define TERM_(key, more) "{topologyKey: " key ", " SELECT ", " more "}"
#define WITH(key) \
	"affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [" TERM_(key, "") "]}}"
#define WITH_MORE(key, more) \
	"affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [" TERM_(key, more) "]}}"
#define WITHOUT_MORE(key, more)                                                                     \
	"affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [" TERM_(key, \
											       more) "]}}"
#define WITHOUT(key)                                                                                         \
	"affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [" TERM_(key, "") "]}" \
													"}"
#define LIKES(key)                                                                                \
	"affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, " \
	"podAffinityTerm: " TERM_(key, "") "}]}}"
#define DISLIKES(key)                                                                                 \
	"affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, " \
	"podAffinityTerm: " TERM_(key, "") "}]}}"

/* A13.16. */
Test(topology, affinity)
{
	static const struct plan_row rows[] = {
		{"with a pod that runs",
		 "pool p\nnode n1 p small z2 spot 1\nrun r 1 n1 || " APP "\npod a 1 | " WITH(ZONE), "p(a)@z2",
		 SHOW_ZONE},
		{"two zones to choose from",
		 "pool p\nnode n1 p small z2 spot 1\nrun r 1 n1 || " APP
		 "\nnode n2 p small z3 spot 1\nrun s 1 n2 || " APP "\npod a 1 | " WITH(ZONE),
		 "p(a)@z2,z3", SHOW_ZONE},
		{"nobody there", "pool p\npod a 1 | " WITH(ZONE), "!a", 0},
		{"itself: the first opens a zone", "pool p" X3(WITH(ZONE)), "p(a b c)@z1", SHOW_ZONE},
		{"itself, larger than a node",
		 "pool p\npod a 8 | " WITH(ZONE) " | " APP "\npod b 8 | " WITH(ZONE) " | " APP,
		 "p(a)@z1 p(b)@z1", SHOW_ZONE},
		{"itself, where its selector lets it be",
		 "pool p" X("a", WITH(ZONE) ", nodeSelector: {" ZONE ": z3}"), "p(a)@z3", SHOW_ZONE},
		{"itself, where nobody is that it could join",
		 "pool p\nnode n1 p small z1 spot 1\nrun r 1 n1 || " APP X(
			 "a", WITH(ZONE) ", nodeSelector: {" ZONE ": z3}"),
		 "p(a)@z3", SHOW_ZONE},
		{"itself, on one host",
		 "pool p\npod a 5 | " WITH(HOST) " | " APP "\npod b 5 | " WITH(HOST) " | " APP, "p(a) !b", 0},
		{"another pod of the same run",
		 "pool p\npod a 2 | nodeSelector: {" ZONE ": z3} | " APP "\npod b 1 | " WITH(ZONE),
		 "p(a b)@z3", SHOW_ZONE},
		{"the other comes later and the queue comes back",
		 "pool p\npod a 1 | nodeSelector: {" ZONE ": z3} | " APP "\npod b 2 | " WITH(ZONE),
		 "p(a b)@z3", SHOW_ZONE},
		{"a pod of another namespace does not count",
		 "pool p\nnode n1 p small z2 spot 1\nrun r 1 n1 || namespace: o, " APP
		 "\npod a 1 | " WITH(ZONE),
		 "!a", 0},
		{"unless it is named",
		 "pool p\nnode n1 p small z2 spot 1\nrun r 1 n1 || namespace: o, " APP
		 "\npod a 1 | " WITH_MORE(ZONE, "namespaces: [o]"),
		 "p(a)@z2", SHOW_ZONE},
		{"or its namespace selected",
		 "pool p\n{apiVersion: v1, kind: Namespace, metadata: {name: o, labels: {t: u}}}\nnode n1 p "
		 "small z2 spot "
		 "1\nrun r 1 n1 || namespace: o, " APP
		 "\npod a 1 | " WITH_MORE(ZONE, "namespaceSelector: {matchLabels: {t: u}}"),
		 "p(a)@z2", SHOW_ZONE},
		{"an empty selector of namespaces takes all",
		 "pool p\n{apiVersion: v1, kind: Namespace, metadata: {name: o}}\nnode n1 p small z2 spot "
		 "1\nrun r 1 n1 || namespace: o, " APP
		 "\npod a 1 | " WITH_MORE(ZONE, "namespaceSelector: {}"),
		 "p(a)@z2", SHOW_ZONE},
		{"a wish", "pool p\nnode n1 p small z2 spot 1\nrun r 1 n1 || " APP "\npod a 1 | " LIKES(ZONE),
		 "p(a)@z2", SHOW_ZONE},
		{"a wish that cannot be", "pool p\npod a 1 | " LIKES(ZONE), "p(a)", SHOW_ZONE},
		{"a wish with policy Ignore",
		 "settings | preferencePolicy: Ignore\npool p\nnode n1 p small z2 spot 1\nrun r 1 n1 || " APP
		 "\npod a 1 | " LIKES(ZONE),
		 "p(a)", SHOW_ZONE},
	};

	check_plans(rows, N(rows));
}

/* A13.17, A13.18, and the other side of A13.11. */
Test(topology, anti_affinity)
{
	static const struct plan_row rows[] = {
		{"a host for each", "pool p" X3(WITHOUT(HOST)), "p(a) p(b) p(c)", 0},
		{"not the host of one that runs",
		 "pool p\nnode n1 p large z1 spot 8\nrun r 1 n1 || " APP
		 "\nnode n2 p large z1 spot 8" X("a", WITHOUT(HOST)),
		 "n2(a)", 0},
		/* A claim whose zone is open blocks every zone it may still be in. */
		{"zones: the first takes them all", "pool p" X3(WITHOUT(ZONE)), "p(a)@z1,z2,z3 !b !c",
		 SHOW_ZONE},
		{"zones, told apart by selectors",
		 "pool p" X("a", WITHOUT(ZONE) ", nodeSelector: {" ZONE ": z1}")
			 X("b", WITHOUT(ZONE) ", nodeSelector: {" ZONE ": z2}")
				 X("c", WITHOUT(ZONE) ", nodeSelector: {" ZONE ": z1}"),
		 "p(a)@z1 p(b)@z2 !c", SHOW_ZONE},
		{"zones without the pod",
		 "pool p\nnode n1 p small z2 spot 1\nrun r 1 n1 || " APP "\npod a 1 | " WITHOUT(ZONE),
		 "p(a)@z1,z3", SHOW_ZONE},
		{"a pod that runs and wants to be alone",
		 "pool p\nnode n1 p large z1 spot 8\nrun r 1 n1 | " WITHOUT(HOST) X("a", ""), "p(a)", 0},
		{"... in its zone",
		 "pool p\nnode n1 p large z2 spot 8\nrun r 1 n1 | " WITHOUT(ZONE) X("a", ""), "p(a)@z1,z3",
		 SHOW_ZONE},
		{"... but not from others",
		 "pool p\nnode n1 p large z1 spot 8\nrun r 1 n1 | " WITHOUT(HOST) "\npod a 1", "n1(a)", 0},
		{"... nor from those of another namespace",
		 "pool p\nnode n1 p large z1 spot 8\nrun r 1 n1 | " WITHOUT(HOST) " | namespace: o" X("a",
												      ""),
		 "n1(a)", 0},
		{"... unless it says so",
		 "pool p\nnode n1 p large z1 spot 8\nrun r 1 n1 | " WITHOUT_MORE(
			 HOST, "namespaces: [default]") " | namespace: o" X("a", ""),
		 "p(a)", 0},
		{"... or selects it",
		 "pool p\n{apiVersion: v1, kind: Namespace, metadata: {name: default}}\nnode n1 p large z1 "
		 "spot "
		 "8\nrun r 1 n1 | " WITHOUT_MORE(HOST, "namespaceSelector: {}") " | namespace: o" X("a", ""),
		 "p(a)", 0},
		{"... by a label that it lacks",
		 "pool p\n{apiVersion: v1, kind: Namespace, metadata: {name: default}}\nnode n1 p large z1 "
		 "spot "
		 "8\nrun r 1 n1 | " WITHOUT_MORE(
			 HOST, "namespaceSelector: {matchLabels: {t: u}}") " | namespace: o" X("a", ""),
		 "n1(a)", 0},
		{"... nor when it is done",
		 "pool p\nnode n1 p large z1 spot 8\n{apiVersion: v1, kind: Pod, metadata: {name: r}, spec: "
		 "{nodeName: n1, containers: [{}], " WITHOUT(HOST) "}, status: {phase: Succeeded}}" X("a",
												      ""),
		 "n1(a)", 0},
		/* r moves as well, so only where it goes counts. */
		{"... nor on a node that goes",
		 "pool p\nnode n1 p small z1 spot 1 || " DELETED
		 "\nrun r 1 n1 | " WITHOUT(ZONE) "\npod a 2 | nodeSelector: {" ZONE ": z1} | " APP,
		 "p(a)@z1 p(r)@z2,z3", SHOW_ZONE},
		{"one of this run that wants to be alone",
		 "pool p\npod b 2 | " WITHOUT(HOST) X("a", "") "\npod c 1", "p(b c) p(a)", 0},
		{"a wish", "pool p" X3(DISLIKES(HOST)), "p(a) p(b) p(c)", 0},
		{"a wish that cannot be",
		 "pool p || limits: {nodes: 1}\nnode n1 p large z1 spot 8\nrun r 1 n1 || " APP X(
			 "a", DISLIKES(HOST)),
		 "n1(a)", 0},
		{"wishes of pods that run do not bind others",
		 "pool p\nnode n1 p large z1 spot 8\nrun r 1 n1 | " DISLIKES(HOST) X("a", ""), "n1(a)", 0},
		{"deleted pods do not repel",
		 "pool p\nnode n1 p large z1 spot 8\nrun r 1 n1 || " DELETED ", " APP X("a", WITHOUT(HOST)),
		 "n1(a)", 0},
	};

	check_plans(rows, N(rows));
}

/* The group that is reported, with its counts (A13.13). */
Test(topology, reported)
{
	static const struct plan_row rows[] = {
		{"spread",
		 "pool p | requirements: [" REQ(ZONE, "In", "z1") "]\npool q | requirements: [" REQ(
			 ZONE, "In", "z2") "] | limits: {cpu: 0}" X("a", SPREAD(ZONE, "1", HARD, ""))
			 X("b", SPREAD(ZONE, "1", HARD, "")),
		 "p(a) !b: all available instance types exceed limits for nodepool (NodePool=q); "
		 "unsatisfiable topology "
		 "constraint for topology spread, key=topology.kubernetes.io/zone (counts = z1: 1, z2: 0, "
		 "podDomains = "
		 "topology.kubernetes.io/zone Exists, nodeDomains = topology.kubernetes.io/zone In [z1]",
		 SHOW_ERRORS},
		{"affinity", "pool p\npod a 1 | " WITH(ZONE),
		 "!a: unsatisfiable topology constraint for pod affinity, key=topology.kubernetes.io/zone "
		 "(counts = z1: "
		 "0, z2: 0, z3: 0, podDomains = topology.kubernetes.io/zone Exists, nodeDomains = "
		 "topology.kubernetes.io/zone Exists",
		 SHOW_ERRORS},
		{"anti-affinity", "pool p" X("a", WITHOUT(ZONE)) X("b", WITHOUT(ZONE)),
		 "p(a) !b: unsatisfiable topology constraint for pod anti-affinity, "
		 "key=topology.kubernetes.io/zone "
		 "(counts = z1: 1, z2: 1, z3: 1, podDomains = topology.kubernetes.io/zone Exists, "
		 "nodeDomains = "
		 "topology.kubernetes.io/zone Exists",
		 SHOW_ERRORS},
	};

	check_plans(rows, N(rows));
}
