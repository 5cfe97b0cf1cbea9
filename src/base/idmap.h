#pragma once
/*
 * A hash table from 64-bit keys to 32-bit values, in an arena: the memory of pure functions of ids. Valid
 * when zeroed but for the arena. Nothing is ever removed, and it is never iterated.
 */
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"

struct idmap {
	struct arena *arena;
	uint64_t *key;
	uint32_t *val; /* value + 1; 0 is a free slot */
	uint32_t n, cap;
};

#define IDMAP_PAIR(a, b) ((uint64_t)(a) << 32 | (uint64_t)(b))

void idmap_init(struct idmap *m, struct arena *a);
/* false when absent. */
bool idmap_get(const struct idmap *m, uint64_t key, uint32_t *ret_val);
/* Values up to UINT32_MAX - 1. Overwrites. */
void idmap_put(struct idmap *m, uint64_t key, uint32_t val);

/*
 * A hash set of things kept elsewhere by index: the caller gives the hash and compares. Walk with
 * for (s = idset_first(..); idset_at(set, s) != IDSET_FREE; s = idset_next(..)).
 */
struct idset {
	struct arena *arena;
	uint32_t *slot; /* index + 1 */
	uint32_t *hash;
	uint32_t n, cap;
};

#define IDSET_FREE UINT32_MAX

void idset_init(struct idset *s, struct arena *a);
static inline uint32_t idset_first(const struct idset *s, uint64_t h)
{
	return (uint32_t)h & (s->cap - 1);
}
static inline uint32_t idset_next(const struct idset *s, uint32_t slot)
{
	return (slot + 1) & (s->cap - 1);
}
/* The index stored at a slot, or IDSET_FREE. */
static inline uint32_t idset_at(const struct idset *s, uint32_t slot)
{
	return s->slot[slot] - 1;
}
static inline bool idset_hash_is(const struct idset *s, uint32_t slot, uint64_t h)
{
	return s->hash[slot] == (uint32_t)h;
}
/* Puts an index that is not there yet at a free slot found by walking. */
void idset_add(struct idset *s, uint32_t slot, uint64_t h, uint32_t index);
