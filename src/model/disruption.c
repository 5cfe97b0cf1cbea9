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
