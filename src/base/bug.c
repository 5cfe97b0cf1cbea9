#include "bug.h"

#include <stdio.h>
#include <stdlib.h>

#include "diag.h"

void ks_bug_at(const char *file, int line, const char *what)
{
	fprintf(stderr,
		"kspot: internal error at %s:%d: %s\n"
		"kspot: this is a bug; please report it with the command line and its input files\n",
		file, line, what);
	_Exit(KS_EXIT_BUG);
}

void ks_out_of_memory(void)
{
	fprintf(stderr,
		"kspot: error: out of memory [KS%04d]\n"
		"  hint: report the size of the input if it was an ordinary one\n",
		KS_OUT_OF_MEMORY);
	_Exit(KS_EXIT_BUG);
}
