#include "rep_object.h"

#include <inttypes.h>

void rep_labels(struct emit *e, const struct report *r, const char *key, const struct labels *l)
{
	emit_kv_map(e, key);
	for (uint32_t i = 0; i < l->n; i++) {
		emit_key_str(e, report_text(r, l->v[i].key));
		emit_str(e, report_text(r, l->v[i].val));
	}
	emit_end(e);
}

void rep_resources(struct emit *e, const struct report *r, const char *key, const struct reslist *l)
{
	struct buf text;

	buf_init(&text);
	emit_kv_map(e, key);
	for (uint32_t i = 0; i < l->n; i++) {
		buf_clear(&text);
		quantity_print(&text, (struct quantity){.v = l->v[i].v, .format = l->v[i].format});
		emit_key_str(e, report_text(r, l->v[i].name));
		emit_cstr(e, buf_cstr(&text));
	}
	emit_end(e);
	buf_release(&text);
}

void rep_taints(struct emit *e, const struct report *r, const char *key, const struct taints *t, bool stored)
{
	emit_kv_seq(e, key);
	for (uint32_t i = 0; i < t->n; i++) {
		const struct taint *taint = &t->v[i];

		emit_map(e);
		if (stored)
			emit_kv_str(e, "effect", report_text(r, taint->effect));
		emit_kv_str(e, "key", report_text(r, taint->key));
		if (report_text(r, taint->value).n)
			emit_kv_str(e, "value", report_text(r, taint->value));
		if (!stored)
			emit_kv_str(e, "effect", report_text(r, taint->effect));
		emit_end(e);
	}
	emit_end(e);
}

static void open_requirement(struct emit *e, const struct report *r, const struct req *q, enum req_op op,
			     bool stored)
{
	emit_map(e);
	emit_kv_str(e, "key", report_text(r, req_key_name(r->c->rp, q->key)));
	if (stored && q->min_values >= 0)
		emit_kv_int(e, "minValues", q->min_values);
	emit_kv_cstr(e, "operator", req_op_name(op));
}

static void close_requirement(struct emit *e, const struct req *q, bool stored)
{
	if (!stored && q->min_values >= 0)
		emit_kv_int(e, "minValues", q->min_values);
	emit_end(e);
}

static void bound(struct emit *e, const struct report *r, const struct req *q, enum req_op op, int64_t value,
		  bool stored)
{
	open_requirement(e, r, q, op, stored);
	emit_kv_seq(e, "values");
	emit_cstr(e, arena_printf(r->scratch, "%" PRId64, value));
	emit_end(e);
	close_requirement(e, q, stored);
}

static void requirement(struct emit *e, const struct report *r, reqid id, bool stored)
{
	const struct req *q = req_get(r->c->rp, id);
	enum req_op op = req_operator(r->c->rp, id);
	uint32_t n = 0;
	sid *values;

	if (q->has_gte)
		bound(e, r, q, OP_GTE, q->gte, stored);
	if (q->has_lte)
		bound(e, r, q, OP_LTE, q->lte, stored);
	if (q->has_gte || q->has_lte)
		return;
	open_requirement(e, r, q, op, stored);
	values = req_values(r->c->rp, id, r->scratch, &n);
	if (n || !stored) {
		emit_kv_seq(e, "values");
		for (uint32_t i = 0; i < n; i++)
			emit_str(e, report_text(r, values[i]));
		emit_end(e);
	}
	close_requirement(e, q, stored);
}

void rep_requirements(struct emit *e, const struct report *r, const char *key, rsetid reqs, bool stored)
{
	const struct rset *set = rset_get(r->c->rp, reqs);
	struct arena_mark mark = arena_mark(r->scratch);
	const uint32_t *order = rset_by_name(r->c->rp, reqs, r->scratch);

	emit_kv_seq(e, key);
	for (uint32_t i = 0; i < set->n; i++)
		requirement(e, r, set->req[order[i]], stored);
	emit_end(e);
	arena_rewind(r->scratch, mark);
}

struct str rep_pod_name(const struct report *r, uint32_t i)
{
	const struct cluster *c = r->c;
	const struct object_meta *m = cluster_pod_meta(c, i);
	/* Karpenter tells them apart by uid. */
	const char *mark = i >= c->pods.n && cluster_pod(c, m->ns, m->name) ? REP_BUFFER_MARK : "";

	return str_of(
		arena_printf(r->scratch, "%s/%s%s", intern_c(c->in, m->ns), intern_c(c->in, m->name), mark));
}

void rep_head(struct emit *e, const struct report *r, const char *kind)
{
	emit_kv_cstr(e, "apiVersion", "kspot.dev/v1");
	emit_kv_cstr(e, "kind", kind);
	emit_kv_int(e, "formatVersion", 1);
	emit_kv_str(e, "karpenterVersion", report_text(r, r->c->settings.karpenter_version));
	emit_kv_seq(e, "notes");
	for (uint32_t i = 0; i < r->c->nnote; i++)
		emit_cstr(e, r->c->note[i]);
	emit_end(e);
}

const char *rep_names(const struct report *r, const sid *v, uint32_t n)
{
	const char *text;
	struct buf b;

	buf_init(&b);
	for (uint32_t i = 0; i < n; i++)
		buf_addf(&b, "%s%s", i ? ", " : "", intern_c(r->c->in, v[i]));
	text = arena_strndup(r->scratch, buf_cstr(&b), b.n);
	buf_release(&b);
	return text;
}

const char *rep_amounts(const struct report *r, const struct reslist *l)
{
	const char *text;
	struct buf b;

	buf_init(&b);
	for (uint32_t i = 0; i < l->n; i++) {
		buf_addf(&b, "%s", i ? ", " : "");
		quantity_print(&b, (struct quantity){l->v[i].v, l->v[i].format});
		buf_addf(&b, " %s", intern_c(r->c->in, l->v[i].name));
	}
	text = arena_strndup(r->scratch, buf_cstr(&b), b.n);
	buf_release(&b);
	return text;
}
