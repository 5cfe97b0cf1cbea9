#include "verify_impl.h"

#include "podreq.h"

/* What DaemonSets ask of a node that is still empty (karpenter-core A12, A8.6). */

struct daemon_pod {
	const struct pod_spec *spec;
	uint32_t nterm;
	const struct node_term *term;
	struct reslist requests;
};

static bool controls(const struct daemon_set *ds, const struct pod *p)
{
	for (uint32_t i = 0; i < p->meta.nowner; i++)
		if (p->meta.owner[i].controller)
			return p->meta.owner[i].uid == ds->meta.uid;
	return false;
}

/* Its newest pod stands for a DaemonSet, else its template. false: the DaemonSet is not counted. */
static bool stand_in(const struct scene *s, const struct daemon_set *ds, struct daemon_pod *ret_d)
{
	const struct pod *newest = NULL;
	const struct node_term *term;
	uint32_t nterm;

	for (uint32_t i = 0; i < s->c->pods.n; i++) {
		const struct pod *p = &s->c->pods.v[i];

		if (p->meta.ns == ds->meta.ns && controls(ds, p) &&
		    (!newest || p->meta.created > newest->meta.created))
			newest = p;
	}
	ret_d->spec = newest ? newest->spec : ds->spec;
	term = ds->spec->has_required_terms ? ds->spec->required : ret_d->spec->required;
	nterm = ds->spec->has_required_terms ? ds->spec->nrequired : ret_d->spec->nrequired;
	ret_d->term = term;
	ret_d->nterm = nterm;
	ret_d->requests =
		newest ? newest->requests : pod_requests_of(s->c->in, s->a, ret_d->spec, PODREQ_LIMITS);
	return nterm <= 1 && !ret_d->spec->resource_claims;
}

static bool tolerates_all(const struct scene *s, const struct daemon_pod *d, const struct taints *taints)
{
	for (uint32_t i = 0; i < taints->n; i++)
		if (taints->v[i].effect != EFFECT_PREFER_NO_SCHEDULE &&
		    !tolerates(s->c, d->spec->toleration, d->spec->ntoleration, &taints->v[i]))
			return false;
	return true;
}

/* Requirements as the pod's own node selector and term. */
static rsetid wishes(const struct scene *s, const struct daemon_pod *d)
{
	struct reqpool *rp = s->c->rp;
	uint32_t n = 0, max = d->spec->node_selector.n + (d->nterm ? d->term[0].n : 0);
	reqid *r = ARENA_ARRAY(s->a, reqid, max);

	for (uint32_t i = 0; i < d->spec->node_selector.n; i++)
		r[n++] = req_in1(rp, req_key(rp, label_normalize(s->c->in, d->spec->node_selector.v[i].key)),
				 d->spec->node_selector.v[i].val);
	for (uint32_t i = 0; d->nterm && i < d->term[0].n; i++) {
		const struct match_expr *e = &d->term[0].expr[i];
		enum req_op op = OP_EXISTS;

		req_op_parse(intern_str(s->c->in, e->op), &op);
		r[n++] =
			req_make(rp, req_key(rp, label_normalize(s->c->in, e->key)), op, e->values, e->n, -1);
	}
	return rset_of(rp, r, n);
}

rsetid pool_reqs(const struct scene *s, const struct node_pool *np)
{
	struct reqpool *rp = s->c->rp;
	uint32_t n = 0;
	reqid *r = ARENA_ARRAY(s->a, reqid, (size_t)np->nreq + np->template_labels.n + 4);
	const char *class_key =
		arena_printf(s->a, "%s/%s", name_of(s, np->class_ref.group), name_of(s, np->class_ref.kind));

	for (char *p = strchr(class_key, '/'); p && *p; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	for (uint32_t i = 0; i < np->nreq; i++) {
		enum req_op op = OP_EXISTS;

		req_op_parse(intern_str(s->c->in, np->req[i].op), &op);
		r[n++] = req_make(rp, req_key(rp, label_normalize(s->c->in, np->req[i].key)), op,
				  np->req[i].values, np->req[i].n, -1);
	}
	for (uint32_t i = 0; i < np->template_labels.n; i++)
		r[n++] = req_in1(rp, req_key(rp, label_normalize(s->c->in, np->template_labels.v[i].key)),
				 np->template_labels.v[i].val);
	r[n++] = req_in1(rp, req_key(rp, LBL_NODEPOOL), np->meta.name);
	r[n++] = req_in1(rp, req_key(rp, LBL_REGISTERED), STR_TRUE);
	r[n++] = req_in1(rp, req_key(rp, LBL_INITIALIZED), STR_TRUE);
	r[n++] = req_in1(rp, req_key(rp, intern_cstr(s->c->in, class_key)), np->class_ref.name);
	return rset_of(rp, r, n);
}

struct reslist daemons_on_type(const struct scene *s, const struct node_pool *np, const struct itype *t)
{
	struct reslist sum = {0};

	for (uint32_t i = 0; i < s->c->daemons.n; i++) {
		struct daemon_pod d;
		rsetid w;

		if (!stand_in(s, &s->c->daemons.v[i], &d) || !tolerates_all(s, &d, &np->taints))
			continue;
		w = wishes(s, &d);
		if (reqs_admit(s->c, pool_reqs(s, np), w) && reqs_meet(s->c, t->reqs, w))
			sum = reslist_add(s->c->in, s->a, &sum, &d.requests);
	}
	return sum;
}

static bool meets_node(const struct scene *s, const struct place *p, const struct daemon_pod *d)
{
	struct match_expr e = {.op = intern_cstr(s->c->in, "In"), .n = 1};

	for (uint32_t i = 0; i < d->spec->node_selector.n; i++) {
		e.key = d->spec->node_selector.v[i].key;
		e.values = &d->spec->node_selector.v[i].val;
		if (!labels_meet(s->c, p->labels, p->host, &e))
			return false;
	}
	for (uint32_t i = 0; d->nterm && i < d->term[0].n; i++)
		if (!labels_meet(s->c, p->labels, p->host, &d->term[0].expr[i]))
			return false;
	return true;
}

struct reslist daemons_to_come(const struct scene *s, const struct place *p)
{
	struct reslist sum = {0}, there = {0}, left;

	for (uint32_t i = 0; i < s->c->daemons.n; i++) {
		struct daemon_pod d;

		if (stand_in(s, &s->c->daemons.v[i], &d) && tolerates_all(s, &d, &p->taints) &&
		    meets_node(s, p, &d))
			sum = reslist_add(s->c->in, s->a, &sum, &d.requests);
	}
	for (uint32_t i = 0; i < p->pods.n; i++) {
		const struct pod *pod = &s->c->pods.v[p->pods.v[i]];

		if (owned_by(s->c, pod, "apps/v1", "DaemonSet"))
			there = reslist_add(s->c->in, s->a, &there, &pod->requests);
	}
	left = reslist_sub(s->a, &sum, &there);
	for (uint32_t i = 0; i < left.n; i++)
		if (left.v[i].v < 0)
			left.v[i].v = 0;
	return left;
}
