#include "cron.h"

#include "buf.h"
#include "duration.h"
#include "when.h"

struct bounds {
	uint32_t min, max;
	const char *names; /* three letters each, from `first` on */
	uint32_t first;
};

struct scan {
	struct arena *a;
	const char *error;
};

static uint32_t number(struct scan *s, struct str t)
{
	int64_t v = 0;
	size_t i = t.n && (t.p[0] == '-' || t.p[0] == '+');
	bool minus = i && t.p[0] == '-', digits = i < t.n, big = false;

	for (; i < t.n && digits; i++) {
		digits = t.p[i] >= '0' && t.p[i] <= '9';
		if (!digits)
			break;
		big = big || v > (INT64_MAX - (t.p[i] - '0')) / 10;
		v = big ? INT64_MAX : v * 10 + (t.p[i] - '0');
	}
	if (!digits || big) {
		s->error = arena_printf(
			s->a, "failed to parse int from %.*s: strconv.Atoi: parsing \"%.*s\": %s", STR_ARG(t),
			STR_ARG(t), digits ? "value out of range" : "invalid syntax");
		return 0;
	}
	if (minus && v > 0) {
		s->error = arena_printf(s->a, "negative number (-%lld) not allowed: %.*s", (long long)v,
					STR_ARG(t));
		return 0;
	}
	return v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

static uint32_t number_or_name(struct scan *s, struct str t, const struct bounds *b)
{
	for (uint32_t i = 0; b->names && t.n == 3 && b->names[i * 3]; i++)
		if (strncasecmp(t.p, b->names + (size_t)i * 3, 3) == 0)
			return b->first + i;
	return number(s, t);
}

/* Cuts s at each c, as Go's strings.Split; gives the number of parts, of which the first max are kept. */
static uint32_t split(struct str s, char c, struct str *parts, uint32_t max)
{
	uint32_t n = 0;

	for (;;) {
		const char *at = s.n ? memchr(s.p, c, s.n) : NULL;
		struct str part = {s.p, at ? (size_t)(at - s.p) : s.n};

		if (n < max)
			parts[n] = part;
		n++;
		if (!at)
			return n;
		s = (struct str){at + 1, s.n - part.n - 1};
	}
}

/* "*", "5", "1-5", "*" "/2" and "5/10". */
static uint64_t range(struct scan *s, struct str expr, const struct bounds *b, bool *ret_star)
{
	struct str step_parts[2], ends[2];
	uint32_t nstep = split(expr, '/', step_parts, 2), nends = split(step_parts[0], '-', ends, 2);
	bool any = str_is(ends[0], "*") || str_is(ends[0], "?");
	uint32_t start = b->min, end = b->max, step = 1;
	uint64_t bits = 0;

	if (!any) {
		start = end = number_or_name(s, ends[0], b);
		if (!s->error && nends == 2)
			end = number_or_name(s, ends[1], b);
		if (!s->error && nends > 2)
			s->error = arena_printf(s->a, "too many hyphens: %.*s", STR_ARG(expr));
	}
	if (!s->error && nstep == 2) {
		step = number(s, step_parts[1]);
		if (nends == 1)
			end = b->max;
	}
	if (s->error)
		return 0;
	if (nstep > 2)
		s->error = arena_printf(s->a, "too many slashes: %.*s", STR_ARG(expr));
	else if (start < b->min)
		s->error = arena_printf(s->a, "beginning of range (%u) below minimum (%u): %.*s", start,
					b->min, STR_ARG(expr));
	else if (end > b->max)
		s->error = arena_printf(s->a, "end of range (%u) above maximum (%u): %.*s", end, b->max,
					STR_ARG(expr));
	else if (start > end)
		s->error = arena_printf(s->a, "beginning of range (%u) beyond end of range (%u): %.*s", start,
					end, STR_ARG(expr));
	else if (step == 0)
		s->error =
			arena_printf(s->a, "step of range should be a positive number: %.*s", STR_ARG(expr));
	if (s->error)
		return 0;
	*ret_star = *ret_star || (any && step == 1);
	for (uint64_t i = start; i <= end; i += step)
		bits |= (uint64_t)1 << i;
	return bits;
}

static uint64_t field(struct scan *s, struct str text, const struct bounds *b, bool *ret_star)
{
	uint64_t bits = 0;

	*ret_star = false;
	while (text.n && !s->error) {
		const char *comma = memchr(text.p, ',', text.n);
		struct str part = {text.p, comma ? (size_t)(comma - text.p) : text.n};

		if (part.n)
			bits |= range(s, part, b, ret_star);
		text.p += part.n + (comma != NULL);
		text.n -= part.n + (comma != NULL);
	}
	return bits;
}

static const char *descriptor(struct arena *a, struct str spec, struct cron *c)
{
	static const char every[] = "@every ";
	const struct cron all = {1, 1, 0xfffffffe, 0x1ffe, 0x7f, true, true, 0};
	const char *error = NULL;
	struct buf why;
	int64_t ns;

	*c = all;
	if (str_is(spec, "@yearly") || str_is(spec, "@annually")) {
		c->dom = c->month = 2;
		c->dom_star = false;
	} else if (str_is(spec, "@monthly")) {
		c->dom = 2;
		c->dom_star = false;
	} else if (str_is(spec, "@weekly")) {
		c->dow = 1;
		c->dow_star = false;
	} else if (str_is(spec, "@hourly")) {
		c->hour = 0xffffff;
	} else if (str_starts(spec, every)) {
		struct str d = {spec.p + sizeof(every) - 1, spec.n - (sizeof(every) - 1)};

		buf_init(&why);
		if (!duration_parse(d, &ns, &why))
			error = arena_printf(a, "failed to parse duration %.*s: %s", STR_ARG(spec),
					     buf_cstr(&why));
		buf_release(&why);
		if (error)
			return error;
		c->every_s = ns < 1000000000 ? 1 : ns / 1000000000;
	} else if (!str_is(spec, "@daily") && !str_is(spec, "@midnight")) {
		return arena_printf(a, "unrecognized descriptor: %.*s", STR_ARG(spec));
	}
	return NULL;
}

static bool blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

const char *cron_parse(struct arena *a, struct str spec, struct cron *ret_cron)
{
	static const struct bounds bounds[] = {
		{0, 59, NULL, 0},
		{0, 23, NULL, 0},
		{1, 31, NULL, 0},
		{1, 12, "janfebmaraprmayjunjulaugsepoctnovdec", 1},
		{0, 6, "sunmontuewedthufrisat", 0},
	};
	struct scan s = {.a = a};
	struct str f[5];
	bool star[5];
	uint32_t n = 0;
	struct buf list;
	uint64_t bits[5];

	*ret_cron = (struct cron){0};
	while (spec.n && blank(spec.p[0]))
		spec = (struct str){spec.p + 1, spec.n - 1};
	while (spec.n && blank(spec.p[spec.n - 1]))
		spec.n--;
	if (str_starts(spec, "@"))
		return descriptor(a, spec, ret_cron);
	buf_init(&list);
	for (size_t i = 0; i < spec.n;) {
		size_t from = i;

		while (i < spec.n && !blank(spec.p[i]))
			i++;
		if (n < 5)
			f[n] = (struct str){spec.p + from, i - from};
		buf_addf(&list, "%s%.*s", n++ ? " " : "", (int)(i - from), spec.p + from);
		while (i < spec.n && blank(spec.p[i]))
			i++;
	}
	if (n != 5)
		s.error = arena_printf(a, "expected exactly 5 fields, found %u: [%s]", n, buf_cstr(&list));
	buf_release(&list);
	for (int i = 0; i < 5 && !s.error; i++)
		bits[i] = field(&s, f[i], &bounds[i], &star[i]);
	if (!s.error)
		*ret_cron = (struct cron){bits[0], bits[1], bits[2], bits[3], bits[4], star[2], star[4], 0};
	return s.error;
}

static const uint32_t month_days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

bool cron_fires(const struct cron *c)
{
	bool both = c->dom_star || c->dow_star;

	if (c->every_s)
		return true;
	if (!c->minute || !c->hour)
		return false;
	for (uint32_t m = 1; m <= 12; m++)
		for (uint32_t d = 1; (c->month >> m & 1) && d <= month_days[m - 1]; d++)
			if (both ? (c->dom >> d & 1) && c->dow : (c->dom >> d & 1) || c->dow)
				return true;
	return false;
}

static bool day_matches(const struct cron *c, int64_t day)
{
	int64_t y;
	uint32_t m, d, dow = (uint32_t)(((day + 4) % 7 + 7) % 7);

	when_date(day, &y, &m, &d);
	if (!(c->month >> m & 1))
		return false;
	bool dom_ok = c->dom >> d & 1, dow_ok = c->dow >> dow & 1;

	return c->dom_star || c->dow_star ? dom_ok && dow_ok : dom_ok || dow_ok;
}

int64_t cron_next(const struct cron *c, int64_t t)
{
	int64_t day, last, y;
	uint32_t m, d;

	if (c->every_s)
		return t + c->every_s;
	if (!c->minute || !c->hour)
		return INT64_MAX;
	t = (t - ((t % 60) + 60) % 60) + 60; /* the next whole minute */
	day = (t - ((t % 86400) + 86400) % 86400) / 86400;
	when_date(day, &y, &m, &d);
	last = when_days(y + 6, 1, 1);
	for (int64_t from = t - day * 86400; day < last; day++, from = 0) {
		if (!day_matches(c, day))
			continue;
		for (int64_t h = from / 3600; h < 24; h++)
			for (int64_t min = h == from / 3600 ? from / 60 % 60 : 0;
			     (c->hour >> h & 1) && min < 60; min++)
				if (c->minute >> min & 1)
					return day * 86400 + h * 3600 + min * 60;
	}
	return INT64_MAX;
}
