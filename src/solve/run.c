#include "run.h"

#include <string.h>

#include "bits.h"
#include "gosort.h"

/* --- queue (A4.3, A4.4) --- */

struct queue_sort {
	const struct intern *in;
	const struct run_pod *pod;
};

static bool larger_first(const void *x, const void *y, const void *ctx)
{
	const struct queue_sort *s = ctx;
	const uint32_t *i = x, *j = y;
	const struct run_pod *a = &s->pod[*i], *b = &s->pod[*j];

	if (a->cpu != b->cpu)
		return a->cpu > b->cpu;
	if (a->memory != b->memory)
		return a->memory > b->memory;
	if (a->meta->created != b->meta->created)
		return a->meta->created < b->meta->created;
	return intern_cmp(s->in, a->meta->uid, b->meta->uid) < 0;
}

struct queue {
	uint32_t *v; /* ring */
	uint32_t head, n, cap;
	uint32_t *last_length; /* by pod: length after it was pushed back; 0: never */
};

static void queue_init(struct queue *q, struct solving *r)
{
	struct queue_sort s = {r->s->c->in, r->pod};
	uint32_t *v = ARENA_ARRAY(r->arena, uint32_t, r->npod + 1);

	for (uint32_t i = 0; i < r->npod; i++)
		v[i] = i;
	GOSORT(v, r->npod, larger_first, &s);
	*q = (struct queue){v, 0, r->npod, r->npod + 1, ARENA_ARRAY(r->arena, uint32_t, r->npod)};
}

static bool queue_pop(struct queue *q, uint32_t *ret_pod)
{
	if (!q->n)
		return false;
	*ret_pod = q->v[q->head];
	if (q->last_length[*ret_pod] == q->n)
		return false;
	q->head = (q->head + 1) % q->cap;
	q->n--;
	return true;
}

static void queue_push(struct queue *q, uint32_t pod)
{
	q->v[(q->head + q->n) % q->cap] = pod;
	q->last_length[pod] = ++q->n;
}

/* --- pods --- */

static void set_amounts(struct run_pod *p, const struct reslist *requests)
{
	p->cpu = reslist_amount(requests, RES_CPU);
	p->memory = reslist_amount(requests, RES_MEMORY);
}

static void set_virtual(struct snapshot *s, struct run_pod *p, uint32_t pod)
{
	const struct virtual_pod *o = &s->c->virtual_pods.v[pod - s->c->pods.n];

	*p = (struct run_pod){.pod = pod, .meta = &o->meta};
	p->class = class_of(&s->t, &o->meta, o->spec, &o->requests, false);
	set_amounts(p, &o->requests);
}

void run_pod_set(struct snapshot *s, struct run_pod *p, uint32_t pod)
{
	const struct pod *o;

	if (pod >= s->c->pods.n) {
		set_virtual(s, p, pod);
		return;
	}
	o = &s->c->pods.v[pod];
	*p = (struct run_pod){.pod = pod, .meta = &o->meta};
	p->class = topology_pod_class(s->base, pod, &p->volumes);
	set_amounts(p, &o->requests);
}

/* --- where a pod is tried (A5) --- */

static struct variant_run *variant_run(struct solving *r, struct pod_variant *v)
{
	struct variant_run *k = v->r;

	if (!k->dead_node)
		k->dead_node = ARENA_ARRAY(r->arena, uint64_t, BITS_WORDS(r->nnode + 1));
	if (k->dead_claim_words * 64 <= r->claims.n) {
		uint32_t words = k->dead_claim_words ? k->dead_claim_words * 2 : 4;

		while (words * 64 <= r->claims.n)
			words *= 2;
		uint64_t *more = ARENA_ARRAY(r->arena, uint64_t, words);

		if (k->dead_claim_words)
			memcpy(more, k->dead_claim, k->dead_claim_words * sizeof(*more));
		k->dead_claim = more;
		k->dead_claim_words = words;
	}
	return k;
}

static bool to_node(struct attempt *a, uint32_t pod, struct fit *f)
{
	struct solving *r = a->r;
	struct variant_run *k = variant_run(r, a->v);
	bool final;

	if (a->p->volumes && a->p->volumes->usage_error)
		return false;
	for (uint32_t i = 0; i < r->nnode; i++) {
		if (bits_test(k->dead_node, i))
			continue;
		if (r->o.simulate && r->s->node[r->node[i].snode].under_consolidate && !a->p->exempt)
			continue;
		if (node_try(a, &r->node[i], f, &final)) {
			node_add(a, &r->node[i], pod, f);
			return true;
		}
		if (final)
			bits_set(k->dead_node, i);
	}
	return false;
}

static bool refused_has(const struct refused_sets *s, rsetid reqs)
{
	return reqs < s->n && s->at[reqs] == s->turn;
}

static void refused_add(struct solving *r, rsetid reqs)
{
	struct refused_sets *s = &r->refused;

	if (reqs >= s->n) {
		uint32_t n = reqs * 2 + 64;
		uint32_t *more = ARENA_ARRAY(r->arena, uint32_t, n);

		if (s->n)
			memcpy(more, s->at, s->n * sizeof(*more));
		s->at = more;
		s->n = n;
	}
	s->at[reqs] = s->turn;
}

static bool to_claim(struct attempt *a, uint32_t pod, struct fit *f)
{
	struct solving *r = a->r;
	struct variant_run *k = variant_run(r, a->v);
	bool final;

	claims_sort(r);
	for (uint32_t i = 0; i < r->claims.n; i++) {
		uint32_t id = r->order[i].claim;

		if (bits_test(k->dead_claim, id) || refused_has(&r->refused, r->order[i].reqs))
			continue;
		if (claim_try(a, r->claims.v[id], false, f, &final)) {
			claim_add(a, r->claims.v[id], pod, f);
			r->order[i].pods++;
			r->order[i].reqs = f->reqs;
			r->dirty = i;
			return true;
		}
		if (final)
			bits_set(k->dead_claim, id);
		else if (f->topology)
			refused_add(r, r->order[i].reqs);
	}
	return false;
}

static void open_claim(struct solving *r, struct claim *c)
{
	if (r->claims.n == r->order_cap) {
		uint32_t cap = r->order_cap ? r->order_cap * 2 : 16;
		struct claim_order *more = ARENA_ARRAY(r->arena, struct claim_order, cap);

		if (r->order_cap)
			memcpy(more, r->order, r->claims.n * sizeof(*more));
		r->order = more;
		r->order_cap = cap;
	}
	c->number = r->claims.n;
	r->order[c->number] = (struct claim_order){1, c->number, c->reqs};
	r->dirty = c->number;
	VEC_PUSH(r->arena, &r->claims, c);
}

/* The annotation is shared by all claims of a template; the last successful try decides (A5.10). */
static void note_relaxed(struct solving *r, const struct template *m, rsetid reqs)
{
	struct reqpool *p = r->s->c->rp;
	const struct rset *s = rset_get(p, m->reqs);
	bool relaxed = false;

	for (uint32_t i = 0; i < s->n; i++) {
		const struct req *was = req_get(p, s->req[i]);
		reqid now = rset_find(p, reqs, was->key);

		relaxed = relaxed ||
			  (was->min_values >= 0 && now != REQ_NONE && req_get(p, now)->min_values >= 0 &&
			   req_get(p, now)->min_values < was->min_values);
	}
	r->relaxed[m->index] = relaxed;
	r->relaxed_set[m->index] = true;
}

static bool to_new_claim(struct attempt *a, uint32_t pod, struct fit *f, bool *ret_reserved)
{
	struct solving *r = a->r;
	bool relax = r->s->c->settings.min_values_best_effort, final;

	a->p->hosts = r->hosts;
	for (uint32_t i = 0; i < r->s->m.n; i++) {
		struct template *m = &r->s->m.v[i];
		uint64_t *types = ARENA_ARRAY(r->arena, uint64_t, m->nwords);

		if (limit_of_nodes_reached(r, m) || !limit_types(r, m, types))
			continue;
		struct claim *c = claim_new(r, m, types);

		if (claim_try(a, c, relax, f, &final)) {
			note_relaxed(r, m, f->reqs);
			claim_add(a, c, pod, f);
			open_claim(r, c);
			limit_take(r, c);
			return true;
		}
		if (f->reserved_error) {
			*ret_reserved = true;
			return false;
		}
	}
	return false;
}

/* A2.10: where its volumes cannot be read, a pod counts where it is and owns no group until it is relaxed. */
static bool unprepared(const struct run_pod *p)
{
	return p->volumes && p->volumes->topology_error;
}

/* A4.5: as far as it can be relaxed, within one turn. */
static bool try_pod(struct solving *r, uint32_t pod, struct fit *f)
{
	struct run_pod *p = &r->pod[pod];
	struct pod_variant *v;

	p->reserved_error = false;
	if (p->class->spec->resource_claims)
		return false;
	for (uint32_t i = 0; (v = class_variant(&r->s->t, p->class, i)); i++) {
		struct attempt a = {r, p, v};

		p->variant = i;
		r->refused.turn++;
		if (i == 0 && unprepared(p))
			topology_own_none(&r->y, v);
		else
			topology_own(&r->y, p->class, v);
		if (to_node(&a, pod, f) || to_claim(&a, pod, f) ||
		    to_new_claim(&a, pod, f, &p->reserved_error))
			return true;
		if (p->reserved_error)
			return false;
	}
	return false;
}

/* --- why a pod has no place --- */

static const char *explain(struct solving *r, uint32_t pod)
{
	struct run_pod *p = &r->pod[pod];
	struct attempt a = {r, p, NULL};
	bool reserved = false;
	struct buf out;
	const char *text;

	if (p->class->spec->resource_claims)
		return "pod has Dynamic Resource Allocation requirements that are not yet supported by "
		       "Karpenter";
	if (!r->s->m.n)
		return "nodepool requirements filtered out all available instance types";
	a.v = class_variant(&r->s->t, p->class, p->variant);
	r->hosts = p->hosts;
	p->npool_error = 0;
	p->pool_error = ARENA_ARRAY(r->arena, struct pool_error, r->s->m.n);
	buf_init(&out);
	for (uint32_t i = 0; i < r->s->m.n && !reserved; i++) {
		struct template *m = &r->s->m.v[i];
		uint64_t *types = ARENA_ARRAY(r->arena, uint64_t, m->nwords);
		size_t before = out.n;

		if (out.n)
			buf_adds(&out, "; ");
		size_t start = out.n;

		if (limit_of_nodes_reached(r, m)) {
			buf_addf(&out, "node limits have been exhausted for nodepool (NodePool=%s)",
				 intern_c(r->s->c->in, m->pool->meta.name));
		} else if (!limit_types(r, m, types)) {
			buf_addf(&out,
				 "all available instance types exceed limits for nodepool (NodePool=%s)",
				 intern_c(r->s->c->in, m->pool->meta.name));
		} else {
			reserved = claim_explain(&a, claim_new(r, m, types),
						 r->s->c->settings.min_values_best_effort, &out);
		}
		if (out.n == start) {
			out.n = before;
			if (out.p)
				out.p[out.n] = '\0';
			continue;
		}
		p->pool_error[p->npool_error++] = (struct pool_error){
			m->pool->meta.name, arena_strndup(r->arena, out.p + start, out.n - start)};
	}
	text = arena_strndup(r->arena, buf_cstr(&out), out.n);
	buf_release(&out);
	return text;
}

/* --- the run --- */

static void set_nodes(struct solving *r)
{
	const struct snapshot *s = r->s;
	const struct class_table *t = &s->t;

	r->node = ARENA_ARRAY(r->arena, struct run_node, s->state.n);
	for (uint32_t i = 0; i < s->state.n; i++) {
		uint32_t at = s->order[i];
		struct run_node *n = &r->node[r->nnode];

		if (bits_test(r->o.absent, at))
			continue;
		r->nnode++;
		n->snode = at;
		n->reqs = s->state.v[at].reqs.set;
		n->left = ARENA_ARRAY(r->arena, qty, r->nlane);
		for (uint32_t k = 0; k < s->node[at].left.n; k++) {
			uint32_t lane;

			if (idmap_get(&t->lanes.of, s->node[at].left.v[k].name, &lane))
				n->left[lane] = s->node[at].left.v[k].v;
		}
		n->ports = (struct ports){
			{s->state.v[at].ports.v.v, s->state.v[at].ports.v.n, s->state.v[at].ports.v.n}};
		n->attached = (struct attachments){{s->state.v[at].attached.v.v, s->state.v[at].attached.v.n,
						    s->state.v[at].attached.v.n}};
	}
}

static void copy_reservations(struct solving *r)
{
	const struct idmap *from = &r->s->reserved;

	idmap_init(&r->reserved, r->arena);
	for (uint32_t i = 0; i < from->cap; i++)
		if (from->val[i])
			idmap_put(&r->reserved, from->key[i], from->val[i] - 1);
}

static void start(struct solving *r)
{
	struct snapshot *s = r->s;
	uint64_t *excluded = ARENA_ARRAY(r->arena, uint64_t, BITS_WORDS(s->c->pods.n + 1));

	for (uint32_t i = 0; i < r->npod; i++)
		if (r->pod[i].pod < s->c->pods.n && !unprepared(&r->pod[i]))
			bits_set(excluded, r->pod[i].pod);
	r->dirty = UINT32_MAX;
	topology_init(&r->y, r->arena, &r->scratch, s->base, s->run++, excluded, r->o.absent);
	/* The topology looks at the classes of running pods, which may name further resources. */
	r->nlane = s->t.lanes.name.n;
	r->total = ARENA_ARRAY(r->arena, qty, r->nlane);
	set_nodes(r);
	limits_start(r);
	copy_reservations(r);
	r->max_words = 1;
	for (uint32_t i = 0; i < s->m.n; i++)
		r->max_words = s->m.v[i].nwords > r->max_words ? s->m.v[i].nwords : r->max_words;
	r->relaxed = ARENA_ARRAY(r->arena, bool, s->m.n + 1);
	r->relaxed_set = ARENA_ARRAY(r->arena, bool, s->m.n + 1);
	for (uint32_t i = 0; i < r->npod; i++)
		if (!unprepared(&r->pod[i]))
			topology_own(&r->y, r->pod[i].class, class_variant(&s->t, r->pod[i].class, 0));
	for (uint32_t i = 0; i < r->nnode; i++)
		topology_register_host(&r->y, s->state.v[r->node[i].snode].host);
}

struct solving *run_solve(struct arena *a, struct snapshot *s, struct run_pod *pods, uint32_t n,
			  const struct run_options *o)
{
	struct solving *r = ARENA_NEW(a, struct solving);
	struct queue q;
	struct fit f = {0};
	uint32_t pod;

	*r = (struct solving){.arena = a, .s = s, .o = *o, .npod = n, .pod = pods, .hosts = s->hosts};
	arena_init(&r->scratch);
	/* Rewinding to an arena that holds a block keeps the block. */
	arena_alloc(&r->scratch, 1, 1);
	start(r);
	f.fit = ARENA_ARRAY(a, uint64_t, r->max_words);
	f.types = ARENA_ARRAY(a, uint64_t, r->max_words);
	queue_init(&q, r);
	while (queue_pop(&q, &pod)) {
		if (!try_pod(r, pod, &f))
			queue_push(&q, pod);
	}
	r->hosts_used = r->hosts - s->hosts;
	for (uint32_t i = 0; i < q.n; i++) {
		pod = q.v[(q.head + i) % q.cap];
		pods[pod].error = explain(r, pod);
	}
	/* Explaining counts again what trying has counted. */
	s->hosts += r->hosts_used;
	claims_finish(r);
	arena_release(&r->scratch);
	return r;
}
