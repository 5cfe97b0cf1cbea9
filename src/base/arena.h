#pragma once
/*
 * Memory by lifetime. An arena hands out zeroed memory that lives until the arena is released or rewound;
 * nothing is freed one by one. Three lifetimes exist: the session (interned strings, objects, catalogue),
 * a plan (one solve), and scratch (rewound with arena_mark/arena_rewind). The function that takes an arena
 * says by that which lifetime its result has.
 *
 * Allocation never fails: exhausted memory ends the process (bug.h). Sizes are checked for overflow.
 * Under AddressSanitizer every allocation is followed by a poisoned red zone.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "str.h"

struct arena_block;

struct arena {
	struct arena_block *head; /* newest block */
	size_t used;              /* bytes used of head */
	size_t total;             /* bytes handed out so far, for --stats */
	size_t held;              /* bytes taken from the system */
};

struct arena_mark {
	struct arena_block *head;
	size_t used;
	size_t total;
};

void arena_init(struct arena *a);
void arena_release(struct arena *a);

struct arena_mark arena_mark(const struct arena *a);
/* Gives back everything allocated after the mark. */
void arena_rewind(struct arena *a, struct arena_mark m);

/* n elements of size bytes each, zeroed, aligned for any type. n * size of 0 gives a valid unique pointer. */
__attribute__((returns_nonnull)) void *arena_alloc(struct arena *a, size_t n, size_t size);

#define ARENA_NEW(a, T) ((T *)arena_alloc((a), 1, sizeof(T)))
#define ARENA_ARRAY(a, T, n) ((T *)arena_alloc((a), (n), sizeof(T)))

/* A NUL-terminated copy. */
__attribute__((returns_nonnull)) char *arena_strndup(struct arena *a, const char *p, size_t n);
__attribute__((returns_nonnull, format(printf, 2, 3))) char *arena_printf(struct arena *a, const char *fmt,
									  ...);
__attribute__((returns_nonnull, format(printf, 2, 0))) char *arena_vprintf(struct arena *a, const char *fmt,
									   va_list ap);
__attribute__((returns_nonnull)) void *arena_memdup(struct arena *a, const void *p, size_t n, size_t size);
