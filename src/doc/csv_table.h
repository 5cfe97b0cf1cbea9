#pragma once
/*
 * A CSV file as a table with a header, columns found by name. Rows are handed to a callback one by one, so
 * that a large file is never held twice. Fields are slices valid during the call only. RFC 4180 quoting,
 * strict; a byte order mark is skipped; every row must have as many fields as the header, and no two columns
 * the same name.
 */
#include <stdbool.h>
#include <stdint.h>

#include "diag.h"
#include "file.h"

#define CSV_MAX_COLUMNS 128
#define CSV_MAX_FIELD (64u << 10) /* bytes */

struct csv_row {
	const struct source *src;
	uint32_t line;           /* where the row starts */
	uint32_t n;              /* fields */
	const struct str *field; /* in header order; NUL terminated */
};

/* Called once before the rows with the header (row->line is its line). false stops. */
typedef bool (*csv_header_fn)(void *ctx, const struct csv_row *header);
typedef bool (*csv_row_fn)(void *ctx, const struct csv_row *row);

/* false if a diagnostic was raised here or a callback stopped. A few KiB of scratch are used. */
bool csv_table_read(struct arena *scratch, struct diags *d, const struct source *src, void *ctx,
		    csv_header_fn header, csv_row_fn row);
/* Where field i of a row starts (rescans the line; for messages only). */
struct span csv_field_span(const struct csv_row *row, uint32_t i);
