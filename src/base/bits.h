#pragma once
/* Bit sets as arrays of 64-bit words. A set shorter than another counts as padded with zeros. */
#include <stdbool.h>
#include <stdint.h>

#define BITS_WORDS(n) (((n) + 63u) / 64u)

static inline bool bits_test(const uint64_t *w, uint32_t i)
{
	return w[i / 64] >> (i % 64) & 1;
}

static inline void bits_set(uint64_t *w, uint32_t i)
{
	w[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline void bits_clear(uint64_t *w, uint32_t i)
{
	w[i / 64] &= ~((uint64_t)1 << (i % 64));
}

static inline uint32_t bits_count(const uint64_t *w, uint32_t nwords)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < nwords; i++)
		n += (uint32_t)__builtin_popcountll(w[i]);
	return n;
}

static inline bool bits_any(const uint64_t *w, uint32_t nwords)
{
	for (uint32_t i = 0; i < nwords; i++)
		if (w[i])
			return true;
	return false;
}

/* The first set bit at or after i, or UINT32_MAX. */
static inline uint32_t bits_next(const uint64_t *w, uint32_t nwords, uint32_t i)
{
	uint32_t k = i / 64;

	if (k >= nwords)
		return UINT32_MAX;
	uint64_t word = w[k] & (~(uint64_t)0 << (i % 64));

	for (;;) {
		if (word)
			return k * 64 + (uint32_t)__builtin_ctzll(word);
		if (++k == nwords)
			return UINT32_MAX;
		word = w[k];
	}
}

#define BITS_EACH(i, w, nwords) \
	for (uint32_t i = bits_next((w), (nwords), 0); i != UINT32_MAX; i = bits_next((w), (nwords), i + 1))
