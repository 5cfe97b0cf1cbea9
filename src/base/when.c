#include "when.h"

void when_print(struct buf *out, int64_t seconds)
{
	int64_t days = seconds / 86400 - (seconds % 86400 < 0), rest = seconds - days * 86400;
	/* Days since 0000-03-01: years then end with their leap day. */
	int64_t z = days + 719468, era = (z >= 0 ? z : z - 146096) / 146097, doe = z - era * 146097;
	int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365,
		doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	int64_t mp = (5 * doy + 2) / 153, day = doy - (153 * mp + 2) / 5 + 1,
		month = mp < 10 ? mp + 3 : mp - 9;
	int64_t year = yoe + era * 400 + (month <= 2);

	buf_addf(out, "%04lld-%02lld-%02lldT%02lld:%02lld:%02lldZ", (long long)year, (long long)month,
		 (long long)day, (long long)(rest / 3600), (long long)(rest / 60 % 60),
		 (long long)(rest % 60));
}
