#include <criterion/criterion.h>
#include <math.h>

#include "emit.h"

/* One report that has every kind of value, written in each format. */
static void write_sample(struct emit *e)
{
	emit_map(e);
	emit_kv_cstr(e, "name", "web-1");
	emit_kv_map(e, "labels");
	emit_kv_cstr(e, "a.b/c", "true");
	emit_end(e);
	emit_kv_map(e, "none");
	emit_end(e);
	emit_kv_seq(e, "list");
	emit_int(e, -3);
	emit_seq(e);
	emit_bool(e, false);
	emit_null(e);
	emit_end(e);
	emit_map(e);
	emit_kv_double(e, "x", 0.08960000000000001);
	emit_kv_seq(e, "y");
	emit_end(e);
	emit_kv_seq(e, "z");
	emit_double(e, 1e300);
	emit_end(e);
	emit_end(e);
	emit_seq(e);
	emit_end(e);
	emit_end(e);
	emit_kv_bool(e, "ok", true);
	emit_end(e);
}

static const char compact_text[] =
	"{\"name\":\"web-1\",\"labels\":{\"a.b/c\":\"true\"},\"none\":{},\"list\":[-3,[false,null],"
	"{\"x\":0.08960000000000001,\"y\":[],\"z\":[1e+300]},[]],\"ok\":true}\n";

static const char indented_text[] = "{\n"
				    "  \"name\": \"web-1\",\n"
				    "  \"labels\": {\n"
				    "    \"a.b/c\": \"true\"\n"
				    "  },\n"
				    "  \"none\": {},\n"
				    "  \"list\": [\n"
				    "    -3,\n"
				    "    [\n"
				    "      false,\n"
				    "      null\n"
				    "    ],\n"
				    "    {\n"
				    "      \"x\": 0.08960000000000001,\n"
				    "      \"y\": [],\n"
				    "      \"z\": [\n"
				    "        1e+300\n"
				    "      ]\n"
				    "    },\n"
				    "    []\n"
				    "  ],\n"
				    "  \"ok\": true\n"
				    "}\n";

static const char yaml_text[] = "name: web-1\n"
				"labels:\n"
				"  a.b/c: \"true\"\n"
				"none: {}\n"
				"list:\n"
				"- -3\n"
				"- - false\n"
				"  - null\n"
				"- x: 0.08960000000000001\n"
				"  \"y\": []\n"
				"  z:\n"
				"  - 1.0e+300\n"
				"- []\n"
				"ok: true\n";

Test(emit, formats)
{
	static const struct {
		enum emit_format format;
		const char *want;
	} rows[] = {
		{EMIT_JSON_COMPACT, compact_text},
		{EMIT_JSON, indented_text},
		{EMIT_YAML, yaml_text},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct emit e;
		struct buf b;

		buf_init(&b);
		emit_init(&e, rows[i].format, &b);
		write_sample(&e);
		emit_finish(&e);
		cr_assert_str_eq(buf_cstr(&b), rows[i].want);
		buf_release(&b);
	}
}

Test(emit, documents)
{
	struct emit e;
	struct buf b;

	buf_init(&b);
	emit_init(&e, EMIT_YAML, &b);
	emit_map(&e);
	emit_kv_int(&e, "a", 1);
	emit_end(&e);
	emit_seq(&e);
	emit_end(&e);
	emit_cstr(&e, "x");
	emit_finish(&e);
	cr_assert_str_eq(buf_cstr(&b), "a: 1\n---\n[]\n---\nx\n");
	buf_clear(&b);
	emit_init(&e, EMIT_JSON, &b);
	emit_seq(&e);
	emit_end(&e);
	emit_double(&e, (double)NAN);
	cr_assert_str_eq(buf_cstr(&b), "[]\nnull\n");
	buf_release(&b);
}

Test(emit, strings)
{
	/* NULL: the YAML text is the JSON text. */
	static const struct {
		const char *text, *json, *yaml;
	} rows[] = {
		{"", "\"\"", NULL},
		{"abc", "\"abc\"", "abc"},
		{"a\"b\\c\n\t\x01", "\"a\\\"b\\\\c\\n\\t\\u0001\"", NULL},
		{"\x7f", "\"\x7f\"", "\"\\u007f\""},
		{"z\xc3\xbcrich", "\"z\xc3\xbcrich\"", NULL},
		{"\xe2\x80\xa8", "\"\xe2\x80\xa8\"", "\"\\u2028\""},
		{"\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\"", NULL},
		{"a\xff\xc0\x80z", "\"a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz\"", NULL},
		{"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"", NULL},
		{"yes", "\"yes\"", NULL},
		{"Off", "\"Off\"", NULL},
		{"n", "\"n\"", NULL},
		{"NULL", "\"NULL\"", NULL},
		{"~", "\"~\"", NULL},
		{"12", "\"12\"", NULL},
		{"-12", "\"-12\"", NULL},
		{"1e3", "\"1e3\"", NULL},
		{"0x1F", "\"0x1F\"", NULL},
		{"0o17", "\"0o17\"", NULL},
		{"1_000", "\"1_000\"", NULL},
		{"1:30", "\"1:30\"", NULL},
		{".5", "\".5\"", NULL},
		{".inf", "\".inf\"", NULL},
		{"2026-01-19T12:00:00Z", "\"2026-01-19T12:00:00Z\"", NULL},
		{"2026-01-19", "\"2026-01-19\"", NULL},
		{"1536Mi", "\"1536Mi\"", "1536Mi"},
		{"1500m", "\"1500m\"", "1500m"},
		{"720h0m0s", "\"720h0m0s\"", "720h0m0s"},
		{"c6g.large", "\"c6g.large\"", "c6g.large"},
		{"a: b", "\"a: b\"", NULL},
		{"a:", "\"a:\"", NULL},
		{"a:b", "\"a:b\"", "a:b"},
		{"a #b", "\"a #b\"", NULL},
		{"- a", "\"- a\"", NULL},
		{"*", "\"*\"", NULL},
		{"/dev/xvda", "\"/dev/xvda\"", "/dev/xvda"},
		{"<<", "\"<<\"", NULL},
		{"=", "\"=\"", NULL},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (int yaml = 0; yaml < 2; yaml++) {
			const char *want = yaml && rows[i].yaml ? rows[i].yaml : rows[i].json;
			struct emit e;
			struct buf b;

			buf_init(&b);
			emit_init(&e, yaml ? EMIT_YAML : EMIT_JSON, &b);
			emit_cstr(&e, rows[i].text);
			cr_assert_eq(b.n, strlen(want) + 1, "row %zu, yaml %d: %s", i, yaml, buf_cstr(&b));
			cr_assert_eq(memcmp(b.p, want, b.n - 1), 0, "row %zu, yaml %d: %s", i, yaml,
				     buf_cstr(&b));
			buf_release(&b);
		}
}

static void misuse(int how)
{
	struct emit e;
	struct buf b;

	buf_init(&b);
	emit_init(&e, EMIT_JSON, &b);
	emit_map(&e);
	if (how == 0)
		emit_int(&e, 1); /* no key */
	emit_key(&e, "k");
	if (how == 1)
		emit_end(&e); /* no value */
	if (how == 2)
		emit_key(&e, "l");
	emit_finish(&e); /* still open */
}

Test(emit, value_without_key, .exit_code = 70)
{
	misuse(0);
}

Test(emit, key_without_value, .exit_code = 70)
{
	misuse(1);
}

Test(emit, two_keys, .exit_code = 70)
{
	misuse(2);
}

Test(emit, unfinished, .exit_code = 70)
{
	misuse(3);
}
