#pragma once
/*
 * The catalogue that kspot brings along: real instance types, offerings and dated prices, compiled in from
 * fixtures/catalog, whose README tells sources, dates and gaps. Spot prices are one figure for the region.
 */
#include "arena.h"
#include "catalog.h"
#include "diag.h"

/* One region of it; NULL after an error for a region it does not have. The result belongs to the arena. */
const struct catalog *catalog_embedded(struct arena *a, struct diags *d, struct intern *in, sid region);
/* What is known of a type, wherever it is offered; false for an unknown one. */
bool catalog_embedded_type(struct intern *in, sid name, struct ec2_type *ret_t);
