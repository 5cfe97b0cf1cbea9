#pragma once
/* What the lints that know the instance types share. */
#include "cluster.h"
#include "lint_impl.h"

struct lint_view {
	const struct node_pool *pool;
	const struct itype_list *types;
	uint32_t doc;
	rsetid reqs;
	bool assumed; /* the class is not in the input */
	bool zones;   /* the zones of the class are known: its status is in the input */
};

/* What is left of the types of a NodePool. */
struct lint_choice {
	uint32_t types, spot_types, spot_pools;
	qty least_cpu, least_memory; /* of one node */
};

/* What narrows the types of a NodePool: its template labels, then its requirements, as written. */
uint32_t lint_nconstraints(const struct node_pool *p);
sid lint_constraint_key(const struct node_pool *p, uint32_t i);
/* All of them, but for those of without; NULL: all. */
rsetid lint_pool_reqs(struct cluster *c, const struct node_pool *p, const bool *without);
/* zone SID_NONE: any. */
struct lint_choice lint_choose(struct cluster *c, const struct itype_list *types, rsetid reqs, sid zone);

/* A NodePool that allows nothing (lint_empty.c). */
void lint_empty_pool(struct lint *l, struct cluster *c, const struct lint_view *v);
/* Values that are prefixes of names (lint_prefix.c). */
void lint_prefixes(struct lint *l, struct cluster *c, const struct lint_view *v);
