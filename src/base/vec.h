#pragma once
/*
 * A growable array of T in an arena: struct { T *v; uint32_t n, cap; }. Growing doubles and leaves the old
 * storage to the arena. The array is valid when zeroed. Not to be copied while both copies grow.
 */
#include <stdint.h>

#include "arena.h"
#include "bug.h"

#define VEC(T)                   \
	struct {                 \
		T *v;            \
		uint32_t n, cap; \
	}

__attribute__((returns_nonnull)) void *vec_grow(struct arena *a, const void *v, uint32_t n, uint32_t *cap,
						uint32_t need, size_t size);

/* Makes room for k more elements. */
#define VEC_RESERVE(a, vec, k)                                                                              \
	do {                                                                                                \
		if ((vec)->cap - (vec)->n < (k))                                                            \
			(vec)->v = vec_grow((a), (vec)->v, (vec)->n, &(vec)->cap, (vec)->n + (uint32_t)(k), \
					    sizeof(*(vec)->v));                                             \
	} while (0)

/* Appends a zeroed element and gives its address, valid until the next append. */
#define VEC_ADD(a, vec)                                                                             \
	((void)((vec)->n == (vec)->cap ? ((vec)->v = vec_grow((a), (vec)->v, (vec)->n, &(vec)->cap, \
							      (vec)->n + 1, sizeof(*(vec)->v)))     \
				       : NULL),                                                     \
	 &(vec)->v[(vec)->n++])

#define VEC_PUSH(a, vec, item) ((void)(*VEC_ADD((a), (vec)) = (item)))
