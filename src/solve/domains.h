#pragma once
/*
 * The domains that nodes yet to be made could have (Karpenter v1.14.1, A13.2-A13.4): for each label key the
 * values that NodePools and their instance types allow, each with the taints of the NodePools that allow it.
 */
#include "template.h"

struct domain_entry {
	uint32_t value; /* value number of the key */
	bool untainted; /* some NodePool without taints allows it */
	uint32_t n, cap;
	const struct taints **taints;
};

struct domain_key {
	uint32_t n, cap;
	struct domain_entry *v;
	struct idmap at; /* value number -> entry */
};

struct domain_universe {
	struct arena *arena;
	uint32_t n;
	struct domain_key *key; /* by key id */
};

void domains_build(struct domain_universe *u, struct class_table *t, const struct template_set *m);
