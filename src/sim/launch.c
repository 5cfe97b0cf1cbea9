#include <string.h>

#include "carry_out.h"
#include "gosort.h"
#include "state.h"

enum { HOUR = 3600 };

/* One claim on its way to a node. */
struct launching {
	struct arena *a;
	const struct cluster *c;
	const struct plan_claim *claim;
	const struct itype *type;
	const struct offering *offering;
	sid name;
	int64_t since; /* when it was launched */
};

struct label_list {
	VEC(struct kv) v;
};

static void put_label(struct arena *a, struct label_list *l, sid key, sid val)
{
	for (uint32_t i = 0; i < l->v.n; i++)
		if (l->v.v[i].key == key)
			return;
	VEC_PUSH(a, &l->v, ((struct kv){key, val}));
}

/* The requirements that leave one value. */
static void put_single(const struct launching *x, struct label_list *l, rsetid reqs)
{
	struct reqpool *rp = x->c->rp;

	for (uint32_t i = 0; i < rset_get(rp, reqs)->n; i++) {
		reqid id = rset_get(rp, reqs)->req[i];
		const struct req *q = req_get(rp, id);

		if (!q->complement && q->nvalues == 1)
			put_label(x->a, l, req_key_name(rp, q->key), req_any(rp, id));
	}
}

struct label_sort {
	const struct intern *in;
	struct kv *v;
};

static bool key_before(void *ctx, size_t i, size_t j)
{
	const struct label_sort *s = ctx;

	return intern_cmp(s->in, s->v[i].key, s->v[j].key) < 0;
}

static void swap_labels(void *ctx, size_t i, size_t j)
{
	struct kv *v = ((struct label_sort *)ctx)->v, x = v[i];

	v[i] = v[j];
	v[j] = x;
}

static struct labels sorted(const struct launching *x, struct label_list *l)
{
	struct label_sort s = {x->c->in, l->v.v};

	gosort(&s, l->v.n, key_before, swap_labels);
	return (struct labels){l->v.n, l->v.v};
}

/* What the provider and Karpenter write on the NodeClaim at launch: the claim's own labels first. */
static void claim_labels(const struct launching *x, struct label_list *l)
{
	for (uint32_t i = 0; i < x->claim->labels.n; i++)
		put_label(x->a, l, x->claim->labels.v[i].key, x->claim->labels.v[i].val);
	put_single(x, l, x->claim->reqs);
	if (x->offering)
		put_single(x, l, x->offering->reqs);
	put_single(x, l, x->type->reqs);
}

static struct conditions all_true(const struct launching *x, const char *const *types, uint32_t n)
{
	struct condition *v = ARENA_ARRAY(x->a, struct condition, n);

	for (uint32_t i = 0; i < n; i++) {
		sid type = intern_cstr(x->c->in, types[i]);

		v[i] = (struct condition){.type = type,
					  .status = intern_cstr(x->c->in, "True"),
					  .reason = type,
					  .message = SID_EMPTY,
					  .transition = x->since};
	}
	return (struct conditions){n, v};
}

/* The image of the predicted launch. */
static sid image_of(const struct plan_claim *claim)
{
	for (uint32_t i = 0; claim->fleet && i < claim->fleet->nconfig; i++) {
		const struct fleet_config *config = &claim->fleet->config[i];

		for (uint32_t k = 0; k < config->n; k++)
			if (config->override[k].type == claim->launch.type &&
			    config->override[k].zone == claim->launch.zone)
				return config->override[k].ami;
	}
	return SID_EMPTY;
}

static sid provider_id(const struct launching *x)
{
	const struct intern *in = x->c->in;
	const char *text = arena_printf(x->a, "%s:///%s/%s", x->claim->fleet ? "aws" : "kspot",
					intern_c(in, x->claim->launch.zone), intern_c(in, x->name));

	return intern_cstr(x->c->in, text);
}

static void make_claim(const struct launching *x, struct node_claim *out)
{
	static const char *const types[] = {"Launched", "Registered", "Initialized", "Ready",
					    "Consolidatable"};
	const struct node_pool *pool = x->claim->pool;
	struct label_list l = {0};

	claim_labels(x, &l);
	*out = (struct node_claim){
		.meta = {.name = x->name,
			 .labels = sorted(x, &l),
			 .annotations = x->claim->annotations,
			 .created = x->since,
			 .deleted = TIME_NONE,
			 .generation = 1},
		.class_ref = pool->class_ref,
		.requests = x->claim->requests,
		.taints = pool->taints,
		.startup_taints = pool->startup_taints,
		.expire_after = pool->expire_after,
		.termination_grace = pool->termination_grace,
		.node_name = x->name,
		.provider_id = provider_id(x),
		.image_id = image_of(x->claim),
		.capacity = x->type->capacity,
		.allocatable = x->type->allocatable,
		.conditions = all_true(x, types, pool->consolidate_after == DURATION_NEVER ? 4 : 5),
		.last_pod_event = TIME_NONE,
	};
}

static void make_node(const struct launching *x, struct node *out)
{
	static const char *const types[] = {"Ready"};
	struct label_list l = {0};

	claim_labels(x, &l);
	put_label(x->a, &l, LBL_HOSTNAME, x->name);
	put_label(x->a, &l, LBL_REGISTERED, STR_TRUE);
	put_label(x->a, &l, LBL_INITIALIZED, STR_TRUE);
	*out = (struct node){
		.meta = {.name = x->name,
			 .labels = sorted(x, &l),
			 .annotations = x->claim->annotations,
			 .created = x->since,
			 .deleted = TIME_NONE},
		.provider_id = provider_id(x),
		.taints = x->claim->pool->taints,
		.capacity = x->type->capacity,
		.allocatable = x->type->allocatable,
		.conditions = all_true(x, types, 1),
	};
}

static const struct offering *find_offering(const struct itype *t, const struct launch *l)
{
	for (uint32_t i = 0; i < t->noffering; i++)
		if (t->offering[i].zone == l->zone && t->offering[i].capacity_type == l->capacity_type)
			return &t->offering[i];
	return NULL;
}

static void bind(struct cluster *c, const uint32_t *pod, uint32_t n, sid node)
{
	for (uint32_t i = 0; i < n; i++) {
		/* The pods of capacity buffers are not there. */
		if (pod[i] >= c->pods.n)
			continue;
		c->pods.v[pod[i]].node = node;
		c->pods.v[pod[i]].phase = POD_RUNNING;
	}
}

static void launch(struct launching *x, struct cluster *c, struct sim_types types)
{
	const struct node_pool *pool = x->claim->pool;
	const struct launch *l = &x->claim->launch;

	if (l->type == SID_NONE)
		return;
	x->type = itype_find(types.by_pool[pool - x->c->pools.v], l->type);
	if (!x->type)
		return;
	x->offering = find_offering(x->type, l);
	x->since = c->settings.now - HOUR;
	if (pool->consolidate_after > 0 && pool->consolidate_after != DURATION_NEVER)
		x->since -= pool->consolidate_after / 1000000000;
	make_claim(x, &c->claims.v[c->claims.n++]);
	make_node(x, &c->nodes.v[c->nodes.n++]);
	bind(c, x->claim->pod, x->claim->npod, x->name);
}

static bool node_before(void *ctx, size_t i, size_t j)
{
	const struct cluster *c = ctx;

	return intern_cmp(c->in, c->nodes.v[i].meta.name, c->nodes.v[j].meta.name) < 0;
}

static void swap_nodes(void *ctx, size_t i, size_t j)
{
	struct node *v = ((struct cluster *)ctx)->nodes.v, x = v[i];

	v[i] = v[j];
	v[j] = x;
}

static bool claim_before(void *ctx, size_t i, size_t j)
{
	const struct cluster *c = ctx;

	return intern_cmp(c->in, c->claims.v[i].meta.name, c->claims.v[j].meta.name) < 0;
}

static void swap_claims(void *ctx, size_t i, size_t j)
{
	struct node_claim *v = ((struct cluster *)ctx)->claims.v, x = v[i];

	v[i] = v[j];
	v[j] = x;
}

/* A copy of n elements with room for more. */
static void *copy_with_room(struct arena *a, const void *v, uint32_t n, uint32_t more, size_t size)
{
	char *out = arena_alloc(a, (size_t)n + more, size);

	if (n)
		memcpy(out, v, n * size);
	return out;
}

/* A cluster of its own arrays of nodes, NodeClaims and pods, with room for more nodes. */
static struct cluster *copy_cluster(struct arena *a, const struct cluster *c, uint32_t more)
{
	struct cluster *out = arena_memdup(a, c, 1, sizeof(*c));

	out->nodes.v = copy_with_room(a, c->nodes.v, c->nodes.n, more, sizeof(*c->nodes.v));
	out->claims.v = copy_with_room(a, c->claims.v, c->claims.n, more, sizeof(*c->claims.v));
	out->pods.v = copy_with_room(a, c->pods.v, c->pods.n, 0, sizeof(*c->pods.v));
	return out;
}

static void sort_nodes(struct cluster *c)
{
	gosort(c, c->nodes.n, node_before, swap_nodes);
	gosort(c, c->claims.n, claim_before, swap_claims);
}

struct cluster *sim_launch(struct arena *a, const struct cluster *c, const struct plan *plan,
			   struct sim_types types, const char *const *names)
{
	uint32_t more = plan->nclaim + plan->nstatic;
	struct cluster *out = copy_cluster(a, c, more);

	for (uint32_t i = 0; i < more; i++) {
		struct launching x = {.a = a, .c = c, .name = intern_cstr(c->in, names[i])};

		x.claim = i < plan->nclaim ? &plan->claim[i] : &plan->static_claim[i - plan->nclaim];
		launch(&x, out, types);
	}
	for (uint32_t i = 0; i < plan->nnode; i++)
		bind(out, plan->node[i].pod, plan->node[i].npod, plan->node[i].name);
	sort_nodes(out);
	return out;
}

static bool is_candidate(const struct disrupt_commands *commands, sid node)
{
	for (uint32_t i = 0; i < commands->n; i++)
		for (uint32_t k = 0; k < commands->v[i].ncandidate; k++)
			if (commands->v[i].candidate[k] == node)
				return true;
	return false;
}

static void remove_nodes(struct cluster *c, const struct disrupt_commands *commands)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < c->claims.n; i++)
		if (!is_candidate(commands, c->claims.v[i].node_name))
			c->claims.v[kept++] = c->claims.v[i];
	c->claims.n = kept;
	kept = 0;
	for (uint32_t i = 0; i < c->nodes.n; i++)
		if (!is_candidate(commands, c->nodes.v[i].meta.name))
			c->nodes.v[kept++] = c->nodes.v[i];
	c->nodes.n = kept;
}

static bool stays_with_node(const struct cluster *c, const struct pod *p)
{
	return !pod_is_active(p) || pod_owned_by(c, p, "apps/v1", "DaemonSet") ||
	       pod_owned_by(c, p, "v1", "Node");
}

/* Evicts the pods of the candidates. Those that end with their nodes are marked as ended, so that pods keep
 * their numbers. */
static void evict_pods(struct cluster *c, const struct disrupt_commands *commands)
{
	for (uint32_t i = 0; i < c->pods.n; i++) {
		struct pod *p = &c->pods.v[i];

		if (p->node == SID_EMPTY || !is_candidate(commands, p->node))
			continue;
		p->phase = stays_with_node(c, p) ? POD_SUCCEEDED : POD_PENDING;
		p->node = p->nominated_node = SID_EMPTY;
		p->has_conditions = p->phase == POD_SUCCEEDED;
		p->conditions.n = 0;
	}
}

struct cluster *sim_disrupt(struct arena *a, const struct cluster *c, const struct disrupt_commands *commands,
			    struct sim_types types, const char *const *names)
{
	uint32_t more = 0;
	struct cluster *out;

	for (uint32_t i = 0; i < commands->n; i++)
		more += commands->v[i].nreplacement;
	out = copy_cluster(a, c, more);
	remove_nodes(out, commands);
	evict_pods(out, commands);
	for (uint32_t i = 0; i < commands->n; i++)
		for (uint32_t k = 0; k < commands->v[i].nreplacement; k++) {
			struct launching x = {.a = a, .c = c, .name = intern_cstr(c->in, *names++)};

			x.claim = &commands->v[i].replacement[k];
			launch(&x, out, types);
		}
	sort_nodes(out);
	return out;
}
