#include "jval.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scalar.h"

struct jval *jval_new(struct arena *a, enum jtype type)
{
	struct jval *v = ARENA_NEW(a, struct jval);

	v->type = type;
	return v;
}

struct jval *jval_string(struct arena *a, const char *s)
{
	struct jval *v = jval_new(a, JV_STRING);

	v->s = str_of(s);
	return v;
}

/* Integral doubles below 1e21 are written without an exponent and so come back as integers. */
static void set_number(struct jval *v, double f)
{
	v->type = JV_FLOAT;
	v->f = f;
	if (f >= -9223372036854775808.0 && f < 9223372036854775808.0 && !(trunc(f) < f) && !(trunc(f) > f)) {
		v->type = JV_INT;
		v->i = (int64_t)f;
	}
}

static bool is_decimal(struct str text)
{
	return text.n &&
	       (memchr(text.p, '.', text.n) || memchr(text.p, 'e', text.n) || memchr(text.p, 'E', text.n));
}

static void set_scalar(struct jval *v, const struct doc_node *n, struct jval_error *err)
{
	struct scalar s = scalar_of(n);

	switch (s.type) {
	case SCALAR_NULL:
		v->type = JV_NULL;
		return;
	case SCALAR_BOOL:
		v->type = JV_BOOL;
		v->b = s.b;
		return;
	case SCALAR_INT:
		if (s.big) {
			set_number(v, s.f);
			return;
		}
		v->type = JV_INT;
		v->i = s.i;
		return;
	case SCALAR_FLOAT:
		if (!isfinite(s.f) && !err->text) {
			err->text = isnan(s.f)  ? "json: unsupported value: NaN"
				    : s.f > 0.0 ? "json: unsupported value: +Inf"
						: "json: unsupported value: -Inf";
			err->line = n->line;
			err->col = n->col;
		}
		set_number(v, s.f);
		return;
	case SCALAR_STRING:
		break;
	}
	v->type = JV_STRING;
	v->s = n->text;
}

/* The tree's depth is bounded by its reader. */
static struct jval *convert(struct arena *a, const struct doc_node *n, bool json, struct jval_error *err)
{
	struct jval *v = jval_new(a, JV_NULL);

	v->line = n->line;
	v->col = n->col;
	v->len = n->len;
	if (n->kind == DOC_SCALAR) {
		set_scalar(v, n, err);
		v->decimal = json && v->type == JV_INT && is_decimal(n->text);
	} else if (n->kind == DOC_SEQ) {
		v->type = JV_LIST;
		VEC_RESERVE(a, &v->items, n->n);
		for (uint32_t i = 0; i < n->n; i++)
			VEC_PUSH(a, &v->items, convert(a, n->items[i], json, err));
	} else {
		v->type = JV_MAP;
		VEC_RESERVE(a, &v->members, n->n);
		for (uint32_t i = 0; i < n->n; i++) {
			const struct doc_entry *e = &n->entries[i];

			VEC_PUSH(
				a, &v->members,
				((struct jmember){e->key, e->line, e->col, convert(a, e->value, json, err)}));
		}
	}
	return v;
}

struct jval *jval_of(struct arena *a, const struct doc_node *n, bool json, struct jval_error *ret_error)
{
	*ret_error = (struct jval_error){0};
	return convert(a, n, json, ret_error);
}

struct jval *jval_copy(struct arena *a, const struct jval *v)
{
	struct jval *c = ARENA_NEW(a, struct jval);

	*c = *v;
	memset(&c->items, 0, sizeof(c->items));
	memset(&c->members, 0, sizeof(c->members));
	for (uint32_t i = 0; i < v->items.n; i++)
		VEC_PUSH(a, &c->items, jval_copy(a, v->items.v[i]));
	for (uint32_t i = 0; i < v->members.n; i++) {
		struct jmember m = v->members.v[i];

		m.v = jval_copy(a, m.v);
		VEC_PUSH(a, &c->members, m);
	}
	return c;
}

struct jval *jval_get_str(const struct jval *v, struct str key)
{
	if (!jval_is(v, JV_MAP))
		return NULL;
	for (uint32_t i = 0; i < v->members.n; i++)
		if (str_eq(v->members.v[i].key, key))
			return v->members.v[i].v;
	return NULL;
}

struct jval *jval_get(const struct jval *v, const char *key)
{
	return jval_get_str(v, str_of(key));
}

struct jval *jval_has(const struct jval *v, const char *key)
{
	struct jval *m = jval_get(v, key);

	return m && m->type != JV_NULL ? m : NULL;
}

struct jval *jval_at(const struct jval *v, const char *path)
{
	for (;;) {
		const char *dot = strchrnul(path, '.');
		struct jval *m = jval_get_str(v, (struct str){path, (size_t)(dot - path)});

		if (!m || !*dot)
			return m;
		v = m;
		path = dot + 1;
	}
}

void jval_add(struct arena *a, struct jval *map, struct str key, struct jval *v)
{
	VEC_PUSH(a, &map->members, ((struct jmember){key, 0, 0, v}));
}

struct str jval_text(const struct jval *v)
{
	return jval_is(v, JV_STRING) ? v->s : (struct str){"", 0};
}

/* The shortest digits that read back as v, with an exponent below 10^low or from 10^high on. */
static void add_double(struct buf *out, double v, long low, long high)
{
	char text[48], *e;
	int digits = 0;
	long exponent;

	for (; digits < 17; digits++) {
		snprintf(text, sizeof(text), "%.*e", digits, v);
		double back = strtod(text, NULL);

		if (!(back < v) && !(back > v))
			break;
	}
	e = strchr(text, 'e');
	exponent = e ? strtol(e + 1, NULL, 10) : 0;
	if (e && exponent >= low && exponent < high)
		snprintf(text, sizeof(text), "%.*f", digits > exponent ? digits - (int)exponent : 0, v);
	buf_adds(out, text);
}

void jval_add_number(struct buf *out, const struct jval *v)
{
	if (v->type == JV_FLOAT || v->decimal)
		add_double(out, v->type == JV_FLOAT ? v->f : (double)v->i, -4, 6);
	else
		buf_addf(out, "%lld", (long long)v->i);
}

static void add_json_string(struct buf *out, struct str s)
{
	buf_addch(out, '"');
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c == '"' || c == '\\')
			buf_addf(out, "\\%c", (int)c);
		else if (c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f')
			buf_addf(out, "\\%c",
				 c == '\n'   ? 'n'
				 : c == '\r' ? 'r'
				 : c == '\t' ? 't'
				 : c == '\b' ? 'b'
					     : 'f');
		else if (c < 0x20 || c == '<' || c == '>' || c == '&')
			buf_addf(out, "\\u%04x", (unsigned)c);
		else
			buf_addch(out, (char)c);
	}
	buf_addch(out, '"');
}

static int cmp_member(const void *a, const void *b)
{
	return str_cmp(((const struct jmember *)a)->key, ((const struct jmember *)b)->key);
}

const struct jmember *jval_sorted(struct arena *a, const struct jval *v)
{
	uint32_t n = v->members.n;
	struct jmember *m = n ? arena_memdup(a, v->members.v, n, sizeof(*m)) : NULL;

	if (n)
		qsort(m, n, sizeof(*m), cmp_member);
	return m;
}

static void add_json_map(struct arena *a, struct buf *out, const struct jval *v)
{
	const struct jmember *m = jval_sorted(a, v);

	buf_addch(out, '{');
	for (uint32_t i = 0; i < v->members.n; i++) {
		buf_adds(out, i ? "," : "");
		add_json_string(out, m[i].key);
		buf_addch(out, ':');
		jval_add_json(a, out, m[i].v);
	}
	buf_addch(out, '}');
}

void jval_add_json(struct arena *a, struct buf *out, const struct jval *v)
{
	switch (v->type) {
	case JV_NULL:
		buf_adds(out, "null");
		return;
	case JV_BOOL:
		buf_adds(out, v->b ? "true" : "false");
		return;
	case JV_INT:
		buf_addf(out, "%lld", (long long)v->i);
		return;
	case JV_FLOAT:
		add_double(out, v->f, -6, 21);
		return;
	case JV_STRING:
		add_json_string(out, v->s);
		return;
	case JV_LIST:
		buf_addch(out, '[');
		for (uint32_t i = 0; i < v->items.n; i++) {
			buf_adds(out, i ? "," : "");
			jval_add_json(a, out, v->items.v[i]);
		}
		buf_addch(out, ']');
		return;
	case JV_MAP:
		if (v->members.n)
			add_json_map(a, out, v);
		else
			buf_adds(out, "{}");
		return;
	}
}
