#include <stdarg.h>

#include "crd.h"

size_t crd_enter(struct crd_walk *w, struct str key)
{
	size_t mark = w->path.n;

	if (mark)
		buf_addch(&w->path, '.');
	buf_addstr(&w->path, key);
	return mark;
}

size_t crd_enter_index(struct crd_walk *w, uint32_t i)
{
	size_t mark = w->path.n;

	buf_addf(&w->path, "[%u]", i);
	return mark;
}

void crd_leave(struct crd_walk *w, size_t mark)
{
	w->path.n = mark;
	if (w->path.p)
		w->path.p[mark] = '\0';
}

struct span crd_span(const struct check_doc *doc, const struct jval *v)
{
	return v && v->line ? (struct span){doc->src, v->line, v->col, v->len} : doc->at;
}

void crd_error(struct crd_walk *w, const struct jval *at, const char *type, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	VEC_PUSH(w->a, &w->doc->errors,
		 ((struct check_error){.path = arena_strndup(w->a, buf_cstr(&w->path), w->path.n),
				       .type = type,
				       .message = arena_vprintf(w->a, fmt, ap),
				       .at = crd_span(w->doc, at)}));
	va_end(ap);
}

void crd_unknown_field(struct crd_walk *w, const struct jmember *m, const char *near)
{
	struct buf text;

	buf_init(&text);
	buf_adds(&text, "unknown field ");
	crd_add_quoted(&text, (struct str){w->path.p, w->path.n});
	VEC_PUSH(w->a, &w->doc->strict,
		 ((struct check_strict){.text = arena_strndup(w->a, text.p, text.n),
					.at = {w->doc->src, m->line, m->col, (uint32_t)m->key.n},
					.near = near}));
	buf_release(&text);
}

/* One code point of valid UTF-8. */
static uint32_t decode(struct str s, size_t *i)
{
	unsigned char c = (unsigned char)s.p[(*i)++];
	uint32_t v = c < 0x80 ? c : c < 0xe0 ? c & 0x1fu : c < 0xf0 ? c & 0x0fu : c & 0x07u;
	int more = c < 0x80 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;

	for (; more && *i < s.n; more--)
		v = v << 6 | ((unsigned char)s.p[(*i)++] & 0x3fu);
	return v;
}

/* What Go's strconv.IsPrint refuses among the code points that turn up in manifests: spaces, controls, format
 * characters. */
static bool unprintable(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0xad || (c >= 0x2000 && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202f) || (c >= 0x205f && c <= 0x206f) || c == 0x3000 ||
	       (c >= 0xe000 && c <= 0xf8ff) || c == 0xfeff || (c >= 0xfff0 && c <= 0xfffb) || c >= 0xe0000;
}

void crd_add_quoted(struct buf *out, struct str s)
{
	static const char named[] = "abtnvfr"; /* 7 to 13 */

	buf_addch(out, '"');
	for (size_t i = 0; i < s.n;) {
		size_t from = i;
		uint32_t c = decode(s, &i);

		if (c == '"' || c == '\\')
			buf_addf(out, "\\%c", (int)c);
		else if (c >= 7 && c <= 13)
			buf_addf(out, "\\%c", named[c - 7]);
		else if (c < 0x80 && unprintable(c))
			buf_addf(out, "\\x%02x", c);
		else if (unprintable(c))
			buf_addf(out, c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
		else
			buf_add(out, s.p + from, i - from);
	}
	buf_addch(out, '"');
}
