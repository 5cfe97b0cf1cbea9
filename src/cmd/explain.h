#pragma once
/* What the subjects of kspot explain share: one document, kind Explanation, with -o json. */
#include "cmd.h"
#include "emit.h"

/* Whether the run wants JSON and not text. */
bool explain_json(const struct run *r);
/* Opens the document with subject ("pod", "KS0101") and name; the caller adds members. */
void explain_open(struct emit *e, struct run *r, const char *subject, const char *name);
void explain_close(struct emit *e);
