#include <inttypes.h>

#include "why_impl.h"

/*
 * What the limits of a NodePool have to be raised to for all pods that wait for them. Karpenter counts a node
 * it plans as the largest type it may become, and larger limits let in larger types, so this is no sum: the
 * run is repeated, first without the limits, then with smaller and smaller ones.
 */

/* How many pods may be placed in search of smaller limits. */
enum { PLACEMENTS = 60000 };

struct raising {
	struct arena *a;
	struct solving *r;
	struct template *m;
	bool *waits, *gains; /* by pod of the run: only limits stop it; it has a place without them */
	uint32_t nwait, ngain;
	struct reslist safe;  /* what is enough, and whatever exceeds it */
	struct reslist least; /* the least found to be enough */
	uint64_t placed;
};

static qty no_limit(void)
{
	return qty_of(INT64_MAX);
}

static bool of_limit(const struct why_pool *p)
{
	for (uint32_t i = 0; i < p->n; i++)
		if (p->v[i].code == WHY_LIMIT)
			return true;
	return false;
}

static bool of_limit_alone(const struct why_pool *p)
{
	for (uint32_t i = 0; i < p->n; i++)
		if (p->v[i].code != WHY_LIMIT)
			return false;
	return p->n > 0;
}

static struct why_pool *pool_of(const struct pod_why *y, const struct node_pool *np)
{
	for (uint32_t i = 0; y && i < y->n; i++)
		if (y->pool[i].pool == np)
			return &y->pool[i];
	return NULL;
}

/* The run with other limits of the NodePool. It lives in a, and is over when the next begins. */
static struct solving *again(struct raising *w, struct arena *a, const struct reslist *limits)
{
	struct snapshot *s = w->r->s;
	struct reslist *all = ARENA_ARRAY(a, struct reslist, s->m.n);
	struct run_pod *pods = arena_memdup(a, w->r->pod, w->r->npod, sizeof(*pods));
	struct run_options o = w->r->o;
	uint32_t hosts = s->hosts;
	struct solving *out;

	for (uint32_t i = 0; i < s->m.n; i++)
		all[i] = s->m.v[i].pool->limits;
	all[w->m->index] = *limits;
	for (uint32_t i = 0; i < w->r->npod; i++) {
		pods[i].reserved_error = false;
		pods[i].error = NULL;
		pods[i].npool_error = 0;
	}
	o.limits = all;
	out = run_solve(a, s, pods, w->r->npod, &o);
	s->hosts = hosts;
	w->placed += w->r->npod;
	return out;
}

static bool nodes_stop(const struct raising *w)
{
	return reslist_amount(&w->r->limit[w->m->index], RES_NODES) <= 0;
}

static qty unit_of(const struct intern *in, sid resource, qty v)
{
	const qty mi = qty_of(1048576);

	if (!why_is_bytes(in, resource))
		return QTY_ONE;
	return v >= mi * 1024 ? mi * 1024 : mi;
}

/* Without limits: who gets a place, and what that takes of each. */
static void without_limits(struct raising *w)
{
	const struct intern *in = w->r->s->c->in;
	const struct reslist *own = &w->m->pool->limits;
	struct reslist limits = {own->n, arena_memdup(w->a, own->v, own->n, sizeof(*own->v))};
	int64_t claims = 0;
	struct arena tmp;
	struct solving *r;

	for (uint32_t i = 0; i < limits.n; i++)
		limits.v[i].v = no_limit();
	arena_init(&tmp);
	r = again(w, &tmp, &limits);
	for (uint32_t i = 0; i < r->npod; i++) {
		w->gains[i] = !r->pod[i].error;
		w->ngain += w->waits[i] && w->gains[i];
	}
	for (uint32_t i = 0; i < r->claims.n; i++)
		claims += r->claims.v[i]->m == w->m;
	for (uint32_t i = 0; i < limits.n; i++) {
		struct res_item *x = &limits.v[i];
		qty taken = no_limit() - reslist_amount(&r->limit[w->m->index], x->name), unit;

		/* Within a run new nodes are not counted (A9.4), but no more than these are meant. */
		if (x->name == RES_NODES)
			taken = nodes_stop(w) ? taken + qty_of(claims) : 0;
		unit = unit_of(in, x->name, taken);
		taken = (taken + unit - 1) / unit * unit;
		x->v = taken > own->v[i].v ? taken : own->v[i].v;
	}
	arena_release(&tmp);
	w->safe = limits;
	w->least = (struct reslist){limits.n, arena_memdup(w->a, limits.v, limits.n, sizeof(*limits.v))};
}

/* Whether the limits do for all pods that any limits do for. */
static bool enough(struct raising *w, const struct reslist *limits)
{
	struct arena tmp;
	struct solving *r;
	bool ok = true;

	arena_init(&tmp);
	r = again(w, &tmp, limits);
	for (uint32_t i = 0; i < r->npod; i++)
		ok = ok && (!w->gains[i] || !r->pod[i].error);
	arena_release(&tmp);
	return ok;
}

static bool enough_with(struct raising *w, struct res_item *x, qty v)
{
	x->v = v;
	return w->placed < PLACEMENTS && enough(w, &w->least);
}

/* Between lo, too little, and hi, enough, in wider and wider steps, then by halving. Larger limits may do for
 * less, so this is a limit that is enough, and need not be the least. */
static qty search_limit(struct raising *w, struct res_item *x, qty unit, qty lo, qty hi)
{
	qty step = 1;

	for (; step < hi - lo && w->placed < PLACEMENTS; step *= 2) {
		if (enough_with(w, x, (lo + step) * unit)) {
			hi = lo + step;
			break;
		}
		lo += step;
	}
	while (hi - lo > 1 && w->placed < PLACEMENTS) {
		qty mid = lo + (hi - lo) / 2;

		if (enough_with(w, x, mid * unit))
			hi = mid;
		else
			lo = mid;
	}
	return hi * unit;
}

static void search(struct raising *w)
{
	const struct reslist *own = &w->m->pool->limits;

	for (uint32_t i = 0; i < own->n; i++) {
		struct res_item *x = &w->least.v[i];
		qty unit = unit_of(w->r->s->c->in, x->name, x->v);

		if (x->name != RES_NODES && x->v > own->v[i].v)
			x->v = search_limit(w, x, unit, own->v[i].v / unit, x->v / unit);
	}
}

static void amount(struct raising *w, struct buf *out, sid resource, qty v)
{
	buf_addf(out, "limits.%s to ", intern_c(w->r->s->c->in, resource));
	why_amount(w->r->s->c->in, out, resource, v, true);
}

static bool told_of(const struct why_pool *p, sid resource)
{
	for (uint32_t k = 0; k < p->n; k++)
		if (p->v[k].code == WHY_LIMIT && p->v[k].subject == resource)
			return true;
	return false;
}

/* The limit of an obstacle, and with the first those that stop nobody yet, but would then. */
static bool goes_with(const struct raising *w, const struct why_pool *p, uint32_t k, uint32_t i)
{
	const struct res_item *own = &w->m->pool->limits.v[i];

	if (own->name == p->v[k].subject)
		return true;
	return k == 0 && !told_of(p, own->name) && w->least.v[i].v > own->v;
}

static void tell_pods(const struct raising *w, struct buf *out)
{
	if (w->nwait < 2)
		return;
	if (w->nwait == 2 && w->ngain == 2)
		buf_adds(out, ", for both pods that wait for it");
	else if (w->ngain == w->nwait)
		buf_addf(out, ", for all %" PRIu32 " pods that wait for it", w->nwait);
	else
		buf_addf(out, ", for %" PRIu32 " of the %" PRIu32 " pods that wait for it", w->ngain,
			 w->nwait);
}

static void or_more(struct raising *w, struct buf *out, const struct why_pool *p, uint32_t k)
{
	const char *join = " (or to ";
	bool any = false;

	for (uint32_t i = 0; i < w->safe.n; i++)
		any = any || (goes_with(w, p, k, i) && w->safe.v[i].v > w->least.v[i].v);
	for (uint32_t i = 0; any && i < w->safe.n; i++) {
		if (!goes_with(w, p, k, i))
			continue;
		buf_adds(out, join);
		why_amount(w->r->s->c->in, out, w->safe.v[i].name, w->safe.v[i].v, true);
		join = " and ";
	}
	if (any)
		buf_adds(out, k ? " or more)"
				: " or more: Karpenter counts a planned node as the largest type it may "
				  "become)");
}

/* Of pods that nothing but limits keeps out. */
static const char *raise(struct raising *w, const struct why_pool *p, uint32_t k)
{
	const char *join = "raise ", *text;
	struct buf b;

	if (reslist_amount(&w->least, p->v[k].subject) <=
	    reslist_amount(&w->m->pool->limits, p->v[k].subject))
		return p->v[k].enough;
	buf_init(&b);
	for (uint32_t i = 0; i < w->least.n; i++) {
		if (!goes_with(w, p, k, i))
			continue;
		buf_adds(&b, join);
		amount(w, &b, w->least.v[i].name, w->least.v[i].v);
		join = " and ";
	}
	if (k == 0)
		tell_pods(w, &b);
	or_more(w, &b, p, k);
	text = arena_strndup(w->a, b.p, b.n);
	buf_release(&b);
	return text;
}

/* Whether so much is left of the limits after all others that the obstacles are gone. */
static bool leaves_enough(struct raising *w, const struct why_pool *p, const struct reslist *limits)
{
	struct arena tmp;
	struct solving *r;
	bool ok = true;

	arena_init(&tmp);
	r = again(w, &tmp, limits);
	for (uint32_t k = 0; k < p->n; k++)
		if (p->v[k].code == WHY_LIMIT)
			ok = ok && reslist_amount(&r->limit[w->m->index], p->v[k].subject) >= p->v[k].need;
	arena_release(&tmp);
	return ok;
}

/* Of a pod with other obstacles too: room for a node of the smallest type that would do, whatever others
 * take. */
static void raise_besides(struct raising *w, struct why_pool *p)
{
	const struct reslist *own = &w->m->pool->limits;
	struct reslist limits = {own->n, arena_memdup(w->a, own->v, own->n, sizeof(*own->v))};

	for (uint32_t i = 0; i < own->n; i++)
		for (uint32_t k = 0; k < p->n; k++)
			if (p->v[k].code == WHY_LIMIT && p->v[k].subject == own->v[i].name)
				limits.v[i].v += p->v[k].need - p->v[k].have;
	if (w->placed < PLACEMENTS && leaves_enough(w, p, &limits))
		return;
	for (uint32_t k = 0; k < p->n; k++) {
		struct buf b;

		if (p->v[k].code != WHY_LIMIT)
			continue;
		buf_init(&b);
		buf_adds(&b, "raise ");
		amount(w, &b, p->v[k].subject, reslist_amount(&w->safe, p->v[k].subject) + p->v[k].need);
		p->v[k].enough = arena_strndup(w->a, b.p, b.n);
		buf_release(&b);
	}
}

static void advise(struct raising *w, struct why_pool *p, bool gains)
{
	if (!of_limit_alone(p)) {
		raise_besides(w, p);
		return;
	}
	for (uint32_t k = 0; k < p->n; k++)
		p->v[k].enough = gains ? raise(w, p, k) : NULL;
}

/* Pods that share an explanation. */
struct sharers {
	struct why_pool *pool; /* of the explanation, the NodePool asked about */
	bool gain;             /* one of them does */
};

struct sharers_list {
	VEC(struct sharers) v;
};

static struct sharers *sharers_of(struct arena *a, struct sharers_list *l, struct why_pool *pool)
{
	struct sharers *s;

	for (uint32_t i = l->v.n; i > 0; i--)
		if (l->v.v[i - 1].pool == pool)
			return &l->v.v[i - 1];
	s = VEC_ADD(a, &l->v);
	s->pool = pool;
	return s;
}

static void raise_pool(struct arena *a, struct solving *r, struct template *m, const struct pod_why *const *y)
{
	struct raising w = {.a = a, .r = r, .m = m};
	struct sharers_list list = {0};

	w.waits = ARENA_ARRAY(a, bool, r->npod);
	w.gains = ARENA_ARRAY(a, bool, r->npod);
	for (uint32_t i = 0; i < r->npod; i++) {
		struct why_pool *p = pool_of(y[i], m->pool);

		if (!p || !of_limit(p))
			continue;
		w.waits[i] = of_limit_alone(p);
		w.nwait += w.waits[i];
		sharers_of(a, &list, p);
	}
	if (!list.v.n)
		return;
	without_limits(&w);
	if (w.ngain)
		search(&w);
	for (uint32_t i = 0; i < r->npod; i++)
		if (w.waits[i] && w.gains[i])
			sharers_of(a, &list, pool_of(y[i], m->pool))->gain = true;
	for (uint32_t i = 0; i < list.v.n; i++)
		advise(&w, list.v.v[i].pool, list.v.v[i].gain);
}

void why_raise_limits(struct arena *a, struct solving *r, const struct pod_why *const *y)
{
	for (uint32_t i = 0; i < r->s->m.n; i++)
		if (r->s->m.v[i].pool->has_limits)
			raise_pool(a, r, &r->s->m.v[i], y);
}
