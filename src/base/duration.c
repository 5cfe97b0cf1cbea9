#include "duration.h"

static const struct {
	const char *name;
	int64_t ns;
} units[] = {
	{"ns", 1},       {"us", 1000},      {"\xc2\xb5s", 1000},      {"\xce\xbcs", 1000},
	{"ms", 1000000}, {"s", 1000000000}, {"m", 60 * 1000000000ll}, {"h", 3600 * 1000000000ll},
};

/* Go's package time quotes by itself: control characters and bytes beyond ASCII in hexadecimal. */
static void quote(struct buf *out, struct str s)
{
	buf_addch(out, '"');
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c < ' ' || c >= 0x80)
			buf_addf(out, "\\x%02x", c);
		else
			buf_addf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
	}
	buf_addch(out, '"');
}

static bool refuse(struct buf *why, struct str whole, const char *what, struct str unit)
{
	if (!why)
		return false;
	buf_addf(why, "time: %s ", what);
	if (unit.n) {
		quote(why, unit);
		buf_adds(why, " in duration ");
	}
	quote(why, whole);
	return false;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* One number with a fraction, as nanoseconds of a unit. */
struct part {
	uint64_t whole, fraction;
	double scale;
	bool any;
};

static size_t read_number(struct str s, size_t i, struct part *p, bool *ret_overflow)
{
	*p = (struct part){.scale = 1};
	for (; i < s.n && is_digit(s.p[i]); i++, p->any = true)
		if (p->whole > (UINT64_MAX >> 1) / 10)
			*ret_overflow = true;
		else
			p->whole = p->whole * 10 + (uint64_t)(s.p[i] - '0');
	if (i == s.n || s.p[i] != '.')
		return i;
	for (i++; i < s.n && is_digit(s.p[i]); i++, p->any = true)
		if (p->fraction < (UINT64_MAX >> 1) / 10) {
			p->fraction = p->fraction * 10 + (uint64_t)(s.p[i] - '0');
			p->scale *= 10;
		}
	return i;
}

bool duration_parse(struct str s, int64_t *ret_ns, struct buf *why)
{
	static const struct str none = {"", 0};
	uint64_t total = 0;
	bool neg = false, overflow = false;
	size_t i = 0;

	if (s.n && (s.p[0] == '-' || s.p[0] == '+'))
		neg = s.p[i++] == '-';
	if (s.n - i == 1 && s.p[i] == '0') {
		*ret_ns = 0;
		return true;
	}
	if (i == s.n)
		return refuse(why, s, "invalid duration", none);
	while (i < s.n) {
		struct part p;
		size_t unit, k = 0;

		i = read_number(s, i, &p, &overflow);
		if (!p.any || overflow)
			return refuse(why, s, "invalid duration", none);
		for (unit = i; i < s.n && s.p[i] != '.' && !is_digit(s.p[i]); i++)
			;
		if (unit == i)
			return refuse(why, s, "missing unit in duration", none);
		struct str name = {s.p + unit, i - unit};

		while (k < sizeof(units) / sizeof(units[0]) && !str_is(name, units[k].name))
			k++;
		if (k == sizeof(units) / sizeof(units[0]))
			return refuse(why, s, "unknown unit", name);
		uint64_t ns;

		if (__builtin_mul_overflow(p.whole, (uint64_t)units[k].ns, &ns))
			return refuse(why, s, "invalid duration", none);
		ns += (uint64_t)((double)p.fraction * ((double)units[k].ns / p.scale));
		if (__builtin_add_overflow(total, ns, &total) || total > (uint64_t)INT64_MAX)
			return refuse(why, s, "invalid duration", none);
	}
	*ret_ns = neg ? -(int64_t)total : (int64_t)total;
	return true;
}
