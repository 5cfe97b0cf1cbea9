/*
 * metadata is decoded into a Go struct before anything else, so a wrong JSON type in it ends the request;
 * what it holds is checked later with the rest. Rule: "Validation rules", section 3; ObjectMeta of
 * Kubernetes 1.35.
 */
#include <ctype.h>

#include "crd.h"
#include "gotime.h"
#include "kname.h"

enum go_kind { G_STRING, G_INT64, G_BOOL, G_TIME, G_STRINGS, G_STRING_MAP, G_STRUCTS, G_ANY };

struct go_field {
	const char *name;
	enum go_kind kind;
	const char *type; /* Go's name */
	const struct go_field *fields;
	const char *element; /* G_STRUCTS: the struct's name */
};

static const struct go_field owner_fields[] = {
	{"apiVersion", G_STRING, "string", NULL, NULL},
	{"blockOwnerDeletion", G_BOOL, "bool", NULL, NULL},
	{"controller", G_BOOL, "bool", NULL, NULL},
	{"kind", G_STRING, "string", NULL, NULL},
	{"name", G_STRING, "string", NULL, NULL},
	{"uid", G_STRING, "types.UID", NULL, NULL},
	{0},
};

static const struct go_field managed_fields[] = {
	{"apiVersion", G_STRING, "string", NULL, NULL},
	{"fieldsType", G_STRING, "string", NULL, NULL},
	{"fieldsV1", G_ANY, "v1.FieldsV1", NULL, NULL},
	{"manager", G_STRING, "string", NULL, NULL},
	{"operation", G_STRING, "v1.ManagedFieldsOperationType", NULL, NULL},
	{"subresource", G_STRING, "string", NULL, NULL},
	{"time", G_TIME, "v1.Time", NULL, NULL},
	{0},
};

static const struct go_field meta_fields[] = {
	{"annotations", G_STRING_MAP, "map[string]string", NULL, NULL},
	{"creationTimestamp", G_TIME, "v1.Time", NULL, NULL},
	{"deletionGracePeriodSeconds", G_INT64, "int64", NULL, NULL},
	{"deletionTimestamp", G_TIME, "v1.Time", NULL, NULL},
	{"finalizers", G_STRINGS, "[]string", NULL, NULL},
	{"generateName", G_STRING, "string", NULL, NULL},
	{"generation", G_INT64, "int64", NULL, NULL},
	{"labels", G_STRING_MAP, "map[string]string", NULL, NULL},
	{"managedFields", G_STRUCTS, "[]v1.ManagedFieldsEntry", managed_fields, "ManagedFieldsEntry"},
	{"name", G_STRING, "string", NULL, NULL},
	{"namespace", G_STRING, "string", NULL, NULL},
	{"ownerReferences", G_STRUCTS, "[]v1.OwnerReference", owner_fields, "OwnerReference"},
	{"resourceVersion", G_STRING, "string", NULL, NULL},
	{"selfLink", G_STRING, "string", NULL, NULL},
	{"uid", G_STRING, "types.UID", NULL, NULL},
	{0},
};

static const char *json_name(const struct jval *v)
{
	static const char *const names[] = {"null", "bool", "number", "number", "string", "array", "object"};

	return names[v->type];
}

struct meta_error {
	const char *text;
	const struct jval *at;
	bool final; /* of a type that decodes itself: the first of those ends decoding */
};

static void mismatch(struct crd_walk *w, struct meta_error *e, const struct jval *v, const char *owner,
		     const char *path, const char *type)
{
	struct buf number;

	if (e->text)
		return;
	buf_init(&number);
	if (v->type == JV_FLOAT && strcmp(type, "int64") == 0) {
		buf_addch(&number, ' ');
		jval_add_number(&number, v);
	}
	e->text = arena_printf(w->a, "json: cannot unmarshal %s%s into Go struct field %s.%s of type %s",
			       json_name(v), buf_cstr(&number), owner, path, type);
	e->at = v;
	buf_release(&number);
}

static void decode_struct(struct crd_walk *w, struct meta_error *e, const struct jval *v,
			  const struct go_field *fields, const char *owner, const char *prefix);

static void decode_list(struct crd_walk *w, struct meta_error *e, const struct jval *v,
			const struct go_field *f, const char *owner, const char *path)
{
	for (uint32_t i = 0; i < v->items.n; i++) {
		const struct jval *x = v->items.v[i];

		if (x->type == JV_NULL)
			continue;
		if (f->kind == G_STRINGS && x->type != JV_STRING)
			mismatch(w, e, x, owner, path, "string");
		if (f->kind != G_STRUCTS)
			continue;
		if (x->type != JV_MAP)
			mismatch(w, e, x, owner, path, f->type + 2);
		else
			decode_struct(w, e, x, f->fields, f->element, arena_printf(w->a, "%s.", path));
	}
}

/* By key, as fields are. */
static void decode_string_map(struct crd_walk *w, struct meta_error *e, const struct jval *v,
			      const char *owner, const char *path)
{
	const struct jmember *m = jval_sorted(w->a, v);

	for (uint32_t i = 0; i < v->members.n; i++)
		if (m[i].v->type != JV_STRING && m[i].v->type != JV_NULL)
			mismatch(w, e, m[i].v, owner, path, "string");
}

static void decode_field(struct crd_walk *w, struct meta_error *e, const struct jval *v,
			 const struct go_field *f, const char *owner, const char *path)
{
	static const enum jtype wants[] = {
		[G_STRING] = JV_STRING, [G_INT64] = JV_INT,      [G_BOOL] = JV_BOOL,
		[G_STRINGS] = JV_LIST,  [G_STRING_MAP] = JV_MAP, [G_STRUCTS] = JV_LIST};

	if (v->type == JV_NULL || f->kind == G_ANY || e->final)
		return;
	if (f->kind == G_TIME) {
		struct meta_error time = {0};

		if (v->type == JV_STRING)
			time = (struct meta_error){.text = go_time_error(w->a, v->s), .at = v};
		else
			mismatch(w, &time, v, owner, path, "string");
		if (time.text)
			*e = (struct meta_error){time.text, v, true};
		return;
	}
	if (v->type != wants[f->kind]) {
		mismatch(w, e, v, owner, path, f->type);
		return;
	}
	decode_list(w, e, v, f, owner, path);
	if (f->kind == G_STRING_MAP)
		decode_string_map(w, e, v, owner, path);
}

/* Fields in the order of their names: the object comes from a Go map. */
static void decode_struct(struct crd_walk *w, struct meta_error *e, const struct jval *v,
			  const struct go_field *fields, const char *owner, const char *prefix)
{
	for (const struct go_field *f = fields; f->name; f++) {
		const struct jval *m = jval_get(v, f->name);

		if (m)
			decode_field(w, e, m, f, owner, arena_printf(w->a, "%s%s", prefix, f->name));
	}
}

static void unknown_fields(struct crd_walk *w, const struct jval *v, const struct go_field *fields)
{
	for (uint32_t i = 0; i < v->members.n; i++) {
		const struct jmember *m = &v->members.v[i];
		const struct go_field *f = fields;
		size_t mark = crd_enter(w, m->key);

		while (f->name && !str_is(m->key, f->name))
			f++;
		if (!f->name)
			crd_unknown_field(w, m, NULL);
		for (uint32_t k = 0; f->name && f->kind == G_STRUCTS && k < m->v->items.n; k++) {
			size_t inner = crd_enter_index(w, k);

			unknown_fields(w, m->v->items.v[k], f->fields);
			crd_leave(w, inner);
		}
		crd_leave(w, mark);
	}
}

static void refuse(struct crd_walk *w, const struct jval *at, const char *text)
{
	const char *slash = strchr(w->kind->api_version, '/');

	crd_leave(w, 0);
	crd_error(w, at, "BadRequest", "%s in version \"%s\" cannot be handled as a %s: %s", w->kind->kind,
		  slash + 1, w->kind->kind, text);
}

static bool decode(struct crd_walk *w, const struct jval *meta)
{
	struct meta_error e = {0};

	if (!meta || meta->type == JV_NULL)
		return true;
	if (meta->type != JV_MAP) {
		refuse(w, meta,
		       arena_printf(w->a, "json: cannot unmarshal %s into Go value of type v1.ObjectMeta",
				    json_name(meta)));
		return false;
	}
	decode_struct(w, &e, meta, meta_fields, "ObjectMeta", "");
	if (e.text) {
		refuse(w, e.at, e.text);
		return false;
	}
	unknown_fields(w, meta, meta_fields);
	return true;
}

static void invalid(struct crd_walk *w, const struct jval *at, const char *field, struct str value,
		    const struct kname_errors *errors)
{
	size_t mark = crd_enter(w, str_of(field));
	struct buf text;

	buf_init(&text);
	crd_add_quoted(&text, value);
	for (const char *const *e = errors->v; *e; e++)
		crd_error(w, at, "Invalid", "Invalid value: %s: %s", buf_cstr(&text), *e);
	buf_release(&text);
	crd_leave(w, mark);
}

/* A generated name is cut to leave room for its five random characters within 63. */
#define GENERATED_MAX 58

static void check_name(struct crd_walk *w, const struct jval *meta)
{
	const struct jval *name = jval_get(meta, "name"), *generate = jval_get(meta, "generateName");
	struct str base = jval_text(generate), full = jval_text(name);
	struct kname_errors e;

	if (base.n) {
		struct str masked = base;

		/* The dash before the random part does not count as a bad end. */
		if (base.n > 1 && base.p[base.n - 1] == '-') {
			char *copy = arena_strndup(w->a, base.p, base.n - 1);

			copy[base.n - 2] = 'a';
			masked = (struct str){copy, base.n - 1};
		}
		e = kname_subdomain(masked);
		invalid(w, generate, "generateName", base, &e);
		if (full.n == 0)
			full = str_of(arena_printf(w->a, "%.*sxxxxx",
						   (int)(base.n > GENERATED_MAX ? GENERATED_MAX : base.n),
						   base.p));
	}
	if (full.n == 0) {
		size_t mark = crd_enter(w, STR_LIT("name"));

		crd_error(w, meta, "Required", "Required value: name or generateName is required");
		w->skip_rules = true;
		crd_leave(w, mark);
		return;
	}
	e = kname_subdomain(full);
	invalid(w, name ? name : generate, "name", full, &e);
}

#define ANNOTATIONS_MAX ((size_t)256 << 10)

static void check_maps(struct crd_walk *w, const struct jval *meta)
{
	const struct jval *labels = jval_has(meta, "labels"), *notes = jval_has(meta, "annotations");
	size_t total = 0;
	struct kname_errors e;

	for (uint32_t i = 0; labels && i < labels->members.n; i++) {
		const struct jmember *m = &labels->members.v[i];

		e = kname_qualified(m->key);
		invalid(w, m->v, "labels", m->key, &e);
		e = kname_label_value(jval_text(m->v));
		invalid(w, m->v, "labels", jval_text(m->v), &e);
	}
	for (uint32_t i = 0; notes && i < notes->members.n; i++) {
		const struct jmember *m = &notes->members.v[i];
		char *lower = arena_strndup(w->a, m->key.p, m->key.n);

		for (char *c = lower; *c; c++)
			*c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
		e = kname_qualified((struct str){lower, m->key.n});
		invalid(w, m->v, "annotations", m->key, &e);
		total += m->key.n + jval_text(m->v).n;
	}
	if (total > ANNOTATIONS_MAX) {
		size_t mark = crd_enter(w, STR_LIT("annotations"));

		crd_error(w, notes, "TooLong", "Too long: may not be more than %zu bytes", ANNOTATIONS_MAX);
		w->skip_rules = true;
		crd_leave(w, mark);
	}
}

static void check_owner(struct crd_walk *w, const struct jval *owner)
{
	static const char *const fields[] = {"kind", "name", "uid"};
	struct str version = jval_text(jval_get(owner, "apiVersion"));
	const char *slash = version.n ? memchr(version.p, '/', version.n) : NULL;
	size_t after = slash ? version.n - (size_t)(slash + 1 - version.p) : version.n;

	if (after == 0 || (slash && memchr(slash + 1, '/', after)))
		invalid(w, owner, "apiVersion", version,
			&(struct kname_errors){{"version must not be empty"}});
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (jval_text(jval_get(owner, fields[i])).n == 0)
			invalid(w, owner, fields[i], STR_LIT(""),
				&(struct kname_errors){{"must not be empty"}});
}

bool crd_metadata(struct crd_walk *w, struct jval *root)
{
	const struct jval *meta = jval_get(root, "metadata"), *list;
	struct kname_errors e;
	size_t mark = crd_enter(w, STR_LIT("metadata"));

	if (!decode(w, meta)) {
		crd_leave(w, 0);
		return false;
	}
	check_name(w, meta);
	/* That of an object without namespace is dropped without a word. */
	if (w->kind->namespaced && jval_text(jval_get(meta, "namespace")).n) {
		e = kname_label(jval_text(jval_get(meta, "namespace")));
		invalid(w, jval_get(meta, "namespace"), "namespace", jval_text(jval_get(meta, "namespace")),
			&e);
	}
	check_maps(w, meta);
	list = jval_has(meta, "finalizers");
	for (uint32_t i = 0; list && i < list->items.n; i++) {
		e = kname_qualified(jval_text(list->items.v[i]));
		invalid(w, list->items.v[i], "finalizers", jval_text(list->items.v[i]), &e);
	}
	list = jval_has(meta, "ownerReferences");
	for (uint32_t i = 0; list && i < list->items.n; i++) {
		size_t inner = crd_enter(w, STR_LIT("ownerReferences"));

		check_owner(w, list->items.v[i]);
		crd_leave(w, inner);
	}
	crd_leave(w, mark);
	return true;
}
