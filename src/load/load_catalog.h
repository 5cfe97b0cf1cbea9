#pragma once
/*
 * The catalogue as a directory of CSV files: instance-types.csv, offerings.csv, zones.csv,
 * on-demand-prices.csv and spot-prices.csv (design 3.3). Columns are found by header name, in any order,
 * among others. All rows are validated, also those of regions that are not wanted; those of the wanted region
 * are kept.
 */
#include "arena.h"
#include "catalog.h"
#include "diag.h"

/* Prices from here on are taken for mistakes (USD per hour). */
#define CATALOG_MAX_PRICE 10000.0

/* For a look at any region: the first of zones.csv. */
#define CATALOG_ANY_REGION (SID_NONE - 1)

/*
 * Reads the directory; NULL after errors. region SID_NONE stands for the only region that the catalogue has,
 * and is an error if it has several. The result belongs to the arena.
 */
const struct catalog *catalog_read_dir(struct arena *a, struct diags *d, struct intern *in, const char *dir,
				       sid region);
