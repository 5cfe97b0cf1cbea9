/* CapacityBuffers: how many virtual pods each asks for, and those pods (Karpenter v1.14.1, A17). */
#include <inttypes.h>

#include "loader.h"

static const struct workload_record *scalable(struct loader *l, const struct capacity_buffer *b)
{
	struct str kind = intern_str(l->in, b->scalable_kind);

	for (unsigned k = 0; k <= WL_JOB; k++) {
		uint32_t i;

		if (!str_is(kind, workload_kind_name((enum workload_kind)k)))
			continue;
		i = record_find(l, LK_NAMES_OF(k), b->meta.ns, b->scalable_name);
		return i == UINT32_MAX ? NULL : record_at(l, LK_WORKLOAD, i);
	}
	return NULL;
}

static const struct pod_template *template_of(struct loader *l, const struct capacity_buffer *b)
{
	uint32_t i = record_find(l, LK_POD_TEMPLATE, b->meta.ns, b->template_name);

	return i == UINT32_MAX ? NULL : record_at(l, LK_POD_TEMPLATE, i);
}

/* The smallest whole number of pods that a limited resource has room for, or -1 when none is limited. */
static int64_t limit_of(const struct capacity_buffer *b, const struct reslist *requests)
{
	int64_t least = -1;

	for (uint32_t i = 0; i < b->limits.n; i++) {
		qty each = reslist_amount(requests, b->limits.v[i].name);
		qty room;

		if (each <= 0)
			continue;
		room = b->limits.v[i].v / each;
		if (room > LOAD_MAX_PODS)
			room = LOAD_MAX_PODS;
		if (least < 0 || room < least)
			least = (int64_t)room;
	}
	return least;
}

/* A17.3: the number of virtual pods. */
static int64_t buffer_replicas(const struct capacity_buffer *b, int64_t scaled,
			       const struct reslist *requests)
{
	int64_t limit = limit_of(b, requests), n = b->replicas;

	if (b->percentage >= 0) {
		int64_t share = b->percentage > LOAD_MAX_PODS ? LOAD_MAX_PODS : b->percentage;

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

void resolve_buffers(struct loader *l)
{
	for (uint32_t i = 0; i < l->objects[LK_BUFFER].n; i++) {
		struct capacity_buffer *b = record_at(l, LK_BUFFER, i);
		const struct pod_template *t = b->template_name != SID_NONE ? template_of(l, b) : NULL;
		const struct workload_record *w = b->scalable_name != SID_NONE ? scalable(l, b) : NULL;
		const struct shared_spec *s = t ? t->shared : w ? w->shared : NULL;

		if (!s) {
			diag(l->d, KS_NO_BUFFER_TEMPLATE, b->meta.at,
			     "what CapacityBuffer '%s' refers to is not in the input",
			     intern_c(l->in, b->meta.name));
			continue;
		}
		b->spec = &s->spec;
		b->requests = s->requests;
		b->labels = t ? t->template.meta.labels : w->w.template_labels;
		b->replicas = buffer_replicas(b, w ? w->w.replicas : 0, &s->requests);
		b->ready = b->replicas > 0;
	}
}

static struct object_meta virtual_meta(struct loader *l, const struct capacity_buffer *b, int64_t i)
{
	const char *name =
		arena_printf(l->arena, "capacity-buffer-%s-%" PRId64, intern_c(l->in, b->meta.name), i);
	const char *uid = arena_printf(l->arena, "%s-%" PRId64, intern_c(l->in, b->meta.uid), i);

	return (struct object_meta){.name = intern_cstr(l->in, name),
				    .ns = b->meta.ns,
				    .uid = intern_cstr(l->in, uid),
				    .labels = b->labels,
				    .created = l->c->settings.now,
				    .deleted = TIME_NONE,
				    .at = b->meta.at};
}

/* No volumes and no node of their own: claims are not made for them. */
static const struct pod_spec *virtual_spec(struct loader *l, const struct capacity_buffer *b)
{
	struct pod_spec *s = ARENA_NEW(l->arena, struct pod_spec);

	*s = *b->spec;
	s->nvolume = 0;
	s->has_priority = true;
	s->priority = INT32_MIN;
	return s;
}

bool make_virtual_pods(struct loader *l)
{
	struct cluster *c = l->c;
	int64_t total = 0;

	for (uint32_t i = 0; i < c->buffers.n; i++) {
		const struct capacity_buffer *b = &c->buffers.v[i];

		if (!c->settings.gates[GATE_CAPACITY_BUFFER]) {
			diag(l->d, KS_GATE_OFF, b->meta.at,
			     "CapacityBuffer '%s' does nothing: the feature gate CapacityBuffer is off",
			     intern_c(l->in, b->meta.name));
			continue;
		}
		if (!b->ready)
			continue;
		if (b->replicas > LOAD_MAX_PODS || total + b->replicas + c->pods.n > LOAD_MAX_PODS) {
			diag(l->d, KS_LIMIT_PODS, b->meta.at,
			     "CapacityBuffer '%s' asks for %" PRId64 " pods; the limit is %u in all",
			     intern_c(l->in, b->meta.name), b->replicas, LOAD_MAX_PODS);
			return false;
		}
		total += b->replicas;
	}
	c->virtual_pods.v = ARENA_ARRAY(l->arena, struct virtual_pod, (size_t)total);
	for (uint32_t i = 0; total && i < c->buffers.n; i++) {
		const struct capacity_buffer *b = &c->buffers.v[i];
		const struct pod_spec *spec = b->ready ? virtual_spec(l, b) : NULL;

		for (int64_t k = 1; spec && k <= b->replicas; k++)
			c->virtual_pods.v[c->virtual_pods.n++] =
				(struct virtual_pod){virtual_meta(l, b, k), spec, b->requests};
	}
	return true;
}
