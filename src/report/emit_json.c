#include "emit_ops.h"
#include "utf8.h"

static bool yaml_printable(uint32_t cp)
{
	return cp < 0x7f || cp == 0x85 ||
	       (cp >= 0xa0 && cp != 0x2028 && cp != 0x2029 && cp != 0xfeff && cp != 0xfffe && cp != 0xffff);
}

static void escape(struct buf *out, uint32_t cp)
{
	static const char letter[] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};

	if (cp == '"' || cp == '\\')
		buf_addf(out, "\\%c", (char)cp);
	else if (cp < sizeof(letter) && letter[cp])
		buf_addf(out, "\\%c", letter[cp]);
	else
		buf_addf(out, "\\u%04x", cp);
}

void emit_quoted(struct buf *out, struct str s, bool printable_only)
{
	size_t from = 0, i = 0;

	buf_addch(out, '"');
	while (i < s.n) {
		uint32_t cp = 0;
		size_t len = utf8_decode(s.p + i, s.n - i, &cp);
		bool plain = len && cp >= 0x20 && cp != '"' && cp != '\\' &&
			     (!printable_only || yaml_printable(cp));

		if (!plain) {
			buf_add(out, s.p + from, i - from);
			if (len)
				escape(out, cp);
			else
				buf_adds(out, "\xef\xbf\xbd");
			from = i + (len ? len : 1);
		}
		i += len ? len : 1;
	}
	buf_add(out, s.p + from, s.n - from);
	buf_addch(out, '"');
}

static void newline(struct emit *e, uint32_t depth)
{
	if (e->compact)
		return;
	buf_addch(e->out, '\n');
	buf_pad(e->out, ' ', (size_t)depth * 2);
}

/* A document ends its line once its value is complete. */
static void value_done(struct emit *e)
{
	if (e->depth == 0)
		buf_addch(e->out, '\n');
}

static void json_separator(struct emit *e)
{
	(void)e;
}

static void json_element(struct emit *e)
{
	struct emit_level *l = emit_top(e);

	if (e->depth == 0)
		return;
	if (l->n)
		buf_addch(e->out, ',');
	newline(e, e->depth);
}

static void json_key(struct emit *e, struct str key)
{
	json_element(e);
	emit_quoted(e->out, key, false);
	buf_adds(e->out, e->compact ? ":" : ": ");
}

static void json_open(struct emit *e)
{
	buf_addch(e->out, emit_top(e)->is_map ? '{' : '[');
}

static void json_close(struct emit *e)
{
	struct emit_level *l = emit_top(e);

	if (l->n)
		newline(e, e->depth - 1);
	buf_addch(e->out, l->is_map ? '}' : ']');
	if (e->depth == 1)
		buf_addch(e->out, '\n');
}

static void json_string(struct emit *e, struct str s)
{
	emit_quoted(e->out, s, false);
	value_done(e);
}

static void json_plain(struct emit *e, enum emit_scalar kind, const char *text)
{
	(void)kind;
	buf_adds(e->out, text);
	value_done(e);
}

const struct emit_ops emit_json_ops = {
	.separator = json_separator,
	.element = json_element,
	.key = json_key,
	.open = json_open,
	.close = json_close,
	.string = json_string,
	.plain = json_plain,
};
