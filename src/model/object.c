#include "object.h"

sid labels_get(const struct labels *l, sid key)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->v[i].key == key)
			return l->v[i].val;
	return SID_NONE;
}

const struct condition *conditions_find(const struct conditions *c, const struct intern *in, const char *type)
{
	for (uint32_t i = 0; i < c->n; i++)
		if (str_is(intern_str(in, c->v[i].type), type))
			return &c->v[i];
	return NULL;
}

bool conditions_true(const struct conditions *c, const struct intern *in, const char *type)
{
	const struct condition *found = conditions_find(c, in, type);

	return found && str_is(intern_str(in, found->status), "True");
}

struct labels labels_set(struct arena *a, const struct intern *in, const struct labels *l, sid key, sid val)
{
	struct labels out = {0, ARENA_ARRAY(a, struct kv, l->n + 1)};
	bool done = false;

	for (uint32_t i = 0; i < l->n; i++) {
		int c = done ? -1 : intern_cmp(in, l->v[i].key, key);

		if (c >= 0) {
			out.v[out.n++] = (struct kv){key, val};
			done = true;
		}
		if (c != 0)
			out.v[out.n++] = l->v[i];
	}
	if (!done)
		out.v[out.n++] = (struct kv){key, val};
	return out;
}
