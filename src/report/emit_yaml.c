/* Block style as kubectl prints it: two spaces, the dash of a list under the first letter of its key. */
#include <strings.h>

#include "emit_ops.h"

/* Words that YAML 1.1 or 1.2 reads as something else than a string. */
static const char *const reserved[] = {"y",    "n",     "yes",  "no",  "on", "off",
				       "true", "false", "null", "nan", "inf"};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether text that starts with a digit might be a number, a time of day or a date to some reader. */
static bool numeric_looking(struct str s)
{
	if (s.n > 4 && is_digit(s.p[1]) && is_digit(s.p[2]) && is_digit(s.p[3]) && s.p[4] == '-')
		return true;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == ':')
			return true;
		/* No number has a letter beyond the hexadecimal digits, x and o. */
		if (is_letter(s.p[i]) && !strchr("abcdefxoABCDEFXO", s.p[i]))
			return false;
	}
	return true;
}

static bool plain_safe(struct str s)
{
	if (s.n == 0 || !(is_letter(s.p[0]) || is_digit(s.p[0]) || s.p[0] == '/'))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!is_letter(c) && !is_digit(c) && !strchr("_./-:", c))
			return false;
	}
	if (s.p[s.n - 1] == ':')
		return false;
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if (s.n == strlen(reserved[i]) && strncasecmp(s.p, reserved[i], s.n) == 0)
			return false;
	return !is_digit(s.p[0]) || !numeric_looking(s);
}

static void scalar(struct emit *e, struct str s)
{
	if (plain_safe(s))
		buf_addstr(e->out, s);
	else
		emit_quoted(e->out, s, true);
}

/* A value on the line of its key or dash. */
static void lead(struct emit *e)
{
	if (emit_top(e)->is_map)
		buf_addch(e->out, ' ');
}

/* To where the next entry of the innermost level starts. */
static void entry(struct emit *e)
{
	struct emit_level *l = emit_top(e);

	if (l->n == 0 && l->same_line)
		return;
	if (l->n == 0 && e->depth > 1)
		buf_addch(e->out, '\n');
	buf_pad(e->out, ' ', l->indent);
}

static void yaml_separator(struct emit *e)
{
	buf_adds(e->out, "---\n");
}

static void yaml_element(struct emit *e)
{
	if (!e->depth)
		return;
	entry(e);
	buf_adds(e->out, "- ");
}

static void yaml_key(struct emit *e, struct str key)
{
	entry(e);
	scalar(e, key);
	buf_addch(e->out, ':');
}

static void yaml_open(struct emit *e)
{
	struct emit_level *l = emit_top(e);
	const struct emit_level *up = &e->level[e->depth - 1];

	if (e->depth == 1)
		return;
	l->indent = up->indent + (up->is_map && !l->is_map ? 0 : 2);
	l->same_line = !up->is_map;
}

static void yaml_close(struct emit *e)
{
	struct emit_level *l = emit_top(e);
	bool in_map = e->level[e->depth - 1].is_map;

	if (l->n == 0)
		buf_addf(e->out, "%s%s\n", in_map ? " " : "", l->is_map ? "{}" : "[]");
}

static void yaml_string(struct emit *e, struct str s)
{
	lead(e);
	scalar(e, s);
	buf_addch(e->out, '\n');
}

static void yaml_plain(struct emit *e, enum emit_scalar kind, const char *text)
{
	const char *exp = kind == EMIT_DOUBLE ? strchr(text, 'e') : NULL;

	lead(e);
	/* YAML 1.1 takes 1e+20 for a string: it wants the point. */
	if (exp && !strchr(text, '.'))
		buf_addf(e->out, "%.*s.0%s", (int)(exp - text), text, exp);
	else
		buf_adds(e->out, text);
	buf_addch(e->out, '\n');
}

const struct emit_ops emit_yaml_ops = {
	.separator = yaml_separator,
	.element = yaml_element,
	.key = yaml_key,
	.open = yaml_open,
	.close = yaml_close,
	.string = yaml_string,
	.plain = yaml_plain,
};
