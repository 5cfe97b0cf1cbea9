#include <criterion/criterion.h>

#include "doc_fixture.h"

#define N(rows) (sizeof(rows) / sizeof((rows)[0]))

Test(doc_read, trees)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"", ""},
		{"# nothing\n", ""},
		{"null\n", ""},
		{"---\n---\n", ""},
		{"a: 1\nb: '2'\nc: \"3\"\n", "{a: 1, b: \"2\", c: \"3\"}"},
		{"a:\n- x\n- k: 1\n  z: 2\n", "{a: [x, {k: 1, z: 2}]}"},
		{"a: |\n  one\n  two\nb: >-\n  one\n  two\n", "{a: \"one\\ntwo\\n\", b: \"one two\"}"},
		{"a:\nb: ~\nc: {}\nd: []\n", "{a: , b: ~, c: {}, d: []}"},
		{"a: 1\r\nb: 2\r\n", "{a: 1, b: 2}"},
		{"\xef\xbb\xbf"
		 "a: 1\n",
		 "{a: 1}"},
		{"hello", "hello"},
		{"- a\n- b\n", "[a, b]"},
		/* Keys become strings. */
		{"yes: 1\n010: 2\n1.50: 3\n1e3: 4\n1e7: 5\n'010': 6\n0.00001: 7\n",
		 "{true: 1, 8: 2, 1.5: 3, 1000: 4, 1e+07: 5, 010: 6, 1e-05: 7}"},
		/* Anchors, and aliases as keys and values. */
		{"a: &x [1, 2]\nb: *x\nc: &k key\n*k : d\n", "{a: [1, 2], b: [1, 2], c: key, key: d}"},
		{"&k a: 1\nb: *k\n", "{a: 1, b: a}"},
		{"a: &x 1\nb: &x 2\nc: *x\n", "{a: 1, b: 2, c: 2}"},
		/* A merge key acts where it stands; in a list the earlier map wins. */
		{"<<: {a: 1, b: 2}\nb: 3\n", "{a: 1, b: 3}"},
		{"b: 3\n<<: {a: 1, b: 2}\n", "{b: 2, a: 1}"},
		{"<<: [{a: 1}, {a: 2, b: 3}]\n", "{a: 1, b: 3}"},
		{"x: &x {a: 1}\nk:\n  <<: *x\n  c: 2\n", "{x: {a: 1}, k: {a: 1, c: 2}}"},
		{"'<<': 1\n", "{<<: 1}"},
		/* Tags. */
		{"a: !!str 10\nb: !!int \"10\"\nc: !!binary aGk=\nd: !!bool 'yes'\ne: !!null ''\nf: ! 12\ng: "
		 "!!float 1\n",
		 "{a: \"10\", b: 10, c: \"hi\", d: yes, e: , f: \"12\", g: 1}"},
		{"a: !!map {b: 1}\nc: !!seq [1]\n", "{a: {b: 1}, c: [1]}"},
		/* JSON. */
		{"{\"a\": [1, -2.5e3, true, null, \"x\"]}", "{a: [1, -2.5e3, true, null, \"x\"]}"},
		{"{\"a\": \"\\u00e9\\n\\\"\\/\\ud83d\\ude00\"}", "{a: \"\xc3\xa9\\n\"/\xf0\x9f\x98\x80\"}"},
		{"{\"\\u00e9\": {\"\\n\": {\"\\t\": 1}}}", "{\xc3\xa9: {\\n: {\t: 1}}}"},
		{"{\"a\": 1e999, \"b\": 9007199254740993}", "{a: 1e999, b: 9007199254740993}"},
		{" [ ] ", "[]"},
		{"{}", "{}"},
		/* Several documents. */
		{"a: 1\n---\nb: 2\n", "{a: 1}\n{b: 2}"},
		{"--- # first\na: 1\n---\t\n# none\n---\nb: 2\n...\n", "{a: 1}\n{b: 2}"},
		{"---\n{\"a\":1}\n---\n{\"b\":2}\n", "{a: 1}\n{b: 2}"},
		{"{\"a\":1}{\"b\":2}\n\n[3]", "{a: 1}\n{b: 2}\n[3]"},
		{"{\"a\":1} # done\n---\nb: 2\n", "{a: 1}\n{b: 2}"},
		{"# c\ra: 1\r", "{a: 1}"},
		{"%YAML 1.1\n---\na: 1\n", "BAD a directive without a document\n{a: 1}"},
		/* What looks like JSON and is not goes the way of YAML. */
		{"{\"a\": 1,}", "{a: 1}"},
		{"{\"a\": 010}", "{a: 010}"},
		{"{\"a\": \"\t\"}", "{a: \"\t\"}"},
		{"{a: b}\n", "{a: b}"},
		{"{\"a\": 'b'} # c\n", "{a: \"b\"}"},
	};
	struct doc_fixture f;

	doc_fixture_init(&f);
	for (size_t i = 0; i < N(rows); i++) {
		const char *got = doc_trees_of(&f, str_of(rows[i].text), false);

		cr_expect_str_eq(got, rows[i].want, "%s\ngives %s\nnot   %s", rows[i].text, got,
				 rows[i].want);
		cr_assert_eq(f.d.errors, 0, "%s raises an error", rows[i].text);
	}
	doc_fixture_release(&f);
}

Test(doc_read, positions)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"a: 1\nbb:\n  - x\n  - 'y z'\n",
		 "{@1:1 a@1:1: 1@1:4+1, bb@2:1: [@3:3 x@3:5+1, \"y z\"@4:5+5]}"},
		/* Columns are bytes; libyaml's are characters. */
		{"\xc3\xa9\xc3\xa9: \xe2\x82\xac\nb: {\xc3\xa9: 1}\n",
		 "{@1:1 \xc3\xa9\xc3\xa9@1:1: \xe2\x82\xac@1:7+3, b@2:1: {@2:4 \xc3\xa9@2:5: 1@2:9+1}}"},
		{"\xef\xbb\xbf"
		 "a: 1\nb: 2\n",
		 "{@1:4 a@1:4: 1@1:7+1, b@2:1: 2@2:4+1}"},
		{"a: 1\r\nb: 2\r\n", "{@1:1 a@1:1: 1@1:4+1, b@2:1: 2@2:4+1}"},
		/* libyaml takes U+2028 for a line end, an editor does not. */
		{"a: \"x\xe2\x80\xa8y\"\nb: 2\n", "{@1:1 a@1:1: \"x\xe2\x80\xa8y\"@1:4+1, b@2:1: 2@2:4+1}"},
		{"# c\n---\n\na: 1\n---\nb: 2\n", "{@4:1 a@4:1: 1@4:4+1}\n{@6:1 b@6:1: 2@6:4+1}"},
		{"a: &x 1\nb: *x\n", "{@1:1 a@1:1: 1@1:4+4, b@2:1: 1@1:4+4}"},
		{"a: |\n  x\n  y\n", "{@1:1 a@1:1: \"x\\ny\\n\"@1:4+1}"},
		{"---\n{\"a\": [1,\n  {\"b\": \"c\\td\"}],\n \"e\": null}",
		 "{@2:1 a@2:2: [@2:7 1@2:8+1, {@3:3 b@3:4: \"c\td\"@3:9+6}], e@4:2: null@4:7+4}"},
		{"x: 1\n---\n{\"a\": 1,}\n", "{@1:1 x@1:1: 1@1:4+1}\n{@3:1 a@3:2: 1@3:7+1}"},
	};
	struct doc_fixture f;

	doc_fixture_init(&f);
	for (size_t i = 0; i < N(rows); i++) {
		const char *got = doc_trees_of(&f, str_of(rows[i].text), true);

		cr_expect_str_eq(got, rows[i].want, "%s\ngives %s\nnot   %s", rows[i].text, got,
				 rows[i].want);
	}
	doc_fixture_release(&f);
}

Test(doc_read, messages)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"a: 1\n\tb: 2\n",
		 "2:1 KS0204 not valid YAML: found a tab character that violates indentation\n"
		 "hint: YAML does not allow tabs for indentation; use spaces\n"
		 "1:4 while scanning a plain scalar that starts here"},
		{"a: [1, 2\nb: 3\n", "2:2 KS0204 not valid YAML: did not find expected ',' or ']'\n"
				     "1:4 while parsing a flow sequence that starts here"},
		{"a: 1\n b: 2\n",
		 "2:3 KS0204 not valid YAML: mapping values are not allowed in this context"},
		{"a:\n\xc2\xa0 b: 2\n  c: 3\n",
		 "3:4 KS0204 not valid YAML: mapping values are not allowed in this context\n"
		 "hint: no-break spaces (U+00A0), often copied from a web page, do not indent; use plain "
		 "spaces"},
		{"a: \"x\n", "2:1 KS0204 not valid YAML: found unexpected end of stream\n"
			     "1:4 while scanning a quoted scalar that starts here"},
		{"a: \xe2\x80\x9c b: c\xe2\x80\x9d\n",
		 "1:9 KS0204 not valid YAML: mapping values are not allowed in this context\n"
		 "hint: typographic quotes do not quote; use \" or '"},
		{"a: *b\n", "1:4 KS0211 unknown alias '*b': no anchor '&b' before it in this document"},
		{"a: &b 1\n---\nc: *b\n",
		 "3:4 KS0211 unknown alias '*b': no anchor '&b' before it in this document"},
		{"a: &b [1, *b]\n", "1:11 KS0212 alias '*b' inside the value it stands for"},
		{"{a: b}: 2\n", "1:1 KS0210 a map key must be a string, not a map"},
		{"[a]: 2\n", "1:1 KS0210 a map key must be a string, not a list"},
		{"a: {~: 2}\n", "1:5 KS0210 a map key must be a string, not null"},
		{"a: &x [1]\n*x : 2\n", "2:1 KS0210 a map key must be a string, not a list"},
		{"<<: 5\n", "1:5 KS0213 '<<' needs a map or a list of maps, not a number"},
		{"<<: [{a: 1}, b]\n", "1:14 KS0213 '<<' needs a map or a list of maps, not a string"},
		{"a: !!int abc\n", "1:4 KS0214 cannot read 'abc' as !!int"},
		{"a: !!int 1.0\n", "1:4 KS0214 cannot read '1.0' as !!int"},
		{"a: !!binary '*'\n", "1:4 KS0214 cannot read '*' as !!binary"},
		{"a: !Ref b\n", "1:4 KS0215 tag '!Ref' means nothing here; the value is read as a string"},
		{"a: .inf\n", "1:4 KS0216 '.inf' is a number that JSON cannot express"},
		{"a: -.INF\n", "1:4 KS0216 '-.INF' is a number that JSON cannot express"},
		{"a: .nan\n", "1:4 KS0216 '.nan' is a number that JSON cannot express"},
		{"a: 1\n...\nb: 2\n",
		 "3:1 KS0208 text after the end of the document is dropped up to the next '---'"},
		{"{a: 1} b\n",
		 "1:8 KS0208 text after the end of the document is dropped up to the next '---'"},
		{"%YAML 1.1\n---\na: 1\n",
		 "1:1 KS0207 kubectl refuses YAML directives; this one is passed over"},
		{"%YAML 1.1\na: 1\n", "1:1 KS0204 not valid YAML: a directive needs a '---' after it"},
		{"a: 1\n--- x\nb: 2\n",
		 "2:1 KS0206 invalid document separator: '--- x'\n"
		 "hint: only blanks and a comment may follow '---'; the rest of this file is not read"},
		{"a: \xe9\n", "1:4 KS0202 invalid UTF-8 in the text (byte 0xe9)"},
		{"a: \xc0\xaf\n", "1:4 KS0202 invalid UTF-8 in the text (byte 0xc0)"},
		{"a: \xed\xa0\x80\n", "1:4 KS0202 invalid UTF-8 in the text (byte 0xed)"},
		{"a: \xe2\x82", "1:4 KS0202 invalid UTF-8 in the text (byte 0xe2)"},
		{"a: \x01\n", "1:4 KS0203 control character in the text (byte 0x01)"},
		{"a: \"\\0\"\n", "1:4 KS0203 a string holds a NUL character"},
		{"{\"a\": \"\\u0000\"}", "1:7 KS0203 a string holds a NUL character"},
		{"{\"a\": 1 \"b\": 2}",
		 "1:9 KS0205 not valid JSON: expected ',' or the end of a list or map"},
		{"{\"a\": [1, 2}", "1:12 KS0205 not valid JSON: expected ',' or the end of a list or map"},
		{"{\"a\": {\"b\": {\"c\": 1 \"d\": 2}}}", "1:21 KS0205 not valid JSON: unexpected text"},
		{"{\"\\ud800\": 1}", "1:2 KS0205 not valid JSON: a key that is not valid"},
		{"{\"a\": [1", "1:9 KS0205 not valid JSON: expected ',' or the end of a list or map"},
		{"{\"a\": \"b", "1:7 KS0205 not valid JSON: a string that is not valid or has no end"},
	};
	struct doc_fixture f;

	doc_fixture_init(&f);
	for (size_t i = 0; i < N(rows); i++) {
		const char *got = doc_messages_of(&f, str_of(rows[i].text));

		cr_expect_str_eq(got, rows[i].want, "%s\ngives %s\nnot   %s", rows[i].text, got,
				 rows[i].want);
	}
	doc_fixture_release(&f);
}

/* Bytes that a C string cannot show. */
Test(doc_read, odd_bytes)
{
	static const struct {
		struct str text;
		const char *want;
	} rows[] = {
		{{"a: \0\n", 5}, "1:4 KS0203 NUL character in the text (byte 0x00)"},
		{{"{\"a\": \"\0\"}", 10}, "1:8 KS0203 NUL character in the text (byte 0x00)"},
		{{"\xff\xfe"
		  "a\0:\0",
		  6},
		 "0:0 KS0201 the file is UTF-16; manifests are UTF-8\nhint: convert it: iconv -f UTF-16 -t "
		 "UTF-8 x"},
		{{"a\0:\0 \0001\0", 8},
		 "0:0 KS0201 the file is UTF-16; manifests are UTF-8\nhint: convert it: iconv -f UTF-16 -t "
		 "UTF-8 x"},
		{{"\0a\0:\0 \0001", 8},
		 "0:0 KS0201 the file is UTF-16; manifests are UTF-8\nhint: convert it: iconv -f UTF-16 -t "
		 "UTF-8 x"},
	};
	struct doc_fixture f;

	doc_fixture_init(&f);
	for (size_t i = 0; i < N(rows); i++) {
		const char *got = doc_messages_of(&f, rows[i].text);

		cr_expect_str_eq(got, rows[i].want, "row %zu gives %s", i, got);
	}
	doc_fixture_release(&f);
}

/* An error costs its own document only, and the documents keep their numbers. */
Test(doc_read, bad_documents)
{
	static const char text[] = "a: 1\n---\nb: [\n---\n# none\n---\n---\nc: \xff\n---\nd: 4\n---\n*e\n";
	struct doc_fixture f;

	doc_fixture_init(&f);
	cr_assert_not(doc_fixture_read(&f, STR_LIT(text)));
	cr_assert_eq(f.d.errors, 3);
	cr_assert_eq(f.docs.v.n, 2);
	cr_assert_eq(f.docs.v.v[0].index, 0);
	cr_assert_eq(f.docs.v.v[1].index, 3);
	cr_assert_eq(f.docs.bad.n, 3);
	cr_assert_eq(f.docs.bad.v[0].index, 1);
	cr_assert_eq(f.docs.bad.v[1].index, 2);
	cr_assert_eq(f.docs.bad.v[1].line, 8);
	cr_assert_eq(f.docs.bad.v[2].index, 4);
	doc_fixture_release(&f);
}

static const char *duplicates_of(struct doc_fixture *f, const char *text)
{
	doc_trees_of(f, str_of(text), false);
	buf_clear(&f->out);
	for (uint32_t i = 0; i < f->docs.v.n; i++) {
		const struct doc *doc = &f->docs.v.v[i];

		for (uint32_t k = 0; k < doc->nduplicates; k++) {
			const struct doc_duplicate *x = &doc->duplicates[k];

			buf_addf(&f->out, "%s%s/%s %u:%u %u:%u %u%s%s", f->out.n ? "; " : "", x->map,
				 x->key.p, x->first_line, x->first_col, x->line, x->col,
				 x->value_line - doc->start_line + 1, x->merged ? " merged" : "",
				 doc->json ? " json" : "");
		}
	}
	return buf_cstr(&f->out);
}

/*
 * map/key first later line: the line of the value, counted from the document's start. Expected orders and
 * lines are those of sigs.k8s.io/yaml 1.6.
 */
Test(doc_read, duplicates)
{
	static const struct {
		const char *text, *want, *tree;
	} rows[] = {
		{"a: 1\nb: 2\n", "", "{a: 1, b: 2}"},
		{"a: 1\na: 2\n", "/a 1:1 2:1 2", "{a: 2}"},
		{"a: 1\na:\n  b: 1\n  b: 2\na: 3\n", "a/b 3:3 4:3 4; /a 1:1 2:1 3; /a 2:1 5:1 5", "{a: 3}"},
		{"a: 1\na: 2\nb: {c: 1, c: 2}\n", "/a 1:1 2:1 2; b/c 3:5 3:11 3", "{a: 2, b: {c: 2}}"},
		{"x: [[{a: 1, a: 2}]]\n", "x[0][0]/a 1:7 1:13 1", "{x: [[{a: 2}]]}"},
		{"x:\n- 1\n- k: {a: 1, a: 2}\n", "x[1].k/a 3:7 3:13 3", "{x: [1, {k: {a: 2}}]}"},
		{"x: 1\n---\na: 1\na: 2\n", "/a 3:1 4:1 2", "{x: 1}\n{a: 2}"},
		{"---\na: 1\na: 2\n", "/a 2:1 3:1 3", "{a: 2}"},
		{"---\n---\na: 1\na: 2\n", "/a 3:1 4:1 2", "{a: 2}"},
		{"x: 1\n---\n---\na: 1\na: 2\n", "/a 4:1 5:1 3", "{x: 1}\n{a: 2}"},
		{"<<: {a: 1}\na: 2\n", "/a 1:6 2:1 2 merged", "{a: 2}"},
		{"{\"a\": {\"b\": 1, \"b\": 2}}", "a/b 1:8 1:16 1 json", "{a: {b: 2}}"},
		{"---\n{\"a\": 1, \"a\": 2}", "/a 2:2 2:10 2", "{a: 2}"},
		{"x: &x 1\na: 2\na: *x\n", "/a 2:1 3:1 3", "{x: 1, a: 1}"},
		{"true: 1\nyes: 2\n", "/true 1:1 2:1 2", "{true: 2}"},
	};
	struct doc_fixture f;

	doc_fixture_init(&f);
	for (size_t i = 0; i < N(rows); i++) {
		const char *got = duplicates_of(&f, rows[i].text);

		cr_expect_str_eq(got, rows[i].want, "%s\ngives %s\nnot   %s", rows[i].text, got,
				 rows[i].want);
		cr_assert_str_eq(doc_fixture_trees(&f, false), rows[i].tree);
		cr_assert_eq(f.d.errors, 0);
	}
	cr_assert_str_eq(
		doc_messages_of(&f, STR_LIT("a: 1\na: 2\n")),
		"2:1 KS0209 key 'a' is given twice; the last one stands\n1:1 'a' is first given here");
	cr_assert_str_eq(doc_messages_of(&f, STR_LIT("<<: {a: 1}\na: 2\n")), "", "a merge is no mistake");
	doc_fixture_release(&f);
}

Test(doc_read, get)
{
	struct doc_fixture f;
	const struct doc_node *root;

	doc_fixture_init(&f);
	cr_assert(doc_fixture_read(&f, STR_LIT("a: 1\nab: {c: [x]}\n")));
	root = f.docs.v.v[0].root;
	cr_assert_str_eq(doc_get(root, "a")->text.p, "1");
	cr_assert_eq(doc_entry_of(root, "ab")->line, 2);
	cr_assert_null(doc_get(root, "b"));
	cr_assert_null(doc_get(root, ""));
	cr_assert_null(doc_get(doc_get(root, "a"), "a"), "a scalar has no keys");
	cr_assert_null(doc_get(doc_get(doc_get(root, "ab"), "c"), "x"), "nor has a list");
	cr_assert_null(doc_get(NULL, "a"));
	cr_assert_eq(doc_span(&f.docs.v.v[0], doc_get(root, "a")).col, 4);
	doc_fixture_release(&f);
}

Test(doc_guess, texts)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"metadata:\n  name: {{ .Values.name }}\n", "Helm"},
		{"NAME    READY   STATUS    RESTARTS   AGE\nweb-1   1/1     Running   0          5d\n",
		 "table"},
		{"NAMESPACE   NAME   READY\nkube-system  dns   1/1\n", "table"},
		{"Name:             web-1\nNamespace:        default\nPriority:         0\n", "describe"},
		{"{\"level\":\"INFO\",\"time\":\"2026-01-01T00:00:00Z\",\"message\":\"x\"}\n", "log"},
		{"resource \"aws_instance\" \"x\" {\n}\n", "Terraform"},
		{"<!DOCTYPE html>\n<html>\n", "web page"},
		{"Error from server (NotFound): nodepools \"x\" not found\n", "error message"},
		{"apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n", NULL},
		{"NAME: x\n", NULL},
		{"", NULL},
	};
	struct doc_fixture f;

	doc_fixture_init(&f);
	for (size_t i = 0; i < N(rows); i++) {
		const char *got = doc_guess(source_from_text(&f.a, "x", str_of(rows[i].text)));

		cr_assert_eq(!got, !rows[i].want, "%s gives %s", rows[i].text, got ? got : "nothing");
		if (got)
			cr_assert_not_null(strstr(got, rows[i].want), "%s gives %s", rows[i].text, got);
	}
	cr_assert_not_null(
		strstr(doc_messages_of(&f, STR_LIT("a: [{{ .x }}\n")), "hint: this looks like a Helm"));
	doc_fixture_release(&f);
}

Test(doc_guess, objects)
{
	static const struct {
		const char *text, *want; /* a word of the hint; NULL for none */
	} rows[] = {
		{"resources: [a.yaml]\n", "kubectl kustomize"},
		{"replicaCount: 2\n", "helm template"},
		{"{\"detail-type\": \"x\", \"source\": \"aws.ec2\"}", "EventBridge"},
		{"{\"SpotPriceHistory\": []}", "catalog import"},
		{"{\"level\": \"info\", \"msg\": \"x\"}", "log"},
		{"a: b\n", NULL},
		{"- resources\n", NULL},
	};
	struct doc_fixture f;

	doc_fixture_init(&f);
	for (size_t i = 0; i < N(rows); i++) {
		const char *got;

		doc_trees_of(&f, str_of(rows[i].text), false);
		got = doc_guess_object(f.docs.v.v[0].src, f.docs.v.v[0].root);
		cr_assert(rows[i].want ? got && strstr(got, rows[i].want) : !got, "row %zu: %s", i,
			  got ? got : "none");
	}
	doc_fixture_release(&f);
}
