#include "finish.h"

#include <string.h>

#include "bits.h"
#include "hash.h"

/* --- what a claim holds when all pods are placed (A15.1, A15.2, A12.6) --- */

static void inject_reservations(struct solving *r, struct claim *c)
{
	struct reqpool *p = r->s->c->rp;
	const struct settings *s = &r->s->c->settings;
	sid label = cluster_generic(r->s->c) && s->reservation_label != SID_NONE ? s->reservation_label
										 : LBL_CR_ID;

	if (!c->reserved.n)
		return;
	c->reqs = rset_replace(p, c->reqs, req_in1(p, req_key(p, LBL_CAPACITY_TYPE), CAP_RESERVED));
	c->reqs =
		rset_add(p, c->reqs, req_make(p, req_key(p, label), OP_IN, c->reserved.v, c->reserved.n, -1));
}

static bool group_left(const struct claim *c, const struct type_group *g)
{
	for (uint32_t w = 0; w < c->m->nwords; w++)
		if (c->types[w] & g->mask[w])
			return true;
	return false;
}

/* The least overhead of the groups that still have a type; an empty one before others counts for nothing
 * (A12.6). */
static struct reslist least_overhead(struct solving *r, const struct claim *c)
{
	struct reslist least = {0};

	for (uint32_t g = 0; g < c->m->ngroup; g++) {
		const struct type_group *group = &c->m->group[g];

		if (group_left(c, group))
			least = least.n ? reslist_min(r->arena, &least, &group->overhead) : group->overhead;
	}
	return least;
}

static void sum_requests(struct solving *r, struct claim *c)
{
	const struct intern *in = r->s->c->in;
	struct reslist least = least_overhead(r, c);

	for (uint32_t i = 0; i < c->pods.n; i++) {
		const struct reslist *q = &r->pod[c->pods.v[i]].class->requests;

		/* Most pods name the same resources; adding in place saves the copy. */
		uint32_t k = 0;

		while (k < q->n && k < c->requests.n && q->n == c->requests.n &&
		       c->requests.v[k].name == q->v[k].name)
			k++;
		if (k != q->n || k != c->requests.n) {
			c->requests = reslist_add(in, r->arena, &c->requests, q);
			continue;
		}
		for (k = 0; k < q->n; k++) {
			if (c->requests.v[k].v == 0)
				c->requests.v[k].format = q->v[k].format;
			c->requests.v[k].v += q->v[k].v;
		}
	}
	c->requests = reslist_add(in, r->arena, &c->requests, &least);
}

static void drop(struct solving *r, struct claim *c, const struct min_values_gap *gap, uint32_t ngap)
{
	struct buf b;
	const char *text;

	buf_init(&b);
	buf_adds(&b, "pod didn\xe2\x80\x99t schedule because NodePool couldn\xe2\x80\x99t meet minValues "
		     "requirements, "
		     "validating minValues, ");
	min_values_print(r->s->c->rp, &b, gap, ngap);
	buf_addf(&b, " (NodePool=%s)", intern_c(r->s->c->in, c->m->pool->meta.name));
	text = arena_strndup(r->arena, buf_cstr(&b), b.n);
	buf_release(&b);
	c->dropped = true;
	for (uint32_t i = 0; i < c->pods.n; i++)
		r->pod[c->pods.v[i]].error = text;
}

/* Many claims of a large plan are alike but for their pods. Enters those that have no like yet. */
static const struct claim *find_like(const struct solving *r, struct idset *seen, const struct claim *c)
{
	uint64_t h = hash_mix(c->m->index, c->reqs);
	uint32_t s;

	for (uint32_t w = 0; w < c->m->nwords; w++)
		h = hash_mix(h, c->types[w]);
	for (s = idset_first(seen, h); idset_at(seen, s) != IDSET_FREE; s = idset_next(seen, s)) {
		const struct claim *o = r->claims.v[idset_at(seen, s)];

		if (idset_hash_is(seen, s, h) && o->m == c->m && o->reqs == c->reqs &&
		    memcmp(o->types, c->types, c->m->nwords * sizeof(*c->types)) == 0)
			return o;
	}
	idset_add(seen, s, h, c->number);
	return NULL;
}

static void list_types(struct solving *r, struct claim *c)
{
	uint32_t max = r->s->c->settings.max_instance_types;

	if (c->like) {
		c->type = c->like->type;
		c->ntype = c->like->ntype;
		return;
	}
	c->type = types_listed(r->arena, c->m, c->types, &c->ntype);
	template_sort(c->m, &r->s->t, r->arena, c->type, c->ntype, c->reqs);
	if (c->ntype > max)
		c->ntype = max;
}

void claims_finish(struct solving *r)
{
	struct reqpool *p = r->s->c->rp;
	struct idset seen;

	idset_init(&seen, r->arena);
	for (uint32_t i = 0; i < r->claims.n; i++) {
		struct claim *c = r->claims.v[i];
		struct min_values_gap *gap;
		uint32_t ngap;

		inject_reservations(r, c);
		sum_requests(r, c);
		c->like = find_like(r, &seen, c);
		list_types(r, c);
		if (rset_has_min_values(p, c->reqs) && !r->s->c->settings.min_values_best_effort &&
		    itypes_min_values(p, r->arena, c->type, c->ntype, c->reqs, &gap, &ngap) == UINT32_MAX)
			drop(r, c, gap, ngap);
	}
}

/* --- the NodeClaim object (A15.4) --- */

static void annotate(struct arena *a, const struct intern *in, struct labels *l, sid key, sid value)
{
	*l = labels_set(a, in, l, key, value);
}

/* How many capacity types compatible offerings of the template have. */
static uint32_t most_capacity_types(struct reqpool *p, const struct template *m, rsetid reqs)
{
	sid found[4];
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->offers.n && n < 4; i++) {
		sid one = m->offers.v[i].capacity_type;
		uint32_t j = 0;

		while (j < n && found[j] != one)
			j++;
		if (j == n && rset_compatible(p, reqs, m->offers.v[i].reqs, true))
			found[n++] = one;
	}
	return n;
}

/* Capacity types of the available compatible offerings (A15.4 b); REQ_NONE when there are none. */
static reqid capacity_types(struct reqpool *p, const struct template *m, const struct plan_claim *out)
{
	uint32_t n = 0, most = most_capacity_types(p, m, out->reqs);
	sid found[4];

	for (uint32_t i = 0; i < out->ntype && n < most; i++)
		for (uint32_t k = 0; k < out->type[i]->noffering && n < most; k++) {
			const struct offering *o = &out->type[i]->offering[k];
			uint32_t j = 0;

			while (j < n && found[j] != o->capacity_type)
				j++;
			if (j == n && o->available && rset_compatible(p, out->reqs, o->reqs, true))
				found[n++] = o->capacity_type;
		}
	return n ? req_make(p, req_key(p, LBL_CAPACITY_TYPE), OP_IN, found, n, -1) : REQ_NONE;
}

static void set_types(struct snapshot *s, struct arena *a, struct template *m, struct plan_claim *out)
{
	struct reqpool *p = s->c->rp;
	keyid key = req_key(p, LBL_INSTANCE_TYPE);
	reqid there = rset_find(p, out->reqs, key);
	reqid capacity;
	sid *names;

	template_sort(m, &s->t, a, out->type, out->ntype, out->reqs);
	if (out->ntype > s->c->settings.max_instance_types)
		out->ntype = s->c->settings.max_instance_types;
	names = ARENA_ARRAY(a, sid, out->ntype);
	for (uint32_t i = 0; i < out->ntype; i++)
		names[i] = out->type[i]->name;
	/* Which offerings are compatible does not depend on the types' names. */
	capacity = capacity_types(p, m, out);
	out->reqs = rset_add(p, out->reqs,
			     req_make(p, key, OP_IN, names, out->ntype,
				      there == REQ_NONE ? -1 : req_get(p, there)->min_values));
	if (capacity != REQ_NONE)
		out->reqs = rset_add(p, out->reqs, capacity);
}

static void mark_overlays(struct snapshot *s, struct arena *a, struct plan_claim *out)
{
	bool price = false, capacity = false;

	for (uint32_t i = 0; s->c->overlays.n && i < out->ntype; i++) {
		capacity = capacity || out->type[i]->capacity_overlaid;
		for (uint32_t k = 0; k < out->type[i]->noffering; k++)
			price = price || out->type[i]->offering[k].price_overlaid;
	}
	if (price)
		annotate(a, s->c->in, &out->annotations, ANN_PRICE_OVERLAY, STR_TRUE);
	if (capacity)
		annotate(a, s->c->in, &out->annotations, ANN_CAPACITY_OVERLAY, STR_TRUE);
}

/* Custom labels get a concrete value (A15.4 d). */
static void set_custom_labels(struct snapshot *s, struct arena *a, struct plan_claim *out)
{
	struct reqpool *p = s->c->rp;
	const struct rset *set = rset_get(p, out->reqs);

	for (uint32_t i = 0; i < set->n; i++) {
		keyid k = req_get(p, set->req[i])->key;
		sid name = req_key_name(p, k), value;

		if (req_key_well_known(p, k) || name == LBL_HOSTNAME || name == LBL_REGISTERED ||
		    name == LBL_INITIALIZED)
			continue;
		value = req_any(p, set->req[i]);
		if (value != SID_EMPTY)
			out->labels = labels_set(a, s->c->in, &out->labels, name, value);
	}
}

void claim_object(struct snapshot *s, struct arena *a, const struct claim_data *d, struct plan_claim *out)
{
	struct reqpool *p = s->c->rp;

	*out = (struct plan_claim){.pool = d->m->pool,
				   .npod = d->npod,
				   .pod = d->pod,
				   .reqs = d->reqs,
				   .ntype = d->ntype,
				   .type = arena_memdup(a, d->type, d->ntype, sizeof(*d->type)),
				   .requests = d->requests,
				   .labels = d->m->labels,
				   .annotations = d->m->annotations,
				   .launch = {.type = SID_NONE, .zone = SID_NONE, .capacity_type = SID_NONE}};
	if (d->relaxed_known)
		annotate(a, s->c->in, &out->annotations, ANN_MIN_VALUES_RELAXED,
			 d->relaxed ? STR_TRUE : STR_FALSE);
	set_types(s, a, d->m, out);
	mark_overlays(s, a, out);
	set_custom_labels(s, a, out);
	out->reqs = rset_without(p, out->reqs, req_key(p, LBL_REGISTERED));
	out->reqs = rset_without(p, out->reqs, req_key(p, LBL_INITIALIZED));
}

void claim_of_pool(struct snapshot *s, struct arena *a, const struct node_pool *np, struct plan_claim *out)
{
	struct template m = {.pool = np, .arena = a};
	struct reqpool *p = s->c->rp;

	template_labels(&m, &s->t);
	*out = (struct plan_claim){.pool = np,
				   .reqs = m.reqs,
				   .type = ARENA_ARRAY(a, const struct itype *, 1),
				   .labels = m.labels,
				   .annotations = m.annotations,
				   .is_static = true,
				   .launch = {.type = SID_NONE, .zone = SID_NONE, .capacity_type = SID_NONE}};
	set_custom_labels(s, a, out);
	out->reqs = rset_without(p, out->reqs, req_key(p, LBL_REGISTERED));
	out->reqs = rset_without(p, out->reqs, req_key(p, LBL_INITIALIZED));
}

void claim_data_of(const struct solving *r, const struct claim *c, struct claim_data *ret_d)
{
	*ret_d = (struct claim_data){.m = c->m,
				     .reqs = c->reqs,
				     .ntype = c->ntype,
				     .type = c->type,
				     .requests = c->requests,
				     .npod = c->pods.n,
				     .pod = ARENA_ARRAY(r->arena, uint32_t, c->pods.n),
				     .relaxed = r->relaxed[c->m->index],
				     .relaxed_known = r->relaxed_set[c->m->index]};
	for (uint32_t i = 0; i < c->pods.n; i++)
		ret_d->pod[i] = r->pod[c->pods.v[i]].pod;
}
