#include <inttypes.h>

#include "topology_impl.h"
#include "why_impl.h"

/* Which of a pod's topology groups a new node of a NodePool cannot satisfy, and what would. */

static void print_term(const struct intern *in, struct buf *out, const struct match_expr *e)
{
	struct str op = intern_str(in, e->op);

	if (str_is(op, "Exists")) {
		buf_adds(out, intern_c(in, e->key));
		return;
	}
	if (str_is(op, "DoesNotExist")) {
		buf_addf(out, "!%s", intern_c(in, e->key));
		return;
	}
	buf_addf(out, "%s %s (", intern_c(in, e->key), str_is(op, "In") ? "in" : "notin");
	for (uint32_t i = 0; i < e->n; i++)
		buf_addf(out, "%s%s", i ? "," : "", intern_c(in, e->values[i]));
	buf_addch(out, ')');
}

void why_selector(const struct intern *in, struct buf *out, const struct topology_group *g)
{
	const struct label_selector *s = g->selector;
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->match.n; i++)
		buf_addf(out, "%s%s=%s", n++ ? "," : "", intern_c(in, s->match.v[i].key),
			 intern_c(in, s->match.v[i].val));
	for (uint32_t i = 0; i < s->n; i++) {
		if (n++)
			buf_addch(out, ',');
		print_term(in, out, &s->expr[i]);
	}
	for (uint32_t i = 0; i < g->nextra; i++)
		buf_addf(out, "%s%s=%s", n++ ? "," : "", intern_c(in, g->extra[i].key),
			 intern_c(in, g->extra[i].val));
	if (!n)
		buf_adds(out, s->present ? "any label" : "nothing");
}

void why_counts(struct why_try *w, struct buf *out, const struct topology_group *g)
{
	enum { SHOWN = 6 };
	const struct reqpool *p = w->r->s->c->rp;
	sid *v = ARENA_ARRAY(w->a, sid, (size_t)g->ndomain + 1);
	uint32_t n = 0;

	for (uint32_t d = 0; d < g->ndomain; d++)
		if (g->state[d] != DOMAIN_UNKNOWN)
			v[n++] = p->keys.v[g->key].value[d];
	intern_sort(p->in, v, n);
	for (uint32_t i = 0; i < n && i < SHOWN; i++) {
		uint32_t d;

		if (idmap_get(&p->keys.v[g->key].index, v[i], &d))
			buf_addf(out, "%s%s %" PRId32, i ? ", " : " (", intern_c(p->in, v[i]), g->count[d]);
	}
	if (n > SHOWN)
		buf_addf(out, ", %" PRIu32 " more", n - SHOWN);
	if (n)
		buf_addch(out, ')');
}

void why_group_name(struct why_try *w, struct buf *out, const struct topology_group *g)
{
	static const char *const names[] = {[GROUP_SPREAD] = "topology spread",
					    [GROUP_AFFINITY] = "pod affinity",
					    [GROUP_ANTI_AFFINITY] = "pod anti-affinity"};
	const struct reqpool *p = w->r->s->c->rp;

	buf_addf(out, "%s%s over %s", names[g->type], g->inverse ? " of other pods" : "",
		 intern_c(p->in, req_key_name(p, g->key)));
	if (g->type == GROUP_SPREAD)
		buf_addf(out, ", maxSkew %" PRId32 ",", g->max_skew);
}

/* The smallest maxSkew that would do; 0: none does. More skew never allows less. */
static int32_t enough_skew(struct why_try *w, const struct topology_group *g, rsetid reqs)
{
	struct topology_group more = *g;
	int32_t lo = g->max_skew + 1, hi = 0;
	reqid one;

	for (uint32_t d = 0; d < g->ndomain; d++)
		hi = g->count[d] >= hi ? g->count[d] + 1 : hi;
	hi = hi > lo ? hi : lo;
	more.max_skew = hi;
	if (!topology_ask(&w->r->y, &more, w->p->class, w->v, w->host, reqs, &one))
		return 0;
	while (lo < hi) {
		more.max_skew = lo + (hi - lo) / 2;
		if (topology_ask(&w->r->y, &more, w->p->class, w->v, w->host, reqs, &one))
			hi = more.max_skew;
		else
			lo = more.max_skew + 1;
	}
	return hi;
}

static uint32_t waiting(const struct why_try *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->r->npod; i++)
		n += w->r->pod[i].error && w->r->pod[i].class == w->p->class;
	return n;
}

/* The same for all pods of the class that wait, placed one after the other. */
static int32_t skew_for_all(struct why_try *w, const struct topology_group *g, rsetid reqs)
{
	enum { MOST = 10000 };
	struct reqpool *p = w->r->s->c->rp;
	struct topology_group more = *g;
	uint32_t n = waiting(w), d;
	int32_t skew = 0;
	reqid one;

	if (g->ndomain)
		more.count = arena_memdup(w->a, g->count, g->ndomain, sizeof(*g->count));
	for (uint32_t i = 0; i < n && i < MOST; i++) {
		int32_t now = enough_skew(w, &more, reqs);

		skew = now > skew ? now : skew;
		more.max_skew = INT32_MAX;
		if (!topology_ask(&w->r->y, &more, w->p->class, w->v, w->host, reqs, &one) ||
		    one == REQ_NONE || !group_selects(&w->r->y, &more, w->p->class) ||
		    !idmap_get(&p->keys.v[g->key].index, req_any(p, one), &d))
			break;
		more.max_skew = g->max_skew;
		more.count[d]++;
	}
	return skew;
}

/* minDomains makes the fewest pods count as none. */
static void min_domains(struct why_try *w, const struct topology_group *g, rsetid reqs)
{
	const struct reqpool *p = w->r->s->c->rp;
	reqid pod = rset_find(p, w->v->strict.set, g->key), one;
	struct topology_group less = *g;
	int32_t n = 0;

	for (uint32_t d = 0; d < g->ndomain; d++)
		n += g->state[d] != DOMAIN_UNKNOWN &&
		     (pod == REQ_NONE || req_allows(p, pod, p->keys.v[g->key].value[d]));
	if (g->min_domains < 0 || n >= g->min_domains)
		return;
	buf_addf(&w->message, ", and of minDomains %" PRId32 " there are %" PRId32, g->min_domains, n);
	less.min_domains = n;
	if (n && topology_ask(&w->r->y, &less, w->p->class, w->v, w->host, reqs, &one))
		buf_addf(why_or(w), "lower minDomains to %" PRId32, n);
}

/* NodePool or pod may be what keeps it from the domains that would do. */
static void allow_domains(struct why_try *w, struct topology_group *g, rsetid reqs)
{
	struct reqpool *p = w->r->s->c->rp;
	struct pod_variant v = *w->v;
	rsetid rest = rset_without(p, reqs, g->key);
	reqid one;

	if (g->host)
		return;
	if (topology_ask(&w->r->y, g, w->p->class, w->v, w->host, rest, &one)) {
		if (rset_find(p, w->m->reqs, g->key) != REQ_NONE && !why_meet(w, w->m->reqs, one))
			why_allow(w, one);
		return;
	}
	v.strict.set = rset_without(p, v.strict.set, g->key);
	rest = rset_intersect(p, rset_without(p, why_asks(w), g->key), w->m->reqs);
	if (v.strict.set != w->v->strict.set &&
	    topology_ask(&w->r->y, g, w->p->class, &v, w->host, rest, &one)) {
		buf_adds(why_or(w), "let the pod allow ");
		why_values(w, &w->enough, one);
	}
}

/* Karpenter places a pod only in domains that it has heard of. */
static enum why_code unknown(struct why_try *w, const struct topology_group *g, enum why_code code)
{
	static const char *const names[] = {[GROUP_SPREAD] = "topology spread",
					    [GROUP_AFFINITY] = "pod affinity",
					    [GROUP_ANTI_AFFINITY] = "pod anti-affinity"};
	const char *key = intern_c(w->r->s->c->in, req_key_name(w->r->s->c->rp, g->key));

	buf_addf(&w->message, "%s: nodes of the NodePool have no known %s", names[g->type], key);
	buf_addf(why_or(w), "give the NodePool a requirement or label %s", key);
	return code;
}

static enum why_code spread(struct why_try *w, struct topology_group *g, rsetid reqs)
{
	const struct intern *in = w->r->s->c->in;
	const char *key = intern_c(in, req_key_name(w->r->s->c->rp, g->key));
	int32_t skew = skew_for_all(w, g, reqs);

	if (!skew)
		return unknown(w, g, WHY_SPREAD);
	buf_addf(&w->message, "topology spread: no %s stays within maxSkew %" PRId32, key, g->max_skew);
	why_counts(w, &w->message, g);
	min_domains(w, g, reqs);
	allow_domains(w, g, reqs);
	buf_addf(why_or(w), "raise maxSkew to %" PRId32, skew);
	if (waiting(w) > 1)
		buf_addf(&w->enough, ", for all %" PRIu32 " pods that wait", waiting(w));
	return WHY_SPREAD;
}

static enum why_code affinity(struct why_try *w, struct topology_group *g, rsetid reqs)
{
	const struct intern *in = w->r->s->c->in;
	const char *key = intern_c(in, req_key_name(w->r->s->c->rp, g->key));

	/* The first of pods that ask for each other goes anywhere that is known. */
	if (!g->nknown && selector_matches(in, g->selector, w->p->class->labels, false))
		return unknown(w, g, WHY_AFFINITY);
	buf_adds(&w->message, "pod affinity: no pod with ");
	why_selector(in, &w->message, g);
	if (!g->ncounted) {
		buf_adds(&w->message, " runs yet");
	} else if (g->host) {
		buf_adds(&w->message, " is on a new node");
	} else {
		buf_addf(&w->message, " is in a %s allowed", key);
		why_counts(w, &w->message, g);
	}
	allow_domains(w, g, reqs);
	if (!g->ncounted) {
		buf_adds(why_or(w), "place a pod with ");
		why_selector(in, &w->enough, g);
		buf_adds(&w->enough, " first");
	} else if (g->host) {
		buf_adds(why_or(w), "make room on the node of such a pod");
	}
	return WHY_AFFINITY;
}

/* Whether a planned node that counts may yet be launched in several domains; it counts in all of them
 * (A13.18). */
static bool undecided(struct why_try *w, struct topology_group *g)
{
	const struct solving *r = w->r;
	const struct reqpool *p = r->s->c->rp;

	for (uint32_t i = 0; i < r->claims.n; i++) {
		const struct claim *c = r->claims.v[i];
		reqid at = rset_find(p, c->reqs, g->key);
		uint32_t n = 2;

		if (at != REQ_NONE && req_operator(p, at) == OP_IN)
			req_values(p, at, w->a, &n);
		for (uint32_t k = 0; k < c->pods.n && n > 1; k++) {
			const struct pod_class *class = r->pod[c->pods.v[k]].class;

			if (g->inverse ? class->id < g->owner.n && g->owner.v[class->id]
				       : group_selects(&w->r->y, g, class))
				return true;
		}
	}
	return false;
}

static enum why_code anti_affinity(struct why_try *w, struct topology_group *g, rsetid reqs)
{
	const struct intern *in = w->r->s->c->in;
	const char *key = intern_c(in, req_key_name(w->r->s->c->rp, g->key));

	if (!g->nknown)
		return unknown(w, g, WHY_ANTI_AFFINITY);
	buf_addf(&w->message, "pod anti-affinity%s: no %s allowed is without a pod ",
		 g->inverse ? " of other pods" : "", key);
	if (g->inverse) {
		buf_adds(&w->message, "that shuns this one");
	} else {
		buf_adds(&w->message, "with ");
		why_selector(in, &w->message, g);
	}
	why_counts(w, &w->message, g);
	allow_domains(w, g, reqs);
	if (!g->host && undecided(w, g)) {
		buf_addf(&w->message, "; a planned node counts in every %s that it may be launched in", key);
		buf_addf(why_or(w), "plan again once the planned nodes are launched%s",
			 waiting(w) > 1 ? ", which places the next pod" : "");
	} else {
		buf_addf(why_or(w), "add a NodePool for another %s", key);
	}
	buf_adds(why_or(w),
		 g->inverse ? "let the other pods drop their anti-affinity" : "drop the anti-affinity");
	return WHY_ANTI_AFFINITY;
}

/* Pods that shun each other meet the same obstacle from both sides. */
static bool known(const struct why_try *w, const struct topology_group *g)
{
	sid key = req_key_name(w->r->s->c->rp, g->key);

	for (uint32_t i = 0; g->inverse && i < w->out.v.n; i++)
		if (w->out.v.v[i].code == WHY_ANTI_AFFINITY && w->out.v.v[i].subject == key)
			return true;
	return false;
}

static void obstacle(struct why_try *w, struct topology_group *g, rsetid reqs)
{
	enum why_code code = WHY_SPREAD;

	if (known(w, g))
		return;
	switch (g->type) {
	case GROUP_SPREAD:
		code = spread(w, g, reqs);
		break;
	case GROUP_AFFINITY:
		code = affinity(w, g, reqs);
		break;
	case GROUP_ANTI_AFFINITY:
		code = anti_affinity(w, g, reqs);
		break;
	}
	why_add(w, code, req_key_name(w->r->s->c->rp, g->key));
}

static void choose(struct why_try *w, struct topology_group *g, reqid answer)
{
	w->topology = rset_add(w->r->s->c->rp, w->topology, answer);
	w->choice[w->nchoice++] = (struct why_choice){g, answer};
}

void why_topology(struct why_try *w)
{
	const struct variant_run *k;
	rsetid base = why_reqs(w);

	topology_own(&w->r->y, w->p->class, w->v);
	k = topology_groups(&w->r->y, w->p->class, w->v);
	w->choice = ARENA_ARRAY(w->a, struct why_choice, k->ngroup + k->ninverse);
	for (uint32_t i = 0; i < k->ngroup + k->ninverse; i++) {
		struct topology_group *g = i < k->ngroup ? k->group[i] : k->inverse[i - k->ngroup];
		reqid one;

		if (!topology_ask(&w->r->y, g, w->p->class, w->v, w->host, base, &one))
			obstacle(w, g, base);
		else if (one != REQ_NONE && !why_meet(w, why_reqs(w), one))
			obstacle(w, g, why_reqs(w));
		else if (one != REQ_NONE)
			choose(w, g, one);
	}
}
