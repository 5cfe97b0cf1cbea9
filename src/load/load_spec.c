#include "hash.h"
#include "loader.h"
#include "podreq.h"

/* A port of a container before it is known whether the pod uses the host's network. */
struct raw_port {
	struct host_port host;
	int32_t container_port;
};

struct container_record {
	struct container c;
	sid name;
	uint32_t nport;
	struct raw_port *port;
	bool claims;
};

struct spec_record {
	struct pod_spec s;
	uint32_t ncontainer, ninit;
	struct container_record *container, *init;
};

static const char *const restart_policies[] = {"OnFailure", "Always", "Never", NULL};

static bool load_restart(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	return load_choice_is(l, f, n, rec, restart_policies, 1);
}

static const struct field port_fields[] = {
	FIELD("containerPort", load_int32, struct raw_port, container_port),
	FIELD("hostPort", load_int32, struct raw_port, host.port),
	FIELD("hostIP", load_string, struct raw_port, host.ip),
	FIELD("protocol", load_string, struct raw_port, host.protocol),
	FIELD_KNOWN("name"),
};
static const struct schema port_schema = SCHEMA_OF(port_fields, NULL);

static const struct field container_resource_fields[] = {
	FIELD("requests", load_reslist, struct container_record, c.requests),
	FIELD("limits", load_reslist, struct container_record, c.limits),
	FIELD("claims", load_nonempty, struct container_record, claims),
};
static const struct schema container_resource_schema = SCHEMA_OF(container_resource_fields, NULL);

static const struct field container_fields[] = {
	FIELD("name", load_string, struct container_record, name),
	FIELD_KNOWN("image"),
	FIELD_IN("resources", container_resource_schema),
	FIELD_LIST("ports", port_schema, struct raw_port, struct container_record, nport, port),
	FIELD("restartPolicy", load_restart, struct container_record, c.restart_always),
	FIELD_KNOWN("restartPolicyRules"),
	FIELD_KNOWN("args"),
	FIELD_KNOWN("command"),
	FIELD_KNOWN("env"),
	FIELD_KNOWN("envFrom"),
	FIELD_KNOWN("imagePullPolicy"),
	FIELD_KNOWN("lifecycle"),
	FIELD_KNOWN("livenessProbe"),
	FIELD_KNOWN("readinessProbe"),
	FIELD_KNOWN("startupProbe"),
	FIELD_KNOWN("resizePolicy"),
	FIELD_KNOWN("securityContext"),
	FIELD_KNOWN("stdin"),
	FIELD_KNOWN("stdinOnce"),
	FIELD_KNOWN("terminationMessagePath"),
	FIELD_KNOWN("terminationMessagePolicy"),
	FIELD_KNOWN("tty"),
	FIELD_KNOWN("volumeDevices"),
	FIELD_KNOWN("volumeMounts"),
	FIELD_KNOWN("workingDir"),
};
static const struct schema container_schema = SCHEMA_OF(container_fields, NULL);

static const struct field preferred_node_fields[] = {
	FIELD("weight", load_int32, struct preferred_node_term, weight),
	FIELD_MAP("preference", node_term_schema, struct preferred_node_term, term),
};
static const struct schema preferred_node_schema = SCHEMA_OF(preferred_node_fields, NULL);

static const struct field required_terms_fields[] = {
	FIELD_LIST("nodeSelectorTerms", node_term_schema, struct node_term, struct pod_spec, nrequired,
		   required),
};
static const struct schema required_terms_schema = SCHEMA_OF(required_terms_fields, NULL);

static bool load_required_terms(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	((struct pod_spec *)rec)->has_required_terms = true;
	return schema_decode(l, f->sub, n, rec);
}

#define REQUIRED "requiredDuringSchedulingIgnoredDuringExecution"
#define PREFERRED "preferredDuringSchedulingIgnoredDuringExecution"

static const struct field node_affinity_fields[] = {
	{FIELD_NAME(REQUIRED), .decode = load_required_terms, .sub = &required_terms_schema},
	FIELD_LIST(PREFERRED, preferred_node_schema, struct preferred_node_term, struct pod_spec, npreferred,
		   preferred),
};
static const struct schema node_affinity_schema = SCHEMA_OF(node_affinity_fields, NULL);

static const struct field affinity_term_fields[] = {
	FIELD_WITH("labelSelector", load_selector, label_selector_schema, struct affinity_term, selector),
	FIELD("topologyKey", load_string, struct affinity_term, topology_key),
	FIELD_COUNTED("namespaces", load_strings, struct affinity_term, nns, ns),
	FIELD_WITH("namespaceSelector", load_selector, label_selector_schema, struct affinity_term,
		   ns_selector),
	FIELD_KNOWN("matchLabelKeys"),
	FIELD_KNOWN("mismatchLabelKeys"),
};
static const struct schema affinity_term_schema = SCHEMA_OF(affinity_term_fields, NULL);

static const struct field weighted_term_fields[] = {
	FIELD("weight", load_int32, struct affinity_term, weight),
	FIELD_IN("podAffinityTerm", affinity_term_schema),
};
static const struct schema weighted_term_schema = SCHEMA_OF(weighted_term_fields, NULL);

#define POD_AFFINITY(member_required, member_preferred)                                                      \
	FIELD_LIST(REQUIRED, affinity_term_schema, struct affinity_term, struct pod_spec, member_required.n, \
		   member_required.v),                                                                       \
		FIELD_LIST(PREFERRED, weighted_term_schema, struct affinity_term, struct pod_spec,           \
			   member_preferred.n, member_preferred.v)

static const struct field pod_affinity_fields[] = {POD_AFFINITY(affinity_required, affinity_preferred)};
static const struct schema pod_affinity_schema = SCHEMA_OF(pod_affinity_fields, NULL);
static const struct field anti_affinity_fields[] = {POD_AFFINITY(anti_required, anti_preferred)};
static const struct schema anti_affinity_schema = SCHEMA_OF(anti_affinity_fields, NULL);

static bool load_anti_affinity(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	((struct pod_spec *)rec)->has_anti_affinity = true;
	return schema_decode(l, f->sub, n, rec);
}

static const struct field affinity_fields[] = {
	FIELD_IN("nodeAffinity", node_affinity_schema),
	FIELD_IN("podAffinity", pod_affinity_schema),
	{FIELD_NAME("podAntiAffinity"), .decode = load_anti_affinity, .sub = &anti_affinity_schema},
};
static const struct schema affinity_schema = SCHEMA_OF(affinity_fields, NULL);

static const char *const spread_policies[] = {"DoNotSchedule", "ScheduleAnyway", NULL};
static const char *const honor_policies[] = {"Ignore", "Honor", NULL};

static const struct field spread_fields[] = {
	FIELD("maxSkew", load_int32, struct spread_constraint, max_skew),
	FIELD("topologyKey", load_string, struct spread_constraint, topology_key),
	FIELD_CHOICE("whenUnsatisfiable", spread_policies, struct spread_constraint, schedule_anyway),
	FIELD_WITH("labelSelector", load_selector, label_selector_schema, struct spread_constraint, selector),
	FIELD("minDomains", load_int32, struct spread_constraint, min_domains),
	FIELD_CHOICE("nodeAffinityPolicy", honor_policies, struct spread_constraint, honor_affinity),
	FIELD_CHOICE("nodeTaintsPolicy", honor_policies, struct spread_constraint, honor_taints),
	FIELD_COUNTED("matchLabelKeys", load_strings, struct spread_constraint, nmatch_keys, match_keys),
};

static void spread_init(void *rec)
{
	struct spread_constraint *s = rec;

	s->min_domains = -1;
	s->honor_affinity = true;
}

static const struct schema spread_schema = SCHEMA_OF(spread_fields, spread_init);

static bool load_seconds(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	((struct toleration *)rec)->has_seconds = true;
	return load_int64(l, f, n, rec);
}

static const struct field toleration_fields[] = {
	FIELD("key", load_string, struct toleration, key),
	FIELD("operator", load_string, struct toleration, op),
	FIELD("value", load_string, struct toleration, value),
	FIELD("effect", load_string, struct toleration, effect),
	FIELD("tolerationSeconds", load_seconds, struct toleration, seconds),
};
static const struct schema toleration_schema = SCHEMA_OF(toleration_fields, NULL);

static const struct field claim_source_fields[] = {
	FIELD("claimName", load_string, struct pod_volume, claim),
	FIELD_KNOWN("readOnly"),
};
static const struct schema claim_source_schema = SCHEMA_OF(claim_source_fields, NULL);

static const struct field ephemeral_spec_fields[] = {
	FIELD("storageClassName", load_string, struct pod_volume, ephemeral_class),
	FIELD_KNOWN("accessModes"),
	FIELD_KNOWN("dataSource"),
	FIELD_KNOWN("dataSourceRef"),
	FIELD_KNOWN("resources"),
	FIELD_KNOWN("selector"),
	FIELD_KNOWN("volumeAttributesClassName"),
	FIELD_KNOWN("volumeMode"),
	FIELD_KNOWN("volumeName"),
};
static const struct schema ephemeral_spec_schema = SCHEMA_OF(ephemeral_spec_fields, NULL);
static const struct field ephemeral_template_fields[] = {
	FIELD_IN("spec", ephemeral_spec_schema),
	FIELD_KNOWN("metadata"),
};
static const struct schema ephemeral_template_schema = SCHEMA_OF(ephemeral_template_fields, NULL);
static const struct field ephemeral_fields[] = {FIELD_IN("volumeClaimTemplate", ephemeral_template_schema)};
static const struct schema ephemeral_schema = SCHEMA_OF(ephemeral_fields, NULL);

static bool load_ephemeral(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	((struct pod_volume *)rec)->ephemeral = true;
	return schema_decode(l, f->sub, n, rec);
}

static const struct field volume_fields[] = {
	FIELD("name", load_string, struct pod_volume, name),
	FIELD_IN("persistentVolumeClaim", claim_source_schema),
	{FIELD_NAME("ephemeral"), .decode = load_ephemeral, .sub = &ephemeral_schema},
	FIELD_KNOWN("awsElasticBlockStore"),
	FIELD_KNOWN("azureDisk"),
	FIELD_KNOWN("azureFile"),
	FIELD_KNOWN("cephfs"),
	FIELD_KNOWN("cinder"),
	FIELD_KNOWN("configMap"),
	FIELD_KNOWN("csi"),
	FIELD_KNOWN("downwardAPI"),
	FIELD_KNOWN("emptyDir"),
	FIELD_KNOWN("fc"),
	FIELD_KNOWN("flexVolume"),
	FIELD_KNOWN("flocker"),
	FIELD_KNOWN("gcePersistentDisk"),
	FIELD_KNOWN("gitRepo"),
	FIELD_KNOWN("glusterfs"),
	FIELD_KNOWN("hostPath"),
	FIELD_KNOWN("image"),
	FIELD_KNOWN("iscsi"),
	FIELD_KNOWN("nfs"),
	FIELD_KNOWN("photonPersistentDisk"),
	FIELD_KNOWN("portworxVolume"),
	FIELD_KNOWN("projected"),
	FIELD_KNOWN("quobyte"),
	FIELD_KNOWN("rbd"),
	FIELD_KNOWN("scaleIO"),
	FIELD_KNOWN("secret"),
	FIELD_KNOWN("storageos"),
	FIELD_KNOWN("vsphereVolume"),
};

static void volume_init(void *rec)
{
	struct pod_volume *v = rec;

	v->claim = v->ephemeral_class = SID_NONE;
}

static const struct schema volume_schema = SCHEMA_OF(volume_fields, volume_init);

/* Only volumes with a claim decide anything. */
static bool has_no_claim(const struct doc_node *n)
{
	return n->kind == DOC_MAP && !doc_get(n, "persistentVolumeClaim") && !doc_get(n, "ephemeral");
}

static const struct field pod_resource_fields[] = {
	FIELD("requests", load_reslist, struct pod_spec, pod_requests),
	FIELD("limits", load_reslist, struct pod_spec, pod_limits),
	FIELD_KNOWN("claims"),
};
static const struct schema pod_resource_schema = SCHEMA_OF(pod_resource_fields, NULL);

static bool load_pod_resources(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	((struct pod_spec *)rec)->has_pod_resources = true;
	return schema_decode(l, f->sub, n, rec);
}

static bool load_priority(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	((struct pod_spec *)rec)->has_priority = true;
	return load_int32(l, f, n, rec);
}

/* nodeName is of the pod, not of its spec: pod_loaded reads it. */
static const struct field pod_spec_fields[] = {
	FIELD_LIST("containers", container_schema, struct container_record, struct spec_record, ncontainer,
		   container),
	FIELD_KNOWN("nodeName"),
	FIELD("nodeSelector", load_strmap, struct pod_spec, node_selector),
	FIELD_IN("affinity", affinity_schema),
	FIELD_LIST("tolerations", toleration_schema, struct toleration, struct pod_spec, ntoleration,
		   toleration),
	FIELD_LIST("topologySpreadConstraints", spread_schema, struct spread_constraint, struct pod_spec,
		   nspread, spread),
	{FIELD_NAME("volumes"), .decode = load_list, .off = offsetof(struct pod_spec, volume),
	 .count = offsetof(struct pod_spec, nvolume), .size = sizeof(struct pod_volume),
	 .sub = &volume_schema, .skip = has_no_claim},
	FIELD_LIST("initContainers", container_schema, struct container_record, struct spec_record, ninit,
		   init),
	{FIELD_NAME("resources"), .decode = load_pod_resources, .sub = &pod_resource_schema},
	FIELD("overhead", load_reslist, struct pod_spec, overhead),
	FIELD("resourceClaims", load_nonempty, struct pod_spec, resource_claims),
	FIELD("schedulingGates", load_nonempty, struct pod_spec, gated),
	FIELD("hostNetwork", load_bool, struct pod_spec, host_network),
	FIELD("priority", load_priority, struct pod_spec, priority),
	FIELD("priorityClassName", load_string, struct pod_spec, priority_class),
	FIELD("schedulerName", load_string, struct pod_spec, scheduler_name),
	FIELD("terminationGracePeriodSeconds", load_int64, struct pod_spec, grace_seconds),
	FIELD_KNOWN("activeDeadlineSeconds"),
	FIELD_KNOWN("automountServiceAccountToken"),
	FIELD_KNOWN("dnsConfig"),
	FIELD_KNOWN("dnsPolicy"),
	FIELD_KNOWN("enableServiceLinks"),
	FIELD_KNOWN("ephemeralContainers"),
	FIELD_KNOWN("hostAliases"),
	FIELD_KNOWN("hostIPC"),
	FIELD_KNOWN("hostPID"),
	FIELD_KNOWN("hostUsers"),
	FIELD_KNOWN("hostname"),
	FIELD_KNOWN("hostnameOverride"),
	FIELD_KNOWN("imagePullSecrets"),
	FIELD_KNOWN("os"),
	FIELD_KNOWN("preemptionPolicy"),
	FIELD_KNOWN("readinessGates"),
	FIELD_KNOWN("restartPolicy"),
	FIELD_KNOWN("runtimeClassName"),
	FIELD_KNOWN("securityContext"),
	FIELD_KNOWN("serviceAccount"),
	FIELD_KNOWN("serviceAccountName"),
	FIELD_KNOWN("setHostnameAsFQDN"),
	FIELD_KNOWN("shareProcessNamespace"),
	FIELD_KNOWN("subdomain"),
	FIELD_KNOWN("workloadRef"),
};

static void spec_init(void *rec)
{
	struct pod_spec *s = rec;

	s->priority_class = s->scheduler_name = SID_NONE;
	s->grace_seconds = 30;
}

const struct schema pod_spec_schema = SCHEMA_OF(pod_spec_fields, spec_init);

/* A resource with a limit and no request is requested at its limit. */
static void request_limits(struct loader *l, struct container *c)
{
	for (uint32_t i = 0; i < c->limits.n; i++) {
		const struct res_item *it = &c->limits.v[i];

		if (!reslist_find(&c->requests, it->name))
			c->requests = reslist_set(l->in, l->arena, &c->requests, it->name,
						  (struct quantity){it->v, it->format});
	}
}

/* The lists are fresh from decoding and nobody else's yet. */
static void round_list(struct reslist *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		r->v[i].v = quantity_round_milli(r->v[i].v);
}

/* A stored pod without a protocol keeps none, and that clashes with no other. */
static void finish_ports(struct loader *l, const struct container_record *r, bool host_network,
			 enum spec_mode mode, struct container *c)
{
	c->port = ARENA_ARRAY(l->arena, struct host_port, r->nport);
	for (uint32_t i = 0; i < r->nport; i++) {
		struct host_port p = r->port[i].host;

		if (host_network && p.port == 0)
			p.port = r->port[i].container_port;
		if (p.port == 0)
			continue;
		if (p.protocol == SID_EMPTY && mode != SPEC_STORED)
			p.protocol = intern_cstr(l->in, "TCP");
		c->port[c->nport++] = p;
	}
}

static struct container *finish_containers(struct loader *l, const struct container_record *r, uint32_t n,
					   const struct pod_spec *s, enum spec_mode mode, sid *ret_names)
{
	struct container *v = ARENA_ARRAY(l->arena, struct container, n);

	for (uint32_t i = 0; i < n; i++) {
		v[i] = r[i].c;
		ret_names[i] = r[i].name;
		finish_ports(l, &r[i], s->host_network && mode == SPEC_NEW, mode, &v[i]);
		if (mode == SPEC_STORED)
			continue;
		if (mode == SPEC_NEW)
			request_limits(l, &v[i]);
		round_list(&v[i].requests);
		round_list(&v[i].limits);
	}
	return v;
}

static struct shared_spec *decode_spec(struct loader *l, const struct doc_node *n, enum spec_mode mode)
{
	struct spec_record r = {0};
	struct shared_spec *out;
	bool ok;

	spec_init(&r);
	ok = schema_decode(l, &pod_spec_schema, n, &r);
	out = ARENA_NEW(l->arena, struct shared_spec);
	if (!ok)
		return out;
	if (r.s.scheduler_name == SID_NONE)
		r.s.scheduler_name = intern_cstr(l->in, "default-scheduler");
	r.s.ncontainer = r.ncontainer;
	r.s.ninit = r.ninit;
	out->container_names = ARENA_ARRAY(l->arena, sid, r.ncontainer + r.ninit);
	out->init_names = out->container_names + r.ncontainer;
	r.s.container = finish_containers(l, r.container, r.ncontainer, &r.s, mode, out->container_names);
	r.s.init = finish_containers(l, r.init, r.ninit, &r.s, mode, out->init_names);
	if (mode != SPEC_STORED) {
		round_list(&r.s.pod_requests);
		round_list(&r.s.pod_limits);
		round_list(&r.s.overhead);
	}
	out->spec = r.s;
	out->requests = pod_requests_of(l->in, l->arena, &out->spec, 0);
	out->ok = true;
	return out;
}

struct shared_spec *load_spec(struct loader *l, const struct doc_node *n, enum spec_mode mode)
{
	uint64_t h = schema_hash(&pod_spec_schema, n) + mode;
	struct shared_spec **slot = &l->spec_slot[h % SPEC_SLOTS];
	struct shared_spec *s;

	for (s = *slot; s; s = s->next)
		if (s->hash == h && s->mode == mode && schema_same(&pod_spec_schema, s->node, n))
			return s->ok ? s : NULL;
	s = decode_spec(l, n, mode);
	s->node = n;
	s->hash = h;
	s->mode = (uint8_t)mode;
	s->at = load_span(l, n);
	s->next = *slot;
	*slot = s;
	VEC_PUSH(l->arena, &l->specs, s);
	return s->ok ? s : NULL;
}
