#include <inttypes.h>
#include <stdio.h>

#include "idmap.h"
#include "loader.h"

static const struct field deployment_spec_fields[] = {
	FIELD("replicas", load_count, struct workload_record, replicas),
	FIELD_WITH("selector", load_selector, label_selector_schema, struct workload_record, w.selector),
	FIELD_MAP("template", template_schema, struct workload_record, template),
	FIELD_KNOWN("minReadySeconds"),
	FIELD_KNOWN("paused"),
	FIELD_KNOWN("progressDeadlineSeconds"),
	FIELD_KNOWN("revisionHistoryLimit"),
	FIELD_KNOWN("strategy"),
};
static const struct schema deployment_spec_schema = SCHEMA_OF(deployment_spec_fields, NULL);

static const struct field replica_set_spec_fields[] = {
	FIELD("replicas", load_count, struct workload_record, replicas),
	FIELD_WITH("selector", load_selector, label_selector_schema, struct workload_record, w.selector),
	FIELD_MAP("template", template_schema, struct workload_record, template),
	FIELD_KNOWN("minReadySeconds"),
};
static const struct schema replica_set_spec_schema = SCHEMA_OF(replica_set_spec_fields, NULL);

static const struct field stateful_set_spec_fields[] = {
	FIELD("replicas", load_count, struct workload_record, replicas),
	FIELD_WITH("selector", load_selector, label_selector_schema, struct workload_record, w.selector),
	FIELD_MAP("template", template_schema, struct workload_record, template),
	FIELD_LIST("volumeClaimTemplates", pvc_schema, struct pvc, struct workload_record, nclaim, claim),
	FIELD_KNOWN("minReadySeconds"),
	FIELD_KNOWN("ordinals"),
	FIELD_KNOWN("persistentVolumeClaimRetentionPolicy"),
	FIELD_KNOWN("podManagementPolicy"),
	FIELD_KNOWN("revisionHistoryLimit"),
	FIELD_KNOWN("serviceName"),
	FIELD_KNOWN("updateStrategy"),
};
static const struct schema stateful_set_spec_schema = SCHEMA_OF(stateful_set_spec_fields, NULL);

static const struct field job_spec_fields[] = {
	FIELD("parallelism", load_count, struct workload_record, parallelism),
	FIELD("completions", load_count, struct workload_record, completions),
	FIELD("suspend", load_bool, struct workload_record, suspend),
	FIELD_WITH("selector", load_selector, label_selector_schema, struct workload_record, w.selector),
	FIELD_MAP("template", template_schema, struct workload_record, template),
	FIELD_KNOWN("activeDeadlineSeconds"),
	FIELD_KNOWN("backoffLimit"),
	FIELD_KNOWN("backoffLimitPerIndex"),
	FIELD_KNOWN("completionMode"),
	FIELD_KNOWN("managedBy"),
	FIELD_KNOWN("manualSelector"),
	FIELD_KNOWN("maxFailedIndexes"),
	FIELD_KNOWN("podFailurePolicy"),
	FIELD_KNOWN("podReplacementPolicy"),
	FIELD_KNOWN("successPolicy"),
	FIELD_KNOWN("ttlSecondsAfterFinished"),
};
static const struct schema job_spec_schema = SCHEMA_OF(job_spec_fields, NULL);

static const struct field job_status_fields[] = {
	FIELD_LIST("conditions", condition_schema, struct condition, struct workload_record, conditions.n,
		   conditions.v),
	FIELD_KNOWN("active"),
	FIELD_KNOWN("completedIndexes"),
	FIELD_KNOWN("completionTime"),
	FIELD_KNOWN("failed"),
	FIELD_KNOWN("failedIndexes"),
	FIELD_KNOWN("ready"),
	FIELD_KNOWN("startTime"),
	FIELD_KNOWN("succeeded"),
	FIELD_KNOWN("terminating"),
	FIELD_KNOWN("uncountedTerminatedPods"),
};
static const struct schema job_status_schema = SCHEMA_OF(job_status_fields, NULL);

static void workload_init(struct workload_record *r, enum workload_kind kind)
{
	meta_schema.init(&r->w.meta);
	meta_schema.init(&r->template.meta);
	r->w.kind = kind;
	r->replicas = r->parallelism = r->completions = -1;
	r->owner = UINT32_MAX;
}

static void deployment_init(void *rec)
{
	workload_init(rec, WL_DEPLOYMENT);
}

static void replica_set_init(void *rec)
{
	workload_init(rec, WL_REPLICA_SET);
}

static void stateful_set_init(void *rec)
{
	workload_init(rec, WL_STATEFUL_SET);
}

static void job_init(void *rec)
{
	workload_init(rec, WL_JOB);
}

#define WORKLOAD_FIELDS(spec_schema) \
	FIELD_MAP("metadata", meta_schema, struct workload_record, w.meta), FIELD_IN("spec", spec_schema)

static const struct field deployment_fields[] = {WORKLOAD_FIELDS(deployment_spec_schema),
						 FIELD_KNOWN("status")};
const struct schema deployment_schema = SCHEMA_OF(deployment_fields, deployment_init);
static const struct field replica_set_fields[] = {WORKLOAD_FIELDS(replica_set_spec_schema),
						  FIELD_KNOWN("status")};
const struct schema replica_set_schema = SCHEMA_OF(replica_set_fields, replica_set_init);
static const struct field stateful_set_fields[] = {WORKLOAD_FIELDS(stateful_set_spec_schema),
						   FIELD_KNOWN("status")};
const struct schema stateful_set_schema = SCHEMA_OF(stateful_set_fields, stateful_set_init);
static const struct field job_fields[] = {WORKLOAD_FIELDS(job_spec_schema),
					  FIELD_IN("status", job_status_schema)};
const struct schema job_schema = SCHEMA_OF(job_fields, job_init);

static int64_t job_size(const struct loader *l, const struct workload_record *r)
{
	int64_t n = r->parallelism < 0 ? 1 : r->parallelism;

	if (r->suspend || conditions_true(&r->conditions, l->in, "Complete") ||
	    conditions_true(&r->conditions, l->in, "Failed"))
		return 0;
	return r->completions >= 0 && r->completions < n ? r->completions : n;
}

bool workload_loaded(struct loader *l, const struct doc_node *n, void *rec)
{
	struct workload_record *r = rec;

	r->order = l->sequence++;
	if (!r->template.spec_node)
		return load_no_template(l, n);
	if (!load_node_name(l, r->template.spec_node, "spec.template.spec.nodeName", &r->node))
		return false;
	r->shared = load_spec_at(l, r->template.spec_node, "spec.template.spec", SPEC_NEW);
	if (!r->shared)
		return false;
	r->w.replicas = r->w.kind == WL_JOB ? job_size(l, r) : r->replicas < 0 ? 1 : r->replicas;
	r->w.spec = &r->shared->spec;
	r->w.template_labels = r->template.meta.labels;
	r->w.template_annotations = r->template.meta.annotations;
	return true;
}

static const struct {
	const char *kind, *owner_version, *owner_kind;
	uint32_t first;
} kinds[] = {
	[WL_DEPLOYMENT] = {"Deployment", "apps/v1", "ReplicaSet", 1},
	[WL_REPLICA_SET] = {"ReplicaSet", "apps/v1", "ReplicaSet", 1},
	[WL_STATEFUL_SET] = {"StatefulSet", "apps/v1", "StatefulSet", 0},
	[WL_JOB] = {"Job", "batch/v1", "Job", 1},
};

const char *workload_kind_name(enum workload_kind k)
{
	return kinds[k].kind;
}

/* What expansion looks things up in. */
struct expansion {
	struct loader *l;
	struct workload_record *w;
	uint32_t nw;
	struct pod_record *pod;
	uint32_t npod;
	/* Selectors by their first matchLabels entry; those without one under SID_NONE. Lists in input order.
	 */
	struct idmap by_label;
	uint32_t *next;          /* of each workload: the next one of its list, or UINT32_MAX */
	struct record_list *out; /* of struct pod, in order of expansion */
};

static const struct owner_ref *controller(const struct object_meta *m)
{
	for (uint32_t i = 0; i < m->nowner; i++)
		if (m->owner[i].controller)
			return &m->owner[i];
	return NULL;
}

static uint32_t find_workload(const struct expansion *x, enum workload_kind kind, sid ns, sid name)
{
	return record_find(x->l, LK_NAMES_OF(kind), ns, name);
}

/* The Deployment that a ReplicaSet name stands for: DEPLOYMENT, as made up here, or DEPLOYMENT-HASH. */
static uint32_t deployment_of(const struct expansion *x, const struct pod_record *p, sid name)
{
	struct str text = intern_str(x->l->in, name);
	sid hash = labels_get(&p->pod.meta.labels, intern_cstr(x->l->in, "pod-template-hash"));
	struct str suffix = intern_str(x->l->in, hash);
	uint32_t i = find_workload(x, WL_DEPLOYMENT, p->pod.meta.ns, name);
	sid base;

	if (i != UINT32_MAX || !suffix.n || text.n < suffix.n + 2 || !str_ends(text, suffix.p) ||
	    text.p[text.n - suffix.n - 1] != '-')
		return i;
	base = intern_find(x->l->in, (struct str){text.p, text.n - suffix.n - 1});
	return base == SID_NONE ? UINT32_MAX : find_workload(x, WL_DEPLOYMENT, p->pod.meta.ns, base);
}

static bool expr_selects(const struct intern *in, const struct match_expr *e, const struct labels *labels)
{
	sid v = labels_get(labels, e->key);
	struct str op = intern_str(in, e->op);
	bool member = false;

	for (uint32_t i = 0; i < e->n; i++)
		member |= e->values[i] == v;
	if (str_is(op, "In"))
		return v != SID_NONE && member;
	if (str_is(op, "NotIn"))
		return v == SID_NONE || !member;
	return (v != SID_NONE) == str_is(op, "Exists");
}

static bool selects(const struct intern *in, const struct label_selector *s, const struct labels *labels)
{
	if (!s->present || s->invalid || (!s->match.n && !s->n))
		return false;
	for (uint32_t i = 0; i < s->match.n; i++)
		if (labels_get(labels, s->match.v[i].key) != s->match.v[i].val)
			return false;
	for (uint32_t i = 0; i < s->n; i++)
		if (!expr_selects(in, &s->expr[i], labels))
			return false;
	return true;
}

/* The first workload of a list that selects a pod, or UINT32_MAX. */
static uint32_t selecting(const struct expansion *x, const struct object_meta *m, sid key, sid val)
{
	uint32_t i;

	if (!idmap_get(&x->by_label, IDMAP_PAIR(key, val), &i))
		return UINT32_MAX;
	while (i != UINT32_MAX &&
	       (x->w[i].w.meta.ns != m->ns || !selects(x->l->in, &x->w[i].w.selector, &m->labels)))
		i = x->next[i];
	return i;
}

/* The workload that adopts a pod without a controller. */
static uint32_t adopting(const struct expansion *x, const struct object_meta *m)
{
	uint32_t first = selecting(x, m, SID_NONE, SID_NONE);

	for (uint32_t i = 0; i < m->labels.n; i++) {
		uint32_t w = selecting(x, m, m->labels.v[i].key, m->labels.v[i].val);

		if (w < first)
			first = w;
	}
	if (first != UINT32_MAX && x->w[first].owner != UINT32_MAX)
		return x->w[first].owner;
	return first;
}

/* The workload that a pod of the input belongs to: by its controller, or by selector where it has none. */
static uint32_t workload_of(const struct expansion *x, const struct pod_record *p)
{
	const struct owner_ref *o = controller(&p->pod.meta);
	struct str kind;
	uint32_t i;

	if (!o)
		return adopting(x, &p->pod.meta);
	kind = intern_str(x->l->in, o->kind);
	if (str_is(kind, "StatefulSet"))
		return find_workload(x, WL_STATEFUL_SET, p->pod.meta.ns, o->name);
	if (str_is(kind, "Job"))
		return find_workload(x, WL_JOB, p->pod.meta.ns, o->name);
	if (!str_is(kind, "ReplicaSet"))
		return UINT32_MAX;
	i = find_workload(x, WL_REPLICA_SET, p->pod.meta.ns, o->name);
	if (i == UINT32_MAX)
		return deployment_of(x, p, o->name);
	return x->w[i].owner != UINT32_MAX ? x->w[i].owner : i;
}

/* The Deployment that owns a ReplicaSet. Kubernetes goes by uid: without one it is a ReplicaSet of its own.
 */
static uint32_t owner_of(const struct expansion *x, const struct object_meta *m)
{
	const struct owner_ref *o = controller(m);
	uint32_t i;

	if (!o || o->uid == SID_EMPTY || !str_is(intern_str(x->l->in, o->kind), "Deployment"))
		return UINT32_MAX;
	i = find_workload(x, WL_DEPLOYMENT, m->ns, o->name);
	return i != UINT32_MAX && x->w[i].w.meta.uid == o->uid ? i : UINT32_MAX;
}

static void index_selectors(struct expansion *x)
{
	idmap_init(&x->by_label, x->l->arena);
	x->next = ARENA_ARRAY(x->l->arena, uint32_t, x->nw);
	for (uint32_t i = x->nw; i-- > 0;) {
		const struct labels *match = &x->w[i].w.selector.match;
		uint64_t key = match->n ? IDMAP_PAIR(match->v[0].key, match->v[0].val)
					: IDMAP_PAIR(SID_NONE, SID_NONE);

		if (!idmap_get(&x->by_label, key, &x->next[i]))
			x->next[i] = UINT32_MAX;
		idmap_put(&x->by_label, key, i);
	}
}

static void count_existing(struct expansion *x)
{
	for (uint32_t i = 0; i < x->nw; i++)
		if (x->w[i].w.kind == WL_REPLICA_SET)
			x->w[i].owner = owner_of(x, &x->w[i].w.meta);
	for (uint32_t i = 0; i < x->npod && x->nw; i++) {
		uint32_t w = workload_of(x, &x->pod[i]);

		if (w != UINT32_MAX)
			x->w[w].existing++;
	}
}

static sid ordinal_uid(struct loader *l, uint64_t ordinal)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "00000000-0000-4000-8000-%012" PRIu64, ordinal);

	return intern_put(l->in, (struct str){text, (size_t)n});
}

static sid joined(struct loader *l, sid a, struct str b)
{
	struct buf t;
	sid out;

	buf_init(&t);
	buf_addstr(&t, intern_str(l->in, a));
	buf_addch(&t, '-');
	buf_addstr(&t, b);
	out = intern_put(l->in, (struct str){t.p, t.n});
	buf_release(&t);
	return out;
}

/* The claims of one pod of a StatefulSet, and a spec that mounts them in front of the volumes of other names.
 */
static const struct pod_spec *claim_volumes(struct expansion *x, const struct workload_record *r,
					    sid pod_name)
{
	struct loader *l = x->l;
	struct pod_spec *own = arena_memdup(l->arena, r->w.spec, 1, sizeof(*own));
	uint32_t n = 0;

	own->volume = ARENA_ARRAY(l->arena, struct pod_volume, r->nclaim + r->w.spec->nvolume);
	for (uint32_t i = 0; i < r->nclaim; i++) {
		const struct pvc *t = &r->claim[i];
		sid name = joined(l, t->meta.name, intern_str(l->in, pod_name));

		own->volume[n++] =
			(struct pod_volume){.name = t->meta.name, .claim = name, .ephemeral_class = SID_NONE};
		if (record_find(l, LK_PVC, r->w.meta.ns, name) != UINT32_MAX)
			continue;

		struct pvc *c = load_add(l, LK_PVC);

		*c = *t;
		c->meta.name = name;
		c->meta.ns = r->w.meta.ns;
		c->meta.at = r->w.meta.at;
		idmap_put(&l->names[LK_PVC], IDMAP_PAIR(c->meta.ns, name), l->objects[LK_PVC].n - 1);
	}
	for (uint32_t i = 0; i < r->w.spec->nvolume; i++) {
		const struct pod_volume *v = &r->w.spec->volume[i];
		bool replaced = false;

		for (uint32_t k = 0; k < r->nclaim; k++)
			replaced |= r->claim[k].meta.name == v->name;
		if (!replaced)
			own->volume[n++] = *v;
	}
	own->nvolume = n;
	return own;
}

static void make_pod(struct expansion *x, const struct workload_record *r, struct owner_ref *owner, sid name)
{
	struct loader *l = x->l;
	struct pod *p = record_add(l, x->out, sizeof(*p));

	*p = (struct pod){
		.meta = {.name = name,
			 .ns = r->w.meta.ns,
			 .uid = ordinal_uid(l, ++l->npod),
			 .labels = r->w.template_labels,
			 .annotations = r->w.template_annotations,
			 .nowner = 1,
			 .owner = owner,
			 .created = l->c->settings.now,
			 .deleted = TIME_NONE,
			 .at = r->w.meta.at},
		.spec = r->nclaim ? claim_volumes(x, r, name) : r->w.spec,
		.node = r->node,
		.start_time = TIME_NONE,
		.requests = r->shared->requests,
	};
}

static bool expand(struct expansion *x, struct workload_record *r)
{
	struct loader *l = x->l;
	int64_t need = r->w.replicas - r->existing;
	struct owner_ref *owner;

	r->w.requests = r->shared->requests;
	r->w.node = r->node;
	r->w.nclaim = r->nclaim;
	r->w.claim = r->claim;
	if (r->owner != UINT32_MAX || need <= 0)
		return true;
	if ((uint64_t)need + l->npod > LOAD_MAX_PODS) {
		diag(l->d, KS_LIMIT_PODS, r->w.meta.at,
		     "%s '%s' asks for %" PRId64 " pods; the limit is %u in all", kinds[r->w.kind].kind,
		     intern_c(l->in, r->w.meta.name), r->w.replicas, LOAD_MAX_PODS);
		return false;
	}
	owner = ARENA_NEW(l->arena, struct owner_ref);
	*owner = (struct owner_ref){.api_version = intern_cstr(l->in, kinds[r->w.kind].owner_version),
				    .kind = intern_cstr(l->in, kinds[r->w.kind].owner_kind),
				    .name = r->w.meta.name,
				    .controller = true};
	for (uint32_t i = kinds[r->w.kind].first; need > 0; i++) {
		char text[16];
		int n = snprintf(text, sizeof(text), "%u", i);
		sid name = joined(l, r->w.meta.name, (struct str){text, (size_t)n});

		if (record_find(l, LK_POD, r->w.meta.ns, name) != UINT32_MAX)
			continue;
		make_pod(x, r, owner, name);
		need--;
	}
	return true;
}

/* A pod of the input keeps what it has and takes a number all the same. */
static void take_pod(struct expansion *x, const struct pod_record *r)
{
	struct pod *p = record_add(x->l, x->out, sizeof(*p));

	*p = r->pod;
	x->l->npod++;
	if (p->meta.uid == SID_EMPTY)
		p->meta.uid = ordinal_uid(x->l, x->l->npod);
	if (p->meta.created == TIME_NONE)
		p->meta.created = x->l->c->settings.now;
}

bool expand_workloads(struct loader *l, struct record_list *ret_pods)
{
	struct expansion x = {.l = l, .out = ret_pods};
	uint32_t i = 0, k = 0;
	bool ok = true;

	x.w = (void *)l->objects[LK_WORKLOAD].v;
	x.nw = l->objects[LK_WORKLOAD].n;
	x.pod = (void *)l->objects[LK_POD].v;
	x.npod = l->objects[LK_POD].n;
	index_selectors(&x);
	count_existing(&x);
	while (i < x.npod || k < x.nw) {
		if (k == x.nw || (i < x.npod && x.pod[i].pod.order < x.w[k].order))
			take_pod(&x, &x.pod[i++]);
		else
			ok &= expand(&x, &x.w[k++]);
	}
	return ok;
}
