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
static struct jval *convert(struct arena *a, const struct doc_node *n, struct jval_error *err)
{
	struct jval *v = jval_new(a, JV_NULL);

	v->line = n->line;
	v->col = n->col;
	v->len = n->len;
	if (n->kind == DOC_SCALAR) {
		set_scalar(v, n, err);
	} else if (n->kind == DOC_SEQ) {
		v->type = JV_LIST;
		VEC_RESERVE(a, &v->items, n->n);
		for (uint32_t i = 0; i < n->n; i++)
			VEC_PUSH(a, &v->items, convert(a, n->items[i], err));
	} else {
		v->type = JV_MAP;
		VEC_RESERVE(a, &v->members, n->n);
		for (uint32_t i = 0; i < n->n; i++) {
			const struct doc_entry *e = &n->entries[i];

			VEC_PUSH(a, &v->members,
				 ((struct jmember){e->key, e->line, e->col, convert(a, e->value, err)}));
		}
	}
	return v;
}

struct jval *jval_of(struct arena *a, const struct doc_node *n, struct jval_error *ret_error)
{
	*ret_error = (struct jval_error){0};
	return convert(a, n, ret_error);
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

/* strconv's 'g' with the shortest precision: an exponent below -4 or from 6 digits before the point on. */
static void add_double(struct buf *out, double v)
{
	char text[40], *e;
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
	if (e && exponent >= -4 && exponent < 6)
		snprintf(text, sizeof(text), "%.*f", digits > exponent ? digits - (int)exponent : 0, v);
	buf_adds(out, text);
}

void jval_add_number(struct buf *out, const struct jval *v)
{
	if (v->type == JV_INT)
		buf_addf(out, "%lld", (long long)v->i);
	else
		add_double(out, v->f);
}
