#include <criterion/criterion.h>

#include "stage.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

#define ASKS(cpu) "resources: {requests: {cpu: '" cpu "'}}"
#define INIT(list) "initContainers: [" list "]"
#define ONCE(name, cpu) "{name: " name ", " ASKS(cpu) "}"
#define SIDECAR(name, cpu) "{name: " name ", restartPolicy: Always, " ASKS(cpu) "}"
#define SUM(cpu) "p(a) {\"cpu\":\"" cpu "\",\"pods\":\"1\"}"

/* A4.1: what a pod requests. */
Test(requests, pod)
{
	static const struct plan_row rows[] = {
		{"containers", "pool p\npod a 1", SUM("1"), SHOW_REQUESTS},
		{"an init container that asks for less", "pool p\npod a 1 | " INIT(ONCE("i", "500m")),
		 SUM("1"), SHOW_REQUESTS},
		{"one that asks for more", "pool p\npod a 1 | " INIT(ONCE("i", "3")), SUM("3"),
		 SHOW_REQUESTS},
		{"the larger of two", "pool p\npod a 1 | " INIT(ONCE("i", "2") ", " ONCE("j", "3")), SUM("3"),
		 SHOW_REQUESTS},
		{"a sidecar adds to the containers", "pool p\npod a 1 | " INIT(SIDECAR("s", "500m")),
		 SUM("1500m"), SHOW_REQUESTS},
		{"... and to init containers after it",
		 "pool p\npod a 1 | " INIT(SIDECAR("s", "500m") ", " ONCE("i", "2")), SUM("2500m"),
		 SHOW_REQUESTS},
		{"... not to those before it",
		 "pool p\npod a 1 | " INIT(ONCE("i", "2") ", " SIDECAR("s", "500m")), SUM("2"),
		 SHOW_REQUESTS},
		{"two sidecars", "pool p\npod a 1 | " INIT(SIDECAR("s", "500m") ", " SIDECAR("t", "700m")),
		 SUM("2200m"), SHOW_REQUESTS},
		{"the pod's own resources go before",
		 "pool p\npod a 1/2Gi | resources: {requests: {cpu: '3'}}",
		 "p(a) {\"cpu\":\"3\",\"memory\":\"2Gi\",\"pods\":\"1\"}", SHOW_REQUESTS},
		{"... even over larger ones of init containers",
		 "pool p\npod a 1 | resources: {requests: {cpu: '2'}}, " INIT(ONCE("i", "3")), SUM("2"),
		 SHOW_REQUESTS},
		{"overhead comes on top", "pool p\npod a 1 | overhead: {cpu: 250m}", SUM("1250m"),
		 SHOW_REQUESTS},
		{"... of the pod's own resources too",
		 "pool p\npod a 1 | overhead: {cpu: 250m}, resources: {requests: {cpu: '3'}}", SUM("3250m"),
		 SHOW_REQUESTS},
		{"nothing but the pod itself", "pool p\npod a -", "p(a) {\"pods\":\"1\"}", SHOW_REQUESTS},
		{"pods of a claim add up", "pool p\npod a 1/1Gi\npod b 500m",
		 "p(a b) {\"cpu\":\"1500m\",\"memory\":\"1Gi\",\"pods\":\"2\"}", SHOW_REQUESTS},
		/* The node has 4: 1 is asked, 2 were given. */
		{"what was given to a running container",
		 "pool p\nnode n p medium z1 spot 4\nrun r 1 n ||| containerStatuses: [{name: c, "
		 "allocatedResources: {cpu: '2'}, resources: {requests: {cpu: '2'}}}]\npod a 2500m",
		 "p(a)", 0},
		{"... and what fits beside it",
		 "pool p\nnode n p medium z1 spot 4\nrun r 1 n ||| containerStatuses: [{name: c, "
		 "allocatedResources: {cpu: '2'}, resources: {requests: {cpu: '2'}}}]\npod a 2",
		 "n(a)", 0},
		{"a resize that cannot be: what was given counts",
		 "pool p\nnode n p medium z1 spot 4\nrun r 3 n ||| conditions: [{type: PodResizePending, "
		 "status: 'True', reason: Infeasible}], containerStatuses: [{name: c, allocatedResources: "
		 "{cpu: '1'}, resources: {requests: {cpu: '1'}}}]\npod a 3",
		 "n(a)", 0},
	};

	check_plans(rows, N(rows));
}

#define TEN(cpu)                                                                                  \
	"\npod a " cpu "\npod b " cpu "\npod c " cpu "\npod d " cpu "\npod e " cpu "\npod f " cpu \
	"\npod g " cpu "\npod h " cpu "\npod i " cpu "\npod j " cpu

/* A7.5, A8.5, A10.3: what fits where. */
Test(requests, fit)
{
	static const struct plan_row rows[] = {
		{"just", "pool p\npod a 8", "p(a)=large", SHOW_TYPES},
		{"memory", "pool p\npod a 1/8Gi", "p(a)=arm,medium,large", SHOW_TYPES},
		{"memory of both", "pool p\npod a 1/10Gi\npod b 1/8Gi", "p(a)=large p(b)=arm,medium,large",
		 SHOW_TYPES},
		{"number of pods", "pool p" TEN("100m") "\npod k 100m", "p(a b c d e f g h i j) p(k)", 0},
		{"what no type has",
		 "pool p\npod a - ||| resources: {requests: {example.com/x: '1'}, limits: "
		 "{example.com/x: '1'}}",
		 "!a", 0},
		{"none of it",
		 "pool p\npod a 1 | " INIT("{name: i, resources: {requests: {example.com/x: "
					   "'0'}, limits: {example.com/x: '0'}}}"),
		 "p(a)", 0},
		{"a node with just enough", "pool p\nnode n p medium z1 spot 4\nrun r 3 n\npod a 1", "n(a)",
		 0},
		{"one a little too small", "pool p\nnode n p medium z1 spot 4\nrun r 3001m n\npod a 1",
		 "p(a)", 0},
		{"pods that are done leave room",
		 "pool p\nnode n p medium z1 spot 4\n{apiVersion: v1, kind: Pod, metadata: {name: r}, spec: "
		 "{nodeName: 'n', containers: [{resources: {requests: {cpu: '4'}}}]}, status: {phase: "
		 "Failed}}\npod a 1",
		 "n(a)", 0},
		/* A node that has promised more than it has takes nothing, not even what asks for nothing. */
		{"an overcommitted node", "pool p\nnode n p small z1 spot 1\nrun r 2 n\npod a -", "p(a)", 0},
		{"a full one", "pool p\nnode n p small z1 spot 1\nrun r 1 n\npod a -", "n(a)", 0},
	};

	check_plans(rows, N(rows));
}

#define PORT(more) "ports: [{containerPort: 8080, " more "}]"
#define PORTS(name, more) "\npod " name " 1 ||| " PORT(more)

/* A7.3, A10.5, A12.4. */
Test(requests, ports)
{
	static const struct plan_row rows[] = {
		{"one port", "pool p" PORTS("a", "hostPort: 80") PORTS("b", "hostPort: 80"), "p(a) p(b)", 0},
		{"two ports", "pool p" PORTS("a", "hostPort: 80") PORTS("b", "hostPort: 81"), "p(a b)", 0},
		{"two protocols",
		 "pool p" PORTS("a", "hostPort: 80, protocol: TCP") PORTS("b", "hostPort: 80, protocol: UDP"),
		 "p(a b)", 0},
		{"TCP is what is not said",
		 "pool p" PORTS("a", "hostPort: 80, protocol: TCP") PORTS("b", "hostPort: 80"), "p(a) p(b)",
		 0},
		{"two addresses",
		 "pool p" PORTS("a", "hostPort: 80, hostIP: 10.0.0.1")
			 PORTS("b", "hostPort: 80, hostIP: 10.0.0.2"),
		 "p(a b)", 0},
		{"one address",
		 "pool p" PORTS("a", "hostPort: 80, hostIP: 10.0.0.1")
			 PORTS("b", "hostPort: 80, hostIP: 10.0.0.1"),
		 "p(a) p(b)", 0},
		{"none is all of them",
		 "pool p" PORTS("a", "hostPort: 80, hostIP: 10.0.0.1") PORTS("b", "hostPort: 80"),
		 "p(a) p(b)", 0},
		{"so is 0.0.0.0",
		 "pool p" PORTS("a", "hostPort: 80, hostIP: 0.0.0.0")
			 PORTS("b", "hostPort: 80, hostIP: 10.0.0.1"),
		 "p(a) p(b)", 0},
		{"and that of IPv6",
		 "pool p" PORTS("a", "hostPort: 80, hostIP: 10.0.0.1")
			 PORTS("b", "hostPort: 80, hostIP: '::'"),
		 "p(a) p(b)", 0},
		{"two IPv6 addresses",
		 "pool p" PORTS("a", "hostPort: 80, hostIP: 'fd00::1'")
			 PORTS("b", "hostPort: 80, hostIP: 'fd00::2'"),
		 "p(a b)", 0},
		{"a port of the container only",
		 "pool p" PORTS("a", "hostPort: 80") "\npod b 1 ||| " PORT(""), "p(a b)", 0},
		{"init containers do not count",
		 "pool p" PORTS("a",
				"hostPort: 80") "\npod b 1 | " INIT("{name: i, " PORT("hostPort: 80") "}"),
		 "p(a b)", 0},
		{"a pod may ask twice",
		 "pool p\npod a 1 ||| ports: [{containerPort: 1, hostPort: 80}, {containerPort: 2, hostPort: "
		 "80, hostIP: 10.0.0.1}]",
		 "p(a)", 0},
		{"taken on a node",
		 "pool p\nnode n p large z1 spot 8\nrun r 1 n |||| " PORT("hostPort: 80")
			 PORTS("a", "hostPort: 80"),
		 "p(a)", 0},
		{"free on a node",
		 "pool p\nnode n p large z1 spot 8\nrun r 1 n |||| " PORT("hostPort: 80")
			 PORTS("a", "hostPort: 81"),
		 "n(a)", 0},
		{"taken on a node in this run",
		 "pool p\nnode n p large z1 spot 8" PORTS("a", "hostPort: 80") PORTS("b", "hostPort: 80"),
		 "p(b) n(a)", 0},
		{"taken by a DaemonSet on some types",
		 "pool p\ndaemon d - | nodeSelector: {kubernetes.io/arch: arm64} | " PORT(
			 "hostPort: 80, protocol: TCP") PORTS("a", "hostPort: 80"),
		 "p(a)=small,medium,large", SHOW_TYPES},
		{"... on all of them",
		 "pool p\ndaemon d - || " PORT("hostPort: 80, protocol: TCP") PORTS("a", "hostPort: 80"),
		 "!a: no instance type met the scheduling requirements or had enough resources or had a "
		 "required offering, requirements=g.io/class In [c], karpenter.sh/initialized In [true], "
		 "karpenter.sh/nodepool In [p], karpenter.sh/registered In [true], "
		 "resources={\"cpu\":\"1\",\"pods\":\"1\"}",
		 SHOW_ERRORS},
	};

	check_plans(rows, N(rows));
}

#define ONLY(key, values) "nodeSelector: {" key ": " values "}"
#define MUST(terms)                                                                                      \
	"affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: " \
	"[" terms "]}}}"
#define TERM(expr) "{matchExpressions: [" expr "]}"
#define ARCH "kubernetes.io/arch"
#define TYPE "node.kubernetes.io/instance-type"
#define TAINTS(effect) "taints: [{key: k, effect: " effect "}]"

/* A12: what the DaemonSets take of new nodes. */
Test(requests, daemons)
{
	static const struct plan_row rows[] = {
		{"room on every type", "pool p\ndaemon d 500m\npod a 2",
		 "p(a)=arm,medium,large {\"cpu\":\"2500m\",\"pods\":\"2\"}", SHOW_TYPES | SHOW_REQUESTS},
		{"of several DaemonSets", "pool p\ndaemon d 500m\ndaemon e 1500m\npod a 2",
		 "p(a)=arm,medium,large {\"cpu\":\"4\",\"pods\":\"3\"}", SHOW_TYPES | SHOW_REQUESTS},
		{"once for a node", "pool p\ndaemon d 500m\npod a 4\npod b 3500m",
		 "p(a b)=large {\"cpu\":\"8\",\"pods\":\"3\"}", SHOW_TYPES | SHOW_REQUESTS},
		{"a resource that no pod asks for", "pool p\ndaemon d 100m/5Gi\npod a 1",
		 "p(a)=arm,medium,large", SHOW_TYPES},
		{"a pod each", "pool p\ndaemon d 0" TEN("100m"), "p(a b c d e f g h i) p(j)", 0},
		{"by type", "pool p\ndaemon d 500m | " ONLY(ARCH, "arm64") "\npod a 4",
		 "p(a)=medium,large {\"cpu\":\"4\",\"pods\":\"1\"}", SHOW_TYPES | SHOW_REQUESTS},
		{"by a required term",
		 "pool p\ndaemon d 500m | " MUST(TERM(REQ(TYPE, "NotIn", "large"))) "\npod a 4",
		 "p(a)=large {\"cpu\":\"4\",\"pods\":\"1\"}", SHOW_TYPES | SHOW_REQUESTS},
		{"by NodePool",
		 "pool p | " TAINTS("NoSchedule") " | weight: 1\npool q\ndaemon d 500m\npod a 2 | "
						  "tolerations: [{operator: Exists}]",
		 "p(a)=small,arm,medium,large", SHOW_TYPES},
		{"... that it tolerates",
		 "pool p | " TAINTS(
			 "NoSchedule") "\ndaemon d 500m | tolerations: [{operator: Exists}]\npod a 2 "
				       "| tolerations: [{operator: Exists}]",
		 "p(a)=arm,medium,large", SHOW_TYPES},
		{"... that would rather not have it",
		 "pool p | " TAINTS("PreferNoSchedule") "\ndaemon d 500m\npod a 2", "p(a)=arm,medium,large",
		 SHOW_TYPES},
		{"... with taints of the start only",
		 "pool p | startupTaints: [{key: k, effect: NoSchedule}]\ndaemon d 500m\npod a 2",
		 "p(a)=arm,medium,large", SHOW_TYPES},
		{"a label that the NodePool does not give",
		 "pool p\ndaemon d 500m | " ONLY("team", "a") "\npod a 2", "p(a)=small,arm,medium,large",
		 SHOW_TYPES},
		{"... and does",
		 "pool p ||| labels: {team: a}\ndaemon d 500m | " ONLY("team", "a") "\npod a 2",
		 "p(a)=arm,medium,large", SHOW_TYPES},
		{"a zone that the node may have", "pool p\ndaemon d 500m | " ONLY(ZONE, "z2") "\npod a 2",
		 "p(a)=arm,medium,large", SHOW_TYPES},
		/* small is looked at first, and loses the term of arm for good. */
		{"alternatives get lost on the way",
		 "pool p\ndaemon d 500m | " MUST(
			 TERM(REQ(ARCH, "In", "arm64")) ", " TERM(REQ(ARCH, "In", "amd64"))) "\npod a 4",
		 "p(a)=arm,large", SHOW_TYPES},
		{"... the last one stays",
		 "pool p\ndaemon d 500m | " MUST(
			 TERM(REQ(ARCH, "In", "amd64")) ", " TERM(REQ(ARCH, "In", "arm64"))) "\npod a 4",
		 "p(a)=large", SHOW_TYPES},
		{"limits are requests where there are none",
		 "pool p\ndaemon d - || resources: {limits: {cpu: 500m}}\npod a 2", "p(a)=arm,medium,large",
		 SHOW_TYPES},
		/* As the newest pod is now, not the template. */
		{"a pod of the DaemonSet tells",
		 "pool p\nnode n p small z1 spot 2\nrun r 1 n\ndaemon d 500m\ndaemonpod x d 1 n || "
		 "creationTimestamp: '2025-01-02T00:00:00Z'\npod a 3500m",
		 "p(a)=large", SHOW_TYPES},
		{"... the newest of them",
		 "pool p\nnode n p small z1 spot 4\ndaemon d 500m\ndaemonpod x d 1 n || creationTimestamp: "
		 "'2025-01-02T00:00:00Z'\ndaemonpod y d 3 n || creationTimestamp: "
		 "'2025-01-01T00:00:00Z'\npod a 3",
		 "p(a)=arm,medium,large", SHOW_TYPES},
		{"... with the terms of the template",
		 "pool p\nnode n p small z1 spot 2\ndaemon d 1 | " MUST(
			 TERM(REQ(ARCH, "In", "arm64"))) "\ndaemonpod x d 1 n\nrun r 1 n\npod a 4",
		 "p(a)=medium,large", SHOW_TYPES},
	};

	check_plans(rows, N(rows));
}

/* A8.6: what a node keeps for DaemonSets whose pods are not there yet. */
Test(requests, daemons_to_come)
{
	static const struct plan_row rows[] = {
		{"room is kept", "pool p\nnode n p small z1 spot 2\ndaemon d 500m\npod a 2", "p(a)", 0},
		{"and no more", "pool p\nnode n p small z1 spot 2\ndaemon d 500m\npod a 1500m", "n(a)", 0},
		{"its pod is there",
		 "pool p\nnode n p small z1 spot 2\ndaemon d 500m\ndaemonpod x d 500m n\npod a 1500m", "n(a)",
		 0},
		/* 500m are to come, 1 is there: nothing is given back. */
		{"a larger one is there",
		 "pool p\nnode n p small z1 spot 2\nnode m p small z1 spot 1\nrun r 500m m\ndaemon d "
		 "500m\ndaemonpod x d 1 n || creationTimestamp: '2025-01-01T00:00:00Z'\ndaemonpod y d 500m m "
		 "|| creationTimestamp: '2025-01-02T00:00:00Z'\npod a 1500m",
		 "p(a)", 0},
		/* Of the sum: what one has too much the other lacks. */
		{"one there counts for another",
		 "pool p\nnode n p small z1 spot 2\nnode m p small z1 spot 1\nrun r 500m m\ndaemon d "
		 "500m\ndaemon e 500m\ndaemonpod x d 1 n || creationTimestamp: "
		 "'2025-01-01T00:00:00Z'\ndaemonpod y d 500m m || creationTimestamp: "
		 "'2025-01-02T00:00:00Z'\npod a 1",
		 "n(a)", 0},
		{"a label that the node lacks",
		 "pool p\nnode n p small z1 spot 2\ndaemon d 500m | " ONLY("team", "a") "\npod a 2", "n(a)",
		 0},
		{"one that it has",
		 "pool p\nnode n p small z1 spot 2 | team: a\ndaemon d 500m | " ONLY("team", "a") "\npod a 2",
		 "p(a)", 0},
		{"a taint of the node",
		 "pool p\nnode n p small z1 spot 2 |||||| " TAINTS(
			 "NoSchedule") "\ndaemon d 500m\npod a 2 | "
				       "tolerations: [{operator: Exists}]",
		 "n(a)", 0},
		{"a well-known label that the node lacks",
		 "pool p\n{apiVersion: v1, kind: Node, metadata: {name: f}, spec: {providerID: 'p://f'}, "
		 "status: "
		 "{allocatable: {cpu: 2, pods: 10}}}\ndaemon d 500m | " ONLY(ARCH, "amd64") "\npod a 2",
		 "f(a)", 0},
		{"zones are the node's own here",
		 "pool p\nnode n p small z1 spot 2\ndaemon d 500m | " ONLY(ZONE, "z2") "\npod a 2", "n(a)",
		 0},
	};

	check_plans(rows, N(rows));
}
