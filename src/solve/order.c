#include <string.h>

#include "gosort.h"
#include "run.h"

/*
 * The claims are sorted by number of pods before every try, with no second key, and where ties fall decides
 * which claim a pod lands on. Between two sorts at most one claim changed, so nearly always the sort only
 * moves that one; sampling for the pivot tells when it would do more, and then the whole algorithm runs.
 */

static bool fewer(const void *x, const void *y, const void *ctx)
{
	const struct claim_order *a = x, *b = y;

	(void)ctx;
	return a->pods < b->pods;
}

static bool in_order(const struct claim_order *o, uint32_t a, uint32_t b)
{
	return o[b].pods >= o[a].pods;
}

static bool ordered3(const struct claim_order *o, uint32_t a, uint32_t b, uint32_t c)
{
	return in_order(o, a, b) && in_order(o, b, c);
}

/* Whether the pivot samples of a long array are all in order. */
static bool samples_ordered(const struct claim_order *o, uint32_t n)
{
	uint32_t i = n / 4, j = n / 4 * 2, k = n / 4 * 3;

	if (n >= 50 &&
	    !(ordered3(o, i - 1, i, i + 1) && ordered3(o, j - 1, j, j + 1) && ordered3(o, k - 1, k, k + 1)))
		return false;
	return ordered3(o, i, j, k);
}

/* Moves the entry at i right past all with fewer pods, or left past all with more. */
static void move_one(struct claim_order *o, uint32_t n, uint32_t i)
{
	struct claim_order x = o[i];
	uint32_t lo, hi;

	if (i + 1 < n && o[i + 1].pods < x.pods) {
		for (lo = i + 1, hi = n; lo < hi;) {
			uint32_t mid = lo + (hi - lo) / 2;

			if (o[mid].pods < x.pods)
				lo = mid + 1;
			else
				hi = mid;
		}
		memmove(o + i, o + i + 1, (lo - 1 - i) * sizeof(*o));
		o[lo - 1] = x;
		return;
	}
	for (lo = 0, hi = i; lo < hi;) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (o[mid].pods <= x.pods)
			lo = mid + 1;
		else
			hi = mid;
	}
	memmove(o + lo + 1, o + lo, (i - lo) * sizeof(*o));
	o[lo] = x;
}

void claims_sort(struct solving *r)
{
	uint32_t n = r->claims.n;

	if (r->dirty == UINT32_MAX)
		return;
	/* From 13 to 49 entries the library gives up repairing after one look, so only its own code will do.
	 */
	if (n <= 12 || (n >= 50 && samples_ordered(r->order, n)))
		move_one(r->order, n, r->dirty);
	else
		GOSORT(r->order, n, fewer, NULL);
	r->dirty = UINT32_MAX;
}
