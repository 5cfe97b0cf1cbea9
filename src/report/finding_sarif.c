/* SARIF 2.1.0, and the workflow commands that GitHub shows as annotations. */
#include <stdio.h>
#include <string.h>

#include "emit.h"
#include "file.h"
#include "finding.h"

static void code_text(char *ret_text, size_t size, enum diag_code code)
{
	snprintf(ret_text, size, "KS%04d", (int)code);
}

static const char *level(enum severity s)
{
	return s == SEV_ERROR ? "error" : s == SEV_WARNING ? "warning" : "note";
}

static void emit_text(struct emit *e, const char *key, const char *text)
{
	emit_kv_map(e, key);
	emit_kv_cstr(e, "text", text);
	emit_end(e);
}

/* Those that were raised, in order of their codes; *ret_index by code row. */
static void emit_rules(struct emit *e, const struct findings *f, uint32_t *ret_index)
{
	uint32_t nrows, next = 0;
	const struct diag_info *rows = diag_table(&nrows);

	emit_kv_seq(e, "rules");
	for (uint32_t r = 0; r < nrows; r++) {
		bool used = false;
		char code[16];

		for (uint32_t i = 0; i < f->msgs.n && !used; i++)
			used = f->msgs.v[i].code == rows[r].code && !f->msgs.v[i].attached;
		if (!used)
			continue;
		ret_index[r] = next++;
		code_text(code, sizeof(code), rows[r].code);
		emit_map(e);
		emit_kv_cstr(e, "id", code);
		emit_kv_cstr(e, "name", rows[r].slug);
		emit_text(e, "shortDescription", rows[r].summary);
		emit_text(e, "fullDescription", rows[r].explanation);
		emit_kv_map(e, "defaultConfiguration");
		emit_kv_cstr(e, "level", level(rows[r].severity));
		emit_end(e);
		emit_end(e);
	}
	emit_end(e);
}

/* A name as a URI reference. */
static const char *uri_of(struct arena *a, const char *name)
{
	struct buf b;
	const char *text;

	buf_init(&b);
	for (const char *c = name; *c; c++)
		if ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
		    strchr("/-._~", *c))
			buf_addch(&b, *c);
		else
			buf_addf(&b, "%%%02X", (unsigned)(unsigned char)*c);
	text = arena_strndup(a, buf_cstr(&b), b.n);
	buf_release(&b);
	return text;
}

/* Spans count bytes; readers of these formats count characters. Columns from 1. */
static uint32_t column_of(struct span at, uint32_t byte)
{
	struct str line = source_line(at.src, at.line);
	uint32_t col = 1;

	for (size_t i = 0; i < byte && i < line.n; i++)
		col += ((unsigned char)line.p[i] & 0xc0) != 0x80;
	return col;
}

static uint32_t start_column(struct span at)
{
	return column_of(at, at.col ? at.col - 1 : 0);
}

static void emit_location(struct emit *e, const struct findings *f, const struct diag_msg *m)
{
	emit_map(e);
	emit_kv_map(e, "physicalLocation");
	emit_kv_map(e, "artifactLocation");
	emit_kv_cstr(e, "uri", uri_of(f->arena, m->span.src ? m->span.src->name : ""));
	emit_end(e);
	if (m->span.src && m->span.line) {
		emit_kv_map(e, "region");
		emit_kv_int(e, "startLine", m->span.line);
		emit_kv_int(e, "startColumn", start_column(m->span));
		if (m->span.col && m->span.len)
			emit_kv_int(e, "endColumn", column_of(m->span, m->span.col - 1 + m->span.len));
		emit_end(e);
	}
	emit_end(e);
	emit_end(e);
}

static void emit_result(struct emit *e, const struct findings *f, const struct diag_msg *m,
			const uint32_t *index)
{
	const struct diag_info *info = diag_lookup(m->code);
	uint32_t nrows;
	const struct diag_info *rows = diag_table(&nrows);
	char code[16];

	code_text(code, sizeof(code), m->code);
	emit_map(e);
	emit_kv_cstr(e, "ruleId", code);
	emit_kv_int(e, "ruleIndex", index[info - rows]);
	emit_kv_cstr(e, "level", level(m->severity));
	emit_text(e, "message", m->hint ? arena_printf(f->arena, "%s (%s)", m->text, m->hint) : m->text);
	emit_kv_seq(e, "locations");
	emit_location(e, f, m);
	emit_end(e);
	emit_end(e);
}

void rep_findings_sarif(struct buf *out, const struct findings *f)
{
	uint32_t nrows, *index;
	struct emit e;

	diag_table(&nrows);
	index = ARENA_ARRAY(f->arena, uint32_t, nrows);
	emit_init(&e, EMIT_JSON, out);
	emit_map(&e);
	emit_kv_cstr(&e, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	emit_kv_cstr(&e, "version", "2.1.0");
	emit_kv_seq(&e, "runs");
	emit_map(&e);
	emit_kv_map(&e, "tool");
	emit_kv_map(&e, "driver");
	emit_kv_cstr(&e, "name", "kspot");
	emit_rules(&e, f, index);
	emit_end(&e);
	emit_end(&e);
	emit_kv_cstr(&e, "columnKind", "unicodeCodePoints");
	emit_kv_seq(&e, "results");
	for (uint32_t i = 0; i < f->msgs.n; i++)
		if (!f->msgs.v[i].attached)
			emit_result(&e, f, &f->msgs.v[i], index);
	emit_end(&e);
	emit_end(&e);
	emit_end(&e);
	emit_end(&e);
	emit_finish(&e);
}

/* property: also ',' and ':' end a value there. */
static void add_command_text(struct buf *out, const char *s, bool property)
{
	for (; *s; s++)
		if (*s == '%' || *s == '\n' || *s == '\r' || (property && (*s == ',' || *s == ':')))
			buf_addf(out, "%%%02X", (unsigned)(unsigned char)*s);
		else
			buf_addch(out, *s);
}

void rep_findings_github(struct buf *out, const struct findings *f)
{
	for (uint32_t i = 0; i < f->msgs.n; i++) {
		const struct diag_msg *m = &f->msgs.v[i];

		if (m->attached)
			continue;
		buf_addf(out, "::%s ", m->severity == SEV_NOTE ? "notice" : level(m->severity));
		if (m->span.src) {
			buf_adds(out, "file=");
			add_command_text(out, m->span.src->name, true);
			if (m->span.line)
				buf_addf(out, ",line=%u,col=%u", m->span.line, start_column(m->span));
			buf_addch(out, ',');
		}
		buf_addf(out, "title=KS%04d::", (int)m->code);
		add_command_text(out, m->text, false);
		if (m->hint) {
			buf_adds(out, "%0A");
			add_command_text(out, m->hint, false);
		}
		buf_addch(out, '\n');
	}
}
