#pragma once
/*
 * What a check found, for people and for CI: diagnostics grouped by the object they are about, written as
 * text, JUnit XML, SARIF 2.1.0 or GitHub workflow commands. Codes, summaries and explanations come from
 * diag.def.
 */
#include "diag.h"

/* An object that was checked; msgs are a range of findings.msgs, none when all is well. */
struct finding_unit {
	const char *file;
	const char *name; /* "NodePool/default" */
	uint32_t from, n;
};

struct findings {
	struct arena *arena;
	bool strict; /* warnings count as failures */
	VEC(struct diag_msg) msgs;
	VEC(struct finding_unit) units;
};

void findings_init(struct findings *f, struct arena *a, bool strict);
/* Starts the next object; what is added from here on belongs to it. */
void findings_unit(struct findings *f, const char *file, const char *name);
void findings_add(struct findings *f, enum diag_code code, struct span at, const char *text,
		  const char *hint);
/* A message as it was raised, with its severity. */
void findings_take(struct findings *f, const struct diag_msg *m);

/* Whether a message makes the check fail. */
bool finding_fails(const struct findings *f, const struct diag_msg *m);
bool findings_failed(const struct findings *f);

/* Failures, and all else of at least this severity. */
void rep_findings_text(struct buf *out, const struct findings *f, bool colour, enum severity least);
void rep_findings_junit(struct buf *out, const struct findings *f, const char *suite);
void rep_findings_sarif(struct buf *out, const struct findings *f);
void rep_findings_github(struct buf *out, const struct findings *f);
