#include "re.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "bug.h"
#include "vec.h"

enum op { OP_CLASS, OP_SPLIT, OP_JUMP, OP_BEGIN, OP_END, OP_MATCH };

struct inst {
	enum op op;
	uint32_t x, y;   /* SPLIT: both, JUMP: x */
	uint64_t set[4]; /* CLASS: bytes */
};

struct re {
	struct arena *arena;
	VEC(struct inst) code;
};

struct parser {
	struct arena *a;
	struct re *re;
	const char *p;
};

/* A piece of code is a range of instructions that falls out at its end, so pieces can be copied and nested.
 */
static void parse_alternatives(struct parser *p);

static uint32_t put(struct parser *p, struct inst in)
{
	VEC_PUSH(p->a, &p->re->code, in);
	return p->re->code.n - 1;
}

/* Opens a gap of k instructions at `at`; jumps within the moved code move along. */
static void open_gap(struct parser *p, uint32_t at, uint32_t k)
{
	uint32_t n = p->re->code.n;

	for (uint32_t i = 0; i < k; i++)
		put(p, (struct inst){.op = OP_JUMP});
	struct inst *v = p->re->code.v;

	memmove(v + at + k, v + at, (n - at) * sizeof(*v));
	for (uint32_t i = at + k; i < n + k; i++)
		if (v[i].op == OP_SPLIT || v[i].op == OP_JUMP) {
			v[i].x += k;
			v[i].y += k;
		}
}

/* Appends a copy of the code [from, to). */
static void copy(struct parser *p, uint32_t from, uint32_t to)
{
	uint32_t shift = p->re->code.n - from;

	for (uint32_t i = from; i < to; i++) {
		struct inst in = p->re->code.v[i];

		in.x += shift;
		in.y += shift;
		put(p, in);
	}
}

static void optional(struct parser *p, uint32_t from)
{
	open_gap(p, from, 1);
	p->re->code.v[from] = (struct inst){.op = OP_SPLIT, .x = from + 1, .y = p->re->code.n};
}

static void set_range(uint64_t *set, unsigned char lo, unsigned char hi)
{
	for (unsigned c = lo; c <= hi; c++)
		bits_set(set, c);
}

/* The set behind a backslash. */
static void escaped(struct parser *p, uint64_t *set)
{
	char c = *p->p++;

	switch (c) {
	case 'd':
		set_range(set, '0', '9');
		return;
	case 's':
		for (const char *s = "\t\n\f\r "; *s; s++)
			bits_set(set, (unsigned char)*s);
		return;
	case 'w':
		set_range(set, '0', '9');
		set_range(set, 'a', 'z');
		set_range(set, 'A', 'Z');
		bits_set(set, '_');
		return;
	default:
		KS_BUG_ON(!strchr(".+-*?()[]{}|/\\^$", c));
		bits_set(set, (unsigned char)c);
	}
}

static void parse_class(struct parser *p)
{
	struct inst in = {.op = OP_CLASS};
	bool negated = *p->p == '^';

	p->p += negated;
	do {
		KS_BUG_ON(!*p->p);
		if (*p->p == '\\') {
			p->p++;
			escaped(p, in.set);
		} else if (p->p[1] == '-' && p->p[2] != ']') {
			set_range(in.set, (unsigned char)p->p[0], (unsigned char)p->p[2]);
			p->p += 3;
		} else {
			bits_set(in.set, (unsigned char)*p->p++);
		}
	} while (*p->p != ']');
	p->p++;
	for (int i = 0; negated && i < 4; i++)
		in.set[i] = ~in.set[i];
	put(p, in);
}

static void parse_atom(struct parser *p)
{
	struct inst in = {.op = OP_CLASS};
	char c = *p->p++;

	switch (c) {
	case '^':
		in.op = OP_BEGIN;
		break;
	case '$':
		in.op = OP_END;
		break;
	case '.':
		memset(in.set, 0xff, sizeof(in.set));
		bits_clear(in.set, '\n');
		break;
	case '\\':
		escaped(p, in.set);
		break;
	case '[':
		parse_class(p);
		return;
	case '(':
		if (p->p[0] == '?' && p->p[1] == ':')
			p->p += 2;
		parse_alternatives(p);
		KS_BUG_ON(*p->p != ')');
		p->p++;
		return;
	default:
		bits_set(in.set, (unsigned char)c);
	}
	put(p, in);
}

static void parse_counted(struct parser *p, uint32_t from)
{
	char *end;
	unsigned long lo = strtoul(p->p, &end, 10), hi = lo;
	uint32_t to = p->re->code.n;

	if (*end == ',')
		hi = strtoul(end + 1, &end, 10);
	KS_BUG_ON(*end != '}' || hi < lo || hi == 0 || hi > 1000);
	p->p = end + 1;
	if (lo == 0)
		optional(p, from);
	for (unsigned long i = 1; i < hi; i++) {
		uint32_t start = p->re->code.n;

		/* The first copy may have become optional: copy what stands behind its split. */
		copy(p, lo == 0 ? from + 1 : from, lo == 0 ? to + 1 : to);
		if (i >= lo)
			optional(p, start);
	}
}

static void parse_repeated(struct parser *p)
{
	uint32_t from = p->re->code.n;

	parse_atom(p);
	for (;; p->p++) {
		if (*p->p == '*' || *p->p == '+') {
			if (*p->p == '*') {
				open_gap(p, from, 1);
				put(p, (struct inst){.op = OP_JUMP, .x = from});
				p->re->code.v[from] =
					(struct inst){.op = OP_SPLIT, .x = from + 1, .y = p->re->code.n};
			} else {
				put(p, (struct inst){.op = OP_SPLIT, .x = from, .y = p->re->code.n + 1});
			}
		} else if (*p->p == '?') {
			optional(p, from);
		} else if (*p->p == '{') {
			p->p++;
			parse_counted(p, from);
			return;
		} else {
			return;
		}
	}
}

static void parse_alternatives(struct parser *p)
{
	uint32_t from = p->re->code.n;

	while (*p->p && *p->p != '|' && *p->p != ')')
		parse_repeated(p);
	if (*p->p != '|')
		return;
	p->p++;
	/* split L1, L2; L1: first; jump out; L2: rest */
	open_gap(p, from, 1);
	uint32_t jump = put(p, (struct inst){.op = OP_JUMP});

	p->re->code.v[from] = (struct inst){.op = OP_SPLIT, .x = from + 1, .y = jump + 1};
	parse_alternatives(p);
	p->re->code.v[jump].x = p->re->code.n;
}

const struct re *re_compile(struct arena *a, const char *pattern)
{
	struct re *re = ARENA_NEW(a, struct re);
	struct parser p = {.a = a, .re = re, .p = pattern};

	re->arena = a;
	parse_alternatives(&p);
	KS_BUG_ON(*p.p);
	put(&p, (struct inst){.op = OP_MATCH});
	return re;
}

struct states {
	uint32_t n;
	uint32_t *pc; /* CLASS and MATCH instructions that wait for the next byte */
	uint64_t *seen;
};

/* Follows everything that needs no byte; the stack holds at most two entries for each instruction. */
static void add(const struct re *re, struct states *s, uint32_t *stack, uint32_t pc, bool at_begin,
		bool at_end)
{
	uint32_t depth = 0;

	stack[depth++] = pc;
	while (depth) {
		pc = stack[--depth];
		const struct inst *in = &re->code.v[pc];

		if (bits_test(s->seen, pc))
			continue;
		bits_set(s->seen, pc);
		switch (in->op) {
		case OP_SPLIT:
			stack[depth++] = in->y;
			stack[depth++] = in->x;
			break;
		case OP_JUMP:
			stack[depth++] = in->x;
			break;
		case OP_BEGIN:
			if (at_begin)
				stack[depth++] = pc + 1;
			break;
		case OP_END:
			if (at_end)
				stack[depth++] = pc + 1;
			break;
		case OP_CLASS:
		case OP_MATCH:
			s->pc[s->n++] = pc;
			break;
		}
	}
}

bool re_match(const struct re *re, struct str text)
{
	struct arena_mark mark = arena_mark(re->arena);
	uint32_t n = re->code.n, words = BITS_WORDS(n);
	struct states now = {0, ARENA_ARRAY(re->arena, uint32_t, n), ARENA_ARRAY(re->arena, uint64_t, words)};
	struct states next = {0, ARENA_ARRAY(re->arena, uint32_t, n),
			      ARENA_ARRAY(re->arena, uint64_t, words)};
	uint32_t *stack = ARENA_ARRAY(re->arena, uint32_t, 2 * n + 2);
	bool matched = false;

	add(re, &now, stack, 0, true, text.n == 0);
	for (size_t i = 0; !matched; i++) {
		unsigned char c = i < text.n ? (unsigned char)text.p[i] : 0;

		next.n = 0;
		memset(next.seen, 0, words * sizeof(*next.seen));
		for (uint32_t k = 0; k < now.n && !matched; k++) {
			const struct inst *in = &re->code.v[now.pc[k]];

			if (in->op == OP_MATCH)
				matched = true;
			else if (i < text.n && bits_test(in->set, c))
				add(re, &next, stack, now.pc[k] + 1, false, i + 1 == text.n);
		}
		if (i >= text.n || matched)
			break;
		add(re, &next, stack, 0, false, i + 1 == text.n); /* a match may begin anywhere */
		struct states t = now;

		now = next;
		next = t;
	}
	arena_rewind(re->arena, mark);
	return matched;
}
