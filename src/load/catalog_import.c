#include "catalog_import.h"

#include <ctype.h>
#include <stdlib.h>

#include "catalog_embedded.h"
#include "load_catalog.h"
#include "scalar.h"

const char *const catalog_file_names[CATALOG_FILES_] = {
	[CATALOG_ZONES] = "zones.csv",         [CATALOG_TYPES] = "instance-types.csv",
	[CATALOG_OFFERINGS] = "offerings.csv", [CATALOG_ON_DEMAND] = "on-demand-prices.csv",
	[CATALOG_SPOT] = "spot-prices.csv",
};

void catalog_import_init(struct catalog_import *im, struct arena *a, struct diags *d, struct intern *in,
			 sid region)
{
	*im = (struct catalog_import){.arena = a, .d = d, .in = in, .region = region};
	idmap_init(&im->type_of, a);
	idmap_init(&im->zone_of, a);
	idmap_init(&im->zone_by_id, a);
	idmap_init(&im->spot_of, a);
	idmap_init(&im->on_demand_of, a);
	idmap_init(&im->unwanted, a);
}

sid catalog_import_text(const struct catalog_import *im, const struct doc_node *n)
{
	if (!n || n->kind != DOC_SCALAR || (!n->quoted && doc_is_null(n)))
		return SID_EMPTY;
	for (size_t i = 0; i < n->text.n; i++)
		if (!isalnum((unsigned char)n->text.p[i]) && !strchr(" ._:+/()-", n->text.p[i]))
			return SID_EMPTY;
	return intern_put(im->in, n->text);
}

static sid text(const struct catalog_import *im, const struct doc_node *n, const char *key)
{
	return catalog_import_text(im, n->kind == DOC_MAP ? doc_get(n, key) : NULL);
}

static bool text_is(const struct doc_node *n, const char *key, const char *want)
{
	const struct doc_node *v = n->kind == DOC_MAP ? doc_get(n, key) : NULL;

	return v && v->kind == DOC_SCALAR && str_is(v->text, want);
}

static bool shape(struct catalog_import *im, const struct doc *doc, const struct doc_node *n,
		  const char *what)
{
	diag(im->d, KS_IMPORT_SHAPE, doc_span(doc, n), "%s", what);
	return false;
}

uint32_t catalog_import_type_index(struct catalog_import *im, sid name)
{
	uint32_t i;

	if (idmap_get(&im->type_of, name, &i))
		return i;
	struct import_type *t = VEC_ADD(im->arena, &im->types);

	t->t.name = name;
	idmap_put(&im->type_of, name, im->types.n - 1);
	return im->types.n - 1;
}

/* "us-east-1a", "us-east-1-bos-1a", "us-gov-west-1b": a region's name ends with its first number. */
static struct str region_of_zone(struct str zone)
{
	size_t n = 0;

	while (n < zone.n && !isdigit((unsigned char)zone.p[n]))
		n++;
	while (n < zone.n && isdigit((unsigned char)zone.p[n]))
		n++;
	return (struct str){zone.p, n};
}

/* A zone that only offerings or prices name: its name tells the region. */
uint32_t catalog_import_zone_index(struct catalog_import *im, sid name)
{
	struct str s = intern_str(im->in, name);
	uint32_t i;

	if (idmap_get(&im->zone_of, name, &i))
		return i;
	struct import_zone *z = VEC_ADD(im->arena, &im->zones);

	z->name = name;
	z->zone_id = SID_EMPTY;
	z->region = intern_put(im->in, region_of_zone(s));
	idmap_put(&im->zone_of, name, im->zones.n - 1);
	return im->zones.n - 1;
}

/* "0.0960000000" -> "0.096"; SID_EMPTY for what is no positive number. */
static sid price_text(struct catalog_import *im, struct str s)
{
	char *end;
	double v = strtod(s.p, &end);

	if (s.n == 0 || end != s.p + s.n || strspn(s.p, "0123456789.eE+-") != s.n || !(v > 0) ||
	    v >= CATALOG_MAX_PRICE)
		return SID_EMPTY;
	if (memchr(s.p, '.', s.n) && !memchr(s.p, 'e', s.n)) {
		while (s.p[s.n - 1] == '0')
			s.n--;
		if (s.p[s.n - 1] == '.')
			s.n--;
	}
	return intern_put(im->in, s);
}

/* Whether Karpenter asks EC2 for such types (IT-1); what is not told is taken to be so. */
static bool wanted_type(const struct doc_node *n, const struct ec2_type *t)
{
	const struct doc_node *modes = doc_get(n, "SupportedVirtualizationTypes");
	bool hvm = !modes || modes->kind != DOC_SEQ || modes->n == 0;

	for (uint32_t i = 0; !hvm && i < modes->n; i++)
		hvm = modes->items[i]->kind == DOC_SCALAR && str_is(modes->items[i]->text, "hvm");
	return hvm && (t->x86 || t->arm64);
}

static bool read_type(struct catalog_import *im, const struct doc *doc, const struct doc_node *n)
{
	struct ec2_type t, mine;
	uint32_t i;

	if (!catalog_import_type(im, doc, n, &t))
		return false;
	if (!wanted_type(n, &t)) {
		idmap_put(&im->unwanted, t.name, 0);
		VEC_PUSH(im->arena, &im->unwanted_types, t.name);
		return true;
	}
	i = catalog_import_type_index(im, t.name);
	im->types.v[i].known = true;
	/* Karpenter has these from tables of its own, which the built-in catalogue knows. */
	if (catalog_embedded_type(im->in, t.name, &mine)) {
		t.trunking = mine.trunking;
		t.branch_interfaces = mine.branch_interfaces;
		t.network_mbps = mine.network_mbps;
		im->types.v[i].limits = true;
	}
	im->types.v[i].t = t;
	return true;
}

static bool read_zone(struct catalog_import *im, const struct doc *doc, const struct doc_node *n)
{
	sid name = text(im, n, "ZoneName"), id = text(im, n, "ZoneId"), region = text(im, n, "RegionName");
	uint32_t i;

	if (name == SID_EMPTY || region == SID_EMPTY)
		return shape(im, doc, n, "a zone without ZoneName and RegionName");
	i = catalog_import_zone_index(im, name);
	im->zones.v[i].zone_id = id;
	im->zones.v[i].region = region;
	if (id != SID_EMPTY)
		idmap_put(&im->zone_by_id, id, i);
	return true;
}

static bool read_offering(struct catalog_import *im, const struct doc *doc, const struct doc_node *n)
{
	struct import_offer o = {.type = text(im, n, "InstanceType"),
				 .location = text(im, n, "Location"),
				 .by_id = text_is(n, "LocationType", "availability-zone-id"),
				 .at = doc_span(doc, n)};

	if (o.type == SID_EMPTY || o.location == SID_EMPTY)
		return shape(im, doc, n, "an offering without InstanceType and Location");
	if (!o.by_id && !text_is(n, "LocationType", "availability-zone")) {
		shape(im, doc, n, "an offering that is not by zone");
		diag_hint(im->d, "ask with --location-type availability-zone");
		return false;
	}
	VEC_PUSH(im->arena, &im->offers, o);
	return true;
}

static bool read_spot(struct catalog_import *im, const struct doc *doc, const struct doc_node *n)
{
	sid type = text(im, n, "InstanceType"), zone = text(im, n, "AvailabilityZone"),
	    date = text(im, n, "Timestamp");
	struct import_pool p = {.place = zone, .date = date};
	uint32_t i;

	if (!text_is(n, "ProductDescription", "Linux/UNIX") &&
	    !text_is(n, "ProductDescription", "Linux/UNIX (Amazon VPC)")) {
		im->other_products++;
		return true;
	}
	if (type == SID_EMPTY || zone == SID_EMPTY)
		return shape(im, doc, n, "a spot price without InstanceType and AvailabilityZone");
	p.type = catalog_import_type_index(im, type);
	p.price = price_text(im, intern_str(im->in, text(im, n, "SpotPrice")));
	if (p.price == SID_EMPTY)
		return shape(im, doc, n, "a spot price that is not above 0");
	catalog_import_zone_index(im, zone);
	if (!idmap_get(&im->spot_of, IDMAP_PAIR(p.type, zone), &i)) {
		idmap_put(&im->spot_of, IDMAP_PAIR(p.type, zone), im->spot.n);
		VEC_PUSH(im->arena, &im->spot, p);
	} else if (intern_cmp(im->in, date, im->spot.v[i].date) >= 0) {
		im->spot.v[i] = p;
	}
	return true;
}

/* -- products: JSON in JSON -- */

static const struct doc_node *map_of(const struct doc_node *n, const char *key)
{
	const struct doc_node *v = doc_get(n, key);

	return v && v->kind == DOC_MAP ? v : NULL;
}

/* The hourly price of the on-demand term of a product, SID_EMPTY when it has none above 0. */
static sid product_price(struct catalog_import *im, const struct doc_node *product, const char *currency)
{
	const struct doc_node *terms = doc_get(product, "terms");
	const struct doc_node *on_demand = terms ? doc_get(terms, "OnDemand") : NULL;
	sid out = SID_EMPTY;

	for (uint32_t i = 0; on_demand && on_demand->kind == DOC_MAP && i < on_demand->n; i++) {
		const struct doc_node *dims = doc_get(on_demand->entries[i].value, "priceDimensions");

		for (uint32_t k = 0; dims && dims->kind == DOC_MAP && k < dims->n; k++) {
			const struct doc_node *unit = doc_get(dims->entries[k].value, "pricePerUnit");
			sid price = unit ? price_text(im, intern_str(im->in, text(im, unit, currency)))
					 : SID_EMPTY;

			out = price != SID_EMPTY ? price : out;
		}
	}
	return out;
}

/* OF-10: what Karpenter takes for the on-demand price of a type. */
static bool wanted_product(const struct doc_node *product, const struct doc_node *attr)
{
	bool metal = text_is(product, "productFamily", "Compute Instance (bare metal)");
	const struct doc_node *market = doc_get(attr, "marketoption");

	return (!market || text_is(attr, "marketoption", "OnDemand")) &&
	       text_is(attr, "operatingSystem", "Linux") && text_is(attr, "preInstalledSw", "NA") &&
	       text_is(attr, "capacitystatus", "Used") &&
	       (metal ? text_is(attr, "tenancy", "Dedicated")
		      : text_is(product, "productFamily", "Compute Instance") &&
				text_is(attr, "tenancy", "Shared"));
}

static bool read_product(struct catalog_import *im, const struct doc *doc, const struct doc_node *n)
{
	const struct doc_node *product = map_of(n, "product");
	const struct doc_node *attr = product ? map_of(product, "attributes") : NULL;
	struct import_pool p = {.date = text(im, n, "publicationDate")};
	uint32_t i;
	sid type;

	if (!attr)
		return shape(im, doc, n, "a product without attributes");
	if (!wanted_product(product, attr)) {
		im->other_products++;
		return true;
	}
	p.place = text(im, attr, "regionCode");
	if (p.place == SID_EMPTY)
		p.place = im->region == SID_NONE ? SID_EMPTY : im->region;
	if (p.place == SID_EMPTY) {
		shape(im, doc, n, "a product that does not tell its regionCode");
		diag_hint(im->d, "name the region with --region");
		return false;
	}
	type = text(im, attr, "instanceType");
	if (type == SID_EMPTY)
		return shape(im, doc, n, "a product without instanceType");
	/* The price list of China is in its own money, and Karpenter takes it as it is. */
	p.price = product_price(im, n, str_starts(intern_str(im->in, p.place), "cn-") ? "CNY" : "USD");
	if (p.price == SID_EMPTY)
		return true; /* reserved only, or free of charge: reported as a type without a price */
	p.type = catalog_import_type_index(im, type);
	if (idmap_get(&im->on_demand_of, IDMAP_PAIR(p.type, p.place), &i)) {
		im->on_demand.v[i] = p;
		return true;
	}
	idmap_put(&im->on_demand_of, IDMAP_PAIR(p.type, p.place), im->on_demand.n);
	VEC_PUSH(im->arena, &im->on_demand, p);
	return true;
}

/* The CLI gives each product as text. */
static bool read_product_text(struct catalog_import *im, const struct doc *doc, const struct doc_node *n)
{
	struct docs inner = {0};
	const struct source *src;

	if (n->kind == DOC_MAP)
		return read_product(im, doc, n);
	if (n->kind != DOC_SCALAR)
		return shape(im, doc, n, "a product that is neither text nor a map");
	src = source_from_text(im->arena, arena_printf(im->arena, "%s:%u", doc->src->name, n->line), n->text);
	if (!doc_read(im->arena, im->d, src, &inner))
		return false;
	for (uint32_t i = 0; i < inner.v.n; i++)
		if (inner.v.v[i].root->kind != DOC_MAP || !read_product(im, &inner.v.v[i], inner.v.v[i].root))
			return false;
	return true;
}

/* What a command's answer is called, and the key that tells its elements where a query left the name out. */
static const struct answer {
	const char *key, *mark;
	bool (*read)(struct catalog_import *im, const struct doc *doc, const struct doc_node *n);
	bool any; /* elements need not be maps */
} answers[] = {
	{"InstanceTypes", "VCpuInfo", read_type, false},
	{"InstanceTypeOfferings", "LocationType", read_offering, false},
	{"SpotPriceHistory", "SpotPrice", read_spot, false},
	{"AvailabilityZones", "ZoneName", read_zone, false},
	{"PriceList", "product", read_product_text, true},
};

#define NANSWER (sizeof(answers) / sizeof(answers[0]))

static bool read_element(struct catalog_import *im, const struct doc *doc, const struct doc_node *n,
			 const struct answer *a)
{
	return n->kind == DOC_MAP || a->any ? a->read(im, doc, n) : shape(im, doc, n, "a map was expected");
}

/* One page; *ret_found: it holds something known. */
static bool read_page(struct catalog_import *im, const struct doc *doc, const struct doc_node *page,
		      bool *ret_found)
{
	bool ok = true;

	for (unsigned i = 0; page->kind == DOC_MAP && i < NANSWER; i++) {
		const struct doc_node *list = doc_get(page, answers[i].key);

		if (!list)
			continue;
		*ret_found = true;
		if (list->kind != DOC_SEQ)
			return shape(im, doc, list, "a list was expected");
		for (uint32_t k = 0; k < list->n; k++)
			ok &= read_element(im, doc, list->items[k], &answers[i]);
	}
	return ok;
}

/* What `--query` leaves of an answer: its elements without the name around them. */
static const struct answer *answer_of_element(const struct doc_node *n)
{
	for (unsigned i = 0; n->kind == DOC_MAP && i < NANSWER; i++)
		if (doc_get(n, answers[i].mark))
			return &answers[i];
	return n->kind == DOC_SCALAR && n->quoted && n->text.n && n->text.p[0] == '{' ? &answers[NANSWER - 1]
										      : NULL;
}

static bool unknown(struct catalog_import *im, const struct doc *doc, const struct doc_node *n)
{
	shape(im, doc, n, "this is not what an AWS CLI command prints about EC2");
	diag_hint(im->d, "known are InstanceTypes, InstanceTypeOfferings, SpotPriceHistory, "
			 "AvailabilityZones and PriceList");
	return false;
}

bool catalog_import_doc(struct catalog_import *im, const struct doc *doc)
{
	const struct doc_node *root = doc->root;
	bool ok = true, found = false;

	/* A list holds pages (yaml-stream, jq -s) or elements. */
	for (uint32_t i = 0; root->kind == DOC_SEQ && i < root->n; i++) {
		bool page = false;
		const struct answer *a;

		ok &= read_page(im, doc, root->items[i], &page);
		a = page ? NULL : answer_of_element(root->items[i]);
		if (!page && !a)
			return unknown(im, doc, root->items[i]);
		if (a)
			ok &= read_element(im, doc, root->items[i], a);
	}
	if (root->kind == DOC_SEQ)
		return ok;
	ok = read_page(im, doc, root, &found);
	if (found)
		return ok;
	if (root->kind == DOC_MAP && doc_get(root, "SpotPlacementScores")) {
		diag(im->d, KS_IMPORT_IGNORED, doc_span(doc, root),
		     "spot placement scores have no place in a catalogue");
		return true;
	}
	return unknown(im, doc, root);
}
