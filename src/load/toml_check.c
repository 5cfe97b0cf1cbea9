/* What is wrong with a document that is well formed: keys used twice, dates and numbers that are none. */
#include "toml.h"

#include <math.h>
#include <stdlib.h>

#include "idmap.h"
#include "intern.h"

enum used_as { VALUE, DOTTED, TABLE, ARRAY_TABLE };

struct used {
	enum used_as as;
	bool explicit; /* by a header of its own */
	uint32_t scope;
};

struct toml_seen {
	struct arena *a;
	struct intern names;
	struct idmap index; /* of used, by scope and name */
	VEC(struct used) used;
	uint32_t scopes, table; /* those given out; that of the header in force */
};

struct toml_seen *toml_seen_new(struct arena *a)
{
	struct toml_seen *s = ARENA_NEW(a, struct toml_seen);

	s->a = a;
	intern_init(&s->names, a);
	idmap_init(&s->index, a);
	return s;
}

static struct used *find(const struct toml_seen *s, uint32_t scope, sid name)
{
	uint32_t i;

	return idmap_get(&s->index, IDMAP_PAIR(scope, name), &i) ? &s->used.v[i] : NULL;
}

static struct used *add(struct toml_seen *s, uint32_t scope, sid name, enum used_as as, bool explicit)
{
	idmap_put(&s->index, IDMAP_PAIR(scope, name), s->used.n);
	VEC_PUSH(s->a, &s->used, ((struct used){as, explicit, ++s->scopes}));
	return &s->used.v[s->used.n - 1];
}

static const char *as_text(const struct used *u)
{
	static const char *const names[] = {"value", "kv-table", "table", "array-table"};

	return names[u->as];
}

static const char *table_again(struct toml_seen *s, struct used *u, struct str name)
{
	switch (u->as) {
	case TABLE:
		if (u->explicit)
			return arena_printf(s->a, "table %.*s already exists", STR_ARG(name));
		u->explicit = true;
		s->table = u->scope;
		return NULL;
	case DOTTED:
		return arena_printf(s->a, "table %.*s already exists as defined by a dotted key",
				    STR_ARG(name));
	case ARRAY_TABLE:
		return arena_printf(s->a, "table %.*s already exists as an array of tables", STR_ARG(name));
	case VALUE:
		break;
	}
	return arena_printf(s->a, "key %.*s should be a table, not a %s", STR_ARG(name), as_text(u));
}

static const char *array_again(struct toml_seen *s, struct used *u, struct str name)
{
	if (u->as != ARRAY_TABLE)
		return arena_printf(s->a, "key %.*s already exists as a %s, but should be an array table",
				    STR_ARG(name), as_text(u));
	/* The new element starts with no keys. */
	u->scope = ++s->scopes;
	s->table = u->scope;
	return NULL;
}

static const char *check_header(struct toml_seen *s, const struct toml_key *key, bool array)
{
	uint32_t scope = 0;

	for (uint32_t i = 0;; i++) {
		struct str text = key->part.v[i];
		sid name = intern_put(&s->names, text);
		struct used *u = find(s, scope, name);

		if (i + 1 == key->part.n) {
			if (u)
				return array ? array_again(s, u, text) : table_again(s, u, text);
			s->table = add(s, scope, name, array ? ARRAY_TABLE : TABLE, true)->scope;
			return NULL;
		}
		if (u && u->as == VALUE)
			return arena_printf(s->a, "key %.*s already exists as a value", STR_ARG(text));
		scope = u ? u->scope : add(s, scope, name, TABLE, false)->scope;
	}
}

static const char *check_items(struct toml_seen *s, uint32_t scope, const struct toml_value *v);

static const char *check_pair(struct toml_seen *s, uint32_t scope, const struct toml_pair *p)
{
	for (uint32_t i = 0;; i++) {
		struct str text = p->key.part.v[i];
		sid name = intern_put(&s->names, text);
		struct used *u = find(s, scope, name);
		bool last = i + 1 == p->key.part.n;

		if (u && (last || u->as != DOTTED))
			return arena_printf(s->a, "key %.*s is already defined", STR_ARG(text));
		scope = u ? u->scope : add(s, scope, name, last ? VALUE : DOTTED, false)->scope;
		if (last)
			return check_items(s, scope, &p->value);
	}
}

/* Depth is bounded by the reader. */
static const char *check_items(struct toml_seen *s, uint32_t scope, const struct toml_value *v)
{
	for (uint32_t i = 0; i < v->n; i++) {
		const char *error = v->kind == TOML_INLINE_TABLE
					    ? check_pair(s, scope, &v->items[i])
					    : check_items(s, ++s->scopes, &v->items[i].value);

		if (error)
			return error;
	}
	return NULL;
}

const char *toml_seen_check(struct toml_seen *s, const struct toml_expr *e)
{
	return e->form == TOML_PAIR ? check_pair(s, s->table, &e->pair)
				    : check_header(s, &e->pair.key, e->form == TOML_ARRAY_TABLE);
}

static const char *integer_error(struct arena *a, struct str s)
{
	static const struct {
		const char *name, *prefix;
		uint64_t base;
	} forms[] = {{"hexadecimal", "0x", 16}, {"octal", "0o", 8}, {"binary", "0b", 2}, {"decimal", "", 10}};
	bool minus = s.n && s.p[0] == '-', sign = minus || (s.n && s.p[0] == '+');
	uint64_t v = 0, limit = (uint64_t)INT64_MAX + minus;
	size_t f = 0;

	while (!str_starts(s, forms[f].prefix))
		f++;
	for (size_t i = strlen(forms[f].prefix) + sign; i < s.n; i++) {
		char c = s.p[i];
		uint64_t digit = (uint64_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);

		if (c == '_')
			continue;
		if (v > (limit - digit) / forms[f].base)
			return arena_printf(a, "%s number is too large to fit in a 64-bit signed integer",
					    forms[f].name);
		v = v * forms[f].base + digit;
	}
	return NULL;
}

static const char *float_error(struct arena *a, struct str s)
{
	char *digits = arena_strndup(a, s.p, s.n), *to = digits;
	double v;

	for (const char *c = digits; *c; c++)
		if (*c != '_')
			*to++ = *c;
	*to = '\0';
	v = strtod(digits, NULL);
	if (!isinf(v) || strchr(digits, 'n'))
		return NULL;
	return arena_printf(
		a, "unable to parse float: strconv.ParseFloat: parsing \"%s\": value out of range", digits);
}

/* Two or four digits, or -1. */
static int number(struct str s, size_t from, size_t n)
{
	int v = 0;

	for (size_t i = from; i < from + n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return -1;
		v = v * 10 + (s.p[i] - '0');
	}
	return v;
}

#define NO_DIGIT "expected digit (0-9)"

static const char *date_error(struct str s)
{
	static const int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int year, month, day;
	bool leap;

	if (s.n != 10 || s.p[4] != '-' || s.p[7] != '-')
		return "dates are expected to have the format YYYY-MM-DD";
	year = number(s, 0, 4);
	month = number(s, 5, 2);
	day = number(s, 8, 2);
	if (year < 0 || month < 0 || day < 0)
		return NO_DIGIT;
	leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
	if (month < 1 || month > 12 || day < 1 || day > days[month - 1] || (month == 2 && day == 29 && !leap))
		return "impossible date";
	return NULL;
}

static struct str after(struct str s, size_t n)
{
	return (struct str){s.p + n, s.n - n};
}

/* HH:MM[:SS[.N]]; *s is what follows. */
static const char *time_error(struct str *s)
{
	size_t n = 0;

	if (s->n < 5)
		return "times are expected to have the format HH:MM[:SS[.NNNNNN]]";
	if (number(*s, 0, 2) < 0)
		return NO_DIGIT;
	if (number(*s, 0, 2) > 23)
		return "hour cannot be greater 23";
	if (s->p[2] != ':')
		return "expecting colon between hours and minutes";
	if (number(*s, 3, 2) < 0)
		return NO_DIGIT;
	if (number(*s, 3, 2) > 59)
		return "minutes cannot be greater 59";
	*s = after(*s, 5);
	if (!s->n || s->p[0] != ':')
		return NULL;
	if (s->n < 3)
		return "incomplete seconds";
	if (number(*s, 1, 2) < 0)
		return NO_DIGIT;
	if (number(*s, 1, 2) > 59)
		return "seconds cannot be greater than 59";
	*s = after(*s, 3);
	if (!s->n || s->p[0] != '.')
		return NULL;
	while (n + 1 < s->n && s->p[n + 1] >= '0' && s->p[n + 1] <= '9')
		n++;
	*s = after(*s, n + 1);
	return n ? NULL : "need at least one digit after fraction point";
}

static const char *zone_error(struct str s)
{
	if (!s.n)
		return "date-time is missing timezone";
	if (s.p[0] == 'Z' || s.p[0] == 'z')
		return s.n > 1 ? "extra bytes at the end of the timezone" : NULL;
	if (s.n != 6)
		return "invalid date-time timezone";
	if (s.p[0] != '-' && s.p[0] != '+')
		return "invalid timezone offset character";
	if (s.p[3] != ':')
		return "expected a : separator";
	if (number(s, 1, 2) < 0)
		return NO_DIGIT;
	if (number(s, 1, 2) > 23)
		return "invalid timezone offset hours";
	if (number(s, 4, 2) < 0)
		return NO_DIGIT;
	return number(s, 4, 2) > 59 ? "invalid timezone offset minutes" : NULL;
}

static const char *datetime_error(struct str s, bool zone)
{
	const char *error;

	if (s.n < 11)
		return "local datetimes are expected to have the format YYYY-MM-DDTHH:MM[:SS[.NNNNNNNNN]]";
	error = date_error((struct str){s.p, 10});
	if (error)
		return error;
	if (!strchr("Tt ", s.p[10]))
		return "datetime separator is expected to be T or a space";
	s = after(s, 11);
	error = time_error(&s);
	if (error)
		return error;
	if (zone)
		return zone_error(s);
	return s.n ? "extra characters at the end of a local date time" : NULL;
}

const char *toml_value_error(struct arena *a, const struct toml_value *v)
{
	const char *error = NULL;
	struct str s = v->text;

	switch (v->kind) {
	case TOML_STRING:
	case TOML_BOOL:
		return NULL;
	case TOML_INTEGER:
		return integer_error(a, s);
	case TOML_FLOAT:
		return float_error(a, s);
	case TOML_DATETIME:
	case TOML_LOCAL_DATETIME:
		return datetime_error(s, v->kind == TOML_DATETIME);
	case TOML_LOCAL_DATE:
		return date_error(s);
	case TOML_LOCAL_TIME:
		error = time_error(&s);
		return error ? error : s.n ? "extra characters at the end of a local time" : NULL;
	case TOML_ARRAY:
	case TOML_INLINE_TABLE:
		for (uint32_t i = 0; i < v->n && !error; i++)
			error = toml_value_error(a, &v->items[i].value);
		return error;
	}
	return NULL;
}
