#pragma once
/*
 * What steers a run besides the objects: Karpenter's own settings and gates, the catalogue's what-ifs, the
 * clock. From the command line, else the Settings document, else defaults (design 3.2).
 */
#include "object.h"

enum gate {
	GATE_NODE_REPAIR,
	GATE_RESERVED_CAPACITY,
	GATE_SPOT_TO_SPOT,
	GATE_NODE_OVERLAY,
	GATE_STATIC_CAPACITY,
	GATE_CAPACITY_BUFFER,
	GATE_MAX_
};

/* Karpenter's name of a gate ("SpotToSpotConsolidation"). */
const char *gate_name(enum gate g);
/* Karpenter v1.14.1's default. */
bool gate_default(enum gate g);

/* A rule over pools (type, zone, capacity type); SID_NONE or "*" matches any. Patterns are shell-style globs.
 */
struct catalog_rule {
	sid type, zone, capacity_type;
	double usd_per_hour; /* prices only */
};

struct reservation_count {
	sid id;
	int64_t available;
};

struct settings {
	sid karpenter_version, cluster_name;
	sid region;  /* SID_NONE until decided */
	int64_t now; /* TIME_NONE until decided */
	bool gates[GATE_MAX_];
	bool preference_ignore;      /* preferencePolicy: Ignore */
	bool min_values_best_effort; /* minValuesPolicy: BestEffort */
	double vm_memory_overhead;   /* fraction, default 0.075 */
	int32_t reserved_enis;
	uint32_t max_instance_types; /* 600 */
	uint32_t nwell_known;
	sid *well_known;       /* wellKnownLabels of the generic provider */
	sid reservation_label; /* SID_NONE when absent */
	uint32_t ntype_glob, nzone, nunavailable, nprice, nreservation;
	bool has_type_globs, has_zones; /* given, even if empty */
	sid *type_glob;                 /* only these types exist */
	sid *zone;                      /* only these zones exist */
	struct catalog_rule *unavailable;
	struct catalog_rule *price;
	struct reservation_count *reservation;
	bool given; /* a Settings document was there */
};

void settings_defaults(struct settings *s, struct intern *in);
