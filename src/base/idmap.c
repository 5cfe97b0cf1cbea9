#include "idmap.h"

#include "bug.h"
#include "hash.h"

static uint32_t home(const struct idmap *m, uint64_t key)
{
	return (uint32_t)hash_mix(0x2545f4914f6cdd1dull, key) & (m->cap - 1);
}

void idmap_init(struct idmap *m, struct arena *a)
{
	*m = (struct idmap){.arena = a};
}

static uint32_t slot_of(const struct idmap *m, uint64_t key)
{
	uint32_t s = home(m, key);

	while (m->val[s] && m->key[s] != key)
		s = (s + 1) & (m->cap - 1);
	return s;
}

bool idmap_get(const struct idmap *m, uint64_t key, uint32_t *ret_val)
{
	if (!m->n)
		return false;
	uint32_t s = slot_of(m, key);

	if (!m->val[s])
		return false;
	*ret_val = m->val[s] - 1;
	return true;
}

static void grow(struct idmap *m)
{
	struct idmap old = *m;

	m->cap = old.cap ? old.cap * 2 : 64;
	m->key = ARENA_ARRAY(m->arena, uint64_t, m->cap);
	m->val = ARENA_ARRAY(m->arena, uint32_t, m->cap);
	for (uint32_t i = 0; i < old.cap; i++)
		if (old.val[i]) {
			uint32_t s = slot_of(m, old.key[i]);

			m->key[s] = old.key[i];
			m->val[s] = old.val[i];
		}
}

void idmap_put(struct idmap *m, uint64_t key, uint32_t val)
{
	KS_BUG_ON(val == UINT32_MAX);
	if (m->n * 2 >= m->cap)
		grow(m);
	uint32_t s = slot_of(m, key);

	m->n += !m->val[s];
	m->key[s] = key;
	m->val[s] = val + 1;
}

void idset_init(struct idset *s, struct arena *a)
{
	*s = (struct idset){.arena = a, .cap = 64};
	s->slot = ARENA_ARRAY(a, uint32_t, s->cap);
	s->hash = ARENA_ARRAY(a, uint32_t, s->cap);
}

void idset_add(struct idset *s, uint32_t slot, uint64_t h, uint32_t index)
{
	s->slot[slot] = index + 1;
	s->hash[slot] = (uint32_t)h;
	if (++s->n * 2 <= s->cap)
		return;
	struct idset old = *s;

	s->cap *= 2;
	s->slot = ARENA_ARRAY(s->arena, uint32_t, s->cap);
	s->hash = ARENA_ARRAY(s->arena, uint32_t, s->cap);
	for (uint32_t i = 0; i < old.cap; i++) {
		if (!old.slot[i])
			continue;
		uint32_t at = idset_first(s, old.hash[i]);

		while (s->slot[at])
			at = idset_next(s, at);
		s->slot[at] = old.slot[i];
		s->hash[at] = old.hash[i];
	}
}
