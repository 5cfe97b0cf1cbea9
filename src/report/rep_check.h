#pragma once
/* The result of kspot check, as JSON and as text. */
#include "check.h"

/* A bare array, one entry for each document; fields and order as in the recorded verdicts. */
void rep_check_json(struct buf *out, const struct check_result *result);
