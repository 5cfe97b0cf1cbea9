#pragma once
/*
 * A string slice: pointer and length, not NUL terminated, owned by whoever made it.
 * Used for text that points into a source file or an arena.
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct str {
	const char *p;
	size_t n;
};

/* The arguments of a %.*s. */
#define STR_ARG(s) (int)(s).n, (s).p

#define STR_LIT(s) ((struct str){(s), sizeof(s) - 1})

static inline struct str str_of(const char *s)
{
	return (struct str){s, strlen(s)};
}

static inline bool str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool str_is(struct str a, const char *s)
{
	return str_eq(a, str_of(s));
}

/* Byte order, shorter first on a common prefix: the order of Go strings. */
static inline int str_cmp(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	return c ? c : (a.n > b.n) - (a.n < b.n);
}

static inline bool str_starts(struct str a, const char *prefix)
{
	size_t n = strlen(prefix);

	return a.n >= n && memcmp(a.p, prefix, n) == 0;
}

static inline bool str_ends(struct str a, const char *suffix)
{
	size_t n = strlen(suffix);

	return a.n >= n && memcmp(a.p + a.n - n, suffix, n) == 0;
}
