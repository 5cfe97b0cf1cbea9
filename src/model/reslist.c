#include "reslist.h"

#include <string.h>

const struct res_item *reslist_find(const struct reslist *l, sid name)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->v[i].name == name)
			return &l->v[i];
	return NULL;
}

qty reslist_amount(const struct reslist *l, sid name)
{
	const struct res_item *it = reslist_find(l, name);

	return it ? it->v : 0;
}

struct reslist reslist_set(const struct intern *in, struct arena *a, const struct reslist *l, sid name,
			   struct quantity q)
{
	struct reslist out = {0, ARENA_ARRAY(a, struct res_item, l->n + 1)};
	struct res_item item = {q.v, name, q.format};
	bool done = false;

	for (uint32_t i = 0; i < l->n; i++) {
		int c = done ? -1 : intern_cmp(in, l->v[i].name, name);

		if (c >= 0) {
			out.v[out.n++] = item;
			done = true;
		}
		if (c != 0)
			out.v[out.n++] = l->v[i];
	}
	if (!done)
		out.v[out.n++] = item;
	return out;
}

static struct res_item added(struct res_item l, struct res_item r)
{
	if (l.v == 0)
		l.format = r.format;
	l.v += r.v;
	return l;
}

struct reslist reslist_add(const struct intern *in, struct arena *a, const struct reslist *l,
			   const struct reslist *r)
{
	struct reslist out = {0, ARENA_ARRAY(a, struct res_item, l->n + r->n)};
	uint32_t i = 0, j = 0;

	while (i < l->n || j < r->n) {
		int c = i == l->n ? 1 : j == r->n ? -1 : intern_cmp(in, l->v[i].name, r->v[j].name);

		if (c < 0)
			out.v[out.n++] = l->v[i++];
		else if (c > 0)
			out.v[out.n++] = r->v[j++];
		else
			out.v[out.n++] = added(l->v[i++], r->v[j++]);
	}
	return out;
}

struct reslist reslist_sub(struct arena *a, const struct reslist *l, const struct reslist *r)
{
	struct reslist out = {l->n, arena_memdup(a, l->v, l->n, sizeof(*l->v))};

	for (uint32_t i = 0; i < out.n; i++) {
		const struct res_item *it = reslist_find(r, out.v[i].name);

		if (!it)
			continue;
		if (out.v[i].v == 0)
			out.v[i].format = it->format;
		out.v[i].v -= it->v;
	}
	return out;
}

struct reslist reslist_max(const struct intern *in, struct arena *a, const struct reslist *l,
			   const struct reslist *r)
{
	struct reslist out = {0, ARENA_ARRAY(a, struct res_item, l->n + r->n)};
	uint32_t i = 0, j = 0;

	while (i < l->n || j < r->n) {
		int c = i == l->n ? 1 : j == r->n ? -1 : intern_cmp(in, l->v[i].name, r->v[j].name);

		if (c < 0) {
			out.v[out.n++] = l->v[i++];
		} else if (c > 0) {
			out.v[out.n++] = r->v[j++];
		} else {
			out.v[out.n++] = r->v[j].v > l->v[i].v ? r->v[j] : l->v[i];
			i++;
			j++;
		}
	}
	return out;
}

struct reslist reslist_min(struct arena *a, const struct reslist *l, const struct reslist *r)
{
	struct reslist out = {0, ARENA_ARRAY(a, struct res_item, l->n)};

	for (uint32_t i = 0; i < l->n; i++) {
		const struct res_item *it = reslist_find(r, l->v[i].name);

		if (it)
			out.v[out.n++] = it->v < l->v[i].v ? *it : l->v[i];
	}
	return out;
}

bool reslist_fits(const struct reslist *want, const struct reslist *total)
{
	for (uint32_t i = 0; i < total->n; i++)
		if (total->v[i].v < 0)
			return false;
	for (uint32_t i = 0; i < want->n; i++)
		if (want->v[i].v > reslist_amount(total, want->v[i].name))
			return false;
	return true;
}

bool reslist_eq(const struct reslist *l, const struct reslist *r)
{
	if (l->n != r->n)
		return false;
	for (uint32_t i = 0; i < l->n; i++)
		if (l->v[i].name != r->v[i].name || l->v[i].v != r->v[i].v ||
		    l->v[i].format != r->v[i].format)
			return false;
	return true;
}

void reslist_print(const struct intern *in, struct buf *out, const struct reslist *l)
{
	buf_addch(out, '{');
	for (uint32_t i = 0; i < l->n; i++) {
		buf_addf(out, "%s\"%s\":\"", i ? "," : "", intern_c(in, l->v[i].name));
		quantity_print(out, (struct quantity){l->v[i].v, l->v[i].format});
		buf_addch(out, '"');
	}
	buf_addch(out, '}');
}
