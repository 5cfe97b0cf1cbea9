#pragma once
/*
 * kspot check: what an API server with Karpenter's CRDs answers to a create of each document, and what
 * Karpenter itself says of the accepted object afterwards. Fields are those of the recorded verdicts
 * ("Validation rules", section 1).
 *
 * A result belongs to the arena it was made in; paths and texts in it are NUL terminated.
 */
#include "diag.h"
#include "jval.h"

enum check_verdict {
	CHECK_ACCEPTED,
	CHECK_REJECTED,
	CHECK_UNKNOWN_KIND, /* a group of Karpenter, but no such kind or version */
	CHECK_NOT_KARPENTER,
	CHECK_PARSE_ERROR,
};

/* An error of the API server; type is its cause reason without "FieldValue", or "BadRequest". */
struct check_error {
	const char *path; /* "" for the object as a whole */
	const char *type;
	const char *message;
	struct span at;
};

/* What Karpenter says of an accepted object, and who says it. */
struct check_remark {
	const char *source;
	const char *message;
	struct span at;
};

/* A field that defaulting added, the topmost only. */
struct check_default {
	const char *path;
	const struct jval *value;
};

struct check_strict {
	const char *text; /* as kubectl prints it */
	struct span at;
	bool duplicate;   /* of a key, else unknown field */
	const char *near; /* the known field that an unknown one is close to, or NULL */
};

struct check_doc {
	const struct source *src;
	uint32_t index;                        /* among the documents of its source, empty ones not counted */
	int64_t item;                          /* ordinal in a list object, -1 for none */
	const char *api_version, *kind, *name; /* "" when absent or not a string */
	struct span at;
	enum check_verdict verdict;
	bool unreadable;                 /* the reader could not make a document of it, and said so */
	VEC(struct check_error) errors;  /* by path, type, message */
	VEC(struct check_strict) strict; /* unknown and duplicate fields */
	VEC(struct check_remark) runtime;
	VEC(struct check_remark) warnings;
	VEC(struct check_default) defaulted;
	const struct doc_node *root; /* as read; NULL when unreadable */
	const struct jval *object;   /* Karpenter kinds: with defaults, without unknown fields; else NULL */
};

struct check_result {
	VEC(struct check_doc) docs; /* in input order */
};

/* Every document, those that could not be read among them. The trees must outlive the result. */
struct check_result *check_docs(struct arena *a, const struct docs *docs);

/* "accepted", "rejected", "unknownKind", "notKarpenter", "parseError". */
const char *check_verdict_name(enum check_verdict v);
/* The labels a cloud provider registers with Karpenter beside its own. */
struct check_labels {
	uint32_t nknown;
	const char *const *known; /* well known, any order */
	const char *restricted;   /* the provider's label domain, or NULL */
	bool tenancy;             /* instance-tenancy has known values */
};

/*
 * Why Karpenter's own validation makes a NodePool not ready (RuntimeValidate, or decoding), texts joined by
 * "; " as in its condition; NULL when it does not. labels NULL: the AWS provider's. Looks at doc->object,
 * accepted or not.
 */
const char *check_nodepool_invalid(struct arena *a, const struct check_doc *doc,
				   const struct check_labels *labels);
/* The same of a NodeOverlay, which has no effect then. */
const char *check_overlay_invalid(struct arena *a, const struct check_doc *doc,
				  const struct check_labels *labels);
