#include "suggest.h"

#include <stdbool.h>

/* Longer words are not compared. */
enum { MAX_LEN = 80 };

void suggest_init(struct suggest *s, struct str word)
{
	*s = (struct suggest){.word = word, .distance = (unsigned)(word.n < 3 ? 1 : (word.n + 1) / 3)};
	s->distance++; /* exclusive bound */
}

static bool same(char a, char b)
{
	bool a_letter = (a >= 'a' && a <= 'z') || (a >= 'A' && a <= 'Z');

	return a == b || (a_letter && (a ^ b) == 0x20);
}

static unsigned min2(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Optimal string alignment distance, in three rows. */
static unsigned distance(struct str a, struct str b)
{
	unsigned row[3][MAX_LEN + 1];

	for (unsigned j = 0; j <= b.n; j++)
		row[0][j] = j;
	for (unsigned i = 1; i <= a.n; i++) {
		unsigned *now = row[i % 3], *last = row[(i - 1) % 3], *before = row[(i + 1) % 3];

		now[0] = i;
		for (unsigned j = 1; j <= b.n; j++) {
			unsigned d = last[j - 1] + !same(a.p[i - 1], b.p[j - 1]);

			d = min2(d, min2(last[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && same(a.p[i - 1], b.p[j - 2]) && same(a.p[i - 2], b.p[j - 1]))
				d = min2(d, before[j - 2] + 1);
			now[j] = d;
		}
	}
	return row[a.n % 3][b.n];
}

void suggest_try(struct suggest *s, struct str candidate)
{
	unsigned d;

	if (s->word.n > MAX_LEN || candidate.n > MAX_LEN || candidate.n == 0)
		return;
	d = distance(s->word, candidate);
	/* A word with no letter in common is no suggestion, however short. */
	if (d < s->distance && d < candidate.n) {
		s->distance = d;
		s->best = candidate;
	}
}
