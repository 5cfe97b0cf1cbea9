#include <criterion/criterion.h>

#include "stage.h"
#include "trail.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

#define TAINT(key, effect) "taints: [{key: " key ", effect: " effect "}]"
#define STARTUP(key) "startupTaints: [{key: " key ", effect: NoSchedule}]"
#define GIVES(n) "capacity: {example.com/x: '" n "'}, allocatable: {example.com/x: '" n "'}"
#define WANTS_X "\npod a - ||| resources: {requests: {example.com/x: '1'}}"
#define LABELS                                                                              \
	"karpenter.sh/nodepool: p, node.kubernetes.io/instance-type: small, " ZONE ": z1, " \
	"karpenter.sh/capacity-type: spot, kubernetes.io/arch: amd64, kubernetes.io/os: linux"
/* A NodeClaim whose Node is not there yet. */
#define CLAIM_OF(name, spec, meta, conditions)                                                             \
	"\n{apiVersion: karpenter.sh/v1, kind: NodeClaim, metadata: {name: " name ", labels: {" LABELS     \
	"}" meta "}, spec: {nodeClassRef: {group: g.io, kind: Class, name: c}, requirements: []" spec      \
	"}, status: {providerID: 'p://" name "', capacity: {cpu: 2, memory: 4Gi, pods: 10}, allocatable: " \
	"{cpu: 2, memory: 4Gi, pods: 10}, conditions: [{type: Launched, status: 'True', "                  \
	"lastTransitionTime: "                                                                             \
	"'2025-12-31T00:01:00Z'}" conditions "]}}"
#define ON_ITS_WAY(name, spec, meta) CLAIM_OF(name, spec, meta, "")
#define FOREIGN(name, meta, spec)                                                  \
	"\n{apiVersion: v1, kind: Node, metadata: {name: " name ", labels: {" ZONE \
	": z1, kubernetes.io/os: "                                                 \
	"linux}" meta "}, spec: {providerID: 'p://" name "'" spec                  \
	"}, status: {allocatable: {cpu: 2, memory: 4Gi, pods: 10}}}"

/* A5.2, A8.1-A8.4: nodes that start, and nodes that go. */
Test(nodes, life)
{
	static const struct plan_row rows[] = {
		{"initialized ones first",
		 "pool p\nnode n1 p small z1 spot 2 new\nnode n2 p small z1 spot 2\npod a 1", "n2(a)", 0},
		{"... by name",
		 "pool p\nnode n1 p small z1 spot 1 new\nnode n3 p small z1 spot 1\nnode n2 p small z1 spot "
		 "1\npod a 1\npod b 1\npod c 1",
		 "n1(c) n2(a) n3(b)", 0},
		{"what a starting node does not tell, its NodeClaim does",
		 "pool p\nnode n1 p small z1 spot 2 new |||| " GIVES("1") WANTS_X, "n1(a)", 0},
		{"... once it has started, the node alone does",
		 "pool p\nnode n1 p small z1 spot 2 |||| " GIVES("1") WANTS_X, "!a", 0},
		{"... what it tells counts",
		 "pool p\nnode n1 p small z1 spot 2 new |||| capacity: {cpu: 9}, "
		 "allocatable: {cpu: 9}\npod a 3",
		 "p(a)", 0},
		{"a NodeClaim whose Node is not there", "pool p" ON_ITS_WAY("c", "", "") "\npod a 1", "c(a)",
		 0},
		{"... too small", "pool p" ON_ITS_WAY("c", "", "") "\npod a 3", "p(a)", 0},
		{"... counts against the limits",
		 "pool p || limits: {cpu: 4}" ON_ITS_WAY("c", "", "") "\npod a 3", "!a", 0},
		{"... its labels",
		 "pool p" ON_ITS_WAY("c", "", "") "\npod a 1 | nodeSelector: {" ZONE ": z2}", "p(a)", 0},
		{"... its taints", "pool p" ON_ITS_WAY("c", ", " TAINT("k", "NoSchedule"), "") "\npod a 1",
		 "p(a)", 0},
		{"... not those of the start", "pool p" ON_ITS_WAY("c", ", " STARTUP("k"), "") "\npod a 1",
		 "c(a)", 0},
		{"... on its way out", "pool p" ON_ITS_WAY("c", "", ", " DELETED) "\npod a 1", "p(a)", 0},
		{"... whose instance is going",
		 "pool p" CLAIM_OF("c", "", "",
				   ", {type: InstanceTerminating, status: 'True', lastTransitionTime: "
				   "'2025-12-31T00:01:00Z'}") "\npod a 1",
		 "p(a)", 0},
		{"a node that is not registered has its NodeClaim's taints",
		 "pool p\nnode n1 p small z1 spot 2 unregistered ||| " TAINT("k", "NoSchedule") "\npod a 1",
		 "p(a)", 0},
		{"... and not its own",
		 "pool p\nnode n1 p small z1 spot 2 unregistered |||||| " TAINT("k",
										"NoSchedule") "\npod a 1",
		 "n1(a)", 0},
		{"one that is, its own",
		 "pool p\nnode n1 p small z1 spot 2 new |||||| " TAINT("k", "NoSchedule") "\npod a 1", "p(a)",
		 0},
		{"taints that pass: key and effect",
		 "pool p\nnode n1 p small z1 spot 2 new |||||| " TAINT("karpenter.sh/unregistered",
								       "NoExecute") "\npod a 1",
		 "n1(a)", 0},
		{"... another effect",
		 "pool p\nnode n1 p small z1 spot 2 new |||||| " TAINT("karpenter.sh/unregistered",
								       "NoSchedule") "\npod a 1",
		 "p(a)", 0},
		{"... of a cloud provider",
		 "pool p\nnode n1 p small z1 spot 2 new |||||| " TAINT(
			 "node.cloudprovider.kubernetes.io/uninitialized", "NoSchedule") "\npod a 1",
		 "n1(a)", 0},
		{"... unreachable is to be scheduled on, not to stay on",
		 "pool p\nnode n1 p small z1 spot 2 new |||||| " TAINT("node.kubernetes.io/unreachable",
								       "NoExecute") "\npod a 1",
		 "p(a)", 0},
		{"a node of somebody else", "pool p" FOREIGN("f", "", "") "\npod a 1", "f(a)", 0},
		{"... its taints never pass",
		 "pool p" FOREIGN("f", "",
				  ", " TAINT("node.kubernetes.io/not-ready", "NoSchedule")) "\npod a 1",
		 "p(a)", 0},
		{"... it does not count against limits",
		 "pool p || limits: {cpu: 2}" FOREIGN("f", "", "") "\npod a 2\npod b 2", "p(b) f(a)", 0},
		{"... lacks a label, and a well-known one is no other",
		 "pool p" FOREIGN("f", "", "") "\npod a 1 | nodeSelector: {kubernetes.io/arch: amd64}",
		 "p(a)", 0},
		{"... on its way out", "pool p" FOREIGN("f", ", " DELETED, "") "\npod a 1", "p(a)", 0},
		{"pods of two nodes that go",
		 "pool p\nnode n1 p small z1 spot 2 || " DELETED
		 "\nrun a 1 n1\nnode n2 p small z1 spot 2 || " DELETED "\nrun b 1 n2",
		 "p(a b)", 0},
		{"... but not DaemonSets'",
		 "pool p\nnode n1 p small z1 spot 2 || " DELETED
		 "\nrun a 1 n1\ndaemon d 500m\ndaemonpod x d 500m n1",
		 "p(a)", 0},
		{"... nor what is held",
		 "pool p\nnode n1 p small z1 spot 2 || " DELETED
		 "\nrun a 1 n1\nrun b 1 n1 || annotations: {karpenter.sh/do-not-disrupt: 'true'}",
		 "p(a)", 0},
		{"a node without room", "pool p\nnode n1 p small z1 spot 2\nrun r 2 n1\npod a 1", "p(a)", 0},
	};

	check_plans(rows, N(rows));
}

/* "CODE COUNT NEAREST: message", joined by "; ", of the nodes that do not take pod a. */
static const char *told(struct stage *s)
{
	struct snapshot *snap = snapshot_new(&s->arena, s->c, s->types, FOR_PROVISIONING);
	const struct pod_trail *t = NULL;
	struct buf b;
	const char *text;

	for (uint32_t i = 0; i < s->c->pods.n; i++)
		if (str_is(intern_str(s->c->in, s->c->pods.v[i].meta.name), "a"))
			t = trail_of_pod(&s->arena, snap, i);
	cr_assert(t);
	buf_init(&b);
	for (uint32_t i = 0; i < t->nnodes; i++)
		buf_addf(&b, "%s%s %u %s: %s", i ? "; " : "", why_info(t->nodes[i].code)->name,
			 t->nodes[i].count, intern_c(s->c->in, t->nodes[i].nearest), t->nodes[i].message);
	text = arena_strndup(&s->arena, buf_cstr(&b), b.n);
	buf_release(&b);
	return text;
}

#define CLAIM(name)                                                                                \
	"\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: " name ", annotations: " \
	"{pv.kubernetes.io/bind-completed: 'yes'}}, spec: {volumeName: v-" name "}, status: {phase: Bound}}"
#define VOLUME(name)                                                                                        \
	"\n{apiVersion: v1, kind: PersistentVolume, metadata: {name: v-" name "}, spec: {csi: {driver: d, " \
	"volumeHandle: h}}}" CLAIM(name)
#define USES(name) "volumes: [{name: v, persistentVolumeClaim: {claimName: " name "}}]"
#define ATTACHES(node, n)                                                         \
	"\n{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: " node \
	"}, spec: {drivers: [{name: "                                             \
	"d, nodeID: i, allocatable: {count: " n "}}]}}"

/* Why nodes do not take a pod: A5.4, A7.4, A7.5, A8.1, A8.8. */
Test(nodes, why)
{
	static const struct {
		const char *text, *want;
	} row[] = {
		{"pool p\nnode n1 p large z1 spot 8\nrun r 1 n1 | " USES("c") VOLUME("c") VOLUME("e")
			 ATTACHES("n1", "1") "\npod a 1 | " USES("e"),
		 "VolumeLimit 1 n1: no more volumes of d can be attached, its limit is 1"},
		{"pool p\nnode n1 p large z1 spot 8\nnode n2 p large z1 spot 8 || " DELETED
		 "\nrun a 1 n2 | " USES("c") CLAIM("c"),
		 "VolumeUnreadable 1 n1: a volume of the pod cannot be read; NodeDeleting 1 n2: the node is "
		 "being "
		 "deleted"},
		{"pool p\nnode n1 p large z1 spot 8 || " DELETED "\nnode n2 p large z1 spot 8 || " DELETED
		 "\npod a 1",
		 "NodeDeleting 2 n1: the node is being deleted"},
		{"pool p\nnode n1 p small z1 spot 1\nrun r 2 n1\nnode n2 p small z1 spot 2\nrun s 1500m "
		 "n2\nnode n3 p small z1 spot 2\nrun t 1750m n3\npod a 1",
		 "InsufficientResource 2 n2: 1 cpu requested, 0.5 left: 0.5 short; NodeOvercommitted 1 n1: "
		 "more is "
		 "promised than the node has"},
	};

	for (size_t i = 0; i < N(row); i++) {
		struct stage s;
		const char *got;

		stage_init(&s, row[i].text);
		got = told(&s);
		cr_expect_str_eq(got, row[i].want, "row %zu:\n  got  %s\n  want %s", i, got, row[i].want);
		stage_release(&s);
	}
}
