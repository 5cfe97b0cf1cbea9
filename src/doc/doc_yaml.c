/*
 * The YAML reader: libyaml's events for one document, fed to the builder. Depth is checked at each event,
 * since flow nesting costs libyaml time that grows with its square. libyaml counts characters, and takes more
 * than \n for a line end; positions are brought back to bytes by way of the character index.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "doc_build.h"
#include "doc_text.h"
#include "intern.h"
#include "scalar.h"

#define YAML_TAG "tag:yaml.org,2002:"

struct reader {
	struct builder *b;
	yaml_parser_t parser;
	size_t from, to;
	bool ascii;
	size_t at_index, at_off; /* a character index and its byte offset, for text that is not ASCII */
	struct intern names;     /* of anchors; set up with the first one */
	VEC(uint32_t) anchor_of; /* by name: 1 + the newest anchor so called */
	const struct json_error *why;
};

static bool continues(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static size_t offset_of(struct reader *r, size_t index)
{
	const char *text = r->b->src->text.p;

	if (r->ascii)
		return r->from + index < r->to ? r->from + index : r->to;
	while (r->at_index > index) {
		r->at_off--;
		r->at_index -= !continues(text[r->at_off]);
	}
	while (r->at_index < index && r->at_off < r->to) {
		r->at_off++;
		while (r->at_off < r->to && continues(text[r->at_off]))
			r->at_off++;
		r->at_index++;
	}
	return r->at_off;
}

static const char *hint_for_line(struct str line)
{
	size_t indent = 0;

	while (indent < line.n && line.p[indent] == ' ')
		indent++;
	if (indent < line.n && line.p[indent] == '\t')
		return "YAML does not allow tabs for indentation; use spaces";
	if (memmem(line.p, line.n, "\xc2\xa0", 2))
		return "no-break spaces (U+00A0), often copied from a web page, do not indent; use plain "
		       "spaces";
	if (memmem(line.p, line.n, "\xe2\x80\x9c", 3) || memmem(line.p, line.n, "\xe2\x80\x9d", 3))
		return "typographic quotes do not quote; use \" or '";
	return NULL;
}

/* What the source is, if it is no manifest; found out once. */
static const char *guess(struct builder *b)
{
	if (!b->guessed) {
		b->guess = doc_guess(b->src);
		b->guessed = true;
	}
	return b->guess;
}

static void syntax_error(struct reader *r)
{
	struct builder *b = r->b;
	const yaml_parser_t *p = &r->parser;
	size_t off = p->error == YAML_READER_ERROR ? r->from + p->problem_offset
						   : offset_of(r, p->problem_mark.index);
	struct span at = build_span(b, off, 0);
	const char *hint = guess(b);

	if (p->error == YAML_MEMORY_ERROR)
		ks_out_of_memory();
	/* What is odd about a line often comes out at the next one only. */
	for (uint32_t line = at.line; !hint && line && line + 1 >= at.line; line--)
		hint = hint_for_line(source_line(b->src, line));
	if (r->why && !hint) {
		build_fail(b, KS_JSON_SYNTAX, build_span(b, r->why->off, 0), "not valid JSON: %s",
			   r->why->text);
		return;
	}
	build_fail(b, KS_YAML_SYNTAX, at, "not valid YAML: %s", p->problem ? p->problem : "syntax error");
	if (hint)
		diag_hint(b->d, "%s", hint);
	if (p->context && p->error != YAML_READER_ERROR && p->context_mark.line != p->problem_mark.line)
		diag_note(b->d, build_span(b, offset_of(r, p->context_mark.index), 0), "%s that starts here",
			  p->context);
}

static struct span event_span(struct reader *r, const yaml_event_t *e)
{
	size_t off = offset_of(r, e->start_mark.index);
	size_t end = e->end_mark.line == e->start_mark.line ? offset_of(r, e->end_mark.index) : off + 1;

	return build_span(r->b, off, end - off);
}

/* Registers an anchor before its node, so that an alias inside the node is seen to be recursive. 0 for no
 * anchor. */
static uint32_t open_anchor(struct reader *r, const yaml_char_t *name)
{
	sid id;

	if (!name)
		return 0;
	if (!r->names.arena)
		intern_init(&r->names, &r->b->scratch);
	id = intern_cstr(&r->names, (const char *)name);
	while (r->anchor_of.n <= id)
		VEC_PUSH(&r->b->scratch, &r->anchor_of, 0);
	VEC_PUSH(&r->b->scratch, &r->b->anchor, ((struct build_anchor){0}));
	return r->anchor_of.v[id] = r->b->anchor.n;
}

static bool alias(struct reader *r, const yaml_event_t *e)
{
	struct builder *b = r->b;
	const char *name = (const char *)e->data.alias.anchor;
	sid id = r->names.arena ? intern_find(&r->names, str_of(name)) : SID_NONE;
	struct span at = event_span(r, e);

	if (id == SID_NONE || id >= r->anchor_of.n || !r->anchor_of.v[id])
		return build_fail(b, KS_ALIAS_UNKNOWN, at,
				  "unknown alias '*%s': no anchor '&%s' before it in this document", name,
				  name);
	const struct build_anchor *x = &b->anchor.v[r->anchor_of.v[id] - 1];

	if (!x->node)
		return build_fail(b, KS_ALIAS_RECURSIVE, at, "alias '*%s' inside the value it stands for",
				  name);
	if (!build_wants_key(b))
		return build_alias(b, r->anchor_of.v[id], offset_of(r, e->start_mark.index));
	if (x->node->kind != DOC_SCALAR)
		return build_fail(b, KS_KEY_KIND, at, "a map key must be a string, not %s",
				  doc_type_name(x->node));
	return build_key(b, x->node->text, false, offset_of(r, e->start_mark.index));
}

/* A float key as the shortest decimal of single precision: strconv.FormatFloat(f, 'g', -1, 32). */
static struct str float_key(double f, char *ret_text, size_t size)
{
	const float want = (float)f;
	int prec = 0;
	long exponent;

	for (; prec < 9; prec++) {
		snprintf(ret_text, size, "%.*e", prec, f);
		float back = strtof(ret_text, NULL);

		if (!(back < want) && !(back > want))
			break;
	}
	exponent = strtol(strchr(ret_text, 'e') + 1, NULL, 10);
	if (exponent >= -4 && exponent < 6)
		snprintf(ret_text, size, "%.*f", prec > exponent ? prec - (int)exponent : 0, f);
	return str_of(ret_text);
}

static bool key(struct reader *r, const yaml_event_t *e, struct str text, bool quoted)
{
	struct builder *b = r->b;
	const struct doc_node node = {.kind = DOC_SCALAR, .quoted = quoted, .text = text};
	struct scalar v = scalar_of(&node);
	char number[64];

	switch (v.type) {
	case SCALAR_NULL:
		return build_fail(b, KS_KEY_KIND, event_span(r, e), "a map key must be a string, not null");
	case SCALAR_BOOL:
		text = v.b ? STR_LIT("true") : STR_LIT("false");
		break;
	case SCALAR_INT:
		if (v.big || strpbrk(text.p, ".eE")) {
			text = float_key(v.f, number, sizeof(number));
			break;
		}
		snprintf(number, sizeof(number), "%lld", (long long)v.i);
		text = str_of(number);
		break;
	case SCALAR_FLOAT:
		text = float_key(v.f, number, sizeof(number));
		break;
	case SCALAR_STRING:
		break;
	}
	return build_key(b, text, !quoted && str_is(text, "<<"), offset_of(r, e->start_mark.index));
}

static int base64_digit(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decodes base64 text with optional line breaks; false if it is none. */
static bool base64(struct arena *a, struct str in, struct str *ret_out)
{
	char *out = ARENA_ARRAY(a, char, in.n / 4 * 3 + 4);
	uint32_t bits = 0, count = 0, pad = 0;
	size_t n = 0;

	for (size_t i = 0; i < in.n; i++) {
		int x = base64_digit(in.p[i]);

		if (in.p[i] == '\n' || in.p[i] == '\r')
			continue;
		if (in.p[i] == '=') {
			pad++;
			continue;
		}
		if (x < 0 || pad)
			return false;
		bits = bits << 6 | (uint32_t)x;
		if (++count % 4 == 0) {
			out[n++] = (char)(bits >> 16);
			out[n++] = (char)(bits >> 8);
			out[n++] = (char)bits;
		}
	}
	if ((count + pad) % 4 || pad > 2)
		return false;
	if (count % 4 >= 2)
		out[n++] = (char)(bits >> (count % 4 == 2 ? 4 : 10));
	if (count % 4 == 3)
		out[n++] = (char)(bits >> 2);
	*ret_out = (struct str){out, n};
	return true;
}

static bool tag_error(struct reader *r, const yaml_event_t *e, const char *tag)
{
	return build_fail(r->b, KS_TAG_VALUE, event_span(r, e), "cannot read '%.40s' as !!%s",
			  (const char *)e->data.scalar.value, tag);
}

static void unknown_tag(struct reader *r, const yaml_event_t *e, const char *tag, const char *as)
{
	size_t off = offset_of(r, e->start_mark.index);

	diag(r->b->d, KS_TAG_UNKNOWN, build_span(r->b, off, 0),
	     "tag '%.80s' means nothing here; the value is read as %s", tag, as);
}

/* Applies an explicit tag to a scalar. Rule: go-yaml v2, resolve(). */
static bool apply_tag(struct reader *r, const yaml_event_t *e, struct str *text, bool *quoted)
{
	const char *full = (const char *)e->data.scalar.tag;
	const char *tag =
		strncmp(full, YAML_TAG, sizeof(YAML_TAG) - 1) == 0 ? full + sizeof(YAML_TAG) - 1 : NULL;
	const struct doc_node node = {.kind = DOC_SCALAR, .text = *text};
	enum scalar_type type = scalar_of(&node).type;

	*quoted = true;
	if (strcmp(full, "!") == 0 || (tag && (strcmp(tag, "str") == 0 || strcmp(tag, "timestamp") == 0)))
		return true;
	if (tag && strcmp(tag, "binary") == 0)
		return base64(&r->b->scratch, *text, text) || tag_error(r, e, tag);
	if (!tag || (strcmp(tag, "int") != 0 && strcmp(tag, "float") != 0 && strcmp(tag, "bool") != 0 &&
		     strcmp(tag, "null") != 0)) {
		unknown_tag(r, e, full, "a string");
		return true;
	}
	*quoted = false;
	if (strcmp(tag, "int") == 0     ? type == SCALAR_INT && !strpbrk(text->p, ".")
	    : strcmp(tag, "float") == 0 ? type == SCALAR_INT || type == SCALAR_FLOAT
	    : strcmp(tag, "bool") == 0  ? type == SCALAR_BOOL
					: type == SCALAR_NULL)
		return true;
	return tag_error(r, e, tag);
}

/* Values that YAML has and JSON has not. */
static bool json_has(struct str text)
{
	const struct doc_node node = {.kind = DOC_SCALAR, .text = text};
	struct scalar v;

	if (text.n < 4 || text.n > 5 || !strchr(".+-", text.p[0]))
		return true;
	v = scalar_of(&node);
	return v.type != SCALAR_FLOAT || (v.f - v.f >= 0.0 && v.f - v.f <= 0.0);
}

static bool scalar(struct reader *r, const yaml_event_t *e)
{
	struct builder *b = r->b;
	struct str text = {(const char *)e->data.scalar.value, e->data.scalar.length};
	bool quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	uint32_t anchor = open_anchor(r, e->data.scalar.anchor);
	struct span at = event_span(r, e);

	if (e->data.scalar.tag && !apply_tag(r, e, &text, &quoted))
		return false;
	if (memchr(text.p, '\0', text.n))
		return build_fail(b, KS_TEXT_CONTROL, at, "a string holds a NUL character");
	if (!quoted && !json_has(text))
		return build_fail(b, KS_NUMBER_INFINITE, at, "'%s' is a number that JSON cannot express",
				  text.p);
	if (!build_wants_key(b))
		return build_scalar(b, text, quoted, offset_of(r, e->start_mark.index), at.len, anchor);
	if (anchor)
		b->anchor.v[anchor - 1] =
			(struct build_anchor){.node = build_node(b, text, quoted, at), .size = 1};
	return key(r, e, text, quoted);
}

static bool begin(struct reader *r, const yaml_event_t *e, bool map)
{
	struct builder *b = r->b;
	const yaml_char_t *tag = map ? e->data.mapping_start.tag : e->data.sequence_start.tag;

	if (build_wants_key(b)) {
		build_fail(b, KS_KEY_KIND, event_span(r, e), "a map key must be a string, not %s",
			   map ? "a map" : "a list");
		/* The braces of an unrendered template make a map as a key. */
		if (guess(b))
			diag_hint(b->d, "%s", b->guess);
		return false;
	}
	if (tag && strncmp((const char *)tag, YAML_TAG, sizeof(YAML_TAG) - 1) != 0)
		unknown_tag(r, e, (const char *)tag, map ? "a map" : "a list");
	return build_begin(
		b, map, offset_of(r, e->start_mark.index),
		open_anchor(r, map ? e->data.mapping_start.anchor : e->data.sequence_start.anchor));
}

/* kubectl reads no further than the end of the first document. */
static void check_trailing(struct reader *r, size_t off)
{
	const char *text = r->b->src->text.p;
	size_t n;

	for (; off < r->to; off += n + 1) {
		size_t blank;
		const char *nl = memchr(text + off, '\n', r->to - off);

		n = nl ? (size_t)(nl - text) - off : r->to - off;
		for (blank = 0; blank < n && strchr(" \t\r", text[off + blank]);)
			blank++;
		if (blank == n || text[off + blank] == '#' || (n >= 3 && memcmp(text + off, "...", 3) == 0))
			continue;
		diag(r->b->d, KS_DOC_TRAILING, build_span(r->b, off + blank, 0),
		     "text after the end of the document is dropped up to the next '---'");
		return;
	}
}

static bool handle(struct reader *r, const yaml_event_t *e, bool *ret_done)
{
	switch (e->type) {
	case YAML_SCALAR_EVENT:
		return scalar(r, e);
	case YAML_ALIAS_EVENT:
		return alias(r, e);
	case YAML_SEQUENCE_START_EVENT:
		return begin(r, e, false);
	case YAML_MAPPING_START_EVENT:
		return begin(r, e, true);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return build_end(r->b);
	case YAML_DOCUMENT_END_EVENT:
		check_trailing(r, offset_of(r, e->end_mark.index));
		*ret_done = true;
		build_close(r->b);
		return true;
	case YAML_STREAM_END_EVENT:
		*ret_done = true;
		return true;
	case YAML_NO_EVENT:
	case YAML_DOCUMENT_START_EVENT:
	case YAML_STREAM_START_EVENT:
		return true;
	}
	return true;
}

void doc_yaml_read(struct builder *b, size_t from, size_t to, const struct json_error *why)
{
	struct reader r = {.b = b, .from = from, .to = to, .ascii = true, .at_off = from, .why = why};
	bool done = false, ok = true;
	const struct text_fault *fault;
	size_t bad;

	bad = text_check(b->src, from, to, true, &fault);
	if (fault) {
		build_fail(b, fault->code, build_span(b, bad, 0), "%s in the text (byte 0x%02x)", fault->text,
			   (unsigned)(unsigned char)b->src->text.p[bad]);
		return;
	}
	for (size_t i = from; i < to && r.ascii; i++)
		r.ascii = (unsigned char)b->src->text.p[i] < 0x80;
	if (!yaml_parser_initialize(&r.parser))
		ks_out_of_memory();
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)b->src->text.p + from, to - from);
	build_open(b);
	while (ok && !done) {
		yaml_event_t e;

		if (!yaml_parser_parse(&r.parser, &e)) {
			syntax_error(&r);
			break;
		}
		ok = handle(&r, &e, &done);
		yaml_event_delete(&e);
	}
	yaml_parser_delete(&r.parser);
}
