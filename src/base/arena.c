#include "arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bug.h"

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif

#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define REDZONE 16
#else
#define REDZONE 0
#endif

#define ARENA_ALIGN 16
#define ARENA_FIRST (32u << 10)
#define ARENA_MAX_GROW (8u << 20)

struct arena_block {
	struct arena_block *prev;
	size_t prev_used; /* bytes that were used of prev when this block was opened */
	size_t size;
	char pad[8];
	char data[];
};

static void poison(const char *p, size_t n)
{
#ifdef ARENA_ASAN
	__asan_poison_memory_region(p, n);
#else
	(void)p;
	(void)n;
#endif
}

static void unpoison(const char *p, size_t n)
{
#ifdef ARENA_ASAN
	__asan_unpoison_memory_region(p, n);
#else
	(void)p;
	(void)n;
#endif
}

void arena_init(struct arena *a)
{
	*a = (struct arena){0};
}

static void pop_block(struct arena *a)
{
	struct arena_block *b = a->head;

	unpoison(b->data, b->size);
	a->head = b->prev;
	a->used = b->prev_used;
	a->held -= b->size;
	free(b);
}

void arena_release(struct arena *a)
{
	while (a->head)
		pop_block(a);
	arena_init(a);
}

struct arena_mark arena_mark(const struct arena *a)
{
	return (struct arena_mark){a->head, a->used, a->total};
}

void arena_rewind(struct arena *a, struct arena_mark m)
{
	while (a->head != m.head)
		pop_block(a);
	a->used = m.used;
	a->total = m.total;
	if (a->head)
		poison(a->head->data + a->used, a->head->size - a->used);
}

static void push_block(struct arena *a, size_t need)
{
	size_t size = a->head ? a->head->size * 2 : ARENA_FIRST;
	struct arena_block *b;

	if (size > ARENA_MAX_GROW)
		size = ARENA_MAX_GROW;
	if (size < need)
		size = need;
	b = malloc(sizeof(*b) + size);
	if (!b)
		ks_out_of_memory();
	b->prev = a->head;
	b->prev_used = a->used;
	b->size = size;
	poison(b->data, size);
	a->head = b;
	a->used = 0;
	a->held += size;
}

void *arena_alloc(struct arena *a, size_t n, size_t size)
{
	size_t want;
	char *p;

	if (__builtin_mul_overflow(n, size, &want) ||
	    __builtin_add_overflow(want, (size_t)(ARENA_ALIGN + REDZONE), &want) || want > SIZE_MAX / 2)
		ks_out_of_memory();
	want = (want - ARENA_ALIGN - REDZONE ? want - ARENA_ALIGN - REDZONE : 1);
	size_t step = (want + REDZONE + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);

	if (!a->head || a->head->size - a->used < step)
		push_block(a, step);
	p = a->head->data + a->used;
	a->used += step;
	a->total += step;
	unpoison(p, want);
	memset(p, 0, want);
	return p;
}

char *arena_strndup(struct arena *a, const char *p, size_t n)
{
	char *s = arena_alloc(a, n + 1, 1);

	if (n)
		memcpy(s, p, n);
	return s;
}

void *arena_memdup(struct arena *a, const void *p, size_t n, size_t size)
{
	void *q = arena_alloc(a, n, size);

	if (n && size)
		memcpy(q, p, n * size);
	return q;
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;
	int n;
	char *s;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	KS_BUG_ON(n < 0);
	s = arena_alloc(a, (size_t)n + 1, 1);
	vsnprintf(s, (size_t)n + 1, fmt, again);
	va_end(again);
	return s;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return s;
}
