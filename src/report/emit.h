#pragma once
/*
 * Structured output: reports are written once, against these calls, and come out as JSON or YAML.
 *
 * A writer appends to a buffer it does not own. The calls must form whole values (a key before each value of
 * a map, an end for each map and sequence, at most EMIT_MAX_DEPTH open); anything else is a bug and ends the
 * run. Several values at the top make several documents. Text that is not UTF-8 comes out with U+FFFD in
 * place of the bad bytes.
 */
#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "str.h"

enum emit_format { EMIT_JSON, EMIT_JSON_COMPACT, EMIT_YAML };

#define EMIT_MAX_DEPTH 32

/* An open map or sequence. */
struct emit_level {
	bool is_map;
	bool has_key;   /* a key waits for its value */
	bool same_line; /* YAML: the first entry continues the line of the parent's dash */
	uint32_t n;     /* entries begun */
	uint32_t indent;
};

struct emit_ops;

struct emit {
	const struct emit_ops *ops;
	struct buf *out;
	uint32_t depth; /* open maps and sequences */
	bool compact;
	struct emit_level
		level[EMIT_MAX_DEPTH + 1]; /* level[0] holds the documents, level[depth] is the innermost */
};

void emit_init(struct emit *e, enum emit_format format, struct buf *out);
/* Checks that every value is complete. */
void emit_finish(const struct emit *e);

void emit_map(struct emit *e);
void emit_seq(struct emit *e);
/* Closes the innermost map or sequence. */
void emit_end(struct emit *e);
void emit_key(struct emit *e, const char *key);
void emit_key_str(struct emit *e, struct str key);

void emit_str(struct emit *e, struct str s);
void emit_cstr(struct emit *e, const char *s);
void emit_int(struct emit *e, int64_t v);
/* The shortest text that reads back as the same double; null when v is not finite. */
void emit_double(struct emit *e, double v);
void emit_bool(struct emit *e, bool v);
void emit_null(struct emit *e);

/* A key and its value in one call. */
void emit_kv_str(struct emit *e, const char *key, struct str s);
void emit_kv_cstr(struct emit *e, const char *key, const char *s);
void emit_kv_int(struct emit *e, const char *key, int64_t v);
void emit_kv_double(struct emit *e, const char *key, double v);
void emit_kv_bool(struct emit *e, const char *key, bool v);
void emit_kv_map(struct emit *e, const char *key);
void emit_kv_seq(struct emit *e, const char *key);
