#include <criterion/criterion.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bits.h"
#include "catalog_embedded.h"
#include "label.h"
#include "load_catalog.h"

enum { ZONES, TYPES, OFFERINGS, ON_DEMAND, SPOT, NFILE };

static const char *const file_names[NFILE] = {"zones.csv", "instance-types.csv", "offerings.csv",
					      "on-demand-prices.csv", "spot-prices.csv"};

#define TYPE_HEADER                                                                                        \
	"instance_type,vcpus,memory_mib,architectures,usage_classes,hypervisor,cpu_manufacturer,"          \
	"sustained_clock_mhz,default_card_eni_count,ipv4_per_eni,network_card_count,trunking_compatible,"  \
	"branch_interfaces,network_bandwidth_mbps,ebs_optimized,ebs_max_mbps,local_storage_gb,local_nvme_" \
	"gb,"                                                                                              \
	"gpu_name,gpu_manufacturer,gpu_count,gpu_memory_mib,accelerator_label,accelerator_manufacturer,"   \
	"accelerator_count,neuron_core_count,efa_max,encryption_in_transit,note\n"
#define TYPE_REST "nitro,Intel,3100,3,10,1,true,9,750,default,4750,0,0,,,0,,,,0,0,0,false,\n"

static const char *const good[NFILE] = {
	[ZONES] = "zone,region,zone_id,extra\nr1b,r1,x-az2,1\nr1a,r1,x-az1,2\nr2a,r2,y-az1,3\n",
	[TYPES] = (TYPE_HEADER "m5.large,2,8192,x86_64,on-demand;spot," TYPE_REST
			       "c7g.large,2,4096,arm64,on-demand," TYPE_REST
			       "x1.old,2,4096,x86_64,on-demand," TYPE_REST),
	[OFFERINGS] = "region,instance_type,zones\nr1,m5.large,r1a;r1b\nr1,c7g.large,r1b\nr2,m5.large,r2a\n",
	[ON_DEMAND] = ("region,instance_type,usd_per_hour,flag,observed_at\nr1,m5.large,0.096,,2026-01-02\n"
		       "r1,c7g.large,0.07,estimated,2025-01-02\nr2,m5.large,0.1,,2024-01-02\n"),
	[SPOT] = "region,zone,instance_type,usd_per_hour\nr1,r1a,m5.large,0.03\nr1,r1b,m5.large,0.031\n",
};

struct run {
	struct arena arena;
	struct intern in;
	struct diags d;
	const struct catalog *cat;
};

static void run_start(struct run *r, const char *const *text, const char *region)
{
	char dir[] = "/tmp/kspot-catalog-XXXXXX", path[128];

	arena_init(&r->arena);
	intern_init(&r->in, &r->arena);
	labels_init(&r->in);
	diags_init(&r->d, &r->arena);
	cr_assert(mkdtemp(dir));
	for (unsigned i = 0; i < NFILE; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, file_names[i]);
		FILE *f = fopen(path, "w");

		cr_assert(f);
		fputs(text[i], f);
		fclose(f);
	}
	r->cat = catalog_read_dir(&r->arena, &r->d, &r->in, dir,
				  region ? intern_cstr(&r->in, region) : SID_NONE);
	for (unsigned i = 0; i < NFILE; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, file_names[i]);
		unlink(path);
	}
	rmdir(dir);
}

Test(load_catalog, reads)
{
	struct run r;

	run_start(&r, good, "r1");
	cr_assert(r.cat, "%s", r.d.msgs.n ? r.d.msgs.v[0].text : "no message");
	cr_expect_eq(r.cat->ntype, 2, "a type that is not offered was kept");
	cr_expect_eq(r.cat->nzone, 2);
	cr_expect_str_eq(intern_c(&r.in, r.cat->zone[0].name), "r1a");
	cr_expect_str_eq(intern_c(&r.in, r.cat->type[0].name), "c7g.large");
	cr_expect(r.cat->type[0].arm64_first && !r.cat->type[0].spot);
	cr_expect_eq(r.cat->type[1].memory_mib, 8192);
	cr_expect_eq(r.cat->type[1].generation, 5);
	cr_expect_float_eq(r.cat->on_demand[0], 0.07, 0);
	cr_expect_eq(r.cat->on_demand_flag[0], PRICE_ESTIMATED);
	cr_expect_float_eq(r.cat->spot[1 * 2 + 1], 0.031, 0);
	cr_expect(!bits_test(r.cat->offered, 0) && bits_test(r.cat->offered, 1));
	cr_expect_str_eq(intern_c(&r.in, r.cat->as_of), "2026-01-02");
	cr_expect_eq(r.cat->nregion, 2);
	arena_release(&r.arena);
}

/* A price without a zone stands for every zone where the type is offered. */
Test(load_catalog, regional_spot)
{
	const char *text[NFILE];
	struct run r;

	memcpy(text, good, sizeof(text));
	text[SPOT] = "region,instance_type,usd_per_hour\nr1,m5.large,0.05\nr1,c7g.large,0.02\n";
	run_start(&r, text, "r1");
	cr_assert(r.cat);
	cr_expect_float_eq(r.cat->spot[1 * 2], 0.05, 0);
	cr_expect_eq(r.cat->spot_flag[1 * 2], PRICE_REGIONAL);
	cr_expect(r.cat->spot[0] < 0, "a zone that does not offer the type got a price");
	cr_expect_float_eq(r.cat->spot[1], 0.02, 0);
	arena_release(&r.arena);
}

Test(load_catalog, errors)
{
	static const struct {
		unsigned file;
		const char *text;
		enum diag_code code;
		uint32_t line, col;
		const char *message;
	} rows[] = {
		{ZONES, "zone,region\nr1a,r1\n", KS_CATALOG_COLUMN, 1, 1, "column \"zone_id\" is missing"},
		{ZONES, "zone,region,zone_id\nr1a,r1,i\nr1a,r1,i\n", KS_CATALOG_DUPLICATE, 3, 1,
		 "zone \"r1a\" is given twice"},
		{ZONES, "zone,region,zone_id\nr2a,r2,i\n", KS_CATALOG_REGION, 0, 0, "has no region \"r1\""},
		{TYPES, TYPE_HEADER "m5.large,2,,x86_64,spot," TYPE_REST, KS_CATALOG_NO_MEMORY, 2, 12,
		 "instance type \"m5.large\" has no memory"},
		{TYPES, TYPE_HEADER "m5.large,0,1,x86_64,spot," TYPE_REST, KS_CATALOG_NO_MEMORY, 2, 10,
		 "has no CPU"},
		{TYPES, TYPE_HEADER "m5.large,-2,1,x86_64,spot," TYPE_REST, KS_CATALOG_NUMBER, 2, 10,
		 "vcpus \"-2\" is not a whole number"},
		{TYPES, TYPE_HEADER "m5.large,2,1,sparc,spot," TYPE_REST, KS_CATALOG_VALUE, 2, 14,
		 "architecture \"sparc\" is unknown"},
		{TYPES, TYPE_HEADER "m5.large,2,1,x86_64,free," TYPE_REST, KS_CATALOG_VALUE, 2, 21,
		 "usage class \"free\" is unknown"},
		{OFFERINGS, "region,instance_type,zones\nr1,m5.large,r1a;r9z\n", KS_CATALOG_ZONE, 2, 13,
		 "zone \"r9z\" is not in zones.csv"},
		{OFFERINGS, "region,instance_type,zones\nr1,m5.large,r2a\n", KS_CATALOG_ZONE, 2, 13,
		 "zone \"r2a\" is not in region \"r1\""},
		{OFFERINGS, "region,instance_type,zones\nr1,m9.large,r1a\n", KS_CATALOG_TYPE, 2, 4,
		 "instance type \"m9.large\" is not in instance-types.csv"},
		{OFFERINGS, "region,instance_type,zones\nr1,m5.large,r1a\nr1,m5.large,r1b\n",
		 KS_CATALOG_DUPLICATE, 3, 1, "offering of \"m5.large\" is given twice"},
		{ON_DEMAND, "region,instance_type,usd_per_hour\nr1,m5.large,-0.1\n", KS_CATALOG_PRICE, 2, 13,
		 "price \"-0.1\" is not above 0"},
		{ON_DEMAND, "region,instance_type,usd_per_hour\nr1,m5.large,99999\n", KS_CATALOG_PRICE, 2, 13,
		 "price \"99999\" is absurd"},
		{ON_DEMAND, "region,instance_type,usd_per_hour\nr2,m5.large,nan\n", KS_CATALOG_PRICE, 2, 13,
		 "price \"nan\" is not a number"},
		{ON_DEMAND, "region,instance_type,usd_per_hour\nr1,m5.large,1\nr1,m5.large,1\n",
		 KS_CATALOG_DUPLICATE, 3, 1, "on-demand price of \"m5.large\" is given twice"},
		{SPOT, "region,zone,instance_type,usd_per_hour\nr2,r2a,m5.large,\n", KS_CATALOG_PRICE, 2, 17,
		 "price \"\" is not a number"},
		{SPOT, "region,zone,instance_type,usd_per_hour\nr9,r1a,m5.large,1\n", KS_CATALOG_REGION, 2, 1,
		 "region \"r9\" is not in zones.csv"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *text[NFILE];
		struct run r;

		memcpy(text, good, sizeof(text));
		text[rows[i].file] = rows[i].text;
		run_start(&r, text, "r1");
		cr_assert(!r.cat && r.d.msgs.n > 0, "row %zu: no error", i);
		const struct diag_msg *m = &r.d.msgs.v[0];

		cr_expect_eq(m->code, rows[i].code, "row %zu: KS%04d %s", i, (int)m->code, m->text);
		cr_expect(strstr(m->text, rows[i].message), "row %zu: %s", i, m->text);
		cr_expect(m->span.line == rows[i].line && m->span.col == rows[i].col, "row %zu: at %u:%u", i,
			  m->span.line, m->span.col);
		arena_release(&r.arena);
	}
}

Test(load_catalog, which_region)
{
	struct run r;

	run_start(&r, good, NULL);
	cr_assert(!r.cat && r.d.msgs.n == 1);
	cr_expect_str_eq(r.d.msgs.v[0].hint, "it has r1, r2");
	arena_release(&r.arena);
}

static void expect_same_types(const struct run *r, const struct catalog *a, const struct catalog *b)
{
	for (uint32_t t = 0; t < a->ntype; t++) {
		const struct ec2_type *x = &a->type[t], *y = &b->type[t];

		cr_expect(x->name == y->name && x->family == y->family && x->generation == y->generation &&
				  x->memory_mib == y->memory_mib && x->hypervisor == y->hypervisor &&
				  x->branch_interfaces == y->branch_interfaces &&
				  x->trunking == y->trunking && x->network_mbps == y->network_mbps &&
				  x->gpu_name == y->gpu_name && x->arm64_first == y->arm64_first &&
				  x->spot == y->spot && x->recorded_at == y->recorded_at &&
				  x->efa_max == y->efa_max,
			  "%s differs", intern_c(&r->in, x->name));
	}
}

/* The tables that are compiled in say exactly what the files say. */
Test(load_catalog, embedded)
{
	static const char *const regions[] = {"us-east-1", "eu-west-1", "il-central-1"};
	struct run r;

	arena_init(&r.arena);
	intern_init(&r.in, &r.arena);
	labels_init(&r.in);
	diags_init(&r.d, &r.arena);
	for (unsigned i = 0; i < 3; i++) {
		sid region = intern_cstr(&r.in, regions[i]);
		const struct catalog *a = catalog_embedded(&r.arena, &r.d, &r.in, region);
		const struct catalog *b =
			catalog_read_dir(&r.arena, &r.d, &r.in, FIXTURES "/catalog", region);

		cr_assert(a && b);
		uint32_t npool = a->ntype * a->nzone;

		cr_assert(a->ntype == b->ntype && a->nzone == b->nzone && a->nregion == b->nregion);
		cr_expect_eq(a->as_of, b->as_of);
		expect_same_types(&r, a, b);
		cr_expect_arr_eq(a->zone, b->zone, a->nzone * sizeof(*a->zone));
		cr_expect_arr_eq(a->on_demand, b->on_demand, a->ntype * sizeof(*a->on_demand));
		cr_expect_arr_eq(a->on_demand_date, b->on_demand_date, a->ntype * sizeof(*a->on_demand_date));
		cr_expect_arr_eq(a->interruption, b->interruption, a->ntype);
		cr_expect_arr_eq(a->spot, b->spot, npool * sizeof(*a->spot));
		cr_expect_arr_eq(a->offered, b->offered, BITS_WORDS(npool) * sizeof(*a->offered));
	}
	cr_expect(!catalog_embedded(&r.arena, &r.d, &r.in, intern_cstr(&r.in, "moon-1")));
	cr_expect_eq(r.d.errors, 1);
	arena_release(&r.arena);
}

/* The days of prices, by kind; the catalogue's own day is the newest of all. */
Test(load_catalog, dates)
{
	const char *text[NFILE];
	struct run r;

	memcpy(text, good, sizeof(good));
	text[SPOT] = "region,zone,instance_type,usd_per_hour,observed_at\nr1,r1a,m5.large,0.03,2026-03-02\n"
		     "r1,r1b,m5.large,0.031,2026-02-01T10:00:00Z\nr2,r2a,m5.large,0.03,2027-01-01\n";
	run_start(&r, text, "r1");
	cr_assert(r.cat);
	struct catalog_dates spot = catalog_spot_dates(r.cat, &r.in),
			     on_demand = catalog_on_demand_dates(r.cat, &r.in);

	cr_expect_str_eq(intern_c(&r.in, spot.oldest), "2026-02-01");
	cr_expect_str_eq(intern_c(&r.in, spot.newest), "2026-03-02");
	cr_expect_str_eq(intern_c(&r.in, on_demand.oldest), "2025-01-02");
	cr_expect_str_eq(intern_c(&r.in, on_demand.newest), "2026-01-02");
	arena_release(&r.arena);
	text[SPOT] = good[SPOT];
	run_start(&r, text, "r1");
	cr_assert(r.cat);
	cr_expect_eq(catalog_spot_dates(r.cat, &r.in).newest, SID_EMPTY, "none is told");
	arena_release(&r.arena);
}
