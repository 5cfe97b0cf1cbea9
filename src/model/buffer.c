#include "buffer.h"

#include <inttypes.h>

/* The smallest whole number of pods that a limited resource has room for, or -1 when none is limited. */
static int64_t limit_of(const struct capacity_buffer *b)
{
	int64_t least = -1;

	for (uint32_t i = 0; i < b->limits.n; i++) {
		qty each = reslist_amount(&b->requests, b->limits.v[i].name);
		qty room;

		if (each <= 0)
			continue;
		room = b->limits.v[i].v / each;
		if (room > BUFFER_MAX_PODS)
			room = BUFFER_MAX_PODS;
		if (least < 0 || room < least)
			least = (int64_t)room;
	}
	return least;
}

/* A17.3. */
int64_t buffer_replicas(const struct capacity_buffer *b, int64_t scaled)
{
	int64_t limit = limit_of(b), n = b->asked;

	if (b->percentage >= 0) {
		int64_t share = b->percentage > BUFFER_MAX_PODS ? BUFFER_MAX_PODS : b->percentage;

		share = (scaled * share + 99) / 100;
		if (b->percentage > 0 && share < 1)
			share = 1;
		if (share > n)
			n = share;
	}
	if (n < 0)
		return limit < 0 ? 0 : limit;
	return limit >= 0 && limit < n ? limit : n;
}

static struct object_meta virtual_meta(struct arena *a, const struct cluster *c,
				       const struct capacity_buffer *b, int64_t i)
{
	const char *name = arena_printf(a, "capacity-buffer-%s-%" PRId64, intern_c(c->in, b->meta.name), i);
	const char *uid = arena_printf(a, "%s-%" PRId64, intern_c(c->in, b->meta.uid), i);

	return (struct object_meta){.name = intern_cstr(c->in, name),
				    .ns = b->meta.ns,
				    .uid = intern_cstr(c->in, uid),
				    .labels = b->labels,
				    .created = c->settings.now,
				    .deleted = TIME_NONE,
				    .at = b->meta.at};
}

/* No volumes and no node of their own: claims are not made for them. */
static const struct pod_spec *virtual_spec(struct arena *a, const struct capacity_buffer *b)
{
	struct pod_spec *s = ARENA_NEW(a, struct pod_spec);

	*s = *b->spec;
	s->nvolume = 0;
	s->has_priority = true;
	s->priority = INT32_MIN;
	return s;
}

void buffers_make_pods(struct arena *a, struct cluster *c)
{
	int64_t total = 0;

	for (uint32_t i = 0; c->settings.gates[GATE_CAPACITY_BUFFER] && i < c->buffers.n; i++)
		total += c->buffers.v[i].ready ? c->buffers.v[i].replicas : 0;
	c->virtual_pods.n = 0;
	c->virtual_pods.v = ARENA_ARRAY(a, struct virtual_pod, (size_t)total);
	for (uint32_t i = 0; total && i < c->buffers.n; i++) {
		const struct capacity_buffer *b = &c->buffers.v[i];
		const struct pod_spec *spec = b->ready ? virtual_spec(a, b) : NULL;

		for (int64_t k = 1; spec && k <= b->replicas; k++)
			c->virtual_pods.v[c->virtual_pods.n++] =
				(struct virtual_pod){virtual_meta(a, c, b, k), spec, b->requests};
	}
}
