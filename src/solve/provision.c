#include "provision.h"

#include "bits.h"
#include "gosort.h"
#include "protect.h"
#include "validate.h"

struct errors {
	VEC(struct pod_error) v;
};

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
				 ((struct pod_error){i, arena_printf(a, "ignoring pod, %s", why)}));
			continue;
		}
		struct run_pod *r = VEC_ADD(a, &out->v);

		run_pod_set(s, r, i);
		r->exempt = true;
	}
}

void pending_pods(struct snapshot *s, struct arena *a, struct pod_list *out, struct pod_error **errors,
		  uint32_t *nerror)
{
	struct errors e = {0};

	add_pending(s, a, out, &e);
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

static bool error_before(void *ctx, size_t i, size_t j)
{
	struct pod_error *e = ctx;

	/* Pods are numbered by namespace and name. */
	return e[i].pod < e[j].pod;
}

static void error_swap(void *ctx, size_t i, size_t j)
{
	struct pod_error *e = ctx, x = e[i];

	e[i] = e[j];
	e[j] = x;
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

static void collect(struct arena *a, struct snapshot *s, const struct solving *r, struct plan *plan)
{
	plan->claim = ARENA_ARRAY(a, struct plan_claim, r->claims.n);
	for (uint32_t i = 0; i < r->claims.n; i++) {
		struct claim_data d;

		if (r->claims.v[i]->dropped)
			continue;
		claim_data_of(r, r->claims.v[i], &d);
		claim_object(s, a, &d, &plan->claim[plan->nclaim]);
		plan->claim[plan->nclaim].fleet_error = pool_over_limit(s, a, d.m->pool);
		plan->nclaim++;
	}
	plan->node = ARENA_ARRAY(a, struct plan_node, r->nnode);
	for (uint32_t i = 0; i < s->state.n; i++)
		for (uint32_t k = 0; k < r->nnode; k++) {
			const struct run_node *n = &r->node[k];
			struct plan_node *out = &plan->node[plan->nnode];

			if (n->snode != i || !n->pods.n)
				continue;
			out->name = s->state.v[i].name;
			out->npod = n->pods.n;
			out->pod = ARENA_ARRAY(a, uint32_t, n->pods.n);
			for (uint32_t p = 0; p < n->pods.n; p++)
				out->pod[p] = r->pod[n->pods.v[p]].pod;
			plan->nnode++;
		}
}

struct plan *provision(struct arena *a, struct snapshot *s)
{
	struct plan *plan = ARENA_NEW(a, struct plan);
	struct pod_list list = {0};
	struct errors errors = {0};
	uint64_t *absent = ARENA_ARRAY(a, uint64_t, BITS_WORDS(s->state.n + 1));
	struct run_options o = {.strict_reserved = true, .absent = absent};

	if (s->state.unsynced)
		return plan;
	add_pending(s, a, &list, &errors);
	deleting_pods(s, a, &list);
	for (uint32_t i = 0; i < s->state.n; i++)
		if (s->state.v[i].deleting)
			bits_set(absent, i);
	if (list.v.n && !s->m.npool) {
		for (uint32_t i = 0; i < list.v.n; i++)
			VEC_PUSH(a, &errors.v,
				 ((struct pod_error){list.v.v[i].pod, "no dynamic nodepools found"}));
	} else if (list.v.n) {
		struct solving *r = run_solve(a, s, list.v.v, list.v.n, &o);

		for (uint32_t i = 0; i < list.v.n; i++)
			if (list.v.v[i].error)
				VEC_PUSH(a, &errors.v,
					 ((struct pod_error){list.v.v[i].pod, list.v.v[i].error}));
		collect(a, s, r, plan);
	}
	gosort(errors.v.v, errors.v.n, error_before, error_swap);
	plan->error = errors.v.v;
	plan->nerror = errors.v.n;
	return plan;
}
