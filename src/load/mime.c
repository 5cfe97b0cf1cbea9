#include "mime.h"

#include <strings.h>

#include "crd.h"
#include "idmap.h"
#include "intern.h"

#define QUOTED_LINE_MAX 80 /* of a first line that starts with a blank */

struct mime {
	struct arena *a;
	struct str rest;
	struct str content_type, boundary;
	const char *nl; /* how lines end: that of the first boundary decides */
	uint32_t parts;
};

static struct str after(struct str s, size_t n)
{
	return (struct str){s.p + n, s.n - n};
}

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct str trimmed(struct str s)
{
	while (s.n && strchr(" \t\r\n\v\f", s.p[0]))
		s = after(s, 1);
	while (s.n && strchr(" \t\r\n\v\f", s.p[s.n - 1]))
		s.n--;
	return s;
}

static struct str without_blanks(struct str s)
{
	while (s.n && blank(s.p[0]))
		s = after(s, 1);
	while (s.n && blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

/* The next line, its end included; moves *rest behind it. */
static bool next_line(struct str *rest, struct str *ret_line)
{
	const char *nl;

	if (!rest->n)
		return false;
	nl = memchr(rest->p, '\n', rest->n);
	*ret_line = (struct str){rest->p, nl ? (size_t)(nl - rest->p) + 1 : rest->n};
	*rest = after(*rest, ret_line->n);
	return true;
}

static bool next_text(struct str *rest, struct str *ret_text)
{
	if (!next_line(rest, ret_text))
		return false;
	if (ret_text->n && ret_text->p[ret_text->n - 1] == '\n')
		ret_text->n -= ret_text->n > 1 && ret_text->p[ret_text->n - 2] == '\r' ? 2 : 1;
	return true;
}

static const char *quoting(struct arena *a, const char *before, struct str s)
{
	struct buf b;
	const char *text;

	buf_init(&b);
	crd_add_quoted(&b, s);
	text = arena_printf(a, "%s%s", before, buf_cstr(&b));
	buf_release(&b);
	return text;
}

static bool starts_blank(struct str s)
{
	return s.n && blank(s.p[0]);
}

/* A line and those that go on with it, without the first of them that is the end. */
static struct str unfolded(struct mime *m, struct str line)
{
	struct str more, all = without_blanks(line);

	while (starts_blank(m->rest)) {
		if (!next_text(&m->rest, &more))
			break;
		all = str_of(arena_printf(m->a, "%.*s %.*s", STR_ARG(all), STR_ARG(without_blanks(more))));
	}
	return all;
}

static bool name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("!#$%&'*+-.^_`|~ ", c));
}

/* Whether a header line of a part is well formed; that of the message may hold anything. */
static bool strict_line(struct str line, size_t colon)
{
	for (size_t i = 0; i < colon; i++)
		if (!name_byte(line.p[i]))
			return false;
	for (size_t i = colon + 1; i < line.n; i++) {
		unsigned char c = (unsigned char)line.p[i];

		if ((c < 0x20 && c != '\t') || c == 0x7f)
			return false;
	}
	return colon > 0;
}

static void keep_line(struct mime *m, struct str line, size_t colon)
{
	if (colon == 12 && strncasecmp(line.p, "content-type", 12) == 0 && !m->content_type.p)
		m->content_type = without_blanks(after(line, colon + 1));
}

/* The header of the message: net/mail's. NULL, or an error. */
static const char *message_header(struct mime *m)
{
	struct str line;
	bool any = false;

	if (starts_blank(m->rest)) {
		next_text(&m->rest, &line);
		return arena_printf(m->a, "malformed initial line: %.*s", STR_ARG(line));
	}
	while (next_text(&m->rest, &line)) {
		const char *colon;

		if (line.n)
			line = unfolded(m, line);
		if (!line.n)
			return NULL;
		colon = memchr(line.p, ':', line.n);
		if (!colon)
			return arena_printf(m->a, "malformed header line: %.*s", STR_ARG(line));
		any = any || colon > line.p;
		keep_line(m, line, (size_t)(colon - line.p));
	}
	return any ? NULL : "EOF";
}

/* The header of a part: net/textproto's. *ret_end: the text ends in it, and so do the parts. */
static const char *part_header(struct mime *m, bool *ret_end)
{
	struct str line;

	*ret_end = false;
	if (starts_blank(m->rest)) {
		next_text(&m->rest, &line);
		return line.n > QUOTED_LINE_MAX ? "multipart: message too large"
						: quoting(m->a, "malformed MIME header initial line: ", line);
	}
	while (next_text(&m->rest, &line)) {
		if (!line.n)
			return NULL;
		if (!memchr(line.p, ':', line.n))
			return quoting(m->a, "malformed MIME header: missing colon: ", line);
		line = unfolded(m, line);
		if (!strict_line(line, (size_t)((const char *)memchr(line.p, ':', line.n) - line.p)))
			return quoting(m->a, "malformed MIME header line: ", line);
	}
	*ret_end = true;
	return NULL;
}

static size_t token(struct str s)
{
	size_t n = 0;

	while (n < s.n && s.p[n] > ' ' && s.p[n] < 0x7f && !strchr("()<>@,;:\\\"/[]?=", s.p[n]))
		n++;
	return n;
}

struct parameter {
	struct str name, value;
};

/* One "; name=value"; moves *s behind it; without a name at the end. False: not in that form. */
static bool parameter(struct str *s, struct parameter *ret)
{
	struct str name, value;
	size_t n;

	*ret = (struct parameter){0};

	if (s->p[0] != ';')
		return false;
	*s = trimmed(after(*s, 1));
	n = token(*s);
	if (!n)
		return s->n == 0; /* a last semicolon alone */
	name = (struct str){s->p, n};
	*s = trimmed(after(*s, n));
	if (!s->n || s->p[0] != '=')
		return false;
	*s = trimmed(after(*s, 1));
	if (s->n && s->p[0] == '"') {
		const char *end = memchr(s->p + 1, '"', s->n - 1);

		if (!end)
			return false;
		value = (struct str){s->p + 1, (size_t)(end - s->p - 1)};
		*s = after(*s, value.n + 2);
	} else {
		value = (struct str){s->p, token(*s)};
		if (!value.n)
			return false;
		*s = after(*s, value.n);
	}
	*s = trimmed(*s);
	*ret = (struct parameter){name, value};
	return true;
}

/* The parameters of a type, by names in lower case. */
struct parameters {
	struct intern text;
	struct idmap values; /* by name */
};

/* A name may return with its value; false: with another. */
static bool add_parameter(struct arena *a, struct parameters *all, const struct parameter *p)
{
	char *name = arena_strndup(a, p->name.p, p->name.n);
	sid key, value = intern_put(&all->text, p->value);
	uint32_t known;

	for (char *c = name; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c | 0x20);
	key = intern_cstr(&all->text, name);
	if (idmap_get(&all->values, key, &known) && known != value)
		return false;
	idmap_put(&all->values, key, value);
	return true;
}

static const char *read_parameters(struct mime *m, struct str s)
{
	struct parameters all;
	uint32_t boundary;

	intern_init(&all.text, m->a);
	idmap_init(&all.values, m->a);
	while (s.n) {
		struct parameter p;

		if (!parameter(&s, &p))
			return "mime: invalid media parameter";
		if (p.name.n && !add_parameter(m->a, &all, &p))
			return "mime: duplicate parameter name";
	}
	if (idmap_get(&all.values, intern_cstr(&all.text, "boundary"), &boundary))
		m->boundary = intern_str(&all.text, boundary);
	return NULL;
}

/* mime.ParseMediaType. NULL, or an error; *ret_multipart tells the kind. */
static const char *media_type(struct mime *m, bool *ret_multipart)
{
	struct str s = m->content_type;
	const char *semi = s.n ? memchr(s.p, ';', s.n) : NULL;
	struct str base = trimmed((struct str){s.p, semi ? (size_t)(semi - s.p) : s.n});
	size_t n = token(base), sub;

	*ret_multipart = base.n > 10 && strncasecmp(base.p, "multipart/", 10) == 0;
	if (!n)
		return "mime: no media type";
	if (n < base.n) {
		if (base.p[n] != '/')
			return "mime: expected slash after first token";
		sub = token(after(base, n + 1));
		if (!sub)
			return "mime: expected token after slash";
		if (n + 1 + sub < base.n)
			return "mime: unexpected content after media subtype";
	}
	return read_parameters(m, semi ? trimmed(after(s, (size_t)(semi - s.p))) : (struct str){"", 0});
}

static bool starts_with_dashes(const struct mime *m, struct str s)
{
	return s.n >= m->boundary.n + 2 && memcmp(s.p, "--", 2) == 0 &&
	       memcmp(s.p + 2, m->boundary.p, m->boundary.n) == 0;
}

static struct str skip_blanks(struct str s)
{
	while (s.n && blank(s.p[0]))
		s = after(s, 1);
	return s;
}

/* A line between parts that starts one. */
static bool is_delimiter(struct mime *m, struct str line)
{
	struct str rest;

	if (!starts_with_dashes(m, line))
		return false;
	rest = skip_blanks(after(line, m->boundary.n + 2));
	if (m->parts == 0 && str_is(rest, "\n"))
		m->nl = "\n";
	return str_is(rest, m->nl);
}

static bool is_final(const struct mime *m, struct str line)
{
	struct str rest;

	if (!starts_with_dashes(m, line) || !str_starts(after(line, m->boundary.n + 2), "--"))
		return false;
	rest = skip_blanks(after(line, m->boundary.n + 4));
	return rest.n == 0 || str_is(rest, m->nl);
}

/* Whether a boundary at the start of s ends a body. */
static bool ends_body(const struct mime *m, struct str s)
{
	struct str rest = after(s, m->boundary.n + 2);

	return !rest.n || strchr(" \t\r\n", rest.p[0]) || str_starts(rest, "--");
}

/* Moves to the end of a body; false when there is no boundary behind it. */
static bool skip_body(struct mime *m, struct str *ret_body)
{
	struct str body = m->rest;
	size_t nl = strlen(m->nl), held = 0;

	if (starts_with_dashes(m, body) && ends_body(m, body))
		return true;
	for (size_t i = 0; i + nl < body.n; i++) {
		struct str at = after(body, i);

		if (!str_starts(at, m->nl) || !starts_with_dashes(m, after(at, nl)) ||
		    !ends_body(m, after(at, nl)))
			continue;
		m->rest = at;
		return true;
	}
	/* What may be the start of a boundary is not taken for the body. */
	for (size_t n = 1; n <= body.n && n <= nl + 2 + m->boundary.n; n++) {
		struct str tail = after(body, body.n - n), mark;

		if (tail.p[0] != m->nl[0])
			continue;
		mark = str_of(arena_printf(m->a, "%s--%.*s", m->nl, STR_ARG(m->boundary)));
		held = mark.n >= n && memcmp(mark.p, tail.p, n) == 0 ? n : 0;
		break;
	}
	*ret_body = (struct str){body.p, body.n - held};
	m->rest = after(body, body.n);
	return false;
}

/* multipart.NextPart. NULL, or an error; *ret_end: there are no more. */
static const char *next_part(struct mime *m, bool *ret_end)
{
	bool expected = false;
	struct str line;

	*ret_end = false;
	while (next_line(&m->rest, &line)) {
		/* Without an end of its line only the last boundary is one. */
		if (line.p[line.n - 1] != '\n')
			break;
		if (is_delimiter(m, line)) {
			m->parts++;
			return part_header(m, ret_end);
		}
		if (is_final(m, line))
			break;
		if (expected)
			return quoting(m->a, "multipart: expecting a new Part; got line ", line);
		if (m->parts == 0)
			continue;
		if (!str_is(line, m->nl))
			return quoting(m->a, "multipart: unexpected line in Next(): ", line);
		expected = true;
	}
	*ret_end = true;
	return NULL;
}

static bool failed(struct mime_error *e, enum mime_stage stage, const char *text)
{
	*e = (struct mime_error){.stage = stage, .text = text, .body = {"", 0}};
	return false;
}

bool mime_read(struct arena *a, struct str text, struct mime_error *ret_error)
{
	struct mime m = {.a = a, .rest = text, .nl = "\r\n"};
	const char *error = message_header(&m);
	bool multipart, end;

	if (error)
		return failed(ret_error, MIME_MESSAGE, error);
	error = media_type(&m, &multipart);
	if (error)
		return failed(ret_error, MIME_CONTENT_TYPE, error);
	if (!multipart)
		return failed(ret_error, MIME_NOT_MULTIPART, "");
	if (!m.boundary.n)
		return failed(ret_error, MIME_PART, "multipart: boundary is empty");
	for (;;) {
		struct str body = {"", 0};

		error = next_part(&m, &end);
		if (error)
			return failed(ret_error, MIME_PART, error);
		if (end)
			return true;
		if (!skip_body(&m, &body)) {
			failed(ret_error, MIME_BODY, "unexpected EOF");
			ret_error->body = body;
			return false;
		}
	}
}
