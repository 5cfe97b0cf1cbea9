#pragma once
/* The catalogue for a person and for programs: lists of types with prices, and all that is known of one type.
 */
#include "catalog.h"
#include "rep_object.h"

/* A line of a list; prices are CATALOG_NO_PRICE where there is none. */
struct catalog_line {
	const struct ec2_type *facts;
	int64_t pods;
	double free_cpu, free_gib; /* allocatable */
	double spot_min, spot_max, on_demand, cheapest;
	uint32_t nzone;
	bool estimated, regional;
	int8_t interruption; /* -1: not told */
};

struct catalog_listing {
	const struct report *report;
	const struct catalog *catalog; /* NULL: ready instance types */
	const char *origin;            /* "built in", or where it was read from */
	uint32_t n, total;             /* lines, and types of the region */
	const struct catalog_line *line;
};

void rep_listing(struct emit *e, const struct catalog_listing *l);
void rep_listing_csv(struct buf *out, const struct catalog_listing *l);
/* wide: more columns, as wide as needed; else in SCREEN_WIDTH columns. */
void rep_listing_text(struct buf *out, const struct catalog_listing *l, bool wide);

/* One type of the catalogue by its index: facts, prices by zone with their dates and flags. */
void rep_show(struct emit *e, const struct catalog_listing *l, uint32_t type);
void rep_show_text(struct buf *out, const struct catalog_listing *l, uint32_t type);
