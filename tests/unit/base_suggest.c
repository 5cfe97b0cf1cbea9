#include <criterion/criterion.h>

#include "suggest.h"

Test(suggest, closest)
{
	static const char *const words[] = {"plan", "disrupt", "catalog", "check", "explain"};
	static const struct {
		const char *word, *want;
	} rows[] = {
		{"pln", "plan"},
		{"paln", "plan"},
		{"PLAN", "plan"},
		{"catalogue", "catalog"},
		{"distrupt", "disrupt"},
		{"chekc", "check"},
		{"", ""},
		{"x", ""},
		{"simulate", ""},
		{"explode", ""},
		{"exlpain", "explain"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct suggest s;

		suggest_init(&s, str_of(rows[i].word));
		for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++)
			suggest_try(&s, str_of(words[k]));
		cr_assert(str_is(s.best, rows[i].want), "%s gives %.*s", rows[i].word, (int)s.best.n,
			  s.best.p);
	}
}
