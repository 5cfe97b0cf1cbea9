#include "pod_why.h"

enum { STAGE_POOL, STAGE_POD, STAGE_NODE };

const struct why_info *why_info(enum why_code code)
{
	static const struct why_info table[] = {
#define WHY(id, name, stage, summary) [WHY_##id] = {name, STAGE_##stage == STAGE_POOL, summary},
#include "pod_why.def"
#undef WHY
	};

	return &table[code];
}
