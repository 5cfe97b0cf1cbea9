#pragma once
/*
 * A fuzz target is one function over bytes. Built with -Dfuzz=true (clang) it is a libFuzzer program;
 * otherwise replay.c gives it a main that runs the files named on its command line once, which is how the
 * seeds become tests.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* 0, or FUZZ_REJECT for an input that is no business of the target: libFuzzer does not keep it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_REJECT (-1)

/* What is promised must hold. */
static inline void require(bool ok)
{
	if (!ok)
		abort();
}

/* Whether the text starts as JSON does. */
static inline bool fuzz_is_json(const uint8_t *data, size_t size)
{
	size_t i = 0;

	while (i < size && (data[i] == ' ' || data[i] == '\n' || data[i] == '\t' || data[i] == '\r'))
		i++;
	return i < size && (data[i] == '{' || data[i] == '[');
}
