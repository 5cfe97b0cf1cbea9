#include <criterion/criterion.h>

#include "csv_table.h"

struct reading {
	struct buf out;
	uint32_t stop; /* at this row; 0 for never */
	uint32_t rows;
};

static void add_row(struct reading *r, const struct csv_row *row)
{
	buf_addf(&r->out, "%u:", row->line);
	for (uint32_t i = 0; i < row->n; i++) {
		struct span at = csv_field_span(row, i);

		cr_assert_eq(row->field[i].p[row->field[i].n], '\0');
		buf_addf(&r->out, " <%s>@%u:%u+%u", row->field[i].p, at.line, at.col, at.len);
	}
	buf_adds(&r->out, "|");
}

static bool on_header(void *ctx, const struct csv_row *row)
{
	add_row(ctx, row);
	return true;
}

static bool on_row(void *ctx, const struct csv_row *row)
{
	struct reading *r = ctx;

	add_row(r, row);
	return ++r->rows != r->stop;
}

static bool read_text(struct reading *r, struct diags *d, struct arena *a, struct str text)
{
	const char *copy = arena_strndup(a, text.p, text.n);

	buf_clear(&r->out);
	r->rows = 0;
	return csv_table_read(a, d, source_from_text(a, "x", (struct str){copy, text.n}), r, on_header,
			      on_row);
}

Test(csv_table, rows)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"a,b\n1,2\n", "1: <a>@1:1+1 <b>@1:3+1|2: <1>@2:1+1 <2>@2:3+1|"},
		{"a,b\r\n1,2\r\n", "1: <a>@1:1+1 <b>@1:3+1|2: <1>@2:1+1 <2>@2:3+1|"},
		{"a,b\n1,2", "1: <a>@1:1+1 <b>@1:3+1|2: <1>@2:1+1 <2>@2:3+1|"},
		{"\xef\xbb\xbf"
		 "a\n1\n",
		 "1: <a>@1:4+1|2: <1>@2:1+1|"},
		{"a,b\n,\n", "1: <a>@1:1+1 <b>@1:3+1|2: <>@2:1+0 <>@2:2+0|"},
		{"a,b\n\"x,\"\"y\"\"\",2\n", "1: <a>@1:1+1 <b>@1:3+1|2: <x,\"y\">@2:1+9 <2>@2:11+1|"},
		{"a,b\n\n  \n\"x\ny\",2\n3,4\n",
		 "1: <a>@1:1+1 <b>@1:3+1|4: <x\ny>@4:1+5 <2>@5:4+1|6: <3>@6:1+1 <4>@6:3+1|"},
		{"a, b \n 1 ,2\n", "1: <a>@1:1+1 <b>@1:3+3|2: <1>@2:1+3 <2>@2:5+1|"},
		{"\n\na\n1\n", "3: <a>@3:1+1|4: <1>@4:1+1|"},
		{"a\n", "1: <a>@1:1+1|"},
	};
	struct arena a;
	struct diags d;
	struct reading r = {0};

	arena_init(&a);
	diags_init(&d, &a);
	buf_init(&r.out);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_expect(read_text(&r, &d, &a, str_of(rows[i].text)), "%s", rows[i].text);
		cr_expect_str_eq(buf_cstr(&r.out), rows[i].want, "%s gives %s", rows[i].text,
				 buf_cstr(&r.out));
	}
	cr_assert_eq(d.msgs.n, 0);
	r.stop = 2;
	cr_assert_not(read_text(&r, &d, &a, STR_LIT("a\n1\n2\n3\n")), "the caller stopped");
	cr_assert_eq(r.rows, 2);
	cr_assert_eq(d.msgs.n, 0, "which is no error");
	buf_release(&r.out);
	arena_release(&a);
}

/* A text that may hold NUL, as an initializer. */
#define T(s)                       \
	{                          \
		(s), sizeof(s) - 1 \
	}

Test(csv_table, errors)
{
	static const struct {
		struct str text;
		const char *want;
	} rows[] = {
		{T(""), "0:0 no header row: the file is empty"},
		{T("\n \n"), "0:0 no header row: the file is empty"},
		{T("a,b\n1\n"), "2:1 1 field in this row, but 2 in the header"},
		{T("a,b\n1,2\n\n1,2,3\n"), "4:5 3 fields in this row, but 2 in the header"},
		{T("a,b,a\n"), "1:5 two columns are named 'a'"},
		{T("a,,b\n"), "1:3 column 2 has no name"},
		{T("a,b\n1,x\"y\n"), "2:4 a quote in the wrong place"},
		{T("a,b\n1,\"x\"y\n"), "2:6 a quote in the wrong place"},
		{T("a,b\n1,2\n3,\"x\n4,5\n"), "3:1 a quote is left open in the row that starts here"},
		{T("a,b\n1,\0\n"), "2:3 NUL character in the text (byte 0x00)"},
		{T("a,b\n1,\xe9\n"), "2:3 invalid UTF-8 in the text (byte 0xe9)"},
		{T("\xff\xfe"
		   "a\0"),
		 "0:0 the file is UTF-16; catalogue files are UTF-8"},
	};
	struct arena a;
	struct reading r = {0};

	arena_init(&a);
	buf_init(&r.out);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct diags d;

		diags_init(&d, &a);
		cr_expect_not(read_text(&r, &d, &a, rows[i].text), "%s", rows[i].text.p);
		cr_assert_eq(d.msgs.n, 1);
		buf_clear(&r.out);
		buf_addf(&r.out, "%u:%u %s", d.msgs.v[0].span.line, d.msgs.v[0].span.col, d.msgs.v[0].text);
		cr_expect_str_eq(buf_cstr(&r.out), rows[i].want, "%s gives %s", rows[i].text.p,
				 buf_cstr(&r.out));
	}
	buf_release(&r.out);
	arena_release(&a);
}

Test(csv_table, limits)
{
	static const struct {
		const char *before, *unit;
		uint32_t n;
		const char *want; /* NULL: no error */
	} rows[] = {
		{"a\n", "x", CSV_MAX_FIELD, NULL},
		{"a\n", "x", CSV_MAX_FIELD + 1, "a field of 65537 bytes; at most 65536 are allowed"},
		{"a", ",b", 128, "more than 128 columns"},
		{"a\n\"", "xxxxxxx\n", 200000, "a row of more than 1048576 bytes; is a quote left open?"},
		{"a\n", "\n", 1000000, NULL},
	};
	struct arena a;
	struct reading r = {0};

	arena_init(&a);
	buf_init(&r.out);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct diags d;
		struct buf text;

		diags_init(&d, &a);
		buf_init(&text);
		buf_adds(&text, rows[i].before);
		for (uint32_t k = 0; k < rows[i].n; k++)
			buf_adds(&text, rows[i].unit);
		cr_expect_eq(read_text(&r, &d, &a, (struct str){text.p, text.n}), !rows[i].want, "row %zu",
			     i);
		if (rows[i].want) {
			cr_assert_eq(d.msgs.n, 1);
			cr_expect_str_eq(d.msgs.v[0].text, rows[i].want);
		}
		buf_release(&text);
	}
	buf_release(&r.out);
	arena_release(&a);
}
