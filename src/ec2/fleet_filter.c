#include <float.h>
#include <string.h>

#include "fleet_impl.h"

bool fleet_admits(const struct fleet_ctx *x, sid capacity_type)
{
	reqid r = rset_find(x->rp, x->reqs, req_key(x->rp, LBL_CAPACITY_TYPE));

	return r == REQ_NONE || req_allows(x->rp, r, capacity_type);
}

bool fleet_usable(const struct fleet_ctx *x, const struct offering *o, rsetid reqs)
{
	return o->available && rset_compatible(x->rp, reqs, o->reqs, true);
}

sid fleet_offering_label(const struct fleet_ctx *x, const struct offering *o, sid label)
{
	reqid r = rset_find(x->rp, o->reqs, req_key(x->rp, label));

	return r == REQ_NONE ? SID_EMPTY : req_any(x->rp, r);
}

/* Keeps the candidates marked; nothing changes when none is. */
static void keep_marked(struct fleet_ctx *x, const bool *keep)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < x->n; i++)
		n += keep[i];
	if (n == 0)
		return;
	n = 0;
	for (uint32_t i = 0; i < x->n; i++)
		if (keep[i])
			x->v[n++] = x->v[i];
	x->n = n;
}

/* Types that the claim allows, that hold its requests and that can be had. The only filter that may leave
 * nothing. */
static void compatible_available(struct fleet_ctx *x, const struct itype_list *types)
{
	reqid names = rset_find(x->rp, x->reqs, req_key(x->rp, LBL_INSTANCE_TYPE));

	x->v = ARENA_ARRAY(x->arena, struct candidate, types->n);
	for (uint32_t i = 0; i < types->n; i++) {
		const struct itype *t = &types->v[i];
		bool can = false;

		if (names != REQ_NONE && !req_allows(x->rp, names, t->name))
			continue;
		if (!rset_compatible(x->rp, x->reqs, t->reqs, true) ||
		    !reslist_fits(&x->claim->requests, &t->allocatable))
			continue;
		for (uint32_t k = 0; k < t->noffering && !can; k++)
			can = fleet_usable(x, &t->offering[k], x->reqs);
		if (!can)
			continue;
		struct candidate *c = &x->v[x->n++];

		c->type = t;
		c->n = t->noffering;
		c->offering = ARENA_ARRAY(x->arena, const struct offering *, t->noffering);
		for (uint32_t k = 0; k < t->noffering; k++)
			c->offering[k] = &t->offering[k];
	}
}

/* Kinds of reservations, those to prefer at equal price first. */
enum market { ORDINARY, BLOCK, INTERRUPTIBLE, NMARKET };

static enum market market_of(const struct fleet_ctx *x, const struct offering *o)
{
	if (str_is(intern_str(x->in, fleet_offering_label(x, o, LBL_CR_TYPE)), "capacity-block"))
		return BLOCK;
	return fleet_offering_label(x, o, LBL_CR_INTERRUPTIBLE) == STR_TRUE ? INTERRUPTIBLE : ORDINARY;
}

/*
 * One request speaks of one kind of reservation: that with the cheapest offering. Its types keep their
 * reserved offerings of that kind only, so a reserved launch has nothing to fall back to.
 */
static void one_market(struct fleet_ctx *x)
{
	double cheapest[NMARKET] = {DBL_MAX, DBL_MAX, DBL_MAX};
	bool *has[NMARKET], any[NMARKET] = {false, false, false};
	enum market best = ORDINARY;

	for (unsigned m = 0; m < NMARKET; m++)
		has[m] = ARENA_ARRAY(x->arena, bool, x->n);
	for (uint32_t i = 0; i < x->n; i++)
		for (uint32_t k = 0; k < x->v[i].n; k++) {
			const struct offering *o = x->v[i].offering[k];

			if (o->capacity_type != CAP_RESERVED || !fleet_usable(x, o, x->reqs))
				continue;
			enum market m = market_of(x, o);

			has[m][i] = any[m] = true;
			if (o->price < cheapest[m])
				cheapest[m] = o->price;
		}
	for (unsigned m = 0; m < NMARKET; m++)
		if (cheapest[m] < cheapest[best])
			best = (enum market)m;
	if (!any[best])
		return;
	keep_marked(x, has[best]);
	for (uint32_t i = 0; i < x->n; i++) {
		struct candidate *c = &x->v[i];
		uint32_t n = 0;

		for (uint32_t k = 0; k < c->n; k++)
			if (c->offering[k]->capacity_type == CAP_RESERVED &&
			    market_of(x, c->offering[k]) == best)
				c->offering[n++] = c->offering[k];
		c->n = n;
	}
}

/* One request takes one capacity block: the cheapest. */
static void one_block(struct fleet_ctx *x)
{
	struct candidate best = {0};

	for (uint32_t i = 0; i < x->n; i++)
		if (x->v[i].n > 0) {
			/* The first offering speaks for all. */
			if (x->v[i].offering[0]->capacity_type != CAP_RESERVED ||
			    market_of(x, x->v[i].offering[0]) != BLOCK)
				return;
			break;
		}
	for (uint32_t i = 0; i < x->n; i++) {
		const struct offering *cheapest = NULL;

		for (uint32_t k = 0; k < x->v[i].n; k++) {
			const struct offering *o = x->v[i].offering[k];

			if (o->capacity_type == CAP_RESERVED && fleet_usable(x, o, x->reqs) &&
			    market_of(x, o) == BLOCK && (!cheapest || o->price < cheapest->price))
				cheapest = o;
		}
		if (!cheapest || (best.type && best.offering[0]->price <= cheapest->price))
			continue;
		x->v[i].offering[0] = cheapest;
		x->v[i].n = 1;
		best = x->v[i];
	}
	if (!best.type)
		return;
	x->v[0] = best;
	x->n = 1;
}

/* One request takes one reservation a pool: that with most instances free, the first of equals. By zone. */
static uint32_t one_per_zone(const struct fleet_ctx *x, const struct candidate *c,
			     const struct offering **out)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < c->n; k++) {
		const struct offering *o = c->offering[k];
		uint32_t i = 0;

		if (o->capacity_type != CAP_RESERVED || !fleet_usable(x, o, x->reqs))
			continue;
		while (i < n && intern_cmp(x->in, out[i]->zone, o->zone) < 0)
			i++;
		if (i < n && out[i]->zone == o->zone) {
			if (o->reservation_cap > out[i]->reservation_cap)
				out[i] = o;
			continue;
		}
		memmove(&out[i + 1], &out[i], (n - i) * sizeof(*out));
		out[i] = o;
		n++;
	}
	return n;
}

static void one_reservation(struct fleet_ctx *x)
{
	bool *keep = ARENA_ARRAY(x->arena, bool, x->n);

	for (uint32_t i = 0; i < x->n; i++) {
		struct candidate *c = &x->v[i];
		const struct offering **out = ARENA_ARRAY(x->arena, const struct offering *, c->n + 1);
		uint32_t n = one_per_zone(x, c, out);

		if (n == 0)
			continue;
		keep[i] = true;
		c->offering = out;
		c->n = n;
	}
	keep_marked(x, keep);
}

/* Metal, GPUs and accelerators are launched only where nothing else would do. */
static void no_exotic(struct fleet_ctx *x)
{
	static const sid devices[] = {RES_NEURON, RES_NEURONCORE, RES_AMD, RES_NVIDIA, RES_GAUDI};
	bool *keep = ARENA_ARRAY(x->arena, bool, x->n);
	keyid size = req_key(x->rp, LBL_SIZE);

	for (uint32_t i = 0; i < x->n; i++) {
		const struct itype *t = x->v[i].type;
		reqid r = rset_find(x->rp, t->reqs, size);

		keep[i] = r == REQ_NONE || !strstr(intern_c(x->in, req_any(x->rp, r)), "metal");
		for (unsigned k = 0; k < sizeof(devices) / sizeof(devices[0]); k++)
			keep[i] &= reslist_amount(&t->capacity, devices[k]) == 0;
	}
	keep_marked(x, keep);
}

/* Where both are allowed, spot offerings dearer than the cheapest on-demand one are not asked for. */
static void no_dear_spot(struct fleet_ctx *x)
{
	double cheapest = DBL_MAX;
	bool spot = false, on_demand = false;
	uint32_t left = 0;

	for (uint32_t i = 0; i < x->n; i++)
		for (uint32_t k = 0; k < x->v[i].n; k++) {
			const struct offering *o = x->v[i].offering[k];

			if (!fleet_usable(x, o, x->reqs))
				continue;
			spot |= o->capacity_type == CAP_SPOT;
			if (o->capacity_type == CAP_ON_DEMAND) {
				on_demand = true;
				cheapest = o->price < cheapest ? o->price : cheapest;
			}
		}
	if (!spot || !on_demand)
		return;
	for (uint32_t i = 0; i < x->n; i++) {
		struct candidate *c = &x->v[i];
		uint32_t n = 0;

		for (uint32_t k = 0; k < c->n; k++)
			if (c->offering[k]->capacity_type != CAP_SPOT || c->offering[k]->price <= cheapest)
				c->offering[n++] = c->offering[k];
		c->n = n;
		if (n)
			x->v[left++] = *c;
	}
	x->n = left;
}

void fleet_filter(struct fleet_ctx *x, const struct itype_list *types)
{
	compatible_available(x, types);
	if (fleet_admits(x, CAP_RESERVED)) {
		one_market(x);
		one_block(x);
		one_reservation(x);
	}
	if (x->min_values)
		return;
	no_exotic(x);
	if (fleet_admits(x, CAP_ON_DEMAND) && fleet_admits(x, CAP_SPOT))
		no_dear_spot(x);
}
