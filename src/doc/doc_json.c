/*
 * The JSON reader. cJSON parses; one scan over the same text in step with cJSON's tree gives every node its
 * position and its text as written, and refuses what cJSON lets pass: control bytes as blanks or in strings,
 * bad numbers, unknown escapes, text that is not UTF-8. What is no JSON is left to the YAML reader, as
 * kubectl does.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "doc_build.h"

#define OUTER 2

struct scan {
	struct builder *b;
	const char *base, *p, *end;
	struct json_error *why;
	bool failed; /* an error was raised: more than "no JSON" */
};

/* cJSON does not tell exhausted memory from bad text. */
static void *allocate(size_t n)
{
	void *p = malloc(n);

	if (!p)
		ks_out_of_memory();
	return p;
}

static bool refuse(struct scan *s, const char *at, const char *text)
{
	*s->why = (struct json_error){(size_t)(at - s->base), text};
	return false;
}

static void blanks(struct scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\n' || *s->p == '\t' || *s->p == '\r'))
		s->p++;
}

static bool expect(struct scan *s, char c, const char *complaint)
{
	blanks(s);
	if (s->p == s->end || *s->p != c)
		return refuse(s, s->p, complaint);
	s->p++;
	return true;
}

static bool escape(struct scan *s)
{
	const char *at = s->p++;

	if (s->p == s->end || !*s->p || !strchr("\"\\/bfnrtu", *s->p))
		return refuse(s, at, "unknown escape in a string");
	if (*s->p != 'u') {
		s->p++;
		return true;
	}
	if (s->end - s->p < 5 || strspn(s->p + 1, "0123456789abcdefABCDEF") < 4)
		return refuse(s, at, "'\\u' needs four hexadecimal digits");
	if (memcmp(s->p + 1, "0000", 4) == 0)
		return refuse(s, at, "a string holds a NUL character");
	s->p += 5;
	return true;
}

/* A string at p: its text without the quotes, and whether that is also its value. */
static bool string(struct scan *s, struct str *ret_raw, bool *ret_plain)
{
	const char *from;

	blanks(s);
	from = s->p;
	if (s->p == s->end || *s->p != '"')
		return refuse(s, s->p, "expected a string");
	*ret_plain = true;
	for (s->p++; s->p < s->end && *s->p != '"';) {
		if (*s->p == '\\') {
			*ret_plain = false;
			if (!escape(s))
				return false;
		} else if ((unsigned char)*s->p++ < 0x20) {
			return refuse(s, s->p - 1, "control character in a string");
		}
	}
	if (s->p == s->end)
		return refuse(s, from, "string without an end");
	*ret_raw = (struct str){from + 1, (size_t)(s->p - from) - 1};
	s->p++;
	return true;
}

static size_t digits(struct scan *s)
{
	const char *from = s->p;

	while (s->p < s->end && *s->p >= '0' && *s->p <= '9')
		s->p++;
	return (size_t)(s->p - from);
}

static bool number(struct scan *s)
{
	const char *from = s->p;
	bool zero;

	if (s->p < s->end && *s->p == '-')
		s->p++;
	zero = s->p < s->end && *s->p == '0';
	size_t whole = digits(s);

	if (whole == 0 || (zero && whole > 1))
		return refuse(s, from, whole ? "a number with a leading zero" : "expected a value");
	if (s->p < s->end && *s->p == '.') {
		s->p++;
		if (!digits(s))
			return refuse(s, from, "a number without digits after its point");
	}
	if (s->p < s->end && (*s->p == 'e' || *s->p == 'E')) {
		s->p++;
		if (s->p < s->end && (*s->p == '-' || *s->p == '+'))
			s->p++;
		if (!digits(s))
			return refuse(s, from, "a number without digits in its exponent");
	}
	return true;
}

static bool scalar(struct scan *s, const cJSON *item)
{
	const char *from = s->p;
	struct str text;
	bool plain = true, quoted = cJSON_IsString(item);

	if (quoted) {
		if (!string(s, &text, &plain))
			return false;
		if (!plain)
			text = str_of(item->valuestring);
	} else if (cJSON_IsNumber(item)) {
		if (!number(s))
			return false;
		text = (struct str){from, (size_t)(s->p - from)};
	} else {
		text = str_of(cJSON_IsNull(item) ? "null" : cJSON_IsTrue(item) ? "true" : "false");
		s->p += text.n;
	}
	s->failed = !build_scalar(s->b, text, quoted, (size_t)(from - s->base), (size_t)(s->p - from), 0);
	return !s->failed;
}

/* cJSON tells where it stopped and no more; in a string that is behind the quote. */
static bool syntax_error(struct scan *s, const char *stop)
{
	if (stop > s->p && stop[-1] == '"')
		return refuse(s, stop - 1, "a string that is not valid or has no end");
	return refuse(s, stop,
		      stop + 1 < s->end ? "unexpected text" : "unexpected text, or the end is missing");
}

/* Parses the value at p; the caller deletes it. */
static cJSON *parse(struct scan *s)
{
	const char *stop = s->p;
	cJSON *item = s->p == s->end ? NULL
				     : cJSON_ParseWithLengthOpts(s->p, (size_t)(s->end - s->p), &stop, false);

	if (!item)
		syntax_error(s, stop);
	return item;
}

/* item: the value of the key, or NULL in the outer levels. */
static bool key(struct scan *s, const cJSON *item)
{
	const char *from;
	struct str text;
	bool plain;
	cJSON *own = NULL;

	blanks(s);
	from = s->p;
	if (!string(s, &text, &plain))
		return false;
	if (!plain && item) {
		text = str_of(item->string);
	} else if (!plain) {
		own = cJSON_ParseWithLengthOpts(from, (size_t)(s->p - from), NULL, false);
		if (!own)
			return refuse(s, from, "a key that is not valid");
		text = str_of(own->valuestring);
	}
	s->failed = !build_key(s->b, text, false, (size_t)(from - s->base));
	cJSON_Delete(own);
	return !s->failed && expect(s, ':', "expected ':' after a key");
}

static bool at(struct scan *s, char c)
{
	blanks(s);
	return s->p < s->end && *s->p == c;
}

static bool value(struct scan *s, const cJSON *item, int outer);

static bool collection(struct scan *s, const cJSON *item, int outer) /* NOLINT(misc-no-recursion) */
{
	bool map = *s->p == '{';
	const cJSON *child = item ? item->child : NULL;
	char close = map ? '}' : ']';

	s->failed = !build_begin(s->b, map, (size_t)(s->p - s->base), 0);
	if (s->failed)
		return false;
	s->p++;
	for (bool first = true; !(first && at(s, close)); first = false) {
		if (map && !key(s, child))
			return false;
		if (!value(s, child, outer))
			return false;
		child = child ? child->next : NULL;
		if (at(s, close))
			break;
		if (!expect(s, ',', "expected ',' or the end of a list or map"))
			return false;
	}
	s->p++;
	s->failed = !build_end(s->b);
	return !s->failed;
}

/*
 * item: what cJSON made of the value, or NULL if it has not seen it; outer: how many levels of such values
 * are scanned without it. The builder bounds the depth.
 */
static bool value(struct scan *s, const cJSON *item, int outer) /* NOLINT(misc-no-recursion) */
{
	bool nested = at(s, '{') || at(s, '[');
	cJSON *own = NULL;
	bool ok;

	if (!item && !(nested && outer)) {
		item = own = parse(s);
		if (!item)
			return false;
	}
	ok = nested ? collection(s, item, outer - 1) : scalar(s, item);
	cJSON_Delete(own);
	return ok;
}

enum json_result doc_json_read(struct builder *b, size_t from, size_t to, size_t *ret_end,
			       struct json_error *ret_why)
{
	const char *base = b->src->text.p;
	struct scan s = {.b = b, .base = base, .p = base + from, .end = base + to, .why = ret_why};
	uint64_t nodes = b->out->nodes;

	cJSON_InitHooks(&(cJSON_Hooks){allocate, free});
	build_open(b);
	b->json_doc = b->json;
	if (value(&s, NULL, OUTER)) {
		*ret_end = (size_t)(s.p - base);
		return JSON_OK;
	}
	if (s.failed)
		return JSON_FAILED;
	b->out->nodes = nodes;
	return JSON_NOT;
}
