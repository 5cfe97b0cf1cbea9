#pragma once
/*
 * NodePools as the scheduler uses them (Karpenter v1.14.1, A3, A8, A10, A12): requirements, the instance
 * types that pass them, and those types grouped by which daemons would run on them. The types of a template
 * are numbered in the order that filtering leaves them in (group by group), so that a set of types is a bit
 * set and its order is the order of its bits.
 *
 * Masks over the types are remembered: by requirement set, by amount of a resource.
 */
#include "daemon.h"

/* Types with the same daemons (A12.4). */
struct type_group {
	uint64_t *mask;
	bool has_overhead;
	struct reslist overhead;
	struct ports ports;
};

/* Types that have at least `amount` of a resource, for each distinct amount. */
struct lane_masks {
	uint32_t n;
	qty *amount;     /* ascending */
	uint64_t **mask; /* types with at least amount[i] */
};

/* Types that have one requirement. */
struct req_types {
	reqid req;
	uint64_t *mask;
};

/* The distinct requirements of the types on a key. */
struct key_types {
	VEC(struct req_types) v;
};

/* Types that have an available offering of one requirement set. */
struct offer {
	rsetid reqs;
	sid capacity_type;
	uint64_t *mask;
};

struct template
{
	const struct node_pool *pool;
	uint32_t index;
	struct labels labels, annotations;
	rsetid reqs;
	uint32_t tol_cache_n;
	int8_t *tol_cache; /* by toleration list id: 1 tolerates the taints, 0 does not, -1 unknown */
	uint32_t ntype, nwords;
	const struct itype **type;
	const struct itype_list *list; /* all types of the NodePool */
	uint64_t *all;                 /* every type */
	qty *limited; /* capacity of each type, resource by resource of the NodePool's limits */
	uint32_t ngroup;
	struct type_group *group;
	bool has_min_values;
	uint32_t nlane;
	struct lane_masks *lane; /* by lane number */
	uint32_t nkey;
	struct key_types *key; /* by key id */
	VEC(struct offer) offers;
	bool has_reserved;                               /* some type has an available reserved offering */
	struct idmap req_mask, fit_mask, offer_fit_mask; /* reqid, rsetid, rsetid -> index into masks */
	VEC(uint64_t *) masks;
	struct idmap price_of; /* rsetid -> index into prices */
	VEC(double *) prices;
	struct arena *arena;
};

struct template_set {
	uint32_t n;
	struct template *v; /* templates with types left, in order of NodePool */
	uint32_t npool;
	const struct node_pool **pool;   /* usable NodePools in order, also those without types */
	const struct itype_list **types; /* by pool: its types, NULL when none */
	const char **note;               /* by pool: why it gives no template, NULL otherwise */
	bool *min_values;                /* by pool: ... because of minValues */
	struct daemons daemons;          /* as matching the templates left them */
	bool tolerate_prefer;
};

/* types: by index of cluster.pools; NULL or empty: none. */
void templates_build(struct template_set *s, struct class_table *t, const struct itype_list *const *types);
/* Labels, annotations and requirements of the template of m->pool (A3.4, A3.5). */
void template_labels(struct template *m, struct class_table *t);
/* Order of NodePools: weight descending, then name descending (A3.2). */
const struct node_pool **pools_by_weight(const struct cluster *c, struct arena *a, uint32_t *ret_n);

/* Types whose requirements Intersect the set. */
const uint64_t *template_compatible(struct template *m, struct class_table *t, rsetid reqs);
/* Types that have an available offering compatible with the set. */
const uint64_t *template_offered(struct template *m, struct class_table *t, rsetid reqs);
/* Clears the types that have less than amount of a lane. */
void template_need(struct template *m, struct class_table *t, uint32_t lane, qty amount, uint64_t *mask);
bool template_tolerated(struct template *m, struct class_table *t, const struct pod_variant *v);

/*
 * Prices of the NodePool's types under a requirement set, by place in its list of types: itype_price() of
 * each, remembered.
 */
const double *template_prices(struct template *m, struct class_table *t, rsetid reqs);
/* itypes_by_price() for types of the template. */
void template_sort(struct template *m, struct class_table *t, struct arena *scratch,
		   const struct itype **types, uint32_t n, rsetid reqs);
/* The price of the cheapest available compatible offering; DBL_MAX when there is none. */
double itype_price(struct reqpool *p, const struct itype *t, rsetid reqs);
/* sort.Slice by price alone (A15.3). */
void itypes_by_price(struct reqpool *p, struct arena *scratch, const struct itype **types, uint32_t n,
		     rsetid reqs);

struct min_values_gap {
	keyid key;
	uint32_t have;
};

/*
 * A10.8: how many of the types, in order, are needed to reach every minValues; 0 when nothing asks for any.
 * When they are not reached gives UINT32_MAX and the keys that fall short, by name.
 */
uint32_t itypes_min_values(struct reqpool *p, struct arena *a, const struct itype *const *types, uint32_t n,
			   rsetid reqs, struct min_values_gap **ret_gap, uint32_t *ret_ngap);
bool rset_has_min_values(const struct reqpool *p, rsetid s);
/* minValues requirement is not met for label(s) (label(s)=[...]) */
void min_values_print(const struct reqpool *p, struct buf *out, const struct min_values_gap *gap, uint32_t n);
