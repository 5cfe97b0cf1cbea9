#include "catalog.h"

#include "label.h"
#include "suggest.h"

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static size_t skip_digits(struct str s, size_t i)
{
	while (i < s.n && digit(s.p[i]))
		i++;
	return i;
}

/*
 * Category and generation: letters, perhaps "-12tb", then digits, and a dot after them. u-12tb1.112xlarge is
 * of category u and generation 1, u7i-12tb.224xlarge of generation 7.
 */
static void parse_category(struct intern *in, struct ec2_type *t, struct str name)
{
	size_t letters = 0, from, to;

	while (letters < name.n && lower(name.p[letters]))
		letters++;
	from = letters;
	if (from < name.n && name.p[from] == '-') {
		size_t i = skip_digits(name, from + 1);

		if (i > from + 1 && i + 2 <= name.n && memcmp(name.p + i, "tb", 2) == 0)
			from = i + 2;
	}
	to = skip_digits(name, from);
	if (letters == 0 || to == from || !memchr(name.p + to, '.', name.n - to))
		return;
	t->category = intern_put(in, (struct str){name.p, letters});
	t->generation = 0;
	for (size_t i = from; i < to && t->generation < 100000; i++)
		t->generation = t->generation * 10 + (name.p[i] - '0');
}

void ec2_type_parse_name(struct intern *in, struct ec2_type *t)
{
	struct str name = intern_str(in, t->name);
	const char *dot = memchr(name.p, '.', name.n);
	struct str head = {name.p, dot ? (size_t)(dot - name.p) : name.n};

	t->family = t->size = t->category = SID_EMPTY;
	t->generation = -1;
	t->flex = memmem(head.p, head.n, "-flex", 5) != NULL;
	parse_category(in, t, name);
	if (!dot)
		return;
	struct str tail = {dot + 1, name.n - head.n - 1};

	if (memchr(tail.p, '.', tail.n))
		return;
	t->family = intern_put(in, head);
	t->size = intern_put(in, tail);
}

uint32_t catalog_type(const struct catalog *cat, const struct intern *in, sid name)
{
	uint32_t lo = 0, hi = cat->ntype;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		int c = intern_cmp(in, cat->type[mid].name, name);

		if (c == 0)
			return mid;
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return UINT32_MAX;
}

uint32_t catalog_zone(const struct catalog *cat, sid name)
{
	for (uint32_t z = 0; z < cat->nzone; z++)
		if (cat->zone[z].name == name)
			return z;
	return UINT32_MAX;
}

const char *catalog_bucket_name(int8_t bucket)
{
	static const char *const names[CATALOG_BUCKETS] = {"<5%", "5-10%", "10-15%", "15-20%", ">20%"};

	return bucket >= 0 && bucket < CATALOG_BUCKETS ? names[bucket] : "";
}

enum price_flag catalog_price_flag(const struct catalog *cat, const struct intern *in, sid type, sid zone,
				   sid capacity_type, double price)
{
	uint32_t t = catalog_type(cat, in, type), z = catalog_zone(cat, zone);
	bool spot = capacity_type == CAP_SPOT;
	double own;

	if (t == UINT32_MAX || z == UINT32_MAX || (!spot && capacity_type != CAP_ON_DEMAND))
		return PRICE_RECORDED;
	own = spot ? cat->spot[t * cat->nzone + z] : cat->on_demand[t];
	if (price < own || price > own)
		return PRICE_RECORDED;
	return spot ? cat->spot_flag[t * cat->nzone + z] : cat->on_demand_flag[t];
}

static void see_date(struct catalog_dates *d, const struct intern *in, sid date)
{
	if (date == SID_EMPTY)
		return;
	if (d->oldest == SID_EMPTY || intern_cmp(in, date, d->oldest) < 0)
		d->oldest = date;
	if (intern_cmp(in, date, d->newest) > 0)
		d->newest = date;
}

struct catalog_dates catalog_on_demand_dates(const struct catalog *cat, const struct intern *in)
{
	struct catalog_dates d = {SID_EMPTY, SID_EMPTY};

	for (uint32_t t = 0; t < cat->ntype; t++)
		if (cat->on_demand[t] >= 0)
			see_date(&d, in, cat->on_demand_date[t]);
	return d;
}

struct catalog_dates catalog_spot_dates(const struct catalog *cat, const struct intern *in)
{
	struct catalog_dates d = {SID_EMPTY, SID_EMPTY};

	for (uint32_t i = 0; i < cat->ntype * cat->nzone; i++)
		if (cat->spot[i] >= 0)
			see_date(&d, in, cat->spot_date[i]);
	return d;
}

void catalog_no_region(struct diags *d, const char *catalog, const char *region, const char *const *has,
		       uint32_t n, const char *more)
{
	struct suggest near;
	struct buf names;

	suggest_init(&near, str_of(region ? region : ""));
	buf_init(&names);
	for (uint32_t i = 0; i < n; i++) {
		suggest_try(&near, str_of(has[i]));
		buf_addf(&names, "%s%s", i ? ", " : "", has[i]);
	}
	if (region)
		diag(d, KS_CATALOG_REGION, SPAN_NONE, "%s has no region \"%s\"", catalog, region);
	else
		diag(d, KS_CATALOG_REGION, SPAN_NONE, "%s has several regions and none was chosen", catalog);
	if (near.best.n)
		diag_hint(d, "did you mean \"%.*s\"? It has %s%s", STR_ARG(near.best), buf_cstr(&names),
			  more);
	else
		diag_hint(d, "it has %s%s", buf_cstr(&names), more);
	buf_release(&names);
}
