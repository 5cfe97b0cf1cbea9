#include <criterion/criterion.h>
#include <time.h>

#include "doc_fixture.h"

/*
 * Hostile inputs, made in memory. Each must be refused with its own message, and at once: the bound leaves
 * room for sanitizers, and what it guards against takes minutes.
 */

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void repeat(struct buf *b, const char *s, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		buf_adds(b, s);
}

/* before, n times unit, after. */
struct shape {
	const char *what;
	const char *before, *unit, *after;
	uint32_t n;
	const char *want; /* start of the first message */
};

static void check(const struct shape *row)
{
	struct doc_fixture f;
	struct buf text;
	double start = seconds(), took;
	const char *got;

	doc_fixture_init(&f);
	buf_init(&text);
	buf_adds(&text, row->before);
	repeat(&text, row->unit, row->n);
	buf_adds(&text, row->after);
	doc_fixture_read(&f, (struct str){text.p, text.n});
	got = doc_fixture_messages(&f);
	took = seconds() - start;
	cr_expect(str_starts(str_of(got), row->want), "%s: %.200s", row->what, got);
	cr_expect_lt(took, 10.0, "%s took %.1f s", row->what, took);
	buf_release(&text);
	doc_fixture_release(&f);
}

Test(doc_limits, depth)
{
	static const struct shape rows[] = {
		{"flow lists", "", "[", "", 200000, "1:65 KS0220 nested more than 64 deep"},
		{"closed flow lists", "", "[", "]", 200000, "1:65 KS0220 nested more than 64 deep"},
		{"flow maps", "", "{a: ", "", 200000, "1:257 KS0220 nested more than 64 deep"},
		{"block lists", "", "- ", "x", 200000, "1:129 KS0220 nested more than 64 deep"},
		{"complex keys", "", "? ", "x", 200000, "1:3 KS0210 a map key must be a string, not a map"},
		{"JSON lists, few", "", "[", "1]", 900, "1:65 KS0220 nested more than 64 deep"},
		{"JSON maps", "", "{\"a\":", "1", 200000, "1:321 KS0220 nested more than 64 deep"},
		{"as deep as allowed, not closed", "", "[", "", 64, "1:65 KS0204 not valid YAML"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(&rows[i]);
}

/* Aliases must not reach past the depth limit by standing at the bottom of one another. */
Test(doc_limits, depth_through_aliases)
{
	struct doc_fixture f;
	struct buf text;

	doc_fixture_init(&f);
	buf_init(&text);
	buf_adds(&text, "- &a0 [x]\n");
	for (int i = 1; i < 40; i++)
		buf_addf(&text, "- &a%d [[[*a%d]]]\n", i, i - 1);
	doc_fixture_read(&f, (struct str){text.p, text.n});
	cr_assert_str_eq(doc_fixture_messages(&f),
			 "22:11 KS0220 nested more than 64 deep through this alias");
	buf_release(&text);
	doc_fixture_release(&f);
}

Test(doc_limits, aliases)
{
	static const struct shape rows[] = {
		{"an alias many times", "a: &a [1,2,3,4,5,6,7,8,9]\nb: [", "*a,", "1]\n", 120000,
		 "2:300005 KS0225 aliases repeat more than 1000000 values"},
		{"a merge key many times",
		 "a: &a {b: 1, c: 2, d: 3, e: 4, f: 5, g: 6, h: 7, i: 8, j: 9}\nb:\n", "- <<: *a\n", "",
		 80000, "52634:7 KS0225 aliases repeat more than 1000000 values"},
	};
	struct doc_fixture f;
	struct buf text;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(&rows[i]);
	doc_fixture_init(&f);
	buf_init(&text);
	buf_adds(&text, "a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
	for (int i = 1; i < 10; i++) {
		buf_addf(&text, "a%d: &a%d [", i, i);
		for (int k = 0; k < 9; k++)
			buf_addf(&text, "%s*a%d", k ? "," : "", i - 1);
		buf_adds(&text, "]\n");
	}
	doc_fixture_read(&f, (struct str){text.p, text.n});
	cr_assert(str_starts(str_of(doc_fixture_messages(&f)), "7:"));
	cr_assert_not_null(
		strstr(doc_fixture_messages(&f), "KS0225 aliases repeat more than 1000000 values"));
	buf_release(&text);
	doc_fixture_release(&f);
}

Test(doc_limits, sizes)
{
	static const struct shape rows[] = {
		{"a long YAML value", "a: '", "0123456789abcdef", "'", (8 << 16) + 1,
		 "1:4 KS0223 a value of 8388624 bytes"},
		{"a long JSON value", "{\"a\": \"", "0123456789abcdef", "\"}", (8 << 16) + 1,
		 "1:7 KS0223 a value of 8388624 bytes"},
		{"a value as long as allowed", "a: '", "0123456789abcdef", "'", 8 << 16, ""},
		{"a long key", "? ", "x", "\n: 1\n", 1025, "1:3 KS0224 a key of 1025 bytes"},
		{"a long JSON key", "{\"", "x", "\": 1}", 1025, "1:2 KS0224 a key of 1025 bytes"},
		{"a JSON key as long as allowed", "{\"", "x", "\": 1}", 1024, ""},
		{"YAML documents", "", "---\na\n", "", 200001, "400002:1 KS0222 more than 200000 documents"},
		{"JSON documents", "", "[]", "", 200001, "1:400001 KS0222 more than 200000 documents"},
		{"bad documents", "", "---\n]\n", "", 200001, "2:1 KS0204 not valid YAML"},
		{"duplicate keys", "{", "a: 1,", "}", 5000, "1:5007 KS0226 more than 1000 duplicate keys"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(&rows[i]);
}

/* No limit strikes here; what could cost time that grows with a square must not. */
Test(doc_limits, time)
{
	static const struct shape rows[] = {
		{"anchors", "[", "&a 1,", "*a]", 100000, ""},
		{"tag directives", "", "%TAG !a! x\n", "---\n", 200000, "1:1 KS0207"},
		{"tag directives after other line ends", "", "\xe2\x80\xa8%TAG !a! x", "", 100000,
		 "1:4 KS0207"},
		{"tag directives after a document", "a\n...\n", "%TAG !a! x\n", "", 100000, "3:1 KS0208"},
		{"a long line of wide letters", "[", "\xc3\xa9,", "]", 300000, ""},
		{"comments", "", "# c\n", "", 500000, ""},
		{"open braces of a template", "", "{{", "", 100000, "1:2 KS0210"},
		{"colons", "a", ": ", "", 100000, "1:4 KS0204"},
		{"no end of JSON", "", "{\"a\":1}\n{", "", 1, "2:2 KS0205"},
		{"strings that never end", "", "{\"a\n---\n", "", 20000, "1:4 KS0205"},
	};
	struct doc_fixture f;
	struct buf text;
	double start = seconds();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(&rows[i]);
	doc_fixture_init(&f);
	buf_init(&text);
	for (int i = 0; i < 200000; i++)
		buf_addf(&text, "k%d: &a%d %d\n", i, i, i);
	cr_assert(doc_fixture_read(&f, (struct str){text.p, text.n}));
	cr_assert_eq(f.docs.v.v[0].root->n, 200000);
	cr_assert_lt(seconds() - start, 60.0);
	buf_release(&text);
	doc_fixture_release(&f);
}

/* The count goes over all documents and sources of a run. */
Test(doc_limits, nodes)
{
	struct doc_fixture f;

	doc_fixture_init(&f);
	f.docs.nodes = DOC_MAX_NODES - 3;
	cr_assert(doc_fixture_read(&f, STR_LIT("a: 1\n")));
	cr_assert_eq(f.docs.nodes, DOC_MAX_NODES - 1);
	cr_assert_not(doc_fixture_read(&f, STR_LIT("a: 1\n")));
	cr_assert_str_eq(doc_fixture_messages(&f), "1:4 KS0221 more than 8000000 values in the input");
	f.docs.nodes = DOC_MAX_NODES - 3;
	cr_assert_not(doc_fixture_read(&f, STR_LIT("a: &a 1\nb: *a\nc: *a\n")), "an alias counts");
	doc_fixture_release(&f);
}
