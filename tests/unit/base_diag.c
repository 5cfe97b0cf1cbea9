#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

#include "diag.h"
#include "file.h"

struct fixture {
	struct arena a;
	struct diags d;
	struct buf out;
};

static void setup(struct fixture *f)
{
	arena_init(&f->a);
	diags_init(&f->d, &f->a);
	buf_init(&f->out);
}

static void teardown(struct fixture *f)
{
	buf_release(&f->out);
	arena_release(&f->a);
}

static const char *print_all(struct fixture *f, bool colour)
{
	buf_clear(&f->out);
	for (uint32_t i = 0; i < f->d.msgs.n; i++)
		diag_print(&f->out, &f->d.msgs.v[i], colour);
	return buf_cstr(&f->out);
}

Test(diag, table)
{
	uint32_t n;
	const struct diag_info *row = diag_table(&n);

	for (uint32_t i = 0; i < n; i++) {
		if (i)
			cr_assert_gt(row[i].code, row[i - 1].code, "%s is out of order", row[i].slug);
		cr_assert_eq(diag_lookup(row[i].code), &row[i]);
		cr_assert(row[i].summary[0] && row[i].explanation[0], "%s has no text", row[i].slug);
	}
}

Test(diag, print)
{
	struct fixture f;
	const struct source *src;

	setup(&f);
	src = source_from_text(&f.a, "x.yaml", STR_LIT("one: 1\n\t\x01two: \xc3\xa9 3\r\n"));
	diag(&f.d, KS_YAML_SYNTAX, (struct span){src, 2, 3, 3}, "a %s", "thing");
	diag_hint(&f.d, "do %d", 7);
	diag_note(&f.d, (struct span){src, 1, 1, 0}, "there");
	diag(&f.d, KS_KEY_DUPLICATE, (struct span){src, 2, 11, 0}, "w");
	diag(&f.d, KS_FILE_OPEN, SPAN_NONE, "nowhere");
	cr_assert_str_eq(print_all(&f, false), "x.yaml:2:3: error: a thing [KS0204]\n"
					       "   ?two: \xc3\xa9 3\n"
					       "    ^~~\n"
					       "  hint: do 7\n"
					       "x.yaml:1:1: note: there\n"
					       "  one: 1\n"
					       "  ^\n"
					       "x.yaml:2:11: warning: w [KS0209]\n"
					       "   ?two: \xc3\xa9 3\n"
					       "           ^\n"
					       "kspot: error: nowhere [KS0101]\n");
	cr_assert_eq(f.d.errors, 2);
	cr_assert_eq(f.d.warnings, 1);
	cr_assert_not_null(strstr(print_all(&f, true), "\033[1;31merror:\033[0m a thing"));
	teardown(&f);
}

/* A long line is cut to 100 bytes around the column. */
Test(diag, long_line)
{
	struct fixture f;
	char text[2001];

	setup(&f);
	memset(text, 'a', 2000);
	text[1499] = 'B';
	text[2000] = '\0';
	diag(&f.d, KS_YAML_SYNTAX, (struct span){source_from_text(&f.a, "x", str_of(text)), 1, 1500, 0}, "m");
	char *line = strchr(print_all(&f, false), '\n') + 1;

	cr_assert_eq(strcspn(line, "\n"), 102);
	cr_assert_eq(strchr(line, '^') - strchr(line, '\n') - 1, strchr(line, 'B') - line);
	teardown(&f);
}

Test(diag, cap)
{
	struct fixture f;

	setup(&f);
	for (int i = 0; i < DIAG_MAX_ERRORS + 5; i++) {
		diag(&f.d, KS_YAML_SYNTAX, SPAN_NONE, "error %d", i);
		diag_hint(&f.d, "hint %d", i);
	}
	cr_assert_eq(f.d.errors, DIAG_MAX_ERRORS + 5);
	cr_assert_eq(f.d.msgs.n, DIAG_MAX_ERRORS);
	cr_assert_str_eq(f.d.msgs.v[DIAG_MAX_ERRORS - 1].hint, "hint 19",
			 "a hint of a dropped error goes nowhere");
	diag(&f.d, KS_KEY_DUPLICATE, SPAN_NONE, "warnings are kept");
	cr_assert_eq(f.d.msgs.n, DIAG_MAX_ERRORS + 1);
	teardown(&f);
}

Test(source, lines)
{
	static const struct {
		const char *text;
		uint32_t nlines;
		size_t off;
		uint32_t line, col;
		const char *shown;
	} rows[] = {
		{"", 1, 0, 1, 1, ""},        {"abc", 1, 2, 1, 3, "abc"},        {"a\nbc\n", 3, 3, 2, 2, "bc"},
		{"a\nbc\n", 3, 5, 3, 1, ""}, {"a\r\nbc\r\n", 3, 4, 2, 2, "bc"}, {"\n\n\n", 4, 1, 2, 1, ""},
	};
	struct arena a;

	arena_init(&a);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct source *s = source_from_text(&a, "x", str_of(rows[i].text));
		uint32_t line, col;

		source_locate(s, rows[i].off, &line, &col);
		cr_assert_eq(s->nlines, rows[i].nlines, "row %zu: %u lines", i, s->nlines);
		cr_assert_eq(line, rows[i].line, "row %zu: line %u", i, line);
		cr_assert_eq(col, rows[i].col, "row %zu: column %u", i, col);
		cr_assert(str_is(source_line(s, line), rows[i].shown), "row %zu", i);
	}
	cr_assert_eq(source_line(source_from_text(&a, "x", STR_LIT("a")), 7).n, 0);
	arena_release(&a);
}

Test(source, read)
{
	static const struct {
		const char *bytes;
		size_t n;
		const char *want;
		size_t want_n;
	} rows[] = {
		{"plain", 5, "plain", 5},
		{"", 0, "", 0},
		{"\xff\xfe"
		 "a\0\xe9\0\xac\x20\x3d\xd8\x00\xde",
		 12, "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 10},
		{"\xfe\xff\0a\0\n", 6, "a\n", 2},
		/* Half a surrogate pair is no UTF-16: the bytes stay, for the reader to refuse. */
		{"\xff\xfe\x3d\xd8", 4, "\xff\xfe\x3d\xd8", 4},
		{"\xff\xfe\x3d", 3, "\xff\xfe\x3d", 3},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture f;
		char path[] = "/tmp/kspot-test-XXXXXX";
		int fd = mkstemp(path);

		setup(&f);
		cr_assert_geq(fd, 0);
		cr_assert_eq(write(fd, rows[i].bytes, rows[i].n), (ssize_t)rows[i].n);
		close(fd);
		const struct source *s = source_read(&f.a, &f.d, path);

		unlink(path);
		cr_assert_not_null(s);
		cr_assert_eq(s->text.n, rows[i].want_n, "row %zu: %zu bytes", i, s->text.n);
		cr_assert_eq(memcmp(s->text.p, rows[i].want, s->text.n), 0, "row %zu", i);
		cr_assert_eq(s->text.p[s->text.n], '\0');
		teardown(&f);
	}
}

Test(source, unreadable)
{
	struct fixture f;

	setup(&f);
	cr_assert_null(source_read(&f.a, &f.d, "/nowhere/x.yaml"));
	cr_assert_null(source_read(&f.a, &f.d, "/"));
	cr_assert_str_eq(print_all(&f, false),
			 "kspot: error: cannot open '/nowhere/x.yaml': No such file or directory [KS0101]\n"
			 "kspot: error: cannot read '/': Is a directory [KS0102]\n");
	teardown(&f);
}
