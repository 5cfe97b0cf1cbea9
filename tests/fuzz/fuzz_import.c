/* What the AWS CLI printed: any bytes give messages, or five CSV files that the reader of catalogues takes
 * for its own. */
#include "catalog_import.h"
#include "csv_table.h"
#include "fuzz.h"
#include "label.h"

static bool count_row(void *ctx, const struct csv_row *row)
{
	uint32_t *rows = ctx;

	*rows += row->n > 0;
	return true;
}

/* What was written can be read again as a table. */
static void reread(struct arena *a, const struct buf *text)
{
	struct arena scratch;
	struct diags d;
	uint32_t rows = 0;

	arena_init(&scratch);
	diags_init(&d, a);
	if (!csv_table_read(&scratch, &d, source_from_text(a, "written", (struct str){text->p, text->n}),
			    &rows, count_row, count_row) ||
	    rows == 0)
		abort();
	arena_release(&scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	struct diags d;
	struct intern in;
	struct docs docs = {0};
	struct catalog_import im;
	struct buf file[CATALOG_FILES_];
	struct str text;

	arena_init(&a);
	intern_init(&in, &a);
	labels_init(&in);
	diags_init(&d, &a);
	text = (struct str){arena_strndup(&a, (const char *)data, size), size};
	doc_read(&a, &d, source_from_text(&a, "fuzz", text), &docs);
	catalog_import_init(&im, &a, &d, &in, SID_NONE);
	for (uint32_t i = 0; i < docs.v.n; i++)
		catalog_import_doc(&im, &docs.v.v[i]);
	for (unsigned i = 0; i < CATALOG_FILES_; i++)
		buf_init(&file[i]);
	catalog_import_finish(&im, file);
	for (unsigned i = 0; i < CATALOG_FILES_; i++) {
		reread(&a, &file[i]);
		buf_release(&file[i]);
	}
	arena_release(&a);
	return 0;
}
