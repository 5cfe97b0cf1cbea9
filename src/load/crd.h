#pragma once
/*
 * The steps of a create, in the order of the API server: prune, default, validate. Each works on one object
 * of one kind and adds what it finds to the document's result. Used by check.c only.
 */
#include "check.h"
#include "crd_schema.h"

struct re;

struct crd_pattern {
	const char *text;
	const struct re *re;
};

struct crd_walk {
	struct arena *a;
	struct check_doc *doc;
	const struct crd_kind *kind;
	struct buf path;                  /* of the value at hand: "spec.taints[0].key" */
	bool skip_rules;                  /* an error was found that keeps CEL from running */
	VEC(struct crd_pattern) patterns; /* compiled so far */
};

/* Appends ".key" or "[i]"; the length before is what crd_leave() wants back. */
size_t crd_enter(struct crd_walk *w, struct str key);
size_t crd_enter_index(struct crd_walk *w, uint32_t i);
void crd_leave(struct crd_walk *w, size_t mark);

/* An error at the present path; at NULL: the object. */
__attribute__((format(printf, 4, 5))) void crd_error(struct crd_walk *w, const struct jval *at,
						     const char *type, const char *fmt, ...);
/* A strict error about the member at the present path; near: the known field it is close to, or NULL. */
void crd_unknown_field(struct crd_walk *w, const struct jmember *m, const char *near);
struct span crd_span(const struct check_doc *doc, const struct jval *v);

/* Removes what the schema does not know and names it (strict errors). */
void crd_prune(struct crd_walk *w, struct jval *root);
/* Adds defaults, then drops nulls that no default replaced. */
void crd_default(struct crd_walk *w, struct jval *root);
/* Decoding and validation of metadata. false: a request that is refused before anything else is looked at. */
bool crd_metadata(struct crd_walk *w, struct jval *root);
/* Schema and cross-field rules. */
void crd_validate(struct crd_walk *w, struct jval *root);
/* What Karpenter says of the accepted object. */
void crd_runtime(struct crd_walk *w, const struct jval *root);
/* The first thing that Karpenter's Go types cannot decode, or NULL (crd_decode.c). */
const char *crd_decode_error(struct crd_walk *w, const struct jval *root, const struct jval **ret_at);

/* Go's %q. */
void crd_add_quoted(struct buf *out, struct str s);
