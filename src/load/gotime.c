#include "gotime.h"

#include "buf.h"
#include "crd.h"

#define LAYOUT "2006-01-02T15:04:05Z07:00"

struct scan {
	struct arena *a;
	struct str whole, rest;
	const char *error;
	int day, month, year;
};

static bool digit(struct str s, size_t i)
{
	return i < s.n && s.p[i] >= '0' && s.p[i] <= '9';
}

static bool cannot(struct scan *t, struct str rest, const char *element)
{
	struct buf b;

	buf_init(&b);
	buf_adds(&b, "parsing time ");
	crd_add_quoted(&b, t->whole);
	buf_adds(&b, " as \"" LAYOUT "\": cannot parse ");
	crd_add_quoted(&b, rest);
	buf_addf(&b, " as \"%s\"", element);
	t->error = arena_strndup(t->a, b.p, b.n);
	buf_release(&b);
	return false;
}

static bool wrong(struct scan *t, const char *what, struct str extra)
{
	struct buf b;

	buf_init(&b);
	buf_adds(&b, "parsing time ");
	crd_add_quoted(&b, t->whole);
	buf_addf(&b, ": %s", what);
	if (extra.n)
		crd_add_quoted(&b, extra);
	t->error = arena_strndup(t->a, b.p, b.n);
	buf_release(&b);
	return false;
}

static void skip(struct scan *t, size_t n)
{
	t->rest = (struct str){t->rest.p + n, t->rest.n - n};
}

static bool literal(struct scan *t, char c)
{
	const char text[2] = {c, '\0'};

	if (!t->rest.n || t->rest.p[0] != c)
		return cannot(t, t->rest, text);
	skip(t, 1);
	return true;
}

/* Two digits, or one where Go is content with it. */
static bool number(struct scan *t, const char *element, bool one, int *ret)
{
	size_t n = digit(t->rest, 0) && digit(t->rest, 1) ? 2 : 1;

	if (!digit(t->rest, 0) || (n == 1 && !one))
		return cannot(t, t->rest, element);
	*ret = t->rest.p[0] - '0';
	if (n == 2)
		*ret = *ret * 10 + t->rest.p[1] - '0';
	skip(t, n);
	return true;
}

static bool read_date(struct scan *t)
{
	if (!digit(t->rest, 0) || !digit(t->rest, 1) || !digit(t->rest, 2) || !digit(t->rest, 3))
		return cannot(t, t->rest, "2006");
	for (int i = 0; i < 4; i++)
		t->year = t->year * 10 + t->rest.p[i] - '0';
	skip(t, 4);
	if (!literal(t, '-') || !number(t, "01", false, &t->month))
		return false;
	if (t->month < 1 || t->month > 12)
		return wrong(t, "month out of range", (struct str){0});
	return literal(t, '-') && number(t, "02", false, &t->day);
}

static bool read_clock(struct scan *t)
{
	int v = 0;

	if (!literal(t, 'T') || !number(t, "15", true, &v))
		return false;
	if (v > 23)
		return wrong(t, "hour out of range", (struct str){0});
	if (!literal(t, ':') || !number(t, "04", false, &v))
		return false;
	if (v > 59)
		return wrong(t, "minute out of range", (struct str){0});
	if (!literal(t, ':') || !number(t, "05", false, &v))
		return false;
	if (v > 59)
		return wrong(t, "second out of range", (struct str){0});
	if (t->rest.n > 1 && (t->rest.p[0] == '.' || t->rest.p[0] == ',') && digit(t->rest, 1))
		for (skip(t, 1); digit(t->rest, 0);)
			skip(t, 1);
	return true;
}

static bool read_zone(struct scan *t)
{
	struct str z = t->rest;

	if (z.n && z.p[0] == 'Z') {
		skip(t, 1);
		return true;
	}
	if (z.n < 6 || (z.p[0] != '+' && z.p[0] != '-') || !digit(z, 1) || !digit(z, 2) || z.p[3] != ':' ||
	    !digit(z, 4) || !digit(z, 5))
		return cannot(t, z, "Z07:00");
	if ((z.p[1] - '0') * 10 + z.p[2] - '0' > 24)
		return wrong(t, "time zone offset hour out of range", (struct str){0});
	if ((z.p[4] - '0') * 10 + z.p[5] - '0' > 60)
		return wrong(t, "time zone offset minute out of range", (struct str){0});
	skip(t, 6);
	return true;
}

const char *go_time_error(struct arena *a, struct str s)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	struct scan t = {.a = a, .whole = s, .rest = s};
	int last;

	if (!read_date(&t) || !read_clock(&t) || !read_zone(&t))
		return t.error;
	if (t.rest.n) {
		wrong(&t, "extra text: ", t.rest);
		return t.error;
	}
	last = days[t.month - 1] +
	       (t.month == 2 && t.year % 4 == 0 && (t.year % 100 != 0 || t.year % 400 == 0));
	if (t.day < 1 || t.day > last)
		wrong(&t, "day out of range", (struct str){0});
	return t.error;
}
