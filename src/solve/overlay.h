#pragma once
/*
 * NodeOverlays: prices and extra resources that an operator lays over instance types (Karpenter v1.14.1,
 * A18.5, A18.6).
 */
#include "cluster.h"

/* Replaces the lists of types (by NodePool) that an overlay touches with changed copies. */
void overlays_apply(struct arena *a, struct cluster *c, const struct itype_list **types);
/* A price after a change as an overlay states it: "0.5", "+0.1", "-10%". */
double overlay_price(double price, const char *change);
