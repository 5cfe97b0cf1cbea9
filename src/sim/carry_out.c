#include <string.h>

#include "gosort.h"
#include "idmap.h"
#include "sim_impl.h"

static bool node_before(const void *x, const void *y, const void *ctx)
{
	const struct node *a = x, *b = y;

	return intern_cmp(ctx, a->meta.name, b->meta.name) < 0;
}

static bool claim_before(const void *x, const void *y, const void *ctx)
{
	const struct node_claim *a = x, *b = y;

	return intern_cmp(ctx, a->meta.name, b->meta.name) < 0;
}

/* A copy of n elements with room for more. */
static void *copy_with_room(struct arena *a, const void *v, uint32_t n, uint32_t more, size_t size)
{
	char *out = arena_alloc(a, (size_t)n + more, size);

	if (n)
		memcpy(out, v, n * size);
	return out;
}

/* A cluster of its own arrays of nodes, NodeClaims and pods, with room for more NodeClaims and a node for
 * each.
 */
static struct cluster *copy_cluster(struct arena *a, const struct cluster *c, uint32_t more)
{
	struct cluster *out = arena_memdup(a, c, 1, sizeof(*c));

	out->nodes.v = copy_with_room(a, c->nodes.v, c->nodes.n, c->claims.n + more, sizeof(*c->nodes.v));
	out->claims.v = copy_with_room(a, c->claims.v, c->claims.n, more, sizeof(*c->claims.v));
	out->pods.v = copy_with_room(a, c->pods.v, c->pods.n, 0, sizeof(*c->pods.v));
	return out;
}

static void sort_nodes(struct cluster *c)
{
	GOSORT(c->nodes.v, c->nodes.n, node_before, c->in);
	GOSORT(c->claims.v, c->claims.n, claim_before, c->in);
}

/* --- what goes --- */

/* The pod's node goes: it waits for another, or ends, so that pods keep their numbers. */
static void evict(const struct cluster *c, struct pod *p)
{
	bool again = pod_is_reschedulable(c, p);

	p->phase = again ? POD_PENDING : POD_SUCCEEDED;
	p->node = p->nominated_node = SID_EMPTY;
	p->has_conditions = !again;
	p->conditions.n = 0;
	if (again)
		p->meta.deleted = TIME_NONE;
}

/* Takes away the nodes of the set, what runs there and their NodeClaims. */
static void remove_nodes(struct arena *a, struct cluster *c, const struct idmap *gone)
{
	struct idmap provider;
	uint32_t kept = 0, x;

	idmap_init(&provider, a);

	for (uint32_t i = 0; i < c->pods.n; i++)
		if (c->pods.v[i].node != SID_EMPTY && idmap_get(gone, c->pods.v[i].node, &x))
			evict(c, &c->pods.v[i]);
	for (uint32_t i = 0; i < c->nodes.n; i++)
		if (!idmap_get(gone, c->nodes.v[i].meta.name, &x))
			c->nodes.v[kept++] = c->nodes.v[i];
		else if (c->nodes.v[i].provider_id != SID_EMPTY)
			idmap_put(&provider, c->nodes.v[i].provider_id, 0);
	c->nodes.n = kept;
	kept = 0;
	for (uint32_t i = 0; i < c->claims.n; i++)
		if (!idmap_get(&provider, c->claims.v[i].provider_id, &x))
			c->claims.v[kept++] = c->claims.v[i];
	c->claims.n = kept;
}

static bool leaves(const struct cluster *c, const struct node_claim *claim)
{
	return claim->meta.deleted != TIME_NONE ||
	       conditions_true(&claim->conditions, c->in, "InstanceTerminating");
}

/* Nodes on their way out go once no pod is left there that has to move. */
static void remove_drained(struct arena *a, struct cluster *c)
{
	struct idmap gone, busy, leaving;
	uint32_t x;

	idmap_init(&gone, a);
	idmap_init(&busy, a);
	idmap_init(&leaving, a);
	for (uint32_t i = 0; i < c->pods.n; i++)
		if (c->pods.v[i].node != SID_EMPTY && pod_is_reschedulable(c, &c->pods.v[i]))
			idmap_put(&busy, c->pods.v[i].node, 0);
	for (uint32_t i = 0; i < c->claims.n; i++)
		if (leaves(c, &c->claims.v[i]))
			idmap_put(&leaving, c->claims.v[i].provider_id, 0);
	for (uint32_t i = 0; i < c->nodes.n; i++)
		if ((c->nodes.v[i].meta.deleted != TIME_NONE ||
		     idmap_get(&leaving, c->nodes.v[i].provider_id, &x)) &&
		    !idmap_get(&busy, c->nodes.v[i].meta.name, &x))
			idmap_put(&gone, c->nodes.v[i].meta.name, 0);
	remove_nodes(a, c, &gone);
}

/* --- steps --- */

/* Until a node registers, plans know it by its NodeClaim. */
static sid node_name(const struct cluster *c, sid name)
{
	if (cluster_node(c, name))
		return name;
	for (uint32_t i = 0; i < c->claims.n; i++)
		if (c->claims.v[i].meta.name == name)
			return c->claims.v[i].node_name;
	return name;
}

struct cluster *sim_launch(struct arena *a, const struct cluster *c, const struct plan *plan,
			   struct sim_types types, const char *const *names)
{
	uint32_t more = plan->nclaim + plan->nstatic;
	struct cluster *out = copy_cluster(a, c, more);

	sim_bring_up(a, out);
	for (uint32_t i = 0; i < more; i++) {
		const struct plan_claim *claim =
			i < plan->nclaim ? &plan->claim[i] : &plan->static_claim[i - plan->nclaim];
		sid name = intern_cstr(c->in, names[i]);

		if (sim_launch_claim(a, out, claim, types, name))
			sim_bind(out, claim->pod, claim->npod, name);
	}
	sort_nodes(out);
	for (uint32_t i = 0; i < plan->nnode; i++)
		sim_bind(out, plan->node[i].pod, plan->node[i].npod, node_name(out, plan->node[i].name));
	remove_drained(a, out);
	return out;
}

/* The disruption controller takes its left-over taints off nodes that it does not disrupt (B1.2). */
static void take_taints_off(struct arena *a, struct cluster *c)
{
	for (uint32_t i = 0; i < c->nodes.n; i++) {
		struct taints *t = &c->nodes.v[i].taints, kept = {0, ARENA_ARRAY(a, struct taint, t->n)};

		for (uint32_t k = 0; k < t->n; k++)
			if (t->v[k].key != TAINT_DISRUPTED || t->v[k].effect != EFFECT_NO_SCHEDULE)
				kept.v[kept.n++] = t->v[k];
		if (kept.n < t->n)
			*t = kept;
	}
}

struct cluster *sim_disrupt(struct arena *a, const struct cluster *c, const struct disrupt_commands *commands,
			    const char *const *failed, struct sim_types types, const char *const *names)
{
	uint32_t more = 0;
	struct cluster *out;
	struct idmap gone;

	for (uint32_t i = 0; i < commands->n; i++)
		more += commands->v[i].nreplacement;
	out = copy_cluster(a, c, more);
	idmap_init(&gone, a);
	for (uint32_t i = 0; i < commands->n; i++)
		for (uint32_t k = 0; !failed[i] && k < commands->v[i].ncandidate; k++)
			idmap_put(&gone, commands->v[i].candidate[k], 0);
	remove_nodes(a, out, &gone);
	take_taints_off(a, out);
	for (uint32_t i = 0; i < commands->n; i++)
		for (uint32_t k = 0; k < commands->v[i].nreplacement; k++) {
			const struct plan_claim *claim = &commands->v[i].replacement[k];
			sid name = intern_cstr(c->in, *names++);

			if (sim_launch_claim(a, out, claim, types, name) && !failed[i])
				sim_bind(out, claim->pod, claim->npod, name);
		}
	sort_nodes(out);
	return out;
}

struct cluster *sim_remove(struct arena *a, const struct cluster *c, const sid *claim, uint32_t n)
{
	struct cluster *out = copy_cluster(a, c, 0);
	struct idmap claims, provider, gone;
	uint32_t kept = 0, x;

	idmap_init(&claims, a);
	idmap_init(&provider, a);
	idmap_init(&gone, a);
	for (uint32_t i = 0; i < n; i++)
		idmap_put(&claims, claim[i], 0);
	for (uint32_t i = 0; i < c->claims.n; i++)
		if (!idmap_get(&claims, c->claims.v[i].meta.name, &x))
			out->claims.v[kept++] = c->claims.v[i];
		else if (c->claims.v[i].provider_id != SID_EMPTY)
			idmap_put(&provider, c->claims.v[i].provider_id, 0);
	out->claims.n = kept;
	for (uint32_t i = 0; i < c->nodes.n; i++)
		if (idmap_get(&provider, c->nodes.v[i].provider_id, &x))
			idmap_put(&gone, c->nodes.v[i].meta.name, 0);
	remove_nodes(a, out, &gone);
	return out;
}

const char *sim_unlaunchable(const struct disrupt_command *command)
{
	for (uint32_t i = 0; i < command->nreplacement; i++) {
		const struct plan_claim *claim = &command->replacement[i];

		if (claim->launch.type == SID_NONE)
			return claim->fleet_error ? claim->fleet_error : "no instance type can be launched";
	}
	return NULL;
}
