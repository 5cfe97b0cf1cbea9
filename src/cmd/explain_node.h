#pragma once
struct run;

/* kspot explain node/NAME: what a round of disruption makes of it, and how that comes about. */
int explain_node(struct run *r, const char *name);
