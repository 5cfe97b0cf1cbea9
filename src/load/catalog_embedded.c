#include "catalog_embedded.h"

#include <stdlib.h>

#include "bits.h"
#include "catalog_pack.h"

/* Texts interned so far, by their number in the pack. */
struct texts {
	struct intern *in;
	sid *known;
};

static sid text(const struct texts *t, uint16_t i)
{
	/* The empty text has number 0 and id 0, so 0 serves for "not interned yet". */
	if (i != 0 && t->known[i] == SID_EMPTY)
		t->known[i] = intern_cstr(t->in, packed_text + packed_text_at[i]);
	return t->known[i];
}

static const struct packed_region *find_region(struct arena *a, struct diags *d, const struct intern *in,
					       sid region)
{
	const char **names = ARENA_ARRAY(a, const char *, packed_nregion);

	for (uint32_t i = 0; i < packed_nregion; i++) {
		names[i] = packed_text + packed_text_at[packed_regions[i].name];
		if (str_is(intern_str(in, region), names[i]))
			return &packed_regions[i];
	}
	catalog_no_region(d, "the built-in catalogue", intern_c(in, region), names, packed_nregion,
			  "; --catalog names another one");
	return NULL;
}

static struct ec2_type unpack_type(const struct texts *t, const struct packed_type *p)
{
	struct ec2_type out = {
#define X(m) .m = p->m,
		PACKED_INTS(X) PACKED_BOOLS(X)
#undef X
	};

#define X(m) out.m = text(t, p->m);
	PACKED_TEXTS(X)
#undef X
	ec2_type_parse_name(t->in, &out);
	return out;
}

/* A millionth of a dollar and a division give the same double as the decimal text. */
static double price(uint32_t micro)
{
	return micro ? micro / 1e6 : CATALOG_NO_PRICE;
}

static void unpack_offer(struct catalog *cat, const struct texts *t, uint32_t ti,
			 const struct packed_offer *o)
{
	cat->type[ti] = unpack_type(t, &packed_types[o->type]);
	cat->on_demand[ti] = price(o->on_demand);
	cat->on_demand_flag[ti] = o->on_demand_estimated ? PRICE_ESTIMATED : PRICE_RECORDED;
	cat->on_demand_date[ti] = text(t, o->on_demand_date);
	cat->interruption[ti] = o->interruption;
	for (uint32_t z = 0; z < cat->nzone; z++) {
		uint32_t pool = ti * cat->nzone + z;
		bool offered = o->zones >> z & 1;

		cat->spot[pool] = offered ? price(o->spot) : CATALOG_NO_PRICE;
		cat->spot_flag[pool] = PRICE_REGIONAL;
		cat->spot_date[pool] = text(t, o->spot_date);
		if (offered)
			bits_set(cat->offered, pool);
	}
}

const struct catalog *catalog_embedded(struct arena *a, struct diags *d, struct intern *in, sid region)
{
	struct texts t = {.in = in, .known = ARENA_ARRAY(a, sid, packed_ntext)};
	const struct packed_region *r = find_region(a, d, in, region);
	struct catalog *cat;
	uint32_t npool;

	if (!r)
		return NULL;
	cat = ARENA_NEW(a, struct catalog);
	npool = r->noffer * r->nzone;
	*cat = (struct catalog){
		.region = region,
		.ntype = r->noffer,
		.type = ARENA_ARRAY(a, struct ec2_type, r->noffer),
		.nzone = r->nzone,
		.zone = ARENA_ARRAY(a, struct ec2_zone, r->nzone),
		.on_demand = ARENA_ARRAY(a, double, r->noffer),
		.on_demand_flag = ARENA_ARRAY(a, uint8_t, r->noffer),
		.on_demand_date = ARENA_ARRAY(a, sid, r->noffer),
		.offered = ARENA_ARRAY(a, uint64_t, BITS_WORDS(npool)),
		.spot = ARENA_ARRAY(a, double, npool),
		.spot_flag = ARENA_ARRAY(a, uint8_t, npool),
		.spot_date = ARENA_ARRAY(a, sid, npool),
		.interruption = ARENA_ARRAY(a, int8_t, r->noffer),
		.as_of = text(&t, r->as_of),
		.nregion = packed_nregion,
		.regions = ARENA_ARRAY(a, sid, packed_nregion),
	};
	for (uint32_t i = 0; i < packed_nregion; i++)
		cat->regions[i] = text(&t, packed_regions[i].name);
	for (uint32_t z = 0; z < r->nzone; z++) {
		const struct packed_zone *p = &packed_zones[r->zone + z];

		cat->zone[z] = (struct ec2_zone){text(&t, p->name), text(&t, p->zone_id), region};
	}
	for (uint32_t i = 0; i < r->noffer; i++)
		unpack_offer(cat, &t, i, &packed_offers[r->offer + i]);
	return cat;
}

static int by_name(const void *name, const void *type)
{
	return strcmp(name, packed_text + packed_text_at[((const struct packed_type *)type)->name]);
}

bool catalog_embedded_type(struct intern *in, sid name, struct ec2_type *ret_t)
{
	const struct packed_type *p =
		bsearch(intern_c(in, name), packed_types, packed_ntype, sizeof(*packed_types), by_name);
	struct arena scratch;

	if (!p)
		return false;
	arena_init(&scratch);
	struct texts t = {.in = in, .known = ARENA_ARRAY(&scratch, sid, packed_ntext)};

	*ret_t = unpack_type(&t, p);
	arena_release(&scratch);
	return true;
}
