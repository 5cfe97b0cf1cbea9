#pragma once
struct run;

/* kspot explain type/NAME: how its allocatable comes about, its offerings, and what keeps NodePools from it.
 */
int explain_type(struct run *r, const char *name);
