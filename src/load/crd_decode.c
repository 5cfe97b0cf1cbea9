/*
 * What Karpenter's Go types make of a value that the schema accepted. A list of the kind fails as a whole
 * when one object does not decode. Rule: "Validation rules", section 6, `decode`.
 */
#include "crd.h"
#include "crd_runtime.h"
#include "duration.h"
#include "gotime.h"

#define QUANTITY_ERROR \
	"quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

struct decoding {
	struct crd_walk *w;
	const char *mistyped, *failed; /* an Unmarshaler's error ends decoding, a wrong type does not */
	const struct jval *mistyped_at, *failed_at;
};

/* Whether decimal digits with an optional sign fit int64. */
static bool fits_int64(struct str s)
{
	size_t i = s.n && (s.p[0] == '+' || s.p[0] == '-');
	uint64_t v = 0;

	for (; i < s.n; i++) {
		uint64_t digit = (uint64_t)(s.p[i] - '0');

		if (v > ((uint64_t)INT64_MAX - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	return true;
}

const char *quantity_error(struct str s)
{
	size_t e = 0;

	if (s.n == 0)
		return QUANTITY_ERROR;
	while (e < s.n && s.p[e] != 'e' && s.p[e] != 'E')
		e++;
	if (e + 1 >= s.n || s.p[e + 1] == 'i') /* no exponent, and E and Ei are suffixes */
		return NULL;
	/* The pattern lets an exponent have a fraction. */
	if (memchr(s.p + e, '.', s.n - e))
		return QUANTITY_ERROR;
	return fits_int64((struct str){s.p + e + 1, s.n - e - 1}) ? NULL
								  : "unable to parse quantity's suffix";
}

static const char *duration_error(struct arena *a, struct str s)
{
	const char *error = NULL;
	struct buf why;
	int64_t ns;

	buf_init(&why);
	if (!duration_parse(s, &ns, &why))
		error = arena_strndup(a, why.p, why.n);
	buf_release(&why);
	return error;
}

/* The path as Go names fields: without indexes. */
static const char *go_path(const struct crd_walk *w)
{
	char *path = arena_strndup(w->a, w->path.p, w->path.n), *to = path;
	bool inside = false;

	for (const char *c = path; *c; c++) {
		inside = inside || *c == '[';
		if (!inside)
			*to++ = *c;
		inside = inside && *c != ']';
	}
	*to = '\0';
	return path;
}

static void decode_scalar(struct decoding *d, const struct jval *v, const struct crd_field *f)
{
	struct crd_walk *w = d->w;
	const char *error = NULL;

	switch (f->go) {
	case GO_AS_IS:
		return;
	case GO_INT32:
		if (!d->mistyped && v->type == JV_INT && (v->i > INT32_MAX || v->i < INT32_MIN)) {
			d->mistyped = arena_printf(
				w->a,
				"json: cannot unmarshal number %lld into Go struct field %s.%s of type int32",
				(long long)v->i, f->go_type, go_path(w));
			d->mistyped_at = v;
		}
		return;
	case GO_DURATION:
	case GO_NILLABLE_DURATION:
		if (f->go == GO_DURATION || !jval_is_text(v, "Never"))
			error = duration_error(w->a, v->s);
		break;
	case GO_QUANTITY:
		error = v->type == JV_STRING ? quantity_error(v->s) : NULL;
		break;
	case GO_TIME:
		error = v->type == JV_STRING ? go_time_error(w->a, v->s) : NULL;
		break;
	}
	if (error && !d->failed) {
		d->failed = error;
		d->failed_at = v;
	}
}

/* Members by key: the server stores them so. */
static void decode(struct decoding *d, const struct jval *v, const struct crd_field *f)
{
	uint32_t n = v->members.n;
	const struct jmember *m = jval_sorted(d->w->a, v);

	decode_scalar(d, v, f);
	for (uint32_t i = 0; f->type == CRD_LIST && i < v->items.n; i++) {
		size_t mark = crd_enter_index(d->w, i);

		decode(d, v->items.v[i], f->item);
		crd_leave(d->w, mark);
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct crd_field *c = f->type == CRD_MAP ? f->item : NULL;
		size_t mark = crd_enter(d->w, m[i].key);

		for (const struct crd_field *x = f->fields; f->type == CRD_OBJECT && x && x->name; x++)
			if (str_is(m[i].key, x->name))
				c = x;
		if (c)
			decode(d, m[i].v, c);
		crd_leave(d->w, mark);
	}
}

const char *crd_decode_error(struct crd_walk *w, const struct jval *root, const struct jval **ret_at)
{
	struct decoding d = {.w = w};

	decode(&d, root, &w->kind->root);
	*ret_at = d.failed ? d.failed_at : d.mistyped_at;
	return d.failed ? d.failed : d.mistyped;
}
