#include "gosort.h"

#include <stdint.h>
#include <string.h>

struct sorter {
	char *v;
	size_t size;
	gosort_less less;
	const void *ctx;
};

static bool before(const struct sorter *s, size_t i, size_t j)
{
	return s->less(s->v + i * s->size, s->v + j * s->size, s->ctx);
}

static void swap(const struct sorter *s, size_t i, size_t j)
{
	char part[64], *a = s->v + i * s->size, *b = s->v + j * s->size;

	if (i == j)
		return;
	for (size_t left = s->size, n; left; left -= n, a += n, b += n) {
		n = left < sizeof(part) ? left : sizeof(part);
		memcpy(part, a, n);
		memcpy(a, b, n);
		memcpy(b, part, n);
	}
}

enum hint { HINT_UNKNOWN, HINT_INCREASING, HINT_DECREASING };

static unsigned bit_length(size_t n)
{
	unsigned bits = 0;

	for (; n; n >>= 1)
		bits++;
	return bits;
}

static void insertion_sort(const struct sorter *s, size_t a, size_t b)
{
	for (size_t i = a + 1; i < b; i++)
		for (size_t j = i; j > a && before(s, j, j - 1); j--)
			swap(s, j, j - 1);
}

static void sift_down(const struct sorter *s, size_t lo, size_t hi, size_t first)
{
	size_t root = lo;

	for (;;) {
		size_t child = 2 * root + 1;

		if (child >= hi)
			return;
		if (child + 1 < hi && before(s, first + child, first + child + 1))
			child++;
		if (!before(s, first + root, first + child))
			return;
		swap(s, first + root, first + child);
		root = child;
	}
}

static void heap_sort(const struct sorter *s, size_t a, size_t b)
{
	size_t n = b - a;

	for (size_t i = (n - 1) / 2 + 1; i-- > 0;)
		sift_down(s, i, n, a);
	for (size_t i = n; i-- > 0;) {
		swap(s, a, a + i);
		sift_down(s, 0, i, a);
	}
}

/* Scatters three elements around the middle with a generator seeded by the length, to break bad patterns. */
static void break_patterns(const struct sorter *s, size_t a, size_t b)
{
	size_t n = b - a;

	if (n < 8)
		return;
	uint64_t r = n;
	size_t modulus = (size_t)1 << bit_length(n);
	size_t idx = a + (n / 4) * 2 - 1;

	for (size_t i = 0; i < 3; i++) {
		r ^= r << 13;
		r ^= r >> 7;
		r ^= r << 17;
		size_t other = (size_t)r & (modulus - 1);

		if (other >= n)
			other -= n;
		swap(s, idx + i, a + other);
	}
}

static void order2(const struct sorter *s, size_t *a, size_t *b, int *swaps)
{
	if (before(s, *b, *a)) {
		size_t t = *a;

		*a = *b;
		*b = t;
		(*swaps)++;
	}
}

static size_t median(const struct sorter *s, size_t a, size_t b, size_t c, int *swaps)
{
	order2(s, &a, &b, swaps);
	order2(s, &b, &c, swaps);
	order2(s, &a, &b, swaps);
	return b;
}

static size_t choose_pivot(const struct sorter *s, size_t a, size_t b, enum hint *ret_hint)
{
	size_t n = b - a;
	int swaps = 0;
	size_t i = a + n / 4 * 1, j = a + n / 4 * 2, k = a + n / 4 * 3;

	if (n >= 8) {
		if (n >= 50) {
			i = median(s, i - 1, i, i + 1, &swaps);
			j = median(s, j - 1, j, j + 1, &swaps);
			k = median(s, k - 1, k, k + 1, &swaps);
		}
		j = median(s, i, j, k, &swaps);
	}
	*ret_hint = swaps == 0 ? HINT_INCREASING : swaps == 12 ? HINT_DECREASING : HINT_UNKNOWN;
	return j;
}

static void reverse(const struct sorter *s, size_t a, size_t b)
{
	for (size_t i = a, j = b - 1; i < j; i++, j--)
		swap(s, i, j);
}

/* Repairs a nearly sorted range with at most five moves; true if it is sorted then. */
static bool partial_insertion_sort(const struct sorter *s, size_t a, size_t b)
{
	size_t i = a + 1;

	for (int step = 0; step < 5; step++) {
		while (i < b && !before(s, i, i - 1))
			i++;
		if (i == b)
			return true;
		if (b - a < 50)
			return false;
		swap(s, i, i - 1);
		if (i - a >= 2)
			for (size_t j = i - 1; j >= 1 && before(s, j, j - 1); j--)
				swap(s, j, j - 1);
		if (b - i >= 2)
			for (size_t j = i + 1; j < b && before(s, j, j - 1); j++)
				swap(s, j, j - 1);
	}
	return false;
}

/* Splits [a,b) into elements equal to the pivot and greater ones; gives the first greater one. */
static size_t partition_equal(const struct sorter *s, size_t a, size_t b, size_t pivot)
{
	size_t i = a + 1, j = b - 1;

	swap(s, a, pivot);
	for (;;) {
		while (i <= j && !before(s, a, i))
			i++;
		while (i <= j && before(s, a, j))
			j--;
		if (i > j)
			return i;
		swap(s, i, j);
		i++;
		j--;
	}
}

static size_t partition(const struct sorter *s, size_t a, size_t b, size_t pivot, bool *ret_done)
{
	size_t i = a + 1, j = b - 1;

	swap(s, a, pivot);
	*ret_done = true;
	for (;;) {
		while (i <= j && before(s, i, a))
			i++;
		while (i <= j && !before(s, j, a))
			j--;
		if (i > j)
			break;
		*ret_done = false;
		swap(s, i, j);
		i++;
		j--;
	}
	swap(s, j, a);
	return j;
}

/* The depth is bounded: each call on the smaller side at most halves the range. */
static void pdq_sort(const struct sorter *s, size_t a, size_t b,
		     unsigned limit) /* NOLINT(misc-no-recursion) */
{
	bool balanced = true, partitioned = true;

	for (;;) {
		size_t n = b - a;
		enum hint hint;

		if (n <= 12) {
			insertion_sort(s, a, b);
			return;
		}
		if (limit == 0) {
			heap_sort(s, a, b);
			return;
		}
		if (!balanced) {
			break_patterns(s, a, b);
			limit--;
		}
		size_t pivot = choose_pivot(s, a, b, &hint);

		if (hint == HINT_DECREASING) {
			reverse(s, a, b);
			pivot = (b - 1) - (pivot - a);
			hint = HINT_INCREASING;
		}
		if (balanced && partitioned && hint == HINT_INCREASING && partial_insertion_sort(s, a, b))
			return;
		if (a > 0 && !before(s, a - 1, pivot)) {
			a = partition_equal(s, a, b, pivot);
			continue;
		}
		size_t mid = partition(s, a, b, pivot, &partitioned);
		size_t left = mid - a, right = b - mid, threshold = n / 8;

		if (left < right) {
			balanced = left >= threshold;
			pdq_sort(s, a, mid, limit);
			a = mid + 1;
		} else {
			balanced = right >= threshold;
			pdq_sort(s, mid + 1, b, limit);
			b = mid;
		}
	}
}

void gosort(void *v, size_t n, size_t size, gosort_less less, const void *ctx)
{
	struct sorter s = {v, size, less, ctx};

	pdq_sort(&s, 0, n, bit_length(n));
}
