#pragma once
/*
 * Interned strings. Each distinct string has one small id; equal ids mean equal strings, so nothing after
 * loading compares bytes but where an order by name is needed. Id 0 is the empty string. SID_NONE stands for
 * "absent" where an absent string and an empty one differ.
 *
 * The pool owns its copies; pointers it gives stay valid as long as the pool.
 */
#include <stdint.h>

#include "arena.h"
#include "str.h"

typedef uint32_t sid;

#define SID_EMPTY ((sid)0)
#define SID_NONE UINT32_MAX

struct intern {
	struct arena *arena;
	struct str *text; /* by id */
	uint32_t n, cap;
	uint32_t *slots; /* open addressing, id + 1, 0 is free */
	uint32_t nslots; /* power of two */
};

void intern_init(struct intern *in, struct arena *a);
sid intern_put(struct intern *in, struct str s);
/* SID_NONE when the string was never interned. */
sid intern_find(const struct intern *in, struct str s);

static inline sid intern_cstr(struct intern *in, const char *s)
{
	return intern_put(in, str_of(s));
}

static inline struct str intern_str(const struct intern *in, sid id)
{
	return id == SID_NONE ? (struct str){"", 0} : in->text[id];
}

/* NUL terminated (text that holds a NUL is refused by the readers). */
static inline const char *intern_c(const struct intern *in, sid id)
{
	return id == SID_NONE ? "" : in->text[id].p;
}

/* Order by bytes, as Go compares strings. */
static inline int intern_cmp(const struct intern *in, sid a, sid b)
{
	return a == b ? 0 : str_cmp(intern_str(in, a), intern_str(in, b));
}

/* Sorts ids by their text. */
void intern_sort(const struct intern *in, sid *v, size_t n);
