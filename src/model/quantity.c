#include "quantity.h"

#include <string.h>

/* Kubernetes caps quantities at 2^63-1 units. */
#define QTY_CAP ((qty)INT64_MAX * QTY_ONE)

static const struct {
	const char *text;
	int base, exponent;
	enum qty_format format;
} suffixes[] = {
	{"", 10, 0, QTY_DECIMAL},   {"n", 10, -9, QTY_DECIMAL}, {"u", 10, -6, QTY_DECIMAL},
	{"m", 10, -3, QTY_DECIMAL}, {"k", 10, 3, QTY_DECIMAL},  {"M", 10, 6, QTY_DECIMAL},
	{"G", 10, 9, QTY_DECIMAL},  {"T", 10, 12, QTY_DECIMAL}, {"P", 10, 15, QTY_DECIMAL},
	{"E", 10, 18, QTY_DECIMAL}, {"Ki", 2, 10, QTY_BINARY},  {"Mi", 2, 20, QTY_BINARY},
	{"Gi", 2, 30, QTY_BINARY},  {"Ti", 2, 40, QTY_BINARY},  {"Pi", 2, 50, QTY_BINARY},
	{"Ei", 2, 60, QTY_BINARY},
};

#define NSUFFIX (sizeof(suffixes) / sizeof(suffixes[0]))

/* e3, E-6: a signed decimal exponent. */
static bool parse_exponent(struct str s, int *ret_exp)
{
	size_t i = 1;
	bool neg = false;
	int e = 0;

	if (s.n < 2 || (s.p[0] != 'e' && s.p[0] != 'E'))
		return false;
	if (s.p[i] == '+' || s.p[i] == '-')
		neg = s.p[i++] == '-';
	if (i == s.n)
		return false;
	for (; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
		if (e < 100000)
			e = e * 10 + (s.p[i] - '0');
	}
	*ret_exp = neg ? -e : e;
	return true;
}

static bool parse_suffix(struct str s, int *ret_base, int *ret_exp, uint8_t *ret_format)
{
	for (size_t i = 0; i < NSUFFIX; i++)
		if (str_is(s, suffixes[i].text)) {
			*ret_base = suffixes[i].base;
			*ret_exp = suffixes[i].exponent;
			*ret_format = (uint8_t)suffixes[i].format;
			return true;
		}
	*ret_base = 10;
	*ret_format = QTY_EXPONENT;
	return parse_exponent(s, ret_exp);
}

/* Decimal digits, some of them behind the point. */
struct decimal {
	const char *p;
	size_t whole, n; /* digits before a '.' in the text, and all of them */
};

static int digit(const struct decimal *d, size_t i)
{
	return d->p[i < d->whole ? i : i + 1] - '0';
}

/* d x base^exp in billionths, rounded away from zero and capped. exp of base 2 is not negative. */
static qty scale(const struct decimal *d, int base, int exp)
{
	/* Digits before the point once a decimal exponent has moved it. */
	long point = (long)d->whole + (base == 10 ? exp : 0);
	const qty factor = base == 2 ? (qty)1 << exp : 1;
	qty v = 0, carry = 0, nano = 0;
	bool rest = false;

	for (long i = 0; i < point && (v || i < (long)d->n); i++) {
		v = v * 10 + (i < (long)d->n ? digit(d, (size_t)i) : 0);
		if (v > INT64_MAX)
			return QTY_CAP;
	}
	/* The fraction from its last digit on, multiplied as on paper; the first nine are billionths. */
	for (long i = (long)d->n - 1; i >= 0 && i >= point; i--) {
		long at = i - point;
		qty product = digit(d, (size_t)i) * factor + carry;

		if (at < 9) {
			qty unit = 1;

			for (long k = at; k < 8; k++)
				unit *= 10;
			nano += product % 10 * unit;
		} else {
			rest = rest || product % 10 != 0;
		}
		carry = product / 10;
	}
	v = v * factor + carry;
	if (v > INT64_MAX)
		return QTY_CAP;
	v = v * QTY_ONE + nano + rest;
	return v > QTY_CAP ? QTY_CAP : v;
}

bool quantity_parse(struct str s, struct quantity *ret_q)
{
	size_t i = 0, from, dot = SIZE_MAX, ndigits = 0;
	bool neg = false;
	int base, exp;
	uint8_t format;

	if (s.n && (s.p[0] == '+' || s.p[0] == '-'))
		neg = s.p[i++] == '-';
	for (from = i; i < s.n; i++) {
		if (s.p[i] == '.' && dot == SIZE_MAX)
			dot = i;
		else if (s.p[i] >= '0' && s.p[i] <= '9')
			ndigits++;
		else
			break;
	}
	if (!ndigits || !parse_suffix((struct str){s.p + i, s.n - i}, &base, &exp, &format))
		return false;
	struct decimal d = {s.p + from, dot == SIZE_MAX ? ndigits : dot - from, ndigits};
	qty v = scale(&d, base, exp);

	*ret_q = (struct quantity){neg ? -v : v, format};
	return true;
}

static void print_int(struct buf *out, qty v)
{
	char text[48];
	size_t i = sizeof(text);
	bool neg = v < 0;

	do {
		int digit = (int)(v % 10);

		text[--i] = (char)('0' + (digit < 0 ? -digit : digit));
		v /= 10;
	} while (v);
	if (neg)
		text[--i] = '-';
	buf_add(out, text + i, sizeof(text) - i);
}

static void print_decimal(struct buf *out, qty v, enum qty_format format)
{
	static const char *const si[] = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
	int exp = -9;

	while (v % 1000 == 0 && exp < 18) {
		v /= 1000;
		exp += 3;
	}
	print_int(out, v);
	if (format == QTY_DECIMAL)
		buf_adds(out, si[(exp + 9) / 3]);
	else if (exp)
		buf_addf(out, "e%d", exp);
}

void quantity_print(struct buf *out, struct quantity q)
{
	static const char *const bi[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
	qty v = q.v;
	size_t i = 0;

	if (v == 0) {
		buf_addch(out, '0');
		return;
	}
	if (q.format != QTY_BINARY || v % QTY_ONE || (v > qty_of(-1024) && v < qty_of(1024))) {
		print_decimal(out, v, q.format == QTY_EXPONENT ? QTY_EXPONENT : QTY_DECIMAL);
		return;
	}
	v /= QTY_ONE;
	while (v % 1024 == 0 && i + 1 < sizeof(bi) / sizeof(bi[0])) {
		v /= 1024;
		i++;
	}
	print_int(out, v);
	buf_adds(out, bi[i]);
}

double quantity_double(qty v)
{
	return (double)v / 1e9;
}

int64_t quantity_ceil(qty v)
{
	qty whole = v / QTY_ONE;

	return (int64_t)(v > 0 && v % QTY_ONE ? whole + 1 : whole);
}

qty quantity_round_milli(qty v)
{
	qty rest = v % QTY_MILLI;

	if (!rest)
		return v;
	return v > 0 ? v - rest + QTY_MILLI : v - rest - QTY_MILLI;
}
