#pragma once
/* What a format has to know; emit.c calls these in a checked order. */
#include "emit.h"

/* The kinds of unquoted scalars. */
enum emit_scalar { EMIT_INT, EMIT_DOUBLE, EMIT_WORD };

struct emit_ops {
	/* Before the second and later documents. */
	void (*separator)(struct emit *e);
	/* Before any value that is not a map's: the place of a document or of the next element. */
	void (*element)(struct emit *e);
	void (*key)(struct emit *e, struct str key);
	/* The map or sequence was pushed: it is e->level[e->depth]. */
	void (*open)(struct emit *e);
	/* About to be popped. */
	void (*close)(struct emit *e);
	void (*string)(struct emit *e, struct str s);
	void (*plain)(struct emit *e, enum emit_scalar kind, const char *text);
};

extern const struct emit_ops emit_json_ops, emit_yaml_ops;

static inline struct emit_level *emit_top(struct emit *e)
{
	return &e->level[e->depth];
}

/* Appends s in double quotes with JSON escapes. printable_only: escapes also what YAML calls unprintable. */
void emit_quoted(struct buf *out, struct str s, bool printable_only);
