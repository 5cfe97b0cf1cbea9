#include "doc_fixture.h"

void doc_fixture_init(struct doc_fixture *f)
{
	*f = (struct doc_fixture){0};
	arena_init(&f->a);
	diags_init(&f->d, &f->a);
	buf_init(&f->out);
}

void doc_fixture_release(struct doc_fixture *f)
{
	buf_release(&f->out);
	arena_release(&f->a);
}

bool doc_fixture_read(struct doc_fixture *f, struct str text)
{
	/* The copy ends where the text does, so that AddressSanitizer sees a read past its end. */
	const char *copy = arena_strndup(&f->a, text.p, text.n);

	return doc_read(&f->a, &f->d, source_from_text(&f->a, "x", (struct str){copy, text.n}), &f->docs);
}

static void add_text(struct buf *out, struct str s, bool quoted)
{
	if (quoted)
		buf_addch(out, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\n')
			buf_adds(out, "\\n");
		else
			buf_addch(out, s.p[i]);
	}
	if (quoted)
		buf_addch(out, '"');
}

static void add_node(struct buf *out, const struct doc_node *n, bool positions)
{
	if (n->kind == DOC_SCALAR) {
		add_text(out, n->text, n->quoted);
		if (positions)
			buf_addf(out, "@%u:%u+%u", n->line, n->col, n->len);
		return;
	}
	buf_addch(out, n->kind == DOC_MAP ? '{' : '[');
	if (positions)
		buf_addf(out, "@%u:%u ", n->line, n->col);
	for (uint32_t i = 0; i < n->n; i++) {
		if (i)
			buf_adds(out, ", ");
		if (n->kind == DOC_SEQ) {
			add_node(out, n->items[i], positions);
			continue;
		}
		add_text(out, n->entries[i].key, false);
		if (positions)
			buf_addf(out, "@%u:%u", n->entries[i].line, n->entries[i].col);
		buf_adds(out, ": ");
		add_node(out, n->entries[i].value, positions);
	}
	buf_addch(out, n->kind == DOC_MAP ? '}' : ']');
}

const char *doc_fixture_trees(struct doc_fixture *f, bool positions)
{
	uint32_t i = 0, k = 0;

	buf_clear(&f->out);
	while (i < f->docs.v.n || k < f->docs.bad.n) {
		if (i + k)
			buf_addch(&f->out, '\n');
		if (k == f->docs.bad.n || (i < f->docs.v.n && f->docs.v.v[i].index < f->docs.bad.v[k].index))
			add_node(&f->out, f->docs.v.v[i++].root, positions);
		else
			buf_addf(&f->out, "BAD %s", f->docs.bad.v[k++].text);
	}
	return buf_cstr(&f->out);
}

const char *doc_fixture_messages(struct doc_fixture *f)
{
	buf_clear(&f->out);
	for (uint32_t i = 0; i < f->d.msgs.n; i++) {
		const struct diag_msg *m = &f->d.msgs.v[i];

		if (i)
			buf_addch(&f->out, '\n');
		buf_addf(&f->out, "%u:%u ", m->span.line, m->span.col);
		if (!m->attached)
			buf_addf(&f->out, "KS%04d ", (int)m->code);
		buf_adds(&f->out, m->text);
		if (m->hint)
			buf_addf(&f->out, "\nhint: %s", m->hint);
	}
	return buf_cstr(&f->out);
}

static void read_afresh(struct doc_fixture *f, struct str text)
{
	doc_fixture_release(f);
	doc_fixture_init(f);
	doc_fixture_read(f, text);
}

const char *doc_trees_of(struct doc_fixture *f, struct str text, bool positions)
{
	read_afresh(f, text);
	return doc_fixture_trees(f, positions);
}

const char *doc_messages_of(struct doc_fixture *f, struct str text)
{
	read_afresh(f, text);
	return doc_fixture_messages(f);
}
