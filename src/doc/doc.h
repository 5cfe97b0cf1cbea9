#pragma once
/*
 * The positioned tree: what any input file looks like after reading, whether it was YAML or JSON. Every node knows where it
 * started. Scalars keep their text as written and whether they were quoted; what a plain scalar means (number, boolean,
 * null) is decided when it is decoded (scalar.h), by the rules of YAML 1.1 as kubectl applies them.
 *
 * A tree is immutable once read and belongs to the arena it was read into. Aliases are shared nodes: a tree may be a
 * DAG, never cyclic, and the reader bounds its expanded size. Maps keep the order of the file; duplicate keys are
 * reported when reading and the last one stands.
 */
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "diag.h"
#include "file.h"
#include "str.h"

enum doc_kind { DOC_SCALAR, DOC_SEQ, DOC_MAP };

struct doc_node {
	uint8_t kind;   /* enum doc_kind */
	bool quoted;    /* scalars: quoted or block style, so always a string; JSON strings too */
	uint32_t line, col, len; /* start, 1-based, columns in bytes; len of a scalar on its first line */
	uint32_t n;     /* elements of a sequence, entries of a map */
	union {
		struct str text;                /* scalar; NUL terminated, holds no NUL */
		const struct doc_node **items;  /* sequence */
		struct doc_entry *entries;      /* map */
	};
};

struct doc_entry {
	struct str key;
	uint32_t line, col; /* of the key */
	const struct doc_node *value;
};

struct doc {
	const struct source *src;
	const struct doc_node *root; /* never NULL; an empty document is not listed */
	uint32_t index;              /* 0-based position among the documents of the source, empty ones counted */
};

struct docs {
	VEC(struct doc) v;
};

/* Limits of the readers, each with its own diagnostic. */
#define DOC_MAX_DEPTH 64
#define DOC_MAX_NODES 8000000u     /* in one run, aliases expanded */
#define DOC_MAX_DOCS 200000u
#define DOC_MAX_SCALAR (8u << 20)  /* bytes */
#define DOC_MAX_KEY 1024u          /* bytes */

/*
 * Reads every document of a YAML or JSON source (told apart by content) and appends it. After a syntax error the rest
 * of that source is left out and the diagnostic tells; documents before it stay. false if any error was raised.
 */
bool doc_read(struct arena *a, struct diags *d, const struct source *src, struct docs *out);

static inline struct span doc_span(const struct doc *doc, const struct doc_node *n)
{
	return (struct span){doc->src, n->line, n->col, n->len};
}

/* The value of a key of a map, or NULL when absent or n is no map. The key must not be NULL. */
const struct doc_node *doc_get(const struct doc_node *n, const char *key);
/* The entry, for the position of the key. */
const struct doc_entry *doc_entry_of(const struct doc_node *n, const char *key);
