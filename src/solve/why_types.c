#include <float.h>
#include <inttypes.h>
#include <string.h>

#include "bits.h"
#include "why_impl.h"

/* Which instance types of a NodePool would do for a pod, and what keeps the others out. */

static const struct type_group *group_of(const struct template *m, uint32_t type)
{
	for (uint32_t g = 0; g < m->ngroup; g++)
		if (bits_test(m->group[g].mask, type))
			return &m->group[g];
	return NULL;
}

/* What a type leaves for the pod. */
static qty room(const struct itype *t, const struct reslist *overhead, sid resource)
{
	return reslist_amount(&t->allocatable, resource) - reslist_amount(overhead, resource);
}

static bool lacks(const struct itype *t, sid resource, qty need, double *worst)
{
	qty have = reslist_amount(&t->allocatable, resource);
	double ratio;

	if (need <= 0 || need <= have)
		return false;
	ratio = have > 0 ? quantity_double(need) / quantity_double(have) : DBL_MAX;
	*worst = ratio > *worst ? ratio : *worst;
	return true;
}

/* Resources of pod and daemons that a type is short of. */
static uint32_t shortages(struct why_try *w, const struct itype *t, const struct reslist *overhead,
			  double *ret_worst)
{
	const struct reslist *want = &w->p->class->requests;
	uint32_t n = 0;

	*ret_worst = 0;
	for (uint32_t i = 0; i < want->n; i++)
		n += lacks(t, want->v[i].name, want->v[i].v + reslist_amount(overhead, want->v[i].name),
			   ret_worst);
	for (uint32_t i = 0; i < overhead->n; i++)
		if (!reslist_find(want, overhead->v[i].name))
			n += lacks(t, overhead->v[i].name, overhead->v[i].v, ret_worst);
	return n;
}

static const struct reslist *overhead_of(const struct template *m, uint32_t type)
{
	const struct type_group *g = group_of(m, type);

	return &g->overhead;
}

static struct reslist most_overhead(struct why_try *w)
{
	struct reslist most = {0};

	for (uint32_t g = 0; g < w->m->ngroup; g++)
		most = reslist_max(w->r->s->c->in, w->a, &most, &w->m->group[g].overhead);
	return most;
}

static bool within_limits(struct why_try *w, const struct itype *t)
{
	const struct reslist *left = &w->r->limit[w->m->index];

	for (uint32_t k = 0; w->m->pool->has_limits && k < left->n; k++)
		if (reslist_amount(&t->capacity, left->v[k].name) > left->v[k].v)
			return false;
	return true;
}

const struct itype *why_find_type(struct why_try *w, rsetid reqs)
{
	struct reqpool *p = w->r->s->c->rp;
	struct reslist overhead = most_overhead(w);
	const struct itype *best = NULL;
	double price = DBL_MAX, worst;

	for (uint32_t i = 0; i < w->m->list->n; i++) {
		const struct itype *t = &w->m->list->v[i];
		double one;

		if (shortages(w, t, &overhead, &worst) || !within_limits(w, t) ||
		    !rset_intersects(p, t->reqs, reqs))
			continue;
		one = itype_price(p, t, reqs);
		if (one < price) {
			price = one;
			best = t;
		}
	}
	return best;
}

void why_allow_type(struct why_try *w)
{
	struct reqpool *p = w->r->s->c->rp;
	const struct rset *own = rset_get(p, w->m->reqs);
	const struct itype *best = NULL;
	double price = DBL_MAX;
	keyid keeps = KEY_NONE;

	for (uint32_t i = 0; i < own->n; i++) {
		keyid key = req_get(p, own->req[i])->key;
		rsetid reqs = rset_intersect(p, rset_without(p, w->m->reqs, key), why_asks(w));
		const struct itype *t = req_key_well_known(p, key) ? why_find_type(w, reqs) : NULL;
		double one = t ? itype_price(p, t, reqs) : DBL_MAX;

		if (one < price) {
			price = one;
			best = t;
			keeps = key;
		}
		own = rset_get(p, w->m->reqs);
	}
	if (best)
		buf_addf(why_or(w), "let the NodePool allow %s, which its %s keeps out",
			 intern_c(p->in, best->name), intern_c(p->in, req_key_name(p, keeps)));
}

/* --- requirements of types --- */

static bool any_compatible(struct why_try *w, rsetid reqs)
{
	return bits_any(template_compatible(w->m, &w->r->s->t, reqs), w->m->nwords);
}

/* Values of a key among the types of the NodePool that all else allows. */
static void offer_values(struct why_try *w, keyid key)
{
	struct reqpool *p = w->r->s->c->rp;
	rsetid rest = rset_without(p, why_asks(w), key);
	const uint64_t *mask = template_compatible(w->m, &w->r->s->t, rset_intersect(p, w->m->reqs, rest));
	reqid all = REQ_NONE;

	BITS_EACH (i, mask, w->m->nwords) {
		reqid r = rset_find(p, w->m->type[i]->reqs, key);

		if (r == REQ_NONE || req_operator(p, r) != OP_IN)
			continue;
		uint32_t n, more;
		sid *v = req_values(p, r, w->a, &n), *sum;

		sum = all == REQ_NONE ? NULL : req_values(p, all, w->a, &more);
		more = sum ? more : 0;
		sid *both = ARENA_ARRAY(w->a, sid, (size_t)n + more);

		memcpy(both, v, n * sizeof(*v));
		if (more)
			memcpy(both + n, sum, more * sizeof(*sum));
		all = req_make(p, key, OP_IN, both, n + more, -1);
	}
	if (all == REQ_NONE)
		return;
	buf_adds(why_or(w), "ask for ");
	why_values(w, &w->enough, all);
}

static void drop(struct why_try *w, keyid key)
{
	struct reqpool *p = w->r->s->c->rp;

	w->pod = rset_without(p, w->pod, key);
	w->volume = rset_without(p, w->volume, key);
	w->topology = rset_without(p, w->topology, key);
}

static void no_type_has(struct why_try *w, reqid r)
{
	const struct reqpool *p = w->r->s->c->rp;
	keyid key = req_get(p, r)->key;

	buf_adds(&w->message, "no instance type of the NodePool has ");
	req_print(p, &w->message, r);
	why_allow_type(w);
	offer_values(w, key);
	drop(w, key);
	why_add(w, WHY_TYPE, req_key_name(p, key));
}

/* Each asked for alone is there, all together are not. */
static void no_type_has_all(struct why_try *w)
{
	struct reqpool *p = w->r->s->c->rp;

	buf_adds(&w->message, "no instance type of the NodePool has all of ");
	rset_print(p, &w->message, why_asks(w));
	why_allow_type(w);
	w->pod = w->volume = w->topology = RSET_EMPTY;
	why_add(w, WHY_TYPE, SID_NONE);
}

static void requirements(struct why_try *w)
{
	struct reqpool *p = w->r->s->c->rp;
	rsetid asks = why_asks(w);
	const uint32_t *order = rset_by_name(p, asks, w->a);
	uint32_t n = rset_get(p, asks)->n;

	/* What no type has at all; then what keeps the rest from having a type. */
	for (int alone = 1; alone >= 0 && !any_compatible(w, why_reqs(w)); alone--)
		for (uint32_t i = 0; i < n && !any_compatible(w, why_reqs(w)); i++) {
			reqid r = rset_get(p, asks)->req[order[i]];
			keyid key = req_get(p, r)->key;
			rsetid rest = rset_intersect(p, w->m->reqs, rset_without(p, why_asks(w), key));

			if (rset_find(p, why_asks(w), key) == REQ_NONE)
				continue;
			if (alone ? !any_compatible(w, rset_intersect(p, w->m->reqs, rset_of(p, &r, 1)))
				  : any_compatible(w, rest))
				no_type_has(w, r);
		}
	if (!any_compatible(w, why_reqs(w)))
		no_type_has_all(w);
}

/* --- masks --- */

static void and_into(uint64_t *to, const uint64_t *mask, uint32_t nwords)
{
	for (uint32_t w = 0; w < nwords; w++)
		to[w] &= mask[w];
}

bool why_both(const uint64_t *a, const uint64_t *b, uint32_t nwords)
{
	for (uint32_t w = 0; w < nwords; w++)
		if (a[w] & b[w])
			return true;
	return false;
}

static uint64_t *mask_copy(struct why_try *w, const uint64_t *mask)
{
	return arena_memdup(w->a, mask, w->m->nwords, sizeof(*mask));
}

void why_set_masks(struct why_try *w, rsetid reqs, struct why_masks *k)
{
	struct template *m = w->m;
	const struct pod_class *c = w->p->class;
	const struct host_port *mine;
	double worst;

	k->nwords = m->nwords;
	k->good = mask_copy(w, template_compatible(m, &w->r->s->t, reqs));
	k->offered = mask_copy(w, template_offered(m, &w->r->s->t, reqs));
	k->open = mask_copy(w, m->all);
	k->fit = mask_copy(w, m->all);
	k->within = mask_copy(w, m->all);
	k->left = mask_copy(w, k->good);
	for (uint32_t g = 0; g < m->ngroup; g++) {
		const struct type_group *group = &m->group[g];
		bool clash = c->nport && ports_conflict(w->r->s->c->in, &group->ports, w->p->pod, c->port,
							c->nport, &mine);

		BITS_EACH (i, group->mask, m->nwords) {
			if (clash)
				bits_clear(k->open, i);
			if (shortages(w, m->type[i], &group->overhead, &worst))
				bits_clear(k->fit, i);
			if (!within_limits(w, m->type[i]))
				bits_clear(k->within, i);
		}
	}
}

/* --- host ports --- */

static void host_ports(struct why_try *w, struct why_masks *k)
{
	const struct pod_class *c = w->p->class;
	const struct intern *in = w->r->s->c->in;
	const struct host_port *mine = NULL;
	uint32_t first = bits_next(k->left, k->nwords, 0);

	if (why_both(k->left, k->open, k->nwords) || first == UINT32_MAX) {
		and_into(k->left, k->open, k->nwords);
		return;
	}
	ports_conflict(in, &group_of(w->m, first)->ports, w->p->pod, c->port, c->nport, &mine);
	if (mine)
		buf_addf(&w->message, "host port %" PRId32 "/%s is taken by a DaemonSet on every node",
			 mine->port, intern_c(in, mine->protocol));
	buf_adds(why_or(w), "use another host port");
	why_add(w, WHY_HOST_PORT, SID_NONE);
}

/* --- resources --- */

/* The type that comes nearest to being large enough. */
static uint32_t nearest_type(struct why_try *w, const uint64_t *mask)
{
	uint32_t best = UINT32_MAX, fewest = 0;
	double least = 0, worst;

	BITS_EACH (i, mask, w->m->nwords) {
		uint32_t n = shortages(w, w->m->type[i], overhead_of(w->m, i), &worst);

		if (best == UINT32_MAX || n < fewest || (n == fewest && worst < least)) {
			best = i;
			fewest = n;
			least = worst;
		}
	}
	return best;
}

static bool none_has(const struct template *m, sid resource)
{
	for (uint32_t i = 0; i < m->ntype; i++)
		if (reslist_amount(&m->type[i]->allocatable, resource) > 0)
			return false;
	return true;
}

static void type_has(struct why_try *w, const struct itype *t, const struct reslist *overhead, sid resource)
{
	const struct intern *in = w->r->s->c->in;
	qty daemons = reslist_amount(overhead, resource), have = room(t, overhead, resource);

	buf_addf(&w->message, "%s, the nearest type, has ", intern_c(in, t->name));
	why_amount(in, &w->message, resource, have > 0 ? have : reslist_amount(&t->allocatable, resource),
		   false);
	if (daemons <= 0)
		return;
	buf_adds(&w->message, have > 0 ? " besides " : ", its daemons alone take ");
	why_amount(in, &w->message, resource, daemons, true);
	buf_adds(&w->message, have > 0 ? " for daemons" : "");
}

static void shortage(struct why_try *w, const struct itype *t, const struct reslist *overhead,
		     const struct res_item *total)
{
	const struct intern *in = w->r->s->c->in;
	const struct res_item *own = reslist_find(&w->p->class->requests, total->name);
	const char *name = intern_c(in, total->name);
	qty need = own ? own->v : 0, have = room(t, overhead, total->name);
	struct why_obstacle *o;

	buf_adds(&w->message, "the pod requests ");
	why_amount(in, &w->message, total->name, need, true);
	buf_addf(&w->message, " %s, ", name);
	if (none_has(w->m, total->name)) {
		buf_adds(&w->message, "no instance type of the NodePool has any");
	} else {
		type_has(w, t, overhead, total->name);
		buf_adds(&w->message, ": ");
		why_amount(in, &w->message, total->name, need - have, true);
		buf_adds(&w->message, " short");
	}
	why_allow_type(w);
	if (have > 0 && own) {
		buf_adds(why_or(w), "request at most ");
		why_amount(in, &w->enough, total->name, have, false);
		buf_addf(&w->enough, " %s", name);
	} else if (own && have == 0) {
		buf_addf(why_or(w), "request no %s", name);
	}
	o = why_add(w, WHY_RESOURCE, total->name);
	o->has_amount = true;
	o->need = need;
	o->have = have;
	o->format = own ? own->format : total->format;
}

/* Whether a type would do too once the pod requests what the nearest one has. */
static bool as_large(struct why_try *w, uint32_t type, uint32_t nearest, const struct reslist *all)
{
	for (uint32_t i = 0; i < all->n; i++) {
		sid name = all->v[i].name;
		qty have = room(w->m->type[nearest], overhead_of(w->m, nearest), name);
		qty need = reslist_amount(&w->p->class->requests, name);

		if (room(w->m->type[type], overhead_of(w->m, type), name) < (need < have ? need : have))
			return false;
	}
	return true;
}

static void resources(struct why_try *w, struct why_masks *k)
{
	const struct intern *in = w->r->s->c->in;
	uint64_t *from = mask_copy(w, k->left);
	uint32_t best;

	if (why_both(k->left, k->fit, k->nwords)) {
		and_into(k->left, k->fit, k->nwords);
		return;
	}
	if (why_both(from, k->offered, k->nwords))
		and_into(from, k->offered, k->nwords);
	best = nearest_type(w, from);
	if (best == UINT32_MAX)
		return;
	const struct itype *t = w->m->type[best];
	const struct reslist *overhead = overhead_of(w->m, best);
	struct reslist all = reslist_add(in, w->a, &w->p->class->requests, overhead);

	for (uint32_t i = 0; i < all.n; i++)
		if (all.v[i].v > 0 && all.v[i].v > reslist_amount(&t->allocatable, all.v[i].name))
			shortage(w, t, overhead, &all.v[i]);
	memset(k->left, 0, k->nwords * sizeof(*k->left));
	BITS_EACH (i, from, k->nwords) {
		if (as_large(w, i, best, &all))
			bits_set(k->left, i);
	}
}

/* --- offerings --- */

/* Offerings of the types left that reqs allow; *ret_gone: how many of them cannot be had now. */
static uint32_t offerings(struct why_try *w, const uint64_t *mask, rsetid reqs, uint32_t *ret_gone)
{
	struct reqpool *p = w->r->s->c->rp;
	uint32_t n = 0;

	*ret_gone = 0;
	BITS_EACH (i, mask, w->m->nwords) {
		for (uint32_t k = 0; k < w->m->type[i]->noffering; k++) {
			const struct offering *o = &w->m->type[i]->offering[k];

			if (!rset_compatible(p, reqs, o->reqs, true))
				continue;
			n++;
			*ret_gone += !o->available;
		}
	}
	return n;
}

static void where(struct why_try *w, struct buf *out, rsetid reqs)
{
	static const sid keys[] = {LBL_CAPACITY_TYPE, LBL_ZONE, LBL_ZONE_ID, LBL_CR_ID};
	struct reqpool *p = w->r->s->c->rp;
	const char *join = " with ";

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		reqid r = rset_find(p, reqs, req_key(p, keys[i]));

		if (r == REQ_NONE)
			continue;
		buf_adds(out, join);
		req_print(p, out, r);
		join = " and ";
	}
}

/* Values of a key that available offerings of the types left have when the key is free. */
static reqid had_with(struct why_try *w, const uint64_t *mask, keyid key, rsetid reqs)
{
	enum { MOST = 16 };
	struct reqpool *p = w->r->s->c->rp;
	rsetid rest = rset_without(p, reqs, key);
	sid v[MOST];
	uint32_t n = 0;

	BITS_EACH (i, mask, w->m->nwords) {
		for (uint32_t k = 0; k < w->m->type[i]->noffering; k++) {
			const struct offering *o = &w->m->type[i]->offering[k];
			reqid r = rset_find(p, o->reqs, key);
			uint32_t j = 0;

			if (!o->available || r == REQ_NONE || !rset_compatible(p, rest, o->reqs, true))
				continue;
			sid value = req_any(p, r);

			while (j < n && v[j] != value)
				j++;
			if (j == n && n < MOST)
				v[n++] = value;
		}
	}
	return n ? req_make(p, key, OP_IN, v, n, -1) : REQ_NONE;
}

static void free_key(struct why_try *w, const uint64_t *mask, sid name)
{
	struct reqpool *p = w->r->s->c->rp;
	keyid key = req_key(p, name);
	reqid asked = rset_find(p, why_asks(w), key), own = rset_find(p, w->m->reqs, key), could;

	if (asked == REQ_NONE && own == REQ_NONE)
		return;
	could = had_with(w, mask, key, why_reqs(w));
	if (could == REQ_NONE)
		return;
	buf_addf(why_or(w), "let %s allow ",
		 own != REQ_NONE && !req_has_intersection(p, own, could) ? "the NodePool"
		 : rset_find(p, w->topology, key) != REQ_NONE && rset_find(p, w->pod, key) == REQ_NONE
			 ? "topology"
		 : rset_find(p, w->volume, key) != REQ_NONE ? "the volumes"
							    : "the pod");
	why_values(w, &w->enough, could);
}

static void offering(struct why_try *w, struct why_masks *k)
{
	uint32_t types, n, gone;

	if (why_both(k->left, k->offered, k->nwords)) {
		and_into(k->left, k->offered, k->nwords);
		return;
	}
	types = bits_count(k->left, k->nwords);
	n = offerings(w, k->left, why_reqs(w), &gone);
	buf_addf(&w->message, "%" PRIu32 " instance type%s would do, ", types, types == 1 ? "" : "s");
	if (n && gone == n)
		buf_addf(&w->message, "but %s %" PRIu32 " offering%s", n == 1 ? "its" : "all", n,
			 n == 1 ? " is unavailable" : "s are unavailable");
	else
		buf_adds(&w->message, types == 1 ? "but is not offered" : "but none is offered");
	where(w, &w->message, why_reqs(w));
	free_key(w, k->left, LBL_CAPACITY_TYPE);
	free_key(w, k->left, LBL_ZONE);
	if (!w->enough.n)
		why_allow_type(w);
	why_add(w, WHY_OFFERING, SID_NONE);
}

void why_types(struct why_try *w)
{
	struct why_masks k;

	why_domain(w);
	requirements(w);
	why_set_masks(w, why_reqs(w), &k);
	host_ports(w, &k);
	resources(w, &k);
	offering(w, &k);
	why_min_values(w, &k);
	why_limits(w, &k);
	why_reservations(w, &k);
}
