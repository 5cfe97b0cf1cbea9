#pragma once
/*
 * The positioned tree: what any input file looks like after reading, whether it was YAML or JSON. Every node
 * knows where it started. Scalars keep their text as written and whether they were quoted; what a plain
 * scalar means (number, boolean, null) is decided when it is decoded (scalar.h), by the rules of YAML 1.1 as
 * kubectl applies them.
 *
 * A tree is immutable once read and belongs to the arena it was read into. Aliases are shared nodes: a tree
 * may be a DAG, never cyclic, and the reader bounds its expanded size and depth. Maps keep the order of the
 * file and have no key twice: of duplicate keys the last one stands, a warning tells, and the document lists
 * them.
 *
 * A source is cut into documents as kubectl does it, at lines of "---", and each is read by itself: an error
 * in one leaves out that document and no other. Rule: validation rules of Karpenter v1.14.1, "From file to
 * object".
 */
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "diag.h"
#include "file.h"
#include "str.h"

enum doc_kind { DOC_SCALAR, DOC_SEQ, DOC_MAP };

struct doc_node {
	uint8_t kind;            /* enum doc_kind */
	bool quoted;             /* scalars: quoted or block style, so always a string; JSON strings too */
	uint32_t line, col, len; /* start, 1-based, columns in bytes; len of a scalar on its first line */
	uint32_t n;              /* elements of a sequence, entries of a map */
	union {
		struct str text;               /* scalar; NUL terminated, holds no NUL */
		const struct doc_node **items; /* sequence */
		struct doc_entry *entries;     /* map */
	};
};

struct doc_entry {
	struct str key; /* NUL terminated; a plain number or boolean is spelt as JSON has it: yes -> true, 010
			   -> 8 */
	uint32_t line, col; /* of the key */
	const struct doc_node *value;
};

/* A key that its map had already. Listed in the order in which a decoder meets them. */
struct doc_duplicate {
	const char *map; /* path of the map, "spec.template.spec.taints[1]", "" for the root */
	struct str key;
	uint32_t line, col;  /* of the later key */
	uint32_t value_line; /* of its value: the line that the API server's strict decoder names */
	uint32_t first_line, first_col; /* of the earlier key */
	bool merged;                    /* one of the two came through a merge key */
};

struct doc {
	const struct source *src;
	const struct doc_node *root; /* never NULL; an empty document is not listed */
	uint32_t index;      /* 0-based among the documents of the source, bad ones counted, empty ones not */
	uint32_t seq;        /* among all documents read so far, bad ones counted */
	uint32_t start_line; /* the line after its separator; 1 for the first document */
	bool json;           /* the source as a whole is JSON */
	const struct doc_duplicate *duplicates;
	uint32_t nduplicates;
};

/* A document that could not be read; the error was raised. */
struct doc_bad {
	const struct source *src;
	uint32_t index, seq; /* as in struct doc */
	uint32_t line, col;
	const char *text; /* of the error */
};

struct docs {
	VEC(struct doc) v;
	VEC(struct doc_bad) bad;
	uint64_t nodes; /* in all documents so far, aliases expanded */
};

/* Limits of the readers, each with its own diagnostic. */
#define DOC_MAX_DEPTH 64
#define DOC_MAX_NODES 8000000u /* in one run, aliases expanded */
#define DOC_MAX_DOCS 200000u
#define DOC_MAX_SCALAR (8u << 20) /* bytes */
#define DOC_MAX_KEY 1024u         /* bytes */
#define DOC_MAX_ALIASED 1000000u  /* nodes that aliases and merge keys of one document add */
#define DOC_MAX_DUPLICATES 1000u  /* in one document */

/*
 * Reads every document of a YAML or JSON source (told apart by content, document by document) and appends it.
 * A document with an error is listed as bad instead. false if any error was raised.
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

/*
 * What a text that is no manifest probably is, as a hint on what to do with it, or NULL: a Helm template, a
 * table or a description printed by kubectl, a log, a diff, a packed file. Reads the beginning of the text
 * only.
 */
const char *doc_guess(const struct source *src);
/* The same for a document of it that reads well but is no Kubernetes object. */
const char *doc_guess_object(const struct source *src, const struct doc_node *root);
