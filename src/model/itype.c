#include "itype.h"

#include "label.h"

static const char hugepages[] = "hugepages-";

struct reslist itype_allocatable(const struct intern *in, struct arena *a, const struct itype *t)
{
	struct reslist overhead = reslist_add(in, a, &t->kube_reserved, &t->system_reserved);
	struct reslist out;
	struct res_item *memory = NULL;

	overhead = reslist_add(in, a, &overhead, &t->eviction);
	out = reslist_sub(a, &t->capacity, &overhead);
	for (uint32_t i = 0; i < out.n; i++)
		if (out.v[i].name == RES_MEMORY)
			memory = &out.v[i];
	for (uint32_t i = 0; memory && i < t->capacity.n; i++) {
		if (!str_starts(intern_str(in, t->capacity.v[i].name), hugepages))
			continue;
		memory->v -= t->capacity.v[i].v;
		if (memory->v < 0)
			memory->v = 0;
	}
	return out;
}

const struct itype *itype_find(const struct itype_list *l, sid name)
{
	for (uint32_t i = 0; l && i < l->n; i++)
		if (l->v[i].name == name)
			return &l->v[i];
	return NULL;
}
