#include "bug.h"

#include <stdio.h>
#include <stdlib.h>

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
	fputs("kspot: out of memory; report the size of the input if it was an ordinary one\n", stderr);
	_Exit(KS_EXIT_BUG);
}
