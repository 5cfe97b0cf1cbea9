#include <criterion/criterion.h>

#include "re.h"

#define N(rows) (sizeof(rows) / sizeof((rows)[0]))

struct row {
	const char *pattern, *text;
	bool want;
};

Test(base_re, matches)
{
	static const struct row rows[] = {
		{"abc", "xabcx", true},
		{"^abc$", "xabc", false},
		{"^abc$", "abc\n", false},
		{"^$", "", true},
		{"^$", "a", false},
		{"a.c", "a\nc", false},
		{"a.c",
		 "a\xc3\xa9"
		 "c",
		 false},
		{"^a.+c$",
		 "a\xc3\xa9"
		 "c",
		 true},
		{"^(a|b)+$", "abba", true},
		{"^(a|b)+$", "", false},
		{"^(a||b)c$", "c", true},
		{"^(?:ab)?c$", "abc", true},
		{"^(?:ab)?c$", "ac", false},
		{"^a{3}$", "aaa", true},
		{"^a{3}$", "aaaa", false},
		{"^a{0,2}b$", "b", true},
		{"^a{0,2}b$", "aab", true},
		{"^a{0,2}b$", "aaab", false},
		{"^(ab|c){1,2}$", "abc", true},
		{"^(ab|c){1,2}$", "abcc", false},
		{"^([0-9]{1,2}%|x)$", "10%", true},
		{"^([0-9]{1,2}%|x)$", "100%", false},
		{"^[^/]*$", "a/b", false},
		{"^[^/]*$", "", true},
		{"^[-a-z0-9.]+$", "a-b.c", true},
		{"^[+-]{1}\\d+$", "-12", true},
		{"^\\d+\\s\\w+$", "12\tab_1", true},
		{"^\\d+\\s\\w+$", "12-ab", false},
		{"^a\\.b$", "axb", false},
		{"(^a$)|b", "xbx", true},
		{"^(a*)*$", "aaaa", true},
		{"^(([0-9]+(s|m|h))+|Never)$", "1h30m5s", true},
		{"^(([0-9]+(s|m|h))+|Never)$", "1h30", false},
	};
	struct arena a;

	arena_init(&a);
	for (size_t i = 0; i < N(rows); i++)
		cr_assert_eq(re_match(re_compile(&a, rows[i].pattern), str_of(rows[i].text)), rows[i].want,
			     "row %zu: %s on %s", i, rows[i].pattern, rows[i].text);
	arena_release(&a);
}

/* A pattern that backtracking matchers need exponential time for. */
Test(base_re, long_text)
{
	enum { SIZE = 200000 };
	struct arena a;
	char *text;

	arena_init(&a);
	text = ARENA_ARRAY(&a, char, SIZE + 1);
	memset(text, 'a', SIZE);
	cr_assert_not(re_match(re_compile(&a, "^(a+)+b$"), (struct str){text, SIZE}));
	text[SIZE - 1] = 'b';
	cr_assert(re_match(re_compile(&a, "^(a+)+b$"), (struct str){text, SIZE}));
	arena_release(&a);
}
