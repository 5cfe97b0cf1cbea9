#include "vec.h"

#include <string.h>

void *vec_grow(struct arena *a, const void *v, uint32_t n, uint32_t *cap, uint32_t need, size_t size)
{
	uint32_t to = *cap ? *cap : 4;
	void *fresh;

	KS_BUG_ON(need < n || need > UINT32_MAX / 2);
	while (to < need)
		to *= 2;
	fresh = arena_alloc(a, to, size);
	if (n)
		memcpy(fresh, v, n * size);
	*cap = to;
	return fresh;
}
