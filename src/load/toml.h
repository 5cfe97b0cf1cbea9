#pragma once
/*
 * TOML as the library reads it that Karpenter uses for the user data of Bottlerocket (go-toml v2): the same
 * texts are TOML, and errors are in its words, without its "toml: ". A document is a list of expressions in
 * the arena; texts point into the input.
 */
#include "str.h"
#include "vec.h"

enum toml_kind {
	TOML_STRING,
	TOML_INTEGER,
	TOML_FLOAT,
	TOML_BOOL,
	TOML_DATETIME,
	TOML_LOCAL_DATETIME,
	TOML_LOCAL_DATE,
	TOML_LOCAL_TIME,
	TOML_ARRAY,
	TOML_INLINE_TABLE
};

/* a.b."c d": what the quotes hold. */
struct toml_key {
	VEC(struct str) part;
};

struct toml_pair;

struct toml_value {
	enum toml_kind kind;
	struct str text;         /* as written; empty for arrays and inline tables */
	uint32_t n;              /* of arrays and inline tables */
	struct toml_pair *items; /* those of an array have no key */
};

struct toml_pair {
	struct toml_key key;
	struct toml_value value;
};

enum toml_form { TOML_PAIR, TOML_TABLE, TOML_ARRAY_TABLE };

/* A pair, or a header: then the key alone counts. */
struct toml_expr {
	enum toml_form form;
	struct toml_pair pair;
};

struct toml_doc {
	VEC(struct toml_expr) exprs;
	const char *error; /* what ends the document after these expressions, or NULL */
};

void toml_read(struct arena *a, struct str text, struct toml_doc *ret_doc);

/* Why a value is none of its kind (toml_check.c): no such day, a number too large. Of what it holds too.
 * NULL: it is one. */
const char *toml_value_error(struct arena *a, const struct toml_value *v);

/* Which keys a document has used, and as what (toml_check.c). */
struct toml_seen;

struct toml_seen *toml_seen_new(struct arena *a);
/* To be asked of each expression in order. Why it may not stand there, or NULL. */
const char *toml_seen_check(struct toml_seen *s, const struct toml_expr *e);
