#include "ec2_types.h"

#include <fnmatch.h>
#include <stdlib.h>

#include "bits.h"
#include "ec2_impl.h"

enum { OD, SPOT, NCAP }; /* capacity types of ordinary offerings, in their order */

/* The catalogue's region with the settings' what-ifs applied. */
struct pools {
	double *on_demand; /* by type */
	double *spot;      /* by type * nzone + zone */
	bool *ice;         /* by (type * nzone + zone) * NCAP + capacity type */
	rsetid *reqs;      /* of an offering, by zone * NCAP + capacity type */
};

static bool matches(const struct intern *in, sid pattern, sid value)
{
	if (pattern == SID_NONE || pattern == value)
		return true;
	return fnmatch(intern_c(in, pattern), intern_c(in, value), 0) == 0;
}

bool ec2_type_exists(const struct settings *s, const struct intern *in, sid type)
{
	if (!s->has_type_globs)
		return true;
	for (uint32_t i = 0; i < s->ntype_glob; i++)
		if (matches(in, s->type_glob[i], type))
			return true;
	return false;
}

bool ec2_zone_exists(const struct settings *s, sid zone)
{
	if (!s->has_zones)
		return true;
	for (uint32_t i = 0; i < s->nzone; i++)
		if (s->zone[i] == zone)
			return true;
	return false;
}

/* The range of types that a pattern can match: one for a plain name, all for a glob. */
static void type_range(const struct ec2_ctx *x, sid pattern, uint32_t *ret_from, uint32_t *ret_to)
{
	const struct catalog *cat = x->cat;
	uint32_t lo = 0, hi = cat->ntype;

	*ret_from = 0;
	*ret_to = cat->ntype;
	if (pattern == SID_NONE || strpbrk(intern_c(x->in, pattern), "*?[\\"))
		return;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (intern_cmp(x->in, cat->type[mid].name, pattern) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	*ret_from = lo;
	*ret_to = lo < cat->ntype && cat->type[lo].name == pattern ? lo + 1 : lo;
}

static void apply_price(const struct ec2_ctx *x, struct pools *p, const struct catalog_rule *r)
{
	const struct catalog *cat = x->cat;
	uint32_t from, to;

	type_range(x, r->type, &from, &to);
	for (uint32_t t = from; t < to; t++) {
		if (!matches(x->in, r->type, cat->type[t].name))
			continue;
		/* On-demand has one price in the region, so a zone does not narrow it. */
		if (matches(x->in, r->capacity_type, CAP_ON_DEMAND))
			p->on_demand[t] = r->usd_per_hour;
		if (!matches(x->in, r->capacity_type, CAP_SPOT))
			continue;
		for (uint32_t z = 0; z < cat->nzone; z++)
			if (matches(x->in, r->zone, cat->zone[z].name))
				p->spot[t * cat->nzone + z] = r->usd_per_hour;
	}
}

static void apply_ice(const struct ec2_ctx *x, struct pools *p, const struct catalog_rule *r)
{
	static const sid cap[NCAP] = {[OD] = CAP_ON_DEMAND, [SPOT] = CAP_SPOT};
	const struct catalog *cat = x->cat;
	uint32_t from, to;

	type_range(x, r->type, &from, &to);
	for (uint32_t t = from; t < to; t++)
		for (uint32_t z = 0; z < cat->nzone; z++)
			for (uint32_t k = 0; k < NCAP; k++)
				if (matches(x->in, r->type, cat->type[t].name) &&
				    matches(x->in, r->zone, cat->zone[z].name) &&
				    matches(x->in, r->capacity_type, cap[k]))
					p->ice[(t * cat->nzone + z) * NCAP + k] = true;
}

/* OF-2: what an offering of a zone and capacity type requires; the same for all types. */
static rsetid offering_reqs(const struct ec2_ctx *x, sid capacity_type, sid zone, sid zone_id)
{
	static const sid reservation[] = {LBL_CR_ID, LBL_CR_TYPE, LBL_CR_INTERRUPTIBLE};
	struct reqpool *rp = x->rp;
	reqid r[6];
	uint32_t n = 0;

	r[n++] = req_in1(rp, req_key(rp, LBL_CAPACITY_TYPE), capacity_type);
	r[n++] = req_in1(rp, req_key(rp, LBL_ZONE), zone);
	for (unsigned i = 0; i < 3; i++)
		r[n++] = req_make(rp, req_key(rp, reservation[i]), OP_DOES_NOT_EXIST, NULL, 0, -1);
	if (zone_id != SID_NONE)
		r[n++] = req_in1(rp, req_key(rp, LBL_ZONE_ID), zone_id);
	return rset_of(rp, r, n);
}

static struct pools pools_make(const struct ec2_ctx *x)
{
	const struct catalog *cat = x->cat;
	const struct settings *s = x->set;
	uint32_t n = cat->ntype * cat->nzone;
	struct pools p = {
		.on_demand = arena_memdup(x->arena, cat->on_demand, cat->ntype, sizeof(double)),
		.spot = arena_memdup(x->arena, cat->spot, n, sizeof(double)),
		.ice = ARENA_ARRAY(x->arena, bool, (size_t)n *NCAP),
		.reqs = ARENA_ARRAY(x->arena, rsetid, (size_t)cat->nzone * NCAP),
	};

	for (uint32_t i = 0; i < s->nprice; i++)
		apply_price(x, &p, &s->price[i]);
	for (uint32_t i = 0; i < s->nunavailable; i++)
		apply_ice(x, &p, &s->unavailable[i]);
	for (uint32_t z = 0; z < cat->nzone; z++) {
		p.reqs[z * NCAP + OD] = offering_reqs(x, CAP_ON_DEMAND, cat->zone[z].name, x->zone_id[z]);
		p.reqs[z * NCAP + SPOT] = offering_reqs(x, CAP_SPOT, cat->zone[z].name, x->zone_id[z]);
	}
	return p;
}

/*
 * OF-15: a NodeOverlay for exactly this type prices what EC2 does not, unless its status tells that Karpenter
 * refused it. The last one stands.
 */
static bool overlay_price(const struct ec2_ctx *x, sid type, double *ret_price)
{
	const struct cluster *c = x->cluster;
	bool found = false;

	for (uint32_t i = 0; x->set->gates[GATE_NODE_OVERLAY] && i < c->overlays.n; i++) {
		const struct node_overlay *o = &c->overlays.v[i];
		const struct condition *valid = conditions_find(&o->conditions, x->in, "ValidationSucceeded");

		if (valid && !str_is(intern_str(x->in, valid->status), "True"))
			continue;
		if (o->price == SID_NONE || o->nreq != 1 || o->req[0].key != LBL_INSTANCE_TYPE ||
		    !str_is(intern_str(x->in, o->req[0].op), "In"))
			continue;
		for (uint32_t k = 0; k < o->req[0].n; k++)
			if (o->req[0].values[k] == type) {
				*ret_price = strtod(intern_c(x->in, o->price), NULL);
				found = true;
			}
	}
	return found;
}

/* IT-70. */
static bool incompatible(const struct ec2_ctx *x, const struct ec2_type *t)
{
	const struct ec2_node_class *nc = x->nc;

	if (nc->has_interfaces && t->no_ena)
		return true;
	for (uint32_t i = 0; i < nc->ninterface; i++) {
		const struct nc_interface *f = &nc->interface[i];

		/* The catalogue knows the interfaces of the default card; the others are taken to be like it.
		 */
		if (f->card >= t->network_cards || f->device >= t->default_card_enis)
			return true;
	}
	if (nc->has_interfaces && x->efa_only > t->efa_max)
		return true;
	if (x->family == AMI_AL2023 && str_starts(intern_str(x->in, t->name), "a1."))
		return true;
	if (nc->nested_virtualization && !t->nested_virtualization)
		return true;
	return nc->connection_tracking && !str_is(intern_str(x->in, t->hypervisor), "nitro");
}

static void add_base(const struct ec2_ctx *x, const struct pools *p, uint32_t ti, const uint64_t *zones,
		     struct itype *it)
{
	const struct catalog *cat = x->cat;
	const struct ec2_type *t = &cat->type[ti];
	const bool usable[NCAP] = {[OD] = t->on_demand, [SPOT] = t->spot};

	for (uint32_t z = 0; z < cat->nzone; z++) {
		for (uint32_t k = 0; x->zone_exists[z] && k < NCAP; k++) {
			uint32_t pool = ti * cat->nzone + z;
			double price = k == OD ? p->on_demand[ti] : p->spot[pool];
			bool priced = price >= 0 || overlay_price(x, t->name, &price);

			if (!usable[k])
				continue;
			it->offering[it->noffering++] = (struct offering){
				.reqs = p->reqs[z * NCAP + k],
				.price = priced ? price : 0,
				.zone = cat->zone[z].name,
				.zone_id = x->zone_id[z],
				.capacity_type = k == OD ? CAP_ON_DEMAND : CAP_SPOT,
				.reservation = SID_NONE,
				.available = priced && !it->incompatible && !p->ice[pool * NCAP + k] &&
					     bits_test(zones, z),
			};
		}
	}
}

static int64_t reservation_free(const struct settings *s, sid id)
{
	for (uint32_t i = 0; i < s->nreservation; i++)
		if (s->reservation[i].id == id)
			return s->reservation[i].available;
	return 1;
}

static rsetid reserved_reqs(const struct ec2_ctx *x, const struct nc_reservation *r, sid zone_id)
{
	struct reqpool *rp = x->rp;
	reqid v[6];
	uint32_t n = 0;

	v[n++] = req_in1(rp, req_key(rp, LBL_CAPACITY_TYPE), CAP_RESERVED);
	v[n++] = req_in1(rp, req_key(rp, LBL_ZONE), r->zone);
	v[n++] = req_in1(rp, req_key(rp, LBL_CR_ID), r->id);
	v[n++] = req_in1(rp, req_key(rp, LBL_CR_TYPE), r->type);
	v[n++] = req_in1(rp, req_key(rp, LBL_CR_INTERRUPTIBLE), r->interruptible ? STR_TRUE : STR_FALSE);
	if (zone_id != SID_NONE)
		v[n++] = req_in1(rp, req_key(rp, LBL_ZONE_ID), zone_id);
	return rset_of(rp, v, n);
}

/* OF-4: one offering for each reservation of the type. Its price ranks it before all else and keeps their
 * order. */
static void add_reserved(const struct ec2_ctx *x, const struct pools *p, uint32_t ti, const uint64_t *zones,
			 struct itype *it)
{
	const struct catalog *cat = x->cat;
	bool on = x->set->gates[GATE_RESERVED_CAPACITY];

	for (uint32_t i = 0; on && i < x->nc->nreservation; i++) {
		const struct nc_reservation *r = &x->nc->reservation[i];
		uint32_t z = 0;

		if (r->instance_type != cat->type[ti].name)
			continue;
		while (z < cat->nzone && cat->zone[z].name != r->zone)
			z++;
		sid zone_id = z < cat->nzone ? x->zone_id[z] : SID_NONE;
		int64_t free = reservation_free(x->set, r->id);
		bool expiring = r->state != SID_NONE && str_is(intern_str(x->in, r->state), "expiring");

		it->offering[it->noffering++] = (struct offering){
			.reqs = reserved_reqs(x, r, zone_id),
			.price = p->on_demand[ti] >= 0 ? p->on_demand[ti] / 10000000.0 : 0,
			.zone = r->zone,
			.zone_id = zone_id,
			.capacity_type = CAP_RESERVED,
			.reservation = r->id,
			.reservation_cap = (int32_t)free,
			.available = !it->incompatible && free != 0 && !expiring && z < cat->nzone &&
				     bits_test(zones, z),
		};
	}
}

/*
 * The ids that zones have for this class: those of the status subnets, where of several subnets with one zone
 * id the first counts (so subnets that tell no zone id count as one). By catalogue zone, SID_NONE for none.
 */
static sid *zone_ids(const struct ec2_ctx *x)
{
	const struct ec2_node_class *nc = x->nc;
	sid *id = ARENA_ARRAY(x->arena, sid, x->cat->nzone);

	for (uint32_t z = 0; z < x->cat->nzone; z++)
		id[z] = SID_NONE;
	for (uint32_t i = 0; i < nc->nsubnet; i++) {
		bool seen = false;

		for (uint32_t k = 0; k < i && !seen; k++)
			seen = nc->subnet[k].zone_id == nc->subnet[i].zone_id;
		for (uint32_t z = 0; !seen && z < x->cat->nzone; z++)
			if (x->cat->zone[z].name == nc->subnet[i].zone && id[z] == SID_NONE)
				id[z] = nc->subnet[i].zone_id == SID_NONE ? SID_EMPTY : nc->subnet[i].zone_id;
	}
	return id;
}

/* Which types exist: sets bit ti of ret_types and the zones they are offered in. */
static void existing(const struct ec2_ctx *x, uint64_t *ret_types, bool *ret_zones)
{
	const struct catalog *cat = x->cat;

	for (uint32_t ti = 0; ti < cat->ntype; ti++) {
		if (ec2_arch(&cat->type[ti]) == SID_NONE ||
		    !ec2_type_exists(x->set, x->in, cat->type[ti].name))
			continue;
		for (uint32_t z = 0; z < cat->nzone; z++) {
			if (!bits_test(cat->offered, ti * cat->nzone + z) ||
			    !ec2_zone_exists(x->set, cat->zone[z].name))
				continue;
			ret_zones[z] = true;
			bits_set(ret_types, ti);
		}
	}
}

static struct itype make_type(const struct ec2_ctx *x, const struct pools *p, uint32_t ti)
{
	const struct catalog *cat = x->cat;
	const struct ec2_type *t = &cat->type[ti];
	uint64_t *zones = ARENA_ARRAY(x->arena, uint64_t, BITS_WORDS(cat->nzone));
	struct itype it = {.name = t->name};

	for (uint32_t z = 0; z < cat->nzone; z++)
		if (x->zone_exists[z] && x->zone_id[z] != SID_NONE &&
		    bits_test(cat->offered, ti * cat->nzone + z) &&
		    ec2_zone_exists(x->set, cat->zone[z].name))
			bits_set(zones, z);
	it.reqs = ec2_labels(x, t, zones);
	ec2_resources(x, t, x->traits->windows && ec2_arch(t) == STR_AMD64, &it);
	it.incompatible = incompatible(x, t);
	it.offering = ARENA_ARRAY(x->arena, struct offering, cat->nzone * NCAP + x->nc->nreservation);
	add_base(x, p, ti, zones, &it);
	add_reserved(x, p, ti, zones, &it);
	return it;
}

struct ec2_ctx ec2_ctx_of(struct arena *a, const struct cluster *c, const struct catalog *cat,
			  const struct ec2_node_class *nc)
{
	struct ec2_ctx x = {
		.arena = a,
		.in = c->in,
		.rp = c->rp,
		.cat = cat,
		.nc = nc,
		.set = &c->settings,
		.cluster = c,
		.family = ec2_ami_family(c->in, nc),
	};

	x.traits = ec2_ami_traits(x.family);
	for (uint32_t i = 0; i < nc->ninterface; i++) {
		x.efa_only += nc->interface[i].efa_only;
		x.efa_only_card0 += nc->interface[i].efa_only && nc->interface[i].card == 0;
	}
	return x;
}

struct itype_list ec2_types(struct arena *a, const struct cluster *c, const struct catalog *cat,
			    const struct ec2_node_class *nc)
{
	bool *zones = ARENA_ARRAY(a, bool, cat->nzone);
	uint64_t *types = ARENA_ARRAY(a, uint64_t, BITS_WORDS(cat->ntype));
	struct ec2_ctx x = ec2_ctx_of(a, c, cat, nc);
	struct itype_list out = {0};

	if (nc->nsubnet == 0)
		return out;
	x.zone_exists = zones;
	existing(&x, types, zones);
	x.zone_id = zone_ids(&x);
	x.memo = ec2_label_memo(a, c->rp);
	struct pools p = pools_make(&x);

	out.v = ARENA_ARRAY(a, struct itype, bits_count(types, BITS_WORDS(cat->ntype)));
	BITS_EACH (ti, types, BITS_WORDS(cat->ntype))
		out.v[out.n++] = make_type(&x, &p, ti);
	return out;
}
