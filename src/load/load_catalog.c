#include "load_catalog.h"

#include <stdlib.h>
#include <unistd.h>

#include "bits.h"
#include "catalog_read.h"
#include "idmap.h"

/* -- columns -- */

bool catalog_header(void *ctx, const struct csv_row *h)
{
	struct catalog_file *f = ctx;
	bool ok = true;

	for (unsigned c = 0; c < f->ncol; c++) {
		f->at[c] = -1;
		for (uint32_t i = 0; i < h->n && f->at[c] < 0; i++)
			if (str_is(h->field[i], f->col[c].name))
				f->at[c] = (int32_t)i;
		if (f->at[c] >= 0 || f->col[c].optional)
			continue;
		diag(f->r->d, KS_CATALOG_COLUMN, (struct span){h->src, h->line, 1, 0},
		     "column \"%s\" is missing", f->col[c].name);
		ok = false;
	}
	return ok;
}

struct str catalog_field(const struct catalog_file *f, const struct csv_row *row, unsigned c)
{
	return f->at[c] < 0 ? (struct str){"", 0} : row->field[f->at[c]];
}

struct span catalog_span(const struct catalog_file *f, const struct csv_row *row, unsigned c)
{
	return f->at[c] < 0 ? (struct span){row->src, row->line, 1, 0}
			    : csv_field_span(row, (uint32_t)f->at[c]);
}

bool catalog_int(const struct catalog_file *f, const struct csv_row *row, unsigned c, int64_t blank,
		 int64_t *ret_v)
{
	struct str s = catalog_field(f, row, c);
	int64_t v = 0;

	*ret_v = blank;
	if (s.n == 0)
		return true;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9' || i > 11) {
			diag(f->r->d, KS_CATALOG_NUMBER, catalog_span(f, row, c),
			     "%s \"%.*s\" is not a whole number in range", f->col[c].name, (int)s.n, s.p);
			return false;
		}
		v = v * 10 + (s.p[i] - '0');
	}
	*ret_v = v;
	return true;
}

static bool read_price(const struct catalog_file *f, const struct csv_row *row, unsigned c, double *ret_price)
{
	struct str s = catalog_field(f, row, c);
	char text[40] = "";
	char *end = text;

	if (s.n < sizeof(text)) {
		memcpy(text, s.p, s.n);
		text[s.n] = '\0';
		/* strtod knows more spellings than a price has. */
		if (s.n > 0 && strspn(text, "0123456789.eE+-") == s.n)
			*ret_price = strtod(text, &end);
	}
	if (end == text || *end) {
		diag(f->r->d, KS_CATALOG_PRICE, catalog_span(f, row, c), "price \"%.*s\" is not a number",
		     (int)s.n, s.p);
		return false;
	}
	if (!(*ret_price > 0 && *ret_price < CATALOG_MAX_PRICE)) {
		diag(f->r->d, KS_CATALOG_PRICE, catalog_span(f, row, c), "price \"%.*s\" is %s", (int)s.n,
		     s.p, *ret_price > 0 ? "absurd" : "not above 0");
		return false;
	}
	return true;
}

/* The date of a row of the wanted region, SID_EMPTY when it tells none; remembers the newest. */
static sid note_date(const struct catalog_file *f, const struct csv_row *row, unsigned c)
{
	struct catalog_reader *r = f->r;
	struct str s = catalog_field(f, row, c);

	if (s.n < 10)
		return SID_EMPTY;
	s.n = 10;
	/* Most rows have the date of the one before. */
	if (!str_eq(intern_str(r->in, r->last_date), s))
		r->last_date = intern_put(r->in, s);
	if (intern_cmp(r->in, r->last_date, r->newest) > 0)
		r->newest = r->last_date;
	return r->last_date;
}

/* A flag per key; reports a key that was there before. */
static bool first_time(const struct catalog_file *f, const struct csv_row *row, uint64_t *seen, uint32_t key,
		       const char *what, struct str name)
{
	if (!bits_test(seen, key)) {
		bits_set(seen, key);
		return true;
	}
	diag(f->r->d, KS_CATALOG_DUPLICATE, (struct span){row->src, row->line, 1, 0},
	     "%s of \"%.*s\" is given twice", what, (int)name.n, name.p);
	return false;
}

/* -- zones.csv -- */

enum { Z_REGION, Z_ZONE, Z_ID };
static const struct catalog_column zone_cols[] = {
	[Z_REGION] = {"region", false}, [Z_ZONE] = {"zone", false}, [Z_ID] = {"zone_id", false}};

static uint32_t region_index(struct catalog_reader *r, struct str name)
{
	/* Rows come grouped by region. */
	if (r->nregion && str_eq(intern_str(r->in, r->region_name[r->last_region]), name))
		return r->last_region;
	for (uint32_t i = 0; i < r->nregion; i++)
		if (str_eq(intern_str(r->in, r->region_name[i]), name))
			return r->last_region = i;
	return UINT32_MAX;
}

static bool zone_row(void *ctx, const struct csv_row *row)
{
	const struct catalog_file *f = ctx;
	struct catalog_reader *r = f->r;
	struct str region = catalog_field(f, row, Z_REGION), name = catalog_field(f, row, Z_ZONE);
	uint32_t known, ri = region_index(r, region);
	struct catalog_zone_row *z;

	if (region.n == 0 || name.n == 0) {
		diag(r->d, KS_CATALOG_VALUE, catalog_span(f, row, name.n ? Z_REGION : Z_ZONE), "%s is blank",
		     name.n ? "region" : "zone");
		return true;
	}
	if (idmap_get(&r->zone_of, intern_put(r->in, name), &known)) {
		diag(r->d, KS_CATALOG_DUPLICATE, catalog_span(f, row, Z_ZONE), "zone \"%.*s\" is given twice",
		     (int)name.n, name.p);
		return true;
	}
	if (ri == UINT32_MAX) {
		if (r->nregion == CATALOG_MAX_REGIONS) {
			diag(r->d, KS_CATALOG_REGION, catalog_span(f, row, Z_REGION), "more than %u regions",
			     CATALOG_MAX_REGIONS);
			return false;
		}
		ri = r->nregion++;
		r->region_name[ri] = intern_put(r->in, region);
	}
	idmap_put(&r->zone_of, intern_put(r->in, name), r->zones.n);
	z = VEC_ADD(&r->tables, &r->zones);
	z->name = intern_put(r->in, name);
	z->zone_id = intern_put(r->in, catalog_field(f, row, Z_ID));
	z->region = ri;
	return true;
}

/* -- the columns that offerings and prices share -- */

/* Region of a row, UINT32_MAX after a diagnostic; an unknown one is reported once in a row of them. */
static uint32_t row_region(const struct catalog_file *f, const struct csv_row *row, unsigned c)
{
	struct str name = catalog_field(f, row, c);
	uint32_t ri = region_index(f->r, name);
	sid id;

	if (ri != UINT32_MAX)
		return ri;
	id = intern_put(f->r->in, name);
	if (f->r->unknown_region != id)
		diag(f->r->d, KS_CATALOG_REGION, catalog_span(f, row, c),
		     "region \"%.*s\" is not in zones.csv", (int)name.n, name.p);
	f->r->unknown_region = id;
	return UINT32_MAX;
}

static uint32_t row_type(const struct catalog_file *f, const struct csv_row *row, unsigned c)
{
	struct str name = catalog_field(f, row, c);
	sid id = intern_find(f->r->in, name);
	uint32_t ti;

	if (id != SID_NONE && idmap_get(&f->r->type_of, id, &ti))
		return ti;
	diag(f->r->d, KS_CATALOG_TYPE, catalog_span(f, row, c),
	     "instance type \"%.*s\" is not in instance-types.csv", (int)name.n, name.p);
	return UINT32_MAX;
}

static uint32_t zone_of(const struct catalog_file *f, const struct csv_row *row, unsigned c, struct str name,
			uint32_t region)
{
	sid id = intern_find(f->r->in, name);
	uint32_t zi;

	if (id == SID_NONE || !idmap_get(&f->r->zone_of, id, &zi)) {
		diag(f->r->d, KS_CATALOG_ZONE, catalog_span(f, row, c), "zone \"%.*s\" is not in zones.csv",
		     (int)name.n, name.p);
		return UINT32_MAX;
	}
	if (f->r->zones.v[zi].region != region) {
		diag(f->r->d, KS_CATALOG_ZONE, catalog_span(f, row, c),
		     "zone \"%.*s\" is not in region \"%s\"", (int)name.n, name.p,
		     intern_c(f->r->in, f->r->region_name[region]));
		return UINT32_MAX;
	}
	return zi;
}

/* -- offerings.csv -- */

enum { O_REGION, O_TYPE, O_ZONES };
static const struct catalog_column offering_cols[] = {
	[O_REGION] = {"region", false}, [O_TYPE] = {"instance_type", false}, [O_ZONES] = {"zones", false}};

static bool offering_row(void *ctx, const struct csv_row *row)
{
	const struct catalog_file *f = ctx;
	struct catalog_reader *r = f->r;
	uint32_t ri = row_region(f, row, O_REGION), ti = row_type(f, row, O_TYPE);
	struct str rest = catalog_field(f, row, O_ZONES);

	if (ri == UINT32_MAX || ti == UINT32_MAX ||
	    !first_time(f, row, r->seen, ri * r->types.n + ti, "offering", catalog_field(f, row, O_TYPE)))
		return true;
	if (rest.n == 0)
		diag(r->d, KS_CATALOG_ZONE, catalog_span(f, row, O_ZONES), "no zone is given");
	while (rest.n) {
		const char *semi = memchr(rest.p, ';', rest.n);
		struct str name = {rest.p, semi ? (size_t)(semi - rest.p) : rest.n};
		uint32_t zi = zone_of(f, row, O_ZONES, name, ri);

		if (zi != UINT32_MAX)
			bits_set(r->offered, ti * r->zones.n + zi);
		rest.p += name.n + (semi ? 1 : 0);
		rest.n -= name.n + (semi ? 1 : 0);
	}
	return true;
}

/* -- on-demand-prices.csv -- */

enum { P_REGION, P_TYPE, P_PRICE, P_DATE, P_FLAG };
static const struct catalog_column on_demand_cols[] = {
	[P_REGION] = {"region", false},      [P_TYPE] = {"instance_type", false},
	[P_PRICE] = {"usd_per_hour", false}, [P_DATE] = {"observed_at", true},
	[P_FLAG] = {"flag", true},
};

static bool on_demand_row(void *ctx, const struct csv_row *row)
{
	const struct catalog_file *f = ctx;
	struct catalog_reader *r = f->r;
	uint32_t ri = row_region(f, row, P_REGION), ti = row_type(f, row, P_TYPE);
	struct str flag = catalog_field(f, row, P_FLAG);
	double price;

	if (!read_price(f, row, P_PRICE, &price) || ri == UINT32_MAX || ti == UINT32_MAX ||
	    !first_time(f, row, r->seen, ri * r->types.n + ti, "on-demand price",
			catalog_field(f, row, P_TYPE)))
		return true;
	if (flag.n && !str_is(flag, "estimated")) {
		diag(r->d, KS_CATALOG_VALUE, catalog_span(f, row, P_FLAG),
		     "flag \"%.*s\" is not \"estimated\"", (int)flag.n, flag.p);
		return true;
	}
	if (ri != r->want)
		return true;
	r->on_demand[ti] = price;
	r->on_demand_date[ti] = note_date(f, row, P_DATE);
	r->on_demand_flag[ti] = flag.n ? PRICE_ESTIMATED : PRICE_RECORDED;
	return true;
}

/* -- spot-prices.csv -- */

enum { S_REGION, S_TYPE, S_PRICE, S_ZONE, S_DATE };
static const struct catalog_column spot_cols[] = {
	[S_REGION] = {"region", false},      [S_TYPE] = {"instance_type", false},
	[S_PRICE] = {"usd_per_hour", false}, [S_ZONE] = {"zone", true},
	[S_DATE] = {"observed_at", true},
};

static void set_spot(struct catalog_reader *r, uint32_t pool, double price, enum price_flag flag, sid date)
{
	r->spot[pool] = price;
	r->spot_flag[pool] = (uint8_t)flag;
	r->spot_date[pool] = date;
}

/* Without a zone column a price stands for every zone that offers the type. */
static void regional_spot(struct catalog_reader *r, uint32_t ti, double price, sid date)
{
	for (uint32_t zi = 0; zi < r->zones.n; zi++)
		if (r->zones.v[zi].region == r->want && bits_test(r->offered, ti * r->zones.n + zi))
			set_spot(r, ti * r->zones.n + zi, price, PRICE_REGIONAL, date);
}

static bool spot_row(void *ctx, const struct csv_row *row)
{
	const struct catalog_file *f = ctx;
	struct catalog_reader *r = f->r;
	uint32_t ri = row_region(f, row, S_REGION), ti = row_type(f, row, S_TYPE);
	struct str zone = catalog_field(f, row, S_ZONE);
	bool zonal = f->at[S_ZONE] >= 0;
	uint32_t zi = UINT32_MAX;
	double price;

	if (!read_price(f, row, S_PRICE, &price) || ri == UINT32_MAX || ti == UINT32_MAX)
		return true;
	if (zonal && (zi = zone_of(f, row, S_ZONE, zone, ri)) == UINT32_MAX)
		return true;
	if (!first_time(f, row, r->seen, zonal ? ti * r->zones.n + zi : ri * r->types.n + ti, "spot price",
			catalog_field(f, row, S_TYPE)) ||
	    ri != r->want)
		return true;
	sid date = note_date(f, row, S_DATE);

	if (zonal)
		set_spot(r, ti * r->zones.n + zi, price, PRICE_RECORDED, date);
	else
		regional_spot(r, ti, price, date);
	return true;
}

/* -- spot-advisor.csv, which may be absent -- */

enum { A_REGION, A_TYPE, A_BUCKET };
static const struct catalog_column advisor_cols[] = {[A_REGION] = {"region", false},
						     [A_TYPE] = {"instance_type", false},
						     [A_BUCKET] = {"interruption_bucket", false}};

static bool advisor_row(void *ctx, const struct csv_row *row)
{
	const struct catalog_file *f = ctx;
	struct catalog_reader *r = f->r;
	uint32_t ri = row_region(f, row, A_REGION), ti = row_type(f, row, A_TYPE);
	struct str bucket = catalog_field(f, row, A_BUCKET);

	if (bucket.n != 1 || bucket.p[0] < '0' || bucket.p[0] >= '0' + CATALOG_BUCKETS) {
		diag(r->d, KS_CATALOG_VALUE, catalog_span(f, row, A_BUCKET),
		     "interruption_bucket \"%.*s\" is not 0 to %d", (int)bucket.n, bucket.p,
		     CATALOG_BUCKETS - 1);
		return true;
	}
	if (ri != UINT32_MAX && ti != UINT32_MAX &&
	    first_time(f, row, r->seen, ri * r->types.n + ti, "interruption bucket",
		       catalog_field(f, row, A_TYPE)) &&
	    ri == r->want)
		r->interruption[ti] = (int8_t)(bucket.p[0] - '0');
	return true;
}

/* -- the directory -- */

static bool read_file(struct catalog_reader *r, const char *dir, const char *name,
		      const struct catalog_column *col, unsigned ncol, csv_row_fn row)
{
	struct catalog_file f = {.r = r, .col = col, .ncol = ncol};
	const struct source *src = source_read(r->arena, r->d, arena_printf(r->arena, "%s/%s", dir, name));
	uint32_t keys = (r->types.n + 1) * (r->zones.n + r->nregion + 1);

	KS_BUG_ON(ncol > CATALOG_MAX_COLUMNS);
	if (!src)
		return false;
	r->unknown_region = SID_NONE;
	r->seen = ARENA_ARRAY(&r->tables, uint64_t, BITS_WORDS(keys));
	return csv_table_read(&r->csv, r->d, src, &f, catalog_header, row);
}

static bool pick_region(struct catalog_reader *r, const char *dir, sid region)
{
	const char **names;

	for (uint32_t i = 0; i < r->nregion; i++)
		if (r->region_name[i] == region || region == CATALOG_ANY_REGION ||
		    (region == SID_NONE && r->nregion == 1)) {
			r->want = i;
			return true;
		}
	names = ARENA_ARRAY(&r->tables, const char *, r->nregion);
	for (uint32_t i = 0; i < r->nregion; i++)
		names[i] = intern_c(r->in, r->region_name[i]);
	if (r->nregion == 0)
		diag(r->d, KS_CATALOG_REGION, SPAN_NONE, "catalogue \"%s\" has no zones", dir);
	else
		catalog_no_region(r->d, arena_printf(r->arena, "catalogue \"%s\"", dir),
				  region == SID_NONE ? NULL : intern_c(r->in, region), names, r->nregion, "");
	return false;
}

/* Indices of n things by name; there are at most a few thousand, mostly sorted by family already. */
static uint32_t *order_by_name(struct catalog_reader *r, sid *names, const uint32_t *index, uint32_t n)
{
	uint32_t *out = ARENA_ARRAY(&r->tables, uint32_t, n);
	struct idmap at;

	idmap_init(&at, &r->tables);
	for (uint32_t i = 0; i < n; i++)
		idmap_put(&at, names[i], index[i]);
	intern_sort(r->in, names, n);
	for (uint32_t i = 0; i < n; i++)
		if (!idmap_get(&at, names[i], &out[i]))
			KS_BUG_ON(true);
	return out;
}

static uint32_t *wanted_zones(struct catalog_reader *r, uint32_t *ret_n)
{
	sid *names = ARENA_ARRAY(&r->tables, sid, r->zones.n);
	uint32_t *index = ARENA_ARRAY(&r->tables, uint32_t, r->zones.n);
	uint32_t n = 0;

	for (uint32_t zi = 0; zi < r->zones.n; zi++)
		if (r->zones.v[zi].region == r->want) {
			names[n] = r->zones.v[zi].name;
			index[n++] = zi;
		}
	*ret_n = n;
	return order_by_name(r, names, index, n);
}

static uint32_t *wanted_types(struct catalog_reader *r, const uint32_t *zone, uint32_t nzone, uint32_t *ret_n)
{
	sid *names = ARENA_ARRAY(&r->tables, sid, r->types.n);
	uint32_t *index = ARENA_ARRAY(&r->tables, uint32_t, r->types.n);
	uint32_t n = 0;

	for (uint32_t ti = 0; ti < r->types.n; ti++) {
		bool offered = false;

		for (uint32_t k = 0; k < nzone && !offered; k++)
			offered = bits_test(r->offered, ti * r->zones.n + zone[k]);
		if (offered) {
			names[n] = r->types.v[ti].name;
			index[n++] = ti;
		}
	}
	*ret_n = n;
	return order_by_name(r, names, index, n);
}

/* The wanted region, copied out of the tables over all of them. */
static const struct catalog *close_catalog(struct catalog_reader *r)
{
	struct arena *a = r->arena;
	struct catalog *cat = ARENA_NEW(a, struct catalog);
	uint32_t *zone = wanted_zones(r, &cat->nzone);
	uint32_t *type = wanted_types(r, zone, cat->nzone, &cat->ntype);
	uint32_t npool = cat->ntype * cat->nzone;

	cat->region = r->region_name[r->want];
	cat->nregion = r->nregion;
	cat->regions = arena_memdup(a, r->region_name, r->nregion, sizeof(sid));
	intern_sort(r->in, cat->regions, r->nregion);
	cat->as_of = r->newest;
	cat->zone = ARENA_ARRAY(a, struct ec2_zone, cat->nzone);
	cat->type = ARENA_ARRAY(a, struct ec2_type, cat->ntype);
	cat->on_demand = ARENA_ARRAY(a, double, cat->ntype);
	cat->on_demand_flag = ARENA_ARRAY(a, uint8_t, cat->ntype);
	cat->on_demand_date = ARENA_ARRAY(a, sid, cat->ntype);
	cat->offered = ARENA_ARRAY(a, uint64_t, BITS_WORDS(npool));
	cat->spot = ARENA_ARRAY(a, double, npool);
	cat->spot_flag = ARENA_ARRAY(a, uint8_t, npool);
	cat->spot_date = ARENA_ARRAY(a, sid, npool);
	cat->interruption = ARENA_ARRAY(a, int8_t, cat->ntype);
	for (uint32_t z = 0; z < cat->nzone; z++)
		cat->zone[z] =
			(struct ec2_zone){r->zones.v[zone[z]].name, r->zones.v[zone[z]].zone_id, cat->region};
	for (uint32_t t = 0; t < cat->ntype; t++) {
		cat->type[t] = r->types.v[type[t]];
		cat->on_demand[t] = r->on_demand[type[t]];
		cat->on_demand_flag[t] = r->on_demand_flag[type[t]];
		cat->on_demand_date[t] = r->on_demand_date[type[t]];
		cat->interruption[t] = r->interruption[type[t]];
		for (uint32_t z = 0; z < cat->nzone; z++) {
			uint32_t from = type[t] * r->zones.n + zone[z], to = t * cat->nzone + z;

			cat->spot[to] = r->spot[from];
			cat->spot_flag[to] = r->spot_flag[from];
			cat->spot_date[to] = r->spot_date[from];
			if (bits_test(r->offered, from))
				bits_set(cat->offered, to);
		}
	}
	return cat;
}

#define COLUMNS(v) (v), sizeof(v) / sizeof((v)[0])

static bool read_all(struct catalog_reader *r, const char *dir, sid region)
{
	uint32_t npool;

	if (!read_file(r, dir, "zones.csv", COLUMNS(zone_cols), zone_row) || !pick_region(r, dir, region))
		return false;
	if (!read_file(r, dir, "instance-types.csv", catalog_type_cols, catalog_type_ncol, catalog_type_row))
		return false;
	npool = r->types.n * r->zones.n;
	r->offered = ARENA_ARRAY(&r->tables, uint64_t, BITS_WORDS(npool));
	r->on_demand = ARENA_ARRAY(&r->tables, double, r->types.n);
	r->on_demand_flag = ARENA_ARRAY(&r->tables, uint8_t, r->types.n);
	r->spot = ARENA_ARRAY(&r->tables, double, npool);
	r->spot_flag = ARENA_ARRAY(&r->tables, uint8_t, npool);
	r->on_demand_date = ARENA_ARRAY(&r->tables, sid, r->types.n);
	r->spot_date = ARENA_ARRAY(&r->tables, sid, npool);
	r->interruption = ARENA_ARRAY(&r->tables, int8_t, r->types.n);
	for (uint32_t i = 0; i < r->types.n; i++) {
		r->on_demand[i] = CATALOG_NO_PRICE;
		r->interruption[i] = -1;
	}
	for (uint32_t i = 0; i < npool; i++)
		r->spot[i] = CATALOG_NO_PRICE;
	bool ok = read_file(r, dir, "offerings.csv", COLUMNS(offering_cols), offering_row);

	ok &= read_file(r, dir, "on-demand-prices.csv", COLUMNS(on_demand_cols), on_demand_row);
	ok &= read_file(r, dir, "spot-prices.csv", COLUMNS(spot_cols), spot_row);
	if (access(arena_printf(&r->tables, "%s/spot-advisor.csv", dir), F_OK) == 0)
		ok &= read_file(r, dir, "spot-advisor.csv", COLUMNS(advisor_cols), advisor_row);
	return ok;
}

const struct catalog *catalog_read_dir(struct arena *a, struct diags *d, struct intern *in, const char *dir,
				       sid region)
{
	struct catalog_reader r = {.d = d, .in = in, .arena = a};
	uint32_t errors = d->errors;
	const struct catalog *cat = NULL;

	arena_init(&r.tables);
	arena_init(&r.csv);
	idmap_init(&r.zone_of, &r.tables);
	idmap_init(&r.type_of, &r.tables);
	if (read_all(&r, dir, region) && d->errors == errors)
		cat = close_catalog(&r);
	arena_release(&r.tables);
	arena_release(&r.csv);
	return cat;
}
