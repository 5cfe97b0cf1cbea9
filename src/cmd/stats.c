#include "stats.h"

#include <sys/resource.h>
#include <time.h>

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void stats_init(struct stats *s, struct run *r)
{
	*s = (struct stats){.begun = seconds(CLOCK_MONOTONIC),
			    .cpu = seconds(CLOCK_PROCESS_CPUTIME_ID),
			    .text = r->opts.stats ? &r->log : NULL};
}

void stats_part(struct stats *s, const char *part)
{
	double now = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);

	if (s->text)
		buf_addf(s->text, "%-10s %9.3f ms, %.3f ms of CPU\n", part, (now - s->begun) * 1e3,
			 (cpu - s->cpu) * 1e3);
	s->begun = now;
	s->cpu = cpu;
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
