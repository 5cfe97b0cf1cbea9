#include "object.h"
#include "schema.h"

static const struct {
	const char *name;
	int64_t ns;
} units[] = {
	{"ns", 1},
	{"us", 1000},
	{"\xc2\xb5s", 1000},
	{"\xce\xbcs", 1000},
	{"ms", 1000000},
	{"s", 1000000000},
	{"m", 60 * (int64_t)1000000000},
	{"h", 3600 * (int64_t)1000000000},
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int64_t unit_of(const char *p, size_t n)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (str_is((struct str){p, n}, units[i].name))
			return units[i].ns;
	return 0;
}

/* One number with its unit at *at; added to *sum. */
static bool duration_part(struct str s, size_t *at, int64_t *sum)
{
	int64_t value = 0, fraction = 0, scale = 1, unit, v;
	size_t start = *at, i = *at;

	for (; i < s.n && is_digit(s.p[i]); i++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, s.p[i] - '0', &value))
			return false;
	bool digits = i > start;

	if (i < s.n && s.p[i] == '.') {
		for (i++; i < s.n && is_digit(s.p[i]); i++) {
			digits = true;
			/* Digits beyond the ninth are less than a nanosecond of any unit but the hour. */
			if (scale < (int64_t)100000000000000) {
				fraction = fraction * 10 + (s.p[i] - '0');
				scale *= 10;
			}
		}
	}
	start = i;
	while (i < s.n && s.p[i] != '.' && !is_digit(s.p[i]))
		i++;
	unit = unit_of(s.p + start, i - start);
	if (!digits || !unit || __builtin_mul_overflow(value, unit, &v))
		return false;
	v += (int64_t)((double)fraction * ((double)unit / (double)scale));
	*at = i;
	return !__builtin_add_overflow(*sum, v, sum) && *sum >= 0;
}

bool parse_duration(struct str s, int64_t *ret_ns)
{
	bool negative = false;
	int64_t sum = 0;
	size_t i = 0;

	if (s.n && (s.p[0] == '-' || s.p[0] == '+')) {
		negative = s.p[0] == '-';
		i = 1;
	}
	if (s.n - i == 1 && s.p[i] == '0') {
		*ret_ns = 0;
		return true;
	}
	if (i == s.n)
		return false;
	while (i < s.n)
		if (!duration_part(s, &i, &sum))
			return false;
	*ret_ns = negative ? -sum : sum;
	return true;
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

/* Days from 1970-01-01 to a date of the Gregorian calendar. */
static int64_t days_from_civil(int64_t y, int64_t m, int64_t d)
{
	y -= m <= 2;

	int64_t era = (y >= 0 ? y : y - 399) / 400;
	int64_t yoe = y - era * 400;
	int64_t doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;

	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
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
	size_t i = 19;

	if (s.n < 20 || s.p[4] != '-' || s.p[7] != '-' || s.p[10] != 'T' || s.p[13] != ':' || s.p[16] != ':')
		return false;
	if (!digits(s.p, 4, &y) || !digits(s.p + 5, 2, &mo) || !digits(s.p + 8, 2, &d) ||
	    !digits(s.p + 11, 2, &h) || !digits(s.p + 14, 2, &mi) || !digits(s.p + 17, 2, &sec))
		return false;
	if (mo < 1 || mo > 12 || d < 1 || d > month_days(y, mo) || h > 23 || mi > 59 || sec > 59)
		return false;
	if (s.p[i] == '.' || s.p[i] == ',') {
		for (i++; i < s.n && is_digit(s.p[i]); i++)
			;
		if (i == 20)
			return false;
	}
	if (!zone_of((struct str){s.p + i, s.n - i}, &offset))
		return false;
	*ret_seconds = days_from_civil(y, mo, d) * 86400 + h * 3600 + mi * 60 + sec - offset;
	return true;
}

const char *time_text(struct arena *a, int64_t seconds)
{
	int64_t days = seconds / 86400, rest = seconds % 86400;

	if (rest < 0) {
		rest += 86400;
		days--;
	}
	/* The civil date of a day number: eras of 400 years that start in March. */
	days += 719468;

	int64_t era = (days >= 0 ? days : days - 146096) / 146097;
	int64_t doe = days - era * 146097;
	int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	int64_t mp = (5 * doy + 2) / 153;
	int64_t d = doy - (153 * mp + 2) / 5 + 1;
	int64_t m = mp + (mp < 10 ? 3 : -9);
	int64_t y = yoe + era * 400 + (m <= 2);

	return arena_printf(a, "%04d-%02d-%02dT%02d:%02d:%02dZ", (int)y, (int)m, (int)d, (int)(rest / 3600),
			    (int)(rest / 60 % 60), (int)(rest % 60));
}
