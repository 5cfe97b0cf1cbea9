#include "load_selector.h"

#include <ctype.h>
#include <strings.h>

#include "file.h"

struct selector {
	struct arena *arena;
	struct diags *d;
	struct intern *in;
	const struct source *src;
	size_t at;
	VEC(struct api_requirement) reqs;
};

static char peek(const struct selector *s)
{
	return s->src->text.p[s->at]; /* NUL at the end */
}

static void skip_blanks(struct selector *s)
{
	while (isspace((unsigned char)peek(s)))
		s->at++;
}

static bool word_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("-_./:", c));
}

/* The next word, empty when there is none. */
static struct str word(struct selector *s)
{
	size_t from;

	skip_blanks(s);
	from = s->at;
	while (word_char(peek(s)))
		s->at++;
	return (struct str){s->src->text.p + from, s->at - from};
}

static bool accept(struct selector *s, char c)
{
	skip_blanks(s);
	if (peek(s) != c)
		return false;
	s->at++;
	return true;
}

static bool fail(struct selector *s, const char *wanted)
{
	struct span at = {.src = s->src, .line = 1, .col = (uint32_t)s->at + 1};

	if (peek(s))
		diag(s->d, KS_SELECTOR, at, "expected %s, found '%c'", wanted, peek(s));
	else
		diag(s->d, KS_SELECTOR, at, "expected %s, found the end", wanted);
	return false;
}

static void add_value(struct selector *s, struct api_requirement *r, struct str v)
{
	sid *values = ARENA_ARRAY(s->arena, sid, r->n + 1);

	if (r->n)
		memcpy(values, r->values, r->n * sizeof(*values));
	values[r->n++] = intern_put(s->in, v);
	r->values = values;
}

/* "(a, b)" */
static bool value_list(struct selector *s, struct api_requirement *r)
{
	if (!accept(s, '('))
		return fail(s, "'('");
	do {
		struct str v = word(s);

		if (!v.n)
			return fail(s, "a value");
		add_value(s, r, v);
	} while (accept(s, ','));
	return accept(s, ')') || fail(s, "',' or ')'");
}

/* Longer signs first. */
static const struct {
	const char *sign, *op;
} signs[] = {{"==", "In"}, {"!=", "NotIn"}, {">=", "Gte"}, {"<=", "Lte"},
	     {"=", "In"},  {">", "Gt"},     {"<", "Lt"}};
static const struct {
	const char *name, *op;
	bool list;
} names[] = {{"in", "In", true},  {"notin", "NotIn", true}, {"gt", "Gt", false},
	     {"lt", "Lt", false}, {"gte", "Gte", false},    {"lte", "Lte", false}};

static bool one_value(struct selector *s, struct api_requirement *r)
{
	struct str v = word(s);

	if (!v.n)
		return fail(s, "a value");
	add_value(s, r, v);
	return true;
}

/* What follows the key. */
static bool operation(struct selector *s, struct api_requirement *r)
{
	struct str name;

	skip_blanks(s);
	for (unsigned i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (strncmp(s->src->text.p + s->at, signs[i].sign, strlen(signs[i].sign)) == 0) {
			s->at += strlen(signs[i].sign);
			r->op = intern_cstr(s->in, signs[i].op);
			return one_value(s, r);
		}
	size_t start = s->at;

	name = word(s);
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (name.n == strlen(names[i].name) && strncasecmp(name.p, names[i].name, name.n) == 0) {
			r->op = intern_cstr(s->in, names[i].op);
			return names[i].list ? value_list(s, r) : one_value(s, r);
		}
	if (name.n) {
		s->at = start;
		return fail(s, "in, notin, gt, lt, gte, lte or a sign");
	}
	r->op = intern_cstr(s->in, "Exists");
	return true;
}

static bool requirement(struct selector *s)
{
	struct api_requirement r = {.min_values = -1};
	bool not = accept(s, '!');
	struct str key = word(s);

	if (!key.n)
		return fail(s, "a label");
	r.key = intern_put(s->in, key);
	if (not )
		r.op = intern_cstr(s->in, "DoesNotExist");
	else if (!operation(s, &r))
		return false;
	VEC_PUSH(s->arena, &s->reqs, r);
	return true;
}

bool selector_parse(struct arena *a, struct diags *d, struct intern *in, const char *text,
		    struct api_requirement **v, uint32_t *n)
{
	struct selector s = {
		.arena = a, .d = d, .in = in, .src = source_from_text(a, "--requirement", str_of(text))};

	s.reqs.v = *v;
	s.reqs.n = s.reqs.cap = *n;
	do {
		if (!requirement(&s))
			return false;
	} while (accept(&s, ','));
	skip_blanks(&s);
	if (peek(&s))
		return fail(&s, "','");
	*v = s.reqs.v;
	*n = s.reqs.n;
	return true;
}
