#include "provision.h"

#include "bits.h"
#include "gosort.h"
#include "protect.h"
#include "replicas.h"
#include "validate.h"
#include "why.h"

static void add_pending(struct snapshot *s, struct arena *a, struct pod_list *out, struct errors *errors)
{
	for (uint32_t i = 0; i < s->c->pods.n; i++) {
		const struct pod *p = &s->c->pods.v[i];
		const char *why;

		if (!pod_is_provisionable(s->c, p))
			continue;
		why = pod_invalid(&s->t, a, p);
		if (why) {
			VEC_PUSH(a, &errors->v,
				 ((struct pod_error){.pod = i,
						     .message = arena_printf(a, "ignoring pod, %s", why)}));
			continue;
		}
		struct run_pod *r = VEC_ADD(a, &out->v);

		run_pod_set(s, r, i);
		r->exempt = true;
	}
}

/*
 * The pods of CapacityBuffers are packed like pending ones (A2.8, A17). They have no phase, and only what is
 * Pending may join a node within consolidateAfter.
 */
static void add_virtual(struct snapshot *s, struct arena *a, struct pod_list *out)
{
	for (uint32_t i = 0; i < s->c->virtual_pods.n; i++) {
		struct run_pod *r = VEC_ADD(a, &out->v);

		run_pod_set(s, r, s->c->pods.n + i);
	}
}

void pending_pods(struct snapshot *s, struct arena *a, struct pod_list *out, struct pod_error **errors,
		  uint32_t *nerror)
{
	struct errors e = {0};

	add_pending(s, a, out, &e);
	add_virtual(s, a, out);
	*errors = e.v.v;
	*nerror = e.v.n;
}

void deleting_pods(struct snapshot *s, struct arena *a, struct pod_list *out)
{
	for (uint32_t i = 0; i < s->state.n; i++) {
		const struct snode *n = &s->state.v[i];

		if (!n->deleting || !n->node)
			continue;
		for (uint32_t k = 0; k < n->npod; k++) {
			if (!pod_is_currently_reschedulable(s->c, &s->c->pods.v[n->pod[k]]))
				continue;
			struct run_pod *r = VEC_ADD(a, &out->v);

			run_pod_set(s, r, n->pod[k]);
			r->exempt = r->from_deleting = true;
		}
	}
}

static bool error_before(const void *x, const void *y, const void *ctx)
{
	const struct pod_error *a = x, *b = y;

	(void)ctx;
	/* Pods are numbered by namespace and name. */
	return a->pod < b->pod;
}

const char *pool_over_limit(const struct snapshot *s, struct arena *a, const struct node_pool *np)
{
	struct reslist used = {0};

	if (!np->has_limits)
		return NULL;
	for (uint32_t i = 0; i < s->state.n; i++)
		if (s->state.v[i].pool == np && !s->state.v[i].deleting)
			used = reslist_add(s->c->in, a, &used, &s->state.v[i].capacity);
	for (uint32_t i = 0; i < np->limits.n; i++) {
		const struct res_item *limit = &np->limits.v[i];
		struct buf b;
		const char *text;

		if (reslist_amount(&used, limit->name) <= limit->v)
			continue;
		buf_init(&b);
		buf_addf(&b, "resource usage exceeds limit (limit=");
		quantity_print(&b, (struct quantity){limit->v, limit->format});
		buf_addf(&b, ", resource=%s, usage=", intern_c(s->c->in, limit->name));
		const struct res_item *u = reslist_find(&used, limit->name);

		quantity_print(&b, (struct quantity){u->v, u->format});
		buf_addch(&b, ')');
		text = arena_strndup(a, b.p, b.n);
		buf_release(&b);
		return text;
	}
	return NULL;
}

static void collect_claims(struct arena *a, struct snapshot *s, const struct solving *r, struct plan *plan)
{
	const struct plan_claim **of = ARENA_ARRAY(a, const struct plan_claim *, r->claims.n);

	plan->claim = ARENA_ARRAY(a, struct plan_claim, r->claims.n);
	for (uint32_t i = 0; i < r->claims.n; i++) {
		const struct claim *c = r->claims.v[i];
		struct plan_claim *out = &plan->claim[plan->nclaim];
		struct claim_data d;

		if (c->dropped)
			continue;
		plan->nclaim++;
		of[c->number] = out;
		claim_data_of(r, c, &d);
		if (c->like) {
			/* All but what comes from the pods. */
			*out = *of[c->like->number];
			out->npod = d.npod;
			out->pod = d.pod;
			out->requests = d.requests;
			continue;
		}
		claim_object(s, a, &d, out);
		out->fleet_error = pool_over_limit(s, a, d.m->pool);
	}
}

static void collect(struct arena *a, struct snapshot *s, const struct solving *r, struct plan *plan)
{
	const struct run_node **of = ARENA_ARRAY(a, const struct run_node *, s->state.n);

	collect_claims(a, s, r, plan);
	plan->node = ARENA_ARRAY(a, struct plan_node, r->nnode);
	for (uint32_t k = 0; k < r->nnode; k++)
		of[r->node[k].snode] = &r->node[k];
	for (uint32_t i = 0; i < s->state.n; i++) {
		const struct run_node *n = of[i];
		struct plan_node *out = &plan->node[plan->nnode];

		if (!n || !n->pods.n)
			continue;
		out->name = s->state.v[i].name;
		out->npod = n->pods.n;
		out->pod = ARENA_ARRAY(a, uint32_t, n->pods.n);
		for (uint32_t p = 0; p < n->pods.n; p++)
			out->pod[p] = r->pod[n->pods.v[p]].pod;
		plan->nnode++;
	}
}

struct solving *provision_run(struct arena *a, struct snapshot *s, struct pod_list *list,
			      struct errors *errors)
{
	uint64_t *absent = ARENA_ARRAY(a, uint64_t, BITS_WORDS(s->state.n + 1));
	struct run_options o = {.strict_reserved = true, .absent = absent};

	add_pending(s, a, list, errors);
	add_virtual(s, a, list);
	deleting_pods(s, a, list);
	for (uint32_t i = 0; i < s->state.n; i++)
		if (s->state.v[i].deleting)
			bits_set(absent, i);
	return list->v.n && s->m.npool ? run_solve(a, s, list->v.v, list->v.n, &o) : NULL;
}

void nodes_with_virtual_pods(struct arena *a, struct snapshot *s, uint64_t *ret_nodes)
{
	struct pod_list list = {0};
	struct errors errors = {0};
	struct solving *r = s->c->virtual_pods.n ? provision_run(a, s, &list, &errors) : NULL;

	for (uint32_t i = 0; r && i < r->nnode; i++)
		for (uint32_t k = 0; k < r->node[i].pods.n; k++)
			if (r->pod[r->node[i].pods.v[k]].pod >= s->c->pods.n)
				bits_set(ret_nodes, r->node[i].snode);
}

/* NodeClaims that static NodePools lack (B15.1). */
static void keep_replicas(struct arena *a, struct snapshot *s, struct plan *plan)
{
	const struct cluster *c = s->c;

	for (uint32_t i = 0; i < c->pools.n; i++) {
		const struct node_pool *np = &c->pools.v[i];
		int64_t lack = static_shortfall(s, np);
		struct plan_claim *grown, first;

		if (lack <= 0)
			continue;
		grown = ARENA_ARRAY(a, struct plan_claim, plan->nstatic + (size_t)lack);
		for (uint32_t k = 0; k < plan->nstatic; k++)
			grown[k] = plan->static_claim[k];
		plan->static_claim = grown;
		/* They are alike, and share what they point to. */
		claim_of_pool(s, a, np, &first);
		first.fleet_error = pool_over_limit(s, a, np);
		for (; lack > 0; lack--)
			plan->static_claim[plan->nstatic++] = first;
	}
}

static void add_errors(struct arena *a, struct solving *r, struct pod_list *list, struct errors *out)
{
	const struct pod_why *const *why = why_pending(a, r);

	for (uint32_t i = 0; i < list->v.n; i++) {
		struct run_pod *p = &list->v.v[i];

		if (p->error)
			VEC_PUSH(a, &out->v,
				 ((struct pod_error){p->pod, p->error, p->npool_error, p->pool_error,
						     why[i]}));
	}
}

static void refuse_all(struct arena *a, struct snapshot *s, const struct pod_list *list, struct errors *out)
{
	const struct pod_why *why = why_no_pools(a, s);

	for (uint32_t i = 0; i < list->v.n; i++)
		VEC_PUSH(a, &out->v,
			 ((struct pod_error){.pod = list->v.v[i].pod,
					     .message = "no dynamic nodepools found",
					     .why = why}));
}

struct plan *provision(struct arena *a, struct snapshot *s)
{
	struct plan *plan = ARENA_NEW(a, struct plan);
	struct pod_list list = {0};
	struct errors errors = {0};
	struct solving *r;

	plan->unsynced = s->state.unsynced;
	if (plan->unsynced)
		return plan;
	r = provision_run(a, s, &list, &errors);
	if (r)
		add_errors(a, r, &list, &errors);
	else if (list.v.n)
		refuse_all(a, s, &list, &errors);
	if (r)
		collect(a, s, r, plan);
	keep_replicas(a, s, plan);
	GOSORT(errors.v.v, errors.v.n, error_before, NULL);
	plan->error = errors.v.v;
	plan->nerror = errors.v.n;
	return plan;
}
