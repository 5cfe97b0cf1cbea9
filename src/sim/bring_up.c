#include "idmap.h"
#include "sim_impl.h"

/* Nodes on their way: as launches are taken for done, so are those that are under way. */

static const struct node_pool *pool_of(const struct cluster *c, const struct object_meta *m)
{
	sid name = labels_get(&m->labels, LBL_NODEPOOL);

	return name == SID_NONE ? NULL : cluster_pool(c, name);
}

static bool has_taint(const struct taints *list, const struct taint *t)
{
	for (uint32_t i = 0; i < list->n; i++)
		if (list->v[i].key == t->key && list->v[i].effect == t->effect)
			return true;
	return false;
}

/* Without startup taints and those that Kubernetes puts on a node that starts. */
static struct taints lasting_taints(struct arena *a, const struct cluster *c, const struct node_claim *claim,
				    const struct node *node)
{
	const struct taints *from = node ? &node->taints : &claim->taints;
	struct taints out = {0, ARENA_ARRAY(a, struct taint, from->n)};

	for (uint32_t i = 0; i < from->n; i++)
		if (!has_taint(&claim->startup_taints, &from->v[i]) &&
		    !taint_is_ephemeral(c->in, &from->v[i]))
			out.v[out.n++] = from->v[i];
	return out;
}

/* A node that starts does not know all that its NodeClaim was promised (A8.4). */
static struct reslist filled(struct arena *a, const struct cluster *c, const struct reslist *node,
			     const struct reslist *claim)
{
	struct reslist out = *node;

	for (uint32_t i = 0; i < claim->n; i++)
		if (reslist_amount(node, claim->v[i].name) == 0)
			out = reslist_set(c->in, a, &out, claim->v[i].name,
					  (struct quantity){claim->v[i].v, claim->v[i].format});
	return out;
}

static struct labels labels_up(struct arena *a, const struct cluster *c, const struct node_claim *claim,
			       const struct node *node)
{
	const struct labels *from[] = {&node->meta.labels, &claim->meta.labels};
	struct label_list l = {0};

	for (size_t k = 0; k < 2; k++)
		for (uint32_t i = 0; i < from[k]->n; i++)
			if (from[k]->v[i].key != LBL_INITIALIZED && from[k]->v[i].key != LBL_REGISTERED)
				sim_label(a, &l, from[k]->v[i].key, from[k]->v[i].val);
	sim_label_up(a, &l, node->meta.name);
	return sim_labels(c, &l);
}

static struct conditions conditions_up(struct arena *a, const struct cluster *c,
				       const struct node_claim *claim, int64_t since)
{
	struct conditions up = sim_claim_up(a, c, pool_of(c, &claim->meta), since);
	const struct condition *drifted = conditions_find(&claim->conditions, c->in, "Drifted");
	struct condition *v;

	if (!drifted)
		return up;
	v = ARENA_ARRAY(a, struct condition, (size_t)up.n + 1);
	for (uint32_t i = 0; i < up.n; i++)
		v[i] = up.v[i];
	v[up.n] = *drifted;
	return (struct conditions){up.n + 1, v};
}

static void bring_up(struct arena *a, struct cluster *c, struct node_claim *claim, struct node *node)
{
	int64_t since = sim_long_up(c, pool_of(c, &claim->meta));
	struct taints taints = lasting_taints(a, c, claim, node);

	if (!node) {
		node = &c->nodes.v[c->nodes.n++];
		*node = (struct node){.meta = {.name = claim->meta.name,
					       .annotations = claim->meta.annotations,
					       .created = since,
					       .deleted = TIME_NONE},
				      .provider_id = claim->provider_id};
	}
	node->meta.labels = labels_up(a, c, claim, node);
	node->taints = taints;
	node->capacity = filled(a, c, &node->capacity, &claim->capacity);
	node->allocatable = filled(a, c, &node->allocatable, &claim->allocatable);
	node->conditions = sim_node_up(a, c, since);
	claim->node_name = node->meta.name;
	claim->conditions = conditions_up(a, c, claim, since);
}

static bool leaves(const struct cluster *c, const struct node_claim *claim)
{
	return claim->meta.deleted != TIME_NONE ||
	       conditions_true(&claim->conditions, c->in, "InstanceTerminating");
}

void sim_bring_up(struct arena *a, struct cluster *c)
{
	struct idmap nodes;

	idmap_init(&nodes, a);
	for (uint32_t i = 0; i < c->nodes.n; i++)
		idmap_put(&nodes, c->nodes.v[i].provider_id, i);
	for (uint32_t i = 0; i < c->claims.n; i++) {
		struct node_claim *claim = &c->claims.v[i];
		struct node *node = NULL;
		uint32_t at;

		if (claim->provider_id == SID_EMPTY || leaves(c, claim))
			continue;
		if (idmap_get(&nodes, claim->provider_id, &at))
			node = &c->nodes.v[at];
		if (!node || (node->meta.deleted == TIME_NONE &&
			      labels_get(&node->meta.labels, LBL_INITIALIZED) != STR_TRUE))
			bring_up(a, c, claim, node);
	}
}
