#include <inttypes.h>

#include "duration.h"
#include "loader.h"
#include "scalar.h"
#include "suggest.h"

#define AT(T, rec, off) ((T *)(void *)((char *)(rec) + (off)))

static bool is_string(const struct doc_node *n)
{
	return n->kind == DOC_SCALAR && (n->quoted || scalar_of(n).type == SCALAR_STRING);
}

static bool want_string(struct loader *l, const struct doc_node *n)
{
	if (is_string(n))
		return true;
	load_wrong_type(l, n, "a string");
	if (n->kind == DOC_SCALAR)
		diag_hint(l->d, "quote it: \"%s\"", n->text.p);
	return false;
}

bool load_string(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	if (!want_string(l, n))
		return false;
	*AT(sid, rec, f->off) = intern_put(l->in, n->text);
	return true;
}

/* 3.0 is the number 3 by the time it is JSON. */
static struct scalar as_whole(struct scalar s)
{
	double cut;

	if (s.f < -1e15 || s.f > 1e15)
		return s;
	cut = (double)(int64_t)s.f;
	return s.f < cut || s.f > cut ? s : (struct scalar){.type = SCALAR_INT, .i = (int64_t)s.f, .f = s.f};
}

/* A whole number, or false after an error. */
static bool whole(struct loader *l, const struct doc_node *n, int64_t min, int64_t max, int64_t *ret_v)
{
	struct scalar s;

	if (n->kind != DOC_SCALAR)
		return load_wrong_type(l, n, "a number");
	s = scalar_of(n);
	if (s.type == SCALAR_FLOAT)
		s = as_whole(s);
	if (s.type != SCALAR_INT)
		return load_wrong_type(l, n, "a whole number");
	if (s.big || s.i < min || s.i > max)
		return load_bad_value(l, n, "%s is out of range", n->text.p);
	*ret_v = s.i;
	return true;
}

bool load_text(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	struct str text = n->text;
	struct scalar s;

	if (n->kind != DOC_SCALAR)
		return load_wrong_type(l, n, "a string or a number");
	s = scalar_of(n);
	if (s.type == SCALAR_BOOL)
		return load_wrong_type(l, n, "a string or a number");
	if (s.type == SCALAR_INT && !s.big)
		text = str_of(arena_printf(l->arena, "%" PRId64, s.i));
	*AT(sid, rec, f->off) = intern_put(l->in, text);
	return true;
}

bool load_bool(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	struct scalar s;

	if (n->kind != DOC_SCALAR)
		return load_wrong_type(l, n, "a boolean");
	s = scalar_of(n);
	if (s.type != SCALAR_BOOL)
		return load_wrong_type(l, n, "a boolean");
	*AT(bool, rec, f->off) = s.b;
	return true;
}

bool load_present(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	(void)l;
	(void)n;
	*AT(bool, rec, f->off) = true;
	return true;
}

bool load_nonempty(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	if (n->kind != DOC_SEQ)
		return load_wrong_type(l, n, "a list");
	*AT(bool, rec, f->off) = n->n > 0;
	return true;
}

bool load_choice(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	struct suggest near;
	struct buf all;

	if (!want_string(l, n))
		return false;
	suggest_init(&near, n->text);
	for (uint32_t i = 0; f->choice[i]; i++) {
		suggest_try(&near, str_of(f->choice[i]));
		if (!str_is(n->text, f->choice[i]))
			continue;
		if (f->size == sizeof(bool))
			*AT(bool, rec, f->off) = i > 0;
		else
			*AT(uint32_t, rec, f->off) = i;
		return true;
	}
	buf_init(&all);
	for (uint32_t i = 0; f->choice[i]; i++)
		buf_addf(&all, "%s%s", i ? ", " : "", f->choice[i]);
	load_bad_value(l, n, "'%s' is none of %s", n->text.p, buf_cstr(&all));
	if (near.best.n)
		diag_hint(l->d, "did you mean %s?", near.best.p);
	buf_release(&all);
	return false;
}

bool load_choice_is(struct loader *l, const struct field *f, const struct doc_node *n, void *rec,
		    const char *const *choice, uint32_t wanted)
{
	uint32_t place = 0;
	const struct field as_enum = {.choice = choice, .size = sizeof(place)};

	if (!load_choice(l, &as_enum, n, &place))
		return false;
	*AT(bool, rec, f->off) = place == wanted;
	return true;
}

bool load_int32(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	int64_t v;

	if (!whole(l, n, INT32_MIN, INT32_MAX, &v))
		return false;
	*AT(int32_t, rec, f->off) = (int32_t)v;
	return true;
}

bool load_int64(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	return whole(l, n, INT64_MIN, INT64_MAX, AT(int64_t, rec, f->off));
}

bool load_count(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	return whole(l, n, 0, INT64_MAX, AT(int64_t, rec, f->off));
}

bool load_amount(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	if (!load_double(l, f, n, rec))
		return false;
	return *AT(double, rec, f->off) >= 0 || load_bad_value(l, n, "%s is negative", n->text.p);
}

bool load_double(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	struct scalar s;

	if (n->kind != DOC_SCALAR)
		return load_wrong_type(l, n, "a number");
	s = scalar_of(n);
	if (s.type != SCALAR_INT && s.type != SCALAR_FLOAT)
		return load_wrong_type(l, n, "a number");
	*AT(double, rec, f->off) = s.f;
	return true;
}

static bool quantity_of(struct loader *l, const struct doc_node *n, struct quantity *ret_q)
{
	struct str text = n->text;
	struct scalar s;

	if (n->kind != DOC_SCALAR)
		return load_wrong_type(l, n, "a quantity");
	s = scalar_of(n);
	if (s.type == SCALAR_BOOL)
		return load_wrong_type(l, n, "a quantity");
	/* 1_000 and 0x10 are numbers of YAML and reach the API server in decimal. */
	if (s.type == SCALAR_INT && !s.big)
		text = str_of(arena_printf(l->arena, "%" PRId64, s.i));
	if (!quantity_parse(text, ret_q))
		return load_bad_value(l, n, "'%s' is not a quantity", n->text.p);
	return true;
}

bool load_quantity(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	return quantity_of(l, n, AT(struct quantity, rec, f->off));
}

bool load_reslist(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	struct reslist *out = AT(struct reslist, rec, f->off);
	struct frame frame = {l->path, {"", 0}, UINT32_MAX};
	bool ok = true;

	if (n->kind != DOC_MAP)
		return load_wrong_type(l, n, "a map of quantities");
	*out = (struct reslist){0, ARENA_ARRAY(l->arena, struct res_item, n->n)};
	l->path = &frame;
	for (uint32_t i = 0; i < n->n; i++) {
		const struct doc_entry *e = &n->entries[i];
		struct quantity q = {0};
		uint32_t at = out->n;
		sid name;

		frame.name = e->key;
		if (doc_is_null(e->value))
			continue;
		if (!quantity_of(l, e->value, &q)) {
			ok = false;
			continue;
		}
		name = intern_put(l->in, e->key);
		while (at > 0 && intern_cmp(l->in, out->v[at - 1].name, name) > 0)
			at--;
		memmove(&out->v[at + 1], &out->v[at], (out->n - at) * sizeof(*out->v));
		out->v[at] = (struct res_item){.v = q.v, .name = name, .format = q.format};
		out->n++;
	}
	l->path = frame.up;
	return ok;
}

bool load_strmap(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	struct labels *out = AT(struct labels, rec, f->off);
	struct frame frame = {l->path, {"", 0}, UINT32_MAX};
	bool ok = true;

	if (n->kind != DOC_MAP)
		return load_wrong_type(l, n, "a map of strings");
	*out = (struct labels){0, ARENA_ARRAY(l->arena, struct kv, n->n)};
	l->path = &frame;
	for (uint32_t i = 0; i < n->n; i++) {
		const struct doc_entry *e = &n->entries[i];
		struct kv *kv = &out->v[out->n];

		frame.name = e->key;
		kv->val = SID_EMPTY;
		if (!doc_is_null(e->value)) {
			if (!want_string(l, e->value)) {
				ok = false;
				continue;
			}
			kv->val = intern_put(l->in, e->value->text);
		}
		kv->key = intern_put(l->in, e->key);
		out->n++;
	}
	l->path = frame.up;
	labels_sort(l->in, out);
	return ok;
}

bool load_strings(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	struct frame frame = {l->path, {"", 0}, 0};
	bool ok = true;
	sid *v;

	if (n->kind != DOC_SEQ)
		return load_wrong_type(l, n, "a list of strings");
	v = ARENA_ARRAY(l->arena, sid, n->n);
	l->path = &frame;
	for (uint32_t i = 0; i < n->n; i++) {
		frame.index = i;
		if (doc_is_null(n->items[i]))
			continue;
		if (want_string(l, n->items[i]))
			v[i] = intern_put(l->in, n->items[i]->text);
		else
			ok = false;
	}
	l->path = frame.up;
	*AT(uint32_t, rec, f->count) = n->n;
	*AT(sid *, rec, f->off) = v;
	return ok;
}

bool load_time(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	if (!want_string(l, n))
		return false;
	if (!parse_time(n->text, AT(int64_t, rec, f->off)))
		return load_bad_value(l, n, "'%s' is not a time such as 2026-01-19T12:00:00Z", n->text.p);
	return true;
}

bool load_past(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	if (!load_time(l, f, n, rec))
		return false;
	if (*AT(int64_t, rec, f->off) > l->newest)
		l->newest = *AT(int64_t, rec, f->off);
	return true;
}

bool load_duration(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	if (!want_string(l, n))
		return false;
	if (duration_parse(n->text, AT(int64_t, rec, f->off), NULL))
		return true;
	load_bad_value(l, n, "'%s' is not a duration such as 1h30m", n->text.p);
	if (str_ends(n->text, "d"))
		diag_hint(l->d, "there is no unit for days: a day is 24h");
	return false;
}

bool load_nillable(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	if (n->kind == DOC_SCALAR && str_is(n->text, "Never")) {
		*AT(int64_t, rec, f->off) = DURATION_NEVER;
		return true;
	}
	return load_duration(l, f, n, rec);
}

void labels_sort(const struct intern *in, struct labels *l)
{
	for (uint32_t i = 1; i < l->n; i++) {
		const struct kv kv = l->v[i];
		uint32_t at = i;

		for (; at > 0 && intern_cmp(in, l->v[at - 1].key, kv.key) > 0; at--)
			l->v[at] = l->v[at - 1];
		l->v[at] = kv;
	}
}
