#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "load_fixture.h"
#include "provision.h"

/*
 * A small world: two zones; `small` (amd64) on Spot and on demand in z1, `large` (arm64) on Spot in z2,
 * `rare` (amd64) on demand in z2, its Spot capacity in z1 gone.
 */
#define OFFER(capacity, zone, more)                                                                 \
	"{requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [" capacity "]}, " \
	"{key: topology.kubernetes.io/zone, operator: In, values: [" zone "]}], price: 0.1, " more "}"
#define TYPE(name, arch, cpu, memory, offers)                                                           \
	"{name: " name ", requirements: [{key: kubernetes.io/arch, operator: In, values: [" arch "]}, " \
	"{key: kubernetes.io/os, operator: In, values: [linux]}, "                                      \
	"{key: node.kubernetes.io/instance-type, operator: In, values: [" name "]}], "                  \
	"capacity: {cpu: '" cpu "', memory: " memory                                                    \
	", pods: '10'}, overhead: {kubeReserved: {cpu: 100m}}, "                                        \
	"offerings: [" offers "]}"
#define WORLD                                                                                                               \
	"{apiVersion: kspot.dev/v1, kind: Settings, spec: {now: '2026-01-19T12:00:00Z'}}\n"                                 \
	"---\n"                                                                                                             \
	"{apiVersion: kspot.dev/v1, kind: InstanceTypeSet, spec: {instanceTypes: [" TYPE(                                   \
		"small", "amd64", "2", "4Gi",                                                                               \
		OFFER("spot", "z1", "available: true") ", " OFFER(                                                          \
			"on-demand", "z1",                                                                                  \
			"available: true")) ", " TYPE("large", "arm64", "8", "32Gi",                                        \
						      OFFER("spot", "z2",                                                   \
							    "available: true")) ", " TYPE("rare", "amd64",                  \
											  "4", "8Gi",                       \
											  OFFER("on-demand",                \
												"z2",                       \
												"available:"                \
												" true") ","                \
													 " " OFFER(         \
														 "spot",    \
														 "z1",      \
														 "availabl" \
														 "e: "      \
														 "false")) "]}}\n"

#define POOL_OF(name, meta, spec, template)                                                                \
	"---\n{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: " name meta "}, spec: {" spec \
	"template: {" template "}}}\n"
#define CLASS "expireAfter: Never, nodeClassRef: {group: g.io, kind: AnyClass, name: any}, "
#define POOL(name, reqs) POOL_OF(name, "", "", "spec: {" CLASS "requirements: [" reqs "]}")
#define TAINTED(name, taint, reqs) \
	POOL_OF(name, "", "", "spec: {" CLASS "taints: [" taint "], requirements: [" reqs "]}")
#define LABELLED(name, labels) \
	POOL_OF(name, "", "", "metadata: {labels: {" labels "}}, spec: {" CLASS "requirements: []}")
#define LIMITED(name, limits, reqs) \
	POOL_OF(name, "", "limits: {" limits "}, ", "spec: {" CLASS "requirements: [" reqs "]}")
#define IN(key, values) "{key: " key ", operator: In, values: [" values "]}"
#define ZONE(values) IN("topology.kubernetes.io/zone", values)
#define SPOT IN("karpenter.sh/capacity-type", "spot")
#define MIN(n) "{key: node.kubernetes.io/instance-type, operator: Exists, minValues: " n "}"

#define POD_OF(name, labels, spec, container)                                                             \
	"---\n{apiVersion: v1, kind: Pod, metadata: {name: " name ", labels: {" labels "}}, spec: {" spec \
	"containers: [{name: c, image: i, " container "}]}}\n"
#define POD(spec, requests) POD_OF("pod", "app: web", spec, "resources: {requests: {" requests "}}")
#define SELECT(labels) "nodeSelector: {" labels "}, "
#define TERM(exprs) "{matchExpressions: [" exprs "]}"
#define REQUIRED(terms)                                                                                  \
	"affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: " \
	"[" terms "]}}}, "
#define NEAR(kind, key, labels)                                                                     \
	"affinity: {" kind ": {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: " key \
	", labelSelector: {matchLabels: {" labels "}}}]}}, "
#define SPREAD(skew) SPREAD_OF(skew, "")
#define SPREAD_OF(skew, more)                                                                                \
	"topologySpreadConstraints: [{maxSkew: " skew ", " more "topologyKey: topology.kubernetes.io/zone, " \
	"whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}], "
#define WEB(name, spec) POD_OF(name, "app: web", spec, "resources: {}")
#define FIVE(spec) WEB("a", spec) WEB("b", spec) WEB("c", spec) WEB("d", spec) WEB("e", spec)
#define BOTH ZONE("z1, z2")
#define APART_Z NEAR("podAntiAffinity", "topology.kubernetes.io/zone", "app: web")
#define CLAIMED(zone)                                                                                    \
	"---\n{apiVersion: v1, kind: PersistentVolume, metadata: {name: pv}, spec: {csi: {driver: d, "   \
	"volumeHandle: h}, "                                                                             \
	"claimRef: {namespace: default, name: data}, capacity: {storage: 1Gi}, accessModes: "            \
	"[ReadWriteOnce], "                                                                              \
	"nodeAffinity: {required: {nodeSelectorTerms: [" TERM(                                           \
		ZONE(zone)) "]}}}}\n"                                                                    \
			    "---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, " \
			    "namespace: default, annotations: "                                          \
			    "{pv.kubernetes.io/bind-completed: 'yes'}}, spec: {volumeName: pv, "         \
			    "accessModes: [ReadWriteOnce], "                                             \
			    "resources: {requests: {storage: 1Gi}}}, status: {phase: Bound}}\n"
#define VOLUME "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}], "
#define DAEMON(container)                                                                                   \
	"---\n{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: ds}, spec: {selector: {matchLabels: " \
	"{a: b}}, "                                                                                         \
	"template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i, " container         \
	"}]}}}}\n"

static struct plan *plan_of(struct loaded *t, const char *text)
{
	const struct itype_list **types;

	loaded_init(t, text, NULL);
	cr_assert(t->c, "%s", loaded_messages(t));
	types = ARENA_ARRAY(&t->arena, const struct itype_list *, t->c->pools.n + 1);
	for (uint32_t i = 0; i < t->c->pools.n; i++)
		types[i] = &t->c->type_sets.v[0].types;
	return provision(&t->arena, snapshot_new(&t->arena, t->c, types, FOR_PROVISIONING));
}

/* "POOL CODE: message => enough", obstacles joined by " + ", NodePools by newlines. */
static const char *told(struct loaded *t, const struct pod_why *why)
{
	struct buf b;
	const char *text;

	buf_init(&b);
	for (uint32_t i = 0; why && i < why->n; i++) {
		const struct why_pool *p = &why->pool[i];

		buf_addf(&b, "%s%s", i ? "\n" : "", intern_c(t->c->in, p->pool->meta.name));
		for (uint32_t k = 0; k < p->n; k++)
			buf_addf(&b, "%s %s: %s => %s", k ? " +" : "", why_info(p->v[k].code)->name,
				 p->v[k].message, p->v[k].enough ? p->v[k].enough : "-");
	}
	text = arena_strndup(&t->arena, buf_cstr(&b), b.n);
	buf_release(&b);
	return text;
}

struct row {
	const char *text;
	const char *want;
	const char *fixed; /* the same with what is told to be enough; NULL: nothing is */
};

static void check(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct loaded t;
		struct plan *p = plan_of(&t, rows[i].text);
		const char *got = p->nerror ? told(&t, p->error[p->nerror - 1].why) : "placed";

		cr_expect_str_eq(got, rows[i].want, "row %zu:\n  got  %s\n  want %s", i, got, rows[i].want);
		loaded_release(&t);
		if (!rows[i].fixed)
			continue;
		p = plan_of(&t, rows[i].fixed);
		cr_expect_eq(p->nerror, 0, "row %zu, fixed: %s", i, p->nerror ? p->error[0].message : "");
		loaded_release(&t);
	}
}

#define N(rows) (sizeof(rows) / sizeof((rows)[0]))

/* NodePools that make no node for any pod. */
Test(why, idle)
{
	static const struct row rows[] = {
		{WORLD POOL_OF("p", "", "replicas: 1, ", "spec: {" CLASS "requirements: []}")
			 POD("", "cpu: '1'"),
		 "p StaticNodePool: a NodePool with replicas makes no nodes for pods => -", NULL},
		{WORLD POOL_OF("p", ", deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [x]", "",
			       "spec: {" CLASS "requirements: []}") POD("", "cpu: '1'"),
		 "p NodePoolDeleting: the NodePool is being deleted => -", NULL},
		{WORLD
		 "---\n{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: p}, spec: {template: "
		 "{spec: {" CLASS "requirements: []}}}, status: {conditions: [{type: Ready, status: 'False', "
		 "reason: R, message: no class, lastTransitionTime: '2026-01-01T00:00:00Z'}]}}\n" POD(
			 "", "cpu: '1'"),
		 "p NodePoolNotReady: the status of the NodePool is not Ready: no class => -", NULL},
		{WORLD POOL("p", ZONE("z9")) POD("", "cpu: '1'"),
		 "p NodePoolWithoutTypes: the NodePool's own requirements leave no instance type that is "
		 "available => loosen its topology.kubernetes.io/zone",
		 WORLD POOL("p", "") POD("", "cpu: '1'")},
		{WORLD POOL("p", SPOT ", " IN("node.kubernetes.io/instance-type", "rare"))
			 POD("", "cpu: '1'"),
		 "p NodePoolWithoutTypes: all that the NodePool's own requirements leave is unavailable, 1 "
		 "offering => loosen its karpenter.sh/capacity-type, or node.kubernetes.io/instance-type",
		 WORLD POOL("p", SPOT) POD("", "cpu: '1'")},
		{WORLD POOL("p", MIN("9")) POD("", "cpu: '1'"),
		 "p NodePoolMinValues: minValues 9 of node.kubernetes.io/instance-type, 3 are available => "
		 "lower minValues of node.kubernetes.io/instance-type to 3",
		 WORLD POOL("p", MIN("3")) POD("", "cpu: '1'")},
	};

	check(rows, N(rows));
}

Test(why, labels_and_taints)
{
	static const struct row rows[] = {
		{WORLD TAINTED("p", "{key: d, value: x, effect: NoSchedule}", "") POD("", "cpu: '1'"),
		 "p TaintNotTolerated: taint d=x:NoSchedule is not tolerated => tolerate d=x:NoSchedule",
		 WORLD TAINTED("p", "{key: d, value: x, effect: NoSchedule}", "")
			 POD("tolerations: [{key: d, value: x, effect: NoSchedule}], ", "cpu: '1'")},
		{WORLD LABELLED("p", "") POD(SELECT("team: a"), "cpu: '1'"),
		 "p LabelUndefined: the pod needs team In [a], a label that nodes of the NodePool do not get "
		 "=> give the NodePool's template the label team: a",
		 WORLD LABELLED("p", "team: a") POD(SELECT("team: a"), "cpu: '1'")},
		{WORLD POOL("p", ZONE("z1")) POD(SELECT("topology.kubernetes.io/zone: z2"), "cpu: '1'"),
		 "p RequirementConflict: the pod needs topology.kubernetes.io/zone In [z2], the NodePool has "
		 "In [z1] => let the NodePool allow z2, or let the pod have topology.kubernetes.io/zone z1",
		 WORLD POOL("p", ZONE("z1, z2")) POD(SELECT("topology.kubernetes.io/zone: z2"), "cpu: '1'")},
		{WORLD POOL("p", ZONE("z1")) POD(SELECT("topology.kubernetes.io/zone: z9"), "cpu: '1'"),
		 "p RequirementConflict: the pod needs topology.kubernetes.io/zone In [z9], the NodePool has "
		 "In [z1] => let the pod have topology.kubernetes.io/zone z1",
		 WORLD POOL("p", ZONE("z1")) POD(SELECT("topology.kubernetes.io/zone: z1"), "cpu: '1'")},
		{WORLD POOL("p", "") POD(SELECT("karpenter.sh/nodepool: q"), "cpu: '1'"),
		 "p RequirementConflict: the pod needs karpenter.sh/nodepool In [q], the NodePool has In [p] "
		 "=> let the pod have karpenter.sh/nodepool p",
		 WORLD POOL("p", "") POD(SELECT("karpenter.sh/nodepool: p"), "cpu: '1'")},
		{WORLD POOL("p", "") POD(SELECT("kubernetes.io/arch: s390x"), "cpu: '1'"),
		 "p InstanceTypeRequirement: no instance type of the NodePool has kubernetes.io/arch In "
		 "[s390x] => ask for amd64 or arm64",
		 WORLD POOL("p", "") POD(SELECT("kubernetes.io/arch: arm64"), "cpu: '1'")},
		{WORLD LABELLED("p", "team: a")
			 POD(REQUIRED(TERM("{key: team, operator: DoesNotExist}")), "cpu: '1'"),
		 "p RequirementConflict: the pod needs team DoesNotExist, the NodePool has In [a] => take "
		 "team "
		 "off the NodePool, or let the pod have team a",
		 WORLD LABELLED("p", "")
			 POD(REQUIRED(TERM("{key: team, operator: DoesNotExist}")), "cpu: '1'")},
		{WORLD POOL("p", ZONE("z1")) POD(
			 REQUIRED(TERM("{key: topology.kubernetes.io/zone, operator: NotIn, values: [z1]}")),
			 "cpu: '1'"),
		 "p RequirementConflict: the pod needs topology.kubernetes.io/zone NotIn [z1], the NodePool "
		 "has "
		 "In [z1] => let the NodePool allow a topology.kubernetes.io/zone other than z1, or let the "
		 "pod "
		 "have topology.kubernetes.io/zone z1",
		 WORLD POOL("p", BOTH) POD(
			 REQUIRED(TERM("{key: topology.kubernetes.io/zone, operator: NotIn, values: [z1]}")),
			 "cpu: '1'")},
		/* Of two alternatives the nearer is told of. */
		{WORLD POOL("p", "")
			 POD(REQUIRED(TERM(IN("team", "a")) ", " TERM(IN("team", "b") ", " IN("rack", "c"))),
			     "cpu: '1'"),
		 "p LabelUndefined: the pod needs team In [a], a label that nodes of the NodePool do not get "
		 "=> give the NodePool's template the label team: a",
		 WORLD LABELLED("p", "team: a")
			 POD(REQUIRED(TERM(IN("team", "a")) ", " TERM(IN("team", "b") ", " IN("rack", "c"))),
			     "cpu: '1'")},
	};

	check(rows, N(rows));
}

Test(why, topology)
{
	static const struct row rows[] = {
		{WORLD POOL("p", ZONE("z1")) TAINTED("q", "{key: d, effect: NoSchedule}", ZONE("z2"))
			 WEB("a", SPREAD("1")) WEB("pod", SPREAD("1")),
		 "p TopologySpread: topology spread: no topology.kubernetes.io/zone stays within maxSkew 1 "
		 "(z1 1, z2 0) => let the NodePool allow z2, or raise maxSkew to 2\n"
		 "q TaintNotTolerated: taint d:NoSchedule is not tolerated => tolerate d:NoSchedule",
		 WORLD POOL("p", ZONE("z1, z2")) TAINTED("q", "{key: d, effect: NoSchedule}", ZONE("z2"))
			 WEB("a", SPREAD("1")) WEB("pod", SPREAD("1"))},
		{WORLD POOL("p", "")
			 POD(NEAR("podAffinity", "topology.kubernetes.io/zone", "app: db"), "cpu: '1'"),
		 "p PodAffinity: pod affinity: no pod with app=db runs yet => place a pod with app=db first",
		 WORLD POOL("p", "") POD(NEAR("podAffinity", "topology.kubernetes.io/zone", "app: db"),
					 "cpu: '1'")
			 POD_OF("db", "app: db", SELECT("topology.kubernetes.io/zone: z1"), "resources: {}")},
		/* A node that may be in either zone counts in both. */
		{WORLD POOL("p", BOTH) WEB("a", APART_Z) WEB("b", APART_Z) WEB("pod", APART_Z),
		 "p PodAntiAffinity: pod anti-affinity: no topology.kubernetes.io/zone allowed is without a "
		 "pod with app=web (z1 1, z2 1); a planned node counts in every topology.kubernetes.io/zone "
		 "that it may be launched in => plan again once the planned nodes are launched, which places "
		 "the next pod, or drop the anti-affinity",
		 WORLD POOL("p", BOTH) WEB("a", "") WEB("b", "") WEB("pod", "")},
		{WORLD POOL("p", ZONE("z1")) WEB("a", APART_Z) WEB("pod", APART_Z),
		 "p PodAntiAffinity: pod anti-affinity: no topology.kubernetes.io/zone allowed is without a "
		 "pod with app=web (z1 1) => add a NodePool for another topology.kubernetes.io/zone, or drop "
		 "the anti-affinity",
		 WORLD POOL("p", ZONE("z1")) POOL("q", ZONE("z2")) WEB("a", APART_Z) WEB("pod", APART_Z)},
		{WORLD POOL("p", ZONE("z1"))
			 POD_OF("z", "app: db", APART_Z, "resources: {requests: {cpu: '1'}}") WEB("pod", ""),
		 "p PodAntiAffinity: pod anti-affinity of other pods: no topology.kubernetes.io/zone allowed "
		 "is "
		 "without a pod that shuns this one (z1 1) => add a NodePool for another "
		 "topology.kubernetes.io/zone, or let the other pods drop their anti-affinity",
		 WORLD POOL("p", ZONE("z1")) POOL("q", ZONE("z2"))
			 POD_OF("z", "app: db", APART_Z, "resources: {requests: {cpu: '1'}}") WEB("pod", "")},
		{WORLD POOL("p", ZONE("z1")) FIVE(SPREAD_OF("1", "minDomains: 2, ")),
		 "p TopologySpread: topology spread: no topology.kubernetes.io/zone stays within maxSkew 1 "
		 "(z1 "
		 "1), and of minDomains 2 there are 1 => lower minDomains to 1, or raise maxSkew to 5, for "
		 "all "
		 "4 pods that wait",
		 WORLD POOL("p", ZONE("z1")) FIVE(SPREAD_OF("1", "minDomains: 1, "))},
		{WORLD POOL("p", ZONE("z1")) FIVE(SPREAD_OF("1", "minDomains: 2, ")),
		 "p TopologySpread: topology spread: no topology.kubernetes.io/zone stays within maxSkew 1 "
		 "(z1 "
		 "1), and of minDomains 2 there are 1 => lower minDomains to 1, or raise maxSkew to 5, for "
		 "all "
		 "4 pods that wait",
		 WORLD POOL("p", ZONE("z1")) FIVE(SPREAD_OF("5", "minDomains: 2, "))},
		{WORLD POOL("p", ZONE("z1")) CLAIMED("z2") POD(VOLUME, "cpu: '1'"),
		 "p VolumeTopology: a volume needs topology.kubernetes.io/zone In [z2], the NodePool has In "
		 "[z1] => let the NodePool allow z2",
		 WORLD POOL("p", ZONE("z1, z2")) CLAIMED("z2") POD(VOLUME, "cpu: '1'")},
		{WORLD POOL("p", "") CLAIMED("z2")
			 POD(VOLUME SELECT("topology.kubernetes.io/zone: z1"), "cpu: '1'"),
		 "p VolumeTopology: a volume needs topology.kubernetes.io/zone In [z2], the pod allows In "
		 "[z1] => let the pod allow z2",
		 WORLD POOL("p", "") CLAIMED("z2")
			 POD(VOLUME SELECT("topology.kubernetes.io/zone: z2"), "cpu: '1'")},
	};

	check(rows, N(rows));
}

#define AMD64 IN("kubernetes.io/arch", "amd64")
#define ARM64 IN("kubernetes.io/arch", "arm64")
#define TOGETHER NEAR("podAffinity", "topology.kubernetes.io/zone", "app: web")

#define IN_Z1 REQUIRED(TERM(ZONE("z1")))
#define TOGETHER_IN_Z2 TOGETHER SELECT("topology.kubernetes.io/zone: z2")
#define AMD_SPOT(zone) WORLD POOL("p", zone ", " SPOT ", " AMD64)
#define CHOOSES_Z2                                                                                \
	"topology spread over topology.kubernetes.io/zone, maxSkew 1, chooses z2, which has the " \
	"fewest pods (z1 1, z2 0), where no instance type that would do can be had"
#define Z2_HAS_NONE                                                                        \
	"p TopologySpread: " CHOOSES_Z2 " => let the NodePool or the pod require "         \
	"topology.kubernetes.io/zone In [z1], or let the NodePool allow large, which its " \
	"kubernetes.io/arch "                                                              \
	"keeps out"
#define TWO(spec) WEB("a", spec) WEB("pod", spec)

/* Topology chooses a domain in which the NodePool can make no node. */
Test(why, chosen_domains)
{
	static const struct row rows[] = {
		{AMD_SPOT(BOTH) TWO(SPREAD("1")), Z2_HAS_NONE, AMD_SPOT(ZONE("z1")) TWO(SPREAD("1"))},
		{AMD_SPOT(BOTH) TWO(SPREAD("1")), Z2_HAS_NONE, AMD_SPOT(BOTH) TWO(SPREAD("1") IN_Z1)},
		{AMD_SPOT(BOTH) TWO(SPREAD("1")), Z2_HAS_NONE,
		 WORLD POOL("p", BOTH ", " SPOT) TWO(SPREAD("1"))},
		/* Another NodePool makes z2 a domain, whatever this one allows. */
		{AMD_SPOT(BOTH) LIMITED("q", "nodes: '0'", BOTH) TWO(SPREAD("1")),
		 "q NodePoolLimit: limits.nodes 0 is used up => raise limits.nodes to 2\n"
		 "p TopologySpread: " CHOOSES_Z2
		 " => let the pod require topology.kubernetes.io/zone In [z1], "
		 "or let the NodePool allow large, which its kubernetes.io/arch keeps out",
		 AMD_SPOT(BOTH) LIMITED("q", "nodes: '0'", BOTH) TWO(SPREAD("1") IN_Z1)},
		{WORLD POOL("p", BOTH ", " ARM64) WEB("pod", TOGETHER),
		 "p PodAffinity: pod affinity over topology.kubernetes.io/zone chooses z1 (z1 0, z2 0), "
		 "where no "
		 "instance type that would do can be had => let the NodePool or the pod require "
		 "topology.kubernetes.io/zone In [z2], or let the NodePool allow small, which its "
		 "kubernetes.io/arch keeps out",
		 WORLD POOL("p", ARM64 ", " ZONE("z2")) WEB("pod", TOGETHER)},
		{WORLD POOL("p", BOTH ", " ARM64) WEB("pod", TOGETHER),
		 "p PodAffinity: pod affinity over topology.kubernetes.io/zone chooses z1 (z1 0, z2 0), "
		 "where no "
		 "instance type that would do can be had => let the NodePool or the pod require "
		 "topology.kubernetes.io/zone In [z2], or let the NodePool allow small, which its "
		 "kubernetes.io/arch keeps out",
		 WORLD POOL("p", BOTH ", " ARM64) WEB("pod", TOGETHER_IN_Z2)},
		{WORLD POOL("p", BOTH ", " ARM64) POOL("q", ZONE("z1")) WEB("a", TOGETHER)
			 POD_OF("z", "app: web", TOGETHER, "resources: {requests: {cpu: '7'}}"),
		 "q InsufficientResource: the pod requests 7 cpu, small, the nearest type, has 1.9: 5.1 "
		 "short "
		 "=> request at most 1.9 cpu\n"
		 "p PodAffinity: pod affinity over topology.kubernetes.io/zone chooses z1 (z1 1, z2 0), "
		 "where no "
		 "instance type that would do can be had => -",
		 NULL},
	};

	check(rows, N(rows));
}

Test(why, types)
{
	static const struct row rows[] = {
		{WORLD POOL("p", IN("kubernetes.io/arch", "amd64"))
			 DAEMON("resources: {requests: {cpu: '5'}}") POD("", "cpu: '1'"),
		 "p InsufficientResource: the pod requests 1 cpu, rare, the nearest type, has 3.9, its "
		 "daemons "
		 "alone take 5: 2.1 short => let the NodePool allow large, which its kubernetes.io/arch "
		 "keeps out",
		 WORLD POOL("p", "") DAEMON("resources: {requests: {cpu: '5'}}") POD("", "cpu: '1'")},
		{WORLD POOL("p", "") POD("", "cpu: '64'"),
		 "p InsufficientResource: the pod requests 64 cpu, large, the nearest type, has 7.9: 56.1 "
		 "short => request at most 7.9 cpu",
		 WORLD POOL("p", "") POD("", "cpu: 7900m")},
		{WORLD POOL("p", "") DAEMON("resources: {requests: {cpu: 300m}}") POD("", "cpu: '8'"),
		 "p InsufficientResource: the pod requests 8 cpu, large, the nearest type, has 7.6 besides "
		 "0.3 for daemons: 0.4 short => request at most 7.6 cpu",
		 WORLD POOL("p", "") DAEMON("resources: {requests: {cpu: 300m}}") POD("", "cpu: 7600m")},
		{WORLD POOL("p", IN("kubernetes.io/arch", "amd64")) POD("", "cpu: '6', memory: 9Gi"),
		 "p InsufficientResource: the pod requests 6 cpu, rare, the nearest type, has 3.9: 2.1 short "
		 "=> let the NodePool allow large, which its kubernetes.io/arch keeps out, or request at "
		 "most 3.9 cpu + InsufficientResource: the pod requests 9Gi memory, rare, the nearest type, "
		 "has 8Gi: 1Gi short => let the NodePool allow large, which its kubernetes.io/arch keeps "
		 "out, or request at most 8Gi memory",
		 WORLD POOL("p", "") POD("", "cpu: '6', memory: 9Gi")},
		{WORLD POOL("p", "") POD("", "nvidia.com/gpu: '1'"),
		 "p InsufficientResource: the pod requests 1 nvidia.com/gpu, no instance type of the "
		 "NodePool has any => request no nvidia.com/gpu",
		 WORLD POOL("p", "") POD("", "cpu: '1'")},
		{WORLD POOL("p", "") DAEMON("ports: [{containerPort: 80, hostPort: 80}]")
			 POD_OF("pod", "", "", "ports: [{containerPort: 80, hostPort: 80}]"),
		 "p HostPort: host port 80/TCP is taken by a DaemonSet on every node => use another host "
		 "port",
		 NULL},
		{WORLD POOL("p", "")
			 POD(SELECT("karpenter.sh/capacity-type: on-demand, kubernetes.io/arch: arm64"),
			     "cpu: '1'"),
		 "p NoOffering: 1 instance type would do, but is not offered with karpenter.sh/capacity-type "
		 "In [on-demand] => let the pod allow spot",
		 WORLD POOL("p", "") POD(
			 SELECT("karpenter.sh/capacity-type: spot, kubernetes.io/arch: arm64"), "cpu: '1'")},
		{WORLD POOL("p", IN("node.kubernetes.io/instance-type", "rare"))
			 POD(SELECT("topology.kubernetes.io/zone: z1"), "cpu: '1'"),
		 "p NoOffering: 1 instance type would do, but its 1 offering is unavailable with "
		 "topology.kubernetes.io/zone In [z1] => let the pod allow z2",
		 WORLD POOL("p", IN("node.kubernetes.io/instance-type", "rare"))
			 POD(SELECT("topology.kubernetes.io/zone: z2"), "cpu: '1'")},
		{WORLD POOL("p", MIN("2")) POD("", "cpu: '64'"),
		 "p InsufficientResource: the pod requests 64 cpu, large, the nearest type, has 7.9: 56.1 "
		 "short => request at most 7.9 cpu + MinValues: minValues 2 of "
		 "node.kubernetes.io/instance-type, the pod leaves 1 => lower minValues of "
		 "node.kubernetes.io/instance-type to 1",
		 WORLD POOL("p", MIN("1")) POD("", "cpu: 7900m")},
		{WORLD POOL("p", MIN("2")) POD(SELECT("kubernetes.io/arch: arm64"), "cpu: '1'"),
		 "p MinValues: minValues 2 of node.kubernetes.io/instance-type, the pod leaves 1 => lower "
		 "minValues of node.kubernetes.io/instance-type to 1",
		 WORLD POOL("p", MIN("1")) POD(SELECT("kubernetes.io/arch: arm64"), "cpu: '1'")},
	};

	check(rows, N(rows));
}

Test(why, limits)
{
	static const struct row rows[] = {
		{WORLD LIMITED("p", "cpu: '3'", IN("kubernetes.io/arch", "arm64")) POD("", "cpu: '1'"),
		 "p NodePoolLimit: limits.cpu 3 has 3 left, large, the smallest type that would do, takes 8 "
		 "=> raise limits.cpu to 8",
		 WORLD LIMITED("p", "cpu: '8'", IN("kubernetes.io/arch", "arm64")) POD("", "cpu: '1'")},
		{WORLD LIMITED("p", "nodes: '0'", "") POD("", "cpu: '1'"),
		 "p NodePoolLimit: limits.nodes 0 is used up => raise limits.nodes to 1",
		 WORLD LIMITED("p", "nodes: '1'", "") POD("", "cpu: '1'")},
		/* What the first node has taken. */
		{WORLD LIMITED("p", "cpu: '9', memory: 40Gi", IN("kubernetes.io/arch", "arm64"))
			 POD_OF("z", "", "", "resources: {requests: {cpu: '1'}}") POD("", "cpu: '7900m'"),
		 "p NodePoolLimit: limits.cpu 9 has 1 left, large, the smallest type that would do, takes 8 "
		 "=> raise limits.cpu to 16 + NodePoolLimit: limits.memory 40Gi has 8Gi left, large, the "
		 "smallest type that would do, takes 32Gi => raise limits.memory to 64Gi",
		 WORLD LIMITED("p", "cpu: '16', memory: 64Gi", IN("kubernetes.io/arch", "arm64"))
			 POD_OF("z", "", "", "resources: {requests: {cpu: '1'}}") POD("", "cpu: '7900m'")},
	};

	check(rows, N(rows));
}

/* The number after `before`, or 0. */
static double number_in(const char *text, const char *before)
{
	const char *at = text ? strstr(text, before) : NULL;

	return at ? strtod(at + strlen(before), NULL) : 0;
}

struct limits {
	double cpu, gi;
};

/* Five pods and more in a NodePool with these limits. */
static struct plan *plan_limited(struct loaded *t, const char *pods, struct limits l)
{
	struct buf b;
	struct plan *p;

	buf_init(&b);
	buf_adds(&b, WORLD);
	buf_addf(&b,
		 "---\n{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: p}, spec: {limits: "
		 "{cpu: '%g', memory: '%gGi'}, template: {spec: {" CLASS "requirements: []}}}}\n",
		 l.cpu, l.gi);
	buf_adds(&b, pods);
	p = plan_of(t, buf_cstr(&b));
	buf_release(&b);
	return p;
}

#define APART NEAR("podAntiAffinity", "kubernetes.io/hostname", "app: web")

/* Limits that are raised as told leave no pod waiting for them; nor does "or more". */
Test(why, raised_limits)
{
	static const struct {
		const char *pods;
		struct limits have, want, more;
	} rows[] = {
		{FIVE(APART), {8, 1000}, {30, 0}, {40, 0}},
		{FIVE(""), {1, 1000}, {2, 0}, {8, 0}},
		{FIVE("") POD("", "cpu: 7900m"), {1, 1000}, {8, 0}, {0, 0}},
		{FIVE(APART), {8, 40}, {30, 108}, {40, 160}},
		{FIVE(APART), {1000, 40}, {0, 132}, {0, 160}},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct limits have = rows[i].have, got, more;
		struct loaded t;
		struct plan *p = plan_limited(&t, rows[i].pods, have);
		const char *said = told(&t, p->nerror ? p->error[0].why : NULL);
		const char *memory = strstr(said, "limits.memory to ");

		got.cpu = number_in(said, "raise limits.cpu to ");
		got.gi = number_in(memory, "limits.memory to ");
		more.cpu = got.cpu > 0 ? number_in(said, " (or to ") : 0;
		more.gi = number_in(memory, more.cpu > 0 ? " and " : " (or to ");
		cr_expect_float_eq(got.cpu, rows[i].want.cpu, 0.01, "row %zu: %s", i, said);
		cr_expect_float_eq(got.gi, rows[i].want.gi, 0.01, "row %zu: %s", i, said);
		cr_expect_float_eq(more.cpu, rows[i].more.cpu, 0.01, "row %zu: %s", i, said);
		cr_expect_float_eq(more.gi, rows[i].more.gi, 0.01, "row %zu: %s", i, said);
		loaded_release(&t);
		for (int x = -1; x < 100; x++) {
			struct limits with = {more.cpu + x, more.gi + 7 * x};

			if (x < 0 || more.cpu + more.gi < 1)
				with = got;
			with.cpu = with.cpu > have.cpu ? with.cpu : have.cpu;
			with.gi = with.gi > have.gi ? with.gi : have.gi;
			p = plan_limited(&t, rows[i].pods, with);
			cr_expect_eq(p->nerror, 0, "row %zu, limits %g and %gGi of %s: %s", i, with.cpu,
				     with.gi, said, p->nerror ? p->error[0].message : "");
			loaded_release(&t);
		}
	}
}

#define SETTINGS                                                                                            \
	"{apiVersion: kspot.dev/v1, kind: Settings, spec: {now: '2026-01-19T12:00:00Z', reservationLabel: " \
	"example.com/reservation, wellKnownLabels: [example.com/reservation], featureGates: "               \
	"{ReservedCapacity: true}}}\n"
#define RESERVED                                                                                 \
	"{requirements: [" IN("karpenter.sh/capacity-type", "reserved") ", " ZONE("z1") ", " IN( \
		"example.com/reservation", "r1") "], price: 0, available: true, reservationCapacity: 1}"
#define ONE_TYPE                                                                               \
	"---\n{apiVersion: kspot.dev/v1, kind: InstanceTypeSet, spec: {instanceTypes: [" TYPE( \
		"only", "amd64", "2", "4Gi",                                                   \
		OFFER("on-demand", "z1", "available: true") ", " RESERVED) "]}}\n"
#define LARGER POD_OF("z", "", "", "resources: {requests: {cpu: 1500m}}")

/* One reserved instance for two pods: the second waits, and no other NodePool is asked. */
Test(why, reserved)
{
	static const char on_demand[] = SETTINGS ONE_TYPE POOL("p", "")
		POOL("a", IN("karpenter.sh/capacity-type", "on-demand")) LARGER POD("", "cpu: '1'");
	static const struct row rows[] = {
		{on_demand,
		 "p ReservedCapacity: the reserved capacity that fits is taken by other new nodes => plan "
		 "again once they are launched\n"
		 "a NotTried: not tried: the pod waits for reserved capacity of another NodePool => -",
		 NULL},
	};

	check(rows, N(rows));
}

/* Usable NodePools first; then fewer obstacles, then the later first one, then the smaller shortfall. */
Test(why, order)
{
	static const struct row rows[] = {
		{WORLD POOL_OF("a", "", "replicas: 1, ", "spec: {" CLASS "requirements: []}") TAINTED(
			 "b", "{key: d, effect: NoSchedule}", "") POOL("c", IN("kubernetes.io/arch", "amd64"))
			 POOL("d", IN("kubernetes.io/arch", "arm64"))
				 TAINTED("e", "{key: d, effect: NoSchedule}", SPOT) POD("", "cpu: '9'"),
		 "d InsufficientResource: the pod requests 9 cpu, large, the nearest type, has 7.9: 1.1 "
		 "short => request at most 7.9 cpu\n"
		 "c InsufficientResource: the pod requests 9 cpu, rare, the nearest type, has 3.9: 5.1 short "
		 "=> request at most 3.9 cpu\n"
		 "e TaintNotTolerated: taint d:NoSchedule is not tolerated => tolerate d:NoSchedule + "
		 "InsufficientResource: the pod requests 9 cpu, large, the nearest type, has 7.9: 1.1 short "
		 "=> request at most 7.9 cpu\n"
		 "b TaintNotTolerated: taint d:NoSchedule is not tolerated => tolerate d:NoSchedule + "
		 "InsufficientResource: the pod requests 9 cpu, large, the nearest type, has 7.9: 1.1 short "
		 "=> request at most 7.9 cpu\n"
		 "a StaticNodePool: a NodePool with replicas makes no nodes for pods => -",
		 NULL},
	};

	check(rows, N(rows));
}
