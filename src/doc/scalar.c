#include "scalar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Rule: go-yaml v2's resolver, which sigs.k8s.io/yaml uses. Underscores are dropped before a number is read;
 * base 60 and dates stay strings; numbers out of a double's range stay strings.
 */
struct word {
	const char *text;
	enum scalar_type type;
	bool b;
};

static const struct word words[] = {
	{"~", SCALAR_NULL, false},     {"null", SCALAR_NULL, false},  {"Null", SCALAR_NULL, false},
	{"NULL", SCALAR_NULL, false},  {"y", SCALAR_BOOL, true},      {"Y", SCALAR_BOOL, true},
	{"yes", SCALAR_BOOL, true},    {"Yes", SCALAR_BOOL, true},    {"YES", SCALAR_BOOL, true},
	{"on", SCALAR_BOOL, true},     {"On", SCALAR_BOOL, true},     {"ON", SCALAR_BOOL, true},
	{"true", SCALAR_BOOL, true},   {"True", SCALAR_BOOL, true},   {"TRUE", SCALAR_BOOL, true},
	{"n", SCALAR_BOOL, false},     {"N", SCALAR_BOOL, false},     {"no", SCALAR_BOOL, false},
	{"No", SCALAR_BOOL, false},    {"NO", SCALAR_BOOL, false},    {"off", SCALAR_BOOL, false},
	{"Off", SCALAR_BOOL, false},   {"OFF", SCALAR_BOOL, false},   {"false", SCALAR_BOOL, false},
	{"False", SCALAR_BOOL, false}, {"FALSE", SCALAR_BOOL, false},
};

#define MAX_NUMBER 320 /* longer text is no number that a manifest can mean */

static struct scalar string_scalar(void)
{
	return (struct scalar){.type = SCALAR_STRING};
}

static struct scalar word_scalar(struct str s)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (str_is(s, words[i].text))
			return (struct scalar){.type = words[i].type, .b = words[i].b};
	return string_scalar();
}

/* .inf and .nan in their spellings. */
static bool special_float(const char *s, double *ret_f)
{
	static const char *const inf[] = {".inf", ".Inf", ".INF"}, *const nan[] = {".nan", ".NaN", ".NAN"};
	bool minus = *s == '-', sign = minus || *s == '+';

	for (int i = 0; i < 3; i++) {
		if (strcmp(s + sign, inf[i]) == 0) {
			*ret_f = minus ? -(double)INFINITY : (double)INFINITY;
			return true;
		}
		if (!sign && strcmp(s, nan[i]) == 0) {
			*ret_f = (double)NAN;
			return true;
		}
	}
	return false;
}

/* [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? */
static bool looks_float(const char *s)
{
	size_t whole, part = 0;

	s += *s == '-' || *s == '+';
	whole = strspn(s, "0123456789");
	s += whole;
	if (*s == '.') {
		part = strspn(++s, "0123456789");
		s += part;
	}
	if (whole == 0 && part == 0)
		return false;
	if (*s == 'e' || *s == 'E') {
		s++;
		s += *s == '-' || *s == '+';
		if (!strspn(s, "0123456789"))
			return false;
		s += strspn(s, "0123456789");
	}
	return *s == '\0';
}

static struct scalar float_scalar(const char *s)
{
	struct scalar v = {.type = SCALAR_FLOAT, .f = strtod(s, NULL)};

	if (isinf(v.f))
		return string_scalar();
	/* JSON has one kind of number, so a float without a fraction arrives as an integer. */
	if (v.f > -0x1p63 && v.f < 0x1p63) {
		v.i = (int64_t)v.f;
		if (!((double)v.i < v.f) && !((double)v.i > v.f))
			v.type = SCALAR_INT;
	}
	return v;
}

static int digit(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
				      : 16;
}

/* An integer in the notation of Go's base 0: decimal, 0x, 0o, 0b, or octal after a leading zero. Up to 64
 * bits. */
static bool int_scalar(const char *s, struct scalar *ret_v)
{
	bool sign = *s == '-' || *s == '+', minus = *s == '-';
	uint64_t u = 0, limit = minus ? (uint64_t)1 << 63 : INT64_MAX;
	int base = 10;

	s += sign;
	if (*s == '0' && s[1]) {
		char c = (char)(s[1] | 0x20);

		base = c == 'x' ? 16 : c == 'b' ? 2 : 8;
		s += c == 'x' || c == 'b' || c == 'o' ? 2 : 1;
	}
	if (!*s)
		return false;
	for (; *s; s++) {
		int x = digit(*s);

		if (x >= base || __builtin_mul_overflow(u, (uint64_t)base, &u) ||
		    __builtin_add_overflow(u, (uint64_t)x, &u))
			return false;
	}
	*ret_v = (struct scalar){.type = SCALAR_INT, .f = minus ? -(double)u : (double)u};
	if (u <= limit) {
		ret_v->i = minus ? (int64_t)(0 - u) : (int64_t)u;
		return true;
	}
	ret_v->big = true;
	ret_v->i = minus ? INT64_MIN : INT64_MAX;
	return !sign;
}

static struct scalar number_scalar(struct str text)
{
	char plain[MAX_NUMBER + 1];
	struct scalar v;
	size_t n = 0;
	bool underscore = false;

	if (text.n > MAX_NUMBER)
		return string_scalar();
	for (size_t i = 0; i < text.n; i++) {
		underscore |= text.p[i] == '_';
		if (text.p[i] != '_')
			plain[n++] = text.p[i];
	}
	plain[n] = '\0';
	if (!underscore && special_float(plain, &v.f))
		return (struct scalar){.type = SCALAR_FLOAT, .f = v.f};
	if (text.p[0] == '.')
		return !underscore && looks_float(plain) ? float_scalar(plain) : string_scalar();
	if (int_scalar(plain, &v))
		return v;
	if (!looks_float(plain))
		return string_scalar();
	v = float_scalar(plain);
	/* Digits alone, but too many for 64 bits. */
	if (v.type == SCALAR_FLOAT && !strpbrk(plain, ".eE")) {
		v.type = SCALAR_INT;
		v.big = true;
		v.i = plain[0] == '-' ? INT64_MIN : INT64_MAX;
	}
	return v;
}

struct scalar scalar_of(const struct doc_node *n)
{
	KS_BUG_ON(n->kind != DOC_SCALAR);
	if (n->quoted)
		return string_scalar();
	if (n->text.n == 0)
		return (struct scalar){.type = SCALAR_NULL};
	if ((n->text.p[0] >= '0' && n->text.p[0] <= '9') || strchr("+-.", n->text.p[0]))
		return number_scalar(n->text);
	return word_scalar(n->text);
}

bool doc_is_null(const struct doc_node *n)
{
	return !n || (n->kind == DOC_SCALAR && scalar_of(n).type == SCALAR_NULL);
}

const char *doc_type_name(const struct doc_node *n)
{
	static const char *const name[] = {[SCALAR_NULL] = "null",
					   [SCALAR_BOOL] = "a boolean",
					   [SCALAR_INT] = "a number",
					   [SCALAR_FLOAT] = "a number",
					   [SCALAR_STRING] = "a string"};

	if (!n)
		return "null";
	return n->kind == DOC_MAP ? "a map" : n->kind == DOC_SEQ ? "a list" : name[scalar_of(n).type];
}
