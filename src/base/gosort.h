#pragma once
/*
 * The sort of Go's sort.Slice (pattern-defeating quicksort, Go 1.24 and later), element for element: where a
 * comparison has ties the order it leaves is deterministic but not the input order, and recorded decisions
 * depend on it. Rule: determinism, "Go's sort.Slice"; karpenter-core 0.3.
 */
#include <stdbool.h>
#include <stddef.h>

/* Whether element a comes before element b. */
typedef bool (*gosort_less)(const void *a, const void *b, const void *ctx);

/* n elements of size bytes each. */
void gosort(void *v, size_t n, size_t size, gosort_less less, const void *ctx);

#define GOSORT(v, n, less, ctx) gosort((v), (n), sizeof(*(v)), (less), (ctx))
