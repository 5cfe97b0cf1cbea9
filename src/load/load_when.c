#include "object.h"
#include "schema.h"
#include "when.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* n digits at p. */
static bool digits(const char *p, size_t n, int64_t *ret_v)
{
	*ret_v = 0;
	for (size_t i = 0; i < n; i++) {
		if (!is_digit(p[i]))
			return false;
		*ret_v = *ret_v * 10 + (p[i] - '0');
	}
	return true;
}

static int64_t month_days(int64_t y, int64_t m)
{
	static const int8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;

	return days[m - 1] + (m == 2 && leap);
}

/* Z or +hh:mm; the offset in seconds. */
static bool zone_of(struct str s, int64_t *ret_offset)
{
	int64_t h, m;

	*ret_offset = 0;
	if (str_is(s, "Z"))
		return true;
	if (s.n != 6 || (s.p[0] != '+' && s.p[0] != '-') || s.p[3] != ':' || !digits(s.p + 1, 2, &h) ||
	    !digits(s.p + 4, 2, &m) || h > 24 || m > 60)
		return false;
	*ret_offset = (h * 60 + m) * 60 * (s.p[0] == '-' ? -1 : 1);
	return true;
}

bool parse_time(struct str s, int64_t *ret_seconds)
{
	int64_t y, mo, d, h, mi, sec, offset;
	size_t i;

	if (s.n < 19 || s.p[4] != '-' || s.p[7] != '-' || s.p[10] != 'T' || !digits(s.p, 4, &y) ||
	    !digits(s.p + 5, 2, &mo) || !digits(s.p + 8, 2, &d))
		return false;
	/* Of the hour Go is content with one digit. */
	i = is_digit(s.p[12]) ? 13 : 12;
	if (s.n < i + 7 || s.p[i] != ':' || s.p[i + 3] != ':' || !digits(s.p + 11, i - 11, &h) ||
	    !digits(s.p + i + 1, 2, &mi) || !digits(s.p + i + 4, 2, &sec))
		return false;
	if (mo < 1 || mo > 12 || d < 1 || d > month_days(y, mo) || h > 23 || mi > 59 || sec > 59)
		return false;
	i += 6;
	if (s.p[i] == '.' || s.p[i] == ',') {
		size_t from = ++i;

		while (i < s.n && is_digit(s.p[i]))
			i++;
		if (i == from)
			return false;
	}
	if (!zone_of((struct str){s.p + i, s.n - i}, &offset))
		return false;
	*ret_seconds = when_days(y, (uint32_t)mo, (uint32_t)d) * 86400 + h * 3600 + mi * 60 + sec - offset;
	return true;
}

const char *time_text(struct arena *a, int64_t seconds)
{
	struct buf b;
	const char *text;

	buf_init(&b);
	when_print(&b, seconds);
	text = arena_strndup(a, buf_cstr(&b), b.n);
	buf_release(&b);
	return text;
}
