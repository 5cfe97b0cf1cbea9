#include <criterion/criterion.h>

#include "load_fixture.h"

#define HOUR ((int64_t)3600 * 1000000000)
#define POOL "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: a}\n"
#define CLASS "apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata: {name: c}\n"
#define REF "nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: c}"

static void load(struct loaded *t, const char *text, const struct load_options *o)
{
	loaded_init(t, text, o);
	cr_assert(t->c, "%s\n%s", text, loaded_messages(t));
}

#define TEXT(t, id) intern_c((t).c->in, id)

Test(load_objects, node_pool)
{
	struct loaded t;
	const struct node_pool *p;

	load(&t, POOL "spec: {template: {spec: {" REF "}}}\n", NULL);
	p = &t.c->pools.v[0];
	cr_expect_eq(p->expire_after, 720 * HOUR);
	cr_expect_eq(p->termination_grace, DURATION_NONE);
	cr_expect_eq(p->consolidate_after, 0);
	cr_expect_eq(p->policy, CONSOLIDATE_UNDERUTILIZED);
	cr_expect(p->nbudget == 1 && !p->budget[0].has_reasons && p->budget[0].schedule == SID_NONE);
	cr_expect_str_eq(TEXT(t, p->budget[0].nodes), "10%");
	cr_expect(!p->has_limits && !p->is_static && p->weight == 0 && p->invalid == SID_NONE);
	loaded_release(&t);

	load(&t,
	     POOL "spec:\n  weight: 5.0\n  replicas: 0\n  limits: {cpu: 100, nodes: 3}\n"
		  "  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: Never, budgets: [{nodes: "
		  "'3', reasons: [Drifted], "
		  "schedule: '@daily', duration: 8h}, {}]}\n"
		  "  template:\n    metadata: {labels: {team: a}, annotations: {x: z}}\n"
		  "    spec: {" REF
		  ", expireAfter: Never, terminationGracePeriod: 1h, taints: [{key: k, effect: NoSchedule}], "
		  "startupTaints: [{key: s, value: v, effect: NoExecute}], requirements: [{key: q, operator: "
		  "In, values: [a, b], "
		  "minValues: 2}, {key: r, operator: Exists}]}\n"
		  "status: {conditions: [{type: Ready, status: 'True'}]}\n",
	     NULL);
	p = &t.c->pools.v[0];
	cr_expect(p->expire_after == DURATION_NEVER && p->termination_grace == HOUR);
	cr_expect(p->consolidate_after == DURATION_NEVER && p->policy == CONSOLIDATE_WHEN_EMPTY);
	cr_expect(p->nbudget == 2 && p->budget[0].has_reasons && p->budget[0].duration == 8 * HOUR);
	cr_expect_str_eq(TEXT(t, p->budget[1].nodes), "10%");
	cr_expect(p->is_static && p->replicas == 0 && p->weight == 5 && p->has_limits && p->limits.n == 2);
	cr_expect(p->nreq == 2 && p->req[0].min_values == 2 && p->req[1].min_values == -1 &&
		  p->req[1].n == 0);
	cr_expect(p->taints.n == 1 && p->startup_taints.n == 1 && p->template_labels.n == 1);
	cr_expect(conditions_true(&p->conditions, t.c->in, "Ready"));
	loaded_release(&t);

	load(&t, POOL "spec: {disruption: {budgets: []}}\n", NULL);
	cr_expect_eq(t.c->pools.v[0].nbudget, 0);
	loaded_release(&t);
}

Test(load_objects, node_class)
{
	struct loaded t;
	const struct ec2_node_class *c;

	load(&t, CLASS "spec: {amiSelectorTerms: [{tags: {a: b}}, {alias: bottlerocket@latest}]}\n", NULL);
	c = &t.c->classes.v[0];
	cr_expect_str_eq(TEXT(t, c->alias), "bottlerocket@latest");
	cr_expect(c->ami_family == SID_NONE && !c->has_status && !c->has_devices && !c->has_interfaces);
	cr_expect(!c->kubelet.present && c->kubelet.max_pods == -1 && c->placement_group == SID_NONE);
	loaded_release(&t);

	load(&t,
	     CLASS
	     "spec:\n  amiFamily: Custom\n  instanceStorePolicy: RAID0\n  tags: {b: c}\n  cpuOptions: "
	     "{nestedVirtualization: enabled}\n"
	     "  connectionTracking: {}\n  placementGroupSelector: {name: pg}\n"
	     "  kubelet: {maxPods: 20, systemReserved: {cpu: 100m}, evictionHard: {memory.available: 5%}}\n"
	     "  networkInterfaces: [{networkCardIndex: 1, deviceIndex: 2, interfaceType: efa-only}]\n"
	     "  blockDeviceMappings: [{deviceName: /dev/xvda, rootVolume: true, ebs: {volumeSize: 20Gi}}, "
	     "{ebs: {encrypted: true}}]\n"
	     "status:\n  subnets: [{id: s, zone: z, zoneID: i}]\n  amis: [{id: ami, requirements: [{key: k, "
	     "operator: Exists}]}]\n"
	     "  securityGroups: [{id: sg-1, name: n}, {id: sg-2}]\n"
	     "  capacityReservations: [{id: cr, instanceType: m5.large, availabilityZone: z, "
	     "instanceMatchCriteria: open}]\n",
	     NULL);
	c = &t.c->classes.v[0];
	cr_expect(c->raid0 && c->nested_virtualization && c->connection_tracking && c->has_status);
	cr_expect_str_eq(TEXT(t, c->placement_group), "pg");
	cr_expect(c->kubelet.present && c->kubelet.max_pods == 20 && c->kubelet.eviction_hard.n == 1);
	cr_expect(c->has_interfaces && c->interface[0].efa_only && c->interface[0].device == 2);
	cr_expect(c->ndevice == 2 && c->device[0].has_size && !c->device[1].has_size && c->device[1].has_ebs);
	cr_expect(c->nsubnet == 1 && c->nami == 1 && c->ami[0].nreq == 1 && c->nsecurity_group == 2);
	cr_expect_str_eq(TEXT(t, c->security_group[1]), "sg-2");
	cr_expect(c->reservation[0].type == STR_DEFAULT && c->reservation[0].end_time == TIME_NONE);
	cr_expect_str_eq(TEXT(t, c->reservation[0].state), "active");
	loaded_release(&t);
}

/* A class that is not there: assumed for a plain input, left out where the input says what there is. */
Test(load_objects, missing_class)
{
	static const char pool[] = POOL "spec: {template: {spec: {" REF "}}}\n---\n";
	static const struct {
		const char *more;
		uint32_t classes;
		const char *message;
	} rows[] = {
		{"", 1,
		 "note 903: EC2NodeClass 'c' is not in the input; assumed: Amazon Linux 2023, all zones"},
		{CLASS, 1, ""},
		{"apiVersion: kspot.dev/v1\nkind: Settings\n", 0,
		 "warning 314: EC2NodeClass 'c' of NodePool 'a'"},
		{"apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata: {name: d}\n", 1,
		 "warning 314"},
		{"apiVersion: kspot.dev/v1\nkind: InstanceTypeSet\n", 0, ""},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct loaded t;
		struct buf b;

		buf_init(&b);
		buf_addf(&b, "%s%s", pool, rows[i].more);
		load(&t, buf_cstr(&b), NULL);
		cr_expect_eq(t.c->classes.n, rows[i].classes, "%s", rows[i].more);
		cr_expect(strstr(loaded_messages(&t), rows[i].message), "%s", loaded_messages(&t));
		cr_expect_eq(t.c->nnote, i == 0 ? 1u : 0u);
		loaded_release(&t);
		buf_release(&b);
	}
}

Test(load_objects, v1beta1)
{
	struct loaded t;
	const struct node_pool *p;
	const struct ec2_node_class *c;

	load(&t,
	     "apiVersion: karpenter.sh/v1beta1\nkind: NodePool\nmetadata: {name: a}\n"
	     "spec: {disruption: {expireAfter: 48h, consolidateAfter: Never, budgets: [{nodes: 5%, reasons: "
	     "[Drifted]}]}, "
	     "template: {spec: {kubelet: {maxPods: 3}, nodeClassRef: {apiVersion: x.y/v1beta1, name: "
	     "c}}}}\n---\n"
	     "apiVersion: karpenter.sh/v1beta1\nkind: NodePool\nmetadata: {name: b}\n"
	     "spec: {disruption: {consolidationPolicy: WhenEmpty}, template: {spec: {nodeClassRef: {name: "
	     "c}}}}\n---\n"
	     "apiVersion: karpenter.k8s.aws/v1beta1\nkind: EC2NodeClass\nmetadata: {name: c}\nspec: "
	     "{amiFamily: AL2}\n---\n"
	     "apiVersion: karpenter.k8s.aws/v1beta1\nkind: EC2NodeClass\nmetadata: {name: d}\nspec: "
	     "{amiFamily: AL2023, "
	     "amiSelectorTerms: [{id: ami-1}]}\n---\n"
	     "apiVersion: karpenter.k8s.aws/v1beta1\nkind: EC2NodeClass\nmetadata: {name: e}\nspec: "
	     "{amiFamily: Ubuntu}\n",
	     NULL);
	p = &t.c->pools.v[0];
	cr_expect(p->expire_after == 48 * HOUR && p->consolidate_after == 0 &&
		  p->policy == CONSOLIDATE_UNDERUTILIZED);
	cr_expect(p->nbudget == 1 && !p->budget[0].has_reasons);
	cr_expect_str_eq(TEXT(t, p->class_ref.group), "x.y");
	cr_expect_str_eq(TEXT(t, p->class_ref.kind), "EC2NodeClass");
	p = &t.c->pools.v[1];
	cr_expect(p->expire_after == 720 * HOUR && p->consolidate_after == DURATION_NEVER);
	cr_expect_eq(p->policy, CONSOLIDATE_WHEN_EMPTY);
	cr_expect_str_eq(TEXT(t, p->class_ref.group), "karpenter.k8s.aws");
	c = t.c->classes.v;
	cr_expect_str_eq(TEXT(t, c[0].alias), "al2@latest");
	cr_expect_eq(c[0].ami_family, SID_NONE);
	cr_expect(c[1].alias == SID_NONE && strcmp(TEXT(t, c[1].ami_family), "AL2023") == 0);
	cr_expect_str_eq(TEXT(t, c[2].ami_family), "AL2");
	cr_expect(c[2].has_devices && c[2].device[0].size.v == (qty)20 * 1024 * 1024 * 1024 * QTY_ONE);
	cr_expect(strstr(loaded_messages(&t),
			 "warning 309: NodePool 'a' is v1beta1 and was converted: "
			 "spec.disruption.expireAfter moved to spec.template.spec.expireAfter; "));
	loaded_release(&t);
}

Test(load_objects, settings)
{
	static const char text[] =
		"apiVersion: kspot.dev/v1\nkind: Settings\nspec:\n  now: '2026-01-19T12:00:00Z'\n  "
		"clusterName: c\n  region: eu-west-1\n"
		"  featureGates: {SpotToSpotConsolidation: true, ReservedCapacity: false}\n  "
		"preferencePolicy: Ignore\n"
		"  minValuesPolicy: BestEffort\n  vmMemoryOverheadPercent: 0.1\n  reservedENIs: 1\n  "
		"maxInstanceTypes: 60\n"
		"  wellKnownLabels: [size]\n  reservationLabel: res\n"
		"  catalog: {instanceTypes: ['c5.*'], zones: [], unavailable: [{instanceType: c5.large, "
		"zone: a}], prices: "
		"[{usdPerHour: 0.03}], reservations: [{id: cr-1, availableInstanceCount: 4}, {id: cr-2}]}\n";
	const struct load_options o = {
		.region = "us-east-2",
		.zones = (const char *const[]){"us-east-2a,us-east-2b", "us-east-2c"},
		.nzones = 2,
		.now = "1970-01-01T00:00:01Z",
		.gates = (const char *const[]){"NodeRepair=true,SpotToSpotConsolidation=false"},
		.ngates = 1,
		.preference_policy = "Respect",
		.min_values_policy = "Strict",
		.ice = (const char *const[]){"*:us-east-2a:spot"},
		.nice = 1,
	};
	struct loaded t;
	const struct settings *s;

	load(&t, text, NULL);
	s = &t.c->settings;
	cr_expect(s->given && s->gates[GATE_SPOT_TO_SPOT] && !s->gates[GATE_RESERVED_CAPACITY]);
	cr_expect(s->preference_ignore && s->min_values_best_effort && s->reserved_enis == 1);
	cr_expect(s->max_instance_types == 60 && s->nwell_known == 1 && s->has_zones && s->nzone == 0);
	cr_expect_str_eq(TEXT(t, s->reservation_label), "res");
	cr_expect(s->has_type_globs && s->ntype_glob == 1 && s->nunavailable == 1 && s->nprice == 1);
	cr_expect_eq(s->unavailable[0].capacity_type, SID_NONE);
	cr_expect(s->reservation[0].available == 4 && s->reservation[1].available == 1);
	cr_expect_str_eq(TEXT(t, s->region), "eu-west-1");
	loaded_release(&t);

	load(&t, text, &o);
	s = &t.c->settings;
	cr_expect_str_eq(TEXT(t, s->region), "us-east-2");
	cr_expect(s->now == 1 && s->nzone == 3 && s->nunavailable == 2 && !s->preference_ignore);
	cr_expect(!s->min_values_best_effort && s->gates[GATE_NODE_REPAIR] && !s->gates[GATE_SPOT_TO_SPOT]);
	cr_expect_str_eq(TEXT(t, s->unavailable[1].type), "*");
	loaded_release(&t);
}

/* What is assumed where nothing says: each a note. */
Test(load_objects, assumptions)
{
	struct loaded t;

	load(&t,
	     "apiVersion: v1\nkind: Node\nmetadata: {name: n1, creationTimestamp: '2026-01-01T00:00:00Z', "
	     "labels: "
	     "{topology.kubernetes.io/zone: eu-west-1a}}\n",
	     NULL);
	cr_expect_str_eq(TEXT(t, t.c->settings.region), "eu-west-1");
	cr_expect_eq(t.c->settings.now, 1767225600);
	cr_expect_eq(t.c->nnote, 2);
	cr_expect(strstr(loaded_messages(&t), "note 901: region eu-west-1, that of zone eu-west-1a"));
	cr_expect(strstr(loaded_messages(&t), "note 902: the time is 2026-01-01T00:00:00Z"));
	loaded_release(&t);

	load(&t, "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n", NULL);
	cr_expect_eq(t.c->settings.region, SID_NONE);
	cr_expect_eq(t.c->settings.now, TIME_NONE);
	loaded_release(&t);
}

Test(load_objects, volumes)
{
	struct loaded t;
	const struct pv *pv;

	load(&t,
	     "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: gp3, annotations: "
	     "{storageclass.kubernetes.io/is-default-class: 'true'}}\nprovisioner: "
	     "ebs.csi.aws.com\nallowedTopologies: "
	     "[{matchLabelExpressions: [{key: zone, values: [a]}]}]\n---\n"
	     "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: a}\nspec: {}\n---\n"
	     "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: b, annotations: "
	     "{volume.beta.kubernetes.io/storage-class: old}}\nstatus: {phase: Lost}\n---\n"
	     "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: c, uid: u}\n---\n"
	     "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: v, namespace: ignored}\nspec: {csi: "
	     "{driver: d}, local: "
	     "{path: /x}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: z, "
	     "operator: In, values: "
	     "[q]}]}]}}}\n---\n"
	     "apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: {name: n1}\nspec: {drivers: [{name: d, "
	     "nodeID: n, "
	     "allocatable: {count: 24}}, {name: e, nodeID: n}]}\n---\n"
	     "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: p}\nspec: {maxUnavailable: "
	     "1, "
	     "unhealthyPodEvictionPolicy: AlwaysAllow, selector: {}}\nstatus: {disruptionsAllowed: 2}\n",
	     NULL);
	cr_expect_str_eq(TEXT(t, t.c->storage_classes.v[0].binding_mode), "Immediate");
	cr_expect_str_eq(TEXT(t, t.c->storage_classes.v[0].term[0].expr[0].op), "In");
	cr_expect_str_eq(TEXT(t, t.c->pvcs.v[0].storage_class), "gp3");
	cr_expect(t.c->pvcs.v[1].storage_class == SID_NONE && t.c->pvcs.v[1].lost);
	cr_expect_eq(t.c->pvcs.v[2].storage_class, SID_NONE);
	pv = &t.c->pvs.v[0];
	cr_expect(pv->meta.ns == SID_EMPTY && pv->local && !pv->aws_ebs && pv->nterm == 1 &&
		  pv->term[0].n == 1);
	cr_expect(t.c->csi_nodes.v[0].driver[0].count == 24 && t.c->csi_nodes.v[0].driver[1].count == -1);
	cr_expect_str_eq(TEXT(t, t.c->pdbs.v[0].max_unavailable), "1");
	cr_expect(t.c->pdbs.v[0].always_allow && t.c->pdbs.v[0].selector.present);
	cr_expect_eq(t.c->pdbs.v[0].disruptions_allowed, 2);
	loaded_release(&t);
}

/* Namespaces with pods exist, and carry their name. */
Test(load_objects, namespaces)
{
	struct loaded t;

	load(&t,
	     "apiVersion: v1\nkind: Namespace\nmetadata: {name: q, labels: {team: x}}\n---\n"
	     "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: []}\n---\n"
	     "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: q}\nspec: {containers: []}\n",
	     NULL);
	cr_assert_eq(t.c->namespaces.n, 2);
	cr_expect_eq(t.c->namespaces.v[0].meta.name, STR_DEFAULT);
	cr_expect_str_eq(TEXT(t, t.c->namespaces.v[0].meta.labels.v[0].key), "kubernetes.io/metadata.name");
	cr_expect_eq(t.c->namespaces.v[0].meta.labels.v[0].val, STR_DEFAULT);
	cr_expect_eq(t.c->namespaces.v[1].meta.labels.n, 2);
	loaded_release(&t);
}

/* karpenter-core A17.3. */
Test(load_objects, buffers)
{
	static const struct {
		const char *spec;
		int64_t replicas;
	} rows[] = {
		{"podTemplateRef: {name: t}, replicas: 3", 3},
		{"podTemplateRef: {name: t}, replicas: 3, limits: {cpu: 5}", 2},
		{"podTemplateRef: {name: t}, limits: {cpu: 5, memory: 1Gi}", 1},
		{"podTemplateRef: {name: t}", 0},
		{"scalableRef: {kind: Deployment, name: w}, percentage: 25", 3},
		{"scalableRef: {kind: Deployment, name: w}, percentage: 1, replicas: 2", 2},
		{"scalableRef: {kind: Deployment, name: w}, percentage: 0", 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct loaded t;
		struct buf b;

		buf_init(&b);
		buf_addf(&b,
			 "apiVersion: autoscaling.x-k8s.io/v1beta1\nkind: CapacityBuffer\nmetadata: {name: "
			 "b}\nspec: {%s}\n---\n"
			 "apiVersion: v1\nkind: PodTemplate\nmetadata: {name: t}\ntemplate: {metadata: "
			 "{labels: {l: t}}, spec: "
			 "{containers: [{resources: {requests: {cpu: 2, memory: 1Gi}}}]}}\n---\n"
			 "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: w}\nspec: {replicas: 10, "
			 "template: {metadata: {labels: "
			 "{l: w}}, spec: {containers: []}}}\n",
			 rows[i].spec);
		load(&t, buf_cstr(&b), NULL);
		cr_expect_eq(t.c->buffers.v[0].replicas, rows[i].replicas, "%s: %lld", rows[i].spec,
			     (long long)t.c->buffers.v[0].replicas);
		cr_expect_eq(t.c->buffers.v[0].ready, rows[i].replicas > 0);
		cr_expect(t.c->buffers.v[0].spec && t.c->buffers.v[0].labels.n == 1);
		loaded_release(&t);
		buf_release(&b);
	}
}

Test(load_objects, ready_instance_types)
{
	struct loaded t;
	const struct itype *it;

	load(&t,
	     "apiVersion: kspot.dev/v1\nkind: InstanceTypeSet\nspec:\n  nodePools: [p]\n  instanceTypes:\n  "
	     "- name: small\n"
	     "    requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]\n"
	     "    capacity: {cpu: 2, memory: 8Gi}\n    overhead: {kubeReserved: {cpu: 70m}, "
	     "evictionThreshold: {memory: 100Mi}}\n"
	     "    offerings:\n    - {price: 0.03, reservationCapacity: 2, requirements: [{key: "
	     "karpenter.sh/capacity-type, operator: "
	     "In, values: [reserved]}, {key: topology.kubernetes.io/zone, operator: In, values: [z1]}, {key: "
	     "rid, operator: In, "
	     "values: [r1]}]}\n    - {price: 1, available: false}\n---\n"
	     "apiVersion: kspot.dev/v1\nkind: Settings\nspec: {reservationLabel: rid, wellKnownLabels: "
	     "[rid]}\n",
	     NULL);
	cr_assert(cluster_generic(t.c) && t.c->type_sets.v[0].types.n == 1 && t.c->type_sets.v[0].npool == 1);
	it = &t.c->type_sets.v[0].types.v[0];
	cr_expect_str_eq(loaded_list(&t, &it->allocatable), "{\"cpu\":\"1930m\",\"memory\":\"8092Mi\"}");
	cr_expect(it->noffering == 2 && it->offering[0].available && !it->offering[1].available);
	cr_expect(it->offering[0].capacity_type == CAP_RESERVED && it->offering[0].reservation_cap == 2);
	cr_expect_str_eq(TEXT(t, it->offering[0].zone), "z1");
	cr_expect_str_eq(TEXT(t, it->offering[0].reservation), "r1");
	cr_expect(it->offering[1].zone == SID_NONE && it->offering[1].reservation == SID_NONE);
	cr_expect(req_key_well_known(t.c->rp, req_key(t.c->rp, intern_cstr(t.c->in, "rid"))));
	cr_expect(!req_key_well_known(t.c->rp, req_key(t.c->rp, LBL_FAMILY)));
	loaded_release(&t);
}

Test(load_objects, kwok_instance_types)
{
	static const char text[] = //
		"[{\"name\": \"m5.2xlarge\", \"architecture\": \"amd64\", \"operatingSystems\": "
		"[\"linux\"],\n"
		"  \"resources\": {\"cpu\": \"8\", \"memory\": \"32Gi\"},\n"
		"  \"offerings\": [{\"Price\": 0.5, \"Available\": true, \"Requirements\": [\n"
		"    {\"key\": \"karpenter.sh/capacity-type\", \"operator\": \"In\", \"values\": "
		"[\"spot\"]},\n"
		"    {\"key\": \"topology.kubernetes.io/zone\", \"operator\": \"In\", \"values\": "
		"[\"z\"]}]}]},\n"
		" {\"name\": \"c-4x\", \"architecture\": \"arm64\", \"resources\": {\"cpu\": \"4\", "
		"\"pods\": \"5\"}, \"offerings\": []}]";
	struct loaded t;
	const struct itype *it;
	struct buf b;

	load(&t, text, NULL);
	cr_assert_eq(t.c->type_sets.v[0].types.n, 2);
	it = t.c->type_sets.v[0].types.v;
	buf_init(&b);
	rset_print(t.c->rp, &b, it[0].reqs);
	cr_expect_str_eq(
		buf_cstr(&b),
		"karpenter.kwok.sh/instance-cpu In [8], karpenter.kwok.sh/instance-family In [m5], "
		"karpenter.kwok.sh/instance-memory In [32Gi], karpenter.kwok.sh/instance-size In [2xlarge], "
		"karpenter.sh/capacity-type In [spot], kubernetes.io/arch In [amd64], kubernetes.io/os In "
		"[linux], "
		"node.kubernetes.io/instance-type In [m5.2xlarge], topology.kubernetes.io/zone In [z]");
	cr_expect_str_eq(loaded_list(&t, &it[0].allocatable),
			 "{\"cpu\":\"7900m\",\"memory\":\"32758Mi\",\"pods\":\"110\"}");
	cr_expect(it[0].offering[0].capacity_type == CAP_SPOT && it[0].offering[0].available);
	buf_clear(&b);
	rset_print(t.c->rp, &b, it[1].reqs);
	cr_expect(strstr(buf_cstr(&b), "instance-family In [c], "), "%s", buf_cstr(&b));
	cr_expect(strstr(buf_cstr(&b), "instance-size In [4], "), "%s", buf_cstr(&b));
	buf_release(&b);
	loaded_release(&t);
}
