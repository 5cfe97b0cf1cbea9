#pragma once
/* --stats: how long each part of a run took and what it used, on standard error. Never part of a result. */
#include "cmd.h"

struct stats {
	double begun;     /* seconds, of the monotonic clock */
	double cpu;       /* seconds of CPU used until then; less than what went by on a busy machine */
	struct buf *text; /* NULL: not wanted */
};

void stats_init(struct stats *s, struct run *r);
/* The part since the last call (or stats_init) is done. */
void stats_part(struct stats *s, const char *part);
/* Memory, after everything. */
void stats_finish(struct stats *s, const struct run *r);
