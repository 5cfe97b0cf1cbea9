/* CapacityBuffers: what they refer to, and limits (Karpenter v1.14.1, A17). */
#include <inttypes.h>

#include "buffer.h"
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
		b->asked = b->replicas;
		b->labels = t ? t->template.meta.labels : w->w.template_labels;
		b->replicas = buffer_replicas(b, w ? w->w.replicas : 0);
		b->ready = b->replicas > 0;
	}
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
	buffers_make_pods(l->arena, c);
	return true;
}
