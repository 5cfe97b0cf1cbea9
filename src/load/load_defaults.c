#include "idmap.h"
#include "loader.h"

static const struct {
	const char *name;
	int32_t value;
} system_classes[] = {
	{"system-cluster-critical", 2000000000},
	{"system-node-critical", 2000001000},
};

static const struct priority_class *default_priority(const struct priority_class *v, uint32_t n)
{
	const struct priority_class *best = NULL;

	for (uint32_t i = 0; i < n; i++)
		if (v[i].is_default && (!best || v[i].value < best->value))
			best = &v[i];
	return best;
}

static void set_priority(struct pod_spec *s, int32_t value)
{
	s->has_priority = true;
	s->priority = value;
}

/* The priority of a class; false when there is no such class. */
static bool class_priority(struct loader *l, struct pod_spec *s)
{
	uint32_t k = record_find(l, LK_PRIORITY_CLASS, SID_EMPTY, s->priority_class);

	if (k != UINT32_MAX) {
		set_priority(s, ((const struct priority_class *)record_at(l, LK_PRIORITY_CLASS, k))->value);
		return true;
	}
	for (size_t i = 0; i < sizeof(system_classes) / sizeof(*system_classes); i++) {
		if (!str_is(intern_str(l->in, s->priority_class), system_classes[i].name))
			continue;
		set_priority(s, system_classes[i].value);
		return true;
	}
	return false;
}

void resolve_priorities(struct loader *l)
{
	const struct priority_class *fallback = default_priority(
		(const void *)l->objects[LK_PRIORITY_CLASS].v, l->objects[LK_PRIORITY_CLASS].n);

	for (uint32_t i = 0; i < l->specs.n; i++) {
		struct shared_spec *s = l->specs.v[i];

		if (!s->ok || s->mode != SPEC_NEW || s->spec.has_priority)
			continue;
		if (s->spec.priority_class == SID_NONE) {
			if (fallback)
				set_priority(&s->spec, fallback->value);
		} else if (!class_priority(l, &s->spec)) {
			diag(l->d, KS_NO_PRIORITY_CLASS, s->at, "PriorityClass '%s' is not in the input",
			     intern_c(l->in, s->spec.priority_class));
			diag_hint(l->d,
				  "an API server would refuse the pod; it is planned without a priority");
		}
	}
}

void resolve_claims(struct loader *l)
{
	const struct storage_class *sc = (const void *)l->objects[LK_STORAGE_CLASS].v;
	struct pvc *pvc = (void *)l->objects[LK_PVC].v;
	sid is_default = intern_cstr(l->in, "storageclass.kubernetes.io/is-default-class");
	sid beta = intern_cstr(l->in, "volume.beta.kubernetes.io/storage-class");
	const struct storage_class *best = NULL;

	/* Of several default classes the API server takes the newest, then the first by name. */
	for (uint32_t i = 0; i < l->objects[LK_STORAGE_CLASS].n; i++) {
		const struct storage_class *s = &sc[i];

		if (labels_get(&s->meta.annotations, is_default) != STR_TRUE)
			continue;
		if (!best || s->meta.created > best->meta.created ||
		    (s->meta.created == best->meta.created &&
		     intern_cmp(l->in, s->meta.name, best->meta.name) < 0))
			best = s;
	}
	for (uint32_t i = 0; best && i < l->objects[LK_PVC].n; i++)
		if (pvc[i].storage_class == SID_NONE && pvc[i].meta.uid == SID_EMPTY &&
		    labels_get(&pvc[i].meta.annotations, beta) == SID_NONE)
			pvc[i].storage_class = best->meta.name;
}

static void missing_class(struct loader *l, const struct node_pool *pool, bool plain)
{
	const char *name = intern_c(l->in, pool->class_ref.name);

	if (plain) {
		node_class_default(l, pool->class_ref.name, pool->meta.at, load_add(l, LK_NODE_CLASS));
		load_assume(l, KS_ASSUME_NODE_CLASS, pool->meta.at,
			    "EC2NodeClass '%s' is not in the input; assumed: Amazon Linux 2023, all zones",
			    name);
		return;
	}
	diag(l->d, KS_NO_NODE_CLASS, pool->meta.at, "EC2NodeClass '%s' of NodePool '%s' is not in the input",
	     name, intern_c(l->in, pool->meta.name));
	diag_hint(l->d, "its NodePools are left out, as Karpenter does");
}

/* EC2NodeClasses that NodePools name and a plain input leaves out. */
void resolve_classes(struct loader *l)
{
	bool plain = l->objects[LK_NODE_CLASS].n == 0 && !l->c->settings.given;
	struct idmap told;

	if (l->objects[LK_TYPE_SET].n)
		return;
	idmap_init(&told, l->arena);
	for (uint32_t i = 0; i < l->objects[LK_NODE_POOL].n; i++) {
		const struct node_pool *pool = record_at(l, LK_NODE_POOL, i);
		sid name = pool->class_ref.name;
		uint32_t before;

		if (!str_is(intern_str(l->in, pool->class_ref.kind), "EC2NodeClass") ||
		    record_find(l, LK_NODE_CLASS, SID_EMPTY, name) != UINT32_MAX ||
		    idmap_get(&told, name, &before))
			continue;
		idmap_put(&told, name, 0);
		missing_class(l, pool, plain);
	}
}

/* A namespace that holds pods exists; every one carries its name as a label. */
void resolve_namespaces(struct loader *l)
{
	sid key = intern_cstr(l->in, "kubernetes.io/metadata.name");
	sid last = SID_NONE;

	/* Pods are in order of namespace. */
	for (uint32_t i = 0; i < l->c->pods.n; i++) {
		sid ns = l->c->pods.v[i].meta.ns;
		struct namespace_obj *made;

		if (ns == last || record_find(l, LK_NAMESPACE, SID_EMPTY, ns) != UINT32_MAX)
			continue;
		last = ns;
		made = load_add(l, LK_NAMESPACE);
		namespace_schema.init(made);
		made->meta.name = ns;
		made->meta.at = l->c->pods.v[i].meta.at;
	}
	for (uint32_t i = 0; i < l->objects[LK_NAMESPACE].n; i++) {
		struct object_meta *m = record_at(l, LK_NAMESPACE, i);
		struct kv *v;

		if (m->uid != SID_EMPTY || labels_get(&m->labels, key) != SID_NONE)
			continue;
		v = ARENA_ARRAY(l->arena, struct kv, m->labels.n + 1);
		if (m->labels.n)
			memcpy(v, m->labels.v, m->labels.n * sizeof(*v));
		v[m->labels.n] = (struct kv){key, m->name};
		m->labels = (struct labels){m->labels.n + 1, v};
		labels_sort(l->in, &m->labels);
	}
}
