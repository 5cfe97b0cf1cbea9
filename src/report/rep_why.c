#include "rep_why.h"

#include <inttypes.h>

#include "table.h"

static const char *enough_of(const struct why_obstacle *o)
{
	return o->enough;
}

static const char *message_of(const struct why_obstacle *o)
{
	return o->message;
}

/* The texts of all obstacles, joined by "; ". */
static const char *joined(const struct report *r, const struct why_pool *p,
			  const char *(*text)(const struct why_obstacle *o))
{
	struct buf b;
	const char *out;

	buf_init(&b);
	for (uint32_t i = 0; i < p->n; i++) {
		const char *one = text(&p->v[i]);

		if (one)
			buf_addf(&b, "%s%s", b.n ? "; " : "", one);
	}
	out = arena_strndup(r->scratch, buf_cstr(&b), b.n);
	buf_release(&b);
	return out;
}

/* Nothing is enough while one obstacle has no remedy. */
static const char *enough_for(const struct report *r, const struct why_pool *p)
{
	for (uint32_t i = 0; i < p->n; i++)
		if (!p->v[i].enough)
			return NULL;
	return joined(r, p, enough_of);
}

static void emit_amount(struct emit *e, const char *key, qty v, uint8_t format)
{
	struct buf b;

	buf_init(&b);
	quantity_print(&b, (struct quantity){v, format});
	emit_kv_cstr(e, key, buf_cstr(&b));
	buf_release(&b);
}

static void obstacle(struct emit *e, const struct report *r, const struct why_obstacle *o)
{
	emit_map(e);
	emit_kv_cstr(e, "code", why_info(o->code)->name);
	if (o->subject != SID_NONE)
		emit_kv_str(e, "subject", report_text(r, o->subject));
	if (o->has_amount) {
		emit_amount(e, "needed", o->need, o->format);
		emit_amount(e, "available", o->have, o->format);
		emit_amount(e, "shortfall", o->need - o->have, o->format);
	}
	emit_kv_cstr(e, "message", o->message);
	if (o->enough)
		emit_kv_cstr(e, "enough", o->enough);
	emit_end(e);
}

static const char *karpenter_message(const struct pool_error *error, uint32_t nerror, sid pool)
{
	for (uint32_t i = 0; i < nerror; i++)
		if (error[i].pool == pool)
			return error[i].message;
	return NULL;
}

void rep_why(struct emit *e, const struct report *r, const struct pod_why *why,
	     const struct pool_error *error, uint32_t nerror)
{
	emit_kv_seq(e, "perNodePool");
	for (uint32_t i = 0; i < why->n; i++) {
		const struct why_pool *p = &why->pool[i];
		const char *enough = enough_for(r, p);
		const char *message = karpenter_message(error, nerror, p->pool->meta.name);

		emit_map(e);
		emit_kv_str(e, "nodePool", report_text(r, p->pool->meta.name));
		if (message)
			emit_kv_cstr(e, "message", message);
		emit_kv_cstr(e, "code", why_info(p->v[0].code)->name);
		emit_kv_cstr(e, "why", joined(r, p, message_of));
		if (enough)
			emit_kv_cstr(e, "enough", enough);
		emit_kv_seq(e, "obstacles");
		for (uint32_t k = 0; k < p->n; k++)
			obstacle(e, r, &p->v[k]);
		emit_end(e);
		emit_end(e);
	}
	emit_end(e);
}

void rep_why_text(struct buf *out, const struct report *r, const struct pod_why *why, uint32_t most,
		  uint32_t width)
{
	for (uint32_t i = 0; i < why->n; i++) {
		const struct why_pool *p = &why->pool[i];
		const char *name = intern_c(r->c->in, p->pool->meta.name);
		const char *enough = enough_for(r, p);

		if (most && i == most) {
			buf_addf(out, "  ... and %" PRIu32 " more NodePools; -o wide tells of all\n",
				 why->n - most);
			return;
		}
		buf_addf(out, "  NodePool %s: ", name);
		text_wrap(out, joined(r, p, message_of), (uint32_t)strlen(name) + 13, 4, width);
		if (!enough)
			continue;
		buf_addf(out, "    %s: ", p->n > 1 ? "enough, all of" : "enough");
		text_wrap(out, enough, p->n > 1 ? 20 : 12, 6, width);
	}
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

bool rep_why_same(const struct pod_why *a, const struct pod_why *b)
{
	if (a == b)
		return true;
	if (!a || !b || a->n != b->n)
		return false;
	for (uint32_t i = 0; i < a->n; i++) {
		const struct why_pool *x = &a->pool[i], *y = &b->pool[i];

		if (x->pool != y->pool || x->n != y->n)
			return false;
		for (uint32_t k = 0; k < x->n; k++)
			if (!same_text(x->v[k].message, y->v[k].message) ||
			    !same_text(x->v[k].enough, y->v[k].enough))
				return false;
	}
	return true;
}
