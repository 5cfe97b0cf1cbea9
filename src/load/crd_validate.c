/*
 * The schema and the cross-field rules, with the API server's words. Rule: "Validation rules", section 4; the
 * type check of kube-openapi, which takes formats it does not know (int32, int64) as no format.
 */
#include <stdlib.h>

#include "crd.h"
#include "re.h"

static const char *type_name(const struct jval *v)
{
	static const char *const names[] = {"null",   "boolean", "integer", "number",
					    "string", "array",   "object"};

	return names[v->type];
}

static void blocking(struct crd_walk *w)
{
	w->skip_rules = true;
}

static const char *here(const struct crd_walk *w)
{
	return buf_cstr(&w->path);
}

static void type_error(struct crd_walk *w, const struct jval *v, const char *want, const char *got)
{
	crd_error(w, v, "TypeInvalid", "Invalid value: \"%s\": %s in body must be of type %s: \"%s\"", got,
		  here(w), want, got);
	blocking(w);
}

/* Go's %v; nesting is bounded by the reader. */
static void add_go(struct crd_walk *w, struct buf *out, const struct jval *v)
{
	switch (v->type) {
	case JV_NULL:
		buf_adds(out, "<nil>");
		return;
	case JV_BOOL:
		buf_adds(out, v->b ? "true" : "false");
		return;
	case JV_INT:
	case JV_FLOAT:
		jval_add_number(out, v);
		return;
	case JV_STRING:
		buf_addstr(out, v->s);
		return;
	case JV_LIST:
		buf_addch(out, '[');
		for (uint32_t i = 0; i < v->items.n; i++) {
			buf_adds(out, i ? " " : "");
			add_go(w, out, v->items.v[i]);
		}
		buf_addch(out, ']');
		return;
	case JV_MAP: {
		const struct jmember *m = jval_sorted(w->a, v);

		buf_adds(out, "map[");
		for (uint32_t i = 0; i < v->members.n; i++) {
			buf_addf(out, "%s%.*s:", i ? " " : "", STR_ARG(m[i].key));
			add_go(w, out, m[i].v);
		}
		buf_addch(out, ']');
		return;
	}
	}
}

/* A value as the API server's messages show it: numbers as Go does, strings quoted, the rest as JSON. */
static const char *shown(struct crd_walk *w, const struct jval *v)
{
	struct buf out;
	const char *text;

	buf_init(&out);
	if (v->type == JV_STRING)
		crd_add_quoted(&out, v->s);
	else if (v->type == JV_INT || v->type == JV_FLOAT)
		jval_add_number(&out, v);
	else
		jval_add_json(w->a, &out, v);
	text = arena_strndup(w->a, buf_cstr(&out), out.n);
	buf_release(&out);
	return text;
}

static void check_enum(struct crd_walk *w, const struct jval *v, const struct crd_field *f)
{
	struct buf list;

	for (const char *const *x = f->values; *x; x++)
		if (jval_is_text(v, *x))
			return;
	buf_init(&list);
	for (const char *const *x = f->values; *x; x++)
		buf_addf(&list, "%s\"%s\"", x == f->values ? "" : ", ", *x);
	crd_error(w, v, "NotSupported", "Unsupported value: %s: supported values: %s", shown(w, v),
		  buf_cstr(&list));
	buf_release(&list);
	blocking(w);
}

static const struct re *compiled(struct crd_walk *w, const char *pattern)
{
	for (uint32_t i = 0; i < w->patterns.n; i++)
		if (w->patterns.v[i].text == pattern)
			return w->patterns.v[i].re;
	const struct re *re = re_compile(w->a, pattern);

	VEC_PUSH(w->a, &w->patterns, ((struct crd_pattern){pattern, re}));
	return re;
}

static size_t characters(struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += ((unsigned char)s.p[i] & 0xc0) != 0x80;
	return n;
}

/* Only the first failure of the three is reported. */
static void check_string(struct crd_walk *w, const struct jval *v, const struct crd_field *f)
{
	if (f->max_chars && characters(v->s) > f->max_chars) {
		crd_error(w, v, "TooLong", "Too long: may not be more than %u bytes", f->max_chars);
		blocking(w);
		return;
	}
	if (characters(v->s) < f->min_chars)
		crd_error(w, v, "Invalid", "Invalid value: %s: %s in body should be at least %u chars long",
			  shown(w, v), here(w), f->min_chars);
	else if (f->pattern && !re_match(compiled(w, f->pattern), v->s))
		crd_error(w, v, "Invalid", "Invalid value: %s: %s in body should match '%s'", shown(w, v),
			  here(w), f->pattern);
}

static void check_number(struct crd_walk *w, const struct jval *v, const struct crd_field *f)
{
	bool low = v->type == JV_INT ? v->i < f->min : v->f < (double)f->min;
	bool high = v->type == JV_INT ? v->i > f->max : v->f > (double)f->max;

	if ((f->flags & CRD_HAS_MIN) && low)
		crd_error(w, v, "Invalid",
			  "Invalid value: %s: %s in body should be greater than or equal to %lld",
			  shown(w, v), here(w), (long long)f->min);
	if ((f->flags & CRD_HAS_MAX) && high)
		crd_error(w, v, "Invalid",
			  "Invalid value: %s: %s in body should be less than or equal to %lld", shown(w, v),
			  here(w), (long long)f->max);
}

static bool two_digits(const char *p, int max)
{
	return p[0] >= '0' && p[0] <= '9' && p[1] >= '0' && p[1] <= '9' &&
	       (p[0] - '0') * 10 + p[1] - '0' <= max;
}

/* The date-time of the server's format registry: seconds up to 59, any case of T and Z, the first match
 * counts. */
static bool is_date_time(struct crd_walk *w, struct str s)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int year, month, day;

	if (s.n < 12 || (s.p[10] != 'T' && s.p[10] != 't') || s.p[4] != '-' || s.p[7] != '-' ||
	    !two_digits(s.p, 99) || !two_digits(s.p + 2, 99) || !two_digits(s.p + 5, 12) ||
	    !two_digits(s.p + 8, 31))
		return false;
	year = atoi(s.p);
	month = atoi(s.p + 5);
	day = atoi(s.p + 8);
	if (month < 1 || day < 1 ||
	    day > days[month - 1] + (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)))
		return false;
	s.p += 11;
	s.n -= 11;
	return re_match(compiled(w, "^[0-9]{2}:[0-9]{2}:[0-9]{2}(.[0-9]+)?([zZ]|([+-][0-9]{2}:[0-9]{2}))$"),
			s) &&
	       two_digits(s.p, 23) && two_digits(s.p + 3, 59) && two_digits(s.p + 6, 59);
}

static void check_date_time(struct crd_walk *w, const struct jval *v)
{
	switch (v->type) {
	case JV_LIST:
		return;
	case JV_STRING:
		if (is_date_time(w, v->s))
			return;
		crd_error(w, v, "TypeInvalid", "Invalid value: %s: %s in body must be of type date-time: %s",
			  shown(w, v), here(w), shown(w, v));
		blocking(w);
		return;
	case JV_NULL:
		type_error(w, v, "string", "null");
		return;
	case JV_INT:
		type_error(w, v, "date-time", "int64");
		return;
	case JV_FLOAT:
		type_error(w, v, "date-time", "double");
		return;
	case JV_BOOL:
	case JV_MAP:
		type_error(w, v, "date-time", "");
	}
}

static void check_int_or_string(struct crd_walk *w, const struct jval *v, const struct crd_field *f)
{
	const char *path = here(w);
	size_t n = w->path.n;

	if (v->type == JV_INT)
		return;
	if (v->type == JV_STRING) {
		check_string(w, v, f);
		return;
	}
	type_error(w, v, "integer,string", type_name(v));
	type_error(w, v, "integer", type_name(v));
	path = arena_strndup(w->a, path, n);
	crd_leave(w, 0);
	crd_error(w, v, "Invalid", "Invalid value: \"\": \"%s\" must validate at least one schema (anyOf)",
		  path);
	buf_adds(&w->path, path);
}

static void walk(struct crd_walk *w, const struct jval *v, const struct crd_field *f);

static void too_many(struct crd_walk *w, const struct jval *v, uint32_t n, const struct crd_field *f)
{
	if (f->max_len && n > f->max_len) {
		crd_error(w, v, "TooMany", "Too many: %u: must have at most %u items", n, f->max_len);
		blocking(w);
	}
}

static void check_object(struct crd_walk *w, const struct jval *v, const struct crd_field *f)
{
	for (const struct crd_field *c = f->fields; c && c->name; c++) {
		size_t mark = crd_enter(w, str_of(c->name));
		const struct jval *m = jval_get(v, c->name);

		if (m) {
			walk(w, m, c);
		} else if (c->flags & CRD_REQUIRED) {
			crd_error(w, v, "Required", "Required value");
			blocking(w);
		}
		crd_leave(w, mark);
	}
	if (f->type != CRD_MAP)
		return;
	too_many(w, v, v->members.n, f);
	for (uint32_t i = 0; i < v->members.n; i++) {
		size_t mark = crd_enter(w, v->members.v[i].key);

		walk(w, v->members.v[i].v, f->item);
		crd_leave(w, mark);
	}
}

static bool same_scalar(const struct jval *x, const struct jval *y)
{
	if (x->type != y->type)
		return false;
	switch (x->type) {
	case JV_NULL:
		return true;
	case JV_BOOL:
		return x->b == y->b;
	case JV_INT:
		return x->i == y->i;
	case JV_STRING:
		return str_eq(x->s, y->s);
	case JV_FLOAT:
	case JV_LIST:
	case JV_MAP:
		return false;
	}
	return false;
}

static void check_list(struct crd_walk *w, const struct jval *v, const struct crd_field *f)
{
	too_many(w, v, v->items.n, f);
	if (v->items.n < f->min_len)
		crd_error(w, v, "Invalid", "Invalid value: %u: %s in body should have at least %u items",
			  v->items.n, here(w), f->min_len);
	for (uint32_t i = 0; i < v->items.n; i++) {
		size_t mark = crd_enter_index(w, i);

		walk(w, v->items.v[i], f->item);
		crd_leave(w, mark);
	}
}

static void walk(struct crd_walk *w, const struct jval *v, const struct crd_field *f)
{
	static const struct {
		enum jtype type;
		const char *name;
	} wants[] = {
		[CRD_OBJECT] = {JV_MAP, "object"},   [CRD_MAP] = {JV_MAP, "object"},
		[CRD_LIST] = {JV_LIST, "array"},     [CRD_STRING] = {JV_STRING, "string"},
		[CRD_INTEGER] = {JV_INT, "integer"}, [CRD_BOOLEAN] = {JV_BOOL, "boolean"},
	};

	if (f->values)
		check_enum(w, v, f);
	if (f->type == CRD_DATE_TIME) {
		check_date_time(w, v);
		return;
	}
	if (f->type == CRD_INT_OR_STRING) {
		check_int_or_string(w, v, f);
		return;
	}
	/* Bounds hold for any value of their kind, whatever the type that the schema wants. */
	if (v->type == JV_INT || v->type == JV_FLOAT)
		check_number(w, v, f);
	if (v->type == JV_STRING)
		check_string(w, v, f);
	if (v->type != wants[f->type].type) {
		type_error(w, v, wants[f->type].name, type_name(v));
		return;
	}
	if (v->type == JV_LIST)
		check_list(w, v, f);
	else if (v->type == JV_MAP)
		check_object(w, v, f);
}

static void check_rules(struct crd_walk *w, const struct jval *v, const struct crd_field *f)
{
	static const char *const kinds[] = {"null",   "boolean", "integer", "number",
					    "string", "array",   "object"};

	for (const struct crd_rule *r = f->rules; r && r->check; r++) {
		const char *error = NULL;

		switch (r->check(v, &error)) {
		case CEL_TRUE:
			break;
		case CEL_FALSE:
			if (v->type == JV_STRING)
				crd_error(w, v, "Invalid", "Invalid value: %s: %s", shown(w, v), r->message);
			else
				crd_error(w, v, "Invalid", "Invalid value: %s", r->message);
			break;
		case CEL_ERROR:
			crd_error(w, v, "Invalid", "Invalid value: \"%s\": %s evaluating rule: %s",
				  kinds[v->type], error, r->message);
			break;
		}
	}
}

/* Sets and rules, in every value of the right shape. */
static void walk_rules(struct crd_walk *w, const struct jval *v, const struct crd_field *f, bool rules)
{
	if (rules)
		check_rules(w, v, f);
	for (uint32_t i = 0; f->type == CRD_LIST && i < v->items.n; i++) {
		size_t mark = crd_enter_index(w, i);
		uint32_t seen = 0;

		for (uint32_t k = 0; (f->flags & CRD_SET) && k < i; k++)
			seen += same_scalar(v->items.v[i], v->items.v[k]);
		if (seen == 1 && !rules) /* a value is reported once, however often it returns */
			crd_error(w, v->items.v[i], "Duplicate", "Duplicate value: %s",
				  shown(w, v->items.v[i]));
		walk_rules(w, v->items.v[i], f->item, rules);
		crd_leave(w, mark);
	}
	for (uint32_t i = 0; (f->type == CRD_MAP || f->type == CRD_OBJECT) && i < v->members.n; i++) {
		const struct jmember *m = &v->members.v[i];
		const struct crd_field *c = f->item;

		for (c = f->type == CRD_MAP ? f->item : f->fields; f->type == CRD_OBJECT && c && c->name; c++)
			if (str_is(m->key, c->name))
				break;
		if (!c || (f->type == CRD_OBJECT && !c->name))
			continue;
		size_t mark = crd_enter(w, m->key);

		walk_rules(w, m->v, c, rules);
		crd_leave(w, mark);
	}
}

/* The scale subresource reads its field by itself and calls the path ".spec.replicas". */
static void check_replicas(struct crd_walk *w, const struct jval *root)
{
	static const char *const go_types[] = {
		"<nil>", "bool", "int64", "float64", "string", "[]interface {}", "map[string]interface {}"};
	const struct jval *spec = jval_get(root, "spec"), *v = jval_at(root, w->kind->replicas_path);
	struct buf text;

	if (!spec)
		return;
	buf_addf(&w->path, ".%s", w->kind->replicas_path);
	buf_init(&text);
	if (spec->type != JV_MAP || (v && (v->type != JV_INT || v->decimal))) {
		const struct jval *bad = spec->type != JV_MAP ? spec : v;

		add_go(w, &text, bad);
		crd_error(w, bad, "Invalid",
			  "Invalid value: 0: %s accessor error: %s is of the type %s, expected %s", here(w),
			  buf_cstr(&text), bad->decimal ? "float64" : go_types[bad->type],
			  spec->type != JV_MAP ? "map[string]interface{}" : "int64");
	} else if (v && v->i < 0) {
		crd_error(w, v, "Invalid", "Invalid value: %lld: should be a non-negative integer",
			  (long long)v->i);
	} else if (v && v->i > INT32_MAX) {
		crd_error(w, v, "Invalid", "Invalid value: %lld: should be less than or equal to 2147483647",
			  (long long)v->i);
	}
	buf_release(&text);
	crd_leave(w, 0);
}

void crd_validate(struct crd_walk *w, struct jval *root)
{
	walk(w, root, &w->kind->root);
	if (w->kind->replicas_path)
		check_replicas(w, root);
	walk_rules(w, root, &w->kind->root, false);
	if (!w->skip_rules)
		walk_rules(w, root, &w->kind->root, true);
	else
		crd_error(
			w, NULL, "Invalid",
			"Invalid value: null: some validation rules were not checked because the object was "
			"invalid; correct the existing errors to complete validation");
}
