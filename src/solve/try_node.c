#include "run.h"

/* Placing a pod on a node that exists (Karpenter v1.14.1, A8.8, A8.9). */

static bool fits(const struct solving *r, const struct run_node *n, const struct pod_class *c)
{
	if (r->s->node[n->snode].never)
		return false;
	for (uint32_t i = 0; i < c->nlane; i++)
		if (c->amount[i] > n->left[c->lane[i]])
			return false;
	return true;
}

/* What never changes for the better during a run. */
static bool admits(struct attempt *a, const struct run_node *n)
{
	struct solving *r = a->r;
	struct class_table *t = &r->s->t;
	const struct snode *s = &r->s->state.v[n->snode];
	const struct pod_class *c = a->p->class;
	static const struct attachments none;
	const struct host_port *mine;

	if (!fits(r, n, c))
		return false;
	if (!tolerates_all(t->cluster->in, a->v->toleration, a->v->ntoleration, &s->taints))
		return false;
	/* A node that is over its limit already takes no pod at all. */
	if (s->limits.n &&
	    attachments_exceed(&n->attached, a->p->volumes ? &a->p->volumes->use : &none, &s->limits))
		return false;
	if (c->nport && ports_conflict(t->cluster->in, &n->ports, a->p->pod, c->port, c->nport, &mine))
		return false;
	return rset_compatible(t->cluster->rp, n->reqs, a->v->reqs.set, false) &&
	       (a->v->reqs.host == REQ_NONE || req_allows(t->cluster->rp, a->v->reqs.host, s->host));
}

static bool try_alternative(struct attempt *a, const struct snode *s, rsetid base, const struct hreqs *vol,
			    rsetid *ret_reqs)
{
	struct reqpool *p = a->r->s->c->rp;
	rsetid reqs = base, tight;

	if (vol) {
		if (!rset_compatible(p, reqs, vol->set, false) ||
		    (vol->host != REQ_NONE && !req_allows(p, vol->host, s->host)))
			return false;
		reqs = rset_intersect(p, reqs, vol->set);
	}
	if (!topology_tighten(&a->r->y, a->p->class, a->v, reqs, &tight) ||
	    !rset_compatible(p, reqs, tight, false))
		return false;
	*ret_reqs = rset_intersect(p, reqs, tight);
	return true;
}

bool node_try(struct attempt *a, struct run_node *n, struct fit *ret_fit, bool *ret_final)
{
	const struct snode *s = &a->r->s->state.v[n->snode];
	const struct pod_volumes *vol = a->p->volumes;
	rsetid base;

	*ret_final = true;
	if (!admits(a, n) || !topology_host_ok(&a->r->y, a->p->class, a->v, s->host, ret_final))
		return false;
	*ret_final = false;
	base = rset_intersect(a->r->s->c->rp, n->reqs, a->v->reqs.set);
	if (!vol || !vol->nalternative)
		return try_alternative(a, s, base, NULL, &ret_fit->reqs);
	for (uint32_t i = 0; i < vol->nalternative; i++)
		if (try_alternative(a, s, base, &vol->alternative[i], &ret_fit->reqs))
			return true;
	return false;
}

void node_add(struct attempt *a, struct run_node *n, uint32_t pod, const struct fit *fit)
{
	struct solving *r = a->r;
	const struct snode *s = &r->s->state.v[n->snode];
	const struct pod_class *c = a->p->class;
	struct place at = {s->host, &s->taints};

	VEC_PUSH(r->arena, &n->pods, pod);
	for (uint32_t i = 0; i < c->nlane; i++)
		n->left[c->lane[i]] -= c->amount[i];
	n->reqs = fit->reqs;
	topology_record(&r->y, c, &at, fit->reqs);
	ports_add(r->arena, &n->ports, a->p->pod, c->port, c->nport);
	if (a->p->volumes)
		attachments_add(r->arena, &n->attached, &a->p->volumes->use);
}
