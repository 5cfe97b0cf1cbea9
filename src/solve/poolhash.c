#include "poolhash.h"

#include <stdio.h>

#define FNV_OFFSET 14695981039346656037ull
#define FNV_PRIME 1099511628211ull

static uint64_t fnv(uint64_t h, const void *p, size_t n)
{
	const unsigned char *s = p;

	for (size_t i = 0; i < n; i++)
		h = (h * FNV_PRIME) ^ s[i];
	return h;
}

static uint64_t fnv_u64(uint64_t h, uint64_t x)
{
	unsigned char le[8];

	for (int i = 0; i < 8; i++)
		le[i] = (unsigned char)(x >> (8 * i));
	return fnv(h, le, sizeof(le));
}

static uint64_t hash_text(const char *s)
{
	return fnv(FNV_OFFSET, s, strlen(s));
}

static uint64_t hash_int(int64_t x)
{
	return fnv_u64(FNV_OFFSET, (uint64_t)x);
}

static uint64_t pair(uint64_t a, uint64_t b)
{
	return fnv_u64(fnv_u64(FNV_OFFSET, a), b);
}

static uint64_t fin(uint64_t a)
{
	return fnv_u64(FNV_OFFSET, a);
}

static uint64_t field(uint64_t x, const char *name, uint64_t value)
{
	return fin(x ^ pair(hash_text(name), value));
}

static uint64_t text_field(uint64_t x, const char *name, const struct intern *in, sid s)
{
	return s == SID_EMPTY || s == SID_NONE ? x : field(x, name, hash_text(intern_c(in, s)));
}

static uint64_t hash_labels(const struct intern *in, const struct labels *l)
{
	uint64_t x = 0;

	for (uint32_t i = 0; i < l->n; i++)
		x ^= pair(hash_text(intern_c(in, l->v[i].key)), hash_text(intern_c(in, l->v[i].val)));
	return fin(x);
}

static uint64_t hash_taints(const struct intern *in, const struct taints *t)
{
	uint64_t x = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		uint64_t h = hash_text("Taint");

		h = text_field(h, "Key", in, t->v[i].key);
		h = text_field(h, "Value", in, t->v[i].value);
		h = text_field(h, "Effect", in, t->v[i].effect);
		x ^= h;
	}
	return x;
}

static uint64_t hash_class_ref(const struct intern *in, const struct node_class_ref *r)
{
	uint64_t h = hash_text("NodeClassReference");

	h = text_field(h, "Kind", in, r->kind);
	h = text_field(h, "Name", in, r->name);
	return text_field(h, "Group", in, r->group);
}

static uint64_t hash_spec(const struct intern *in, const struct node_pool *np)
{
	uint64_t h = hash_text("NodeClaimTemplateSpec");

	/* Lists that are there count, also empty ones. */
	if (np->taints.v)
		h = field(h, "Taints", hash_taints(in, &np->taints));
	if (np->startup_taints.v)
		h = field(h, "StartupTaints", hash_taints(in, &np->startup_taints));
	h = field(h, "NodeClassRef", hash_class_ref(in, &np->class_ref));
	if (np->termination_grace != DURATION_NONE) {
		uint64_t d = hash_text("Duration");

		if (np->termination_grace)
			d = field(d, "Duration", hash_int(np->termination_grace));
		h = field(h, "TerminationGracePeriod", d);
	}
	/* "Never" decodes to the zero value, and zero values are left out. */
	if (np->expire_after == DURATION_NEVER)
		return h;
	return field(h, "ExpireAfter",
		     field(hash_text("NillableDuration"), "Duration", hash_int(np->expire_after)));
}

void pool_hash_text(const struct intern *in, const struct node_pool *np, char text[24])
{
	uint64_t meta = hash_text("ObjectMeta"), h = hash_text("NodeClaimTemplate");

	if (np->template_labels.n)
		meta = field(meta, "Labels", hash_labels(in, &np->template_labels));
	if (np->template_annotations.n)
		meta = field(meta, "Annotations", hash_labels(in, &np->template_annotations));
	if (np->template_labels.n || np->template_annotations.n)
		h = field(h, "ObjectMeta", meta);
	h = field(h, "Spec", hash_spec(in, np));
	snprintf(text, 24, "%llu", (unsigned long long)h);
}

static bool class_ready(const struct cluster *c, const struct node_pool *np)
{
	const struct ec2_node_class *nc;
	const struct condition *ready;

	if (cluster_generic(c))
		return true;
	nc = cluster_class(c, np->class_ref.name);
	if (!nc || nc->meta.deleted != TIME_NONE)
		return false;
	ready = conditions_find(&nc->conditions, c->in, "Ready");
	if (ready)
		return str_is(intern_str(c->in, ready->status), "True");
	for (uint32_t i = 0; i < nc->conditions.n; i++)
		if (!str_is(intern_str(c->in, nc->conditions.v[i].status), "True"))
			return false;
	return true;
}

bool pool_ready(const struct cluster *c, const struct node_pool *np)
{
	const struct condition *ready = conditions_find(&np->conditions, c->in, "Ready");

	if (ready)
		return str_is(intern_str(c->in, ready->status), "True");
	return np->invalid == SID_NONE && class_ready(c, np);
}
