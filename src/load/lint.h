#pragma once
/*
 * What a careful reviewer says of objects that the API server takes. Each lint is a diagnostic in the 7xx
 *range with a hint that says how to mend it; a file switches some off for itself with a comment:
 *
 *	# kspot: ignore KS0707, KS0712
 *
 * Lints of one object look at that object, those of several at all objects of the input.
 */
#include "check.h"

struct lint_finding {
	uint32_t doc; /* index in check_result.docs */
	struct diag_msg msg;
};

struct lint_findings {
	VEC(struct lint_finding) v; /* by document, then as found */
};

/* The lints that need no instance types. */
void lint_docs(struct arena *a, const struct check_result *in, struct lint_findings *ret_out);
