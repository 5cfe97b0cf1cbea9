/*
 * Compiles a catalogue directory into C tables (src/load/catalog_pack.h). Run by the build on
 * fixtures/catalog.
 *
 * usage: catalog_compile DIR OUTPUT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bits.h"
#include "catalog_pack.h"
#include "idmap.h"
#include "label.h"
#include "load_catalog.h"

struct compiler {
	struct arena arena;
	struct intern in;
	struct diags d;
	FILE *out;
	struct idmap text_of, type_of; /* numbers by interned id */
	VEC(sid) texts;
	VEC(struct ec2_type) types;
	VEC(struct ec2_zone) zones;
	VEC(struct packed_offer) offers;
	VEC(struct packed_region) regions;
};

_Noreturn static void fail(const char *what)
{
	fprintf(stderr, "catalog_compile: %s\n", what);
	exit(1);
}

static uint16_t text(struct compiler *c, sid id)
{
	uint32_t n;

	if (!idmap_get(&c->text_of, id, &n)) {
		n = c->texts.n;
		if (n > UINT16_MAX)
			fail("too many texts");
		idmap_put(&c->text_of, id, n);
		VEC_PUSH(&c->arena, &c->texts, id);
	}
	return (uint16_t)n;
}

static uint16_t type_number(struct compiler *c, const struct ec2_type *t)
{
	uint32_t n;

	if (!idmap_get(&c->type_of, t->name, &n))
		fail("a type has no number");
	return (uint16_t)n;
}

/* Numbers the types of all regions by name. */
static void number_types(struct compiler *c, const struct catalog *const *region, uint32_t n)
{
	VEC(sid) names = {0};
	VEC(const struct ec2_type *) found = {0};
	uint32_t i;

	for (uint32_t r = 0; r < n; r++)
		for (uint32_t t = 0; t < region[r]->ntype; t++)
			if (!idmap_get(&c->type_of, region[r]->type[t].name, &i)) {
				idmap_put(&c->type_of, region[r]->type[t].name, found.n);
				VEC_PUSH(&c->arena, &found, &region[r]->type[t]);
				VEC_PUSH(&c->arena, &names, region[r]->type[t].name);
			}
	if (names.n > UINT16_MAX)
		fail("too many instance types");
	intern_sort(&c->in, names.v, names.n);
	for (uint32_t k = 0; k < names.n; k++) {
		idmap_get(&c->type_of, names.v[k], &i);
		VEC_PUSH(&c->arena, &c->types, *found.v[i]);
	}
	for (uint32_t k = 0; k < names.n; k++)
		idmap_put(&c->type_of, names.v[k], k);
}

static uint32_t micro(double usd)
{
	double m = round(usd * 1e6);

	if (usd < 0)
		return 0;
	if (m < 1 || m > UINT32_MAX || m / 1e6 < usd || m / 1e6 > usd)
		fail("a price is no whole number of millionths of a dollar");
	return (uint32_t)m;
}

static void add_offer(struct compiler *c, const struct catalog *cat, uint32_t ti)
{
	struct packed_offer o = {
		.type = type_number(c, &cat->type[ti]),
		.on_demand = micro(cat->on_demand[ti]),
		.on_demand_date = text(c, cat->on_demand_date[ti]),
		.on_demand_estimated = cat->on_demand_flag[ti] == PRICE_ESTIMATED,
		.interruption = cat->interruption[ti],
	};

	for (uint32_t z = 0; z < cat->nzone; z++) {
		uint32_t pool = ti * cat->nzone + z;

		if (!bits_test(cat->offered, pool))
			continue;
		if (cat->spot[pool] >= 0 && cat->spot_flag[pool] != PRICE_REGIONAL)
			fail("a spot price is not for the whole region");
		o.zones |= (uint16_t)(1u << z);
		o.spot = micro(cat->spot[pool]);
		o.spot_date = text(c, cat->spot_date[pool]);
	}
	VEC_PUSH(&c->arena, &c->offers, o);
}

static void add_region(struct compiler *c, const struct catalog *cat)
{
	struct packed_region r = {
		.name = text(c, cat->region),
		.as_of = text(c, cat->as_of),
		.zone = c->zones.n,
		.nzone = cat->nzone,
		.offer = c->offers.n,
		.noffer = cat->ntype,
	};

	if (cat->nzone > 16)
		fail("a region has more than 16 zones");
	for (uint32_t z = 0; z < cat->nzone; z++)
		VEC_PUSH(&c->arena, &c->zones, cat->zone[z]);
	for (uint32_t t = 0; t < cat->ntype; t++)
		add_offer(c, cat, t);
	VEC_PUSH(&c->arena, &c->regions, r);
}

static void write_types(struct compiler *c)
{
	fprintf(c->out, "const struct packed_type packed_types[] = {\n");
	for (uint32_t i = 0; i < c->types.n; i++) {
		const struct ec2_type *t = &c->types.v[i];

		fprintf(c->out, "{");
#define X(m) fprintf(c->out, "%u,", text(c, t->m));
		PACKED_TEXTS(X)
#undef X
#define X(m) fprintf(c->out, "%d,", (int)t->m);
		PACKED_INTS(X)
		PACKED_BOOLS(X)
#undef X
		fprintf(c->out, "},\n");
	}
	fprintf(c->out, "};\nconst uint32_t packed_ntype = %u;\n", c->types.n);
}

static void write_regions(struct compiler *c)
{
	fprintf(c->out, "const struct packed_zone packed_zones[] = {\n");
	for (uint32_t i = 0; i < c->zones.n; i++)
		fprintf(c->out, "{%u,%u},\n", text(c, c->zones.v[i].name), text(c, c->zones.v[i].zone_id));
	fprintf(c->out, "};\nconst struct packed_offer packed_offers[] = {\n");
	for (uint32_t i = 0; i < c->offers.n; i++) {
		const struct packed_offer *o = &c->offers.v[i];

		fprintf(c->out, "{%u,%u,%uu,%uu,%u,%u,%u,%d},\n", o->type, o->zones, o->on_demand, o->spot,
			o->on_demand_date, o->spot_date, o->on_demand_estimated, o->interruption);
	}
	fprintf(c->out, "};\nconst struct packed_region packed_regions[] = {\n");
	for (uint32_t i = 0; i < c->regions.n; i++) {
		const struct packed_region *r = &c->regions.v[i];

		fprintf(c->out, "{%u,%u,%u,%u,%u,%u},\n", r->name, r->as_of, r->zone, r->nzone, r->offer,
			r->noffer);
	}
	fprintf(c->out, "};\nconst uint32_t packed_nregion = %u;\n", c->regions.n);
}

/* Last, because writing the others numbers texts. */
static void write_texts(const struct compiler *c)
{
	uint32_t at = 0;

	fprintf(c->out, "const char packed_text[] = {\n");
	for (uint32_t i = 0; i < c->texts.n; i++) {
		struct str s = intern_str(&c->in, c->texts.v[i]);

		for (size_t k = 0; k < s.n; k++)
			fprintf(c->out, "%d,", s.p[k]);
		fprintf(c->out, "0,\n");
	}
	fprintf(c->out, "};\nconst uint32_t packed_text_at[] = {\n");
	for (uint32_t i = 0; i < c->texts.n; i++) {
		fprintf(c->out, "%u,\n", at);
		at += (uint32_t)intern_str(&c->in, c->texts.v[i]).n + 1;
	}
	fprintf(c->out, "};\nconst uint32_t packed_ntext = %u;\n", c->texts.n);
}

static void print_messages(const struct diags *d)
{
	struct buf b;

	buf_init(&b);
	for (uint32_t i = 0; i < d->msgs.n; i++)
		diag_print(&b, &d->msgs.v[i], false);
	fputs(buf_cstr(&b), stderr);
	buf_release(&b);
}

/* The regions of a catalogue come with any one of them. */
static bool compile(struct compiler *c, const char *dir)
{
	const struct catalog *first =
		catalog_read_dir(&c->arena, &c->d, &c->in, dir, intern_cstr(&c->in, "us-east-1"));
	const struct catalog **region;

	if (!first)
		return false;
	region = ARENA_ARRAY(&c->arena, const struct catalog *, first->nregion);
	for (uint32_t i = 0; i < first->nregion; i++)
		if (!(region[i] = catalog_read_dir(&c->arena, &c->d, &c->in, dir, first->regions[i])))
			return false;
	text(c, SID_EMPTY);
	number_types(c, region, first->nregion);
	for (uint32_t i = 0; i < first->nregion; i++)
		add_region(c, region[i]);
	fprintf(c->out, "/* Written by catalog_compile. */\n#include \"catalog_pack.h\"\n");
	write_types(c);
	write_regions(c);
	write_texts(c);
	return true;
}

int main(int argc, char **argv)
{
	struct compiler c = {0};

	if (argc != 3)
		fail("usage: catalog_compile DIR OUTPUT");
	arena_init(&c.arena);
	intern_init(&c.in, &c.arena);
	labels_init(&c.in);
	diags_init(&c.d, &c.arena);
	idmap_init(&c.text_of, &c.arena);
	idmap_init(&c.type_of, &c.arena);
	c.out = fopen(argv[2], "w");
	if (!c.out)
		fail("cannot write the output");
	bool ok = compile(&c, argv[1]);

	print_messages(&c.d);
	if (!ok)
		fail("the catalogue has errors");
	if (fclose(c.out) != 0)
		fail("cannot write the output");
	arena_release(&c.arena);
	return 0;
}
