#include "verify_impl.h"

/*
 * Spread, affinity and anti-affinity over who is where in the end (karpenter-core A13). Pods that the same
 * words select form a group, and a group knows how many of them each domain has.
 */

/* A domain of hostnames is the place itself. */
#define HOST_DOMAIN 0x80000000u

struct selection {
	sid key, own_ns;                   /* own_ns: when nothing else is said */
	const struct affinity_term *where; /* its namespaces; NULL: own_ns */
	struct label_selector selector;
};

struct tally {
	uint32_t domain, all, placed;
};

struct group {
	struct selection of;
	VEC(struct tally) tally;
	struct idmap at; /* domain -> tally */
};

struct groups {
	struct scene *s;
	VEC(struct group *) v;
};

/* --- domains --- */

struct domain_list {
	uint32_t n;
	const uint32_t *v;
};

/* Pods that run already are where the Node says; a Node that is not registered yet has another hostname than
 * the NodeClaim that new pods go to. */
static struct domain_list domains_of(struct scene *s, uint32_t pod, sid key)
{
	const struct place *p = &s->place.v[s->at[pod]];
	bool runs = !s->placed[pod] && p->node, registered = p->node && p->labels == &p->node->meta.labels;
	uint32_t *one = ARENA_ARRAY(s->a, uint32_t, 1);
	struct domain_list out = {1, one};

	if (key == LBL_HOSTNAME) {
		*one = HOST_DOMAIN | s->at[pod];
		out.n = !runs || registered;
	} else if (p->fresh) {
		if (!reqs_values(s, p->fresh->reqs, key, &out.v, &out.n))
			out.n = 0;
	} else {
		*one = labels_get(runs ? &p->node->meta.labels : p->labels, key);
		out.n = *one != SID_NONE;
	}
	return out;
}

/* --- groups --- */

static bool same_expr(const struct match_expr *x, const struct match_expr *y)
{
	if (x->key != y->key || x->op != y->op || x->n != y->n)
		return false;
	for (uint32_t i = 0; i < x->n; i++)
		if (x->values[i] != y->values[i])
			return false;
	return true;
}

static bool same_labels(const struct labels *x, const struct labels *y)
{
	if (x->n != y->n)
		return false;
	for (uint32_t i = 0; i < x->n; i++)
		if (x->v[i].key != y->v[i].key || x->v[i].val != y->v[i].val)
			return false;
	return true;
}

static bool same_selector(const struct label_selector *x, const struct label_selector *y)
{
	if (x->present != y->present || x->invalid != y->invalid || x->n != y->n ||
	    !same_labels(&x->match, &y->match))
		return false;
	for (uint32_t i = 0; i < x->n; i++)
		if (!same_expr(&x->expr[i], &y->expr[i]))
			return false;
	return true;
}

static bool names_namespaces(const struct affinity_term *t)
{
	return t && (t->nns || t->ns_selector.present);
}

static bool same_selection(const struct selection *x, const struct selection *y)
{
	if (x->key != y->key || !same_selector(&x->selector, &y->selector) ||
	    names_namespaces(x->where) != names_namespaces(y->where))
		return false;
	if (!names_namespaces(x->where))
		return x->own_ns == y->own_ns;
	if (x->where->nns != y->where->nns || !same_selector(&x->where->ns_selector, &y->where->ns_selector))
		return false;
	for (uint32_t i = 0; i < x->where->nns; i++)
		if (x->where->ns[i] != y->where->ns[i])
			return false;
	return true;
}

static bool in_namespaces(const struct scene *s, const struct selection *of, sid ns)
{
	if (!names_namespaces(of->where))
		return ns == of->own_ns;
	for (uint32_t i = 0; i < of->where->nns; i++)
		if (of->where->ns[i] == ns)
			return true;
	for (uint32_t i = 0; of->where->ns_selector.present && i < s->c->namespaces.n; i++)
		if (s->c->namespaces.v[i].meta.name == ns)
			return selects(s->c, &of->where->ns_selector, &s->c->namespaces.v[i].meta.labels);
	return false;
}

static bool is_member(const struct scene *s, const struct selection *of, uint32_t pod)
{
	const struct pod *p = &s->c->pods.v[pod];

	return in_namespaces(s, of, p->meta.ns) && selects(s->c, &of->selector, &p->meta.labels);
}

/* Has a place in the end; who waits for one, or is about to leave, has none. */
static bool is_somewhere(const struct scene *s, uint32_t pod)
{
	/* Where a round puts the pods of nodes that go anyway it does not tell. */
	if (s->disrupting && !s->placed[pod] && s->at[pod] != NOWHERE && s->place.v[s->at[pod]].deleting)
		return false;
	return s->at[pod] != NOWHERE && !s->waiting[pod] && !s->place.v[s->at[pod]].removed &&
	       (s->placed[pod] || active(&s->c->pods.v[pod]));
}

static struct tally *tally_of(struct scene *s, struct group *g, uint32_t domain)
{
	uint32_t at;

	if (!idmap_get(&g->at, domain, &at)) {
		at = g->tally.n;
		idmap_put(&g->at, domain, at);
		VEC_PUSH(s->a, &g->tally, ((struct tally){.domain = domain}));
	}
	return &g->tally.v[at];
}

static struct group *group_of(struct groups *all, const struct selection *of)
{
	struct scene *s = all->s;
	struct group *g;

	for (uint32_t i = 0; i < all->v.n; i++)
		if (same_selection(&all->v.v[i]->of, of))
			return all->v.v[i];
	g = ARENA_NEW(s->a, struct group);
	g->of = *of;
	idmap_init(&g->at, s->a);
	for (uint32_t i = 0; i < s->c->pods.n; i++) {
		struct domain_list d;

		if (!is_somewhere(s, i) || !is_member(s, of, i))
			continue;
		d = domains_of(s, i, of->key);
		for (uint32_t k = 0; k < d.n; k++) {
			struct tally *t = tally_of(s, g, d.v[k]);

			t->all++;
			t->placed += s->placed[i];
		}
	}
	VEC_PUSH(s->a, &all->v, g);
	return g;
}

/* --- affinity and anti-affinity --- */

static void check_anti(struct groups *all, uint32_t pod, const struct affinity_term *t)
{
	struct scene *s = all->s;
	struct selection of = {t->topology_key, s->c->pods.v[pod].meta.ns, t, t->selector};
	struct group *g = group_of(all, &of);
	struct domain_list d = domains_of(s, pod, t->topology_key);
	uint32_t self = is_member(s, &of, pod);

	s->out->checks++;
	for (uint32_t i = 0; i < d.n; i++) {
		const struct tally *n = tally_of(s, g, d.v[i]);

		/* Between pods that ran before, Karpenter decided nothing. */
		if (s->placed[pod] ? n->all > self : n->placed > 0) {
			finding(s, "anti", "pod %s shares a domain of %s with what it avoids",
				pod_text(s, pod), name_of(s, t->topology_key));
			return;
		}
	}
}

static bool mentions(const struct pod_spec *spec, sid key)
{
	for (uint32_t i = 0; i < spec->nrequired; i++)
		for (uint32_t k = 0; k < spec->required[i].n; k++)
			if (spec->required[i].expr[k].key == key)
				return true;
	return labels_get(&spec->node_selector, key) != SID_NONE;
}

static bool met_before(const struct group *g)
{
	for (uint32_t i = 0; i < g->tally.n; i++)
		if (g->tally.v[i].all > g->tally.v[i].placed)
			return true;
	return false;
}

static void check_affinity(struct groups *all, uint32_t pod, const struct affinity_term *t)
{
	struct scene *s = all->s;
	struct selection of = {t->topology_key, s->c->pods.v[pod].meta.ns, t, t->selector};
	struct group *g = group_of(all, &of);
	struct domain_list d = domains_of(s, pod, t->topology_key);
	uint32_t self = is_member(s, &of, pod);

	/* Without a selector it counts every pod and selects none. */
	if (!t->selector.present)
		return;
	s->out->checks++;
	for (uint32_t i = 0; i < d.n; i++)
		if (tally_of(s, g, d.v[i])->all > self)
			return;
	if (self && (!met_before(g) || mentions(s->c->pods.v[pod].spec, t->topology_key)))
		return;
	finding(s, "affinity", "pod %s has nothing that it wants in its domain of %s", pod_text(s, pod),
		name_of(s, t->topology_key));
}

/* --- spread --- */

static struct label_selector with_match_keys(struct scene *s, const struct spread_constraint *t,
					     const struct labels *own)
{
	struct label_selector out = t->selector;

	out.expr = ARENA_ARRAY(s->a, struct match_expr, (size_t)out.n + t->nmatch_keys);
	for (uint32_t i = 0; i < out.n; i++)
		out.expr[i] = t->selector.expr[i];
	for (uint32_t i = 0; i < t->nmatch_keys; i++) {
		sid *value = ARENA_NEW(s->a, sid);

		*value = labels_get(own, t->match_keys[i]);
		if (*value == SID_NONE)
			continue;
		out.expr[out.n++] =
			(struct match_expr){t->match_keys[i], intern_cstr(s->c->in, "In"), 1, value};
	}
	return out;
}

/* Whether the other pod is held to the same, so that its placement kept the bound too. */
static bool answers_to(struct scene *s, uint32_t pod, const struct spread_constraint *t,
		       const struct selection *of, uint32_t other)
{
	const struct pod *x = &s->c->pods.v[pod], *y = &s->c->pods.v[other];

	if (x->meta.ns != y->meta.ns)
		return false;
	if (x->spec != y->spec && (x->spec->nrequired || y->spec->nrequired ||
				   !same_labels(&x->spec->node_selector, &y->spec->node_selector)))
		return false;
	for (uint32_t i = 0; i < y->spec->nspread; i++) {
		const struct spread_constraint *u = &y->spec->spread[i];
		struct label_selector selector;

		if (u->schedule_anyway || u->topology_key != t->topology_key || u->max_skew != t->max_skew ||
		    u->min_domains != t->min_domains || u->honor_affinity != t->honor_affinity ||
		    u->honor_taints != t->honor_taints)
			continue;
		selector = with_match_keys(s, u, &y->meta.labels);
		if (same_selector(&selector, &of->selector))
			return true;
	}
	return false;
}

/* Whether pods on a place count for a constraint (nodeAffinityPolicy). Those that run there already are
 * judged by the labels that the Node has so far. */
static bool counts_there(struct scene *s, uint32_t pod, const struct spread_constraint *t,
			 const struct place *p, bool runs)
{
	struct place seen = *p;

	if (!t->honor_affinity)
		return true;
	if (runs && p->node)
		seen.labels = &p->node->meta.labels;
	return selector_met(s, &seen, s->c->pods.v[pod].spec);
}

/* Karpenter keeps one count for constraints that differ in minDomains, or in the values of node selectors
 * only (A13.9); what it then compares depends on which pod came first. */
static bool shared(struct scene *s, uint32_t pod, const struct spread_constraint *t,
		   const struct selection *of)
{
	for (uint32_t i = 0; i < s->c->pods.n; i++) {
		const struct pod *p = &s->c->pods.v[i];

		if ((!s->placed[i] && !s->waiting[i]) || p->spec == s->c->pods.v[pod].spec)
			continue;
		for (uint32_t k = 0; k < p->spec->nspread; k++) {
			const struct spread_constraint *u = &p->spec->spread[k];
			struct label_selector selector;

			if (u->topology_key != t->topology_key || u->max_skew != t->max_skew)
				continue;
			selector = with_match_keys(s, u, &p->meta.labels);
			if (p->meta.ns == of->own_ns && same_selector(&selector, &of->selector) &&
			    !answers_to(s, pod, t, of, i))
				return true;
		}
	}
	return false;
}

struct spread_count {
	struct scene *s;
	VEC(struct tally) v;
	struct idmap at;
	VEC(uint32_t) here; /* pods placed in the pod's domain */
	bool judged;        /* they all answer to the constraint */
};

static struct tally *spread_tally(struct spread_count *n, uint32_t domain)
{
	uint32_t at;

	if (!idmap_get(&n->at, domain, &at)) {
		at = n->v.n;
		idmap_put(&n->at, domain, at);
		VEC_PUSH(n->s->a, &n->v, ((struct tally){.domain = domain}));
	}
	return &n->v.v[at];
}

static void count_spread(struct spread_count *n, uint32_t pod, const struct spread_constraint *t,
			 const struct selection *of, uint32_t mine)
{
	struct scene *s = n->s;

	idmap_init(&n->at, s->a);
	n->judged = true;
	for (uint32_t i = 0; i < s->c->pods.n; i++) {
		struct domain_list d;

		if (!is_somewhere(s, i) || !is_member(s, of, i) ||
		    !counts_there(s, pod, t, &s->place.v[s->at[i]], !s->placed[i]))
			continue;
		d = domains_of(s, i, t->topology_key);
		if (d.n != 1)
			continue;
		spread_tally(n, d.v[0])->all++;
		if (!s->placed[i])
			continue;
		spread_tally(n, d.v[0])->placed++;
		if (d.v[0] != mine)
			continue;
		VEC_PUSH(s->a, &n->here, i);
		if (!answers_to(s, pod, t, of, i))
			n->judged = false;
	}
}

/* Domains that NodePools can make, and those of nodes. */
static void know_domains(struct spread_count *n, uint32_t pod, const struct spread_constraint *t)
{
	struct scene *s = n->s;
	sid key = t->topology_key;

	for (uint32_t i = 0; i < s->c->pools.n; i++) {
		const struct node_pool *np = &s->c->pools.v[i];
		const struct itype_list *types = s->in->types[i];
		rsetid reqs;

		if (!pool_usable(s->c, np) || !types || !types->n)
			continue;
		reqs = pool_reqs(s, np);
		const struct req *own = reqs_find(s->c, reqs, key);
		const sid *v;
		uint32_t k;

		if (own && !own->complement && reqs_values(s, reqs, key, &v, &k))
			for (uint32_t m = 0; m < k; m++)
				spread_tally(n, v[m]);
		for (uint32_t j = 0; j < types->n; j++) {
			if (!reqs_values(s, types->v[j].reqs, key, &v, &k))
				continue;
			for (uint32_t m = 0; m < k; m++)
				if (reqs_allow(s->c, reqs, key, v[m]))
					spread_tally(n, v[m]);
		}
	}
	for (uint32_t i = 0; i < s->place.n; i++) {
		const struct place *p = &s->place.v[i];
		sid value = p->node ? labels_get(&p->node->meta.labels, key) : SID_NONE;

		if (value != SID_NONE && !p->deleting && !p->removed && counts_there(s, pod, t, p, true))
			spread_tally(n, value);
	}
}

/* Leaves the domains that the pod may be in. Whether there are enough of them for minDomains. */
static bool allowed_domains(struct spread_count *n, uint32_t pod, const struct spread_constraint *t)
{
	sid only = labels_get(&n->s->c->pods.v[pod].spec->node_selector, t->topology_key);
	uint32_t kept = 0;

	know_domains(n, pod, t);
	for (uint32_t i = 0; i < n->v.n; i++)
		if (only == SID_NONE || n->v.v[i].domain == only)
			n->v.v[kept++] = n->v.v[i];
	n->v.n = kept;
	return t->min_domains <= 0 || kept >= (uint32_t)t->min_domains;
}

static uint32_t least_count(const struct spread_count *n)
{
	uint32_t least = INT32_MAX;

	for (uint32_t i = 0; i < n->v.n; i++)
		if (n->v.v[i].all < least)
			least = n->v.v[i].all;
	return least;
}

static bool same_tolerations(const struct pod_spec *x, const struct pod_spec *y)
{
	if (x->ntoleration != y->ntoleration)
		return false;
	for (uint32_t i = 0; i < x->ntoleration; i++) {
		const struct toleration *t = &x->toleration[i], *u = &y->toleration[i];

		if (t->key != u->key || t->op != u->op || t->value != u->value || t->effect != u->effect)
			return false;
	}
	return true;
}

/* Whether the pod, when nothing else helps, is given a toleration of PreferNoSchedule (A11.2). */
static bool softens(const struct scene *s, const struct pod_spec *spec)
{
	const struct taints none = {0}, *taints = &none;

	for (uint32_t i = 0; i < spec->ntoleration; i++) {
		const struct toleration *t = &spec->toleration[i];

		if ((t->key == SID_NONE || t->key == SID_EMPTY) && t->op == STR_EXISTS &&
		    t->effect == EFFECT_PREFER_NO_SCHEDULE)
			return false;
	}
	for (uint32_t i = 0; i < s->c->pools.n; i++) {
		taints = pool_usable(s->c, &s->c->pools.v[i]) ? &s->c->pools.v[i].taints : &none;
		for (uint32_t k = 0; k < taints->n; k++)
			if (taints->v[k].effect == EFFECT_PREFER_NO_SCHEDULE)
				return true;
	}
	return false;
}

/* How many counts of a constraint there may be. A pod that gives up a required term, or is given a
 * toleration, counts by other words than before (A13.9); that count starts when the first pod gets there,
 * without those that the run has placed by then (A13.6). */
static uint32_t counts_kept(const struct spread_count *n, uint32_t pod)
{
	const struct scene *s = n->s;
	uint32_t terms = s->c->pods.v[pod].spec->nrequired, counts = terms > 1 ? terms : 1;

	for (uint32_t i = 0; i < n->here.n; i++) {
		const struct pod_spec *spec = s->c->pods.v[n->here.v[i]].spec;
		bool known = !softens(s, spec);

		for (uint32_t k = 0; k < i && !known; k++)
			known = same_tolerations(spec, s->c->pods.v[n->here.v[k]].spec);
		counts += !known;
	}
	return counts;
}

/* The most pods that a run may place in a domain where before were there. It places them in as many parts as
 * there are counts, and each part keeps the bound over the least of its own numbers (at most top), which in
 * no domain come to more than was placed; used: by domain, what earlier parts take. */
static uint32_t most(struct spread_count *n, uint32_t before, uint32_t skew, uint32_t parts, uint32_t top,
		     const uint32_t *used)
{
	uint32_t best = 0, *now = ARENA_ARRAY(n->s->a, uint32_t, n->v.n);

	for (uint32_t least = top + 1; parts && least-- > 0;) {
		uint32_t got = least + skew > before ? least + skew - before : 0;
		bool fits = true;

		for (uint32_t i = 0; i < n->v.n; i++) {
			const struct tally *t = &n->v.v[i];
			uint32_t there = t->all - t->placed;

			now[i] = used[i] + (least > there ? least - there : 0);
			fits = fits && now[i] <= t->placed;
		}
		if (!fits)
			continue;
		got += most(n, before, skew, parts - 1, least, now);
		best = got > best ? got : best;
	}
	return best;
}

static void check_spread(struct scene *s, uint32_t pod, const struct spread_constraint *t)
{
	const struct pod *p = &s->c->pods.v[pod];
	struct selection of = {t->topology_key, p->meta.ns, NULL, with_match_keys(s, t, &p->meta.labels)};
	struct domain_list d = domains_of(s, pod, t->topology_key);
	struct spread_count n = {.s = s};
	uint32_t least = 0, skew = (uint32_t)t->max_skew;
	struct tally mine;

	s->out->checks++;
	if (d.n != 1) {
		finding(s, "spread", "pod %s has no certain domain of %s", pod_text(s, pod),
			name_of(s, t->topology_key));
		return;
	}
	if (t->topology_key != LBL_HOSTNAME &&
	    (s->disrupting || t->honor_taints ||
	     (mentions(p->spec, t->topology_key) &&
	      labels_get(&p->spec->node_selector, t->topology_key) == SID_NONE)))
		return;
	count_spread(&n, pod, t, &of, d.v[0]);
	if (!n.judged || shared(s, pod, t, &of))
		return;
	mine = *spread_tally(&n, d.v[0]);
	if (t->topology_key == LBL_HOSTNAME)
		n.v.n = 0;
	else if (allowed_domains(&n, pod, t))
		least = least_count(&n);
	if (mine.all > least + skew &&
	    mine.placed > most(&n, mine.all - mine.placed, skew, counts_kept(&n, pod), least,
			       ARENA_ARRAY(s->a, uint32_t, n.v.n)))
		finding(s, "spread", "pod %s: %u pods in its domain of %s, %u in another, maxSkew %d",
			pod_text(s, pod), mine.all, name_of(s, t->topology_key), least, t->max_skew);
}

void check_topology(struct scene *s)
{
	struct groups all = {.s = s};

	for (uint32_t i = 0; i < s->c->pods.n; i++) {
		const struct pod_spec *spec = s->c->pods.v[i].spec;

		if (!is_somewhere(s, i))
			continue;
		for (uint32_t k = 0; k < spec->anti_required.n; k++)
			check_anti(&all, i, &spec->anti_required.v[k]);
		if (!s->placed[i])
			continue;
		for (uint32_t k = 0; k < spec->affinity_required.n && !s->disrupting; k++)
			check_affinity(&all, i, &spec->affinity_required.v[k]);
		for (uint32_t k = 0; k < spec->nspread; k++)
			if (!spec->spread[k].schedule_anyway)
				check_spread(s, i, &spec->spread[k]);
	}
}
