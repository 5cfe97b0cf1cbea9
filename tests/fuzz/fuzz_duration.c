/* Any text as a duration and as a moment: refused with a reason, or a value that its own text gives back. */
#include <string.h>

#include "duration.h"
#include "fuzz.h"
#include "gotime.h"
#include "rep_object.h"
#include "schema.h"
#include "when.h"

static void check_duration(struct str s)
{
	struct buf why, text;
	int64_t ns, again;

	buf_init(&why);
	buf_init(&text);
	if (duration_parse(s, &ns, &why)) {
		require(why.n == 0);
		duration_print(&text, ns);
		require(duration_parse((struct str){text.p, text.n}, &again, NULL) && again == ns);
		buf_clear(&text);
		duration_print_short(&text, ns);
		require(duration_parse((struct str){text.p, text.n}, &again, NULL) && again == ns);
	} else {
		require(str_starts((struct str){why.p, why.n}, "time: "));
	}
	buf_release(&why);
	buf_release(&text);
}

static void check_moment(struct str s)
{
	struct arena a;
	struct buf text;
	int64_t t, again;
	const char *why;
	bool ok;

	arena_init(&a);
	buf_init(&text);
	ok = parse_time(s, &t);
	why = go_time_error(&a, s);
	require(ok == !why);
	if (ok) {
		when_print(&text, t);
		/* An offset may lead out of the years that four digits express. */
		require(text.n != 20 || text.p[0] == '-' ||
			(parse_time((struct str){text.p, text.n}, &again) && again == t));
	}
	buf_release(&text);
	arena_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str s = {(const char *)data, size};

	check_duration(s);
	check_moment(s);
	return 0;
}
