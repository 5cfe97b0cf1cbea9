/* Cuts a source into documents and gives each to the reader it needs. */
#include "doc.h"

#include <string.h>

#include "doc_build.h"
#include "doc_text.h"

struct split {
	struct builder b;
	struct str text;
	size_t pos;
};

static size_t line_end(struct str text, size_t from)
{
	const char *nl = memchr(text.p + from, '\n', text.n - from);

	return nl ? (size_t)(nl - text.p) + 1 : text.n;
}

static bool is_separator(struct str text, size_t at)
{
	return text.n - at >= 3 && memcmp(text.p + at, "---", 3) == 0;
}

/* The first separator line that starts at or after the line start from, or the end of the text. */
static size_t find_separator(struct str text, size_t from)
{
	const char *p;

	if (from >= text.n || is_separator(text, from))
		return from;
	p = memmem(text.p + from, text.n - from, "\n---", 4);
	return p ? (size_t)(p + 1 - text.p) : text.n;
}

/* After the dashes only blanks or a comment may follow; anything else ends the reading of the source. */
static bool check_separator(struct split *s, size_t at)
{
	size_t end = line_end(s->text, at), i = at + 3;
	const char *hint;

	while (i < end && strchr(" \t\r\n", s->text.p[i]))
		i++;
	if (i == end || s->text.p[i] == '#')
		return true;
	while (end > i && (s->text.p[end - 1] == '\n' || s->text.p[end - 1] == '\r'))
		end--;
	build_fail(&s->b, KS_DOC_SEPARATOR, build_span(&s->b, at, end - at),
		   "invalid document separator: '%.*s'", (int)(end - at < 80 ? end - at : 80),
		   s->text.p + at);
	hint = doc_guess(s->b.src);
	diag_hint(s->b.d, "%s",
		  hint ? hint
		       : "only blanks and a comment may follow '---'; the rest of this file is not read");
	return false;
}

/* Length of the line end or blank at p, by what libyaml takes for one; 0 for other text. */
static size_t blank_length(const char *p, size_t n)
{
	if (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')
		return 1;
	if (n >= 2 && memcmp(p, "\xc2\x85", 2) == 0)
		return 2;
	if (n >= 3 && (memcmp(p, "\xe2\x80\xa8", 3) == 0 || memcmp(p, "\xe2\x80\xa9", 3) == 0))
		return 3;
	return 0;
}

/* The line end that closes a comment, which need not be \n. */
static size_t comment_end(struct str text, size_t from, size_t to)
{
	while (from < to &&
	       (text.p[from] == ' ' || text.p[from] == '\t' || !blank_length(text.p + from, to - from)))
		from++;
	return from;
}

/* The first byte in [from, to) that is neither blank nor comment. */
static size_t skip_blank(struct str text, size_t from, size_t to)
{
	while (from < to) {
		size_t n = blank_length(text.p + from, to - from);

		if (n == 0 && text.p[from] != '#')
			break;
		from = n ? from + n : comment_end(text, from, to);
	}
	return from < to ? from : to;
}

/*
 * kubectl takes a directive and the --- after it for a document, and fails; the documents after it are read.
 * libyaml never sees one (many %TAG directives would cost it time that grows with their square).
 */
static void refuse_directive(struct builder *b, size_t at, size_t to)
{
	struct span span = build_span(b, at, 0);
	size_t i = at;

	while (i < to && b->src->text.p[i] == '%')
		i = skip_blank(b->src->text, line_end(b->src->text, i), to);
	if (i < to) {
		build_fail(b, KS_YAML_SYNTAX, span, "not valid YAML: a directive needs a '---' after it");
		return;
	}
	diag(b->d, KS_DOC_DIRECTIVE, span, "kubectl refuses YAML directives; this one is passed over");
	build_bad(b, span, "a directive without a document");
}

static bool has_room(struct builder *b, size_t at)
{
	if (b->out->v.n + b->out->bad.n < DOC_MAX_DOCS)
		return true;
	return build_fail(b, KS_LIMIT_DOCS, build_span(b, at, 0), "more than %u documents in the input",
			  DOC_MAX_DOCS);
}

/* One value after the other, with or without blanks between; the text from the first that is no JSON on is
 * YAML. */
static void read_json(struct builder *b, size_t from, size_t to)
{
	struct str text = b->src->text;
	struct json_error why;

	for (;;) {
		size_t stop, next;
		uint64_t nodes = b->out->nodes;
		enum json_result result = doc_json_read(b, from, to, &stop, &why);

		if (result == JSON_FAILED)
			return;
		if (result == JSON_NOT) {
			size_t second = skip_blank(text, from + 1, to);
			bool meant =
				text.p[from] == '{' && (b->json || (second < to && text.p[second] == '"'));

			doc_yaml_read(b, from, to, meant ? &why : NULL);
			return;
		}
		next = skip_blank(text, stop, to);
		if (next < to && text.p[next] != '{' && text.p[next] != '[') {
			b->out->nodes = nodes;
			doc_yaml_read(b, from, to, NULL);
			return;
		}
		build_close(b);
		if (next == to || !has_room(b, next))
			return;
		from = next;
	}
}

static void read_document(struct builder *b, size_t from, size_t to)
{
	struct str text = b->src->text;
	const struct text_fault *fault;
	size_t first, bad = text_check(b->src, from, to, false, &fault);

	if (fault) {
		build_fail(b, fault->code, build_span(b, bad, 0), "%s in the text (byte 0x%02x)", fault->text,
			   (unsigned)(unsigned char)text.p[bad]);
		if (!b->d->muted && doc_guess(b->src))
			diag_hint(b->d, "%s", doc_guess(b->src));
		return;
	}
	from += text_bom((struct str){text.p + from, to - from});
	first = skip_blank(text, from, to);
	if (first == to)
		return;
	if (text.p[first] == '%')
		refuse_directive(b, first, to);
	else if (text.p[first] == '{' || text.p[first] == '[')
		read_json(b, first, to);
	else
		doc_yaml_read(b, from, to, NULL);
}

/*
 * A separator in front of nothing belongs to the document after it, a second one ends that document: so line
 * numbers that count from a document's start come out as those of kubectl.
 */
static void read_all(struct split *s)
{
	while (s->pos < s->text.n) {
		size_t body = s->pos, end;

		s->b.start_line = build_span(&s->b, s->pos, 0).line;
		if (is_separator(s->text, s->pos)) {
			if (!check_separator(s, s->pos))
				return;
			body = line_end(s->text, s->pos);
		}
		end = find_separator(s->text, body);
		if (end < s->text.n && !check_separator(s, end))
			return;
		if (!has_room(&s->b, body))
			return;
		read_document(&s->b, body, end);
		s->pos = end < s->text.n ? line_end(s->text, end) : end;
	}
}

bool doc_read(struct arena *a, struct diags *d, const struct source *src, struct docs *out)
{
	struct split s = {.text = src->text, .pos = text_bom(src->text)};
	uint32_t errors = d->errors;
	size_t first = skip_blank(s.text, s.pos, s.text.n);

	build_init(&s.b, a, d, src, out);
	s.b.json = first < s.text.n && s.text.p[first] == '{';
	if (text_is_utf16(src->text)) {
		build_fail(&s.b, KS_TEXT_UTF16, (struct span){.src = src},
			   "the file is UTF-16; manifests are UTF-8");
		diag_hint(d, "convert it: iconv -f UTF-16 -t UTF-8 %s", src->name);
	} else {
		read_all(&s);
	}
	build_release(&s.b);
	return d->errors == errors;
}

const struct doc_entry *doc_entry_of(const struct doc_node *n, const char *key)
{
	size_t len = strlen(key);

	if (!n || n->kind != DOC_MAP)
		return NULL;
	for (uint32_t i = 0; i < n->n; i++)
		if (n->entries[i].key.n == len && memcmp(n->entries[i].key.p, key, len) == 0)
			return &n->entries[i];
	return NULL;
}

const struct doc_node *doc_get(const struct doc_node *n, const char *key)
{
	const struct doc_entry *e = doc_entry_of(n, key);

	return e ? e->value : NULL;
}
