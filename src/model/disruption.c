#include "disruption.h"

const char *verdict_name(enum verdict_code code)
{
	static const char *const table[] = {
#define VERDICT(id, name, summary) [VERDICT_##id] = (name),
#include "verdict.def"
#undef VERDICT
	};

	return table[code];
}

const struct disrupt_command *disrupt_command_of(const struct disrupt_commands *all, sid node)
{
	for (uint32_t i = 0; i < all->n; i++)
		for (uint32_t k = 0; k < all->v[i].ncandidate; k++)
			if (all->v[i].candidate[k] == node)
				return &all->v[i];
	return NULL;
}
