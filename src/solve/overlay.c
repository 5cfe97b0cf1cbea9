#include "overlay.h"

#include <stdlib.h>
#include <string.h>

#include "gosort.h"
#include "podclass.h"

/* What is laid over one type of one NodePool so far. */
struct layer {
	sid *price;            /* by offering: the change, SID_NONE */
	int32_t *price_weight; /* by offering: of the overlay that touched it last */
	struct reslist capacity, last_capacity;
	int32_t capacity_weight;
	bool touched;
};

static bool overlay_before(const void *x, const void *y, const void *ctx)
{
	const struct node_overlay *const *a = x, *const *b = y;

	if ((*a)->weight != (*b)->weight)
		return (*a)->weight > (*b)->weight;
	return intern_cmp(ctx, (*a)->meta.name, (*b)->meta.name) > 0;
}

double overlay_price(double price, const char *change)
{
	size_t n = strlen(change);
	double by, out;

	if (!n)
		return price;
	by = strtod(change, NULL);
	if (change[0] != '+' && change[0] != '-')
		return by;
	out = change[n - 1] == '%' ? price * (1 + (by / 100)) : price + by;
	return out >= 0 ? out : 0;
}

static sid change_of(const struct node_overlay *o)
{
	return o->price != SID_NONE ? o->price : o->price_adjustment;
}

/* Whether the type with the pool's labels is what the overlay is about. */
static bool about_type(struct reqpool *p, rsetid pool, const struct itype *t, rsetid wants)
{
	return rset_compatible(p, rset_intersect(p, pool, t->reqs), wants, false);
}

struct target {
	struct cluster *c;
	const struct itype_list *list;
	struct layer *layer; /* by type */
	rsetid pool;
};

static bool conflicts(const struct target *t, const struct node_overlay *o, rsetid wants)
{
	struct reqpool *p = t->c->rp;

	for (uint32_t i = 0; i < t->list->n; i++) {
		const struct itype *type = &t->list->v[i];
		const struct layer *l = &t->layer[i];
		bool any = false;

		if (!about_type(p, t->pool, type, wants))
			continue;
		for (uint32_t k = 0; k < type->noffering; k++) {
			if (!rset_compatible(p, wants, type->offering[k].reqs, true))
				continue;
			any = true;
			if (change_of(o) != SID_NONE && l->price && l->price[k] != SID_NONE &&
			    l->price_weight[k] == o->weight)
				return true;
		}
		for (uint32_t k = 0;
		     any && l->touched && l->capacity_weight == o->weight && k < o->capacity.n; k++)
			if (reslist_find(&l->last_capacity, o->capacity.v[k].name))
				return true;
	}
	return false;
}

static void lay_price(struct arena *a, struct layer *l, const struct itype *t, uint32_t k,
		      const struct node_overlay *o)
{
	if (!l->price) {
		l->price = ARENA_ARRAY(a, sid, t->noffering);
		l->price_weight = ARENA_ARRAY(a, int32_t, t->noffering);
		for (uint32_t i = 0; i < t->noffering; i++)
			l->price[i] = SID_NONE;
	}
	l->price_weight[k] = o->weight;
	if (l->price[k] == SID_NONE)
		l->price[k] = change_of(o);
}

static void lay(struct arena *a, const struct target *t, const struct node_overlay *o, rsetid wants)
{
	struct reqpool *p = t->c->rp;

	for (uint32_t i = 0; i < t->list->n; i++) {
		const struct itype *type = &t->list->v[i];
		struct layer *l = &t->layer[i];
		bool any = false;

		if (!about_type(p, t->pool, type, wants))
			continue;
		for (uint32_t k = 0; k < type->noffering; k++) {
			if (!rset_compatible(p, wants, type->offering[k].reqs, true))
				continue;
			any = true;
			if (change_of(o) != SID_NONE)
				lay_price(a, l, type, k, o);
		}
		if (!any || !o->capacity.n)
			continue;
		for (uint32_t k = 0; k < o->capacity.n; k++)
			if (!reslist_find(&l->capacity, o->capacity.v[k].name))
				l->capacity = reslist_set(
					t->c->in, a, &l->capacity, o->capacity.v[k].name,
					(struct quantity){o->capacity.v[k].v, o->capacity.v[k].format});
		l->last_capacity = o->capacity;
		l->capacity_weight = o->weight;
		l->touched = true;
	}
}

static void apply_one(struct arena *a, struct cluster *c, struct itype *t, const struct layer *l)
{
	if (l->capacity.n) {
		for (uint32_t k = 0; k < l->capacity.n; k++)
			t->capacity =
				reslist_set(c->in, a, &t->capacity, l->capacity.v[k].name,
					    (struct quantity){l->capacity.v[k].v, l->capacity.v[k].format});
		t->allocatable = itype_allocatable(c->in, a, t);
		t->capacity_overlaid = true;
	}
	if (!l->price)
		return;
	t->offering = arena_memdup(a, t->offering, t->noffering, sizeof(*t->offering));
	for (uint32_t k = 0; k < t->noffering; k++)
		if (l->price[k] != SID_NONE) {
			t->offering[k].price =
				overlay_price(t->offering[k].price, intern_c(c->in, l->price[k]));
			t->offering[k].price_overlaid = true;
		}
}

static rsetid pool_labels(struct cluster *c, const struct node_pool *np)
{
	rsetid s = rset_add(c->rp, RSET_EMPTY, req_in1(c->rp, req_key(c->rp, LBL_NODEPOOL), np->meta.name));

	return rset_intersect(c->rp, s, reqs_of_labels(c->rp, &np->template_labels));
}

void overlays_apply(struct arena *a, struct cluster *c, const struct itype_list **types)
{
	const struct node_overlay **order = ARENA_ARRAY(a, const struct node_overlay *, c->overlays.n);
	struct target *t = ARENA_ARRAY(a, struct target, c->pools.n);

	for (uint32_t i = 0; i < c->overlays.n; i++)
		order[i] = &c->overlays.v[i];
	GOSORT(order, c->overlays.n, overlay_before, c->in);
	for (uint32_t i = 0; i < c->pools.n; i++)
		if (types[i])
			t[i] = (struct target){c, types[i], ARENA_ARRAY(a, struct layer, types[i]->n),
					       pool_labels(c, &c->pools.v[i])};
	for (uint32_t o = 0; o < c->overlays.n; o++) {
		rsetid wants = reqs_of_api(c->rp, order[o]->req, order[o]->nreq);
		bool clash = false;

		for (uint32_t i = 0; i < c->pools.n; i++)
			clash = clash || (types[i] && conflicts(&t[i], order[o], wants));
		for (uint32_t i = 0; !clash && i < c->pools.n; i++)
			if (types[i])
				lay(a, &t[i], order[o], wants);
	}
	for (uint32_t i = 0; i < c->pools.n; i++) {
		struct itype_list *out;

		if (!types[i] || !c->overlays.n)
			continue;
		out = ARENA_NEW(a, struct itype_list);
		out->n = types[i]->n;
		out->v = arena_memdup(a, types[i]->v, out->n, sizeof(*out->v));
		for (uint32_t k = 0; k < out->n; k++)
			apply_one(a, c, &out->v[k], &t[i].layer[k]);
		types[i] = out;
	}
}
