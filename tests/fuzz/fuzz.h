#pragma once
/*
 * A fuzz target is one function over bytes. Built with -Dfuzz=true (clang) it is a libFuzzer program;
 * otherwise replay.c gives it a main that runs the files named on its command line once, which is how the
 * seeds become tests.
 */
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
