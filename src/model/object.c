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
