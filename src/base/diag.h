#pragma once
/*
 * Diagnostics: every message that kspot has about its input. The table diag.def gives each one a stable code
 * (KS0123), a default severity, a one-line summary and a longer explanation; messages are collected in a sink
 * in the order they are raised and printed by cmd/. Reading goes on after an error; a sink keeps at most
 * DIAG_MAX_ERRORS errors and counts the rest.
 *
 * The sink is handed down; it owns its messages through its arena.
 */
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "buf.h"
#include "vec.h"

struct source;

enum severity { SEV_NOTE, SEV_WARNING, SEV_ERROR };

enum diag_code {
#define DIAG(id, number, severity, summary, explanation) id = number,
#include "diag.def"
#undef DIAG
};

/* Where in the input: 1-based line and column in bytes, and how many columns to underline (0: one caret). */
struct span {
	const struct source *src;
	uint32_t line, col, len;
};

#define SPAN_NONE ((struct span){0})

struct diag_msg {
	enum diag_code code;
	enum severity severity;
	struct span span;
	const char *text;
	const char *hint; /* what to do instead, or NULL */
	bool attached;    /* a note that belongs to the message before it */
};

#define DIAG_MAX_ERRORS 20

struct diags {
	struct arena *arena;
	VEC(struct diag_msg) msgs;
	uint32_t errors, warnings; /* all raised, also those beyond the cap */
	bool muted;                /* counts, but keeps nothing */
};

struct diag_info {
	enum diag_code code;
	enum severity severity;
	const char *slug; /* the identifier in diag.def */
	const char *summary;
	const char *explanation;
};

void diags_init(struct diags *d, struct arena *a);
/* Raises a message with the severity of the table. */
__attribute__((format(printf, 4, 5))) void diag(struct diags *d, enum diag_code code, struct span at,
						const char *fmt, ...);
/* A hint for the message raised last ("did you mean ..."). */
__attribute__((format(printf, 2, 3))) void diag_hint(struct diags *d, const char *fmt, ...);
/* A note that belongs to the message raised last ("first defined here"). */
__attribute__((format(printf, 3, 4))) void diag_note(struct diags *d, struct span at, const char *fmt, ...);

/* All rows of diag.def in order of their numbers. */
const struct diag_info *diag_table(uint32_t *ret_n);
const struct diag_info *diag_lookup(enum diag_code code);
/* "file:line:col: error: text [KS0123]", the source line, a caret, the hint. colour: with terminal colours.
 */
void diag_print(struct buf *out, const struct diag_msg *m, bool colour);
