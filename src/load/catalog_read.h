#pragma once
/* The reader of catalogue files as its two halves share it; private to load/. */
#include "catalog.h"
#include "csv_table.h"
#include "idmap.h"

#define CATALOG_MAX_REGIONS 256
#define CATALOG_MAX_COLUMNS 48

struct catalog_column {
	const char *name;
	bool optional;
};

struct catalog_zone_row {
	sid name, zone_id;
	uint32_t region;
};

/* Tables over all regions; the pools are type * zones.n + zone. */
struct catalog_reader {
	struct diags *d;
	struct intern *in;
	struct arena *arena; /* of the result and the sources: messages point into these */
	struct arena tables; /* of this reader */
	struct arena csv;    /* of the file being read */
	uint32_t nregion, last_region, want;
	sid region_name[CATALOG_MAX_REGIONS];
	sid unknown_region; /* reported last */
	VEC(struct catalog_zone_row) zones;
	VEC(struct ec2_type) types;
	struct idmap zone_of, type_of; /* by interned name */
	uint64_t *seen;                /* keys of the file being read */
	uint64_t *offered;
	double *on_demand, *spot;
	uint8_t *on_demand_flag, *spot_flag;
	sid *on_demand_date, *spot_date;
	int8_t *interruption;
	sid last_date, newest; /* YYYY-MM-DD */
};

/* A file while it is read. */
struct catalog_file {
	struct catalog_reader *r;
	const struct catalog_column *col;
	unsigned ncol;
	int32_t at[CATALOG_MAX_COLUMNS]; /* position of each column in the rows, -1 when absent */
};

bool catalog_header(void *file, const struct csv_row *header);
struct str catalog_field(const struct catalog_file *f, const struct csv_row *row, unsigned c);
struct span catalog_span(const struct catalog_file *f, const struct csv_row *row, unsigned c);
/* A whole number of up to 12 digits; blank when the field is. false after a diagnostic. */
bool catalog_int(const struct catalog_file *f, const struct csv_row *row, unsigned c, int64_t blank,
		 int64_t *ret_v);

/* instance-types.csv */
extern const struct catalog_column catalog_type_cols[];
extern const unsigned catalog_type_ncol;
bool catalog_type_row(void *file, const struct csv_row *row);
