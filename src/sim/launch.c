#include "gosort.h"
#include "sim_impl.h"

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

void sim_label(struct arena *a, struct label_list *l, sid key, sid val)
{
	for (uint32_t i = 0; i < l->v.n; i++)
		if (l->v.v[i].key == key)
			return;
	VEC_PUSH(a, &l->v, ((struct kv){key, val}));
}

/* A type's requirements name its reservations even where something else of it is launched (IT-42). */
static bool of_other_launch(const struct launching *x, sid label)
{
	bool reserved = x->offering && x->offering->capacity_type == CAP_RESERVED;

	return !reserved && (label == LBL_CR_ID || label == LBL_CR_TYPE || label == LBL_CR_INTERRUPTIBLE);
}

/* The requirements that leave one value. */
static void put_single(const struct launching *x, struct label_list *l, rsetid reqs)
{
	struct reqpool *rp = x->c->rp;

	for (uint32_t i = 0; i < rset_get(rp, reqs)->n; i++) {
		reqid id = rset_get(rp, reqs)->req[i];
		const struct req *q = req_get(rp, id);

		if (!q->complement && q->nvalues == 1 && !of_other_launch(x, req_key_name(rp, q->key)))
			sim_label(x->a, l, req_key_name(rp, q->key), req_any(rp, id));
	}
}

static bool key_before(const void *x, const void *y, const void *ctx)
{
	const struct kv *a = x, *b = y;

	return intern_cmp(ctx, a->key, b->key) < 0;
}

struct labels sim_labels(const struct cluster *c, struct label_list *l)
{
	GOSORT(l->v.v, l->v.n, key_before, c->in);
	return (struct labels){l->v.n, l->v.v};
}

/* LA-21: both tenancies are open to every type; the default one is taken where the claim allows it. */
static void put_tenancy(const struct launching *x, struct label_list *l)
{
	struct reqpool *rp = x->c->rp;
	keyid key = req_key(rp, LBL_TENANCY);
	reqid wanted = rset_find(rp, x->claim->reqs, key);

	if (rset_find(rp, x->type->reqs, key) == REQ_NONE)
		return;
	sim_label(x->a, l, LBL_TENANCY,
		  wanted == REQ_NONE || req_allows(rp, wanted, STR_DEFAULT)
			  ? STR_DEFAULT
			  : intern_cstr(x->c->in, "dedicated"));
}

/* What the provider and Karpenter write on the NodeClaim at launch: the claim's own labels first. */
static void claim_labels(const struct launching *x, struct label_list *l)
{
	for (uint32_t i = 0; i < x->claim->labels.n; i++)
		sim_label(x->a, l, x->claim->labels.v[i].key, x->claim->labels.v[i].val);
	put_single(x, l, x->claim->reqs);
	if (x->offering)
		put_single(x, l, x->offering->reqs);
	put_single(x, l, x->type->reqs);
	put_tenancy(x, l);
}

static struct conditions all_true(struct arena *a, const struct cluster *c, const char *const *types,
				  uint32_t n, int64_t since)
{
	struct condition *v = ARENA_ARRAY(a, struct condition, n);

	for (uint32_t i = 0; i < n; i++) {
		sid type = intern_cstr(c->in, types[i]);

		v[i] = (struct condition){.type = type,
					  .status = intern_cstr(c->in, "True"),
					  .reason = type,
					  .message = SID_EMPTY,
					  .transition = since};
	}
	return (struct conditions){n, v};
}

struct conditions sim_claim_up(struct arena *a, const struct cluster *c, const struct node_pool *pool,
			       int64_t since)
{
	static const char *const types[] = {"Launched", "Registered", "Initialized", "Ready",
					    "Consolidatable"};

	return all_true(a, c, types, !pool || pool->consolidate_after == DURATION_NEVER ? 4 : 5, since);
}

struct conditions sim_node_up(struct arena *a, const struct cluster *c, int64_t since)
{
	static const char *const types[] = {"Ready"};

	return all_true(a, c, types, 1, since);
}

int64_t sim_long_up(const struct cluster *c, const struct node_pool *pool)
{
	int64_t since = c->settings.now - HOUR;

	if (pool && pool->consolidate_after > 0 && pool->consolidate_after != DURATION_NEVER)
		since -= pool->consolidate_after / 1000000000;
	return since;
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

/* EFA interfaces are attached only where the claim requests them or its EC2NodeClass configures interfaces.
 */
static struct reslist attached(const struct launching *x, const struct reslist *l)
{
	const struct ec2_node_class *nc = cluster_class(x->c, x->claim->pool->class_ref.name);
	struct reslist out = {0, ARENA_ARRAY(x->a, struct res_item, l->n)};

	if (!x->claim->fleet || reslist_find(&x->claim->requests, RES_EFA) || (nc && nc->has_interfaces))
		return *l;
	for (uint32_t i = 0; i < l->n; i++)
		if (l->v[i].name != RES_EFA)
			out.v[out.n++] = l->v[i];
	return out;
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
	const struct node_pool *pool = x->claim->pool;
	struct label_list l = {0};

	claim_labels(x, &l);
	*out = (struct node_claim){
		.meta = {.name = x->name,
			 .labels = sim_labels(x->c, &l),
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
		.capacity = attached(x, &x->type->capacity),
		.allocatable = attached(x, &x->type->allocatable),
		.conditions = sim_claim_up(x->a, x->c, pool, x->since),
		.last_pod_event = TIME_NONE,
	};
}

void sim_label_up(struct arena *a, struct label_list *l, sid name)
{
	sim_label(a, l, LBL_HOSTNAME, name);
	sim_label(a, l, LBL_REGISTERED, STR_TRUE);
	sim_label(a, l, LBL_INITIALIZED, STR_TRUE);
}

static void make_node(const struct launching *x, struct node *out)
{
	struct label_list l = {0};

	claim_labels(x, &l);
	sim_label_up(x->a, &l, x->name);
	*out = (struct node){
		.meta = {.name = x->name,
			 .labels = sim_labels(x->c, &l),
			 .annotations = x->claim->annotations,
			 .created = x->since,
			 .deleted = TIME_NONE},
		.provider_id = provider_id(x),
		.taints = x->claim->pool->taints,
		.capacity = attached(x, &x->type->capacity),
		.allocatable = attached(x, &x->type->allocatable),
		.conditions = sim_node_up(x->a, x->c, x->since),
	};
}

static const struct offering *find_offering(const struct itype *t, const struct launch *l)
{
	for (uint32_t i = 0; i < t->noffering; i++)
		if (t->offering[i].zone == l->zone && t->offering[i].capacity_type == l->capacity_type &&
		    (l->capacity_type != CAP_RESERVED || t->offering[i].reservation == l->reservation))
			return &t->offering[i];
	return NULL;
}

/*
 * Karpenter makes room for gated and terminating pods as well (A2.1), but nothing binds those: one that ends
 * is gone, unless its StatefulSet starts it again.
 */
static void bind_pod(const struct cluster *c, struct pod *p, sid node)
{
	bool again = pod_is_reschedulable(c, p);

	if (p->spec->gated)
		return;
	p->phase = again ? POD_RUNNING : POD_SUCCEEDED;
	if (!again)
		return;
	p->meta.deleted = TIME_NONE;
	p->node = node;
	p->start_time = c->settings.now - HOUR;
}

void sim_bind(struct cluster *c, const uint32_t *pod, uint32_t n, sid node)
{
	for (uint32_t i = 0; i < n; i++)
		/* The pods of capacity buffers are not there. */
		if (pod[i] < c->pods.n)
			bind_pod(c, &c->pods.v[pod[i]], node);
}

bool sim_launch_claim(struct arena *a, struct cluster *c, const struct plan_claim *claim,
		      struct sim_types types, sid name)
{
	struct launching all = {.a = a, .c = c, .claim = claim, .name = name}, *x = &all;
	const struct node_pool *pool = claim->pool;
	const struct launch *l = &claim->launch;

	if (l->type == SID_NONE)
		return false;
	/* Ready-made types may share a name: the claim knows which it means. */
	for (uint32_t i = 0; i < claim->ntype && !x->type; i++)
		if (claim->type[i]->name == l->type)
			x->type = claim->type[i];
	if (!x->type)
		x->type = itype_find(types.by_pool[pool - x->c->pools.v], l->type);
	if (!x->type)
		return false;
	x->offering = find_offering(x->type, l);
	x->since = sim_long_up(c, pool);
	make_claim(x, &c->claims.v[c->claims.n++]);
	make_node(x, &c->nodes.v[c->nodes.n++]);
	return true;
}
