#pragma once
/*
 * A growing output buffer on the heap. Everything kspot prints is built in one and written once, so that
 * output errors are seen in one place. The owner releases it.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "str.h"

struct buf {
	char *p; /* NUL terminated when n > 0 */
	size_t n, cap;
};

void buf_init(struct buf *b);
void buf_release(struct buf *b);
void buf_clear(struct buf *b);
void buf_add(struct buf *b, const char *p, size_t n);
void buf_addch(struct buf *b, char c);
void buf_adds(struct buf *b, const char *s);
void buf_addstr(struct buf *b, struct str s);
void buf_pad(struct buf *b, char c, size_t n);
__attribute__((format(printf, 2, 3))) void buf_addf(struct buf *b, const char *fmt, ...);
__attribute__((format(printf, 2, 0))) void buf_vaddf(struct buf *b, const char *fmt, va_list ap);
/* The shortest decimal text that reads back as the same double, without locale. */
void buf_add_double(struct buf *b, double v);
/* The text so far, "" when empty; valid until the next change. */
const char *buf_cstr(const struct buf *b);
