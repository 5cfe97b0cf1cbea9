#include <criterion/criterion.h>

#include "cron.h"

#define N(rows) (sizeof(rows) / sizeof((rows)[0]))

Test(base_cron, errors)
{
	static const struct {
		const char *spec, *want; /* NULL: none */
	} rows[] = {
		{"0 9 * * 1-5", NULL},
		{" */15  0,12 ? JAN-mar sun ", NULL},
		{"@hourly", NULL},
		{"@every 90m", NULL},
		{"5/10 * * * *", NULL},
		{"", "expected exactly 5 fields, found 0: []"},
		{"1 2 3", "expected exactly 5 fields, found 3: [1 2 3]"},
		{"61 * * * *", "end of range (61) above maximum (59): 61"},
		{"* * 0 * *", "beginning of range (0) below minimum (1): 0"},
		{"9-3 * * * *", "beginning of range (9) beyond end of range (3): 9-3"},
		{"*/0 * * * *", "step of range should be a positive number: */0"},
		{"1-2-3 * * * *", "too many hyphens: 1-2-3"},
		{"1/2/3 * * * *", "too many slashes: 1/2/3"},
		{"x * * * *", "failed to parse int from x: strconv.Atoi: parsing \"x\": invalid syntax"},
		{"99999999999999999999 * * * *",
		 "failed to parse int from 99999999999999999999: strconv.Atoi: parsing "
		 "\"99999999999999999999\": value out of range"},
		{"@fortnightly", "unrecognized descriptor: @fortnightly"},
		{"@every week", "failed to parse duration @every week: time: invalid duration \"week\""},
	};
	struct arena a;

	arena_init(&a);
	for (size_t i = 0; i < N(rows); i++) {
		struct cron c;
		const char *got = cron_parse(&a, str_of(rows[i].spec), &c);

		if (rows[i].want)
			cr_assert_str_eq(got, rows[i].want, "row %zu: %s", i, got);
		else
			cr_assert_null(got, "row %zu: %s", i, got);
	}
	arena_release(&a);
}

/* 1767225600 is 2026-01-01T00:00:00Z, a Thursday. */
Test(base_cron, next)
{
	static const struct {
		const char *spec;
		int64_t from, want;
		bool fires;
	} rows[] = {
		{"* * * * *", 1767225600, 1767225660, true},
		{"* * * * *", 1767225659, 1767225660, true},
		{"0 9 * * *", 1767225600, 1767225600 + 9 * 3600, true},
		{"0 0 * * *", 1767225600, 1767225600 + 86400, true},
		{"30 8 * * mon", 1767225600, 1767225600 + 4 * 86400 + 8 * 3600 + 30 * 60, true},
		{"0 0 15 * *", 1767225600, 1767225600 + 14 * 86400, true},
		/* With both days given, either is enough. */
		{"0 0 15 * fri", 1767225600, 1767225600 + 86400, true},
		{"0 0 1 2 *", 1767225600, 1767225600 + 31 * 86400, true},
		{"@weekly", 1767225600, 1767225600 + 3 * 86400, true},
		{"@yearly", 1767225600, 1767225600 + 365 * 86400, true},
		{"@every 90s", 1767225600, 1767225690, true},
		/* 2028-02-29, a leap day. */
		{"0 0 29 2 *", 1767225600, 1835395200, true},
		{"0 0 30 2 *", 1767225600, INT64_MAX, false},
		{"0 0 31 4,6 ?", 1767225600, INT64_MAX, false},
		{", * * * *", 1767225600, INT64_MAX, false},
	};
	struct arena a;

	arena_init(&a);
	for (size_t i = 0; i < N(rows); i++) {
		struct cron c;

		cr_assert_null(cron_parse(&a, str_of(rows[i].spec), &c), "row %zu", i);
		cr_assert_eq(cron_fires(&c), rows[i].fires, "row %zu", i);
		cr_assert_eq(cron_next(&c, rows[i].from), rows[i].want, "row %zu: %lld", i,
			     (long long)cron_next(&c, rows[i].from));
	}
	arena_release(&a);
}
