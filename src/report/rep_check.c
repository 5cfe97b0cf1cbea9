#include "rep_check.h"

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

static void add_errors(struct findings *f, const struct check_doc *d)
{
	enum diag_code code = d->verdict == CHECK_UNKNOWN_KIND  ? KS_CHECK_UNKNOWN_KIND
			      : d->verdict == CHECK_PARSE_ERROR ? KS_CHECK_NO_KIND
								: KS_CHECK_REFUSED;

	for (uint32_t i = 0; i < d->errors.n; i++) {
		const struct check_error *e = &d->errors.v[i];
		bool in_place = code == KS_CHECK_REFUSED && *e->path;

		findings_add(f, code, e->at,
			     in_place ? arena_printf(f->arena, "%s: %s", e->path, e->message) : e->message,
			     code == KS_CHECK_NO_KIND && d->root ? doc_guess_object(d->root) : NULL);
	}
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
	uint32_t lint = 0;

	for (uint32_t i = 0; i < result->docs.n; i++) {
		const struct check_doc *d = &result->docs.v[i];

		bool linted = lint < lints->v.n && lints->v.v[lint].doc == i;

		if ((d->verdict == CHECK_NOT_KARPENTER || d->unreadable) && !linted)
			continue;
		findings_unit(f, d->src->name, unit_name(f->arena, d));
		if (!d->unreadable)
			add_errors(f, d);
		for (uint32_t k = 0; k < d->strict.n; k++) {
			const struct check_strict *s = &d->strict.v[k];

			if (!s->duplicate)
				findings_add(f, KS_CHECK_UNKNOWN_FIELD, s->at, s->text,
					     s->near ? arena_printf(f->arena, "did you mean '%s'?", s->near)
						     : NULL);
		}
		add_remarks(f, d->runtime.v, d->runtime.n, true);
		add_remarks(f, d->warnings.v, d->warnings.n, false);
		for (; lint < lints->v.n && lints->v.v[lint].doc == i; lint++)
			findings_take(f, &lints->v.v[lint].msg);
	}
}

void rep_check_summary(struct buf *out, const struct check_result *result)
{
	uint32_t n[CHECK_PARSE_ERROR + 1] = {0}, checked = 0;

	for (uint32_t i = 0; i < result->docs.n; i++)
		n[result->docs.v[i].verdict]++;
	checked = result->docs.n - n[CHECK_NOT_KARPENTER];
	buf_addf(out, "%u object%s of Karpenter checked: %u accepted, %u refused", checked,
		 checked == 1 ? "" : "s", n[CHECK_ACCEPTED], n[CHECK_REJECTED]);
	if (n[CHECK_UNKNOWN_KIND])
		buf_addf(out, ", %u of unknown kind", n[CHECK_UNKNOWN_KIND]);
	if (n[CHECK_PARSE_ERROR])
		buf_addf(out, ", %u not readable", n[CHECK_PARSE_ERROR]);
	if (n[CHECK_NOT_KARPENTER])
		buf_addf(out, "; %u other%s not checked", n[CHECK_NOT_KARPENTER],
			 n[CHECK_NOT_KARPENTER] == 1 ? "" : "s");
	buf_addch(out, '\n');
}
