#include "buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bug.h"

void buf_init(struct buf *b)
{
	*b = (struct buf){0};
}

void buf_release(struct buf *b)
{
	free(b->p);
	buf_init(b);
}

void buf_clear(struct buf *b)
{
	b->n = 0;
	if (b->p)
		b->p[0] = '\0';
}

static void reserve(struct buf *b, size_t more)
{
	size_t need, cap = b->cap ? b->cap : 256;
	char *p;

	if (__builtin_add_overflow(b->n, more, &need) || need >= SIZE_MAX / 2)
		ks_out_of_memory();
	need++;
	if (need <= b->cap)
		return;
	while (cap < need)
		cap *= 2;
	p = realloc(b->p, cap);
	if (!p)
		ks_out_of_memory();
	b->p = p;
	b->cap = cap;
}

void buf_add(struct buf *b, const char *p, size_t n)
{
	reserve(b, n);
	if (n)
		memcpy(b->p + b->n, p, n);
	b->n += n;
	b->p[b->n] = '\0';
}

void buf_addch(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void buf_adds(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_addstr(struct buf *b, struct str s)
{
	buf_add(b, s.p, s.n);
}

void buf_pad(struct buf *b, char c, size_t n)
{
	reserve(b, n);
	memset(b->p + b->n, c, n);
	b->n += n;
	b->p[b->n] = '\0';
}

void buf_vaddf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	KS_BUG_ON(n < 0);
	reserve(b, (size_t)n);
	vsnprintf(b->p + b->n, (size_t)n + 1, fmt, again);
	b->n += (size_t)n;
	va_end(again);
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(b, fmt, ap);
	va_end(ap);
}

void buf_add_double(struct buf *b, double v)
{
	char text[40];

	/* kspot never calls setlocale(LC_NUMERIC), so the decimal separator is a point. */
	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, v);
		double back = strtod(text, NULL);

		if (!(back < v) && !(back > v))
			break;
	}
	/* %g goes over to an exponent where the digits end: 20 is 2e+01. */
	if (strchr(text, 'e') && v > -1e15 && v < 1e15 && (v >= 1 || v <= -1))
		snprintf(text, sizeof(text), "%.0f", v);
	buf_adds(b, text);
}

const char *buf_cstr(const struct buf *b)
{
	return b->p ? b->p : "";
}
