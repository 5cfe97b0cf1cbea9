#include "stats.h"

#include <sys/resource.h>
#include <time.h>

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void stats_init(struct stats *s, struct run *r)
{
	*s = (struct stats){.begun = seconds(), .text = r->opts.stats ? &r->log : NULL};
}

void stats_part(struct stats *s, const char *part)
{
	double now = seconds();

	if (s->text)
		buf_addf(s->text, "%-10s %9.3f ms\n", part, (now - s->begun) * 1e3);
	s->begun = now;
}

void stats_finish(struct stats *s, const struct run *r)
{
	struct rusage usage;

	if (!s->text)
		return;
	getrusage(RUSAGE_SELF, &usage);
	buf_addf(s->text, "%-10s %9.3f MiB used, %.3f MiB held\n", "arena", (double)r->arena.total / 1048576,
		 (double)r->arena.held / 1048576);
	buf_addf(s->text, "%-10s %9.3f MiB at most\n", "process", (double)usage.ru_maxrss / 1024);
}
