/* Pruning and defaulting as structural schemas do it. */
#include <stdlib.h>

#include "crd.h"
#include "file.h"
#include "suggest.h"

static const char *nearest(const struct crd_field *f, struct str key)
{
	struct suggest s;

	suggest_init(&s, key);
	for (const struct crd_field *c = f && f->type == CRD_OBJECT ? f->fields : NULL; c && c->name; c++)
		suggest_try(&s, str_of(c->name));
	return s.best.n ? s.best.p : NULL;
}

static const struct crd_field *field_of(const struct crd_field *f, struct str key)
{
	if (f && f->type == CRD_MAP)
		return f->item;
	for (const struct crd_field *c = f ? f->fields : NULL; c && c->name; c++)
		if (str_is(key, c->name))
			return c;
	return NULL;
}

/* What is common to all kinds at the root; metadata looks after itself. */
static bool is_common(const struct crd_walk *w, struct str key)
{
	return w->path.n == 0 &&
	       (str_is(key, "apiVersion") || str_is(key, "kind") || str_is(key, "metadata"));
}

/* A value where the schema wants a scalar is looked into all the same: nothing in it is known. */
static void prune(struct crd_walk *w, struct jval *v, const struct crd_field *f)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < v->items.n; i++) {
		size_t mark = crd_enter_index(w, i);

		prune(w, v->items.v[i], f && f->type == CRD_LIST ? f->item : NULL);
		crd_leave(w, mark);
	}
	for (uint32_t i = 0; i < v->members.n; i++) {
		struct jmember *m = &v->members.v[i];
		const struct crd_field *c = field_of(f, m->key);

		if (is_common(w, m->key)) {
			v->members.v[kept++] = *m;
			continue;
		}
		if (!c) {
			size_t unknown = crd_enter(w, m->key);

			crd_unknown_field(w, m, nearest(f, m->key));
			crd_leave(w, unknown);
			continue;
		}
		size_t mark = crd_enter(w, m->key);

		prune(w, m->v, c);
		crd_leave(w, mark);
		v->members.v[kept++] = *m;
	}
	v->members.n = kept;
}

static int cmp_strict(const void *a, const void *b)
{
	return strcmp(((const struct check_strict *)a)->text, ((const struct check_strict *)b)->text);
}

void crd_prune(struct crd_walk *w, struct jval *root)
{
	uint32_t from = w->doc->strict.n;

	prune(w, root, &w->kind->root);
	if (w->doc->strict.n > from)
		qsort(w->doc->strict.v + from, w->doc->strict.n - from, sizeof(*w->doc->strict.v),
		      cmp_strict);
}

static void forget_positions(struct jval *v)
{
	v->line = 0;
	for (uint32_t i = 0; i < v->items.n; i++)
		forget_positions(v->items.v[i]);
	for (uint32_t i = 0; i < v->members.n; i++)
		forget_positions(v->members.v[i].v);
}

static struct jval *default_value(struct arena *a, const char *json)
{
	struct diags diags;
	struct docs docs = {0};
	struct jval_error error;
	struct jval *v;

	diags_init(&diags, a);
	KS_BUG_ON(!doc_read(a, &diags, source_from_text(a, "default", str_of(json)), &docs));
	v = jval_of(a, docs.v.v[0].root, false, &error);
	forget_positions(v);
	return v;
}

/* added: inside a value that defaulting made, whose parts are not named one by one. */
static void set_defaults(struct crd_walk *w, struct jval *v, const struct crd_field *f, bool added)
{
	for (const struct crd_field *c = f->fields; v->type == JV_MAP && c && c->name; c++) {
		struct str key = str_of(c->name);
		struct jval *old = jval_get_str(v, key), *made = NULL;
		size_t mark = crd_enter(w, key);

		if (c->dflt && (!old || old->type == JV_NULL)) {
			made = default_value(w->a, c->dflt);
			if (!added)
				VEC_PUSH(w->a, &w->doc->defaulted,
					 ((struct check_default){arena_strndup(w->a, w->path.p, w->path.n),
								 made}));
			if (!old)
				jval_add(w->a, v, key, made);
			for (uint32_t i = 0; old && i < v->members.n; i++)
				if (v->members.v[i].v == old)
					v->members.v[i].v = made;
		}
		if (made || old)
			set_defaults(w, made ? made : old, c, added || made);
		crd_leave(w, mark);
	}
	for (uint32_t i = 0; f->type == CRD_LIST && i < v->items.n; i++) {
		size_t mark = crd_enter_index(w, i);

		set_defaults(w, v->items.v[i], f->item, added);
		crd_leave(w, mark);
	}
}

/* Members only: a null in a list stays and is a type error. */
static void drop_nulls(struct jval *v)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < v->items.n; i++)
		drop_nulls(v->items.v[i]);
	for (uint32_t i = 0; i < v->members.n; i++) {
		if (v->members.v[i].v->type == JV_NULL)
			continue;
		drop_nulls(v->members.v[i].v);
		v->members.v[kept++] = v->members.v[i];
	}
	v->members.n = kept;
}

void crd_default(struct crd_walk *w, struct jval *root)
{
	set_defaults(w, root, &w->kind->root, false);
	drop_nulls(root);
}
