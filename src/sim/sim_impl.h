#pragma once
/* Parts of carrying out decisions; private to sim/. Each changes a cluster that is the caller's own copy. */
#include "carry_out.h"
#include "state.h"
#include "tolerate.h"

struct label_list {
	VEC(struct kv) v;
};

/* Adds a label; one that is there stands. */
void sim_label(struct arena *a, struct label_list *l, sid key, sid val);
/* What the node of a name has besides once it is up. */
void sim_label_up(struct arena *a, struct label_list *l, sid name);
/* As objects keep them. */
struct labels sim_labels(const struct cluster *c, struct label_list *l);
/* So long ago that nothing waits for the node's age, consolidateAfter included. pool: NULL for none. */
int64_t sim_long_up(const struct cluster *c, const struct node_pool *pool);
/* Of a NodeClaim whose node is up since then, and of the node. */
struct conditions sim_claim_up(struct arena *a, const struct cluster *c, const struct node_pool *pool,
			       int64_t since);
struct conditions sim_node_up(struct arena *a, const struct cluster *c, int64_t since);

/* Puts pods on a node; buffers' pods are passed over. */
void sim_bind(struct cluster *c, const uint32_t *pod, uint32_t n, sid node);
/* Adds NodeClaim and node of a claim as its launch is predicted; false when none is. The arrays have room. */
bool sim_launch_claim(struct arena *a, struct cluster *c, const struct plan_claim *claim,
		      struct sim_types types, sid name);
/*
 * NodeClaims that have an instance but no node, or one that is not initialized: their nodes come up. The
 * arrays have room for a node for each NodeClaim.
 */
void sim_bring_up(struct arena *a, struct cluster *c);
