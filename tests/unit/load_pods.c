#include <criterion/criterion.h>

#include "load_fixture.h"
#include "schema.h"

#define N(rows) (sizeof(rows) / sizeof((rows)[0]))

#define NEW "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"
#define STORED "apiVersion: v1\nkind: Pod\nmetadata: {name: p, uid: u}\n"

/* What a pod asks for: karpenter-core A4.1 and the defaults of the API server. */
Test(load_pods, requests)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{NEW "spec: {containers: [{}]}\n", "{\"pods\":\"1\"}"},
		{NEW "spec: {containers: [{resources: {requests: {cpu: 1, memory: 1Gi}}}, {resources: "
		     "{requests: {cpu: 500m}}}]}\n",
		 "{\"cpu\":\"1500m\",\"memory\":\"1Gi\",\"pods\":\"1\"}"},
		/* Limits count for new pods alone. */
		{NEW "spec: {containers: [{resources: {limits: {cpu: 2}, requests: {memory: 1Gi}}}]}\n",
		 "{\"cpu\":\"2\",\"memory\":\"1Gi\",\"pods\":\"1\"}"},
		{STORED "spec: {containers: [{resources: {limits: {cpu: 2}, requests: {memory: 1Gi}}}]}\n",
		 "{\"memory\":\"1Gi\",\"pods\":\"1\"}"},
		{NEW "spec: {containers: [{resources: {limits: {cpu: 2}, requests: {cpu: 0}}}]}\n",
		 "{\"cpu\":\"0\",\"pods\":\"1\"}"},
		/* Amounts are rounded up to a thousandth. */
		{NEW "spec: {containers: [{resources: {requests: {cpu: 1u, memory: 1n}}}]}\n",
		 "{\"cpu\":\"1m\",\"memory\":\"1m\",\"pods\":\"1\"}"},
		/* Init containers: the largest, but sidecars run on. */
		{NEW "spec: {initContainers: [{resources: {requests: {cpu: 3}}}], containers: [{resources: "
		     "{requests: {cpu: 1}}}]}\n",
		 "{\"cpu\":\"3\",\"pods\":\"1\"}"},
		{NEW "spec: {initContainers: [{restartPolicy: Always, resources: {requests: {cpu: 1}}}, "
		     "{resources: {requests: {cpu: "
		     "3}}}], containers: [{resources: {requests: {cpu: 2}}}]}\n",
		 "{\"cpu\":\"4\",\"pods\":\"1\"}"},
		{NEW "spec: {initContainers: [{resources: {requests: {cpu: 3}}}, {restartPolicy: Always, "
		     "resources: {requests: {cpu: "
		     "1}}}], containers: [{resources: {requests: {cpu: 2}}}]}\n",
		 "{\"cpu\":\"3\",\"pods\":\"1\"}"},
		/* Pod-level requests stand for cpu, memory and hugepages; overhead comes on top. */
		{NEW "spec: {resources: {requests: {cpu: 5, hugepages-2Mi: 4Mi}}, containers: [{resources: "
		     "{requests: {cpu: 1, "
		     "memory: 1Gi}}}], overhead: {cpu: 250m}}\n",
		 "{\"cpu\":\"5250m\",\"hugepages-2Mi\":\"4Mi\",\"memory\":\"1Gi\",\"pods\":\"1\"}"},
		/* The kubelet may have given more than the spec says, or less where a resize cannot be done.
		 */
		{STORED "spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}\n"
			"status: {containerStatuses: [{name: c, allocatedResources: {cpu: 2}}]}\n",
		 "{\"cpu\":\"2\",\"pods\":\"1\"}"},
		{STORED
		 "spec: {containers: [{name: c, resources: {requests: {cpu: 3}}}]}\n"
		 "status: {conditions: [{type: PodResizePending, status: 'True', reason: Infeasible}],\n"
		 "  containerStatuses: [{name: c, resources: {requests: {cpu: 2}}}]}\n",
		 "{\"cpu\":\"2\",\"pods\":\"1\"}"},
		{STORED "spec: {containers: [{name: c, resources: {requests: {cpu: 3}}}]}\n"
			"status: {containerStatuses: [{name: other, allocatedResources: {cpu: 9}}]}\n",
		 "{\"cpu\":\"3\",\"pods\":\"1\"}"},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct loaded t;

		loaded_init(&t, rows[i].text, NULL);
		cr_assert(t.c, "%s", loaded_messages(&t));
		cr_assert_eq(t.c->pods.n, 1);
		cr_expect_str_eq(loaded_list(&t, &t.c->pods.v[0].requests), rows[i].want, "%s", rows[i].text);
		loaded_release(&t);
	}
}

Test(load_pods, spec)
{
	static const char text[] =
		"apiVersion: v1\nkind: Pod\nmetadata: {name: p, labels: {b: '2', a: '1'}}\n"
		"spec:\n"
		"  nodeName: n1\n"
		"  hostNetwork: true\n"
		"  nodeSelector: {zone: a}\n"
		"  schedulingGates: [{name: g}]\n"
		"  tolerations: [{key: k, operator: Exists, tolerationSeconds: 0}]\n"
		"  containers: [{name: c, ports: [{containerPort: 80}, {containerPort: 1, hostPort: 2, "
		"hostIP: 10.0.0.1, "
		"protocol: UDP}]}]\n"
		"  volumes: [{name: tmp, emptyDir: {}}, {name: v, persistentVolumeClaim: {claimName: data}}, "
		"{name: e, "
		"ephemeral: {volumeClaimTemplate: {spec: {storageClassName: gp3}}}}]\n"
		"  topologySpreadConstraints:\n"
		"  - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, nodeTaintsPolicy: "
		"Honor}\n"
		"  - {maxSkew: 2, topologyKey: host, whenUnsatisfiable: DoNotSchedule, minDomains: 3, "
		"nodeAffinityPolicy: "
		"Ignore, labelSelector: {matchExpressions: [{key: a, operator: In, values: []}]}}\n"
		"  affinity:\n"
		"    nodeAffinity:\n"
		"      requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
		"[{matchExpressions: [{key: x, "
		"operator: Gt, values: ['3']}], matchFields: [{key: metadata.name}]}]}\n"
		"      preferredDuringSchedulingIgnoredDuringExecution: [{weight: 7, preference: "
		"{matchExpressions: [{key: "
		"w, operator: Exists}]}}]\n"
		"    podAffinity:\n"
		"      preferredDuringSchedulingIgnoredDuringExecution: [{weight: 9, podAffinityTerm: "
		"{topologyKey: t, "
		"namespaces: [other], labelSelector: {}}}]\n"
		"    podAntiAffinity:\n"
		"      requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: h, labelSelector: "
		"{matchLabels: {a: "
		"'1'}}}]\n";
	struct loaded t;
	const struct pod *p;
	const struct pod_spec *s;

	loaded_init(&t, text, NULL);
	cr_assert(t.c, "%s", loaded_messages(&t));
	p = &t.c->pods.v[0];
	s = p->spec;
	cr_expect_str_eq(intern_c(t.c->in, p->meta.ns), "default");
	cr_expect_str_eq(intern_c(t.c->in, p->node), "n1");
	cr_expect_str_eq(intern_c(t.c->in, p->meta.labels.v[0].key), "a");
	cr_expect_str_eq(intern_c(t.c->in, s->scheduler_name), "default-scheduler");
	cr_expect(s->gated && s->host_network && !s->has_priority);
	cr_expect_eq(s->grace_seconds, 30);
	cr_expect(s->toleration[0].has_seconds && s->toleration[0].seconds == 0);
	cr_expect_eq(s->container[0].nport, 2);
	cr_expect_eq(s->container[0].port[0].port, 80);
	cr_expect_eq(s->container[0].port[0].ip, SID_EMPTY);
	cr_expect_str_eq(intern_c(t.c->in, s->container[0].port[0].protocol), "TCP");
	cr_expect_eq(s->container[0].port[1].port, 2);
	cr_expect_str_eq(intern_c(t.c->in, s->container[0].port[1].protocol), "UDP");
	cr_expect_eq(s->nvolume, 2);
	cr_expect(!s->volume[0].ephemeral && s->volume[1].ephemeral);
	cr_expect_str_eq(intern_c(t.c->in, s->volume[0].claim), "data");
	cr_expect_eq(s->volume[0].ephemeral_class, SID_NONE);
	cr_expect_str_eq(intern_c(t.c->in, s->volume[1].ephemeral_class), "gp3");
	cr_expect(s->spread[0].schedule_anyway && s->spread[0].honor_taints && s->spread[0].honor_affinity);
	cr_expect(s->spread[0].min_domains == -1 && !s->spread[0].selector.present);
	cr_expect(!s->spread[1].schedule_anyway && !s->spread[1].honor_taints &&
		  !s->spread[1].honor_affinity);
	cr_expect(s->spread[1].min_domains == 3 && s->spread[1].selector.present &&
		  s->spread[1].selector.invalid);
	cr_expect(s->has_required_terms && s->nrequired == 1 && s->required[0].n == 1 &&
		  s->required[0].nfields == 1);
	cr_expect(s->npreferred == 1 && s->preferred[0].weight == 7 && s->preferred[0].term.n == 1);
	cr_expect(s->affinity_required.n == 0 && s->affinity_preferred.n == 1 &&
		  s->affinity_preferred.v[0].weight == 9);
	cr_expect(s->affinity_preferred.v[0].nns == 1 && s->affinity_preferred.v[0].selector.present);
	cr_expect(s->has_anti_affinity && s->anti_required.n == 1 &&
		  s->anti_required.v[0].selector.match.n == 1);
	loaded_release(&t);
}

/* Pods whose specs read the same share one. */
Test(load_pods, shared_specs)
{
	static const struct {
		const char *a, *b;
		bool same;
	} rows[] = {
		{"{containers: [{image: x}]}", "{containers: [{image: y}]}", true},
		{"{containers: [], nodeName: m}", "{nodeName: k, containers: []}", true},
		{"{containers: [], nodeSelector: {a: b, c: d}}",
		 "{nodeSelector: {c: d, a: b}, containers: []}", true},
		{"{containers: [], nodeSelector: {a: b}}", "{containers: [], nodeSelector: {a: c}}", false},
		{"{containers: [{resources: {requests: {cpu: 1}}}]}",
		 "{containers: [{resources: {requests: {cpu: 2}}}]}", false},
		{"{containers: []}", "{containers: [], hostNetwork: true}", false},
		/* Volumes without a claim decide nothing. */
		{"{containers: [], volumes: [{name: t1, projected: {}}, {name: d, persistentVolumeClaim: "
		 "{claimName: c}}]}",
		 "{containers: [], volumes: [{name: d, persistentVolumeClaim: {claimName: c}}, {name: t2, "
		 "emptyDir: {}}]}",
		 true},
		{"{containers: [], volumes: [{name: d, persistentVolumeClaim: {claimName: c}}]}",
		 "{containers: [], volumes: [{name: d, persistentVolumeClaim: {claimName: e}}]}", false},
		{"{containers: [], hostNetwork: true}", "{containers: []}", false},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct loaded t;
		struct buf b;

		buf_init(&b);
		buf_addf(&b, "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: %s\n---\n", rows[i].a);
		buf_addf(&b, "apiVersion: v1\nkind: Pod\nmetadata: {name: b}\nspec: %s\n", rows[i].b);
		loaded_init(&t, buf_cstr(&b), NULL);
		cr_assert(t.c, "%s", loaded_messages(&t));
		cr_expect_eq(t.c->pods.v[0].spec == t.c->pods.v[1].spec, rows[i].same, "%s %s", rows[i].a,
			     rows[i].b);
		loaded_release(&t);
		buf_release(&b);
	}
}

#define TEMPLATE \
	"template: {metadata: {labels: {app: x}}, spec: {containers: [{resources: {requests: {cpu: 1}}}]}}"
#define WORKLOAD(version, kind, spec)                                                               \
	"apiVersion: " version "\nkind: " kind "\nmetadata: {name: w, namespace: ns}\nspec: {" spec \
	", " TEMPLATE "}\n"
#define OWNED(name, owner_kind, owner)                                           \
	"---\napiVersion: v1\nkind: Pod\nmetadata: {name: " name                 \
	", namespace: ns, ownerReferences: [{kind: " owner_kind ", name: " owner \
	", controller: true}], labels: {pod-template-hash: abc}}\nspec: {containers: []}\n"

/* Names of the pods in order of expansion. */
Test(load_pods, expansion)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{WORKLOAD("apps/v1", "Deployment", "replicas: 3"), "w-1 w-2 w-3"},
		{WORKLOAD("apps/v1", "Deployment", "replicas: null"), "w-1"},
		{WORKLOAD("apps/v1", "Deployment", "replicas: 0"), ""},
		{WORKLOAD("apps/v1", "ReplicaSet", "replicas: 2"), "w-1 w-2"},
		{WORKLOAD("apps/v1", "StatefulSet", "replicas: 2"), "w-0 w-1"},
		{WORKLOAD("batch/v1", "Job", "completions: 3"), "w-1"},
		{WORKLOAD("batch/v1", "Job", "parallelism: 5, completions: 3"), "w-1 w-2 w-3"},
		{WORKLOAD("batch/v1", "Job", "parallelism: 2, suspend: true"), ""},
		{WORKLOAD("batch/v1", "Job",
			  "parallelism: 2") "status: {conditions: [{type: Complete, status: 'True'}]}\n",
		 ""},
		{WORKLOAD("apps/v1", "DaemonSet", "selector: {}"), ""},
		/* Pods of the input count: by controller, or by selector where they have none. */
		{WORKLOAD("apps/v1", "Deployment", "replicas: 3") OWNED("w-abc-q", "ReplicaSet", "w-abc"),
		 "w-1 w-2 w-abc-q"},
		{WORKLOAD("apps/v1", "Deployment", "replicas: 1") OWNED("w-abc-q", "ReplicaSet", "w-abc"),
		 "w-abc-q"},
		{WORKLOAD("apps/v1", "Deployment", "replicas: 1") OWNED("v", "ReplicaSet", "other"), "w-1 v"},
		{WORKLOAD("apps/v1", "StatefulSet", "replicas: 3") OWNED("w-1", "StatefulSet", "w"),
		 "w-0 w-2 w-1"},
		{WORKLOAD("batch/v1", "Job", "parallelism: 2") OWNED("w-z", "Job", "w"), "w-1 w-z"},
		{WORKLOAD("apps/v1", "ReplicaSet", "replicas: 2, selector: {matchLabels: {app: x}}") //
		 "---\napiVersion: v1\nkind: Pod\nmetadata: {name: bare, namespace: ns, labels: {app: "
		 "x}}\nspec: {containers: []}\n",
		 "w-1 bare"},
		{WORKLOAD("apps/v1", "ReplicaSet", "replicas: 2, selector: {matchLabels: {app: x}}") //
		 "---\napiVersion: v1\nkind: Pod\nmetadata: {name: bare, labels: {app: x}}\nspec: "
		 "{containers: []}\n",
		 "w-1 w-2 bare"},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct loaded t;
		struct buf b;

		loaded_init(&t, rows[i].text, NULL);
		cr_assert(t.c, "%s\n%s", rows[i].text, loaded_messages(&t));
		buf_init(&b);
		for (uint32_t order = 0; order < t.c->pods.n; order++)
			for (uint32_t k = 0; k < t.c->pods.n; k++)
				if (t.c->pods.v[k].order == order)
					buf_addf(&b, "%s%s", order ? " " : "",
						 intern_c(t.c->in, t.c->pods.v[k].meta.name));
		cr_expect_str_eq(buf_cstr(&b), rows[i].want, "%s\ngot: %s", rows[i].text, buf_cstr(&b));
		buf_release(&b);
		loaded_release(&t);
	}
}

/* A ReplicaSet that a Deployment of the input owns makes no pods of its own. */
Test(load_pods, dump)
{
	static const char text[] = //
		"apiVersion: v1\nkind: List\nitems:\n"
		"- {apiVersion: apps/v1, kind: Deployment, metadata: {name: w, namespace: ns, uid: d}, spec: "
		"{replicas: 2, " TEMPLATE "}}\n"
		"- {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: w-abc, namespace: ns, uid: r, "
		"ownerReferences: "
		"[{kind: Deployment, name: w, uid: d, controller: true}]}, spec: {replicas: 2, " TEMPLATE
		"}}\n"
		"- {apiVersion: v1, kind: Pod, metadata: {name: w-abc-1, namespace: ns, uid: p, "
		"ownerReferences: [{kind: "
		"ReplicaSet, name: w-abc, uid: r, controller: true}]}, spec: {containers: []}, status: "
		"{phase: Running}}\n";
	struct loaded t;

	loaded_init(&t, text, NULL);
	cr_assert(t.c, "%s", loaded_messages(&t));
	cr_expect_eq(t.c->pods.n, 2);
	cr_expect(loaded_pod(&t, "ns/w-1"));
	cr_expect_eq(loaded_pod(&t, "ns/w-abc-1")->phase, POD_RUNNING);
	cr_expect_eq(t.c->workloads.n, 2);
	loaded_release(&t);
}

Test(load_pods, made_up_pod)
{
	static const char text[] = //
		"apiVersion: kspot.dev/v1\nkind: Settings\nspec: {now: '2026-01-19T12:00:00Z'}\n---\n" NEW
		"spec: {containers: []}\n---\n" //
		"apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, labels: {own: label}}\nspec:\n "
		" "
		"replicas: 2\n"
		"  volumeClaimTemplates: [{metadata: {name: data, labels: {l: v}}, spec: {storageClassName: "
		"gp3}}]\n"
		"  template: {metadata: {labels: {app: db}, annotations: {a: b}}, spec: {containers: [], "
		"volumes: [{name: data, "
		"persistentVolumeClaim: {claimName: x}}, {name: more, persistentVolumeClaim: {claimName: "
		"z}}]}}\n---\n"
		"apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data-db-1}\nspec: "
		"{volumeName: pv-1}\n";
	struct loaded t;
	const struct pod *p;
	const struct pvc *claim;
	int64_t noon = 0;

	loaded_init(&t, text, NULL);
	cr_assert(t.c, "%s", loaded_messages(&t));
	cr_assert(parse_time(STR_LIT("2026-01-19T12:00:00Z"), &noon));
	p = loaded_pod(&t, "default/p");
	cr_expect_str_eq(intern_c(t.c->in, p->meta.uid), "00000000-0000-4000-8000-000000000001");
	cr_expect_eq(p->meta.created, noon);
	p = loaded_pod(&t, "default/db-1");
	cr_assert(p);
	cr_expect_str_eq(intern_c(t.c->in, p->meta.uid), "00000000-0000-4000-8000-000000000003");
	cr_expect_eq(p->meta.created, noon);
	cr_expect_eq(p->phase, POD_PENDING);
	cr_expect(p->meta.labels.n == 1 && p->meta.annotations.n == 1 && p->meta.nowner == 1);
	cr_expect_str_eq(intern_c(t.c->in, p->meta.owner[0].kind), "StatefulSet");
	cr_expect_str_eq(intern_c(t.c->in, p->meta.owner[0].api_version), "apps/v1");
	cr_expect(p->meta.owner[0].controller && p->meta.owner[0].uid == SID_EMPTY);
	cr_expect_eq(p->spec->nvolume, 2);
	cr_expect_str_eq(intern_c(t.c->in, p->spec->volume[0].claim), "data-db-1");
	cr_expect_str_eq(intern_c(t.c->in, p->spec->volume[1].claim), "z");
	claim = cluster_pvc(t.c, STR_DEFAULT, intern_cstr(t.c->in, "data-db-0"));
	cr_assert(claim);
	cr_expect_str_eq(intern_c(t.c->in, claim->storage_class), "gp3");
	cr_expect_eq(claim->meta.labels.n, 1);
	claim = cluster_pvc(t.c, STR_DEFAULT, intern_cstr(t.c->in, "data-db-1"));
	cr_assert(claim);
	cr_expect_str_eq(intern_c(t.c->in, claim->volume_name), "pv-1");
	cr_expect_eq(t.c->pvcs.n, 2);
	loaded_release(&t);
}

Test(load_pods, priorities)
{
	static const char classes[] = //
		"---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: "
		"100\n---\n"
		"apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: base}\nvalue: "
		"7\nglobalDefault: true\n";
	static const struct {
		const char *text;
		bool has;
		int32_t value;
	} rows[] = {
		{NEW "spec: {containers: [], priorityClassName: high}\n", true, 100},
		{NEW "spec: {containers: [], priorityClassName: high, priority: 5}\n", true, 5},
		{NEW "spec: {containers: [], priorityClassName: system-node-critical}\n", true, 2000001000},
		{NEW "spec: {containers: [], priorityClassName: none}\n", false, 0},
		{NEW "spec: {containers: []}\n", true, 7},
		{STORED "spec: {containers: []}\n", false, 0},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct loaded t;
		struct buf b;

		buf_init(&b);
		buf_addf(&b, "%s%s", rows[i].text, classes);
		loaded_init(&t, buf_cstr(&b), NULL);
		cr_assert(t.c, "%s", loaded_messages(&t));
		cr_expect_eq(t.c->pods.v[0].spec->has_priority, rows[i].has, "%s", rows[i].text);
		cr_expect_eq(t.c->pods.v[0].spec->priority, rows[i].value, "%s", rows[i].text);
		loaded_release(&t);
		buf_release(&b);
	}
}

/* Order of API lists, and the place in the input. */
Test(load_pods, order)
{
	static const char text[] =
		"apiVersion: v1\nkind: PodList\nitems:\n"
		"- {metadata: {name: b, namespace: q}, spec: {containers: []}}\n"
		"- {metadata: {name: a, namespace: q}, spec: {containers: []}}\n"
		"- {metadata: {name: c, namespace: a}, spec: {containers: []}}\n"
		"- {metadata: {name: b, namespace: q}, spec: {containers: [], hostNetwork: true}}\n";
	struct loaded t;

	loaded_init(&t, text, NULL);
	cr_assert(t.c, "%s", loaded_messages(&t));
	cr_assert_eq(t.c->pods.n, 3);
	cr_expect(loaded_pod(&t, "a/c") == &t.c->pods.v[0] && t.c->pods.v[0].order == 1);
	cr_expect(loaded_pod(&t, "q/a") == &t.c->pods.v[1] && t.c->pods.v[1].order == 0);
	cr_expect(loaded_pod(&t, "q/b") == &t.c->pods.v[2] && t.c->pods.v[2].order == 2);
	cr_expect(t.c->pods.v[2].spec->host_network);
	loaded_release(&t);
}
