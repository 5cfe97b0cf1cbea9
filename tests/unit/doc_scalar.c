#include <criterion/criterion.h>
#include <stdio.h>

#include "scalar.h"

/* Expected values are those of sigs.k8s.io/yaml 1.6. */
Test(scalar, meanings)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"", "null"},
		{"~", "null"},
		{"null", "null"},
		{"Null", "null"},
		{"NULL", "null"},
		{"nULL", "string"},
		{"true", "true"},
		{"True", "true"},
		{"TRUE", "true"},
		{"tRUE", "string"},
		{"yes", "true"},
		{"Yes", "true"},
		{"YES", "true"},
		{"y", "true"},
		{"Y", "true"},
		{"on", "true"},
		{"On", "true"},
		{"ON", "true"},
		{"false", "false"},
		{"False", "false"},
		{"FALSE", "false"},
		{"no", "false"},
		{"No", "false"},
		{"NO", "false"},
		{"n", "false"},
		{"N", "false"},
		{"off", "false"},
		{"Off", "false"},
		{"OFF", "false"},
		{"oN", "string"},
		{"0", "0"},
		{"10", "10"},
		{"-10", "-10"},
		{"+10", "10"},
		{"1_000", "1000"},
		{"1__0", "10"},
		{"10_", "10"},
		{"_1", "string"},
		{"-_1", "-1"},
		{"010", "8"},
		{"-010", "-8"},
		{"0o12", "10"},
		{"0O12", "10"},
		{"0o8", "string"},
		{"08", "8"},
		{"089", "89"},
		{"0x0A", "10"},
		{"0XfF", "255"},
		{"-0x1F", "-31"},
		{"0x_f", "15"},
		{"0x", "string"},
		{"0xg", "string"},
		{"0b1010", "10"},
		{"-0b11", "-3"},
		{"0b2", "string"},
		{"00", "0"},
		{"-0", "0"},
		{"9223372036854775807", "9223372036854775807"},
		{"9223372036854775808", "big"},
		{"18446744073709551615", "big"},
		{"18446744073709551616", "big"},
		{"-9223372036854775808", "-9223372036854775808"},
		{"-9223372036854775809", "big"},
		{"-9223372036854777000", "big"},
		{"0xffffffffffffffffff", "string"},
		{"0777777777777777777777777", "big"},
		{"1.5", "1.5"},
		{"-1.5", "-1.5"},
		{"+1.5", "1.5"},
		{"1.0", "1"},
		{"10.", "10"},
		{".5", "0.5"},
		{"+.5", "0.5"},
		{"1e1", "10"},
		{"1E1", "10"},
		{"1e+1", "10"},
		{"1e-1", "0.1"},
		{"1.e1", "10"},
		{".5e1", "5"},
		{"1_0.5", "10.5"},
		{".5_0", "string"},
		{"1e20", "1e+20"},
		{"1e999", "string"},
		{"-1e999", "string"},
		{"1e-999", "0"},
		{"1e", "string"},
		{"e1", "string"},
		{".", "string"},
		{"..", "string"},
		{"-", "string"},
		{"+", "string"},
		{"--1", "string"},
		{"+-1", "string"},
		{"1.2.3", "string"},
		{"1 2", "string"},
		{"0x1p4", "string"},
		{"12:30:45", "string"},
		{"0:10", "string"},
		{"2024-01-01", "string"},
		{"2024-01-01T00:00:00Z", "string"},
		{"1e3e", "string"},
		{"1.10", "1.1"},
		{"5m", "string"},
		{"10%", "string"},
		{"1Gi", "string"},
		{"inf", "string"},
		{"nan", "string"},
		{".infinity", "string"},
		{"0.1e1", "1"},
		{"-0.0", "0"},
		{"a", "string"},
		{"<<", "string"},
		{"\xef\xbc\x91", "string"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct doc_node n = {.kind = DOC_SCALAR, .text = str_of(rows[i].text)};
		struct scalar v = scalar_of(&n);
		char got[64] = "string";

		if (v.type == SCALAR_NULL)
			snprintf(got, sizeof(got), "null");
		else if (v.type == SCALAR_BOOL)
			snprintf(got, sizeof(got), "%s", v.b ? "true" : "false");
		else if (v.type == SCALAR_INT && !v.big)
			snprintf(got, sizeof(got), "%lld", (long long)v.i);
		else if (v.type == SCALAR_INT)
			snprintf(got, sizeof(got), "big");
		else if (v.type == SCALAR_FLOAT)
			snprintf(got, sizeof(got), "%.15g", v.f);
		if (strncmp(rows[i].want, "big", 3) == 0)
			cr_expect_eq(strncmp(got, "big", 3), 0, "'%s' gives %s", rows[i].text, got);
		else
			cr_expect_str_eq(got, rows[i].want, "'%s' gives %s", rows[i].text, got);
		n.quoted = true;
		cr_expect_eq(scalar_of(&n).type, SCALAR_STRING, "'%s' in quotes", rows[i].text);
	}
}

Test(scalar, big_saturates)
{
	static const struct {
		const char *text;
		int64_t i;
		double f;
	} rows[] = {
		{"9223372036854775808", INT64_MAX, 0x1p63},
		{"99999999999999999999", INT64_MAX, 1e20},
		{"-99999999999999999999", INT64_MIN, -1e20},
		{"7", 7, 7},
		{"1e1", 10, 10},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct doc_node n = {.kind = DOC_SCALAR, .text = str_of(rows[i].text)};
		struct scalar v = scalar_of(&n);

		cr_assert_eq(v.i, rows[i].i, "%s gives %lld", rows[i].text, (long long)v.i);
		cr_assert(v.f >= rows[i].f && v.f <= rows[i].f, "%s gives %g", rows[i].text, v.f);
	}
}

Test(scalar, type_names)
{
	static const struct {
		struct doc_node n;
		const char *want;
		bool null;
	} rows[] = {
		{{.kind = DOC_MAP}, "a map", false},
		{{.kind = DOC_SEQ}, "a list", false},
		{{.text = {"", 0}}, "null", true},
		{{.quoted = true, .text = {"", 0}}, "a string", false},
		{{.text = {"x", 1}}, "a string", false},
		{{.text = {"1", 1}}, "a number", false},
		{{.text = {"1.5", 3}}, "a number", false},
		{{.text = {"no", 2}}, "a boolean", false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_assert_str_eq(doc_type_name(&rows[i].n), rows[i].want);
		cr_assert_eq(doc_is_null(&rows[i].n), rows[i].null, "row %zu", i);
	}
	cr_assert_str_eq(doc_type_name(NULL), "null");
	cr_assert(doc_is_null(NULL));
}
