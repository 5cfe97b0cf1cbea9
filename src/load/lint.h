#pragma once
/*
 * What a careful reviewer says of objects that the API server takes. Each lint is a diagnostic in the 7xx
 * range with a hint that says how to mend it. A comment switches some off for its file, an annotation for its
 * object:
 *
 *	# kspot: ignore KS0707, KS0712
 *	kspot.dev/ignore: KS0707 the queue may wait
 *
 * Lints of one object look at that object, those of several at all objects of the input.
 */
#include "check.h"

struct lint_finding {
	uint32_t doc; /* index in check_result.docs */
	struct diag_msg msg;
};

struct cluster;
struct itype_list;

struct lint_findings {
	VEC(struct lint_finding) v; /* by document, then as found */
};

/* The lints that need no instance types. */
void lint_docs(struct arena *a, const struct check_result *in, struct lint_findings *ret_out);
/*
 * Those that do: types has the instance types of each NodePool of c, which was loaded from the same
 * documents. Only for an input that was accepted as a whole.
 */
void lint_types(struct arena *a, const struct check_result *in, struct cluster *c,
		const struct itype_list *const *types, struct lint_findings *ret_out);
/* Leaves out what its file switched off, and orders the rest by document. To be called last. */
void lint_settle(struct arena *a, const struct check_result *in, struct lint_findings *out);
