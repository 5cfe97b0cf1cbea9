#pragma once
/* Checks a text and shows the verdicts as lines. */
#include "check.h"

struct check_fixture {
	struct arena a;
	struct diags d;
	struct buf out;
	struct check_result *result;
};

void check_fixture_init(struct check_fixture *f);
void check_fixture_release(struct check_fixture *f);
/*
 * A line "VERDICT" for each document, with "#ITEM" in a list, then one line for each finding: "strict TEXT",
 * "PATH TYPE MESSAGE", "SOURCE: MESSAGE" (runtime), "warning SOURCE: MESSAGE", "default PATH". Valid until
 * the next call.
 */
const char *check_text(struct check_fixture *f, const char *text);
