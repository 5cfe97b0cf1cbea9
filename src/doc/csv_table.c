/*
 * The CSV reader. libcsv gets one physical line at a call, which is how rows and errors come by their line
 * numbers; it has none itself. Fields are copied once, because libcsv's buffer lives for one field only.
 */
#include "csv_table.h"

#include <csv.h>
#include <string.h>

#include "doc_text.h"

#define MAX_ROW (1u << 20) /* bytes; a quote left open would otherwise swallow the file */

struct table {
	struct csv_parser parser;
	struct diags *d;
	void *ctx;
	csv_header_fn header;
	csv_row_fn row;
	struct buf text; /* of the fields of this row, each with a NUL after it */
	size_t start[CSV_MAX_COLUMNS], len[CSV_MAX_COLUMNS];
	struct str field[CSV_MAX_COLUMNS];
	struct csv_row now;
	size_t row_off;    /* where this row starts */
	uint32_t ncolumns; /* of the header, 0 before it */
	bool in_row;
	bool failed, stopped;
};

static bool fail(struct table *t)
{
	t->failed = true;
	return false;
}

static void take_field(void *text, size_t len, void *ctx)
{
	struct table *t = ctx;

	if (t->failed || t->stopped)
		return;
	if (t->now.n == CSV_MAX_COLUMNS) {
		diag(t->d, KS_CSV_LIMIT, csv_field_span(&t->now, t->now.n), "more than %d columns",
		     CSV_MAX_COLUMNS);
		fail(t);
		return;
	}
	if (len > CSV_MAX_FIELD) {
		diag(t->d, KS_CSV_LIMIT, csv_field_span(&t->now, t->now.n),
		     "a field of %zu bytes; at most %u are allowed", len, CSV_MAX_FIELD);
		fail(t);
		return;
	}
	t->start[t->now.n] = t->text.n;
	t->len[t->now.n++] = len;
	buf_add(&t->text, text, len);
	buf_addch(&t->text, '\0');
}

static bool check_header(struct table *t)
{
	const struct csv_row *h = &t->now;

	for (uint32_t i = 0; i < h->n; i++) {
		if (h->field[i].n == 0) {
			diag(t->d, KS_CSV_HEADER, csv_field_span(h, i), "column %u has no name", i + 1);
			return fail(t);
		}
		for (uint32_t k = 0; k < i; k++) {
			if (!str_eq(h->field[i], h->field[k]))
				continue;
			diag(t->d, KS_CSV_HEADER, csv_field_span(h, i), "two columns are named '%s'",
			     h->field[i].p);
			return fail(t);
		}
	}
	t->ncolumns = h->n;
	return true;
}

static void finish_row(struct table *t)
{
	for (uint32_t i = 0; i < t->now.n; i++)
		t->field[i] = (struct str){t->text.p + t->start[i], t->len[i]};
	if (!t->ncolumns) {
		if (check_header(t))
			t->stopped = !t->header(t->ctx, &t->now);
	} else if (t->now.n != t->ncolumns) {
		diag(t->d, KS_CSV_FIELDS,
		     csv_field_span(&t->now, t->now.n < t->ncolumns ? t->now.n - 1 : t->ncolumns),
		     "%u field%s in this row, but %u in the header", t->now.n, t->now.n == 1 ? "" : "s",
		     t->ncolumns);
		fail(t);
	} else {
		t->stopped = !t->row(t->ctx, &t->now);
	}
}

static void take_row(int end, void *ctx)
{
	struct table *t = ctx;

	(void)end;
	if (!t->failed && !t->stopped)
		finish_row(t);
	t->now.n = 0;
	t->text.n = 0;
	t->in_row = false;
}

static bool syntax_error(struct table *t, size_t off)
{
	struct span at = {.src = t->now.src};

	source_locate(at.src, off, &at.line, &at.col);
	diag(t->d, KS_CSV_SYNTAX, at, "a quote in the wrong place");
	diag_hint(t->d, "put the whole field in quotes and double each quote inside it");
	return fail(t);
}

static bool is_blank(const char *p, size_t n)
{
	while (n && strchr(" \t\r\n", p[n - 1]))
		n--;
	return n == 0;
}

/* Feeds text[off, end), one line. */
static bool feed(struct table *t, uint32_t line, size_t off, size_t end)
{
	const struct source *src = t->now.src;
	size_t done;

	if (!t->in_row) {
		if (is_blank(src->text.p + off, end - off))
			return true;
		t->in_row = true;
		t->now.line = line;
		t->row_off = off;
	}
	if (end - t->row_off > MAX_ROW) {
		diag(t->d, KS_CSV_LIMIT, (struct span){src, t->now.line, 1, 0},
		     "a row of more than %u bytes; is a quote left open?", MAX_ROW);
		return fail(t);
	}
	done = csv_parse(&t->parser, src->text.p + off, end - off, take_field, take_row, t);
	if (t->failed || t->stopped)
		return false;
	if (done == end - off)
		return true;
	if (csv_error(&t->parser) == CSV_ENOMEM)
		ks_out_of_memory();
	return syntax_error(t, off + done);
}

static void read_rows(struct table *t)
{
	const struct source *src = t->now.src;

	for (uint32_t line = 1; line <= src->nlines; line++) {
		size_t off = src->line_start[line - 1] + (line == 1 ? text_bom(src->text) : 0);
		size_t end = line < src->nlines ? src->line_start[line] : src->text.n;

		if (!feed(t, line, off, end))
			return;
	}
	if (csv_fini(&t->parser, take_field, take_row, t) != 0 && !t->failed && !t->stopped) {
		if (csv_error(&t->parser) == CSV_ENOMEM)
			ks_out_of_memory();
		diag(t->d, KS_CSV_SYNTAX, (struct span){src, t->now.line, 1, 0},
		     "a quote is left open in the row that starts here");
		fail(t);
	}
	if (!t->failed && !t->stopped && !t->ncolumns) {
		diag(t->d, KS_CSV_HEADER, (struct span){.src = src}, "no header row: the file is empty");
		fail(t);
	}
}

static bool check_text(struct diags *d, const struct source *src)
{
	const struct text_fault *fault;
	struct span at = {.src = src};
	size_t bad = text_check(src, 0, src->text.n, false, &fault);

	if (!fault)
		return true;
	if (text_is_utf16(src->text)) {
		diag(d, KS_TEXT_UTF16, at, "the file is UTF-16; catalogue files are UTF-8");
		return false;
	}
	source_locate(src, bad, &at.line, &at.col);
	diag(d, fault->code, at, "%s in the text (byte 0x%02x)", fault->text,
	     (unsigned)(unsigned char)src->text.p[bad]);
	return false;
}

bool csv_table_read(struct arena *scratch, struct diags *d, const struct source *src, void *ctx,
		    csv_header_fn header, csv_row_fn row)
{
	struct table *t;
	bool ok;

	if (!check_text(d, src))
		return false;
	t = ARENA_NEW(scratch, struct table);
	t->d = d;
	t->ctx = ctx;
	t->header = header;
	t->row = row;
	t->now.src = src;
	t->now.field = t->field;
	buf_init(&t->text);
	if (csv_init(&t->parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) != 0)
		ks_out_of_memory();
	csv_set_blk_size(&t->parser, 64u << 10);
	read_rows(t);
	ok = !t->failed && !t->stopped;
	csv_free(&t->parser);
	buf_release(&t->text);
	return ok;
}

struct span csv_field_span(const struct csv_row *row, uint32_t i)
{
	struct str text = row->src->text;
	size_t off = row->src->line_start[row->line - 1], from;
	struct span at = {.src = row->src};
	bool quoted = false;

	off += row->line == 1 ? text_bom(text) : 0;
	for (; i && off < text.n; off++) {
		quoted ^= text.p[off] == '"';
		i -= text.p[off] == ',' && !quoted;
		if (text.p[off] == '\n' && !quoted)
			break;
	}
	from = off;
	for (; off < text.n && (quoted || !strchr(",\r\n", text.p[off])); off++)
		quoted ^= text.p[off] == '"';
	source_locate(row->src, from, &at.line, &at.col);
	at.len = (uint32_t)(off - from);
	return at;
}
