#pragma once
/*
 * The EC2 catalogue: which instance types exist, where they are offered and at what price. Read from CSV
 * files or compiled in; immutable after loading; numbers are EC2's own units. Rule: design 3.3.
 */
#include "diag.h"
#include "intern.h"

#define CATALOG_NO_PRICE (-1.0)

/* AWS's classes of interruption a month: below 5 %, 5 to 10, 10 to 15, 15 to 20, above 20 %. */
#define CATALOG_BUCKETS 5

enum price_flag {
	PRICE_RECORDED,
	PRICE_ESTIMATED, /* derived, see fixtures/catalog/README.md */
	PRICE_REGIONAL,  /* one figure for the region, used for each zone */
};

struct ec2_type {
	sid name, family, size, category; /* "" where the name does not tell */
	int32_t generation;               /* -1: unknown */
	int32_t vcpus, default_cores, threads_per_core;
	int64_t memory_mib;
	bool arm64, x86; /* supported architectures; arm64_first: the first listed */
	bool arm64_first;
	bool on_demand, spot, capacity_block; /* usage classes */
	sid hypervisor;                       /* "" for bare metal */
	bool bare_metal, flex;
	sid cpu_manufacturer;
	int32_t clock_mhz; /* 0: EC2 gives none */
	int32_t default_card_enis, ipv4_per_eni, network_cards;
	bool trunking;
	int32_t branch_interfaces;      /* -1: Karpenter's limits table lacks the type */
	int64_t network_mbps;           /* Karpenter's label; -1: none */
	bool ebs_default;               /* ebs_optimized is "default" */
	int64_t ebs_max_mbps;           /* -1: none */
	int64_t storage_gb;             /* 0: no instance store */
	int64_t nvme_gb;                /* 0: none */
	sid gpu_name, gpu_manufacturer; /* gpu_name "": no GPU */
	int32_t gpu_count;
	int64_t gpu_memory_mib;
	sid accelerator_name, accelerator_manufacturer;
	sid accelerator_label; /* Karpenter's; "": it gives none */
	int32_t accelerator_count, neuron_cores;
	int32_t efa_max;
	bool encryption_in_transit;
	bool no_ena;                /* no Elastic Network Adapter: no NodeClass networkInterfaces */
	bool nested_virtualization; /* told to be supported */
	sid recorded_at;            /* when EC2 said all this, YYYY-MM-DD; "": not told */
};

struct ec2_zone {
	sid name, zone_id, region;
};

/* One region of a catalogue. */
struct catalog {
	sid region;
	uint32_t ntype;
	struct ec2_type *type; /* by name */
	uint32_t nzone;
	struct ec2_zone *zone;   /* of the region, by name */
	double *on_demand;       /* by type; CATALOG_NO_PRICE: none */
	uint8_t *on_demand_flag; /* enum price_flag */
	sid *on_demand_date;     /* when observed, YYYY-MM-DD; "": not told */
	uint64_t *offered;       /* bit type * nzone + zone: the type is offered in the zone */
	double *spot;            /* by type * nzone + zone */
	uint8_t *spot_flag;
	sid *spot_date;
	int8_t *interruption; /* by type: how often Spot instances are taken back, a class; -1: not told */
	sid as_of;            /* newest date of the region's prices, YYYY-MM-DD; "": none told */
	uint32_t nregion;
	sid *regions; /* every region the catalogue knows, by name */
};

/* Sets what the name of a type tells: family, size, category, generation, flex (aws-provider IT-40). */
void ec2_type_parse_name(struct intern *in, struct ec2_type *t);
/* The index of a type of the region, UINT32_MAX when it has none of that name. */
uint32_t catalog_type(const struct catalog *cat, const struct intern *in, sid name);
/* The index of a zone of the region, UINT32_MAX when it has none of that name. */
uint32_t catalog_zone(const struct catalog *cat, sid name);
/*
 * How a price came about that a pool is taken to have: the catalogue's flag if it is the catalogue's price,
 * PRICE_RECORDED if something else set it (Settings, a NodeOverlay) or the type or zone is unknown.
 */
enum price_flag catalog_price_flag(const struct catalog *cat, const struct intern *in, sid type, sid zone,
				   sid capacity_type, double price);
/* The oldest and the newest day on which the region's prices were observed, YYYY-MM-DD; "": none told. */
struct catalog_dates {
	sid oldest, newest;
};
struct catalog_dates catalog_on_demand_dates(const struct catalog *cat, const struct intern *in);
struct catalog_dates catalog_spot_dates(const struct catalog *cat, const struct intern *in);
/* Raises that a catalogue ("the built-in catalogue") lacks a region, and tells those it has, and more. region
 * NULL: none of several was chosen. */
void catalog_no_region(struct diags *d, const char *catalog, const char *region, const char *const *has,
		       uint32_t n, const char *more);
/* "<5%", "5-10%", ... for a class; "" for -1. */
const char *catalog_bucket_name(int8_t bucket);
