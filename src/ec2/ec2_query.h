#pragma once
/*
 * Questions to the catalogue: which instance types do these requirements allow, and at what price. The
 * requirements are those of a NodePool, judged as Karpenter does at launch.
 */
#include "ec2_types.h"

struct query_row {
	const struct itype *type;
	const struct ec2_type *facts;
	double spot_min, spot_max; /* over the allowed zones; CATALOG_NO_PRICE: none */
	double on_demand;          /* CATALOG_NO_PRICE: none */
	double cheapest;           /* of all that is allowed */
	uint32_t nzone;            /* zones where it can be launched */
	bool estimated;            /* on_demand is an estimate */
	int8_t interruption;       /* -1: not told */
	bool regional;             /* spot prices are one figure for the region */
};

enum query_order { QUERY_BY_PRICE, QUERY_BY_CPU, QUERY_BY_MEMORY, QUERY_BY_PRICE_PER_CPU, QUERY_BY_NAME };

/* Types with an available offering that reqs allow, in order; equal ones by name. *ret_n rows in the arena.
 */
struct query_row *ec2_query(struct arena *a, const struct cluster *c, const struct catalog *cat,
			    const struct itype_list *types, rsetid reqs, enum query_order order,
			    uint32_t *ret_n);
