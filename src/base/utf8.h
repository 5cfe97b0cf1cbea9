#pragma once
/* UTF-8, one sequence at a time. */
#include <stddef.h>
#include <stdint.h>

/*
 * The length of the sequence at the start of n > 0 bytes and its code point; 0 when they do not start with
 * one: cut off, longer than it need be, a surrogate, or beyond U+10FFFF.
 */
size_t utf8_decode(const char *p, size_t n, uint32_t *ret_c);
