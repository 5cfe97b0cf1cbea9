#pragma once
/* The result of kspot check, as JSON and as text. */
#include "check.h"
#include "finding.h"
#include "lint.h"

/* A bare array, one entry for each document; fields and order as in the recorded verdicts. */
void rep_check_json(struct buf *out, const struct check_result *result);
/* The same for people: one finding for each error, unknown field and remark. Duplicate keys and unreadable
 * documents are left to the messages of the reader. */
void rep_check_findings(struct findings *ret_findings, const struct check_result *result,
			const struct lint_findings *lints);
/* "3 objects checked: 2 accepted, 1 refused". */
void rep_check_summary(struct buf *out, const struct check_result *result);
