#pragma once
/* --scale KIND/NAME=N or KIND/NAMESPACE/NAME=N: a workload and its new number of replicas. */
#include "carry_out.h"

struct run;

struct scale {
	const char *text; /* as given */
	const struct workload *workload;
	uint32_t replicas;
};

/* All of --scale in order; false after diagnostics. *ret_v lives in the arena of the run. */
bool scales_parse(struct run *r, const struct cluster *c, struct scale **ret_v);
/* The cluster with each workload scaled down in turn; ret_removed: all pods that are gone, in that order. */
struct cluster *scales_apply(struct run *r, struct cluster *c, const struct scale *v, uint32_t n,
			     struct pod_names *ret_removed);
