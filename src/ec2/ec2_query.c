#include "ec2_query.h"

#include <stdlib.h>

/* Takes an offering that is allowed into the row. */
static void take(struct query_row *r, const struct catalog *cat, const struct intern *in,
		 const struct offering *o)
{
	enum price_flag flag =
		cat ? catalog_price_flag(cat, in, r->type->name, o->zone, o->capacity_type, o->price)
		    : PRICE_RECORDED;

	if (o->capacity_type == CAP_SPOT) {
		if (r->spot_min < 0 || o->price < r->spot_min)
			r->spot_min = o->price;
		if (o->price > r->spot_max)
			r->spot_max = o->price;
		r->regional |= flag == PRICE_REGIONAL;
	} else if (o->capacity_type == CAP_ON_DEMAND) {
		r->on_demand = o->price;
		r->estimated |= flag == PRICE_ESTIMATED;
	}
	if (r->cheapest < 0 || o->price < r->cheapest)
		r->cheapest = o->price;
}

static uint32_t count_zones(const struct cluster *c, const struct itype *t, rsetid reqs)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->noffering; i++) {
		const struct offering *o = &t->offering[i];
		bool seen = !o->available || !rset_compatible(c->rp, reqs, o->reqs, true);

		for (uint32_t k = 0; k < i && !seen; k++)
			seen = t->offering[k].zone == o->zone && t->offering[k].available &&
			       rset_compatible(c->rp, reqs, t->offering[k].reqs, true);
		n += !seen;
	}
	return n;
}

/* What a ready instance type tells of itself. */
static struct ec2_type *facts_of(struct arena *a, const struct cluster *c, const struct itype *t)
{
	struct ec2_type *f = ARENA_NEW(a, struct ec2_type);
	reqid arch = rset_find(c->rp, t->reqs, req_key(c->rp, LBL_ARCH));

	f->name = t->name;
	f->vcpus = (int32_t)quantity_ceil(reslist_amount(&t->capacity, RES_CPU));
	f->memory_mib = quantity_ceil(reslist_amount(&t->capacity, RES_MEMORY)) >> 20;
	f->gpu_count = (int32_t)quantity_ceil(reslist_amount(&t->capacity, RES_NVIDIA));
	f->arm64 = arch != REQ_NONE && req_allows(c->rp, arch, STR_ARM64);
	f->x86 = arch == REQ_NONE || req_allows(c->rp, arch, STR_AMD64);
	return f;
}

static bool query_type(struct arena *a, const struct cluster *c, const struct catalog *cat,
		       const struct itype *t, rsetid reqs, struct query_row *r)
{
	uint32_t ti = cat ? catalog_type(cat, c->in, t->name) : 0;

	*r = (struct query_row){.type = t,
				.spot_min = CATALOG_NO_PRICE,
				.spot_max = CATALOG_NO_PRICE,
				.on_demand = CATALOG_NO_PRICE,
				.cheapest = CATALOG_NO_PRICE};
	if (ti == UINT32_MAX || !rset_compatible(c->rp, reqs, t->reqs, true))
		return false;
	r->interruption = cat ? cat->interruption[ti] : (int8_t)-1;
	r->facts = cat ? &cat->type[ti] : facts_of(a, c, t);
	for (uint32_t i = 0; i < t->noffering; i++)
		if (t->offering[i].available && rset_compatible(c->rp, reqs, t->offering[i].reqs, true))
			take(r, cat, c->in, &t->offering[i]);
	if (r->cheapest < 0)
		return false;
	r->nzone = count_zones(c, t, reqs);
	return true;
}

/* qsort has no context argument that is portable; the key and the rank by name are computed beforehand. */
struct keyed {
	double key;
	uint32_t rank;
	struct query_row row;
};

static int by_key(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->key < y->key || x->key > y->key)
		return x->key < y->key ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

static double key_of(const struct query_row *r, enum query_order order)
{
	switch (order) {
	case QUERY_BY_PRICE:
		return r->cheapest;
	case QUERY_BY_CPU:
		return r->facts->vcpus;
	case QUERY_BY_MEMORY:
		return (double)r->facts->memory_mib;
	case QUERY_BY_PRICE_PER_CPU:
		return r->cheapest / r->facts->vcpus;
	case QUERY_BY_NAME:
		return 0;
	}
	return 0;
}

struct query_row *ec2_query(struct arena *a, const struct cluster *c, const struct catalog *cat,
			    const struct itype_list *types, rsetid reqs, enum query_order order,
			    uint32_t *ret_n)
{
	struct keyed *v = ARENA_ARRAY(a, struct keyed, types->n);
	struct query_row *out;
	uint32_t n = 0;

	for (uint32_t i = 0; i < types->n; i++) {
		if (!query_type(a, c, cat, &types->v[i], reqs, &v[n].row))
			continue;
		v[n].key = key_of(&v[n].row, order);
		v[n].rank = i; /* types are by name */
		n++;
	}
	qsort(v, n, sizeof(*v), by_key);
	out = ARENA_ARRAY(a, struct query_row, n);
	for (uint32_t i = 0; i < n; i++)
		out[i] = v[i].row;
	*ret_n = n;
	return out;
}
