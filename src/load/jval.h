#pragma once
/*
 * A document as the API server sees it after decoding: the positioned tree turned into JSON values. Null keys
 * and numbers become what sigs.k8s.io/yaml makes of them: a float with an integral value is an integer, an
 * integer beyond int64 a float. Unlike the positioned tree it is no DAG and may be changed (pruned,
 * defaulted); nodes keep the position they came from, values added later have line 0. Everything belongs to
 * the arena given.
 */
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "buf.h"
#include "doc.h"
#include "vec.h"

enum jtype { JV_NULL, JV_BOOL, JV_INT, JV_FLOAT, JV_STRING, JV_LIST, JV_MAP };

struct jval;

struct jmember {
	struct str key;
	uint32_t line, col; /* of the key */
	struct jval *v;
};

struct jval {
	enum jtype type;
	bool b;
	bool decimal; /* JV_INT: JSON text has it as a decimal (10.0), which stays a float64 in the server */
	uint32_t line, col, len;
	int64_t i;
	double f;
	struct str s;
	VEC(struct jval *) items;
	VEC(struct jmember) members;
};

/* What cannot be written as JSON: an infinite or undefined number. */
struct jval_error {
	const char *text; /* NULL: none */
	uint32_t line, col;
};

/*
 * Never NULL; *ret_error tells of the first value that has no JSON form. json: the text was JSON, not YAML
 * made into it.
 */
struct jval *jval_of(struct arena *a, const struct doc_node *n, bool json, struct jval_error *ret_error);
struct jval *jval_new(struct arena *a, enum jtype type);
struct jval *jval_string(struct arena *a, const char *s);
struct jval *jval_copy(struct arena *a, const struct jval *v);

/* The value of a member, or NULL when absent or v is no map (v may be NULL). A null value counts as there. */
struct jval *jval_get(const struct jval *v, const char *key);
struct jval *jval_get_str(const struct jval *v, struct str key);
/* As jval_get, but a null value counts as absent: what CEL's has() asks. */
struct jval *jval_has(const struct jval *v, const char *key);
/* Follows a path of keys, separated by dots, that hold no dot themselves. */
struct jval *jval_at(const struct jval *v, const char *path);
/* The members of a map by key, v->members.n of them; NULL for none. */
const struct jmember *jval_sorted(struct arena *a, const struct jval *v);
void jval_add(struct arena *a, struct jval *map, struct str key, struct jval *v);

/* The text of a string, or "" for anything else and for NULL. */
struct str jval_text(const struct jval *v);
static inline bool jval_is(const struct jval *v, enum jtype type)
{
	return v && v->type == type;
}
/* Whether a string with exactly this text. */
static inline bool jval_is_text(const struct jval *v, const char *s)
{
	return jval_is(v, JV_STRING) && str_is(v->s, s);
}

/* A number as Go's %v writes it (1e+20, 1.5, 10). */
void jval_add_number(struct buf *out, const struct jval *v);
/* As Go's encoding/json writes it: compact, members by key, <, > and & escaped. */
void jval_add_json(struct arena *a, struct buf *out, const struct jval *v);
