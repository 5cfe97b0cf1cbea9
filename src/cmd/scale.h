#pragma once
/* --scale KIND/NAME=N or KIND/NAMESPACE/NAME=N: a workload and its new number of replicas. */
#include "cluster.h"

struct run;

struct scale {
	const char *text; /* as given */
	const struct workload *workload;
	uint32_t replicas;
};

/* All of --scale in order; false after diagnostics. *ret_v lives in the arena of the run. */
bool scales_parse(struct run *r, const struct cluster *c, struct scale **ret_v);
