#include "diag.h"

#include <stdarg.h>
#include <stdio.h>

#include "file.h"
#include "utf8.h"

static const struct diag_info table[] = {
#define DIAG(id, number, severity, summary, explanation) {id, severity, #id, summary, explanation},
#include "diag.def"
#undef DIAG
};

static const char *const severity_name[] = {
	[SEV_NOTE] = "note", [SEV_WARNING] = "warning", [SEV_ERROR] = "error"};

const struct diag_info *diag_table(uint32_t *ret_n)
{
	*ret_n = sizeof(table) / sizeof(table[0]);
	return table;
}

const struct diag_info *diag_lookup(enum diag_code code)
{
	for (uint32_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].code == code)
			return &table[i];
	return NULL;
}

void diags_init(struct diags *d, struct arena *a)
{
	*d = (struct diags){.arena = a};
}

void diag(struct diags *d, enum diag_code code, struct span at, const char *fmt, ...)
{
	const struct diag_info *info = diag_lookup(code);
	va_list ap;

	KS_BUG_ON(!info);
	d->errors += info->severity == SEV_ERROR;
	d->warnings += info->severity == SEV_WARNING;
	d->muted = info->severity == SEV_ERROR && d->errors > DIAG_MAX_ERRORS;
	if (d->muted)
		return;
	va_start(ap, fmt);
	VEC_PUSH(d->arena, &d->msgs,
		 ((struct diag_msg){.code = code,
				    .severity = info->severity,
				    .span = at,
				    .text = arena_vprintf(d->arena, fmt, ap)}));
	va_end(ap);
}

void diag_hint(struct diags *d, const char *fmt, ...)
{
	va_list ap;

	if (d->muted || !d->msgs.n)
		return;
	va_start(ap, fmt);
	d->msgs.v[d->msgs.n - 1].hint = arena_vprintf(d->arena, fmt, ap);
	va_end(ap);
}

void diag_note(struct diags *d, struct span at, const char *fmt, ...)
{
	va_list ap;

	if (d->muted || !d->msgs.n)
		return;
	va_start(ap, fmt);
	VEC_PUSH(d->arena, &d->msgs,
		 ((struct diag_msg){.code = d->msgs.v[d->msgs.n - 1].code,
				    .severity = SEV_NOTE,
				    .span = at,
				    .text = arena_vprintf(d->arena, fmt, ap),
				    .attached = true}));
	va_end(ap);
}

/*
 * Text from an input may hold anything: what a terminal would act on, or could not show, comes out as '?'.
 * Gives the number of characters; out may be NULL.
 */
static size_t print_text(struct buf *out, struct str s)
{
	size_t columns = 0;

	for (size_t i = 0, len; i < s.n; i += len ? len : 1, columns++) {
		uint32_t c = 0;

		len = utf8_decode(s.p + i, s.n - i, &c);
		if (!out)
			continue;
		if (c == '\t')
			buf_addch(out, ' ');
		else if (!len || c < 0x20 || (c >= 0x7f && c < 0xa0))
			buf_addch(out, '?');
		else
			buf_add(out, s.p + i, len);
	}
	return columns;
}

static bool inside_character(struct str s, size_t i)
{
	return i < s.n && ((unsigned char)s.p[i] & 0xc0) == 0x80;
}

/* The source line with a caret under the column; long lines are cut around it. */
static void print_line(struct buf *out, struct span at, const char *on, const char *off)
{
	enum { WIDTH = 100 };
	struct str line = source_line(at.src, at.line);
	size_t col = at.col ? at.col - 1 : 0, from = 0, to = line.n, end;

	if (col > line.n)
		col = line.n;
	if (line.n > WIDTH) {
		from = col > WIDTH / 2 ? col - WIDTH / 2 : 0;
		to = from + WIDTH < line.n ? from + WIDTH : line.n;
		for (int i = 0; i < 3 && from < col && inside_character(line, from); i++)
			from++;
		for (int i = 0; i < 3 && inside_character(line, to); i++)
			to++;
	}
	end = at.len > to - col ? to : col + at.len;
	buf_adds(out, "  ");
	print_text(out, (struct str){line.p + from, to - from});
	buf_adds(out, "\n  ");
	buf_pad(out, ' ', print_text(NULL, (struct str){line.p + from, col - from}));
	buf_adds(out, on);
	buf_addch(out, '^');
	if (end > col + 1)
		buf_pad(out, '~', print_text(NULL, (struct str){line.p + col, end - col}) - 1);
	buf_adds(out, off);
	buf_addch(out, '\n');
}

void diag_print(struct buf *out, const struct diag_msg *m, bool colour)
{
	const char *on = !colour                      ? ""
			 : m->severity == SEV_ERROR   ? "\033[1;31m"
			 : m->severity == SEV_WARNING ? "\033[1;35m"
						      : "\033[1;36m";
	const char *off = colour ? "\033[0m" : "";

	if (m->span.src) {
		print_text(out, str_of(m->span.src->name));
		buf_addch(out, ':');
		if (m->span.line)
			buf_addf(out, "%u:%u:", m->span.line, m->span.col);
		buf_addch(out, ' ');
	} else {
		buf_adds(out, "kspot: ");
	}
	buf_addf(out, "%s%s:%s ", on, severity_name[m->severity], off);
	print_text(out, str_of(m->text));
	if (!m->attached)
		buf_addf(out, " [KS%04d]", (int)m->code);
	buf_addch(out, '\n');
	if (m->span.src && m->span.line)
		print_line(out, m->span, on, off);
	if (m->hint) {
		buf_adds(out, "  hint: ");
		print_text(out, str_of(m->hint));
		buf_addch(out, '\n');
	}
}
