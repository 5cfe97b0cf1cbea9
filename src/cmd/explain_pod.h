#pragma once
struct run;

/* kspot explain pod/NS/NAME (or pod/NAME): how Karpenter decides on it, and what would let it in. */
int explain_pod(struct run *r, const char *name);
