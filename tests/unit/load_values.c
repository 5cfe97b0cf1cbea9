#include <criterion/criterion.h>

#include "duration.h"
#include "object.h"
#include "schema.h"

#define N(rows) (sizeof(rows) / sizeof((rows)[0]))

#define BAD INT64_MIN

Test(load_values, durations)
{
	static const struct {
		const char *text;
		int64_t ns;
	} rows[] = {
		{"0", 0},
		{"0s", 0},
		{"1h", 3600000000000},
		{"1h30m", 5400000000000},
		{"720h", 2592000000000000},
		{"1.5s", 1500000000},
		{".5m", 30000000000},
		{"1.s", 1000000000},
		{"-2m", -120000000000},
		{"+3ms", 3000000},
		{"4us", 4000},
		{"4\xc2\xb5s", 4000},
		{"7ns", 7},
		{"1h1m1s1ms1us1ns", 3661001001001},
		{"2562047h", 9223369200000000000},
		{"2562048h", BAD},
		{"99999999999999999999s", BAD},
		{"", BAD},
		{"-", BAD},
		{"5", BAD},
		{"30d", BAD},
		{"1h 2m", BAD},
		{".s", BAD},
		{"h", BAD},
		{"Never", BAD},
	};

	for (size_t i = 0; i < N(rows); i++) {
		int64_t ns = 0;
		bool ok = duration_parse(str_of(rows[i].text), &ns, NULL);

		cr_expect_eq(ok, rows[i].ns != BAD, "%s", rows[i].text);
		if (ok)
			cr_expect_eq(ns, rows[i].ns, "%s: %lld", rows[i].text, (long long)ns);
	}
}

Test(load_values, times)
{
	static const struct {
		const char *text, *want; /* want: in UTC, NULL when refused */
	} rows[] = {
		{"1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"},
		{"2026-01-19T12:00:00Z", "2026-01-19T12:00:00Z"},
		{"2026-01-19T1:00:00Z", "2026-01-19T01:00:00Z"},
		{"2026-01-19T1:00:00.5+01:00", "2026-01-19T00:00:00Z"},
		{"2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"},
		{"2026-12-01T23:10:47.8023465Z", "2026-12-01T23:10:47Z"},
		{"2026-01-19T12:00:00+02:00", "2026-01-19T10:00:00Z"},
		{"2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00Z"},
		{"2026-01-19T12:00:00-05:30", "2026-01-19T17:30:00Z"},
		{"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"},
		{"1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"},
		{"2000-03-01T00:00:00Z", "2000-03-01T00:00:00Z"},
		{"9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"},
		{"2026-02-29T00:00:00Z", NULL},
		{"2026-13-01T00:00:00Z", NULL},
		{"2026-01-19", NULL},
		{"2026-01-19T12:00:00", NULL},
		{"2026-01-19T1:00:00", NULL},
		{"2026-01-19T:00:00Z", NULL},
		{"2026-01-19 12:00:00Z", NULL},
		{"2026-01-19T24:00:00Z", NULL},
		{"2026-01-19T12:00:00.Z", NULL},
		{"2026-01-19T12:00:00+2:00", NULL},
		{"2026-01-19T12:00:00Zx", NULL},
		{"", NULL},
	};
	struct arena a;

	arena_init(&a);
	for (size_t i = 0; i < N(rows); i++) {
		int64_t t = 0;
		bool ok = parse_time(str_of(rows[i].text), &t);

		cr_expect_eq(ok, rows[i].want != NULL, "%s", rows[i].text);
		if (ok && rows[i].want)
			cr_expect_str_eq(time_text(&a, t), rows[i].want);
	}
	arena_release(&a);
}
