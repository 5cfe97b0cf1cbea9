#include "load.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "idmap.h"
#include "loader.h"
#include "scalar.h"

struct kind_row {
	const char *kind, *group, *version;
	enum load_kind list;
	const struct schema *schema;
	bool namespaced;
	/* Settles the object by itself; may be NULL. */
	bool (*loaded)(struct loader *l, const struct doc_node *n, void *rec);
};

static const struct kind_row kind_rows[] = {
	{"NodePool", "karpenter.sh", "v1", LK_NODE_POOL, &node_pool_schema, false, node_pool_loaded},
	{"NodePool", "karpenter.sh", "v1beta1", LK_NODE_POOL, &beta_pool_schema, false, beta_pool_loaded},
	{"NodeClaim", "karpenter.sh", "v1", LK_NODE_CLAIM, &node_claim_schema, false, NULL},
	{"NodeOverlay", "karpenter.sh", "v1alpha1", LK_OVERLAY, &overlay_schema, false, NULL},
	{"CapacityBuffer", "autoscaling.x-k8s.io", "v1beta1", LK_BUFFER, &buffer_schema, true, NULL},
	{"CapacityBuffer", "autoscaling.x-k8s.io", "v1alpha1", LK_BUFFER, &buffer_schema, true, NULL},
	{"CapacityBuffer", "karpenter.sh", "v1alpha1", LK_BUFFER, &buffer_schema, true, NULL},
	{"EC2NodeClass", "karpenter.k8s.aws", "v1", LK_NODE_CLASS, &node_class_schema, false,
	 node_class_loaded},
	{"EC2NodeClass", "karpenter.k8s.aws", "v1beta1", LK_NODE_CLASS, &node_class_schema, false,
	 beta_class_loaded},
	{"Pod", "", "v1", LK_POD, &pod_schema, true, pod_loaded},
	{"Node", "", "v1", LK_NODE, &node_schema, false, NULL},
	{"PodTemplate", "", "v1", LK_POD_TEMPLATE, &pod_template_schema, true, pod_template_loaded},
	{"PersistentVolumeClaim", "", "v1", LK_PVC, &pvc_schema, true, NULL},
	{"PersistentVolume", "", "v1", LK_PV, &pv_schema, false, NULL},
	{"Namespace", "", "v1", LK_NAMESPACE, &namespace_schema, false, NULL},
	{"DaemonSet", "apps", "v1", LK_DAEMON_SET, &daemon_set_schema, true, daemon_set_loaded},
	{"Deployment", "apps", "v1", LK_WORKLOAD, &deployment_schema, true, workload_loaded},
	{"ReplicaSet", "apps", "v1", LK_WORKLOAD, &replica_set_schema, true, workload_loaded},
	{"StatefulSet", "apps", "v1", LK_WORKLOAD, &stateful_set_schema, true, workload_loaded},
	{"Job", "batch", "v1", LK_WORKLOAD, &job_schema, true, workload_loaded},
	{"PodDisruptionBudget", "policy", "v1", LK_PDB, &pdb_schema, true, NULL},
	{"StorageClass", "storage.k8s.io", "v1", LK_STORAGE_CLASS, &storage_class_schema, false,
	 storage_class_loaded},
	{"CSINode", "storage.k8s.io", "v1", LK_CSI_NODE, &csi_node_schema, false, NULL},
	{"PriorityClass", "scheduling.k8s.io", "v1", LK_PRIORITY_CLASS, &priority_class_schema, false, NULL},
};

/* Sizes of records and of the model's structs that they start with. */
static const struct {
	size_t record, model;
} sizes[LK_MAX_] = {
	[LK_TYPE_SET] = {sizeof(struct instance_type_set), sizeof(struct instance_type_set)},
	[LK_NODE_POOL] = {sizeof(struct pool_record), sizeof(struct node_pool)},
	[LK_NODE_CLASS] = {sizeof(struct class_record), sizeof(struct ec2_node_class)},
	[LK_NODE_CLAIM] = {sizeof(struct node_claim), sizeof(struct node_claim)},
	[LK_OVERLAY] = {sizeof(struct node_overlay), sizeof(struct node_overlay)},
	[LK_BUFFER] = {sizeof(struct capacity_buffer), sizeof(struct capacity_buffer)},
	[LK_NODE] = {sizeof(struct node), sizeof(struct node)},
	[LK_POD] = {sizeof(struct pod_record), sizeof(struct pod)},
	[LK_DAEMON_SET] = {sizeof(struct daemon_record), sizeof(struct daemon_set)},
	[LK_WORKLOAD] = {sizeof(struct workload_record), sizeof(struct workload)},
	[LK_POD_TEMPLATE] = {sizeof(struct pod_template), sizeof(struct pod_template)},
	[LK_PDB] = {sizeof(struct pdb), sizeof(struct pdb)},
	[LK_PVC] = {sizeof(struct pvc), sizeof(struct pvc)},
	[LK_PV] = {sizeof(struct pv), sizeof(struct pv)},
	[LK_STORAGE_CLASS] = {sizeof(struct storage_class), sizeof(struct storage_class)},
	[LK_CSI_NODE] = {sizeof(struct csi_node), sizeof(struct csi_node)},
	[LK_NAMESPACE] = {sizeof(struct namespace_obj), sizeof(struct namespace_obj)},
	[LK_PRIORITY_CLASS] = {sizeof(struct priority_class), sizeof(struct priority_class)},
};

void *record_add(struct loader *l, struct record_list *list, size_t size)
{
	if (list->n == list->cap)
		list->v = vec_grow(l->arena, list->v, list->n, &list->cap, list->n + 1, size);
	memset(list->v + list->n * size, 0, size);
	return list->v + list->n++ * size;
}

void *load_add(struct loader *l, enum load_kind k)
{
	return record_add(l, &l->objects[k], sizes[k].record);
}

void *record_at(const struct loader *l, enum load_kind k, uint32_t i)
{
	return l->objects[k].v + i * sizes[k].record;
}

void load_assume(struct loader *l, enum diag_code code, struct span at, const char *fmt, ...)
{
	const char *text;
	va_list ap;

	va_start(ap, fmt);
	text = arena_vprintf(l->arena, fmt, ap);
	va_end(ap);
	diag(l->d, code, at, "%s", text);
	VEC_PUSH(l->arena, &l->notes, text);
}

/* The text of a string at the top of an object; empty when it is none. */
static struct str text_at(const struct doc_node *n, const char *key)
{
	const struct doc_node *v = doc_get(n, key);

	return v && v->kind == DOC_SCALAR && !doc_is_null(v) ? v->text : (struct str){"", 0};
}

/* Counts an object that is passed over, by what is said of it in the end. */
static void pass_over(struct loader *l, enum diag_code code, struct str kind, const struct doc_node *n)
{
	struct ignored_kind *k;

	for (uint32_t i = 0; i < l->ignored.n; i++) {
		k = &l->ignored.v[i];
		if (k->code == code && str_eq(k->kind, kind)) {
			k->n++;
			return;
		}
	}
	k = VEC_ADD(l->arena, &l->ignored);
	*k = (struct ignored_kind){code, kind, 1, load_span(l, n)};
}

static bool check_name(struct loader *l, const struct doc_node *n, struct object_meta *m)
{
	struct str prefix = text_at(doc_get(n, "metadata"), "generateName");

	if (m->name != SID_EMPTY)
		return true;
	if (!prefix.n) {
		diag(l->d, KS_MISSING_FIELD, m->at, "metadata.name is missing");
		return false;
	}
	m->name = intern_cstr(l->in, arena_printf(l->arena, "%.*s%u", (int)prefix.n, prefix.p, l->nobject));
	return true;
}

static unsigned names_of(enum load_kind k, const void *rec)
{
	return k == LK_WORKLOAD ? LK_NAMES_OF(((const struct workload_record *)rec)->w.kind) : (unsigned)k;
}

uint32_t record_find(const struct loader *l, unsigned names, sid ns, sid name)
{
	uint32_t i;

	return idmap_get(&l->names[names], IDMAP_PAIR(ns, name), &i) ? i : UINT32_MAX;
}

/* Of objects of one kind and name the last stands, as with kubectl apply. */
static void replace_earlier(struct loader *l, const struct kind_row *k, struct object_meta *m)
{
	unsigned names = names_of(k->list, m);
	uint32_t i = record_find(l, names, m->ns, m->name);
	struct object_meta *old;

	if (i != UINT32_MAX) {
		old = record_at(l, k->list, i);
		diag(l->d, KS_OBJECT_TWICE, m->at, "%s '%s' is there twice; this one stands", k->kind,
		     intern_c(l->in, m->name));
		diag_note(l->d, old->at, "the other is here");
		old->name = SID_NONE;
		l->dropped[k->list] = true;
	}
	idmap_put(&l->names[names], IDMAP_PAIR(m->ns, m->name), l->objects[k->list].n - 1);
}

static bool load_object(struct loader *l, const struct kind_row *k, const struct doc_node *n)
{
	struct object_meta *m = load_add(l, k->list);
	bool ok;

	if (k->schema->init)
		k->schema->init(m);
	l->root = k->schema;
	l->stored = text_at(doc_get(n, "metadata"), "uid").n > 0;
	ok = schema_decode(l, k->schema, n, m);
	m->at = load_span(l, n);
	ok = ok && check_name(l, n, m) && (!k->loaded || k->loaded(l, n, m));
	if (!ok) {
		l->objects[k->list].n--;
		return false;
	}
	if (!k->namespaced)
		m->ns = SID_EMPTY;
	else if (m->ns == SID_EMPTY)
		m->ns = STR_DEFAULT;
	replace_earlier(l, k, m);
	return true;
}

static bool load_node_of(struct loader *l, const struct doc_node *n, struct str api_version, struct str kind);

/* Whether n is a list of objects, as kubectl get prints it. */
static const struct doc_node *items_of(const struct doc_node *n, struct str kind)
{
	const struct doc_node *items = doc_get(n, "items");

	return str_ends(kind, "List") && items && items->kind == DOC_SEQ ? items : NULL;
}

static bool load_items(struct loader *l, const struct doc_node *items, struct str api_version,
		       struct str kind)
{
	bool ok = true;

	kind.n -= strlen("List");
	for (uint32_t i = 0; i < items->n; i++)
		if (!doc_is_null(items->items[i]))
			ok &= load_node_of(l, items->items[i], api_version, kind);
	return ok;
}

static bool refuse_alpha(struct loader *l, const struct doc_node *n, struct str api_version, struct str kind)
{
	diag(l->d, KS_OLD_API, load_span(l, n), "%.*s of %.*s is from before Karpenter v0.32", (int)kind.n,
	     kind.p, (int)api_version.n, api_version.p);
	diag_hint(l->d, "write NodePools and EC2NodeClasses in its place: "
			"karpenter.sh/docs/upgrading/v1beta1-migration");
	return false;
}

static bool is_alpha(struct str api_version)
{
	return str_is(api_version, "karpenter.sh/v1alpha5") ||
	       str_starts(api_version, "provisioning.karpenter.sh/") ||
	       str_is(api_version, "karpenter.k8s.aws/v1alpha1") ||
	       str_is(api_version, "karpenter.k8s.aws/v1alpha5");
}

static const char *const noted_kinds[] = {"CronJob", "LimitRange", "ResourceQuota", NULL};

/* A kind without a row: why it is passed over. */
static enum diag_code reason_of(struct str group, struct str kind)
{
	for (unsigned i = 0; noted_kinds[i]; i++)
		if (str_is(kind, noted_kinds[i]))
			return KS_KIND_NOT_APPLIED;
	for (size_t i = 0; i < sizeof(kind_rows) / sizeof(*kind_rows); i++)
		if (str_is(kind, kind_rows[i].kind) &&
		    (str_is(group, kind_rows[i].group) || str_is(group, "extensions")))
			return KS_VERSION_NOT_SERVED;
	return KS_KIND_IGNORED;
}

static bool load_kspot(struct loader *l, const struct doc_node *n, struct str kind)
{
	if (str_is(kind, "Settings"))
		return load_settings(l, n);
	if (str_is(kind, "InstanceTypeSet"))
		return load_type_set(l, n);
	pass_over(l, KS_KIND_IGNORED, kind, n);
	return true;
}

/* Whether it is an object of another program, which a person may take for one of the cluster; *ret_ok: no
 * error. */
static bool refuse_foreign(struct loader *l, const struct doc_node *n, struct str group, struct str kind,
			   bool *ret_ok)
{
	struct str message = text_at(n, "message");

	*ret_ok = true;
	if (str_is(group, "eksctl.io")) {
		diag(l->d, KS_FOREIGN_KIND, load_span(l, n), "a %.*s of eksctl is no object of a cluster",
		     STR_ARG(kind));
		diag_hint(l->d, "get the objects from the cluster that it made: kubectl get ... -o yaml");
		return true;
	}
	if (group.n == 0 && str_is(kind, "Config") && doc_get(n, "clusters")) {
		diag(l->d, KS_FOREIGN_KIND, load_span(l, n), "a kubeconfig is no object of a cluster");
		diag_hint(l->d, "get the objects from the cluster that it names: kubectl get ... -o yaml");
		return true;
	}
	if (group.n == 0 && str_is(kind, "Status")) {
		diag(l->d, KS_API_STATUS, load_span(l, n), "this is a refusal of the API server: %.*s",
		     STR_ARG(message));
		diag_hint(l->d, "run the command that wrote the file again");
		*ret_ok = false;
		return true;
	}
	return false;
}

static bool dispatch(struct loader *l, const struct doc_node *n, struct str api_version, struct str kind)
{
	const char *slash = memchr(api_version.p, '/', api_version.n);
	size_t at = slash ? (size_t)(slash - api_version.p) : 0;
	struct str group = {api_version.p, at};
	struct str version = {api_version.p + at + (slash != NULL), api_version.n - at - (slash != NULL)};
	bool ok;

	if (str_is(group, "kspot.dev"))
		return load_kspot(l, n, kind);
	if (str_is(group, "kustomize.config.k8s.io")) {
		diag(l->d, KS_KUSTOMIZATION, load_span(l, n), "a %.*s is no object of a cluster",
		     STR_ARG(kind));
		diag_hint(l->d, "render it first with 'kubectl kustomize'");
		return true;
	}
	if (refuse_foreign(l, n, group, kind, &ok))
		return ok;
	if (is_alpha(api_version))
		return refuse_alpha(l, n, api_version, kind);
	for (size_t i = 0; i < sizeof(kind_rows) / sizeof(*kind_rows); i++) {
		const struct kind_row *k = &kind_rows[i];

		if (str_is(kind, k->kind) && str_is(group, k->group) && str_is(version, k->version))
			return load_object(l, k, n);
	}
	pass_over(l, reason_of(group, kind), kind, n);
	return true;
}

/* A bare list of instance types, the form of Karpenter's KWOK provider. */
static bool is_kwok(const struct doc_node *n)
{
	return n->kind == DOC_SEQ && n->n && doc_get(n->items[0], "name") &&
	       doc_get(n->items[0], "offerings");
}

static bool load_node_of(struct loader *l, const struct doc_node *n, struct str api_version, struct str kind)
{
	struct str own_version = text_at(n, "apiVersion"), own_kind = text_at(n, "kind");
	const struct doc_node *items;
	const char *hint;

	if (is_kwok(n))
		return load_type_set(l, n);
	if (own_version.n)
		api_version = own_version;
	if (own_kind.n)
		kind = own_kind;
	if (n->kind != DOC_MAP || !kind.n || !api_version.n) {
		diag(l->d, KS_NOT_AN_OBJECT, load_span(l, n), "this is no Kubernetes object: %s",
		     n->kind != DOC_MAP ? "it is not a map"
		     : kind.n           ? "it has no apiVersion"
					: "it has no kind");
		hint = l->d->muted ? NULL : doc_guess_object(l->doc->src, n);
		if (hint)
			diag_hint(l->d, "%s", hint);
		return false;
	}
	items = items_of(n, kind);
	if (items)
		return load_items(l, items, api_version, kind);
	if (++l->nobject > LOAD_MAX_OBJECTS) {
		if (l->nobject == LOAD_MAX_OBJECTS + 1)
			diag(l->d, KS_LIMIT_OBJECTS, load_span(l, n), "more than %u objects",
			     LOAD_MAX_OBJECTS);
		return false;
	}
	return dispatch(l, n, api_version, kind);
}

static const char *pass_over_text(enum diag_code code)
{
	if (code == KS_KIND_NOT_APPLIED)
		return "is not applied";
	return code == KS_VERSION_NOT_SERVED ? "of a version that is no longer served" : "decides nothing";
}

/* One note for all objects of a reason. */
static void note_passed_over(struct loader *l, enum diag_code code)
{
	struct span first = SPAN_NONE;
	struct buf b;
	uint32_t total = 0;

	buf_init(&b);
	for (uint32_t i = 0; i < l->ignored.n; i++) {
		const struct ignored_kind *k = &l->ignored.v[i];

		if (k->code != code)
			continue;
		if (!total)
			first = k->first;
		buf_addf(&b, "%s%u %.*s", total ? ", " : "", k->n, (int)k->kind.n, k->kind.p);
		total += k->n;
	}
	if (total)
		diag(l->d, code, first, "passed over, %s: %s", pass_over_text(code), buf_cstr(&b));
	buf_release(&b);
}

/* Drops records that later ones replaced. */
static void compact(struct loader *l, enum load_kind k)
{
	struct record_list *list = &l->objects[k];
	uint32_t n = 0;

	if (!l->dropped[k])
		return;
	for (uint32_t i = 0; i < list->n; i++) {
		struct object_meta *m = record_at(l, k, n);

		if (((struct object_meta *)record_at(l, k, i))->name == SID_NONE)
			continue;
		if (n != i)
			memcpy(m, record_at(l, k, i), sizes[k].record);
		idmap_put(&l->names[names_of(k, m)], IDMAP_PAIR(m->ns, m->name), n++);
	}
	list->n = n;
}

static int by_name(const void *a, const void *b, void *ctx)
{
	const struct object_meta *x = a, *y = b;
	int c = intern_cmp(ctx, x->ns, y->ns);

	return c ? c : intern_cmp(ctx, x->name, y->name);
}

/* The model's part of the records, in order of namespace and name. */
static void *publish(struct loader *l, const struct record_list *list, size_t record, size_t model, bool sort,
		     uint32_t *ret_n)
{
	char *v = arena_alloc(l->arena, list->n, model);

	for (uint32_t i = 0; i < list->n; i++)
		memcpy(v + i * model, list->v + i * record, model);
	if (sort)
		qsort_r(v, list->n, model, by_name, l->in);
	*ret_n = list->n;
	return v;
}

#define PUBLISH(l, kind, member, sorted)                                                             \
	((l)->c->member.v = publish((l), &(l)->objects[kind], sizes[kind].record, sizes[kind].model, \
				    (sorted), &(l)->c->member.n))

static void publish_all(struct loader *l)
{
	PUBLISH(l, LK_NODE_POOL, pools, true);
	PUBLISH(l, LK_NODE_CLASS, classes, true);
	PUBLISH(l, LK_NODE_CLAIM, claims, true);
	PUBLISH(l, LK_OVERLAY, overlays, true);
	PUBLISH(l, LK_BUFFER, buffers, true);
	PUBLISH(l, LK_NODE, nodes, true);
	PUBLISH(l, LK_DAEMON_SET, daemons, true);
	PUBLISH(l, LK_WORKLOAD, workloads, true);
	PUBLISH(l, LK_PDB, pdbs, true);
	PUBLISH(l, LK_PVC, pvcs, true);
	PUBLISH(l, LK_PV, pvs, true);
	PUBLISH(l, LK_STORAGE_CLASS, storage_classes, true);
	PUBLISH(l, LK_CSI_NODE, csi_nodes, true);
	PUBLISH(l, LK_NAMESPACE, namespaces, true);
	PUBLISH(l, LK_TYPE_SET, type_sets, false);
}

static void publish_pods(struct loader *l, struct record_list *pods)
{
	struct pod *v = (void *)pods->v;

	for (uint32_t i = 0; i < pods->n; i++)
		v[i].order = i;
	l->c->pods.v = publish(l, pods, sizeof(*v), sizeof(*v), true, &l->c->pods.n);
}

static bool static_pools(struct loader *l)
{
	for (uint32_t i = 0; i < l->c->pools.n; i++) {
		const struct node_pool *np = &l->c->pools.v[i];

		if (!np->is_static)
			continue;
		if (!l->c->settings.gates[GATE_STATIC_CAPACITY])
			diag(l->d, KS_GATE_OFF, np->meta.at,
			     "NodePool '%s' keeps no nodes: the feature gate StaticCapacity is off",
			     intern_c(l->in, np->meta.name));
		if (np->replicas > LOAD_MAX_PODS) {
			diag(l->d, KS_LIMIT_PODS, np->meta.at,
			     "NodePool '%s' asks for %" PRId64 " nodes; the limit is %u",
			     intern_c(l->in, np->meta.name), np->replicas, LOAD_MAX_PODS);
			return false;
		}
	}
	return true;
}

static bool settle(struct loader *l)
{
	struct record_list pods = {0};
	bool ok;

	for (unsigned k = 0; k < LK_MAX_; k++)
		compact(l, (enum load_kind)k);
	ok = settings_override(l);
	resolve_classes(l);
	settings_assume(l);
	ok &= expand_workloads(l, &pods);
	if (!ok)
		return false;
	resolve_priorities(l);
	resolve_claims(l);
	resolve_buffers(l);
	publish_pods(l, &pods);
	resolve_namespaces(l);
	publish_all(l);
	if (!static_pools(l) || !make_virtual_pods(l))
		return false;
	l->c->nnote = l->notes.n;
	l->c->note = l->notes.v;
	return true;
}

static void cluster_init(struct loader *l)
{
	struct cluster *c = ARENA_NEW(l->arena, struct cluster);

	l->c = c;
	c->arena = l->arena;
	c->in = l->in = ARENA_NEW(l->arena, struct intern);
	intern_init(l->in, l->arena);
	labels_init(l->in);
	settings_defaults(&c->settings, l->in);
}

/* Requirements can be made once it is known whose labels are well known. */
static void cluster_requirements(struct loader *l)
{
	struct cluster *c = l->c;

	c->rp = ARENA_NEW(l->arena, struct reqpool);
	reqpool_init(c->rp, l->arena, l->in, l->objects[LK_TYPE_SET].n == 0);
	for (uint32_t i = 0; i < c->settings.nwell_known; i++)
		reqpool_add_well_known(c->rp, c->settings.well_known[i]);
}

struct cluster *load_cluster(struct arena *session, struct diags *d, const struct docs *docs,
			     const struct load_options *o)
{
	struct loader l = {.arena = session, .d = d, .o = o, .newest = TIME_NONE};
	bool ok = true;

	cluster_init(&l);
	l.spec_slot = ARENA_ARRAY(session, struct shared_spec *, SPEC_SLOTS);
	for (unsigned i = 0; i < LK_NAMES; i++)
		idmap_init(&l.names[i], session);
	for (uint32_t i = 0; i < docs->v.n; i++) {
		l.doc = &docs->v.v[i];
		ok &= load_node_of(&l, l.doc->root, (struct str){"", 0}, (struct str){"", 0});
	}
	if (l.unknown > LOAD_MAX_UNKNOWN)
		diag(d, KS_UNKNOWN_FIELDS, SPAN_NONE, "%u more unknown fields", l.unknown - LOAD_MAX_UNKNOWN);
	note_passed_over(&l, KS_KIND_IGNORED);
	note_passed_over(&l, KS_VERSION_NOT_SERVED);
	note_passed_over(&l, KS_KIND_NOT_APPLIED);
	if (!ok)
		return NULL;
	cluster_requirements(&l);
	ok = load_type_sets(&l) && settle(&l);
	return ok ? l.c : NULL;
}
