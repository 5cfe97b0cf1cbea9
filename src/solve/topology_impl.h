#pragma once
/*
 * What the two halves of the topology share: topology.c keeps the groups and their counts, topology_answer.c
 * says which domains they leave a pod.
 */
#include "topology.h"

static inline int32_t count_of(const struct topology_group *g, uint32_t value)
{
	return value < g->ndomain ? g->count[value] : 0;
}

static inline bool host_allowed(const struct reqpool *p, reqid want, sid host)
{
	return want == REQ_NONE || req_allows(p, want, host);
}

/* Whether the pods of a class count in the group. */
bool group_selects(struct topology *y, struct topology_group *g, const struct pod_class *c);
