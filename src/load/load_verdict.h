#pragma once
/*
 * What the API server and Karpenter's own validation have to say of the objects of a run. Rule: design 3.1.
 */
#include "cluster.h"
#include "diag.h"
#include "doc.h"

/*
 * Raises an error for each object that the API server would refuse, and marks the NodePools that Karpenter
 * finds invalid (node_pool.invalid), with a warning each. For a cluster that was just loaded from docs; false
 * after an error.
 */
bool load_verdicts(struct diags *d, const struct docs *docs, struct cluster *c);
