#include "emit.h"

#include <math.h>
#include <stdio.h>

#include "bug.h"
#include "emit_ops.h"

void emit_init(struct emit *e, enum emit_format format, struct buf *out)
{
	*e = (struct emit){
		.ops = format == EMIT_YAML ? &emit_yaml_ops : &emit_json_ops,
		.out = out,
		.compact = format == EMIT_JSON_COMPACT,
	};
}

void emit_finish(const struct emit *e)
{
	KS_BUG_ON(e->depth != 0);
}

/* Every value starts here. */
static void begin(struct emit *e)
{
	struct emit_level *l = emit_top(e);

	if (l->is_map) {
		KS_BUG_ON(!l->has_key);
		l->has_key = false;
		return;
	}
	if (e->depth == 0 && l->n)
		e->ops->separator(e);
	e->ops->element(e);
	l->n++;
}

static void push(struct emit *e, bool is_map)
{
	begin(e);
	KS_BUG_ON(e->depth == EMIT_MAX_DEPTH);
	e->level[++e->depth] = (struct emit_level){.is_map = is_map};
	e->ops->open(e);
}

void emit_map(struct emit *e)
{
	push(e, true);
}

void emit_seq(struct emit *e)
{
	push(e, false);
}

void emit_end(struct emit *e)
{
	KS_BUG_ON(e->depth == 0 || emit_top(e)->has_key);
	e->ops->close(e);
	e->depth--;
}

void emit_key_str(struct emit *e, struct str key)
{
	struct emit_level *l = emit_top(e);

	KS_BUG_ON(!l->is_map || l->has_key);
	e->ops->key(e, key);
	l->has_key = true;
	l->n++;
}

void emit_key(struct emit *e, const char *key)
{
	emit_key_str(e, str_of(key));
}

void emit_str(struct emit *e, struct str s)
{
	begin(e);
	e->ops->string(e, s);
}

void emit_cstr(struct emit *e, const char *s)
{
	emit_str(e, str_of(s));
}

void emit_int(struct emit *e, int64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)v);
	begin(e);
	e->ops->plain(e, EMIT_INT, text);
}

void emit_double(struct emit *e, double v)
{
	struct buf text;

	if (!isfinite(v)) {
		emit_null(e);
		return;
	}
	buf_init(&text);
	buf_add_double(&text, v);
	begin(e);
	e->ops->plain(e, EMIT_DOUBLE, buf_cstr(&text));
	buf_release(&text);
}

void emit_bool(struct emit *e, bool v)
{
	begin(e);
	e->ops->plain(e, EMIT_WORD, v ? "true" : "false");
}

void emit_null(struct emit *e)
{
	begin(e);
	e->ops->plain(e, EMIT_WORD, "null");
}

void emit_kv_str(struct emit *e, const char *key, struct str s)
{
	emit_key(e, key);
	emit_str(e, s);
}

void emit_kv_cstr(struct emit *e, const char *key, const char *s)
{
	emit_key(e, key);
	emit_cstr(e, s);
}

void emit_kv_int(struct emit *e, const char *key, int64_t v)
{
	emit_key(e, key);
	emit_int(e, v);
}

void emit_kv_double(struct emit *e, const char *key, double v)
{
	emit_key(e, key);
	emit_double(e, v);
}

void emit_kv_bool(struct emit *e, const char *key, bool v)
{
	emit_key(e, key);
	emit_bool(e, v);
}

void emit_kv_map(struct emit *e, const char *key)
{
	emit_key(e, key);
	emit_map(e);
}

void emit_kv_seq(struct emit *e, const char *key)
{
	emit_key(e, key);
	emit_seq(e);
}
