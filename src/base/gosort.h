#pragma once
/*
 * The sort of Go's sort.Slice (pattern-defeating quicksort, Go 1.24 and later), element for element: where a
 * comparison has ties the order it leaves is deterministic but not the input order, and recorded decisions
 * depend on it. Rule: determinism, "Go's sort.Slice"; karpenter-core 0.3.
 */
#include <stdbool.h>
#include <stddef.h>

typedef bool (*gosort_less)(void *ctx, size_t i, size_t j);
typedef void (*gosort_swap)(void *ctx, size_t i, size_t j);

void gosort(void *ctx, size_t n, gosort_less less, gosort_swap swap);
