/* CSV: any bytes give rows as wide as the header, or one message. */
#include "csv_table.h"
#include "fuzz.h"

static bool check_row(void *ctx, const struct csv_row *row)
{
	uint32_t *columns = ctx;

	if (*columns == 0)
		*columns = row->n;
	if (row->n != *columns || row->n > CSV_MAX_COLUMNS || row->line < 1 || row->line > row->src->nlines)
		abort();
	for (uint32_t i = 0; i < row->n; i++) {
		struct span at = csv_field_span(row, i);

		if (row->field[i].n > CSV_MAX_FIELD || row->field[i].p[row->field[i].n] != '\0' ||
		    at.line < row->line)
			abort();
	}
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	struct diags d;
	struct buf out;
	uint32_t columns = 0;
	bool ok;

	arena_init(&a);
	diags_init(&d, &a);
	buf_init(&out);
	ok = csv_table_read(
		&a, &d,
		source_from_text(&a, "fuzz", (struct str){arena_strndup(&a, (const char *)data, size), size}),
		&columns, check_row, check_row);
	if (ok != (d.errors == 0))
		abort();
	for (uint32_t i = 0; i < d.msgs.n; i++)
		diag_print(&out, &d.msgs.v[i], false);
	buf_release(&out);
	arena_release(&a);
	return 0;
}
