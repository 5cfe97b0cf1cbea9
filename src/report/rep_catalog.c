#include "rep_catalog.h"

#include "bits.h"
#include "table.h"

static const char *arch(const struct ec2_type *t)
{
	return t->arm64_first || !t->x86 ? "arm64" : "amd64";
}

static void emit_price(struct emit *e, const char *key, double usd)
{
	emit_key(e, key);
	if (usd < 0)
		emit_null(e);
	else
		emit_double(e, usd);
}

static void emit_dates(struct emit *e, const struct report *r, const char *key, struct catalog_dates d)
{
	emit_kv_map(e, key);
	emit_kv_str(e, "oldest", report_text(r, d.oldest));
	emit_kv_str(e, "newest", report_text(r, d.newest));
	emit_end(e);
}

static void head(struct emit *e, const struct catalog_listing *l, const char *kind)
{
	emit_map(e);
	emit_kv_cstr(e, "apiVersion", "kspot.dev/v1");
	emit_kv_cstr(e, "kind", kind);
	if (l->catalog) {
		emit_kv_str(e, "region", report_text(l->report, l->catalog->region));
		emit_kv_str(e, "pricesAsOf", report_text(l->report, l->catalog->as_of));
		emit_dates(e, l->report, "spotPricesObserved",
			   catalog_spot_dates(l->catalog, l->report->c->in));
		emit_dates(e, l->report, "onDemandPricesObserved",
			   catalog_on_demand_dates(l->catalog, l->report->c->in));
	}
	emit_kv_cstr(e, "catalog", l->origin);
}

static void facts(struct emit *e, const struct report *r, const struct ec2_type *t)
{
	emit_kv_str(e, "name", report_text(r, t->name));
	emit_kv_cstr(e, "arch", arch(t));
	emit_kv_int(e, "vcpus", t->vcpus);
	emit_kv_int(e, "memoryMiB", t->memory_mib);
	emit_kv_int(e, "gpus", t->gpu_count);
	emit_kv_int(e, "accelerators", t->accelerator_count);
	emit_kv_int(e, "localStorageGB", t->storage_gb);
	emit_kv_bool(e, "bareMetal", t->bare_metal);
}

void rep_listing(struct emit *e, const struct catalog_listing *l)
{
	head(e, l, "InstanceTypeListing");
	emit_kv_seq(e, "types");
	for (uint32_t i = 0; i < l->n; i++) {
		const struct catalog_line *c = &l->line[i];

		emit_map(e);
		facts(e, l->report, c->facts);
		emit_kv_int(e, "pods", c->pods);
		emit_kv_double(e, "allocatableCPU", c->free_cpu);
		emit_kv_double(e, "allocatableMemoryGiB", c->free_gib);
		emit_kv_int(e, "zones", c->nzone);
		emit_price(e, "spotUsdPerHour", c->spot_min);
		emit_price(e, "spotMaxUsdPerHour", c->spot_max);
		emit_kv_bool(e, "spotRegional", c->regional);
		if (c->interruption >= 0)
			emit_kv_cstr(e, "spotInterruptedPerMonth", catalog_bucket_name(c->interruption));
		emit_price(e, "onDemandUsdPerHour", c->on_demand);
		emit_kv_bool(e, "onDemandEstimated", c->estimated);
		emit_kv_double(e, "usdPerVcpuHour", c->cheapest / c->facts->vcpus);
		emit_end(e);
	}
	emit_end(e);
	emit_end(e);
}

static void csv_price(struct buf *out, double usd)
{
	buf_addch(out, ',');
	if (usd >= 0)
		buf_add_double(out, usd);
}

void rep_listing_csv(struct buf *out, const struct catalog_listing *l)
{
	buf_adds(
		out,
		"instance_type,arch,vcpus,memory_mib,pods,gpus,zones,spot_usd_per_hour,spot_max_usd_per_hour,"
		"spot_flag,on_demand_usd_per_hour,on_demand_flag,interruption_bucket\n");
	for (uint32_t i = 0; i < l->n; i++) {
		const struct catalog_line *c = &l->line[i];
		const struct ec2_type *t = c->facts;

		buf_addf(out, "%s,%s,%d,%lld,%lld,%d,%u", intern_c(l->report->c->in, t->name), arch(t),
			 t->vcpus, (long long)t->memory_mib, (long long)c->pods, t->gpu_count, c->nzone);
		csv_price(out, c->spot_min);
		csv_price(out, c->spot_max);
		buf_adds(out, c->regional ? ",regional" : ",");
		csv_price(out, c->on_demand);
		buf_adds(out, c->estimated ? ",estimated," : ",,");
		if (c->interruption >= 0)
			buf_addf(out, "%d", c->interruption);
		buf_addch(out, '\n');
	}
}

static void cell_price(struct table *t, double usd, const char *mark)
{
	if (usd < 0)
		table_cell(t, "-");
	else
		table_cell(t, "%.4f%s", usd, mark);
}

static void listing_row(struct table *t, const struct catalog_listing *l, const struct catalog_line *c,
			bool wide)
{
	const struct ec2_type *f = c->facts;

	table_cell(t, "%s", intern_c(l->report->c->in, f->name));
	table_cell(t, "%s", arch(f));
	table_cell(t, "%d", f->vcpus);
	table_cell(t, "%.6g", (double)f->memory_mib / 1024);
	if (wide) {
		table_cell(t, "%.6g", c->free_cpu);
		table_cell(t, "%.6g", c->free_gib);
		table_cell(t, "%d", f->gpu_count);
	}
	table_cell(t, "%lld", (long long)c->pods);
	table_cell(t, "%u", c->nzone);
	cell_price(t, c->spot_min, c->regional ? "r" : "");
	if (wide)
		cell_price(t, c->spot_max, "");
	if (wide)
		table_cell(t, "%s", c->interruption >= 0 ? catalog_bucket_name(c->interruption) : "-");
	cell_price(t, c->on_demand, c->estimated ? "e" : "");
	if (!wide)
		cell_price(t, c->cheapest / f->vcpus, "");
}

/* "; Spot prices of 2026-01-19", or of a span of days; "" where no day is told. */
static const char *price_dates(struct arena *a, const struct intern *in, const char *what,
			       struct catalog_dates d)
{
	if (d.newest == SID_EMPTY)
		return "";
	return arena_printf(a, "; %s prices of %s%s%s", what, intern_c(in, d.oldest),
			    d.oldest == d.newest ? "" : " to ",
			    d.oldest == d.newest ? "" : intern_c(in, d.newest));
}

/* Where this is known from, wrapped; lead: what stands before it. */
static void origin(struct buf *out, const struct catalog_listing *l, const char *lead)
{
	const struct intern *in = l->report->c->in;
	struct arena *a = l->report->scratch;
	const char *text;

	if (!l->catalog)
		text = arena_printf(a, "%sready instance types", lead);
	else
		text = arena_printf(a, "%s%s, catalogue %s%s%s", lead, intern_c(in, l->catalog->region),
				    l->origin, price_dates(a, in, "Spot", catalog_spot_dates(l->catalog, in)),
				    price_dates(a, in, "on-demand", catalog_on_demand_dates(l->catalog, in)));
	text_wrap(out, text, 0, 0, SCREEN_WIDTH);
}

void rep_listing_text(struct buf *out, const struct catalog_listing *l, bool wide)
{
	static const struct table_column narrow_cols[] = {
		{"TYPE", false, true}, {"ARCH", false, false},     {"CPU", true, false},
		{"GIB", true, false},  {"PODS", true, false},      {"ZONES", true, false},
		{"SPOT", true, false}, {"ON-DEMAND", true, false}, {"$/CPU", true, false},
	};
	static const struct table_column wide_cols[] = {
		{"TYPE", false, true},      {"ARCH", false, false},    {"CPU", true, false},
		{"GIB", true, false},       {"FREE-CPU", true, false}, {"FREE-GIB", true, false},
		{"GPU", true, false},       {"PODS", true, false},     {"ZONES", true, false},
		{"SPOT", true, false},      {"SPOT-MAX", true, false}, {"TAKEN", true, false},
		{"ON-DEMAND", true, false},
	};
	bool regional = false, estimated = false;
	struct table t;

	if (wide)
		table_init(&t, l->report->scratch, wide_cols, sizeof(wide_cols) / sizeof(wide_cols[0]));
	else
		table_init(&t, l->report->scratch, narrow_cols, sizeof(narrow_cols) / sizeof(narrow_cols[0]));
	for (uint32_t i = 0; i < l->n; i++) {
		listing_row(&t, l, &l->line[i], wide);
		regional |= l->line[i].regional;
		estimated |= l->line[i].estimated;
	}
	table_print(&t, out, wide ? 0 : SCREEN_WIDTH);
	buf_addch(out, '\n');
	origin(out, l,
	       arena_printf(l->report->scratch, "%u of %u instance types, USD per hour; ", l->n, l->total));
	if (wide)
		buf_adds(out, "TAKEN: share of Spot instances that AWS takes back in a month\n");
	if (regional)
		buf_adds(out, "r: one spot figure for the whole region, not the zone's own\n");
	if (estimated)
		buf_adds(out, "e: an estimate from prices of other regions\n");
}

/* -- one type -- */

void rep_show(struct emit *e, const struct catalog_listing *l, uint32_t type)
{
	const struct catalog *cat = l->catalog;
	const struct ec2_type *t = &cat->type[type];
	const struct report *r = l->report;

	head(e, l, "InstanceTypeFacts");
	facts(e, r, t);
	emit_kv_str(e, "hypervisor", report_text(r, t->hypervisor));
	emit_kv_str(e, "cpuManufacturer", report_text(r, t->cpu_manufacturer));
	emit_kv_int(e, "enis", t->default_card_enis);
	emit_kv_int(e, "ipv4PerENI", t->ipv4_per_eni);
	emit_kv_int(e, "efaInterfaces", t->efa_max);
	if (t->network_mbps >= 0)
		emit_kv_int(e, "networkMbps", t->network_mbps);
	if (t->ebs_max_mbps >= 0)
		emit_kv_int(e, "ebsMbps", t->ebs_max_mbps);
	emit_kv_str(e, "gpu", report_text(r, t->gpu_name));
	emit_kv_str(e, "accelerator", report_text(r, t->accelerator_name));
	emit_kv_str(e, "recordedAt", report_text(r, t->recorded_at));
	emit_kv_map(e, "onDemand");
	emit_price(e, "usdPerHour", cat->on_demand[type]);
	emit_kv_bool(e, "estimated", cat->on_demand_flag[type] == PRICE_ESTIMATED);
	emit_kv_str(e, "observedAt", report_text(r, cat->on_demand_date[type]));
	emit_end(e);
	if (cat->interruption[type] >= 0)
		emit_kv_cstr(e, "spotInterruptedPerMonth", catalog_bucket_name(cat->interruption[type]));
	emit_kv_seq(e, "zones");
	for (uint32_t z = 0; z < cat->nzone; z++) {
		uint32_t pool = type * cat->nzone + z;

		emit_map(e);
		emit_kv_str(e, "zone", report_text(r, cat->zone[z].name));
		emit_kv_str(e, "zoneID", report_text(r, cat->zone[z].zone_id));
		emit_kv_bool(e, "offered", bits_test(cat->offered, pool));
		emit_price(e, "spotUsdPerHour", cat->spot[pool]);
		if (cat->spot[pool] >= 0) {
			emit_kv_bool(e, "regional", cat->spot_flag[pool] == PRICE_REGIONAL);
			emit_kv_str(e, "observedAt", report_text(r, cat->spot_date[pool]));
		}
		emit_end(e);
	}
	emit_end(e);
	emit_end(e);
}

static void fact(struct buf *out, const char *name, const char *value)
{
	if (*value)
		buf_addf(out, "%-14s%s\n", name, value);
}

static void show_devices(struct buf *out, const struct report *r, const struct ec2_type *t)
{
	const struct intern *in = r->c->in;

	if (*intern_c(in, t->gpu_name))
		fact(out, "GPU",
		     arena_printf(r->scratch, "%d x %s %s, %lld MiB each", t->gpu_count,
				  intern_c(in, t->gpu_manufacturer), intern_c(in, t->gpu_name),
				  (long long)t->gpu_memory_mib));
	if (*intern_c(in, t->accelerator_name))
		fact(out, "accelerator",
		     arena_printf(r->scratch, "%d x %s", t->accelerator_count,
				  intern_c(in, t->accelerator_name)));
	if (t->storage_gb > 0)
		fact(out, "local disks", arena_printf(r->scratch, "%lld GB", (long long)t->storage_gb));
	if (t->efa_max > 0)
		fact(out, "EFA", arena_printf(r->scratch, "%d interfaces", t->efa_max));
}

static const char *dated(struct arena *a, const char *note, const char *date)
{
	if (*note && *date)
		return arena_printf(a, " (%s, %s)", note, date);
	return *note || *date ? arena_printf(a, " (%s%s)", note, date) : "";
}

static void show_zones(struct buf *out, const struct catalog_listing *l, uint32_t type)
{
	static const struct table_column columns[] = {{"ZONE", false, false},
						      {"ZONE-ID", false, false},
						      {"OFFERED", false, false},
						      {"SPOT", true, false},
						      {"", false, false}};
	const struct catalog *cat = l->catalog;
	const struct intern *in = l->report->c->in;
	struct table t;

	table_init(&t, l->report->scratch, columns, sizeof(columns) / sizeof(columns[0]));
	for (uint32_t z = 0; z < cat->nzone; z++) {
		uint32_t pool = type * cat->nzone + z;
		bool priced = cat->spot[pool] >= 0;

		table_cell(&t, "%s", intern_c(in, cat->zone[z].name));
		table_cell(&t, "%s", intern_c(in, cat->zone[z].zone_id));
		table_cell(&t, "%s", bits_test(cat->offered, pool) ? "yes" : "no");
		cell_price(&t, cat->spot[pool], "");
		table_cell(&t, "%s%s",
			   priced && cat->spot_flag[pool] == PRICE_REGIONAL ? "regional figure" : "",
			   priced ? dated(l->report->scratch, "", intern_c(in, cat->spot_date[pool])) : "");
	}
	table_print(&t, out, SCREEN_WIDTH);
}

void rep_show_text(struct buf *out, const struct catalog_listing *l, uint32_t type)
{
	const struct catalog *cat = l->catalog;
	const struct ec2_type *t = &cat->type[type];
	const struct intern *in = l->report->c->in;
	struct arena *a = l->report->scratch;
	bool estimated = cat->on_demand_flag[type] == PRICE_ESTIMATED;

	fact(out, "type", intern_c(in, t->name));
	fact(out, "CPU",
	     arena_printf(a, "%d vCPU, %s, %s", t->vcpus, arch(t), intern_c(in, t->cpu_manufacturer)));
	fact(out, "memory", arena_printf(a, "%.6g GiB", (double)t->memory_mib / 1024));
	fact(out, "hypervisor", t->bare_metal ? "none (bare metal)" : intern_c(in, t->hypervisor));
	show_devices(out, l->report, t);
	fact(out, "network",
	     arena_printf(a, "%d interfaces of %d addresses, %d cards", t->default_card_enis, t->ipv4_per_eni,
			  t->network_cards));
	fact(out, "bought as",
	     arena_printf(a, "%s%s%s%s", t->on_demand ? "on-demand" : "", t->on_demand && t->spot ? ", " : "",
			  t->spot ? "spot" : "", t->capacity_block ? ", capacity block" : ""));
	fact(out, "recorded", intern_c(in, t->recorded_at));
	if (cat->on_demand[type] >= 0)
		fact(out, "on-demand",
		     arena_printf(a, "$%.6g/h%s", cat->on_demand[type],
				  dated(a, estimated ? "estimated" : "",
					intern_c(in, cat->on_demand_date[type]))));
	else
		fact(out, "on-demand", "no price");
	if (cat->interruption[type] >= 0)
		fact(out, "Spot",
		     arena_printf(a, "%s of the instances are taken back in a month",
				  catalog_bucket_name(cat->interruption[type])));
	buf_addch(out, '\n');
	show_zones(out, l, type);
	buf_addch(out, '\n');
	origin(out, l, "");
}
