#pragma once
/*
 * The two ways a run ends early for no fault of the input: a broken invariant and exhausted memory.
 * Both print what to report on stderr and leave with status 70; nothing else below cmd/ may end the process.
 */
#include <stdbool.h>

#define KS_EXIT_BUG 70

_Noreturn void ks_bug_at(const char *file, int line, const char *what);
_Noreturn void ks_out_of_memory(void);

/* Stays on in release builds. */
#define KS_BUG_ON(cond)                                       \
	do {                                                  \
		if (__builtin_expect(!!(cond), 0))            \
			ks_bug_at(__FILE__, __LINE__, #cond); \
	} while (0)
