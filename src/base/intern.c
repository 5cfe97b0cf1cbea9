#include "intern.h"

#include <string.h>

#include "bug.h"
#include "gosort.h"
#include "hash.h"

static void rehash(struct intern *in, uint32_t nslots)
{
	uint32_t *slots = ARENA_ARRAY(in->arena, uint32_t, nslots);

	for (uint32_t i = 0; i < in->n; i++) {
		uint32_t h = (uint32_t)hash_bytes(in->text[i].p, in->text[i].n) & (nslots - 1);

		while (slots[h])
			h = (h + 1) & (nslots - 1);
		slots[h] = i + 1;
	}
	in->slots = slots;
	in->nslots = nslots;
}

void intern_init(struct intern *in, struct arena *a)
{
	*in = (struct intern){.arena = a};
	rehash(in, 1024);
	sid empty = intern_put(in, STR_LIT(""));

	KS_BUG_ON(empty != SID_EMPTY);
}

static uint32_t slot_of(const struct intern *in, struct str s)
{
	uint32_t h = (uint32_t)hash_bytes(s.p, s.n) & (in->nslots - 1);

	while (in->slots[h] && !str_eq(in->text[in->slots[h] - 1], s))
		h = (h + 1) & (in->nslots - 1);
	return h;
}

sid intern_find(const struct intern *in, struct str s)
{
	uint32_t h = slot_of(in, s);

	return in->slots[h] ? in->slots[h] - 1 : SID_NONE;
}

sid intern_put(struct intern *in, struct str s)
{
	uint32_t h = slot_of(in, s);

	if (in->slots[h])
		return in->slots[h] - 1;
	if (in->n == in->cap) {
		uint32_t cap = in->cap ? in->cap * 2 : 1024;
		struct str *text = ARENA_ARRAY(in->arena, struct str, cap);

		if (in->n)
			memcpy(text, in->text, in->n * sizeof(*text));
		in->text = text;
		in->cap = cap;
	}
	in->text[in->n] = (struct str){arena_strndup(in->arena, s.p, s.n), s.n};
	in->slots[h] = ++in->n;
	if (in->n * 2 > in->nslots)
		rehash(in, in->nslots * 2);
	return in->n - 1;
}

static bool less_text(const void *x, const void *y, const void *in)
{
	const sid *a = x, *b = y;

	return intern_cmp(in, *a, *b) < 0;
}

void intern_sort(const struct intern *in, sid *v, size_t n)
{
	GOSORT(v, n, less_text, in);
}
