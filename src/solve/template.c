#include "template.h"

#include <string.h>

#include "bits.h"
#include "gosort.h"
#include "poolhash.h"

static uint64_t *mask_new(struct template *m)
{
	return ARENA_ARRAY(m->arena, uint64_t, m->nwords);
}

/* --- which types meet a requirement --- */

static void index_keys(struct template *m, struct class_table *t)
{
	struct reqpool *p = t->cluster->rp;
	struct idmap slot;

	idmap_init(&slot, m->arena);
	m->nkey = p->keys.n;
	m->key = ARENA_ARRAY(m->arena, struct key_types, m->nkey);
	for (uint32_t i = 0; i < m->ntype; i++) {
		const struct rset *s = rset_get(p, m->type[i]->reqs);

		for (uint32_t j = 0; j < s->n; j++) {
			struct key_types *k = &m->key[req_get(p, s->req[j])->key];
			uint32_t at;

			if (!idmap_get(&slot, s->req[j], &at)) {
				at = k->v.n;
				VEC_PUSH(m->arena, &k->v, ((struct req_types){s->req[j], mask_new(m)}));
				idmap_put(&slot, s->req[j], at);
			}
			bits_set(k->v.v[at].mask, i);
		}
	}
}

static bool is_negative(const struct reqpool *p, reqid r)
{
	enum req_op op = req_operator(p, r);

	return op == OP_NOT_IN || op == OP_DOES_NOT_EXIST;
}

/* Types with no clash on the key of one requirement: those that do not mention it, and those whose own allows
 * it. */
static const uint64_t *mask_of_req(struct template *m, struct class_table *t, reqid r)
{
	struct reqpool *p = t->cluster->rp;
	uint32_t at;

	if (idmap_get(&m->req_mask, r, &at))
		return m->masks.v[at];
	uint64_t *mask = mask_new(m);
	keyid key = req_get(p, r)->key;
	const struct key_types *k = key < m->nkey ? &m->key[key] : NULL;

	memcpy(mask, m->all, m->nwords * sizeof(*mask));
	for (uint32_t i = 0; k && i < k->v.n; i++) {
		const struct req_types *one = &k->v.v[i];

		if (req_has_intersection(p, one->req, r) || (is_negative(p, one->req) && is_negative(p, r)))
			continue;
		for (uint32_t w = 0; w < m->nwords; w++)
			mask[w] &= ~one->mask[w];
	}
	idmap_put(&m->req_mask, r, m->masks.n);
	VEC_PUSH(m->arena, &m->masks, mask);
	return mask;
}

const uint64_t *template_compatible(struct template *m, struct class_table *t, rsetid reqs)
{
	uint32_t at;

	if (idmap_get(&m->fit_mask, reqs, &at))
		return m->masks.v[at];
	uint64_t *mask = mask_new(m);
	const struct rset *s = rset_get(t->cluster->rp, reqs);

	memcpy(mask, m->all, m->nwords * sizeof(*mask));
	for (uint32_t i = 0; i < s->n; i++) {
		const uint64_t *one = mask_of_req(m, t, s->req[i]);

		for (uint32_t w = 0; w < m->nwords; w++)
			mask[w] &= one[w];
	}
	idmap_put(&m->fit_mask, reqs, m->masks.n);
	VEC_PUSH(m->arena, &m->masks, mask);
	return mask;
}

static void index_offerings(struct template *m)
{
	struct idmap at;
	uint32_t slot;

	idmap_init(&at, m->arena);
	for (uint32_t i = 0; i < m->ntype; i++)
		for (uint32_t j = 0; j < m->type[i]->noffering; j++) {
			const struct offering *o = &m->type[i]->offering[j];

			if (!o->available)
				continue;
			m->has_reserved = m->has_reserved || o->reservation != SID_NONE;
			if (!idmap_get(&at, o->reqs, &slot)) {
				slot = m->offers.n;
				VEC_PUSH(m->arena, &m->offers,
					 ((struct offer){o->reqs, o->capacity_type, mask_new(m)}));
				idmap_put(&at, o->reqs, slot);
			}
			bits_set(m->offers.v[slot].mask, i);
		}
}

const uint64_t *template_offered(struct template *m, struct class_table *t, rsetid reqs)
{
	uint32_t at;

	if (idmap_get(&m->offer_fit_mask, reqs, &at))
		return m->masks.v[at];
	uint64_t *mask = mask_new(m);

	for (uint32_t i = 0; i < m->offers.n; i++)
		if (rset_compatible(t->cluster->rp, reqs, m->offers.v[i].reqs, true))
			for (uint32_t w = 0; w < m->nwords; w++)
				mask[w] |= m->offers.v[i].mask[w];
	idmap_put(&m->offer_fit_mask, reqs, m->masks.n);
	VEC_PUSH(m->arena, &m->masks, mask);
	return mask;
}

/* --- which types have enough --- */

struct type_amount {
	qty amount;
	uint32_t type;
};

static bool smaller(const void *x, const void *y, const void *ctx)
{
	const struct type_amount *a = x, *b = y;

	(void)ctx;
	return a->amount < b->amount;
}

/* From the largest amount down, each mask is the one before it and the types of its own amount. */
static void index_lane(struct template *m, struct class_table *t, uint32_t lane)
{
	struct lane_masks *l = &m->lane[lane];
	struct type_amount *v = ARENA_ARRAY(m->arena, struct type_amount, m->ntype);

	for (uint32_t i = 0; i < m->ntype; i++)
		v[i] = (struct type_amount){reslist_amount(&m->type[i]->allocatable, t->lanes.name.v[lane]),
					    i};
	GOSORT(v, m->ntype, smaller, NULL);
	for (uint32_t i = 0; i < m->ntype; i++)
		l->n += i == 0 || v[i].amount != v[i - 1].amount;
	l->amount = ARENA_ARRAY(m->arena, qty, l->n);
	l->mask = ARENA_ARRAY(m->arena, uint64_t *, l->n);
	for (uint32_t i = m->ntype, k = l->n; i-- > 0;) {
		if (i + 1 == m->ntype || v[i].amount != v[i + 1].amount) {
			l->amount[--k] = v[i].amount;
			l->mask[k] = mask_new(m);
			if (k + 1 < l->n)
				memcpy(l->mask[k], l->mask[k + 1], m->nwords * sizeof(uint64_t));
		}
		bits_set(l->mask[k], v[i].type);
	}
}

void template_need(struct template *m, struct class_table *t, uint32_t lane, qty amount, uint64_t *mask)
{
	if (lane >= m->nlane) {
		struct lane_masks *more = ARENA_ARRAY(m->arena, struct lane_masks, t->lanes.name.n);

		if (m->nlane)
			memcpy(more, m->lane, m->nlane * sizeof(*more));
		m->lane = more;
		m->nlane = t->lanes.name.n;
	}
	struct lane_masks *l = &m->lane[lane];
	uint32_t lo = 0, hi;

	if (!l->mask)
		index_lane(m, t, lane);
	for (hi = l->n; lo < hi;) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (l->amount[mid] < amount)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (uint32_t w = 0; w < m->nwords; w++)
		mask[w] = lo < l->n ? mask[w] & l->mask[lo][w] : 0;
}

bool template_tolerated(struct template *m, struct class_table *t, const struct pod_variant *v)
{
	if (v->tol_id >= m->tol_cache_n) {
		uint32_t n = v->tol_id * 2 + 16;
		int8_t *cache = ARENA_ARRAY(m->arena, int8_t, n);

		memset(cache, -1, n);
		if (m->tol_cache_n)
			memcpy(cache, m->tol_cache, m->tol_cache_n);
		m->tol_cache = cache;
		m->tol_cache_n = n;
	}
	int8_t *known = &m->tol_cache[v->tol_id];

	if (*known < 0)
		*known = tolerates_all(t->cluster->in, v->toleration, v->ntoleration, &m->pool->taints);
	return *known;
}

/* --- building --- */

static sid class_label(struct intern *in, struct arena *a, const struct node_class_ref *r)
{
	const char *kind = intern_c(in, r->kind), *group = intern_c(in, r->group);
	char *text = arena_printf(a, "%s/%s", group, kind);

	for (char *c = text + strlen(group) + 1; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	return intern_cstr(in, text);
}

void template_labels(struct template *m, struct class_table *t)
{
	struct cluster *c = t->cluster;
	const struct node_pool *np = m->pool;
	char hash[24];

	m->labels = labels_set(m->arena, c->in, &np->template_labels, LBL_NODEPOOL, np->meta.name);
	m->labels = labels_set(m->arena, c->in, &m->labels, class_label(c->in, m->arena, &np->class_ref),
			       np->class_ref.name);
	pool_hash_text(c->in, np, hash);
	m->annotations = labels_set(m->arena, c->in, &np->template_annotations, ANN_NODEPOOL_HASH,
				    intern_cstr(c->in, hash));
	m->annotations = labels_set(m->arena, c->in, &m->annotations, ANN_NODEPOOL_HASH_VERSION,
				    intern_cstr(c->in, POOL_HASH_VERSION));
	m->reqs = reqs_of_api(c->rp, np->req, np->nreq);
	m->reqs = rset_intersect(c->rp, m->reqs, reqs_of_labels(c->rp, &m->labels));
	m->reqs = rset_add(c->rp, m->reqs, req_in1(c->rp, req_key(c->rp, LBL_REGISTERED), STR_TRUE));
	m->reqs = rset_add(c->rp, m->reqs, req_in1(c->rp, req_key(c->rp, LBL_INITIALIZED), STR_TRUE));
	m->has_min_values = rset_has_min_values(c->rp, m->reqs);
}

static bool any_offering(struct reqpool *p, const struct itype *t, rsetid reqs)
{
	for (uint32_t i = 0; i < t->noffering; i++)
		if (t->offering[i].available && rset_compatible(p, reqs, t->offering[i].reqs, true))
			return true;
	return false;
}

static bool has_negative(const struct itype *t)
{
	for (uint32_t i = 0; i < t->allocatable.n; i++)
		if (t->allocatable.v[i].v < 0)
			return true;
	return false;
}

/* A3.6. true when minValues is what leaves nothing. */
static bool prefilter(struct template *m, struct class_table *t, const struct itype_list *types)
{
	struct reqpool *p = t->cluster->rp;
	struct min_values_gap *gap;
	uint32_t ngap;

	m->type = ARENA_ARRAY(m->arena, const struct itype *, types->n);
	for (uint32_t i = 0; i < types->n; i++)
		if (!has_negative(&types->v[i]) && rset_intersects(p, types->v[i].reqs, m->reqs) &&
		    any_offering(p, &types->v[i], m->reqs))
			m->type[m->ntype++] = &types->v[i];
	if (!m->has_min_values || t->cluster->settings.min_values_best_effort)
		return false;
	if (itypes_min_values(p, m->arena, m->type, m->ntype, m->reqs, &gap, &ngap) != UINT32_MAX)
		return false;
	m->ntype = 0;
	return true;
}

/* A12.2; wears the daemon down. */
static bool daemon_runs_on(struct daemon *d, struct class_table *t, const struct template *m,
			   const struct itype *type)
{
	struct reqpool *p = t->cluster->rp;

	daemon_tolerate_preference(d, m->arena);
	if (!tolerates_all(t->cluster->in, d->toleration, d->ntoleration, &m->pool->taints))
		return false;
	do {
		if (rset_compatible(p, m->reqs, d->strict, true) && rset_intersects(p, type->reqs, d->strict))
			return true;
	} while (daemon_drop_term(d, t));
	return false;
}

static void set_overhead(struct template *m, struct class_table *t, struct type_group *g, const uint64_t *set,
			 const struct daemons *d)
{
	for (uint32_t i = 0; i < d->n; i++) {
		if (!bits_test(set, i))
			continue;
		g->has_overhead = true;
		g->overhead = reslist_add(t->cluster->in, m->arena, &g->overhead, &d->v[i].requests);
		ports_add(m->arena, &g->ports, d->v[i].key, d->v[i].port, d->v[i].nport);
	}
}

/* Groups the types by their daemons and renumbers them group by group (A12.4). */
static void group_types(struct template *m, struct class_table *t, struct daemons *d)
{
	uint32_t words = BITS_WORDS(d->n ? d->n : 1);
	uint64_t *sets = ARENA_ARRAY(m->arena, uint64_t, (size_t)words * m->ntype);
	uint32_t *group_of = ARENA_ARRAY(m->arena, uint32_t, m->ntype);
	uint32_t *first = ARENA_ARRAY(m->arena, uint32_t, m->ntype);
	const struct itype **ordered = ARENA_ARRAY(m->arena, const struct itype *, m->ntype);
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->ntype; i++) {
		uint64_t *set = sets + (size_t)i * words;
		uint32_t g = 0;

		for (uint32_t k = 0; k < d->n; k++)
			if (!d->v[k].resource_claims && daemon_runs_on(&d->v[k], t, m, m->type[i]))
				bits_set(set, k);
		while (g < m->ngroup &&
		       memcmp(sets + (size_t)first[g] * words, set, words * sizeof(*set)) != 0)
			g++;
		if (g == m->ngroup)
			first[m->ngroup++] = i;
		group_of[i] = g;
	}
	m->group = ARENA_ARRAY(m->arena, struct type_group, m->ngroup);
	for (uint32_t g = 0; g < m->ngroup; g++) {
		m->group[g].mask = mask_new(m);
		set_overhead(m, t, &m->group[g], sets + (size_t)first[g] * words, d);
		for (uint32_t i = 0; i < m->ntype; i++)
			if (group_of[i] == g) {
				bits_set(m->group[g].mask, n);
				ordered[n++] = m->type[i];
			}
	}
	m->type = ordered;
}

static void index_limited(struct template *m)
{
	const struct reslist *limits = &m->pool->limits;

	m->limited = ARENA_ARRAY(m->arena, qty, (size_t)limits->n * m->ntype);
	for (uint32_t k = 0; k < limits->n; k++)
		for (uint32_t i = 0; i < m->ntype; i++)
			m->limited[k * m->ntype + i] =
				reslist_amount(&m->type[i]->capacity, limits->v[k].name);
}

static void finish(struct template *m, struct class_table *t)
{
	m->all = mask_new(m);
	for (uint32_t i = 0; i < m->ntype; i++)
		bits_set(m->all, i);
	idmap_init(&m->req_mask, m->arena);
	idmap_init(&m->fit_mask, m->arena);
	idmap_init(&m->price_of, m->arena);
	idmap_init(&m->offer_fit_mask, m->arena);
	index_keys(m, t);
	index_offerings(m);
	index_limited(m);
}

static bool pool_before(const void *x, const void *y, const void *ctx)
{
	const struct node_pool *const *a = x, *const *b = y;

	if ((*a)->weight != (*b)->weight)
		return (*a)->weight > (*b)->weight;
	return intern_cmp(ctx, (*a)->meta.name, (*b)->meta.name) > 0;
}

const struct node_pool **pools_by_weight(const struct cluster *c, struct arena *a, uint32_t *ret_n)
{
	const struct node_pool **out = ARENA_ARRAY(a, const struct node_pool *, c->pools.n);
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->pools.n; i++)
		if (!c->pools.v[i].is_static && c->pools.v[i].meta.deleted == TIME_NONE &&
		    pool_ready(c, &c->pools.v[i]))
			out[n++] = &c->pools.v[i];
	GOSORT(out, n, pool_before, c->in);
	*ret_n = n;
	return out;
}

void templates_build(struct template_set *s, struct class_table *t, const struct itype_list *const *types)
{
	struct cluster *c = t->cluster;
	struct arena *a = t->arena;

	*s = (struct template_set){0};
	s->pool = pools_by_weight(c, a, &s->npool);
	s->types = ARENA_ARRAY(a, const struct itype_list *, s->npool);
	s->note = ARENA_ARRAY(a, const char *, s->npool);
	s->min_values = ARENA_ARRAY(a, bool, s->npool);
	s->v = ARENA_ARRAY(a, struct template, s->npool);
	daemons_build(&s->daemons, t, a);
	for (uint32_t i = 0; i < s->npool; i++) {
		const struct itype_list *list = types[s->pool[i] - c->pools.v];
		struct template *m = &s->v[s->n];

		for (uint32_t k = 0; k < s->pool[i]->taints.n; k++)
			s->tolerate_prefer = s->tolerate_prefer ||
					     s->pool[i]->taints.v[k].effect == EFFECT_PREFER_NO_SCHEDULE;
		*m = (struct template){.pool = s->pool[i], .index = s->n, .arena = a, .list = list};
		template_labels(m, t);
		if (list && list->n) {
			s->types[i] = list;
			s->min_values[i] = prefilter(m, t, list);
		}
		if (!m->ntype) {
			s->note[i] =
				"NodePool requirements filtered out all compatible available instance types";
			continue;
		}
		m->nwords = BITS_WORDS(m->ntype);
		s->n++;
	}
	/* Daemons are matched after all templates exist, in their order. */
	for (uint32_t i = 0; i < s->n; i++) {
		group_types(&s->v[i], t, &s->daemons);
		finish(&s->v[i], t);
	}
}
