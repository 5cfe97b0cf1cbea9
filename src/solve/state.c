#include "state.h"

#include "gosort.h"

bool pod_is_terminal(const struct pod *p)
{
	return p->phase == POD_FAILED || p->phase == POD_SUCCEEDED;
}

bool pod_is_active(const struct pod *p)
{
	return !pod_is_terminal(p) && p->meta.deleted == TIME_NONE;
}

bool pod_owned_by(const struct cluster *c, const struct pod *p, const char *api_version, const char *kind)
{
	for (uint32_t i = 0; i < p->meta.nowner; i++)
		if (str_is(intern_str(c->in, p->meta.owner[i].kind), kind) &&
		    str_is(intern_str(c->in, p->meta.owner[i].api_version), api_version))
			return true;
	return false;
}

static bool failed_to_schedule(const struct cluster *c, const struct pod *p)
{
	for (uint32_t i = 0; i < p->conditions.n; i++)
		if (str_is(intern_str(c->in, p->conditions.v[i].type), "PodScheduled") &&
		    str_is(intern_str(c->in, p->conditions.v[i].reason), "Unschedulable"))
			return true;
	/* A pending pod without conditions was not looked at by a scheduler yet; it is planned for
	 * (determinism). */
	return !p->has_conditions && !p->spec->gated;
}

bool pod_is_provisionable(const struct cluster *c, const struct pod *p)
{
	return failed_to_schedule(c, p) && p->node == SID_EMPTY && p->nominated_node == SID_EMPTY &&
	       !pod_owned_by(c, p, "apps/v1", "DaemonSet") && !pod_owned_by(c, p, "v1", "Node");
}

bool pod_is_reschedulable(const struct cluster *c, const struct pod *p)
{
	return (pod_is_active(p) ||
		(p->meta.deleted != TIME_NONE && pod_owned_by(c, p, "apps/v1", "StatefulSet"))) &&
	       !pod_owned_by(c, p, "apps/v1", "DaemonSet") && !pod_owned_by(c, p, "v1", "Node");
}

/* Amounts of the node, absent or zero ones filled from the NodeClaim (A8.4). */
static struct reslist filled(const struct intern *in, struct arena *a, const struct reslist *node,
			     const struct reslist *claim)
{
	struct reslist out = *node;

	for (uint32_t i = 0; i < claim->n; i++)
		if (reslist_amount(node, claim->v[i].name) == 0)
			out = reslist_set(in, a, &out, claim->v[i].name,
					  (struct quantity){claim->v[i].v, claim->v[i].format});
	return out;
}

static void set_resources(struct class_table *t, struct snode *s)
{
	struct arena *a = t->arena;
	const struct intern *in = t->cluster->in;
	static const struct reslist none;
	const struct reslist *capacity = s->node ? &s->node->capacity : &none;
	const struct reslist *allocatable = s->node ? &s->node->allocatable : &none;

	if (!s->initialized && s->claim) {
		s->capacity = filled(in, a, capacity, &s->claim->capacity);
		s->allocatable = filled(in, a, allocatable, &s->claim->allocatable);
	} else {
		s->capacity = *capacity;
		s->allocatable = *allocatable;
	}
	s->capacity = reslist_set(in, a, &s->capacity, RES_NODES, (struct quantity){QTY_ONE, QTY_DECIMAL});
}

static bool is_startup_taint(const struct node_claim *claim, const struct taint *t)
{
	for (uint32_t i = 0; i < claim->startup_taints.n; i++)
		if (claim->startup_taints.v[i].key == t->key &&
		    claim->startup_taints.v[i].effect == t->effect)
			return true;
	return false;
}

static void set_taints(struct class_table *t, struct snode *s, bool undisrupt)
{
	const struct taints *from =
		!s->node || (s->claim && !s->registered) ? &s->claim->taints : &s->node->taints;

	s->taints = (struct taints){0, ARENA_ARRAY(t->arena, struct taint, from->n)};
	for (uint32_t i = 0; i < from->n; i++) {
		const struct taint *x = &from->v[i];

		if (s->claim && !s->initialized &&
		    (taint_is_ephemeral(t->cluster->in, x) || is_startup_taint(s->claim, x)))
			continue;
		if (undisrupt && s->claim && s->node && !s->deleting && s->node->meta.deleted == TIME_NONE &&
		    x->key == TAINT_DISRUPTED && x->effect == EFFECT_NO_SCHEDULE)
			continue;
		s->taints.v[s->taints.n++] = *x;
	}
}

static void set_labels(struct class_table *t, struct snode *s)
{
	const struct cluster *c = t->cluster;
	bool from_claim = !s->node || (s->claim && !s->registered);
	const struct object_meta *m = from_claim ? &s->claim->meta : &s->node->meta;
	sid pool, host;

	s->name = m->name;
	s->labels = &m->labels;
	s->annotations = &m->annotations;
	host = labels_get(s->labels, LBL_HOSTNAME);
	s->host = host == SID_NONE || host == SID_EMPTY ? s->name : host;
	s->reqs = hreqs_split(t, reqs_of_labels(c->rp, s->labels));
	s->reqs.host = req_in1(c->rp, t->host_key, s->host);
	if (s->node)
		s->node_reqs = hreqs_split(t, reqs_of_labels(c->rp, &s->node->meta.labels));
	pool = labels_get(s->labels, LBL_NODEPOOL);
	s->pool = pool == SID_NONE ? NULL : cluster_pool(c, pool);
}

static bool label_is_true(const struct node *n, sid key)
{
	return n && labels_get(&n->meta.labels, key) == STR_TRUE;
}

static void set_node(struct class_table *t, struct snode *s, bool undisrupt)
{
	const struct cluster *c = t->cluster;

	s->registered = !s->claim || label_is_true(s->node, LBL_REGISTERED);
	s->initialized = !s->claim || label_is_true(s->node, LBL_INITIALIZED);
	s->deleting = s->claim ? s->claim->meta.deleted != TIME_NONE ||
					 conditions_true(&s->claim->conditions, c->in, "InstanceTerminating")
			       : s->node->meta.deleted != TIME_NONE;
	set_labels(t, s);
	set_taints(t, s, undisrupt);
	set_resources(t, s);
}

static bool node_less(const void *x, const void *y, const void *ctx)
{
	const struct snode *a = x, *b = y;
	int c = intern_cmp(ctx, a->name, b->name);

	return c ? c < 0 : intern_cmp(ctx, a->provider_id, b->provider_id) < 0;
}

uint32_t state_find_node(const struct state *s, sid node_name)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->v[i].node && s->v[i].node->meta.name == node_name)
			return i;
	return UINT32_MAX;
}

/* Pairs Nodes with NodeClaims by provider id. A Node that Karpenter would not track is left out. */
static void pair_nodes(struct state *s, struct class_table *t)
{
	const struct cluster *c = t->cluster;
	struct idmap by_id;

	idmap_init(&by_id, t->arena);
	s->v = ARENA_ARRAY(t->arena, struct snode, (size_t)c->nodes.n + c->claims.n);
	for (uint32_t i = 0; i < c->claims.n; i++) {
		const struct node_claim *claim = &c->claims.v[i];

		if (claim->provider_id == SID_EMPTY || claim->provider_id == SID_NONE) {
			s->unsynced = "a NodeClaim has no providerID yet";
			continue;
		}
		idmap_put(&by_id, claim->provider_id, s->n);
		s->v[s->n++] = (struct snode){.provider_id = claim->provider_id, .claim = claim};
	}
	for (uint32_t i = 0; i < c->nodes.n; i++) {
		const struct node *node = &c->nodes.v[i];
		bool managed = labels_get(&node->meta.labels, LBL_NODEPOOL) != SID_NONE &&
			       labels_get(&node->meta.labels, LBL_NODEPOOL) != SID_EMPTY;
		sid id = node->provider_id;
		uint32_t at;

		if (id == SID_NONE || id == SID_EMPTY) {
			if (managed)
				continue;
			id = node->meta.name;
		}
		sid type = labels_get(&node->meta.labels, LBL_INSTANCE_TYPE);
		sid initialized = labels_get(&node->meta.labels, LBL_INITIALIZED);

		if (managed && (type == SID_NONE || type == SID_EMPTY) &&
		    (initialized == SID_NONE || initialized == SID_EMPTY))
			continue;
		if (idmap_get(&by_id, id, &at)) {
			s->v[at].node = node;
		} else {
			idmap_put(&by_id, id, s->n);
			s->v[s->n++] = (struct snode){.provider_id = id, .node = node};
		}
	}
}

/* What the pods bound to the nodes take there. */
static void bind_pods(struct state *s, struct class_table *t)
{
	const struct cluster *c = t->cluster;
	struct arena *a = t->arena;
	uint32_t *count = ARENA_ARRAY(a, uint32_t, s->n);
	struct idmap by_name;

	idmap_init(&by_name, a);
	for (uint32_t i = 0; i < s->n; i++)
		if (s->v[i].node)
			idmap_put(&by_name, s->v[i].node->meta.name, i);
	s->node_of_pod = ARENA_ARRAY(a, uint32_t, c->pods.n);
	for (uint32_t i = 0; i < c->pods.n; i++) {
		if (c->pods.v[i].node == SID_EMPTY ||
		    !idmap_get(&by_name, c->pods.v[i].node, &s->node_of_pod[i]))
			s->node_of_pod[i] = UINT32_MAX;
		else
			count[s->node_of_pod[i]]++;
	}
	for (uint32_t i = 0; i < s->n; i++)
		s->v[i].pod = ARENA_ARRAY(a, uint32_t, count[i]);
	for (uint32_t i = 0; i < c->pods.n; i++) {
		const struct pod *p = &c->pods.v[i];
		struct snode *n = s->node_of_pod[i] == UINT32_MAX ? NULL : &s->v[s->node_of_pod[i]];
		const struct pod_volumes *vol;

		if (!n)
			continue;
		n->pod[n->npod++] = i;
		if (pod_is_terminal(p))
			continue;
		n->available = reslist_add(c->in, a, &n->available, &p->requests);
		if (pod_owned_by(c, p, "apps/v1", "DaemonSet"))
			n->daemon_requests = reslist_add(c->in, a, &n->daemon_requests, &p->requests);
		for (uint32_t k = 0; k < p->spec->ncontainer; k++)
			ports_add(a, &n->ports, i, p->spec->container[k].port, p->spec->container[k].nport);
		vol = p->spec->nvolume ? volumes_of(t, &p->meta, p->spec) : NULL;
		if (vol)
			attachments_add(a, &n->attached, &vol->use);
	}
	for (uint32_t i = 0; i < s->n; i++)
		s->v[i].available = reslist_sub(a, &s->v[i].allocatable, &s->v[i].available);
}

static bool same_taints(const struct taints *a, const struct taints *b)
{
	if (a->n != b->n)
		return false;
	for (uint32_t i = 0; i < a->n; i++)
		if (a->v[i].key != b->v[i].key || a->v[i].value != b->v[i].value ||
		    a->v[i].effect != b->v[i].effect)
			return false;
	return true;
}

struct taint_lists {
	VEC(const struct taints *) v;
};

static uint32_t taint_number(struct arena *a, struct taint_lists *l, const struct taints *t)
{
	for (uint32_t k = 0; k < l->v.n; k++)
		if (same_taints(l->v.v[k], t))
			return k;
	VEC_PUSH(a, &l->v, t);
	return l->v.n - 1;
}

/* Numbers equal lists of taints alike, so that a pod's verdict on them is remembered. */
static void number_taints(struct state *s, struct arena *a)
{
	struct taint_lists lists = {0};

	for (uint32_t i = 0; i < s->n; i++) {
		s->v[i].taint_id = taint_number(a, &lists, &s->v[i].taints);
		if (s->v[i].node)
			s->v[i].node_taint_id = taint_number(a, &lists, &s->v[i].node->taints);
	}
}

void state_build(struct state *s, struct class_table *t, bool undisrupt)
{
	const struct cluster *c = t->cluster;

	*s = (struct state){0};
	pair_nodes(s, t);
	for (uint32_t i = 0; i < s->n; i++)
		set_node(t, &s->v[i], undisrupt);
	GOSORT(s->v, s->n, node_less, c->in);
	bind_pods(s, t);
	number_taints(s, t->arena);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct node *n = s->v[i].node;

		for (uint32_t k = 0; n && k < c->csi_nodes.n; k++)
			if (c->csi_nodes.v[k].meta.name == n->meta.name)
				s->v[i].limits =
					(struct csi_limits){c->csi_nodes.v[k].n, c->csi_nodes.v[k].driver};
	}
}
