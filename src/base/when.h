#pragma once
/* Moments as whole seconds since 1970-01-01T00:00:00Z, in the Gregorian calendar. */
#include <stdint.h>

#include "buf.h"

/* Days from 1970-01-01 to a date, and back. */
int64_t when_days(int64_t year, uint32_t month, uint32_t day);
void when_date(int64_t days, int64_t *ret_year, uint32_t *ret_month, uint32_t *ret_day);
/* 2026-01-19T12:00:00Z */
void when_print(struct buf *out, int64_t seconds);
