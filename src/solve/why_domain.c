#include "bits.h"
#include "why_impl.h"

/*
 * Topology answers with a domain (A13.14 to A13.17) before anybody looks at instance types, so it may choose
 * one in which the NodePool can make no node for the pod.
 */

/* What of a NodePool's types is left when reqs are asked of the node. */
enum reach {
	REACH_NONE,  /* none that meets the requirements is large enough */
	REACH_GONE,  /* such types, but none of them can be had */
	REACH_NODES, /* a node can be made */
};

static enum reach reach(struct why_try *w, rsetid reqs)
{
	struct why_masks k;
	bool any = false, had = false;

	why_set_masks(w, reqs, &k);
	for (uint32_t i = 0; i < k.nwords; i++) {
		uint64_t fit = k.good[i] & k.open[i] & k.fit[i];

		any = any || fit;
		had = had || (fit & k.offered[i]);
	}
	return had ? REACH_NODES : any ? REACH_GONE : REACH_NONE;
}

/* NodePool, pod and volumes, and the domains chosen by all groups but one; UINT32_MAX: by none. */
static rsetid without(struct why_try *w, uint32_t choice)
{
	struct reqpool *p = w->r->s->c->rp;
	rsetid reqs = rset_intersect(p, rset_intersect(p, w->m->reqs, w->pod), w->volume);

	for (uint32_t i = 0; i < w->nchoice && choice != UINT32_MAX; i++)
		if (i != choice)
			reqs = rset_add(p, reqs, w->choice[i].answer);
	return reqs;
}

struct domains {
	uint32_t n, nbad;
	sid *good,
		*bad; /* known ones in which a node could be made, and others that the pod allows; by name */
};

static void split_domains(struct why_try *w, uint32_t choice, struct domains *ret_d)
{
	struct reqpool *p = w->r->s->c->rp;
	const struct topology_group *g = w->choice[choice].group;
	reqid pod = rset_find(p, w->v->strict.set, g->key);
	rsetid rest = without(w, choice);

	*ret_d = (struct domains){.good = ARENA_ARRAY(w->a, sid, g->ndomain),
				  .bad = ARENA_ARRAY(w->a, sid, g->ndomain)};
	for (uint32_t d = 0; d < g->ndomain; d++) {
		/* The arrays of a group are longer than the values that the key has. */
		if (g->state[d] == DOMAIN_UNKNOWN)
			continue;
		sid value = p->keys.v[g->key].value[d];

		if (pod != REQ_NONE && !req_allows(p, pod, value))
			continue;
		if (reach(w, rset_add(p, rest, req_in1(p, g->key, value))) == REACH_NODES)
			ret_d->good[ret_d->n++] = value;
		else
			ret_d->bad[ret_d->nbad++] = value;
	}
	intern_sort(p->in, ret_d->good, ret_d->n);
	intern_sort(p->in, ret_d->bad, ret_d->nbad);
}

/* What a NodePool lists is a domain; of other values those that its types have (A13.2). */
static bool pool_allows(struct reqpool *p, const struct node_pool *np, const struct itype_list *types,
			keyid key, sid value)
{
	bool listed = false;

	for (uint32_t i = 0; i < np->nreq; i++) {
		const struct api_requirement *q = &np->req[i];
		enum req_op op;

		if (req_key(p, q->key) != key || !req_op_parse(intern_str(p->in, q->op), &op))
			continue;
		if (!req_allows(p, req_make(p, key, op, q->values, q->n, -1), value))
			return false;
		listed = listed || op == OP_IN;
	}
	for (uint32_t i = 0; i < types->n && !listed; i++) {
		reqid r = rset_find(p, types->v[i].reqs, key);

		listed = r != REQ_NONE && req_allows(p, r, value);
	}
	return listed;
}

/* Whether no node and no other NodePool makes the value a domain (A13.2 to A13.5). */
static bool only_here(struct why_try *w, keyid key, sid value)
{
	const struct snapshot *s = w->r->s;
	struct reqpool *p = s->c->rp;
	sid name = req_key_name(p, key);

	for (uint32_t i = 0; i < s->state.n; i++)
		if (s->state.v[i].node && labels_get(s->state.v[i].labels, name) == value)
			return false;
	for (uint32_t i = 0; i < s->m.npool; i++)
		if (s->m.pool[i] != w->m->pool && s->m.types[i] &&
		    pool_allows(p, s->m.pool[i], s->m.types[i], key, value))
			return false;
	return true;
}

static void print_list(struct why_try *w, struct buf *out, keyid key, const sid *v, uint32_t n)
{
	struct reqpool *p = w->r->s->c->rp;

	req_print(p, out, req_make(p, key, OP_IN, v, n, -1));
}

/* The fewest pods count over all domains there are, so those without nodes have to go; the first of pods that
 * ask for each other goes to any allowed one. */
static void keep_out(struct why_try *w, uint32_t choice, const struct domains *d)
{
	const struct topology_group *g = w->choice[choice].group;
	const struct cluster *c = w->r->s->c;
	bool first = g->type == GROUP_AFFINITY && !g->ncounted, removable = g->type == GROUP_SPREAD;

	if (!d->n)
		return;
	for (uint32_t i = 0; i < d->nbad; i++)
		removable = removable && only_here(w, g->key, d->bad[i]);
	if (g->type == GROUP_SPREAD || first) {
		buf_addf(why_or(w), "let the %s require ",
			 removable || first ? "NodePool or the pod" : "pod");
		print_list(w, &w->enough, g->key, d->good, d->n);
	}
	if (!removable || cluster_generic(c) || req_key_name(c->rp, g->key) != LBL_ZONE)
		return;
	buf_adds(why_or(w), "keep ");
	for (uint32_t i = 0; i < d->nbad; i++)
		buf_addf(&w->enough, "%s%s", i ? " and " : "", intern_c(c->in, d->bad[i]));
	buf_adds(&w->enough, " out of the subnets of its EC2NodeClass");
}

static void blame(struct why_try *w, uint32_t choice)
{
	static const enum why_code codes[] = {[GROUP_SPREAD] = WHY_SPREAD,
					      [GROUP_AFFINITY] = WHY_AFFINITY,
					      [GROUP_ANTI_AFFINITY] = WHY_ANTI_AFFINITY};
	struct reqpool *p = w->r->s->c->rp;
	const struct topology_group *g = w->choice[choice].group;
	const char *key = intern_c(p->in, req_key_name(p, g->key));
	rsetid reqs = rset_add(p, without(w, choice), w->choice[choice].answer);
	struct domains d;

	split_domains(w, choice, &d);
	why_group_name(w, &w->message, g);
	buf_adds(&w->message, " chooses ");
	why_values(w, &w->message, w->choice[choice].answer);
	if (g->type == GROUP_SPREAD)
		buf_adds(&w->message, ", which has the fewest pods");
	why_counts(w, &w->message, g);
	buf_adds(&w->message, reach(w, reqs) == REACH_GONE
				      ? ", where no instance type that would do can be had"
				      : ", where the NodePool has no instance type that would do");
	keep_out(w, choice, &d);
	w->topology = rset_of(p, &w->choice[choice].answer, 1);
	why_allow_type(w);
	if (!w->enough.n && g->type == GROUP_ANTI_AFFINITY)
		buf_addf(why_or(w), "allow another %s", key);
	why_add(w, codes[g->type], req_key_name(p, g->key));
}

void why_domain(struct why_try *w)
{
	struct reqpool *p = w->r->s->c->rp;
	rsetid all = why_reqs(w), none = without(w, UINT32_MAX), left = RSET_EMPTY;
	bool one_helps = false;

	/* Without any domain nothing is better: something else is in the way. */
	if (!w->nchoice || reach(w, all) >= reach(w, none))
		return;
	for (uint32_t i = 0; i < w->nchoice; i++)
		one_helps = one_helps || reach(w, without(w, i)) > reach(w, all);
	for (uint32_t i = 0; i < w->nchoice; i++)
		if (one_helps && reach(w, without(w, i)) == reach(w, all))
			left = rset_add(p, left, w->choice[i].answer);
		else
			blame(w, i);
	w->topology = left;
}
