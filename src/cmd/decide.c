#include "decide.h"

#include "drift.h"
#include "fleet.h"
#include "idmap.h"
#include "provision.h"
#include "round.h"

static const struct launch no_launch = {.type = SID_NONE, .zone = SID_NONE, .capacity_type = SID_NONE};

/* A static NodePool's NodeClaim names no types: those that its requirements allow. */
static struct launch launch_of_static(struct arena *a, const struct world *w, const struct plan_claim *claim,
				      const struct itype_list *types)
{
	struct plan_claim any = *claim;

	any.ntype = 0;
	any.type = ARENA_ARRAY(a, const struct itype *, types->n);
	for (uint32_t i = 0; i < types->n; i++)
		if (rset_intersects(w->c->rp, types->v[i].reqs, claim->reqs))
			any.type[any.ntype++] = &types->v[i];
	return launch_of_claim(w->c, &any);
}

static void add_launch(struct arena *a, const struct world *w, struct plan_claim *claim)
{
	ptrdiff_t pool = claim->pool - w->c->pools.v;

	if (!w->catalog) {
		claim->launch = claim->is_static ? launch_of_static(a, w, claim, w->types[pool])
						 : launch_of_claim(w->c, claim);
		return;
	}
	if (!claim->fleet_error)
		claim->fleet =
			fleet_build(a, w->c, w->classes[pool], w->types[pool], claim, &claim->fleet_error);
	claim->launch = claim->fleet
				? launch_weighed(claim->fleet, w->catalog, w->c->in, w->interruption_weight)
				: no_launch;
}

/* A large plan has many claims alike; ready instance types launch by requirements and types alone. */
static void launch_claims(struct arena *a, const struct world *w, struct plan *plan)
{
	struct idmap last;
	uint32_t at;

	idmap_init(&last, a);
	for (uint32_t i = 0; i < plan->nclaim; i++) {
		struct plan_claim *claim = &plan->claim[i];

		if (!w->catalog && idmap_get(&last, claim->reqs, &at) &&
		    plan->claim[at].type == claim->type) {
			claim->launch = plan->claim[at].launch;
			continue;
		}
		add_launch(a, w, claim);
		idmap_put(&last, claim->reqs, i);
	}
}

struct plan *decide_claims(struct arena *a, const struct world *w)
{
	return provision(a, snapshot_new(a, w->c, w->types, FOR_PROVISIONING));
}

void decide_launches(struct arena *a, const struct world *w, struct plan *plan)
{
	launch_claims(a, w, plan);
	for (uint32_t i = 0; i < plan->nstatic; i++) {
		struct plan_claim *one = &plan->static_claim[i];

		/* Those of a pool are alike. */
		if (i && one->pool == one[-1].pool)
			*one = one[-1];
		else
			add_launch(a, w, one);
	}
}

struct plan *decide_plan(struct arena *a, const struct world *w)
{
	struct plan *plan = decide_claims(a, w);

	decide_launches(a, w, plan);
	return plan;
}

/* Why EC2 finds each NodeClaim drifted. */
static sid *provider_drift(struct arena *a, const struct world *w)
{
	struct cluster *c = w->c;
	sid *drift = ARENA_ARRAY(a, sid, c->claims.n);

	for (uint32_t i = 0; w->catalog && i < c->claims.n; i++) {
		sid name = labels_get(&c->claims.v[i].meta.labels, LBL_NODEPOOL);
		const struct node_pool *np = name == SID_NONE ? NULL : cluster_pool(c, name);
		ptrdiff_t pool = np ? np - c->pools.v : 0;

		if (np && w->classes[pool])
			drift[i] = ec2_drift(c, w->classes[pool], w->types[pool], &c->claims.v[i]);
	}
	return drift;
}

uint32_t decide_surplus(struct arena *a, const struct world *w, sid **ret_claim)
{
	bool any = false;

	for (uint32_t i = 0; i < w->c->pools.n; i++)
		any = any || w->c->pools.v[i].is_static;
	*ret_claim = NULL;
	return any ? static_surplus(a, snapshot_new(a, w->c, w->types, FOR_DISRUPTION), ret_claim) : 0;
}

static void launch_commands(struct arena *a, const struct world *w, struct disrupt_commands *all)
{
	for (uint32_t i = 0; i < all->n; i++)
		for (uint32_t k = 0; k < all->v[i].nreplacement; k++)
			add_launch(a, w, &all->v[i].replacement[k]);
}

struct disruption *decide_disruption(struct arena *a, const struct world *w)
{
	struct disrupt_input in = {.provider_drift = provider_drift(a, w),
				   .types = w->types,
				   .max_simulations = w->max_simulations,
				   .unseen = w->unseen};
	struct disruption *d = disrupt_round(a, snapshot_new(a, w->c, w->types, FOR_DISRUPTION), &in);

	/* What the round executes is what one of the methods found. */
	for (int m = 0; m < METHOD_MAX_; m++)
		launch_commands(a, w, &d->method[m]);
	return d;
}

const struct removal *decide_removal(struct arena *a, const struct world *w, sid node)
{
	struct disrupt_input in = {.provider_drift = provider_drift(a, w), .types = w->types};
	struct snapshot *s = snapshot_new(a, w->c, w->types, FOR_DISRUPTION);
	uint32_t at = state_find_node(&s->state, node);
	const struct removal *out = at == UINT32_MAX ? NULL : disrupt_removal(a, s, &in, at);

	for (uint32_t i = 0; out && i < out->nclaim; i++)
		add_launch(a, w, &out->claim[i]);
	return out;
}
