#include "schema.h"

#include <stdarg.h>

#include "hash.h"
#include "loader.h"
#include "scalar.h"
#include "suggest.h"

/* How deep the search for a misplaced field goes; tables may be recursive. */
#define SEARCH_DEPTH 8

const struct field *schema_field(const struct schema *s, struct str name)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (str_eq(s->field[i].name, name))
			return &s->field[i];
	return NULL;
}

struct span load_span(const struct loader *l, const struct doc_node *n)
{
	return n ? doc_span(l->doc, n) : SPAN_NONE;
}

static void path_add(struct buf *b, const struct frame *f)
{
	if (f->up)
		path_add(b, f->up);
	if (f->index != UINT32_MAX) {
		buf_addf(b, "[%u]", f->index);
		return;
	}
	if (b->n)
		buf_addch(b, '.');
	buf_addstr(b, f->name);
}

const char *load_path(const struct loader *l)
{
	struct buf b;
	const char *out;

	if (!l->path)
		return "the document";
	buf_init(&b);
	path_add(&b, l->path);
	out = arena_strndup(l->arena, b.p, b.n);
	buf_release(&b);
	return out;
}

bool load_wrong_type(struct loader *l, const struct doc_node *n, const char *expected)
{
	diag(l->d, KS_WRONG_TYPE, load_span(l, n), "%s: expected %s, found %s", load_path(l), expected,
	     doc_type_name(n));
	return false;
}

bool load_bad_value(struct loader *l, const struct doc_node *n, const char *fmt, ...)
{
	struct buf b;
	va_list ap;

	buf_init(&b);
	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	diag(l->d, KS_BAD_VALUE, load_span(l, n), "%s: %s", load_path(l), buf_cstr(&b));
	buf_release(&b);
	return false;
}

/* Looks for a field of that name anywhere in the tables below s; the path of the first, or false. */
static bool find_elsewhere(const struct schema *s, struct str name, unsigned depth, struct buf *path)
{
	const struct field *f;
	size_t mark = path->n;

	if (depth == SEARCH_DEPTH)
		return false;
	f = schema_field(s, name);
	if (path->n && f && !f->gone)
		return true;
	for (uint32_t i = 0; i < s->n; i++) {
		f = &s->field[i];
		if (!f->sub || str_is(f->name, "metadata"))
			continue;
		if (path->n)
			buf_addch(path, '.');
		buf_addstr(path, f->name);
		if (f->decode == load_list)
			buf_adds(path, "[]");
		if (find_elsewhere(f->sub, name, depth + 1, path))
			return true;
		path->n = mark;
	}
	return false;
}

static void unknown_field(struct loader *l, const struct schema *s, const struct doc_entry *e)
{
	const struct frame frame = {l->path, e->key, UINT32_MAX};
	const struct frame *up = l->path;
	const struct field *f;
	struct suggest near;
	struct buf path;

	if (l->unknown++ >= LOAD_MAX_UNKNOWN)
		return;
	l->path = &frame;
	diag(l->d, KS_UNKNOWN_FIELD, (struct span){l->doc->src, e->line, e->col, (uint32_t)e->key.n},
	     "unknown field %s", load_path(l));
	l->path = up;

	f = schema_field(s, e->key);
	suggest_init(&near, e->key);
	for (uint32_t i = 0; i < s->n; i++)
		if (!s->field[i].gone)
			suggest_try(&near, s->field[i].name);
	buf_init(&path);
	if (f)
		diag_hint(l->d, "%s", f->gone);
	else if (near.best.n)
		diag_hint(l->d, "did you mean %.*s?", (int)near.best.n, near.best.p);
	else if (l->root && find_elsewhere(l->root, e->key, 0, &path))
		diag_hint(l->d, "it belongs under %s", buf_cstr(&path));
	buf_release(&path);
}

static bool decode_entry(struct loader *l, const struct schema *s, const struct doc_entry *e, void *rec)
{
	const struct field *f = schema_field(s, e->key);
	const struct frame frame = {l->path, e->key, UINT32_MAX};
	bool ok;

	if (!f || f->gone) {
		/* Every object has these two, and the kind table has read them. */
		if (l->path || (!str_is(e->key, "apiVersion") && !str_is(e->key, "kind")))
			unknown_field(l, s, e);
		return true;
	}
	if (!f->decode || doc_is_null(e->value))
		return true;
	l->path = &frame;
	ok = f->decode(l, f, e->value, rec);
	l->path = frame.up;
	return ok;
}

bool schema_decode(struct loader *l, const struct schema *s, const struct doc_node *n, void *rec)
{
	bool ok = true;

	if (n->kind != DOC_MAP)
		return load_wrong_type(l, n, "a map");
	for (uint32_t i = 0; i < n->n; i++)
		ok &= decode_entry(l, s, &n->entries[i], rec);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct field *f = &s->field[i];

		if (!f->required || !doc_is_null(doc_get(n, f->name.p)))
			continue;
		if (l->path)
			diag(l->d, KS_MISSING_FIELD, load_span(l, n), "%s: %s is missing", load_path(l),
			     f->name.p);
		else
			diag(l->d, KS_MISSING_FIELD, load_span(l, n), "%s is missing", f->name.p);
		ok = false;
	}
	return ok;
}

bool load_map(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	return schema_decode(l, f->sub, n, (char *)rec + f->off);
}

bool load_list(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	struct frame frame = {l->path, {"", 0}, 0};
	uint32_t count = 0;
	bool ok = true;
	char *v;

	if (n->kind != DOC_SEQ)
		return load_wrong_type(l, n, "a list");
	v = arena_alloc(l->arena, n->n, f->size);
	l->path = &frame;
	for (uint32_t i = 0; i < n->n; i++) {
		char *element = v + count * f->size;

		frame.index = i;
		if (f->skip && f->skip(n->items[i]))
			continue;
		count++;
		if (f->sub->init)
			f->sub->init(element);
		if (!doc_is_null(n->items[i]))
			ok &= schema_decode(l, f->sub, n->items[i], element);
	}
	l->path = frame.up;
	*(uint32_t *)(void *)((char *)rec + f->count) = count;
	memcpy((char *)rec + f->off, &v, sizeof(v));
	return ok;
}

/* What the elements of a list are read by, given the field of the list. */
static const struct schema *element_schema(const struct field *f)
{
	return f && f->decode == load_list ? f->sub : NULL;
}

static uint64_t hash_value(const struct schema *s, const struct field *f, const struct doc_node *n);

/* Maps are hashed as sums, so that the order of keys does not count. */
static uint64_t hash_map(const struct schema *s, const struct doc_node *n)
{
	uint64_t h = DOC_MAP;

	for (uint32_t i = 0; i < n->n; i++) {
		const struct doc_entry *e = &n->entries[i];
		const struct field *f = s ? schema_field(s, e->key) : NULL;

		if (f && !f->decode)
			continue;
		h += hash_mix(hash_bytes(e->key.p, e->key.n), hash_value(f ? f->sub : NULL, f, e->value));
	}
	return h;
}

/* s reads the value if it is a map; f is the field that holds it, or NULL. */
static uint64_t hash_value(const struct schema *s, const struct field *f, const struct doc_node *n)
{
	uint64_t h = DOC_SEQ;

	if (n->kind == DOC_SCALAR)
		return hash_mix((uint64_t)DOC_SCALAR + n->quoted, hash_bytes(n->text.p, n->text.n));
	if (n->kind == DOC_MAP)
		return hash_map(s, n);
	for (uint32_t i = 0; i < n->n; i++)
		if (!f || !f->skip || !f->skip(n->items[i]))
			h = hash_mix(h, hash_value(element_schema(f), NULL, n->items[i]));
	return h;
}

uint64_t schema_hash(const struct schema *s, const struct doc_node *n)
{
	return hash_value(s, NULL, n);
}

static bool same_value(const struct schema *s, const struct field *f, const struct doc_node *a,
		       const struct doc_node *b);

/* Whether every entry of a that the schema reads is in b with the same value. */
static bool within(const struct schema *s, const struct doc_node *a, const struct doc_node *b,
		   uint32_t *ret_read)
{
	*ret_read = 0;
	for (uint32_t i = 0; i < a->n; i++) {
		const struct doc_entry *e = &a->entries[i];
		const struct field *f = s ? schema_field(s, e->key) : NULL;
		const struct doc_node *other;

		if (f && !f->decode)
			continue;
		++*ret_read;
		/* Usually both maps have the key at the same place. */
		if (i < b->n && str_eq(b->entries[i].key, e->key))
			other = b->entries[i].value;
		else
			other = doc_get(b, e->key.p);
		if (!other || !same_value(f ? f->sub : NULL, f, e->value, other))
			return false;
	}
	return true;
}

static bool same_map(const struct schema *s, const struct doc_node *a, const struct doc_node *b)
{
	uint32_t na, nb = 0;

	if (!within(s, a, b, &na))
		return false;
	for (uint32_t i = 0; i < b->n; i++) {
		const struct field *f = s ? schema_field(s, b->entries[i].key) : NULL;

		nb += !f || f->decode;
	}
	return na == nb;
}

/* The next element at or after i that is read; n->n after the last. */
static uint32_t next_element(const struct field *f, const struct doc_node *n, uint32_t i)
{
	while (i < n->n && f && f->skip && f->skip(n->items[i]))
		i++;
	return i;
}

static bool same_list(const struct field *f, const struct doc_node *a, const struct doc_node *b)
{
	uint32_t i = next_element(f, a, 0), k = next_element(f, b, 0);

	while (i < a->n && k < b->n) {
		if (!same_value(element_schema(f), NULL, a->items[i], b->items[k]))
			return false;
		i = next_element(f, a, i + 1);
		k = next_element(f, b, k + 1);
	}
	return i == a->n && k == b->n;
}

static bool same_value(const struct schema *s, const struct field *f, const struct doc_node *a,
		       const struct doc_node *b)
{
	if (a == b)
		return true;
	if (a->kind != b->kind)
		return false;
	if (a->kind == DOC_SCALAR)
		return a->quoted == b->quoted && str_eq(a->text, b->text);
	return a->kind == DOC_MAP ? same_map(s, a, b) : same_list(f, a, b);
}

bool schema_same(const struct schema *s, const struct doc_node *a, const struct doc_node *b)
{
	return same_value(s, NULL, a, b);
}
