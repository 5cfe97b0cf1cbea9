/* Any text as a cron schedule: errors, or moments in order that the fields allow. */
#include "cron.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	struct cron c;
	int64_t t = 1767225600;

	arena_init(&a);
	if (!cron_parse(&a, (struct str){(const char *)data, size}, &c))
		for (int i = 0; i < 20; i++) {
			int64_t next = cron_next(&c, t);

			if (next <= t || (next != INT64_MAX && !cron_fires(&c)))
				abort();
			if (next == INT64_MAX)
				break;
			if (!c.every_s && (next % 60 || !(c.minute >> (next / 60 % 60) & 1) ||
					   !(c.hour >> (next / 3600 % 24) & 1)))
				abort();
			t = next;
		}
	arena_release(&a);
	return 0;
}
