#include "rep_check.h"

#include <stdlib.h>

#include "emit.h"
#include "file.h"

static void emit_value(struct emit *e, const struct jval *v)
{
	switch (v->type) {
	case JV_NULL:
		emit_null(e);
		return;
	case JV_BOOL:
		emit_bool(e, v->b);
		return;
	case JV_INT:
		emit_int(e, v->i);
		return;
	case JV_FLOAT:
		emit_double(e, v->f);
		return;
	case JV_STRING:
		emit_str(e, v->s);
		return;
	case JV_LIST:
		emit_seq(e);
		for (uint32_t i = 0; i < v->items.n; i++)
			emit_value(e, v->items.v[i]);
		emit_end(e);
		return;
	case JV_MAP:
		emit_map(e);
		for (uint32_t i = 0; i < v->members.n; i++) {
			emit_key_str(e, v->members.v[i].key);
			emit_value(e, v->members.v[i].v);
		}
		emit_end(e);
		return;
	}
}

static void emit_remarks(struct emit *e, const char *key, const struct check_remark *v, uint32_t n)
{
	emit_kv_seq(e, key);
	for (uint32_t i = 0; i < n; i++) {
		emit_map(e);
		emit_kv_cstr(e, "source", v[i].source);
		emit_kv_cstr(e, "message", v[i].message);
		emit_end(e);
	}
	emit_end(e);
}

static void emit_doc(struct emit *e, const struct check_doc *d)
{
	emit_map(e);
	emit_kv_int(e, "index", d->index);
	if (d->item >= 0)
		emit_kv_int(e, "item", d->item);
	emit_kv_cstr(e, "apiVersion", d->api_version);
	emit_kv_cstr(e, "kind", d->kind);
	emit_kv_cstr(e, "name", d->name);
	emit_kv_cstr(e, "verdict", check_verdict_name(d->verdict));
	emit_kv_seq(e, "strictErrors");
	for (uint32_t i = 0; i < d->strict.n; i++)
		emit_cstr(e, d->strict.v[i].text);
	emit_end(e);
	emit_kv_seq(e, "errors");
	for (uint32_t i = 0; i < d->errors.n; i++) {
		emit_map(e);
		emit_kv_cstr(e, "path", d->errors.v[i].path);
		emit_kv_cstr(e, "type", d->errors.v[i].type);
		emit_kv_cstr(e, "message", d->errors.v[i].message);
		emit_end(e);
	}
	emit_end(e);
	emit_remarks(e, "runtimeErrors", d->runtime.v, d->runtime.n);
	emit_remarks(e, "warnings", d->warnings.v, d->warnings.n);
	emit_kv_map(e, "defaulted");
	for (uint32_t i = 0; i < d->defaulted.n; i++) {
		emit_key(e, d->defaulted.v[i].path);
		emit_value(e, d->defaulted.v[i].value);
	}
	emit_end(e);
	emit_end(e);
}

void rep_check_json(struct buf *out, const struct check_result *result)
{
	struct emit e;

	emit_init(&e, EMIT_JSON, out);
	emit_seq(&e);
	for (uint32_t i = 0; i < result->docs.n; i++)
		emit_doc(&e, &result->docs.v[i]);
	emit_end(&e);
	emit_finish(&e);
}

/* The lints of one document. */
struct doc_lints {
	const struct lint_finding *v;
	uint32_t n;
};

/* What says of an older API at a place, or NULL. */
static const struct diag_msg *old_spelling(const struct doc_lints *lints, struct span at)
{
	for (uint32_t i = 0; i < lints->n; i++) {
		const struct diag_msg *m = &lints->v[i].msg;

		if (m->code == KS_LINT_OLD_SPELLING && m->span.src == at.src && m->span.line == at.line &&
		    m->span.col == at.col)
			return m;
	}
	return NULL;
}

struct placed {
	const struct check_error *e;
	bool whole; /* of the object as a whole */
};

static int cmp_place(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->whole != y->whole)
		return x->whole ? 1 : -1;
	if (x->e->at.line != y->e->at.line)
		return x->e->at.line < y->e->at.line ? -1 : 1;
	if (x->e->at.col != y->e->at.col)
		return x->e->at.col < y->e->at.col ? -1 : 1;
	return (x->e > y->e) - (x->e < y->e);
}

/* As they stand in the file; what is said of the object as a whole comes last. */
static const struct placed *in_place_order(struct arena *a, const struct check_doc *d)
{
	struct placed *order = ARENA_ARRAY(a, struct placed, d->errors.n);

	for (uint32_t i = 0; i < d->errors.n; i++) {
		const struct check_error *e = &d->errors.v[i];

		order[i] =
			(struct placed){e, !*e->path && e->at.line == d->at.line && e->at.col == d->at.col};
	}
	if (d->errors.n)
		qsort(order, d->errors.n, sizeof(*order), cmp_place);
	return order;
}

static void add_errors(struct findings *f, const struct check_doc *d, const struct doc_lints *lints)
{
	enum diag_code code = d->verdict == CHECK_UNKNOWN_KIND  ? KS_CHECK_UNKNOWN_KIND
			      : d->verdict == CHECK_PARSE_ERROR ? KS_CHECK_NO_KIND
								: KS_CHECK_REFUSED;

	const struct placed *order = in_place_order(f->arena, d);

	for (uint32_t i = 0; i < d->errors.n; i++) {
		const struct check_error *e = order[i].e;
		const struct diag_msg *old = old_spelling(lints, e->at);
		bool in_place = code == KS_CHECK_REFUSED && *e->path;

		findings_add(f, code, e->at,
			     in_place ? arena_printf(f->arena, "%s: %s", e->path, e->message) : e->message,
			     code == KS_CHECK_NO_KIND && d->root ? doc_guess_object(d->src, d->root)
			     : old                               ? old->hint
								 : NULL);
	}
}

/* Fields that an older API had are left to the lint that says so. */
static void add_unknown(struct findings *f, const struct check_doc *d, const struct doc_lints *lints)
{
	for (uint32_t i = 0; i < d->strict.n; i++) {
		const struct check_strict *s = &d->strict.v[i];

		if (!s->duplicate && !old_spelling(lints, s->at))
			findings_add(f, KS_CHECK_UNKNOWN_FIELD, s->at, s->text,
				     s->near ? arena_printf(f->arena, "did you mean '%s'?", s->near) : NULL);
	}
}

/* Whether an error stands at the place of a value that no unknown field is. */
static bool told_by_error(const struct check_doc *d, struct span at)
{
	bool told = false;

	for (uint32_t i = 0; i < d->errors.n; i++)
		told = told || (d->errors.v[i].at.line == at.line && d->errors.v[i].at.col == at.col);
	for (uint32_t i = 0; i < d->strict.n; i++)
		told = told && (d->strict.v[i].at.line != at.line || d->strict.v[i].at.col != at.col);
	return told;
}

static void add_remarks(struct findings *f, const struct check_remark *v, uint32_t n, bool errors)
{
	for (uint32_t i = 0; i < n; i++) {
		bool unused =
			strcmp(v[i].source, "unmanaged") == 0 || strcmp(v[i].source, "featureGate") == 0;

		findings_add(f,
			     errors   ? KS_CHECK_RUNTIME
			     : unused ? KS_CHECK_NO_EFFECT
				      : KS_CHECK_SURPRISE,
			     v[i].at,
			     errors ? arena_printf(f->arena, "%s: %s", v[i].source, v[i].message)
				    : v[i].message,
			     NULL);
	}
}

static const char *unit_name(struct arena *a, const struct check_doc *d)
{
	if (!*d->kind)
		return arena_printf(a, "document %u", d->index + 1);
	return *d->name ? arena_printf(a, "%s/%s", d->kind, d->name) : d->kind;
}

void rep_check_findings(struct findings *ret_findings, const struct check_result *result,
			const struct lint_findings *lints)
{
	struct findings *f = ret_findings;
	uint32_t next = 0;

	for (uint32_t i = 0; i < result->docs.n; i++) {
		const struct check_doc *d = &result->docs.v[i];
		struct doc_lints own = {lints->v.v ? lints->v.v + next : NULL, 0};

		while (next < lints->v.n && lints->v.v[next].doc == i) {
			next++;
			own.n++;
		}
		if ((d->verdict == CHECK_NOT_KARPENTER || d->unreadable) && !own.n)
			continue;
		findings_unit(f, d->src->name, unit_name(f->arena, d));
		if (!d->unreadable)
			add_errors(f, d, &own);
		add_unknown(f, d, &own);
		add_remarks(f, d->runtime.v, d->runtime.n, true);
		add_remarks(f, d->warnings.v, d->warnings.n, false);
		for (uint32_t k = 0; k < own.n; k++) {
			const struct diag_msg *m = &own.v[k].msg;

			/* An error there has its hint. */
			if (m->code != KS_LINT_OLD_SPELLING || !told_by_error(d, m->span))
				findings_take(f, m);
		}
	}
}

static void add_count(struct buf *out, const char *before, uint32_t n, const char *after)
{
	if (n)
		buf_addf(out, "%s%u %s", before, n, after);
}

void rep_check_summary(struct buf *out, const struct check_result *result)
{
	uint32_t n[CHECK_PARSE_ERROR + 1] = {0}, checked, unusable = 0;

	for (uint32_t i = 0; i < result->docs.n; i++) {
		n[result->docs.v[i].verdict]++;
		unusable += result->docs.v[i].runtime.n > 0;
	}
	checked = result->docs.n - n[CHECK_NOT_KARPENTER];
	buf_addf(out, "%u object%s of Karpenter checked: %u accepted, %u refused", checked,
		 checked == 1 ? "" : "s", n[CHECK_ACCEPTED] - unusable, n[CHECK_REJECTED]);
	add_count(out, ", ", unusable, "that Karpenter cannot use");
	add_count(out, ", ", n[CHECK_UNKNOWN_KIND], "of unknown kind");
	add_count(out, ", ", n[CHECK_PARSE_ERROR], "not readable");
	add_count(out, "; ", n[CHECK_NOT_KARPENTER],
		  n[CHECK_NOT_KARPENTER] == 1 ? "other not checked" : "others not checked");
	buf_addch(out, '\n');
}
