#pragma once
/*
 * Static NodePools: how many NodeClaims they keep (Karpenter v1.14.1, B15).
 */
#include "run.h"

/* The pool's NodeClaims: those that are not being deleted, and all of them. */
void static_count(const struct snapshot *s, const struct node_pool *np, int64_t *ret_active,
		  int64_t *ret_all);
/* How many of n more NodeClaims the pool's limit on nodes admits. */
int64_t static_admits(const struct snapshot *s, const struct node_pool *np, int64_t n);
/* How many NodeClaims the pool would create to have its replicas; 0 for other pools. */
int64_t static_shortfall(const struct snapshot *s, const struct node_pool *np);
