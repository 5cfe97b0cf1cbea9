#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>

#include "arena.h"
#include "bits.h"
#include "buf.h"
#include "intern.h"
#include "vec.h"

Test(arena, alloc)
{
	static const size_t sizes[] = {0, 1, 15, 16, 17, 4096, 40000, 3u << 20};
	struct arena a;

	arena_init(&a);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char *p = arena_alloc(&a, sizes[i], 1), *q = arena_alloc(&a, 1, sizes[i]);

		cr_assert_neq(p, q);
		cr_assert_eq((uintptr_t)p % 16, 0, "%zu bytes are not aligned", sizes[i]);
		for (size_t k = 0; k < sizes[i]; k++)
			cr_assert_eq(p[k], 0, "byte %zu of %zu is not zero", k, sizes[i]);
		memset(p, 0xff, sizes[i]);
		memset(q, 0xff, sizes[i]);
	}
	cr_assert_geq(a.held, a.used);
	cr_assert_str_eq(arena_printf(&a, "%s-%d", "x", 7), "x-7");
	cr_assert_str_eq(arena_strndup(&a, "abcdef", 3), "abc");
	cr_assert_arr_eq(arena_memdup(&a, sizes, 3, sizeof(sizes[0])), sizes, 3 * sizeof(sizes[0]));
	arena_release(&a);
	cr_assert_eq(a.held, 0);
}

Test(arena, rewind_gives_back)
{
	struct arena a;

	arena_init(&a);
	char *kept = arena_strndup(&a, "kept", 4);
	struct arena_mark m = arena_mark(&a);
	size_t total = a.total, held = a.held;
	char *first = arena_alloc(&a, 100, 1);

	memset(first, 0xff, 100);
	for (int i = 0; i < 100; i++)
		arena_alloc(&a, 10000, 1);
	arena_rewind(&a, m);
	cr_assert_eq(a.total, total);
	cr_assert_eq(a.held, held, "blocks opened after the mark are freed");
	cr_assert_str_eq(kept, "kept");
	char *again = arena_alloc(&a, 100, 1);

	cr_assert_eq(again, first, "the space is used again");
	for (int i = 0; i < 100; i++)
		cr_assert_eq(again[i], 0, "and is zeroed again");
	arena_release(&a);
}

Test(vec, grows)
{
	struct arena a;
	VEC(uint32_t) v = {0};

	arena_init(&a);
	for (uint32_t i = 0; i < 1000; i++)
		VEC_PUSH(&a, &v, i * 3);
	cr_assert_eq(v.n, 1000);
	for (uint32_t i = 0; i < 1000; i++)
		cr_assert_eq(v.v[i], i * 3);
	VEC_RESERVE(&a, &v, 5000);
	cr_assert_geq(v.cap, 6000);
	cr_assert_eq(v.v[999], 2997);
	arena_release(&a);
}

Test(intern, ids)
{
	struct arena a;
	struct intern in;
	char text[16];

	arena_init(&a);
	intern_init(&in, &a);
	cr_assert_eq(intern_cstr(&in, ""), SID_EMPTY);
	for (uint32_t i = 1; i <= 5000; i++) {
		snprintf(text, sizeof(text), "name-%u", i);
		cr_assert_eq(intern_find(&in, str_of(text)), SID_NONE);
		cr_assert_eq(intern_cstr(&in, text), i, "ids are dense");
	}
	for (uint32_t i = 1; i <= 5000; i++) {
		snprintf(text, sizeof(text), "name-%u", i);
		cr_assert_eq(intern_find(&in, str_of(text)), i);
		cr_assert_str_eq(intern_c(&in, i), text);
	}
	cr_assert_eq(intern_put(&in, (struct str){"a\0b", 3}), 5001);
	cr_assert_eq(intern_put(&in, (struct str){"a\0c", 3}), 5002);
	cr_assert_str_eq(intern_c(&in, SID_NONE), "");
	arena_release(&a);
}

Test(intern, order)
{
	static const char *const names[] = {"b", "a", "ab", "B", "\xc3\xa9", "", "a-", "a0"};
	static const char *const want[] = {"", "B", "a", "a-", "a0", "ab", "b", "\xc3\xa9"};
	struct arena a;
	struct intern in;
	sid v[8];

	arena_init(&a);
	intern_init(&in, &a);
	for (size_t i = 0; i < 8; i++)
		v[i] = intern_cstr(&in, names[i]);
	intern_sort(&in, v, 8);
	for (size_t i = 0; i < 8; i++)
		cr_assert_str_eq(intern_c(&in, v[i]), want[i]);
	arena_release(&a);
}

Test(bits, words)
{
	static const uint32_t set[] = {0, 1, 63, 64, 127, 190};
	uint64_t w[3] = {0};
	size_t k = 0;

	cr_assert_not(bits_any(w, 3));
	for (size_t i = 0; i < 6; i++)
		bits_set(w, set[i]);
	BITS_EACH (i, w, 3) {
		cr_assert_eq(i, set[k]);
		k++;
	}
	cr_assert_eq(k, 6);
	cr_assert_eq(bits_count(w, 3), 6);
	cr_assert_eq(bits_next(w, 3, 65), 127);
	cr_assert_eq(bits_next(w, 3, 191), UINT32_MAX);
	cr_assert_eq(bits_next(w, 3, 192), UINT32_MAX);
	bits_clear(w, 64);
	cr_assert_not(bits_test(w, 64));
	cr_assert(bits_test(w, 63));
	cr_assert_eq(BITS_WORDS(64), 1);
	cr_assert_eq(BITS_WORDS(65), 2);
}

Test(buf, add)
{
	struct buf b;

	buf_init(&b);
	cr_assert_str_eq(buf_cstr(&b), "");
	buf_adds(&b, "a");
	buf_addf(&b, "%03d", 7);
	buf_pad(&b, '.', 3);
	buf_addstr(&b, STR_LIT("z"));
	buf_addch(&b, '!');
	cr_assert_str_eq(buf_cstr(&b), "a007...z!");
	buf_clear(&b);
	for (int i = 0; i < 10000; i++)
		buf_addch(&b, 'x');
	cr_assert_eq(strlen(buf_cstr(&b)), 10000);
	buf_release(&b);
}

/* The shortest text that reads back as the same double. */
Test(buf, doubles)
{
	static const struct {
		double v;
		const char *want;
	} rows[] = {
		{0, "0"},
		{0.1, "0.1"},
		{0.08960000000000001, "0.08960000000000001"},
		{1.0 / 3, "0.3333333333333333"},
		{12345.678, "12345.678"},
		{-2.5, "-2.5"},
		{5e-324, "5e-324"},
		{20, "20"},
		{-123000, "-123000"},
		{1e15, "1e+15"},
	};
	struct buf b;

	buf_init(&b);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		buf_clear(&b);
		buf_add_double(&b, rows[i].v);
		cr_assert_str_eq(buf_cstr(&b), rows[i].want);
	}
	buf_release(&b);
}

Test(str, compare)
{
	static const struct {
		const char *a, *b;
		int want;
	} rows[] = {{"", "", 0},    {"a", "a", 0},    {"a", "b", -1}, {"a", "ab", -1},
		    {"b", "ab", 1}, {"\xff", "a", 1}, {"A", "a", -1}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int c = str_cmp(str_of(rows[i].a), str_of(rows[i].b));

		cr_assert_eq((c > 0) - (c < 0), rows[i].want, "'%s' and '%s'", rows[i].a, rows[i].b);
	}
	cr_assert(str_starts(STR_LIT("abc"), "ab"));
	cr_assert_not(str_starts(STR_LIT("a"), "ab"));
	cr_assert(str_ends(STR_LIT("abc"), "bc"));
	cr_assert_not(str_ends(STR_LIT("c"), "bc"));
}
