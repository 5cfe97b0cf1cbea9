#pragma once
/*
 * What a topology group is made from, and when two pods share one (Karpenter v1.14.1, A13.8, A13.9): the
 * identity is made of the same fields as Karpenter's hash, so of a filter's requirements only the keys count,
 * and equal members of a list cancel out in pairs.
 */
#include "topology.h"

struct topology_spec {
	enum group_type type;
	sid key;
	uint32_t nns;
	sid *ns; /* sorted by id, distinct */
	const struct label_selector *selector;
	uint32_t nextra;
	struct kv *extra;
	int32_t max_skew, min_domains;
	struct node_filter filter;
};

void topology_spec_spread(struct topology_spec *s, struct class_table *t, struct arena *a,
			  const struct pod_class *c, const struct pod_variant *v,
			  const struct spread_constraint *tsc);
void topology_spec_affinity(struct topology_spec *s, const struct cluster *c, struct arena *a, sid ns,
			    enum group_type type, const struct affinity_term *term);
/* Equal ids: one group. */
sid topology_spec_id(struct class_table *t, struct arena *a, const struct topology_spec *s);
