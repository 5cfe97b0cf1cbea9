#pragma once
/* Moments as whole seconds since 1970-01-01T00:00:00Z, in the Gregorian calendar. */
#include <stdint.h>

#include "buf.h"

/* 2026-01-19T12:00:00Z */
void when_print(struct buf *out, int64_t seconds);
