#include "diag.h"

#include <stdarg.h>
#include <stdio.h>

#include "file.h"

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

__attribute__((format(printf, 2, 0))) static const char *format(struct diags *d, const char *fmt, va_list ap)
{
	struct buf b;
	const char *text;

	buf_init(&b);
	buf_vaddf(&b, fmt, ap);
	text = arena_strndup(d->arena, buf_cstr(&b), b.n);
	buf_release(&b);
	return text;
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
		 ((struct diag_msg){
			 .code = code, .severity = info->severity, .span = at, .text = format(d, fmt, ap)}));
	va_end(ap);
}

void diag_hint(struct diags *d, const char *fmt, ...)
{
	va_list ap;

	if (d->muted || !d->msgs.n)
		return;
	va_start(ap, fmt);
	d->msgs.v[d->msgs.n - 1].hint = format(d, fmt, ap);
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
				    .text = format(d, fmt, ap),
				    .attached = true}));
	va_end(ap);
}

/* The source line with a caret under the column; long lines are cut around it and control bytes shown as '?'.
 */
static void print_line(struct buf *out, struct span at, const char *on, const char *off)
{
	enum { WIDTH = 100 };
	struct str line = source_line(at.src, at.line);
	size_t col = at.col ? at.col - 1 : 0, from = 0, to = line.n;

	if (col > line.n)
		col = line.n;
	if (line.n > WIDTH) {
		from = col > WIDTH / 2 ? col - WIDTH / 2 : 0;
		to = from + WIDTH < line.n ? from + WIDTH : line.n;
		while (from < col && ((unsigned char)line.p[from] & 0xc0) == 0x80)
			from++;
		while (to < line.n && ((unsigned char)line.p[to] & 0xc0) == 0x80)
			to++;
	}
	buf_adds(out, "  ");
	for (size_t i = from; i < to; i++) {
		unsigned char c = (unsigned char)line.p[i];

		buf_addch(out, c == '\t' ? ' ' : c < 0x20 || c == 0x7f ? '?' : (char)c);
	}
	buf_adds(out, "\n  ");
	for (size_t i = from; i < col; i++)
		if (((unsigned char)line.p[i] & 0xc0) != 0x80)
			buf_addch(out, ' ');
	buf_adds(out, on);
	buf_addch(out, '^');
	for (size_t i = 1; i < at.len && col + i < to; i++)
		if (((unsigned char)line.p[col + i] & 0xc0) != 0x80)
			buf_addch(out, '~');
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
		buf_addf(out, "%s:", m->span.src->name);
		if (m->span.line)
			buf_addf(out, "%u:%u:", m->span.line, m->span.col);
		buf_addch(out, ' ');
	} else {
		buf_adds(out, "kspot: ");
	}
	buf_addf(out, "%s%s:%s %s", on, severity_name[m->severity], off, m->text);
	if (!m->attached)
		buf_addf(out, " [KS%04d]", (int)m->code);
	buf_addch(out, '\n');
	if (m->span.src && m->span.line)
		print_line(out, m->span, on, off);
	if (m->hint)
		buf_addf(out, "  hint: %s\n", m->hint);
}
