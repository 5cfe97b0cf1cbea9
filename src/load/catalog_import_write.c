#include "bits.h"
#include "catalog_import.h"

/* Names that some message lists: the first few, and how many. */
#define LISTED 5

struct list {
	struct buf text;
	uint32_t n;
};

static void list_add(struct list *l, const char *name)
{
	if (l->n++ < LISTED)
		buf_addf(&l->text, "%s%s", l->n > 1 ? ", " : "", name);
}

/* Raises a warning unless the list is empty; what: "types without a price". */
static void list_report(struct catalog_import *im, struct list *l, const char *what)
{
	if (l->n)
		diag(im->d, KS_IMPORT_MISSING, SPAN_NONE, "%s (%u): %s%s", what, l->n, buf_cstr(&l->text),
		     l->n > LISTED ? ", ..." : "");
	buf_release(&l->text);
}

static bool is_unwanted(const struct catalog_import *im, sid type)
{
	uint32_t at;

	return idmap_get(&im->unwanted, type, &at);
}

/* Numbers of things by their names. */
static uint32_t *by_name(struct catalog_import *im, const struct idmap *of, sid *names, uint32_t n)
{
	uint32_t *out = ARENA_ARRAY(im->arena, uint32_t, n);

	intern_sort(im->in, names, n);
	for (uint32_t i = 0; i < n; i++)
		idmap_get(of, names[i], &out[i]);
	return out;
}

struct order {
	uint32_t *type, *zone; /* by name */
	uint64_t *offered;     /* bit type * zones + zone */
	sid *region;           /* by name */
	uint32_t nregion;
};

static struct order order_of(struct catalog_import *im)
{
	struct order o = {0};
	sid *names = ARENA_ARRAY(im->arena, sid, im->types.n);
	sid *zones = ARENA_ARRAY(im->arena, sid, im->zones.n);

	for (uint32_t i = 0; i < im->types.n; i++)
		names[i] = im->types.v[i].t.name;
	o.type = by_name(im, &im->type_of, names, im->types.n);
	for (uint32_t i = 0; i < im->zones.n; i++)
		zones[i] = im->zones.v[i].name;
	o.zone = by_name(im, &im->zone_of, zones, im->zones.n);
	o.offered = ARENA_ARRAY(im->arena, uint64_t, BITS_WORDS(im->types.n * im->zones.n));
	o.region = ARENA_ARRAY(im->arena, sid, im->zones.n);
	for (uint32_t i = 0; i < im->zones.n; i++) {
		bool seen = false;

		for (uint32_t k = 0; k < o.nregion && !seen; k++)
			seen = o.region[k] == im->zones.v[i].region;
		if (!seen)
			o.region[o.nregion++] = im->zones.v[i].region;
	}
	intern_sort(im->in, o.region, o.nregion);
	return o;
}

/* Every type and zone that is named anywhere gets its number before the order is made. */
static void number_offers(struct catalog_import *im)
{
	for (uint32_t k = 0; k < im->offers.n; k++) {
		catalog_import_type_index(im, im->offers.v[k].type);
		if (!im->offers.v[k].by_id)
			catalog_import_zone_index(im, im->offers.v[k].location);
	}
}

static void place_offers(struct catalog_import *im, struct order *o)
{
	struct list unknown_ids = {0}, unknown_types = {0};
	struct idmap told_ids;
	uint64_t *told = ARENA_ARRAY(im->arena, uint64_t, BITS_WORDS(im->types.n));

	idmap_init(&told_ids, im->arena);
	for (uint32_t k = 0; k < im->offers.n; k++) {
		const struct import_offer *of = &im->offers.v[k];
		uint32_t t = 0, z;

		idmap_get(&im->type_of, of->type, &t);
		if (!idmap_get(of->by_id ? &im->zone_by_id : &im->zone_of, of->location, &z)) {
			if (!idmap_get(&told_ids, of->location, &z))
				list_add(&unknown_ids, intern_c(im->in, of->location));
			idmap_put(&told_ids, of->location, 0);
			continue;
		}
		if (!im->types.v[t].known) {
			if (!bits_test(told, t) && !is_unwanted(im, of->type))
				list_add(&unknown_types, intern_c(im->in, of->type));
			bits_set(told, t);
			continue;
		}
		if (!bits_test(o->offered, t * im->zones.n + z))
			im->zones.v[z].noffer++;
		bits_set(o->offered, t * im->zones.n + z);
	}
	list_report(im, &unknown_ids,
		    "zone ids without a name, for want of describe-availability-zones; their offerings are "
		    "left out");
	list_report(im, &unknown_types,
		    "types offered but not described by describe-instance-types, left out");
}

static void write_zones(struct catalog_import *im, const struct order *o, struct buf *out)
{
	struct list no_id = {0}, empty = {0};

	buf_adds(out, "region,zone,zone_id\n");
	for (uint32_t i = 0; i < im->zones.n; i++) {
		const struct import_zone *z = &im->zones.v[o->zone[i]];

		buf_addf(out, "%s,%s,%s\n", intern_c(im->in, z->region), intern_c(im->in, z->name),
			 intern_c(im->in, z->zone_id));
		if (z->zone_id == SID_EMPTY)
			list_add(&no_id, intern_c(im->in, z->name));
		if (z->noffer == 0)
			list_add(&empty, intern_c(im->in, z->name));
	}
	list_report(im, &no_id, "zones without a known zone id");
	list_report(im, &empty, "zones that offer nothing");
}

static void field(const struct catalog_import *im, struct buf *out, sid s)
{
	buf_addstr(out, intern_str(im->in, s));
}

static void count(struct buf *out, int64_t v)
{
	if (v >= 0)
		buf_addf(out, "%lld", (long long)v);
}

/* Values of a list in a field, those that hold. */
static void joined(struct buf *out, const char *const *names, const bool *has, unsigned n)
{
	bool any = false;

	for (unsigned i = 0; i < n; i++)
		if (has[i]) {
			buf_addf(out, "%s%s", any ? ";" : "", names[i]);
			any = true;
		}
}

static void write_type(const struct catalog_import *im, struct buf *out, const struct ec2_type *t)
{
	static const char *const archs[] = {"arm64", "x86_64", "arm64"};
	static const char *const usages[] = {"capacity-block", "on-demand", "spot"};
	const bool arch[] = {t->arm64 && t->arm64_first, t->x86, t->arm64 && !t->arm64_first};
	const bool usage[] = {t->capacity_block, t->on_demand, t->spot};
	const int64_t numbers[] = {t->clock_mhz, t->default_card_enis, t->ipv4_per_eni, t->network_cards};

	field(im, out, t->name);
	buf_addf(out, ",%d,%d,%d,%lld,", t->vcpus, t->default_cores, t->threads_per_core,
		 (long long)t->memory_mib);
	joined(out, archs, arch, 3);
	buf_addch(out, ',');
	joined(out, usages, usage, 3);
	buf_addch(out, ',');
	field(im, out, t->hypervisor);
	buf_addf(out, ",%s,", t->bare_metal ? "true" : "false");
	field(im, out, t->cpu_manufacturer);
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		buf_addch(out, ',');
		count(out, numbers[i]);
	}
	buf_addf(out, ",%s,", t->trunking ? "true" : "false");
	count(out, t->branch_interfaces);
	buf_addch(out, ',');
	count(out, t->network_mbps);
	buf_addf(out, ",%s,", t->ebs_default ? "default" : "unsupported");
	count(out, t->ebs_max_mbps);
	buf_addf(out, ",%lld,%lld,", (long long)t->storage_gb, (long long)t->nvme_gb);
	field(im, out, t->gpu_name);
	buf_addch(out, ',');
	field(im, out, t->gpu_manufacturer);
	buf_addf(out, ",%d,%lld,", t->gpu_count, (long long)t->gpu_memory_mib);
	field(im, out, t->accelerator_name);
	buf_addch(out, ',');
	field(im, out, t->accelerator_label);
	buf_addch(out, ',');
	field(im, out, t->accelerator_manufacturer);
	buf_addf(out, ",%d,%d,%d,%s,%s,%s\n", t->accelerator_count, t->neuron_cores, t->efa_max,
		 t->encryption_in_transit ? "true" : "false", t->no_ena ? "unsupported" : "supported",
		 t->nested_virtualization ? "true" : "false");
}

static void write_types(struct catalog_import *im, const struct order *o, struct buf *out)
{
	struct list no_limits = {0}, nowhere = {0}, unwanted = {0};

	intern_sort(im->in, im->unwanted_types.v, im->unwanted_types.n);
	for (uint32_t i = 0; i < im->unwanted_types.n; i++)
		if (i == 0 || im->unwanted_types.v[i] != im->unwanted_types.v[i - 1])
			list_add(&unwanted, intern_c(im->in, im->unwanted_types.v[i]));
	list_report(
		im, &unwanted,
		"types that Karpenter does not ask for, as they are not for HVM images of x86_64 or arm64, "
		"left out");
	buf_adds(out, "instance_type,vcpus,cores,threads_per_core,memory_mib,architectures,usage_classes,"
		      "hypervisor,bare_metal,cpu_manufacturer,sustained_clock_mhz,default_card_eni_count,"
		      "ipv4_per_eni,network_card_count,trunking_compatible,branch_interfaces,network_"
		      "bandwidth_mbps,ebs_optimized,ebs_max_mbps,local_storage_gb,local_nvme_gb,gpu_name,gpu_"
		      "manufacturer,gpu_count,gpu_memory_mib,accelerator_name,accelerator_label,accelerator_"
		      "manufacturer,accelerator_count,neuron_core_count,efa_max,encryption_in_transit,"
		      "ena_support,nested_virtualization\n");
	for (uint32_t i = 0; i < im->types.n; i++) {
		const struct import_type *t = &im->types.v[o->type[i]];
		bool offered = false;

		if (!t->known)
			continue;
		write_type(im, out, &t->t);
		for (uint32_t z = 0; z < im->zones.n && !offered; z++)
			offered = bits_test(o->offered, o->type[i] * im->zones.n + z);
		if (!offered)
			list_add(&nowhere, intern_c(im->in, t->t.name));
		if (!t->limits)
			list_add(&no_limits, intern_c(im->in, t->t.name));
	}
	list_report(im, &nowhere, "types offered in no zone");
	list_report(im, &no_limits, "types that kspot's table of branch interfaces lacks; they get none");
}

static void write_offerings(const struct catalog_import *im, const struct order *o, struct buf *out)
{
	buf_adds(out, "region,instance_type,zones\n");
	for (uint32_t r = 0; r < o->nregion; r++)
		for (uint32_t i = 0; i < im->types.n; i++) {
			bool any = false;

			for (uint32_t k = 0; k < im->zones.n; k++) {
				const struct import_zone *z = &im->zones.v[o->zone[k]];

				if (z->region != o->region[r] ||
				    !bits_test(o->offered, o->type[i] * im->zones.n + o->zone[k]))
					continue;
				if (!any)
					buf_addf(out, "%s,%s,", intern_c(im->in, o->region[r]),
						 intern_c(im->in, im->types.v[o->type[i]].t.name));
				buf_addf(out, "%s%s", any ? ";" : "", intern_c(im->in, z->name));
				any = true;
			}
			if (any)
				buf_addch(out, '\n');
		}
}

/* The date of an RFC 3339 time. */
static void write_date(const struct catalog_import *im, struct buf *out, sid time)
{
	struct str s = intern_str(im->in, time);

	buf_addch(out, ',');
	buf_add(out, s.p, s.n < 10 ? s.n : 10);
}

static bool region_offers(const struct catalog_import *im, const struct order *o, uint32_t type, sid region)
{
	for (uint32_t z = 0; z < im->zones.n; z++)
		if (im->zones.v[z].region == region && bits_test(o->offered, type * im->zones.n + z))
			return true;
	return false;
}

/* Prices that no offering can use. */
static void report_unused(struct catalog_import *im, const struct order *o)
{
	struct list places = {0}, types = {0};
	uint64_t *told = ARENA_ARRAY(im->arena, uint64_t, BITS_WORDS(im->types.n));
	struct idmap known;
	uint32_t seen;

	idmap_init(&known, im->arena);
	for (uint32_t r = 0; r < o->nregion; r++)
		idmap_put(&known, o->region[r], 0);
	for (uint32_t i = 0; i < im->on_demand.n; i++) {
		const struct import_pool *p = &im->on_demand.v[i];
		const struct import_type *t = &im->types.v[p->type];

		if (!idmap_get(&known, p->place, &seen)) {
			list_add(&places, intern_c(im->in, p->place));
			idmap_put(&known, p->place, 0);
		}
		if (!t->known && !bits_test(told, p->type) && !is_unwanted(im, t->t.name))
			list_add(&types, intern_c(im->in, t->t.name));
		bits_set(told, p->type);
	}
	list_report(im, &places, "regions with on-demand prices but no zones, left out");
	list_report(im, &types,
		    "types with on-demand prices but not described by describe-instance-types, left out");
}

static void write_on_demand(struct catalog_import *im, const struct order *o, struct buf *out)
{
	struct list missing = {0};

	buf_adds(out, "region,instance_type,usd_per_hour,observed_at\n");
	for (uint32_t r = 0; r < o->nregion; r++)
		for (uint32_t i = 0; i < im->types.n; i++) {
			const struct import_type *t = &im->types.v[o->type[i]];
			uint32_t at;

			if (!t->known)
				continue;
			if (!idmap_get(&im->on_demand_of, IDMAP_PAIR(o->type[i], o->region[r]), &at)) {
				if (t->t.on_demand && region_offers(im, o, o->type[i], o->region[r]))
					list_add(&missing, intern_c(im->in, t->t.name));
				continue;
			}
			buf_addf(out, "%s,%s,%s", intern_c(im->in, o->region[r]), intern_c(im->in, t->t.name),
				 intern_c(im->in, im->on_demand.v[at].price));
			write_date(im, out, im->on_demand.v[at].date);
			buf_addch(out, '\n');
		}
	list_report(im, &missing, "offered types without an on-demand price");
	report_unused(im, o);
}

static void write_spot(struct catalog_import *im, const struct order *o, struct buf *out)
{
	struct list missing = {0}, unoffered = {0};

	buf_adds(out, "region,zone,instance_type,usd_per_hour,observed_at\n");
	for (uint32_t k = 0; k < im->zones.n; k++)
		for (uint32_t i = 0; i < im->types.n; i++) {
			const struct import_zone *z = &im->zones.v[o->zone[k]];
			const struct import_type *t = &im->types.v[o->type[i]];
			bool offered = bits_test(o->offered, o->type[i] * im->zones.n + o->zone[k]);
			uint32_t at;
			bool priced = idmap_get(&im->spot_of, IDMAP_PAIR(o->type[i], z->name), &at);
			if (offered && t->t.spot && !priced)
				list_add(&missing,
					 arena_printf(im->arena, "%s in %s", intern_c(im->in, t->t.name),
						      intern_c(im->in, z->name)));
			if (priced && !offered && !is_unwanted(im, t->t.name))
				list_add(&unoffered,
					 arena_printf(im->arena, "%s in %s", intern_c(im->in, t->t.name),
						      intern_c(im->in, z->name)));
			if (!priced || !t->known)
				continue;
			buf_addf(out, "%s,%s,%s,%s", intern_c(im->in, z->region), intern_c(im->in, z->name),
				 intern_c(im->in, t->t.name), intern_c(im->in, im->spot.v[at].price));
			write_date(im, out, im->spot.v[at].date);
			buf_addch(out, '\n');
		}
	list_report(im, &missing, "offered spot pools without a price");
	list_report(im, &unoffered, "spot prices of pools that nobody offers");
}

void catalog_import_finish(struct catalog_import *im, struct buf ret_file[CATALOG_FILES_])
{
	struct order o;

	number_offers(im);
	o = order_of(im);
	place_offers(im, &o);
	write_zones(im, &o, &ret_file[CATALOG_ZONES]);
	write_types(im, &o, &ret_file[CATALOG_TYPES]);
	write_offerings(im, &o, &ret_file[CATALOG_OFFERINGS]);
	write_on_demand(im, &o, &ret_file[CATALOG_ON_DEMAND]);
	write_spot(im, &o, &ret_file[CATALOG_SPOT]);
	if (im->other_products)
		diag(im->d, KS_IMPORT_IGNORED, SPAN_NONE, "prices of other systems and terms, left out: %u",
		     im->other_products);
}
