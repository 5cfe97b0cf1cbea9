#pragma once
/*
 * Cron schedules as Karpenter reads those of disruption budgets: five fields or a descriptor (@daily, @every
 * 1h), in UTC. Rule: robfig/cron v3, ParseStandard with the "TZ=UTC " that Karpenter puts in front; its words
 * for what is wrong are part of Karpenter's own messages.
 */
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "str.h"

struct cron {
	uint64_t minute, hour, dom, month, dow; /* bit n: the value n */
	bool dom_star, dow_star;                /* the field was * or ?, which decides how the two combine */
	int64_t every_s;                        /* of @every, in whole seconds; else 0 */
};

/* NULL, or what is wrong, in the arena. */
const char *cron_parse(struct arena *a, struct str spec, struct cron *ret_cron);
/* Whether any moment matches (30 February never does). */
bool cron_fires(const struct cron *c);
/*
 * The first matching moment after t, in whole seconds since 1970 in UTC; INT64_MAX when there is none within
 * five years, which Karpenter's library gives as the zero time.
 */
int64_t cron_next(const struct cron *c, int64_t t);
