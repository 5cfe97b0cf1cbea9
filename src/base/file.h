#pragma once
/*
 * Input text and where it came from. A source is a whole file read into memory with a table of its line
 * starts, from which diagnostics show the line. The arena given owns the text. Text is NUL terminated after
 * its n bytes.
 */
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "diag.h"
#include "str.h"

struct source {
	const char *name; /* as the user gave it; "<stdin>" for - */
	struct str text;
	const uint32_t *line_start; /* byte offset of each line */
	uint32_t nlines;
	bool utf16; /* the file was UTF-16; text is UTF-8 */
};

/* Largest file that is read, in bytes. */
#define FILE_MAX_BYTES (256u << 20)

/*
 * Reads path ("-" is standard input) whole. NULL after a diagnostic: not readable, a directory, or over the
 * limit.
 */
const struct source *source_read(struct arena *a, struct diags *d, const char *path);
/* A source over text that is already in memory and outlives the arena. */
const struct source *source_from_text(struct arena *a, const char *name, struct str text);
/* Line and column (1-based, columns in bytes) of a byte offset. */
void source_locate(const struct source *s, size_t offset, uint32_t *ret_line, uint32_t *ret_col);
/* The text of a 1-based line without its line end. */
struct str source_line(const struct source *s, uint32_t line);
