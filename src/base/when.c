#include "when.h"

#include <inttypes.h>

/* Both count from 0000-03-01 in eras of 400 years: years then end with their leap day. */

int64_t when_days(int64_t year, uint32_t month, uint32_t day)
{
	int64_t y = year - (month <= 2), era = (y >= 0 ? y : y - 399) / 400, yoe = y - era * 400;
	int64_t doy = (153 * (int64_t)(month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;

	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

void when_date(int64_t days, int64_t *ret_year, uint32_t *ret_month, uint32_t *ret_day)
{
	int64_t z = days + 719468, era = (z >= 0 ? z : z - 146096) / 146097, doe = z - era * 146097;
	int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;

	*ret_day = (uint32_t)(doy - (153 * mp + 2) / 5 + 1);
	*ret_month = (uint32_t)(mp < 10 ? mp + 3 : mp - 9);
	*ret_year = yoe + era * 400 + (*ret_month <= 2);
}

void when_print(struct buf *out, int64_t seconds)
{
	int64_t days = seconds / 86400 - (seconds % 86400 < 0), rest = seconds - days * 86400, year;
	uint32_t month, day;

	when_date(days, &year, &month, &day);
	buf_addf(out, "%04" PRId64 "-%02" PRIu32 "-%02" PRIu32 "T%02" PRId64 ":%02" PRId64 ":%02" PRId64 "Z",
		 year, month, day, rest / 3600, rest / 60 % 60, rest % 60);
}
