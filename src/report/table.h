#pragma once
/*
 * Columns of text for a person, and paragraphs. A table collects its cells, then prints them with columns as
 * wide as their longest cell. Where that is more than the width allows, columns move closer together, and
 * then those that may shrink lose the ends of their longest cells, shown by '~'. Cells are copied into the
 * arena given.
 */
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "buf.h"
#include "vec.h"

#define TABLE_MAX_COLUMNS 14
#define SCREEN_WIDTH 80

struct table_column {
	const char *title;
	bool right;  /* aligned to the right */
	bool shrink; /* may be cut */
};

struct table {
	struct arena *arena;
	const struct table_column *column;
	uint32_t ncolumns;
	VEC(const char *) cells; /* row by row */
};

void table_init(struct table *t, struct arena *a, const struct table_column *column, uint32_t ncolumns);
/* The next cell, in reading order. */
__attribute__((format(printf, 2, 3))) void table_cell(struct table *t, const char *fmt, ...);
/* width 0: as wide as needed. */
void table_print(const struct table *t, struct buf *out, uint32_t width);

/* The ending of a word that n of something are told with. */
static inline const char *plural(uint32_t n)
{
	return n == 1 ? "" : "s";
}

/*
 * Words of text in lines of at most width columns (0: one line), each led by indent blanks but the first,
 * which continues a line that has `used` columns already. Ends with a newline.
 */
void text_wrap(struct buf *out, const char *text, uint32_t used, uint32_t indent, uint32_t width);
