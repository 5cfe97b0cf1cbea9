#include "toml.h"

#include <string.h>

struct toml {
	struct arena *a;
	const char *p, *end;
	toml_visit visit;
	void *ctx;
	struct toml_path table, path; /* the header in force; the key at hand */
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

static bool escape(struct toml *t)
{
	size_t digits = peek(t, 1) == 'u' ? 4 : peek(t, 1) == 'U' ? 8 : peek(t, 1) == 'x' ? 2 : 0;

	if (t->p + 1 == t->end)
		return fail(t, "need a character after \\");
	if (!digits && !strchr("\"\\bfnrte", t->p[1])) {
		t->p++;
		return fail_char(t, "invalid escaped character ", "");
	}
	t->p += 2;
	for (; digits; digits--, t->p++)
		if (t->p == t->end || !hex(*t->p))
			return fail(t, "non-hex character");
	return true;
}

/* A string between quotes q; raw ones know no escapes. The text between them, as written, is the value. */
static bool string(struct toml *t, char q, bool lines, struct str *ret)
{
	size_t marks = lines ? 3 : 1;
	const char *kind =
		q == '"' ? (lines ? "multiline basic" : "basic") : (lines ? "multiline literal" : "literal");

	t->p += marks;
	ret->p = t->p;
	while (t->p < t->end) {
		unsigned char c = (unsigned char)*t->p;

		if (c == (unsigned char)q && (!lines || (peek(t, 1) == q && peek(t, 2) == q))) {
			ret->n = (size_t)(t->p - ret->p);
			t->p += marks;
			for (int i = 0; lines && i < 2 && peek(t, 0) == q; i++)
				t->p++;
			return true;
		}
		if (c == '\n' && !lines)
			return fail(t, arena_printf(t->a, "%s strings cannot have new lines", kind));
		if ((c < 0x20 && c != '\t' && !(lines && (c == '\n' || c == '\r'))) || c == 0x7f)
			return fail(t, "invalid ASCII character");
		if (c == '\\' && q == '"' && lines && strchr(" \t\r\n", peek(t, 1)) && t->p + 1 < t->end)
			t->p += 2; /* a line goes on in the next */
		else if (c == '\\' && q == '"') {
			if (!escape(t))
				return false;
		} else
			t->p++;
	}
	return fail(t, arena_printf(t->a, "unterminated %s string", kind));
}

static bool bare(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
	       c == '_';
}

/* A key with its dots, and the blanks after it; appends to path. */
static bool key(struct toml *t, struct toml_path *path)
{
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
		if (path->n == TOML_MAX_PARTS)
			return fail(t, "too many parts in a key");
		path->part[path->n++] = part;
		skip_blank(t);
		if (peek(t, 0) != '.')
			return true;
		t->p++;
		skip_blank(t);
	}
}

static bool value(struct toml *t, enum toml_kind *ret);

static bool assignment(struct toml *t)
{
	uint32_t n = t->path.n;
	enum toml_kind kind;
	const char *error;

	if (!key(t, &t->path))
		return false;
	if (peek(t, 0) != '=')
		return fail(t, "expected '=' after key");
	t->p++;
	skip_blank(t);
	if (!value(t, &kind))
		return false;
	error = t->visit(t->ctx, t->a, &t->path, kind);
	t->path.n = n;
	return !error || fail(t, error);
}

/* The items of an array or of an inline table, up to its end. */
static bool items(struct toml *t, bool table)
{
	bool after = false;
	enum toml_kind kind;

	if (++t->depth > TOML_MAX_DEPTH)
		return fail(t, "values are nested too deep");
	for (t->p++;;) {
		char c = (skip_blank(t), peek(t, 0));

		if (t->p == t->end)
			return fail(t, table ? "inline table is incomplete" : "array is incomplete");
		if (c == (table ? '}' : ']')) {
			t->p++;
			t->depth--;
			return true;
		}
		if (c == '\n' || c == '\r') {
			if (!line_end(t))
				return false;
		} else if (c == '#') {
			if (!comment(t))
				return false;
		} else if (c == ',') {
			if (!after)
				return table ? fail(t, "unexpected comma in inline table")
					     : fail_char(t, "expected value but got ", "");
			after = false;
			t->p++;
		} else {
			if (after)
				return fail(t, table ? "expected ',' or '}' after inline table key-value"
						     : "expected ',' or ']' after array value");
			after = true;
			if (table ? !assignment(t) : !value(t, &kind))
				return false;
		}
	}
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

static bool value(struct toml *t, enum toml_kind *ret)
{
	struct str text;
	char c = peek(t, 0);

	if (t->p == t->end)
		return fail(t, "expected value, not end of input");
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
	case '[':
		*ret = TOML_ARRAY;
		return items(t, false);
	case '{':
		*ret = TOML_INLINE_TABLE;
		return items(t, true);
	default:
		break;
	}
	if (digit(c) && is_time(t)) {
		*ret = TOML_TIME;
		while (digit(peek(t, 0)) || (peek(t, 0) && strchr(":-+.ZzTt", peek(t, 0))) ||
		       (peek(t, 0) == ' ' && digit(peek(t, 1))))
			t->p++;
		return true;
	}
	if (digit(c) || c == '+' || c == '-')
		return number(t, ret);
	return fail_char(t, "unexpected character ", " at start of value");
}

static bool header(struct toml *t)
{
	bool array = peek(t, 1) == '[';
	const char *error;

	t->p += array ? 2 : 1;
	skip_blank(t);
	t->table.n = 0;
	if (!key(t, &t->table))
		return false;
	if (peek(t, 0) != ']' || (array && peek(t, 1) != ']'))
		return fail(t, array ? "expected ']]' to close array table name"
				     : "expected ']' to close table name");
	t->p += array ? 2 : 1;
	error = t->visit(t->ctx, t->a, &t->table, TOML_TABLE);
	return !error || fail(t, error);
}

static bool expression(struct toml *t)
{
	bool ok;

	skip_blank(t);
	if (t->p < t->end && *t->p != '#' && *t->p != '\n' && *t->p != '\r') {
		t->path = t->table;
		ok = *t->p == '[' ? header(t) : assignment(t);
		if (!ok)
			return false;
		skip_blank(t);
	}
	if (peek(t, 0) == '#' && !comment(t))
		return false;
	return line_end(t);
}

const char *toml_read(struct arena *a, struct str text, toml_visit visit, void *ctx)
{
	struct toml *t = ARENA_NEW(a, struct toml);

	t->a = a;
	t->p = text.p;
	t->end = text.p + text.n;
	t->visit = visit;
	t->ctx = ctx;
	while (t->p < t->end && expression(t))
		;
	return t->error;
}
