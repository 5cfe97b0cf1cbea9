#pragma once
/*
 * How the YAML and JSON readers make a tree: they report what they meet in the order of the text, and the
 * builder makes the nodes, joins them, holds the limits, resolves merge keys and finds duplicate keys. One
 * builder reads one source; build_open and build_close bracket each document.
 *
 * Positions are byte offsets into the source. Each function gives false after raising an error; the document
 * is then given up with build_fail already done.
 */
#include "doc.h"

struct build_child {
	struct doc_entry entry; /* of a list only the value is used */
	uint32_t seq;           /* when its value was complete */
	uint32_t value_line;    /* where its value stands; of an alias its own line */
	bool merged;
};

struct build_frame {
	bool map;
	bool has_key;
	bool merge_key;       /* the key is a plain << */
	struct doc_entry key; /* of a map: the key whose value is due */
	uint32_t from;        /* first of its children in builder.child */
	uint32_t line, col;
	uint32_t anchor; /* 1 + its number in builder.anchor, 0 for none */
	uint32_t height; /* levels of collections below */
	uint64_t size;   /* nodes below, aliases expanded */
};

/* A node that aliases name; node is NULL as long as it is open. */
struct build_anchor {
	const struct doc_node *node;
	uint32_t height;
	uint64_t size;
};

#define BUILD_CACHE 1024u

struct builder {
	struct arena *a;
	struct arena scratch; /* working storage of one document */
	struct arena_mark empty;
	struct diags *d;
	const struct source *src;
	struct docs *out;
	uint32_t index;      /* documents so far, bad ones counted */
	uint32_t line;       /* where the last offset was found */
	uint32_t start_line; /* of this document */
	const char *guess;   /* doc_guess, once asked for */
	bool guessed;
	bool json;     /* the source as a whole is JSON */
	bool json_doc; /* and so is this document */

	/* Of the open document. */
	const struct doc_node *root;
	struct build_frame frame[DOC_MAX_DEPTH];
	uint32_t depth;
	uint32_t seq;
	uint64_t aliased;
	VEC(struct build_child) child; /* of all open frames */
	VEC(struct doc_duplicate) dup;
	VEC(uint32_t) dup_seq;
	VEC(struct build_anchor) anchor;
	uint32_t warned; /* duplicates that a warning was raised for, in this source */

	struct str cache[BUILD_CACHE]; /* short texts met lately, to share their copies */
};

struct span build_span(struct builder *b, size_t off, size_t len);

void build_init(struct builder *b, struct arena *a, struct diags *d, const struct source *src,
		struct docs *out);
void build_release(struct builder *b);
void build_open(struct builder *b);
/* Lists the document, unless it is empty. */
void build_close(struct builder *b);
/* Lists a document as bad. */
void build_bad(struct builder *b, struct span at, const char *text);
/* Raises an error and lists the document as bad. Always false. */
__attribute__((format(printf, 4, 5))) bool build_fail(struct builder *b, enum diag_code code, struct span at,
						      const char *fmt, ...);

/* The text may be anywhere; it is copied. anchor: as in struct build_frame. */
bool build_scalar(struct builder *b, struct str text, bool quoted, size_t off, size_t len, uint32_t anchor);
/* A scalar that is not joined to the tree: the value of an anchor on a key. */
const struct doc_node *build_node(struct builder *b, struct str text, bool quoted, struct span at);
bool build_key(struct builder *b, struct str text, bool merge_key, size_t off);
bool build_begin(struct builder *b, bool map, size_t off, uint32_t anchor);
bool build_end(struct builder *b);
bool build_alias(struct builder *b, uint32_t anchor, size_t off);

/* Whether a map is open and its next node is a key. */
bool build_wants_key(const struct builder *b);

/*
 * The readers. Both read text[from, to) of the builder's source. The JSON reader reads one value and gives
 * where it ended; if the text is no JSON it raises nothing, builds nothing and says where and why.
 */
enum json_result { JSON_OK, JSON_NOT, JSON_FAILED };

struct json_error {
	size_t off;
	const char *text;
};

enum json_result doc_json_read(struct builder *b, size_t from, size_t to, size_t *ret_end,
			       struct json_error *ret_why);
/* why: the JSON reader's complaint, to be raised in place of a YAML syntax error; or NULL. */
void doc_yaml_read(struct builder *b, size_t from, size_t to, const struct json_error *why);
