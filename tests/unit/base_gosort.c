#include <criterion/criterion.h>

#include "gosort.h"

#define MAX 200

struct keys {
	int key[MAX], at[MAX]; /* at[i]: original index of the element that is at i now */
};

static bool less(const void *x, const void *y, const void *ctx)
{
	const int *a = x, *b = y, *key = ctx;

	return key[*a] < key[*b];
}

static void check(struct keys *k, int n, const int *want)
{
	for (int i = 0; i < n; i++)
		k->at[i] = i;
	GOSORT(k->at, (size_t)n, less, k->key);
	for (int i = 0; i < n; i++)
		cr_assert_eq(k->at[i], want[i], "%d elements: position %d has %d, not %d", n, i, k->at[i],
			     want[i]);
}

/* Keys in full: the vectors of karpenter-core 0.3. */
Test(gosort, spelled_out)
{
	static const struct {
		int n, key[20], want[20];
	} rows[] = {
		{12, {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 0}, {0, 1, 2, 3, 11, 4, 5, 6, 7, 8, 9, 10}},
		{13, {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 0}, {0, 1, 2, 3, 12, 6, 5, 7, 4, 8, 9, 10, 11}},
		{13, {4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1, 0, 0}, {12, 11, 8, 10, 9, 6, 7, 5, 4, 3, 2, 0, 1}},
		{20,
		 {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 0},
		 {0, 1, 2, 3, 19, 4, 5, 6, 7, 10, 9, 11, 8, 12, 13, 14, 15, 16, 17, 18}},
		{20,
		 {6, 6, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1, 0, 0},
		 {19, 18, 17, 16, 15, 12, 14, 13, 10, 9, 11, 8, 7, 6, 5, 4, 3, 0, 2, 1}},
	};

	for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
		struct keys k;

		memcpy(k.key, rows[r].key, sizeof(rows[r].key));
		check(&k, rows[r].n, rows[r].want);
	}
}

/* Key i is (i * i * a + i * b) % m; the orders are those of Go 1.26's sort.Slice. */
Test(gosort, generated)
{
	static const struct {
		int n, a, b, m, want[MAX];
	} rows[] = {
		{13, 3, 1, 3, {6, 3, 0, 9, 12, 1, 4, 7, 10, 2, 5, 8, 11}},
		{24, 5, 2, 4, {12, 0,  2, 22, 4, 20, 18, 10, 8, 14, 16, 6,
			       1,  13, 9, 15, 7, 17, 11, 19, 5, 21, 3,  23}},
		{49, 7, 3, 6, {24, 18, 48, 3,  45, 42, 6,  39, 36, 9,  33, 30, 12, 27, 0,  15, 21,
			       41, 32, 19, 20, 16, 22, 23, 1,  26, 14, 13, 28, 29, 11, 31, 17, 10,
			       34, 35, 8,  37, 38, 7,  40, 25, 5,  43, 44, 4,  46, 47, 2}},
		{50, 1, 0, 5, {10, 45, 40, 0,  35, 5,  30, 25, 20, 15, 36, 6,  49, 46, 14, 9,  16,
			       1,  44, 19, 11, 21, 41, 39, 24, 4,  26, 34, 31, 29, 8,  23, 32, 33,
			       27, 7,  3,  37, 38, 28, 2,  22, 42, 43, 18, 17, 13, 47, 48, 12}},
		{64, 0, 1, 7, {56, 28, 49, 21, 63, 42, 0,  7,  14, 35, 8,  57, 50, 43, 1,  15,
			       22, 29, 36, 9,  37, 2,  16, 23, 51, 58, 44, 30, 24, 10, 52, 31,
			       45, 59, 38, 3,  17, 32, 46, 39, 4,  60, 11, 53, 18, 25, 19, 5,
			       40, 61, 47, 26, 33, 12, 54, 55, 27, 13, 6,  34, 41, 20, 62, 48}},
		{100, 3, 5, 9, {72, 99, 36, 54, 90, 0,  63, 18, 27, 9,  81, 45, 5,  77, 14, 50, 86,
				68, 41, 32, 23, 59, 95, 16, 52, 25, 61, 34, 70, 79, 43, 7,  88, 97,
				51, 87, 33, 78, 24, 96, 69, 60, 42, 15, 6,  29, 74, 47, 92, 20, 56,
				65, 38, 83, 2,  11, 85, 22, 58, 76, 67, 49, 4,  13, 94, 31, 40, 84,
				57, 66, 39, 3,  30, 93, 48, 75, 21, 12, 35, 89, 80, 98, 71, 53, 17,
				26, 8,  44, 62, 55, 46, 91, 28, 73, 19, 82, 64, 37, 10, 1}},
		{200, 11, 4, 13, {171, 106, 2,   104, 117, 197, 119, 93,  195, 91,  130, 132, 80,  13,  78,
				  15,  143, 145, 67,  65,  184, 0,   156, 182, 54,  52,  26,  158, 28,  41,
				  39,  169, 53,  27,  1,   105, 170, 118, 196, 92,  40,  131, 79,  14,  144,
				  66,  183, 157, 9,   48,  113, 32,  35,  110, 100, 175, 22,  6,   58,  152,
				  162, 61,  149, 97,  123, 19,  45,  178, 126, 188, 165, 71,  87,  84,  74,
				  139, 136, 191, 42,  38,  12,  81,  133, 77,  142, 29,  194, 16,  129, 68,
				  90,  172, 185, 168, 94,  64,  120, 146, 155, 55,  181, 198, 116, 103, 3,
				  25,  51,  107, 159, 150, 73,  111, 112, 7,   8,   190, 189, 20,  99,  98,
				  21,  177, 176, 33,  124, 125, 34,  164, 163, 46,  86,  85,  47,  59,  151,
				  60,  72,  137, 138, 83,  36,  5,   75,  114, 70,  10,  192, 187, 148, 62,
				  135, 18,  101, 153, 140, 57,  96,  23,  49,  109, 179, 161, 88,  122, 127,
				  44,  166, 31,  174, 154, 82,  89,  95,  173, 43,  167, 128, 121, 30,  160,
				  180, 24,  50,  56,  37,  134, 186, 147, 17,  102, 115, 11,  63,  193, 69,
				  76,  108, 141, 4,   199}},
	};

	for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
		struct keys k;

		for (int i = 0; i < rows[r].n; i++)
			k.key[i] = (i * i * rows[r].a + i * rows[r].b) % rows[r].m;
		check(&k, rows[r].n, rows[r].want);
	}
}

/* McIlroy's adversary answers so that every pivot is bad; the order stays in reach of the heap sort. */
struct adversary {
	int key[5000], at[5000];
	int solid, candidate, gas;
	unsigned long compared;
};

static bool adversary_less(const void *v, const void *w, const void *ctx)
{
	/* It answers by what it was asked so far. */
	struct adversary *a = *(struct adversary *const *)ctx;
	int x = *(const int *)v, y = *(const int *)w;

	a->compared++;
	if (a->key[x] == a->gas && a->key[y] == a->gas)
		a->key[x == a->candidate ? x : y] = a->solid++;
	if (a->key[x] == a->gas)
		a->candidate = x;
	else if (a->key[y] == a->gas)
		a->candidate = y;
	return a->key[x] < a->key[y];
}

Test(gosort, adversary)
{
	/* Comparisons and a digest of the order, from Go 1.26's sort.Sort under the same adversary. */
	static const struct {
		int n;
		unsigned long compared, digest;
	} rows[] = {
		{100, 941, 11604134038380737219u},
		{500, 3672, 922477496242699687u},
		{2000, 14215, 9039843435114968501u},
		{5000, 35280, 10059179793945704699u},
	};
	static struct adversary a;
	struct adversary *asked = &a;

	for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
		unsigned long digest = 14695981039346656037u;

		a.solid = a.candidate = 0;
		a.compared = 0;
		a.gas = rows[r].n - 1;
		for (int i = 0; i < rows[r].n; i++) {
			a.key[i] = a.gas;
			a.at[i] = i;
		}
		GOSORT(a.at, (size_t)rows[r].n, adversary_less, &asked);
		for (int i = 0; i < rows[r].n; i++)
			digest = (digest ^ (unsigned long)a.at[i]) * 1099511628211u;
		cr_assert_eq(a.compared, rows[r].compared, "%d elements: %lu comparisons", rows[r].n,
			     a.compared);
		cr_assert_eq(digest, rows[r].digest, "%d elements", rows[r].n);
	}
}

static bool wide_before(const void *x, const void *y, const void *ctx)
{
	const int *a = x, *b = y; /* the key comes first */

	(void)ctx;
	return *a < *b;
}

/* Elements of any size move as a whole. */
Test(gosort, wide_elements)
{
	struct wide {
		int key;
		char text[131];
	} v[40];

	for (int i = 0; i < 40; i++) {
		v[i].key = (i * 7) % 40;
		memset(v[i].text, v[i].key, sizeof(v[i].text));
	}
	GOSORT(v, 40, wide_before, NULL);
	for (int i = 0; i < 40; i++) {
		cr_assert_eq(v[i].key, i);
		for (size_t k = 0; k < sizeof(v[i].text); k++)
			cr_assert_eq(v[i].text[k], i, "byte %zu of element %d stayed behind", k, i);
	}
}
