/* What topology groups answer: which domains they leave a pod (Karpenter v1.14.1, A13.13 to A13.17). */
#include "topology_impl.h"

/* A side's requirement of the key: anything when it has none. */
static bool allows(const struct reqpool *p, reqid r, keyid k, uint32_t value)
{
	return r == REQ_NONE || req_allows(p, r, p->keys.v[k].value[value]);
}

static bool before(const struct reqpool *p, const struct topology_group *g, uint32_t a, uint32_t b)
{
	return intern_cmp(p->in, p->keys.v[g->key].value[a], p->keys.v[g->key].value[b]) < 0;
}

static int32_t min_count(const struct reqpool *p, const struct topology_group *g, reqid pod)
{
	int32_t min = INT32_MAX, supported = 0;

	for (uint32_t d = 0; d < g->ndomain; d++) {
		if (g->state[d] == DOMAIN_UNKNOWN || !allows(p, pod, g->key, d))
			continue;
		supported++;
		if (g->count[d] < min)
			min = g->count[d];
	}
	return g->min_domains >= 0 && supported < g->min_domains ? 0 : min;
}

/* A13.14: the domain with the fewest pods, UINT32_MAX when none will do. */
static uint32_t spread_domain(const struct reqpool *p, const struct topology_group *g, reqid pod, reqid node,
			      bool self)
{
	int32_t min = min_count(p, g, pod), best_count = INT32_MAX;
	uint32_t best = UINT32_MAX;

	for (uint32_t d = 0; d < g->ndomain; d++) {
		int32_t count = g->count[d] + self;

		if (g->state[d] == DOMAIN_UNKNOWN || (int64_t)count - min > g->max_skew ||
		    !allows(p, node, g->key, d))
			continue;
		if (count < best_count ||
		    (count == best_count && best != UINT32_MAX && before(p, g, d, best))) {
			best = d;
			best_count = count;
		}
	}
	/* Karpenter takes the empty value for none found. */
	return best != UINT32_MAX && p->keys.v[g->key].value[best] == SID_EMPTY ? UINT32_MAX : best;
}

/* Domains of the answer, as values of the key. */
struct answer {
	uint32_t n;
	sid *v;
};

static void answer_add(struct answer *out, const struct reqpool *p, const struct topology_group *g,
		       uint32_t d)
{
	out->v[out->n++] = p->keys.v[g->key].value[d];
}

static uint32_t smallest(const struct reqpool *p, const struct topology_group *g, reqid pod, reqid node)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t d = 0; d < g->ndomain; d++)
		if (g->state[d] != DOMAIN_UNKNOWN && allows(p, pod, g->key, d) &&
		    allows(p, node, g->key, d) && (best == UINT32_MAX || before(p, g, d, best)))
			best = d;
	return best;
}

static bool any_pod_domain(const struct reqpool *p, const struct topology_group *g, reqid pod)
{
	for (uint32_t d = 0; d < g->ndomain; d++)
		if (g->count[d] > 0 && allows(p, pod, g->key, d))
			return true;
	return false;
}

static bool bootstraps(const struct reqpool *p, const struct topology_group *g, reqid pod, bool self)
{
	return self && (g->ncounted == 0 || !any_pod_domain(p, g, pod));
}

/* A13.16. */
static void affinity_domains(const struct reqpool *p, const struct topology_group *g, reqid pod, reqid node,
			     bool self, struct answer *out)
{
	for (uint32_t d = 0; d < g->ndomain; d++)
		if (g->count[d] > 0 && allows(p, pod, g->key, d) && allows(p, node, g->key, d))
			answer_add(out, p, g, d);
	if (out->n || !bootstraps(p, g, pod, self))
		return;
	uint32_t inside = smallest(p, g, pod, node), any = smallest(p, g, pod, REQ_NONE);

	if (inside != UINT32_MAX)
		answer_add(out, p, g, inside);
	if (any != UINT32_MAX)
		answer_add(out, p, g, any);
}

/* A13.17. */
static void anti_affinity_domains(const struct reqpool *p, const struct topology_group *g, reqid pod,
				  reqid node, struct answer *out)
{
	for (uint32_t d = 0; d < g->ndomain; d++)
		if (g->state[d] == DOMAIN_EMPTY && allows(p, pod, g->key, d) && allows(p, node, g->key, d))
			answer_add(out, p, g, d);
}

/* The hostname is one value on either side. */
static bool host_ok(const struct reqpool *p, const struct topology_group *g, reqid pod, sid host,
		    uint32_t value, bool self)
{
	int32_t count = value == UINT32_MAX ? 0 : count_of(g, value);

	switch (g->type) {
	case GROUP_SPREAD:
		return count + self <= g->max_skew;
	case GROUP_AFFINITY:
		return host_allowed(p, pod, host) && (count > 0 || bootstraps(p, g, pod, self));
	case GROUP_ANTI_AFFINITY:
		break;
	}
	return count == 0;
}

/* Both lists of a variant, told apart by key; renewed when further inverse groups have come up. */
static struct variant_run *groups_of(struct topology *y, const struct pod_class *c, struct pod_variant *v)
{
	struct variant_run *r = v->r;
	uint32_t n = r->ngroup;

	if (r->inverse_seen == y->inverse.n)
		return r;
	r->inverse = ARENA_ARRAY(y->arena, struct topology_group *, y->inverse.n);
	r->ninverse = 0;
	for (uint32_t i = 0; i < y->inverse.n; i++)
		if (group_selects(y, y->inverse.v[i], c))
			r->inverse[r->ninverse++] = y->inverse.v[i];
	r->inverse_seen = y->inverse.n;
	n += r->ninverse;
	r->host = ARENA_ARRAY(y->arena, struct topology_group *, n);
	r->other = ARENA_ARRAY(y->arena, struct topology_group *, n);
	r->nhost = r->nother = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct topology_group *g = i < r->ngroup ? r->group[i] : r->inverse[i - r->ngroup];

		if (g->host)
			r->host[r->nhost++] = g;
		else
			r->other[r->nother++] = g;
	}
	r->stamp = UINT64_MAX;
	return r;
}

bool topology_host_ok(struct topology *y, const struct pod_class *c, struct pod_variant *v, sid host,
		      bool *ret_final)
{
	struct reqpool *p = y->t->cluster->rp;
	struct variant_run *r = groups_of(y, c, v);
	uint32_t value;

	for (uint32_t i = 0; i < r->nhost; i++) {
		struct topology_group *g = r->host[i];

		if (!idmap_get(&p->keys.v[g->key].index, host, &value))
			value = UINT32_MAX;
		if (!host_ok(p, g, v->strict.host, host, value, group_selects(y, g, c))) {
			/* Counts only grow, so a spread or an anti-affinity never comes to accept. */
			*ret_final = g->type != GROUP_AFFINITY;
			return false;
		}
	}
	return true;
}

/* The answer of one group that is not about hostnames. */
static bool ask(struct topology *y, struct topology_group *g, const struct pod_class *c,
		const struct pod_variant *v, rsetid reqs, reqid *ret_req)
{
	struct reqpool *p = y->t->cluster->rp;
	bool self = group_selects(y, g, c);
	reqid pod = rset_find(p, v->strict.set, g->key), node = rset_find(p, reqs, g->key);
	struct arena_mark mark = arena_mark(y->scratch);
	struct answer out = {0, ARENA_ARRAY(y->scratch, sid, g->ndomain + 2)};

	if (g->type == GROUP_SPREAD) {
		uint32_t value = spread_domain(p, g, pod, node, self);

		if (value != UINT32_MAX)
			answer_add(&out, p, g, value);
	} else if (g->type == GROUP_AFFINITY) {
		affinity_domains(p, g, pod, node, self, &out);
	} else {
		anti_affinity_domains(p, g, pod, node, &out);
	}
	if (out.n)
		*ret_req = req_make(p, g->answer_key, OP_IN, out.v, out.n, -1);
	arena_rewind(y->scratch, mark);
	return out.n > 0;
}

bool topology_tighten(struct topology *y, const struct pod_class *c, struct pod_variant *v, rsetid reqs,
		      rsetid *ret_reqs)
{
	struct reqpool *p = y->t->cluster->rp;
	struct variant_run *r = groups_of(y, c, v);
	uint64_t stamp = 0;
	uint32_t known;
	reqid one;

	*ret_reqs = reqs;
	if (!r->nother)
		return true;
	for (uint32_t i = 0; i < r->nother; i++)
		stamp += r->other[i]->version;
	if (stamp != r->stamp) {
		idmap_init(&r->answer, y->arena);
		r->stamp = stamp;
	}
	if (idmap_get(&r->answer, reqs, &known)) {
		*ret_reqs = known - 1;
		return known != 0;
	}
	for (uint32_t i = 0; i < r->nother; i++) {
		if (!ask(y, r->other[i], c, v, reqs, &one)) {
			idmap_put(&r->answer, reqs, 0);
			return false;
		}
		*ret_reqs = rset_add(p, *ret_reqs, one);
	}
	idmap_put(&r->answer, reqs, *ret_reqs + 1);
	return true;
}

const struct variant_run *topology_groups(struct topology *y, const struct pod_class *c,
					  struct pod_variant *v)
{
	return groups_of(y, c, v);
}

bool topology_ask(struct topology *y, struct topology_group *g, const struct pod_class *c,
		  struct pod_variant *v, sid host, rsetid reqs, reqid *ret_req)
{
	const struct reqpool *p = y->t->cluster->rp;
	uint32_t value;

	*ret_req = REQ_NONE;
	if (!g->host)
		return ask(y, g, c, v, reqs, ret_req);
	if (!idmap_get(&p->keys.v[g->key].index, host, &value))
		value = UINT32_MAX;
	return host_ok(p, g, v->strict.host, host, value, group_selects(y, g, c));
}

const struct topology_group *topology_obstacle(struct topology *y, const struct pod_class *c,
					       struct pod_variant *v, const struct place *at, rsetid reqs)
{
	struct variant_run *r = groups_of(y, c, v);

	for (uint32_t i = 0; i < r->ngroup + r->ninverse; i++) {
		struct topology_group *g = i < r->ngroup ? r->group[i] : r->inverse[i - r->ngroup];
		reqid one;

		if (!topology_ask(y, g, c, v, at->host, reqs, &one))
			return g;
	}
	return NULL;
}

static void print_side(const struct reqpool *p, struct buf *out, const struct topology_group *g, reqid r)
{
	if (r == REQ_NONE)
		buf_addf(out, "%s Exists", intern_c(p->in, req_key_name(p, g->answer_key)));
	else
		req_print(p, out, r);
}

void topology_explain(struct topology *y, struct buf *out, const struct topology_group *g,
		      const struct pod_variant *v, const struct place *at, rsetid reqs)
{
	static const char *const names[] = {[GROUP_SPREAD] = "topology spread",
					    [GROUP_AFFINITY] = "pod affinity",
					    [GROUP_ANTI_AFFINITY] = "pod anti-affinity"};
	struct reqpool *p = y->t->cluster->rp;
	sid *domain = ARENA_ARRAY(y->arena, sid, g->nknown);
	uint32_t n = 0, value;

	for (uint32_t d = 0; d < g->ndomain; d++)
		if (g->state[d] != DOMAIN_UNKNOWN)
			domain[n++] = p->keys.v[g->key].value[d];
	intern_sort(p->in, domain, n);
	buf_addf(out, "unsatisfiable topology constraint for %s, key=%s (counts = ", names[g->type],
		 intern_c(p->in, req_key_name(p, g->key)));
	for (uint32_t i = 0; i < n && i < 25; i++) {
		value = req_value(p, g->key, domain[i]);
		buf_addf(out, "%s%s: %d", i ? ", " : "", intern_c(p->in, domain[i]), count_of(g, value));
	}
	if (n > 25)
		buf_addf(out, " and %u other(s)", n - 25);
	buf_adds(out, ", podDomains = ");
	print_side(p, out, g, g->host ? v->strict.host : rset_find(p, v->strict.set, g->key));
	buf_adds(out, ", nodeDomains = ");
	print_side(p, out, g, g->host ? req_in1(p, g->key, at->host) : rset_find(p, reqs, g->key));
}
