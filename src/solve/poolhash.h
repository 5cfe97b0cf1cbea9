#pragma once
/*
 * The hash that Karpenter stamps on NodePools and NodeClaims to notice static drift (Karpenter v1.14.1,
 * A18.1-A18.4), and whether a NodePool is ready to be used.
 */
#include "cluster.h"

#define POOL_HASH_VERSION "v3"

/* Decimal text of the hash of spec.template; text holds 24 bytes. */
void pool_hash_text(const struct intern *in, const struct node_pool *np, char text[24]);
/*
 * The Ready condition where the input has it, else what Karpenter's own controllers would set: its
 * validation, and the readiness of its NodeClass (determinism, "Reading the recorded cases").
 */
bool pool_ready(const struct cluster *c, const struct node_pool *np);
