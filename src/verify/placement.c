#include "verify_impl.h"

#include <float.h>

/* One place at a time: what its pods ask, and what a NodeClaim promises (karpenter-core A7, A8, A10, A15). */

sid lacking(const struct reslist *want, const struct reslist *total)
{
	for (uint32_t i = 0; i < total->n; i++)
		if (total->v[i].v < 0)
			return total->v[i].name;
	for (uint32_t i = 0; i < want->n; i++)
		if (want->v[i].v > reslist_amount(total, want->v[i].name))
			return want->v[i].name;
	return SID_NONE;
}

const struct offering *offering_of(const struct scene *s, const struct itype *t, rsetid reqs, bool dearest)
{
	const struct offering *best = NULL;

	for (uint32_t i = 0; i < t->noffering; i++) {
		const struct offering *o = &t->offering[i];

		if (!o->available || (best && (dearest ? o->price <= best->price : o->price >= best->price)))
			continue;
		if (reqs_admit(s->c, reqs, o->reqs))
			best = o;
	}
	return best;
}

/* --- one pod on one place --- */

static bool meets(const struct scene *s, const struct place *p, const struct match_expr *e)
{
	return p->fresh ? reqs_ensure(s->c, p->fresh->reqs, e) : labels_meet(s->c, p->labels, p->host, e);
}

/* Expressions that contradict one another leave a label that must not exist (A6.4). */
static bool absent_by_contradiction(const struct scene *s, const struct place *p, const struct node_term *t,
				    const struct labels *selector, sid key)
{
	const struct match_expr absent = {.key = key, .op = intern_cstr(s->c->in, "DoesNotExist")};
	uint32_t n = selector && labels_get(selector, key) != SID_NONE;

	for (uint32_t i = 0; i < t->n; i++)
		n += t->expr[i].key == key;
	return n > 1 && meets(s, p, &absent);
}

/* selector: what must hold too, when it is of the same pod. */
static bool meets_term(const struct scene *s, const struct place *p, const struct node_term *t,
		       const struct labels *selector, bool without_host)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (!(without_host && t->expr[i].key == LBL_HOSTNAME) && !meets(s, p, &t->expr[i]) &&
		    !absent_by_contradiction(s, p, t, selector, t->expr[i].key))
			return false;
	return true;
}

/* Whether a required term asks for another value than the node selector, and the label is absent (A6.4). */
static bool selector_contradicted(const struct scene *s, const struct place *p, const struct pod_spec *spec,
				  sid key)
{
	for (uint32_t i = 0; i < spec->nrequired; i++)
		if (absent_by_contradiction(s, p, &spec->required[i], &spec->node_selector, key))
			return true;
	return false;
}

bool selector_met(const struct scene *s, const struct place *p, const struct pod_spec *spec)
{
	struct match_expr e = {.op = intern_cstr(s->c->in, "In"), .n = 1};
	bool any = spec->nrequired == 0;

	for (uint32_t i = 0; i < spec->node_selector.n; i++) {
		e.key = spec->node_selector.v[i].key;
		e.values = &spec->node_selector.v[i].val;
		if (!meets(s, p, &e) && !selector_contradicted(s, p, spec, e.key))
			return false;
	}
	for (uint32_t i = 0; i < spec->nrequired && !any; i++)
		any = meets_term(s, p, &spec->required[i], &spec->node_selector, false);
	return any;
}

static bool taints_tolerated(const struct scene *s, const struct place *p, const struct pod_spec *spec)
{
	for (uint32_t i = 0; i < p->taints.n; i++)
		if (p->taints.v[i].effect != EFFECT_PREFER_NO_SCHEDULE &&
		    !tolerates(s->c, spec->toleration, spec->ntoleration, &p->taints.v[i]))
			return false;
	return true;
}

static bool any_term(const struct scene *s, const struct place *p, const struct node_term *t, uint32_t n,
		     bool without_host)
{
	bool any = true;

	for (uint32_t i = 0; i < n; i++) {
		if (!t[i].n)
			continue;
		if (meets_term(s, p, &t[i], NULL, without_host))
			return true;
		any = false;
	}
	return any;
}

static bool volumes_met(const struct scene *s, const struct place *p, const struct pod *pod)
{
	for (uint32_t i = 0; i < pod->spec->nvolume; i++) {
		const struct pod_volume *v = &pod->spec->volume[i];
		sid name = v->claim;
		const struct storage_class *class;
		const struct pvc *pvc;
		const struct pv *pv;

		if (v->ephemeral)
			name = intern_cstr(s->c->in, arena_printf(s->a, "%s-%s", name_of(s, pod->meta.name),
								  name_of(s, v->name)));
		pvc = name == SID_NONE ? NULL : cluster_pvc(s->c, pod->meta.ns, name);
		if (!pvc)
			continue;
		if (pvc->volume_name != SID_EMPTY) {
			pv = cluster_pv(s->c, pvc->volume_name);
			if (pv && !any_term(s, p, pv->term, pv->nterm, pv->local))
				return false;
			continue;
		}
		class = pvc->storage_class == SID_NONE ? NULL
						       : cluster_storage_class(s->c, pvc->storage_class);
		if (class && !any_term(s, p, class->term, class->nterm, false))
			return false;
	}
	return true;
}

bool check_pod(struct scene *s, const struct place *p, uint32_t pod, bool say)
{
	const struct pod *one = &s->c->pods.v[pod];
	const char *rule = NULL;

	s->out->checks++;
	if (!selector_met(s, p, one->spec))
		rule = "selector";
	else if (!volumes_met(s, p, one))
		rule = "volume";
	else if (!taints_tolerated(s, p, one->spec))
		rule = "taint";
	if (rule && say)
		finding(s, rule, "pod %s may not run on %s", pod_text(s, pod), p->what);
	return !rule;
}

static void check_port_pair(struct scene *s, const struct place *p, uint32_t x, uint32_t y)
{
	const struct pod_spec *a = s->c->pods.v[x].spec, *b = s->c->pods.v[y].spec;

	for (uint32_t i = 0; i < a->ncontainer; i++)
		for (uint32_t k = 0; k < a->container[i].nport; k++)
			for (uint32_t j = 0; j < b->ncontainer; j++)
				for (uint32_t m = 0; m < b->container[j].nport; m++)
					if (ports_meet(s->c, &a->container[i].port[k],
						       &b->container[j].port[m])) {
						finding(s, "port", "pods %s and %s both want port %d of %s",
							pod_text(s, x), pod_text(s, y),
							a->container[i].port[k].port, p->what);
						return;
					}
}

static bool has_ports(const struct scene *s, uint32_t pod)
{
	const struct pod_spec *spec = s->c->pods.v[pod].spec;

	for (uint32_t i = 0; i < spec->ncontainer; i++)
		if (spec->container[i].nport)
			return true;
	return false;
}

void check_ports(struct scene *s, const struct place *p)
{
	for (uint32_t i = 0; i < p->pods.n; i++)
		for (uint32_t k = 0; k < i && has_ports(s, p->pods.v[i]); k++)
			if (s->placed[p->pods.v[i]] || s->placed[p->pods.v[k]])
				check_port_pair(s, p, p->pods.v[i], p->pods.v[k]);
}

/* --- nodes --- */

static struct reslist requests_of(const struct scene *s, const struct place *p)
{
	struct reslist sum = {0};

	for (uint32_t i = 0; i < p->pods.n; i++)
		sum = reslist_add(s->c->in, s->a, &sum, &s->c->pods.v[p->pods.v[i]].requests);
	return sum;
}

void check_node(struct scene *s, const struct place *p)
{
	struct reslist used = requests_of(s, p), daemons = daemons_to_come(s, p);

	if (p->deleting || p->removed)
		finding(s, "place", "pods are placed on %s, which goes away", p->what);
	used = reslist_add(s->c->in, s->a, &used, &daemons);
	for (uint32_t i = 0; i < p->pods.n; i++) {
		const struct reslist *want = &s->c->pods.v[p->pods.v[i]].requests;

		if (!s->placed[p->pods.v[i]])
			continue;
		check_pod(s, p, p->pods.v[i], true);
		for (uint32_t k = 0; k < want->n; k++)
			if (want->v[k].v > 0 && reslist_amount(&used, want->v[k].name) >
							reslist_amount(&p->allocatable, want->v[k].name))
				finding(s, "fit", "%s lacks %s for pod %s", p->what,
					name_of(s, want->v[k].name), pod_text(s, p->pods.v[i]));
	}
	check_ports(s, p);
}

/* --- NodeClaims --- */

static void check_pool(struct scene *s, const struct place *p)
{
	const struct plan_claim *d = p->fresh;
	const struct node_pool *np = d->pool;
	struct match_expr e;

	if (!d->is_static && !pool_usable(s->c, np))
		finding(s, "pool", "%s: its NodePool takes no part", p->what);
	for (uint32_t i = 0; i < np->nreq; i++) {
		e = (struct match_expr){np->req[i].key, np->req[i].op, np->req[i].n, np->req[i].values};
		s->out->checks++;
		if (!reqs_ensure(s->c, d->reqs, &e))
			finding(s, "pool", "%s leaves %s open to what its NodePool excludes", p->what,
				name_of(s, e.key));
	}
	for (uint32_t i = 0; i < np->template_labels.n; i++)
		if (labels_get(&d->labels, np->template_labels.v[i].key) != np->template_labels.v[i].val)
			finding(s, "pool", "%s lacks the label %s of its NodePool", p->what,
				name_of(s, np->template_labels.v[i].key));
	if (labels_get(&d->labels, LBL_NODEPOOL) != np->meta.name)
		finding(s, "pool", "%s does not name its NodePool", p->what);
}

static bool only_reserved(const struct scene *s, rsetid reqs)
{
	return reqs_find(s->c, reqs, LBL_CAPACITY_TYPE) &&
	       reqs_allow(s->c, reqs, LBL_CAPACITY_TYPE, CAP_RESERVED) &&
	       !reqs_allow(s->c, reqs, LBL_CAPACITY_TYPE, CAP_SPOT) &&
	       !reqs_allow(s->c, reqs, LBL_CAPACITY_TYPE, CAP_ON_DEMAND);
}

static rsetid before_narrowing(const struct scene *s, rsetid reqs)
{
	sid own = s->c->settings.reservation_label;

	reqs = rset_without(s->c->rp, reqs, req_key(s->c->rp, LBL_CAPACITY_TYPE));
	return rset_without(s->c->rp, reqs, req_key(s->c->rp, own == SID_NONE ? LBL_CR_ID : own));
}

static void check_types(struct scene *s, const struct place *p, const struct reslist *requests)
{
	const struct plan_claim *d = p->fresh;
	/* A capacity type decided afterwards leaves types without it (A15.1, B7.9). */
	bool narrowed = s->disrupting || only_reserved(s, d->reqs);
	rsetid reqs = narrowed ? before_narrowing(s, d->reqs) : d->reqs;
	double before = 0;

	for (uint32_t i = 0; i < d->ntype; i++) {
		const struct itype *t = d->type[i];
		const struct offering *o = offering_of(s, t, d->reqs, false);
		struct reslist all = daemons_on_type(s, d->pool, t);
		double price = o ? o->price : DBL_MAX;
		sid lack;

		all = reslist_add(s->c->in, s->a, &all, requests);
		lack = lacking(&all, &t->allocatable);
		s->out->checks++;
		if (lack != SID_NONE)
			finding(s, "fit", "%s: type %s lacks %s", p->what, name_of(s, t->name),
				name_of(s, lack));
		if (!reqs_meet(s->c, t->reqs, reqs))
			finding(s, "type", "%s: type %s does not meet the requirements", p->what,
				name_of(s, t->name));
		if (!o && !narrowed)
			finding(s, "type", "%s: type %s has no offering", p->what, name_of(s, t->name));
		if (price < before && !narrowed)
			finding(s, "type", "%s: type %s is cheaper than the one before", p->what,
				name_of(s, t->name));
		before = price;
	}
	if (!d->ntype)
		finding(s, "type", "%s has no instance type", p->what);
}

static uint32_t values_of_types(struct scene *s, const struct plan_claim *d, keyid key)
{
	const struct req_key *k = &s->c->rp->keys.v[key];
	bool *seen = ARENA_ARRAY(s->a, bool, k->nvalues);
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->ntype; i++) {
		const struct req *r = reqs_find(s->c, d->type[i]->reqs, k->name);

		for (uint32_t v = 0; r && v < r->nwords * 64 && v < k->nvalues; v++)
			if ((r->bits[v / 64] >> (v % 64) & 1) && !seen[v]) {
				seen[v] = true;
				n++;
			}
	}
	return n;
}

static void check_min_values(struct scene *s, const struct place *p)
{
	const struct plan_claim *d = p->fresh;
	const struct rset *set = rset_get(s->c->rp, d->reqs);
	bool strict = !s->c->settings.min_values_best_effort;

	for (uint32_t i = 0; i < set->n && strict; i++) {
		const struct req *r = req_get(s->c->rp, set->req[i]);

		if (r->min_values > 0 && values_of_types(s, d, r->key) < (uint32_t)r->min_values)
			finding(s, "minvalues", "%s keeps fewer than %d values of %s", p->what, r->min_values,
				name_of(s, req_key_name(s->c->rp, r->key)));
	}
	for (uint32_t i = 0; i < d->pool->nreq && strict; i++) {
		const struct api_requirement *q = &d->pool->req[i];
		const struct req *r = reqs_find(s->c, d->reqs, label_normalize(s->c->in, q->key));

		if (q->min_values > 0 && (!r || r->min_values < q->min_values))
			finding(s, "minvalues", "%s forgets minValues of %s", p->what, name_of(s, q->key));
	}
}

static void check_launch(struct scene *s, const struct place *p)
{
	const struct plan_claim *d = p->fresh;
	const struct launch *l = &d->launch;
	bool found = false;

	for (uint32_t i = 0; i < d->ntype; i++)
		for (uint32_t k = 0; d->type[i]->name == l->type && k < d->type[i]->noffering; k++) {
			const struct offering *o = &d->type[i]->offering[k];

			if (o->available && o->zone == l->zone && o->capacity_type == l->capacity_type &&
			    o->price <= l->price && o->price >= l->price)
				found = true;
		}
	if (!found)
		finding(s, "launch", "%s: %s in %s, %s, is not on offer", p->what, name_of(s, l->type),
			name_of(s, l->zone), name_of(s, l->capacity_type));
	if ((l->zone != SID_NONE && !reqs_allow(s->c, d->reqs, LBL_ZONE, l->zone)) ||
	    !reqs_allow(s->c, d->reqs, LBL_CAPACITY_TYPE, l->capacity_type))
		finding(s, "launch", "%s excludes %s, %s", p->what, name_of(s, l->zone),
			name_of(s, l->capacity_type));
}

void check_claim(struct scene *s, const struct place *p)
{
	const struct plan_claim *d = p->fresh;
	struct reslist requests = requests_of(s, p);

	check_pool(s, p);
	if (!d->is_static) {
		check_types(s, p, &requests);
		check_min_values(s, p);
	}
	for (uint32_t i = 0; i < requests.n; i++)
		if (reslist_amount(&d->requests, requests.v[i].name) < requests.v[i].v)
			finding(s, "fit", "%s requests less %s than its pods", p->what,
				name_of(s, requests.v[i].name));
	if (d->launch.type != SID_NONE && !d->is_static)
		check_launch(s, p);
	for (uint32_t i = 0; i < p->pods.n; i++)
		check_pod(s, p, p->pods.v[i], true);
	check_ports(s, p);
}
