#include <criterion/criterion.h>

#include "stage.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

#define TERM(expr) "{matchExpressions: [" expr "]}"
#define PV_OF(name, source, terms)                                                              \
	"\n{apiVersion: v1, kind: PersistentVolume, metadata: {name: " name "}, spec: {" source \
	", nodeAffinity: {required: {nodeSelectorTerms: [" terms "]}}}}"
#define CSI(driver) "csi: {driver: " driver ", volumeHandle: h}"
#define LOCAL "local: {path: /d}"
#define PV(name, terms) PV_OF(name, CSI("d"), terms)
#define PVC_OF(name, meta, spec, status)                                                                     \
	"\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: " name ", " meta "}, spec: {" spec \
	"}, status: {" status "}}"
#define COMPLETED "annotations: {pv.kubernetes.io/bind-completed: 'yes'}"
#define BOUND(name, volume) PVC_OF(name, COMPLETED, "volumeName: " volume, "phase: Bound")
#define WAITING(name, class) PVC_OF(name, "", "storageClassName: " class, "phase: Pending")
#define CLASS_OF(name, mode, terms)                                                    \
	"\n{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: " name \
	"}, provisioner: d, volumeBindingMode: " mode ", allowedTopologies: [" terms "]}"
#define CLASS(name, terms) CLASS_OF(name, "WaitForFirstConsumer", terms)
#define TOPOLOGY(zones) "{matchLabelExpressions: [{key: " ZONE ", values: [" zones "]}]}"
#define USES(claim) "{name: " claim ", persistentVolumeClaim: {claimName: " claim "}}"
#define VOLUMES(list) "volumes: [" list "]"
#define POD(name, claim) "\npod " name " 1 | " VOLUMES(USES(claim))
#define IN_ZONE(zone) "nodeSelector: {" ZONE ": " zone "}"

/* A10.1, A14.1, A14.2: where the volumes of a pod let it be. */
Test(volume, topology)
{
	static const struct plan_row rows[] = {
		{"a bound volume",
		 "pool p" PV("v", TERM(REQ(ZONE, "In", "z2"))) BOUND("c", "v") POD("a", "c"), "p(a)@z2",
		 SHOW_ZONE},
		{"one without affinity", "pool p" PV("v", "") BOUND("c", "v") POD("a", "c"), "p(a)",
		 SHOW_ZONE},
		{"terms are alternatives, the first that works",
		 "pool p" PV("v", TERM(REQ(ZONE, "In", "z2")) ", " TERM(REQ(ZONE, "In", "z1")))
			 BOUND("c", "v") POD("a", "c"),
		 "p(a)@z2", SHOW_ZONE},
		{"... with the pod's own zone",
		 "pool p" PV("v", TERM(REQ(ZONE, "In", "z2")) ", " TERM(REQ(ZONE, "In", "z1")))
			 BOUND("c", "v") POD("a", "c") ", " IN_ZONE("z1"),
		 "p(a)@z1", SHOW_ZONE},
		{"a zone that the pod does not allow",
		 "pool p" PV("v", TERM(REQ(ZONE, "In", "z2"))) BOUND("c", "v")
			 POD("a", "c") ", " IN_ZONE("z1"),
		 "!a: incompatible volume requirements, key topology.kubernetes.io/zone, "
		 "topology.kubernetes.io/zone In [z2] not in topology.kubernetes.io/zone In [z1]",
		 SHOW_ERRORS},
		{"the class of a volume to be made",
		 "pool p" CLASS("s", TOPOLOGY("z3")) WAITING("c", "s") POD("a", "c"), "p(a)@z3", SHOW_ZONE},
		{"... with two zones",
		 "pool p" CLASS("s", TOPOLOGY("z2, z3")) WAITING("c", "s") POD("a", "c"), "p(a)@z2,z3",
		 SHOW_ZONE},
		{"... and two terms",
		 "pool p" CLASS("s", TOPOLOGY("z3") ", " TOPOLOGY("z1")) WAITING("c", "s") POD("a", "c"),
		 "p(a)@z3", SHOW_ZONE},
		{"... without any", "pool p" CLASS("s", "") WAITING("c", "s") POD("a", "c"), "p(a)",
		 SHOW_ZONE},
		{"an empty term is skipped",
		 "pool p" PV("v", TERM("") ", " TERM(REQ(ZONE, "In", "z2"))) BOUND("c", "v") POD("a", "c"),
		 "p(a)@z2", SHOW_ZONE},
		{"two volumes meet in one zone",
		 "pool p" CLASS("s", TOPOLOGY("z1") ", " TOPOLOGY("z2")) WAITING("c", "s")
			 PV("v", TERM(REQ(ZONE, "In", "z2")))
				 BOUND("e", "v") "\npod a 1 | " VOLUMES(USES("c") ", " USES("e")),
		 "p(a)@z2", SHOW_ZONE},
		{"two that do not meet",
		 "pool p" PV("v", TERM(REQ(ZONE, "In", "z1"))) BOUND("c", "v")
			 PV("w", TERM(REQ(ZONE, "In", "z2")))
				 BOUND("e", "w") "\npod a 1 | " VOLUMES(USES("c") ", " USES("e")),
		 "!a", 0},
		{"two that meet in one way only",
		 "pool p" CLASS("s", TOPOLOGY("z2") ", " TOPOLOGY("z1")) WAITING("c", "s")
			 PV("v", TERM(REQ(ZONE, "In", "z2"))) BOUND("e", "v") "\npod a 1 | " VOLUMES(
				 USES("c") ", " USES("e")) ", " IN_ZONE("z3"),
		 "!a: incompatible volume requirements, key topology.kubernetes.io/zone, "
		 "topology.kubernetes.io/zone In [z2] not in topology.kubernetes.io/zone In [z3]",
		 SHOW_ERRORS},
		/* The left volume's alternatives are outermost. */
		{"two volumes of two zones each",
		 "pool p" CLASS("s", TOPOLOGY("z3") ", " TOPOLOGY("z1"))
			 CLASS("t", TOPOLOGY("z1") ", " TOPOLOGY("z3")) WAITING("c", "s")
				 WAITING("e", "t") "\npod a 1 | " VOLUMES(USES("c") ", " USES("e")),
		 "p(a)@z3", SHOW_ZONE},
		{"the host of a local volume goes with its node",
		 "pool p" PV_OF("v", LOCAL, TERM(REQ(HOST, "In", "n9"))) BOUND("c", "v") POD("a", "c"),
		 "p(a)", SHOW_ZONE},
		{"... its zone does not",
		 "pool p" PV_OF("v", LOCAL, TERM(REQ(HOST, "In", "n9") ", " REQ(ZONE, "In", "z2")))
			 BOUND("c", "v") POD("a", "c"),
		 "p(a)@z2", SHOW_ZONE},
		{"... a term of the host alone allows all",
		 "pool p" PV_OF("v", LOCAL, TERM(REQ(HOST, "In", "n9")) ", " TERM(REQ(ZONE, "In", "z2")))
			 BOUND("c", "v") POD("a", "c"),
		 "p(a)", SHOW_ZONE},
		{"the host of another volume binds",
		 "pool p" PV("v", TERM(REQ(HOST, "In", "n9"))) BOUND("c", "v") POD("a", "c"), "!a", 0},
		{"an ephemeral volume goes by the pod's name",
		 "pool p" PV("v", TERM(REQ(ZONE, "In", "z2"))) BOUND("a-tmp", "v") "\npod a 1 | " VOLUMES(
			 "{name: tmp, ephemeral: {volumeClaimTemplate: {spec: {}}}}"),
		 "p(a)@z2", SHOW_ZONE},
		{"claims of another namespace are others",
		 "pool p" PV("v", TERM(REQ(ZONE, "In", "z2"))) PVC_OF(
			 "c", COMPLETED ", namespace: o", "volumeName: v", "phase: Bound") POD("a", "c"),
		 "!a", 0},
		/* Volumes bind the node and not the pod, so all zones count for the spread (A14.3). */
		{"a volume in the zone that is full",
		 "pool p\nnode n1 p small z2 spot 1\nrun r 1 n1 || labels: {app: x}" PV(
			 "v", TERM(REQ(ZONE, "In", "z2"))) BOUND("c", "v")
			 POD("a", "c") ", topologySpreadConstraints: [{topologyKey: " ZONE
				       ", maxSkew: 1, whenUnsatisfiable: DoNotSchedule, "
				       "labelSelector: {matchLabels: {app: x}}}] | labels: "
				       "{app: x}",
		 "!a", 0},
		{"a node that has no zone",
		 "pool p\n{apiVersion: v1, kind: Node, metadata: {name: f}, spec: {providerID: 'p://f'}, "
		 "status: "
		 "{allocatable: {cpu: 8, pods: 10}}}" PV("v", TERM(REQ(ZONE, "In", "z2"))) BOUND("c", "v")
			 POD("a", "c"),
		 "p(a)@z2", SHOW_ZONE},
		{"a node in the zone, and one elsewhere",
		 "pool p\nnode n1 p small z1 spot 2\nnode n2 p small z2 spot 2" PV(
			 "v", TERM(REQ(ZONE, "In", "z2"))) BOUND("c", "v") POD("a", "c"),
		 "n2(a)", 0},
	};

	check_plans(rows, N(rows));
}

/* A2.7: claims that keep a pod from being looked at. Texts as public Karpenter has them. */
Test(volume, refused)
{
#define BAD_CLAIM "PersistentVolumeClaim=default/c"
	static const struct plan_row rows[] = {
		{"no claim", "pool p" POD("a", "c"),
		 "!a: ignoring pod, getting persistent volume claim, persistentvolumeclaims \"c\" not found "
		 "(PersistentVolumeClaim=c)",
		 SHOW_ERRORS},
		{"one that is being deleted",
		 "pool p" PVC_OF("c", DELETED, "storageClassName: s", "phase: Pending") CLASS("s", "")
			 POD("a", "c"),
		 "!a: ignoring pod, persistentvolumeclaim is being deleted (" BAD_CLAIM ")", SHOW_ERRORS},
		{"one that has lost its volume",
		 "pool p" PVC_OF("c", COMPLETED, "volumeName: v", "phase: Lost") POD("a", "c"),
		 "!a: ignoring pod, persistentvolumeclaim bound to non-existent persistentvolume "
		 "(PersistentVolume=v, " BAD_CLAIM ")",
		 SHOW_ERRORS},
		{"a volume that is being deleted",
		 "pool p\n{apiVersion: v1, kind: PersistentVolume, metadata: {name: v, " DELETED
		 "}, spec: {" CSI("d") "}}" BOUND("c", "v") POD("a", "c"),
		 "!a: ignoring pod, failed to validate pvc, persistentvolume is being deleted "
		 "(PersistentVolume=v, " BAD_CLAIM ", StorageClass=)",
		 SHOW_ERRORS},
		{"bound, but not completely",
		 "pool p" PV("v", "") PVC_OF("c", "", "volumeName: v", "phase: Bound") POD("a", "c"),
		 "!a: ignoring pod, pvc is considered unbound because it does not contain annotation "
		 "(PersistentVolume=v, PersistentVolumeClaim=c, "
		 "annotation=pv.kubernetes.io/bind-completed)",
		 SHOW_ERRORS},
		{"unbound, without a class",
		 "pool p" PVC_OF("c", "", "storageClassName: ''", "phase: Pending") POD("a", "c"),
		 "!a: ignoring pod, unbound pvc must define a storage class (" BAD_CLAIM ", StorageClass=)",
		 SHOW_ERRORS},
		{"a class that binds at once, and has not",
		 "pool p" CLASS_OF("s", "Immediate", "") WAITING("c", "s") POD("a", "c"),
		 "!a: ignoring pod, failed to validate pvc, pvc with immediate volume binding mode must be "
		 "bound (" BAD_CLAIM ", StorageClass=s)",
		 SHOW_ERRORS},
		{"... and has",
		 "pool p" CLASS_OF("s", "Immediate", "") PV("v", "") PVC_OF(
			 "c", COMPLETED, "volumeName: v, storageClassName: s", "phase: Bound") POD("a", "c"),
		 "p(a)", SHOW_ERRORS},
	};

	check_plans(rows, N(rows));
}

#define CSI_NODE(driver, count)                                                                    \
	"\n{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: 'n'}, spec: {drivers: " \
	"[{name: " driver ", nodeID: i, allocatable: {count: " count "}}]}}"
#define TWO PV("v", "") BOUND("c", "v") PV("w", "") BOUND("e", "w")
#define ROOMY "pool p\nnode n p large z1 spot 8\nrun r 1 n | " VOLUMES(USES("c"))

/* A7.4: how many volumes a node can attach. */
Test(volume, limits)
{
	static const struct plan_row rows[] = {
		{"one more than the node can", ROOMY TWO CSI_NODE("d", "1") POD("a", "e"), "p(a)", 0},
		{"as many as it can", ROOMY TWO CSI_NODE("d", "2") POD("a", "e"), "n(a)", 0},
		{"those of the run count",
		 ROOMY TWO PV("x", "") BOUND("f", "x") CSI_NODE("d", "2") POD("a", "e") POD("b", "f"),
		 "p(b) n(a)", 0},
		{"a claim that is there already", ROOMY TWO CSI_NODE("d", "1") POD("a", "c"), "n(a)", 0},
		{"a pod without volumes", ROOMY TWO CSI_NODE("d", "1") "\npod a 1", "n(a)", 0},
		{"no limit known", ROOMY TWO POD("a", "e"), "n(a)", 0},
		{"a limit of another driver", ROOMY TWO CSI_NODE("z", "1") POD("a", "e"), "n(a)", 0},
		{"a volume without driver does not count",
		 ROOMY PV("v", "") BOUND("c", "v") PV_OF("w", LOCAL, "") BOUND("e", "w") CSI_NODE("d", "1")
			 POD("a", "e"),
		 "n(a)", 0},
		{"a volume to be made goes by its class",
		 ROOMY PV("v", "") BOUND("c", "v") CLASS("s", "") WAITING("e", "s") CSI_NODE("d", "1")
			 POD("a", "e"),
		 "p(a)", 0},
		{"drivers of old names",
		 ROOMY PV_OF("v", "awsElasticBlockStore: {volumeID: v}", "") BOUND(
			 "c", "v") "\n{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: "
				   "s}, provisioner: kubernetes.io/aws-ebs, volumeBindingMode: "
				   "WaitForFirstConsumer}" WAITING("e", "s") CSI_NODE("ebs.csi.aws.com", "1")
					   POD("a", "e"),
		 "p(a)", 0},
		{"new nodes have no limit", "pool p" TWO POD("a", "c") POD("b", "e"), "p(a b)", 0},
	};

	check_plans(rows, N(rows));
}

#define APP "labels: {app: x}"
#define SPREAD                                                                                               \
	"topologySpreadConstraints: [{topologyKey: " ZONE ", maxSkew: 1, whenUnsatisfiable: DoNotSchedule, " \
	"labelSelector: {matchLabels: {app: x}}}]"

/* A2.10, A5.4: pods of a node that goes are not validated; what cannot be read keeps them off nodes only. */
Test(volume, unreadable)
{
	static const struct plan_row rows[] = {
		{"its volume is there",
		 "pool p\nnode m p large z1 spot 8\nnode n p large z1 spot 8 || " DELETED
		 "\nrun a 1 n | " VOLUMES(USES("c")) PV("v", "") BOUND("c", "v"),
		 "m(a)", 0},
		{"its volume is gone",
		 "pool p\nnode m p large z1 spot 8\nnode n p large z1 spot 8 || " DELETED
		 "\nrun a 1 n | " VOLUMES(USES("c")) BOUND("c", "v"),
		 "p(a)", SHOW_ZONE},
		/* Left out of the preparation: it still counts in z1, and its own spread does not hold it. */
		{"a spread, and its volume is there",
		 "pool p\nnode n p large z1 spot 8 || " DELETED
		 "\nrun a 1 n | " VOLUMES(USES("c")) ", " SPREAD " | " APP "\npod b 1 | " SPREAD
						     " | " APP PV("v", "") BOUND("c", "v"),
		 "p(a)@z1 p(b)@z2", SHOW_ZONE},
		{"a spread, and its volume is gone",
		 "pool p\nnode n p large z1 spot 8 || " DELETED "\nrun a 1 n | " VOLUMES(
			 USES("c")) ", " SPREAD " | " APP "\npod b 1 | " SPREAD " | " APP BOUND("c", "v"),
		 "p(a b)@z2", SHOW_ZONE},
	};

	check_plans(rows, N(rows));
}
