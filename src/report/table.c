#include "table.h"

#include <stdio.h>
#include <string.h>

#include "bug.h"

enum { GAP = 2, NARROW_GAP = 1, LEAST = 6 };

void table_init(struct table *t, struct arena *a, const struct table_column *column, uint32_t ncolumns)
{
	KS_BUG_ON(ncolumns > TABLE_MAX_COLUMNS);
	*t = (struct table){.arena = a, .column = column, .ncolumns = ncolumns};
}

void table_cell(struct table *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	VEC_PUSH(t->arena, &t->cells, arena_vprintf(t->arena, fmt, ap));
	va_end(ap);
}

/* Columns on the screen: characters of UTF-8, which names of Kubernetes objects never hold beyond ASCII. */
static uint32_t columns(const char *s)
{
	uint32_t n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static void measure(const struct table *t, uint32_t *width)
{
	for (uint32_t c = 0; c < t->ncolumns; c++)
		width[c] = columns(t->column[c].title);
	for (uint32_t i = 0; i < t->cells.n; i++) {
		uint32_t n = columns(t->cells.v[i]);

		if (n > width[i % t->ncolumns])
			width[i % t->ncolumns] = n;
	}
}

static uint32_t total_width(const struct table *t, const uint32_t *width, uint32_t gap)
{
	uint32_t total = 0;

	for (uint32_t c = 0; c < t->ncolumns; c++)
		total += width[c] + (c ? gap : 0);
	return total;
}

/* Takes columns off the widest that may shrink, one at a time, so that they end up alike. */
static void shrink(const struct table *t, uint32_t *width, uint32_t excess)
{
	for (; excess; excess--) {
		uint32_t widest = UINT32_MAX;

		for (uint32_t c = 0; c < t->ncolumns; c++)
			if (t->column[c].shrink && width[c] > LEAST &&
			    (widest == UINT32_MAX || width[c] > width[widest]))
				widest = c;
		if (widest == UINT32_MAX)
			return;
		width[widest]--;
	}
}

static void print_row(const struct table *t, struct buf *out, const uint32_t *width, uint32_t gap,
		      const char *const *cell)
{
	uint32_t blanks = 0; /* owed; none are printed at the end of a line */

	for (uint32_t c = 0; c < t->ncolumns; c++) {
		uint32_t n = columns(cell[c]), pad = n < width[c] ? width[c] - n : 0;

		if (t->column[c].right)
			blanks += pad;
		if (n) {
			buf_pad(out, ' ', blanks);
			blanks = 0;
		}
		if (n > width[c])
			buf_addf(out, "%.*s~", (int)width[c] - 1, cell[c]);
		else
			buf_adds(out, cell[c]);
		blanks += (t->column[c].right ? 0 : pad) + gap;
	}
	buf_addch(out, '\n');
}

void table_print(const struct table *t, struct buf *out, uint32_t width)
{
	uint32_t w[TABLE_MAX_COLUMNS], gap = GAP;
	const char *title[TABLE_MAX_COLUMNS];

	KS_BUG_ON(t->cells.n % t->ncolumns != 0);
	measure(t, w);
	if (width && total_width(t, w, gap) > width)
		gap = NARROW_GAP;
	if (width && total_width(t, w, gap) > width)
		shrink(t, w, total_width(t, w, gap) - width);
	for (uint32_t c = 0; c < t->ncolumns; c++)
		title[c] = t->column[c].title;
	print_row(t, out, w, gap, title);
	for (uint32_t i = 0; i < t->cells.n; i += t->ncolumns)
		print_row(t, out, w, gap, &t->cells.v[i]);
}

void text_wrap(struct buf *out, const char *text, uint32_t used, uint32_t indent, uint32_t width)
{
	bool fresh = true; /* nothing on this line yet that a blank must part from the next word */

	while (*(text += strspn(text, " ")) != '\0') {
		size_t n = strcspn(text, " ");
		uint32_t w = 0;

		for (size_t i = 0; i < n; i++)
			w += ((unsigned char)text[i] & 0xc0) != 0x80;
		if (width && !fresh && used + 1 + w > width) {
			buf_addch(out, '\n');
			buf_pad(out, ' ', indent);
			used = indent;
			fresh = true;
		}
		if (!fresh)
			buf_addch(out, ' ');
		buf_add(out, text, n);
		used += w + !fresh;
		fresh = false;
		text += n;
	}
	buf_addch(out, '\n');
}
