#include <criterion/criterion.h>

#include "stage.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

#define MEM(n) "overhead: {memory: " n "}"
#define AGE(t, uid) "uid: '" uid "', creationTimestamp: '2025-01-01T00:00:" t "Z'"

/* A4.3: CPU, memory, age, uid. */
Test(place, queue)
{
	static const struct plan_row rows[] = {
		{"CPU", "pool p\npod a 1\npod b 3\npod c 2", "p(b c a)", 0},
		{"memory", "pool p\npod a 1 |" MEM("1Gi") "\npod b 1 |" MEM("3Gi") "\npod c 1 |" MEM("2Gi"),
		 "p(b c a)", 0},
		{"CPU before memory", "pool p\npod a 1 |" MEM("9Gi") "\npod b 2", "p(b a)", 0},
		{"age",
		 "pool p\npod a 1 || " AGE("03", "x") "\npod b 1 || " AGE("01", "y") "\npod c 1 || " AGE("02",
													 "z"),
		 "p(b c a)", 0},
		{"uid",
		 "pool p\npod a 1 || " AGE("01", "c") "\npod b 1 || " AGE("01", "a") "\npod c 1 || " AGE("01",
													 "b"),
		 "p(b c a)", 0},
		{"larger pods first leave small rooms for the rest",
		 "pool p\npod a 5\npod b 5\npod c 3\npod d 3", "p(a c) p(b d)", 0},
	};

	check_plans(rows, N(rows));
}

#define OWNED(version, kind) \
	"ownerReferences: [{apiVersion: " version ", kind: " kind ", name: o, uid: o, controller: true}]"
#define LIKE(meta, spec, status)                                        \
	"pool p\n{apiVersion: v1, kind: Pod, metadata: {name: a, " meta \
	"}, spec: {containers: [{name: c}], " spec "}, status: {" status "}}"
#define SEEN "conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable}]"

/* A2.1: which pods Karpenter looks at. */
Test(place, considered)
{
	static const struct plan_row rows[] = {
		{"one that no node was found for", LIKE("", "", SEEN), "p(a)", 0},
		{"one that nobody has looked at", LIKE("", "", "phase: Pending"), "p(a)", 0},
		{"one that was looked at for another reason",
		 LIKE("", "", "conditions: [{type: PodScheduled, status: 'False', reason: SchedulerError}]"),
		 "", 0},
		{"whatever its status",
		 LIKE("", "", "conditions: [{type: PodScheduled, status: 'True', reason: Unschedulable}]"),
		 "p(a)", 0},
		{"whatever its phase", LIKE("", "", "phase: Failed, " SEEN), "p(a)", 0},
		{"one that is being deleted", LIKE(DELETED, "", SEEN), "p(a)", 0},
		{"one that is held back", LIKE("", "schedulingGates: [{name: g}]", ""), "", 0},
		{"... and was looked at", LIKE("", "schedulingGates: [{name: g}]", SEEN), "p(a)", 0},
		{"one of another scheduler", LIKE("", "schedulerName: mine", SEEN), "p(a)", 0},
		{"one with a node", LIKE("", "nodeName: m", SEEN), "", 0},
		{"one that will get a node", LIKE("", "", "nominatedNodeName: m, " SEEN), "", 0},
		{"one of a DaemonSet", LIKE(OWNED("apps/v1", "DaemonSet"), "", SEEN), "", 0},
		{"... of another kind of that name", LIKE(OWNED("example.com/v1", "DaemonSet"), "", SEEN),
		 "p(a)", 0},
		{"one of a node", LIKE(OWNED("v1", "Node"), "", SEEN), "", 0},
		{"one of a StatefulSet", LIKE(OWNED("apps/v1", "StatefulSet"), "", SEEN), "p(a)", 0},
	};

	check_plans(rows, N(rows));
}

#define BOUND(v)                                                                                          \
	"affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [" \
	"{matchExpressions: [{key: karpenter.sh/capacity-type, operator: Exists}, {key: node.example/n, " \
	"operator: Gt, values: ['" v "']}]}]}}}"
#define ONLY(type) "requirements: [" REQ("node.kubernetes.io/instance-type", "In", type) "]"

/* A5.1, A5.2, A5.5, A5.6: where a pod is tried, in which order. */
Test(place, order)
{
	static const struct plan_row rows[] = {
		{"a node that is there", "pool p\npod a 1\nnode n p small z1 spot 2", "n(a)", 0},
		{"nodes by name", "pool p\npod a 1\nnode n2 p small z1 spot 2\nnode n1 p small z1 spot 2",
		 "n1(a)", 0},
		{"what fits no node opens a claim", "pool p\npod a 3\npod b 1\nnode n p small z1 spot 2",
		 "p(a) n(b)", 0},
		{"a node that is being deleted", "pool p\npod a 1\nnode n p small z1 spot 2 || " DELETED,
		 "p(a)", 0},
		{"pods of a deleted node", "pool p\nrun a 1 n\nnode n p small z1 spot 2 || " DELETED, "p(a)",
		 0},
		{"a claim before a new one", "pool p\npod a 1\npod b 1", "p(a b)", 0},
		/* Ties fall as the sort before left them. */
		{"the claim with the fewest pods", "pool p\npod a 5\npod b 4\npod c 1\npod d 1\npod e 1",
		 "p(a c) p(b d e)", 0},
		/* A2.6: bounds are read as Go's Atoi does. */
		{"a bound that just fits",
		 "pool p ||| labels: {node.example/n: '7'}\npod a 1 |" BOUND("0000000000000000000006"),
		 "p(a)", 4},
		{"a bound that does not fit", "pool p\npod a 1 |" BOUND("9223372036854775808"),
		 "!a: ignoring pod, key node.example/n with operator Gt must have a single positive integer "
		 "value",
		 4},
		{"a signed bound, which is no label value", "pool p\npod a 1 |" BOUND("+5"),
		 "!a: ignoring pod, invalid value +5 for key node.example/n, a valid label must be an empty "
		 "string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with "
		 "an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for "
		 "validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
		 4},
		{"no NodePool", "pod a 1", "!a: no dynamic nodepools found", 4},
		{"a pod too large", "pool p\npod a 9",
		 "!a: no instance type has enough resources, requirements=g.io/class In [c], "
		 "karpenter.sh/initialized In "
		 "[true], "
		 "karpenter.sh/nodepool In [p], karpenter.sh/registered In [true], "
		 "resources={\"cpu\":\"9\",\"pods\":\"1\"}",
		 4},
	};

	check_plans(rows, N(rows));
}

/* A3.2, A9: weights and limits. */
Test(place, pools)
{
	static const struct plan_row rows[] = {
		{"the heavier", "pool a\npool b || weight: 10\npool c || weight: 9\npod x 1", "b(x)", 0},
		{"equal weights: the later name",
		 "pool a || weight: 5\npool c || weight: 5\npool b || weight: 5\npod x 1", "c(x)", 0},
		{"absent counts as 0, below 1", "pool b\npool a || weight: 1\npod x 1", "a(x)", 0},
		{"the next when the heavier does not fit",
		 "pool a\npool b | " ONLY("small") " | weight: 10\npod x 3\npod y 1", "a(x y)", 0},
		{"CPU limit picks smaller types", "pool p || limits: {cpu: 4}\npod x 1",
		 "p(x)=small,arm,medium", SHOW_TYPES},
		{"the largest type counts against the limit", "pool p || limits: {cpu: 10}\npod x 5\npod y 5",
		 "p(x) !y", 0},
		{"... though smaller ones are left to it",
		 "pool p || limits: {cpu: 12}\npod x 3 ||| ports: [{containerPort: 1, hostPort: 80}]\npod y "
		 "3 ||| "
		 "ports: [{containerPort: 1, hostPort: 80}]",
		 "p(x)=arm,medium,large p(y)=arm,medium", SHOW_TYPES},
		{"... and fits twice", "pool p || limits: {cpu: 16}\npod x 5\npod y 5", "p(x) p(y)", 0},
		{"limit of the heavier pool reached",
		 "pool a\npool b || weight: 1, limits: {cpu: 1}\npod x 1", "a(x)", 0},
		{"limit reached, and no other pool", "pool p || limits: {cpu: 1}\npod x 1",
		 "!x: all available instance types exceed limits for nodepool (NodePool=p)", 4},
		{"nodes that are there count",
		 "pool p || limits: {cpu: 8}\npod x 3\nnode n p medium z1 spot 4\nrun r 4 n",
		 "p(x)=arm,medium", SHOW_TYPES},
		{"nodes of others do not",
		 "pool p || limits: {cpu: 8}\npool q || weight: -1\npod x 3\nnode n q medium z1 spot 4\nrun "
		 "r 4 n",
		 "p(x)=arm,medium,large", SHOW_TYPES},
		{"a node being deleted does not count",
		 "pool p || limits: {cpu: 8}\npod x 3\nnode n p medium z1 spot 4 || " DELETED,
		 "p(x)=arm,medium,large", SHOW_TYPES},
		{"no nodes left", "pool p || limits: {nodes: 1}\npod x 3\nnode n p small z1 spot 2",
		 "!x: node limits have been exhausted for nodepool (NodePool=p)", 4},
		{"more nodes than the limit",
		 "pool p || limits: {nodes: 1}\npod x 3\nnode n p small z1 spot 2\nnode m p small z1 spot 2",
		 "!x: all available instance types exceed limits for nodepool (NodePool=p)", 4},
		{"the nodes limit is not counted down in a run",
		 "pool p || limits: {nodes: 1}\npod x 8\npod y 8", "p(x) p(y)", 0},
		{"a limit of what no type has", "pool p || limits: {nvidia.com/gpu: 0}\npod x 1", "p(x)", 0},
		{"a static pool is not for pods",
		 "settings | featureGates: {StaticCapacity: true}\npool p || replicas: 1\npod x 1",
		 "!x: no dynamic nodepools found", 4},
		{"a pool that is being deleted", "pool p |||| " DELETED "\npod x 1",
		 "!x: no dynamic nodepools found", 4},
		{"usage beyond the limit",
		 "pool p || limits: {memory: 1Gi}, weight: 1\npool q\npod x 3\nnode n p small z1 spot 2",
		 "q(x)", 4},
	};

	check_plans(rows, N(rows));
}

#define TAINT(effect) "{key: k, value: v, effect: " effect "}"

/* A7.1, A7.2, A11.2 step 6. */
Test(place, taints)
{
	static const struct plan_row rows[] = {
		{"not tolerated", "pool p | taints: [" TAINT("NoSchedule") "]\npod x 1",
		 "!x: did not tolerate taint (taint=k=v:NoSchedule)", 4},
		{"two of them",
		 "pool p | taints: [" TAINT("NoSchedule") ", {key: j, effect: NoExecute}]\npod x 1",
		 "!x: did not tolerate taint (taint=k=v:NoSchedule); did not tolerate taint "
		 "(taint=j:NoExecute)",
		 4},
		{"tolerated",
		 "pool p | taints: [" TAINT(
			 "NoSchedule") "]\npod x 1 | tolerations: [{key: k, operator: Exists}]",
		 "p(x)", 0},
		{"startup taints do not count", "pool p | startupTaints: [" TAINT("NoSchedule") "]\npod x 1",
		 "p(x)", 0},
		{"a preference is given up last", "pool p | taints: [" TAINT("PreferNoSchedule") "]\npod x 1",
		 "p(x)", 0},
		{"another pool is better than giving it up",
		 "pool p | taints: [" TAINT("PreferNoSchedule") "] | weight: 5\npool q\npod x 1", "q(x)", 0},
		{"taints of a node",
		 "pool p\npod x 1\nnode n p small z1 spot 2 |||||| taints: [" TAINT("NoSchedule") "]", "p(x)",
		 0},
		{"... tolerated",
		 "pool p\npod x 1 | tolerations: [{key: k, value: v}]\nnode n p small z1 spot 2 ||||||"
		 "taints: [" TAINT("NoSchedule") "]",
		 "n(x)", 0},
		{"taints that pass by themselves, on a node not initialized",
		 "pool p\npod x 1\nnode n p small z1 spot 2 new |||||| taints: [{key: "
		 "node.kubernetes.io/not-ready, "
		 "effect: NoSchedule}, {key: readiness.k8s.io/x, effect: NoSchedule}]",
		 "n(x)", 0},
		{"... and startup taints of its claim",
		 "pool p\npod x 1\nnode n p small z1 spot 2 new ||| startupTaints: [" TAINT(
			 "NoSchedule") "] ||| taints: [" TAINT("NoSchedule") "]",
		 "n(x)", 0},
		{"... on one that was: they count",
		 "pool p\npod x 1\nnode n p small z1 spot 2 |||||| "
		 "taints: [{key: node.kubernetes.io/not-ready, effect: NoSchedule}]",
		 "p(x)", 0},
	};

	check_plans(rows, N(rows));
}

#define TERM(expr) "{matchExpressions: [" expr "]}"
#define MUST(terms)                                                                                      \
	"affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: " \
	"[" terms "]}}}"
#define MAY(terms) "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [" terms "]}}"
#define WISH(weight, expr) "{weight: " weight ", preference: " TERM(expr) "}"

/* A4.2, A6, A11: what a pod asks of its node, and what it gives up. */
Test(place, node_affinity)
{
	static const struct plan_row rows[] = {
		{"selector", "pool p\npod x 1 | nodeSelector: {" ZONE ": z2}", "p(x)@z2", SHOW_ZONE},
		{"selector nobody has", "pool p\npod x 1 | nodeSelector: {team: a}",
		 "!x: incompatible requirements, label \"team\" does not have known values", 4},
		{"a label of the template", "pool p ||| labels: {team: a}\npod x 1 | nodeSelector: {team: a}",
		 "p(x)", 0},
		{"another value", "pool p ||| labels: {team: b}\npod x 1 | nodeSelector: {team: a}",
		 "!x: incompatible requirements, key team, team In [a] not in team In [b]", 4},
		{"NotIn a label nobody has", "pool p\npod x 1 | " MUST(TERM(REQ("team", "NotIn", "a"))),
		 "p(x)", 0},
		{"a requirement of the pool",
		 "pool p | requirements: [" REQ(ZONE, "In", "z1, z3") "]\npod x 1 | " MUST(
			 TERM(REQ(ZONE, "NotIn", "z1"))),
		 "p(x)@z3", SHOW_ZONE},
		{"Exists of the pool is narrowed",
		 "pool p | requirements: [" HAS("team", "Exists") "]\npod x 1 | nodeSelector: {team: a}",
		 "p(x)", 0},
		{"terms are tried in turn",
		 "pool p\npod x 1 | " MUST(TERM(REQ(ZONE, "In", "z9")) ", " TERM(REQ(ZONE, "In", "z3"))),
		 "p(x)@z3", SHOW_ZONE},
		{"the first term that works",
		 "pool p\npod x 1 | " MUST(TERM(REQ(ZONE, "In", "z2")) ", " TERM(REQ(ZONE, "In", "z3"))),
		 "p(x)@z2", SHOW_ZONE},
		{"wishes hold where they can, the heaviest first",
		 "pool p\npod x 1 | " MAY(
			 WISH("1", REQ(ZONE, "In", "z3")) ", " WISH("9", REQ(ZONE, "In", "z2"))),
		 "p(x)@z2", SHOW_ZONE},
		{"a wish that cannot be is given up for the next",
		 "pool p\npod x 1 | " MAY(
			 WISH("1", REQ(ZONE, "In", "z3")) ", " WISH("9", REQ(ZONE, "In", "z9"))),
		 "p(x)@z3", SHOW_ZONE},
		{"wishes do not count with policy Ignore",
		 "settings | preferencePolicy: Ignore\npool p\npod x 1 | " MAY(
			 WISH("1", REQ(ZONE, "In", "z3"))),
		 "p(x)", SHOW_ZONE},
		{"a bound too large for 64 bits",
		 "pool p\npod x 1 | " MAY(WISH("1", REQ("size", "Gt", "'99999999999999999999'"))), "p(x)", 0},
		{"arch", "pool p\npod x 1 | nodeSelector: {kubernetes.io/arch: arm64}", "p(x)=arm",
		 SHOW_TYPES},
		{"old spelling of a label",
		 "pool p\npod x 1 | nodeSelector: {beta.kubernetes.io/arch: arm64}", "p(x)=arm", SHOW_TYPES},
		{"arch of a type that is not there",
		 "pool p\npod x 1 | nodeSelector: {kubernetes.io/arch: riscv}",
		 "!x: no instance type met all requirements, requirements=g.io/class In [c], "
		 "karpenter.sh/initialized In [true], "
		 "karpenter.sh/nodepool In [p], karpenter.sh/registered In [true], kubernetes.io/arch In "
		 "[riscv], "
		 "resources={\"cpu\":\"1\",\"pods\":\"1\"}",
		 4},
		{"a node with the label",
		 "pool p\npod x 1 | nodeSelector: {team: a}\nnode n p small z1 spot 2 | team: a", "n(x)", 0},
		{"well-known labels must be there on a node",
		 "pool p\npod x 1 | nodeSelector: {" ZONE ": z2}\nnode n p small z1 spot 2", "p(x)", 0},
		{"matchFields",
		 "pool p\npod x 1 | " MUST("{matchFields: [" REQ("metadata.name", "In", "n") "]}"),
		 "!x: ignoring pod, node selector term with matchFields is not supported", 4},
		{"no operator", "pool p\npod x 1 | " MUST(TERM(HAS("karpenter.sh/nodepool", "DoesNotExist"))),
		 "!x: ignoring pod, configured to not run on a Karpenter provisioned node "
		 "(requirement=karpenter.sh/nodepool DoesNotExist)",
		 4},
		{"spot or on-demand",
		 "pool p\npod x 1 | nodeSelector: {karpenter.sh/capacity-type: on-demand}",
		 "p(x)=small,arm,medium,large", SHOW_TYPES},
		{"hostname of a node: no label to ask for",
		 "pool p\npod x 1 | nodeSelector: {kubernetes.io/hostname: n2}\n"
		 "node n2 p small z1 spot 2",
		 "!x", 0},
	};

	check_plans(rows, N(rows));
}
