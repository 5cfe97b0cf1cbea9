#pragma once
/*
 * The catalogue compiled into the program: tables of numbers, written by tools/catalog_compile.c from
 * fixtures/catalog and read by catalog_embedded.c. Texts are indices of a list; prices are millionths of a
 * dollar, 0 for none.
 */
#include <stdint.h>

/* Members of struct ec2_type by how they are packed. */
/* clang-format off */
#define PACKED_TEXTS(X) \
	X(name) X(hypervisor) X(cpu_manufacturer) X(gpu_name) X(gpu_manufacturer) X(accelerator_name) \
	X(accelerator_manufacturer) X(accelerator_label) X(recorded_at)
#define PACKED_INTS(X) \
	X(vcpus) X(default_cores) X(threads_per_core) X(memory_mib) X(clock_mhz) X(default_card_enis) \
	X(ipv4_per_eni) X(network_cards) X(branch_interfaces) X(network_mbps) X(ebs_max_mbps) X(storage_gb) \
	X(nvme_gb) X(gpu_count) X(gpu_memory_mib) X(accelerator_count) X(neuron_cores) X(efa_max)
#define PACKED_BOOLS(X) \
	X(arm64) X(x86) X(arm64_first) X(on_demand) X(spot) X(capacity_block) X(bare_metal) X(trunking) \
	X(ebs_default) X(encryption_in_transit)
/* clang-format on */

struct packed_type {
#define X(m) uint16_t m;
	PACKED_TEXTS(X)
#undef X
#define X(m) int32_t m;
	PACKED_INTS(X)
#undef X
#define X(m) unsigned m : 1;
	PACKED_BOOLS(X)
#undef X
};

struct packed_zone {
	uint16_t name, zone_id;
};

/* A type that a region offers. */
struct packed_offer {
	uint16_t type;
	uint16_t zones;           /* bit per zone of the region */
	uint32_t on_demand, spot; /* spot: in each of the zones */
	uint16_t on_demand_date, spot_date;
	uint8_t on_demand_estimated;
	int8_t interruption; /* -1: not told */
};

struct packed_region {
	uint16_t name, as_of;
	uint32_t zone, nzone;   /* slice of packed_zones, by name */
	uint32_t offer, noffer; /* slice of packed_offers, by type name */
};

extern const char packed_text[];
extern const uint32_t packed_text_at[]; /* offsets into packed_text; text 0 is empty */
extern const uint32_t packed_ntext;
extern const struct packed_type packed_types[]; /* by name */
extern const uint32_t packed_ntype;
extern const struct packed_zone packed_zones[];
extern const struct packed_offer packed_offers[];
extern const struct packed_region packed_regions[];
extern const uint32_t packed_nregion;
