#include "rep_check.h"

#include "emit.h"

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
