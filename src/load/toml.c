#include "toml.h"

#include <string.h>

#include "buf.h"

#define MAX_DEPTH 64

struct toml {
	struct arena *a;
	const char *p, *end;
	uint32_t depth;
	const char *error;
};

static char peek(const struct toml *t, size_t i)
{
	return (size_t)(t->end - t->p) > i ? t->p[i] : '\0';
}

static bool fail(struct toml *t, const char *text)
{
	if (!t->error)
		t->error = text;
	return false;
}

/* Go's %#U of a byte. */
static bool fail_char(struct toml *t, const char *before, const char *after)
{
	unsigned char c = (unsigned char)*t->p;

	if (c >= 0x20 && c < 0x7f)
		return fail(t, arena_printf(t->a, "%sU+%04X '%c'%s", before, c, c, after));
	/* A byte is taken for a code point. */
	if (c > 0xa0 && c != 0xad)
		return fail(t, arena_printf(t->a, "%sU+%04X '%c%c'%s", before, c, 0xc0 | c >> 6,
					    0x80 | (c & 0x3f), after));
	return fail(t, arena_printf(t->a, "%sU+%04X%s", before, c, after));
}

static void skip_blank(struct toml *t)
{
	while (t->p < t->end && (*t->p == ' ' || *t->p == '\t'))
		t->p++;
}

static bool comment(struct toml *t)
{
	for (; t->p < t->end && *t->p != '\n'; t->p++) {
		unsigned char c = (unsigned char)*t->p;

		if (c == '\r' && peek(t, 1) == '\n')
			return true;
		if (c == '\r')
			return fail(t, "carriage returns are not allowed in comments");
		if ((c < 0x20 && c != '\t') || c == 0x7f)
			return fail(t, "control characters are not allowed in comments");
	}
	return true;
}

static bool line_end(struct toml *t)
{
	if (t->p == t->end)
		return true;
	if (*t->p == '\r' && peek(t, 1) == '\n')
		t->p++;
	if (*t->p != '\n')
		return fail_char(t, "expected newline but got ", "");
	t->p++;
	return true;
}

static bool hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static int hex_value(char c)
{
	return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

static bool unicode(struct toml *t, size_t digits, struct buf *out)
{
	uint32_t c = 0;

	if ((size_t)(t->end - t->p) < digits)
		return fail(t, "unicode escape sequence is too short");
	for (; digits; digits--, t->p++) {
		if (!hex(*t->p))
			return fail(t, "invalid hexadecimal digit in unicode escape sequence");
		c = c << 4 | (uint32_t)hex_value(*t->p);
	}
	if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return fail(t, "escape sequence is not a valid unicode code point");
	if (c < 0x80) {
		buf_addch(out, (char)c);
		return true;
	}
	if (c >= 0x10000)
		buf_addch(out, (char)(0xf0 | c >> 18));
	if (c >= 0x800)
		buf_addch(out, (char)(c >= 0x10000 ? 0x80 | (c >> 12 & 0x3f) : 0xe0 | c >> 12));
	buf_addch(out, (char)(c >= 0x800 ? 0x80 | (c >> 6 & 0x3f) : 0xc0 | c >> 6));
	buf_addch(out, (char)(0x80 | (c & 0x3f)));
	return true;
}

/* What follows a backslash; p stands on it. */
static bool escape(struct toml *t, struct buf *out)
{
	static const char from[] = "\"\\bfnrte", to[] = "\"\\\b\f\n\r\t\033";
	char c = peek(t, 1);
	const char *at;

	if (++t->p == t->end)
		return fail(t, "need a character after \\");
	at = c ? strchr(from, c) : NULL;
	if (at) {
		t->p++;
		buf_addch(out, to[at - from]);
		return true;
	}
	if (c != 'x' && c != 'u' && c != 'U')
		return fail_char(t, "invalid escape character ", "");
	t->p++;
	return unicode(t, c == 'x' ? 2 : c == 'u' ? 4 : 8, out);
}

/* A backslash at the end of a line joins it with the next text. */
static bool joined_line(struct toml *t)
{
	const char *p = t->p;

	while (p < t->end && (*p == ' ' || *p == '\t'))
		p++;
	if (p < t->end && *p == '\r')
		p++;
	if (p == t->end || *p != '\n')
		return fail_char(t, "invalid escape character ", "");
	t->p = p + 1;
	return true;
}

/* What may not stand in a string as it is; name says of which sort. */
static bool plain(struct toml *t, const char *name, bool lines)
{
	unsigned char c = (unsigned char)*t->p;

	if (!lines && (c == '\n' || c == '\r'))
		return fail(t, arena_printf(t->a, "%s strings cannot have new lines", name));
	if (c == '\r' && peek(t, 1) != '\n')
		return fail(t, "carriage returns must be followed by a newline character");
	if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
		return fail(t, arena_printf(t->a, "%s strings cannot have control characters", name));
	t->p++;
	return true;
}

/* The marks at the end of a string of many lines, up to two of them its own; *ret_end: it is the end. */
static bool marks(struct toml *t, char q, const char *name, bool *ret_end)
{
	size_t n = 0;

	while (t->p + n < t->end && t->p[n] == q)
		n++;
	*ret_end = n >= 3;
	if (n > 5)
		return fail(t, arena_printf(t->a, "too many quotes at the end of a %s string", name));
	t->p += n;
	return true;
}

static bool string_body(struct toml *t, char q, bool lines, struct buf *out)
{
	const char *name =
		q == '"' ? (lines ? "multiline basic" : "basic") : (lines ? "multiline literal" : "literal");

	while (t->p < t->end) {
		bool end = true, ok = true;
		char c = *t->p;

		if (c == q) {
			t->p += !lines;
			if (lines && !marks(t, q, name, &end))
				return false;
			if (end)
				return true;
		} else if (c == '\\' && q == '"' && lines && t->p + 1 < t->end &&
			   strchr(" \t\r\n", t->p[1])) {
			t->p++;
			ok = joined_line(t);
		} else if (c == '\\' && q == '"') {
			ok = escape(t, out);
		} else {
			buf_addch(out, c);
			ok = plain(t, name, lines);
		}
		if (!ok)
			return false;
	}
	return fail(t, lines ? arena_printf(t->a, "%s string not terminated by %c%c%c", name, q, q, q)
			     : arena_printf(t->a, "unterminated %s string", name));
}

/* A string between quotes q. Of one on one line *ret is what it holds. */
static bool string(struct toml *t, char q, bool lines, struct str *ret)
{
	struct buf held;
	bool ok;

	t->p += lines ? 3 : 1;
	buf_init(&held);
	ok = string_body(t, q, lines, &held);
	*ret = (struct str){arena_strndup(t->a, buf_cstr(&held), held.n), held.n};
	buf_release(&held);
	return ok;
}

static bool bare(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
	       c == '_';
}

/* A key with its dots, and the blanks after it. */
static bool key(struct toml *t, struct toml_key *ret)
{
	*ret = (struct toml_key){0};
	for (;;) {
		struct str part = {t->p, 0};

		if (t->p == t->end)
			return fail(t, "expected key but reached end of input");
		if (*t->p == '"' || *t->p == '\'') {
			if (!string(t, *t->p, false, &part))
				return false;
		} else {
			while (t->p < t->end && bare(*t->p))
				t->p++;
			part.n = (size_t)(t->p - part.p);
			if (!part.n)
				return fail_char(t, "invalid character at start of key: ", "");
		}
		VEC_PUSH(t->a, &ret->part, part);
		skip_blank(t);
		if (peek(t, 0) != '.')
			return true;
		t->p++;
		skip_blank(t);
	}
}

static bool value(struct toml *t, struct toml_value *ret);

static bool assignment(struct toml *t, struct toml_pair *ret)
{
	if (!key(t, &ret->key))
		return false;
	if (peek(t, 0) != '=')
		return fail(t, "expected '=' after key");
	t->p++;
	skip_blank(t);
	return value(t, &ret->value);
}

struct toml_items {
	VEC(struct toml_pair) v;
};

/* One step inside an array or an inline table. */
static bool item(struct toml *t, bool table, bool *after, struct toml_items *out)
{
	struct toml_pair pair = {0};
	char c = peek(t, 0);

	if (c == '\n' || c == '\r')
		return line_end(t);
	if (c == '#')
		return comment(t);
	if (c == ',') {
		if (!*after)
			return table ? fail(t, "unexpected comma in inline table")
				     : fail_char(t, "expected value but got ", "");
		*after = false;
		t->p++;
		return true;
	}
	if (*after)
		return fail(t, table ? "expected ',' or '}' after inline table key-value"
				     : "expected ',' or ']' after array value");
	*after = true;
	if (table ? !assignment(t, &pair) : !value(t, &pair.value))
		return false;
	VEC_PUSH(t->a, &out->v, pair);
	return true;
}

/* The items of an array or of an inline table, up to its end. */
static bool items(struct toml *t, bool table, struct toml_value *ret)
{
	struct toml_items found = {0};
	bool after = false;

	if (++t->depth > MAX_DEPTH)
		return fail(t, "values are nested too deep");
	for (t->p++;;) {
		skip_blank(t);
		if (t->p == t->end)
			return fail(t, table ? "inline table is incomplete" : "array is incomplete");
		if (*t->p == (table ? '}' : ']'))
			break;
		if (!item(t, table, &after, &found))
			return false;
	}
	t->p++;
	t->depth--;
	ret->items = found.v.v;
	ret->n = found.v.n;
	return true;
}

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits with single underscores between them; p stands on the first. */
static bool digits(struct toml *t, bool (*in)(char))
{
	for (t->p++; in(peek(t, 0)) || peek(t, 0) == '_'; t->p++)
		if (*t->p == '_' && !in(peek(t, 1)))
			return fail(t, "number must have at least one digit between underscores");
	return true;
}

static bool octal(char c)
{
	return c >= '0' && c <= '7';
}

static bool binary(char c)
{
	return c == '0' || c == '1';
}

static bool fraction(struct toml *t, enum toml_kind *ret)
{
	if (peek(t, 0) == '.') {
		t->p++;
		if (!digit(peek(t, 0)))
			return fail(t, "decimal point must be followed by a digit");
		*ret = TOML_FLOAT;
		if (!digits(t, digit))
			return false;
	}
	if (peek(t, 0) == 'e' || peek(t, 0) == 'E') {
		t->p += peek(t, 1) == '+' || peek(t, 1) == '-' ? 2 : 1;
		if (!digit(peek(t, 0)))
			return fail(t, "exponent must contain at least one digit");
		*ret = TOML_FLOAT;
		if (!digits(t, digit))
			return false;
	}
	return true;
}

static bool number(struct toml *t, enum toml_kind *ret)
{
	const char *start = t->p;
	bool sign = *t->p == '+' || *t->p == '-';

	*ret = TOML_INTEGER;
	t->p += sign;
	if (t->p == t->end)
		return fail(t, "expected number after sign");
	if (*t->p == 'i' || *t->p == 'n') {
		const char *word = *t->p == 'i' ? "inf" : "nan";

		if (t->end - t->p < 3 || memcmp(t->p, word, 3) != 0)
			return fail(t, arena_printf(t->a, "expected \"%s\"", word));
		t->p += 3;
		*ret = TOML_FLOAT;
		return true;
	}
	if (!digit(*t->p))
		return fail_char(t, "expected digit but got ", "");
	if (*t->p == '0' && t->p + 1 < t->end && strchr("xob", t->p[1])) {
		bool (*in)(char) = t->p[1] == 'x' ? hex : t->p[1] == 'o' ? octal : binary;

		if (sign)
			return fail(t, "sign is not allowed on numbers with a radix prefix");
		t->p += 2;
		if (!in(peek(t, 0)))
			return fail(t, "radix prefix must be followed by at least one digit");
		return digits(t, in);
	}
	if (!digits(t, digit))
		return false;
	start += sign;
	if (*start == '0' && t->p > start + 1)
		return fail(t, "integers cannot have leading zeroes");
	if (!fraction(t, ret))
		return false;
	if (bare(peek(t, 0)) && !digit(peek(t, 0)) && peek(t, 0) != '-' && peek(t, 0) != '_')
		return fail(t, "strings must be quoted");
	return true;
}

static bool keyword(struct toml *t, const char *word, enum toml_kind kind, enum toml_kind *ret)
{
	size_t n = strlen(word);

	if ((size_t)(t->end - t->p) < n || memcmp(t->p, word, n) != 0)
		return fail(t, arena_printf(t->a, "expected keyword \"%s\"", word));
	t->p += n;
	*ret = kind;
	return true;
}

static bool is_time(const struct toml *t)
{
	return digit(peek(t, 1)) &&
	       (peek(t, 2) == ':' || (digit(peek(t, 2)) && digit(peek(t, 3)) && peek(t, 4) == '-'));
}

/* All that may belong to a date or a time; whether it is one is seen when it is used. */
static void date_or_time(struct toml *t, enum toml_kind *ret)
{
	const char *start = t->p, *delimiter = NULL;
	bool zone = false;

	for (; t->p < t->end; t->p++) {
		char c = *t->p;

		if (c == 'T' || c == 't' || (c == ' ' && digit(peek(t, 1))))
			delimiter = delimiter ? delimiter : t->p;
		else if (!digit(c) && !strchr(":-+.Zz", c))
			break;
		else
			zone = zone || (delimiter && strchr("Zz+-", c));
	}
	*ret = start[2] == ':' ? TOML_LOCAL_TIME
	       : !delimiter    ? TOML_LOCAL_DATE
	       : zone          ? TOML_DATETIME
			       : TOML_LOCAL_DATETIME;
}

static bool scalar(struct toml *t, enum toml_kind *ret)
{
	struct str text;
	char c = *t->p;

	switch (c) {
	case '"':
	case '\'':
		*ret = TOML_STRING;
		return string(t, c, peek(t, 1) == c && peek(t, 2) == c, &text);
	case 't':
		return keyword(t, "true", TOML_BOOL, ret);
	case 'f':
		return keyword(t, "false", TOML_BOOL, ret);
	case 'i':
		return keyword(t, "inf", TOML_FLOAT, ret);
	case 'n':
		return keyword(t, "nan", TOML_FLOAT, ret);
	default:
		break;
	}
	if (digit(c) && is_time(t)) {
		date_or_time(t, ret);
		return true;
	}
	if (digit(c) || c == '+' || c == '-')
		return number(t, ret);
	return fail_char(t, "unexpected character ", " at start of value");
}

static bool value(struct toml *t, struct toml_value *ret)
{
	const char *start = t->p;
	bool ok;

	*ret = (struct toml_value){.text = {"", 0}};
	if (t->p == t->end)
		return fail(t, "expected value, not end of input");
	if (*t->p == '[' || *t->p == '{') {
		ret->kind = *t->p == '[' ? TOML_ARRAY : TOML_INLINE_TABLE;
		return items(t, ret->kind == TOML_INLINE_TABLE, ret);
	}
	ok = scalar(t, &ret->kind);
	ret->text = (struct str){start, (size_t)(t->p - start)};
	return ok;
}

static bool header(struct toml *t, struct toml_expr *ret)
{
	bool array = peek(t, 1) == '[';

	ret->form = array ? TOML_ARRAY_TABLE : TOML_TABLE;
	t->p += array ? 2 : 1;
	skip_blank(t);
	if (!key(t, &ret->pair.key))
		return false;
	if (peek(t, 0) != ']' || (array && peek(t, 1) != ']'))
		return fail(t, array ? "expected ']]' to close array table name"
				     : "expected ']' to close table name");
	t->p += array ? 2 : 1;
	return true;
}

static bool expression(struct toml *t, struct toml_doc *out)
{
	struct toml_expr e = {0};
	bool any;

	skip_blank(t);
	any = t->p < t->end && *t->p != '#' && *t->p != '\n' && *t->p != '\r';
	if (any && !(*t->p == '[' ? header(t, &e) : assignment(t, &e.pair)))
		return false;
	skip_blank(t);
	if (peek(t, 0) == '#' && !comment(t))
		return false;
	if (!line_end(t))
		return false;
	if (any)
		VEC_PUSH(t->a, &out->exprs, e);
	return true;
}

void toml_read(struct arena *a, struct str text, struct toml_doc *ret_doc)
{
	struct toml t = {.a = a, .p = text.p, .end = text.p + text.n};

	*ret_doc = (struct toml_doc){0};
	while (t.p < t.end && expression(&t, ret_doc))
		;
	ret_doc->error = t.error;
}
