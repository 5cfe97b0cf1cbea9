#pragma once
/* CapacityBuffers: how many virtual pods each asks for, and those pods (Karpenter v1.14.1, A17). */
#include "cluster.h"

/* More than so many pods of a buffer count as so many. */
#define BUFFER_MAX_PODS 1000000

/* How many pods a buffer asks for while its workload has so many. */
int64_t buffer_replicas(const struct capacity_buffer *b, int64_t scaled);
/* Fills c->virtual_pods from the buffers that are ready. */
void buffers_make_pods(struct arena *a, struct cluster *c);
