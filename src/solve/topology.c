#include "topology.h"

#include <string.h>

#include "bits.h"
#include "domains.h"
#include "topology_id.h"
#include "topology_impl.h"

struct topology_base {
	struct arena *arena;
	struct class_table *t;
	const struct state *state;
	struct domain_universe universe;
	struct pod_class **class_of_pod; /* NULL: not worked out */
	const struct pod_volumes **volumes_of_pod;
	VEC(uint32_t) anti; /* bound pods with required anti-affinity, by namespace and name */
};

struct pod_class *topology_pod_class(struct topology_base *b, uint32_t pod,
				     const struct pod_volumes **ret_volumes)
{
	if (!b->class_of_pod[pod]) {
		const struct pod *p = &b->t->cluster->pods.v[pod];

		b->volumes_of_pod[pod] = p->spec->nvolume ? volumes_of(b->t, &p->meta, p->spec) : NULL;
		b->class_of_pod[pod] =
			class_of(b->t, &p->meta, p->spec, &p->requests, b->volumes_of_pod[pod] != NULL);
	}
	if (ret_volumes)
		*ret_volumes = b->volumes_of_pod[pod];
	return b->class_of_pod[pod];
}

struct topology_base *topology_base_new(struct arena *a, struct class_table *t, const struct state *s,
					const struct template_set *m)
{
	struct topology_base *b = ARENA_NEW(a, struct topology_base);
	const struct cluster *c = t->cluster;

	b->arena = a;
	b->t = t;
	b->state = s;
	domains_build(&b->universe, t, m);
	b->class_of_pod = ARENA_ARRAY(a, struct pod_class *, c->pods.n);
	b->volumes_of_pod = ARENA_ARRAY(a, const struct pod_volumes *, c->pods.n);
	for (uint32_t i = 0; i < c->pods.n; i++)
		if (c->pods.v[i].spec->anti_required.n && s->node_of_pod[i] != UINT32_MAX)
			VEC_PUSH(a, &b->anti, i);
	return b;
}

/* --- domains of a group --- */

static void ensure(struct topology *y, struct topology_group *g, uint32_t value)
{
	if (value < g->ndomain)
		return;
	uint32_t n = g->ndomain ? g->ndomain * 2 : 16;

	while (n <= value)
		n *= 2;
	int32_t *count = ARENA_ARRAY(y->arena, int32_t, n);
	uint8_t *state = ARENA_ARRAY(y->arena, uint8_t, n);

	if (g->ndomain) {
		memcpy(count, g->count, g->ndomain * sizeof(*count));
		memcpy(state, g->state, g->ndomain);
	}
	g->count = count;
	g->state = state;
	g->ndomain = n;
}

static void domain_seen(struct topology *y, struct topology_group *g, uint32_t value)
{
	ensure(y, g, value);
	if (g->state[value] == DOMAIN_UNKNOWN) {
		g->state[value] = DOMAIN_EMPTY;
		g->nknown++;
		g->version++;
	}
}

static void domain_record(struct topology *y, struct topology_group *g, uint32_t value)
{
	domain_seen(y, g, value);
	if (g->state[value] != DOMAIN_COUNTED)
		g->ncounted++;
	g->state[value] = DOMAIN_COUNTED;
	g->count[value]++;
	g->version++;
}

static bool in_namespace(const struct topology_group *g, sid ns)
{
	for (uint32_t i = 0; i < g->nns; i++)
		if (g->ns[i] == ns)
			return true;
	return false;
}

static bool matches_pod(const struct topology *y, const struct topology_group *g, const struct pod_class *c,
			bool absent)
{
	if (!in_namespace(g, c->ns) || !selector_matches(y->t->cluster->in, g->selector, c->labels, absent))
		return false;
	for (uint32_t i = 0; i < g->nextra; i++)
		if (labels_get(c->labels, g->extra[i].key) != g->extra[i].val)
			return false;
	return true;
}

bool group_selects(struct topology *y, struct topology_group *g, const struct pod_class *c)
{
	if (c->id >= g->nselect) {
		uint32_t n = y->t->classes.n + 16;
		uint8_t *v = ARENA_ARRAY(y->arena, uint8_t, n);

		memset(v, 2, n);
		if (g->nselect)
			memcpy(v, g->selects, g->nselect);
		g->selects = v;
		g->nselect = n;
	}
	if (g->selects[c->id] == 2)
		g->selects[c->id] = matches_pod(y, g, c, false);
	return g->selects[c->id];
}

/* Undefined labels are never allowed here, for claims neither (A13.7). */
static bool filter_matches(struct topology *y, struct topology_group *g, const struct taints *taints,
			   rsetid reqs, sid host, bool has_host)
{
	const struct node_filter *f = &g->filter;
	struct reqpool *p = y->t->cluster->rp;
	bool ok = !f->honor_affinity || f->n == 0;

	if (!f->active)
		return true;
	for (uint32_t i = 0; i < f->n && !ok; i++) {
		reqid h = f->reqs[i].host;
		bool host_ok = h == REQ_NONE;

		if (!host_ok && has_host)
			host_ok = host_allowed(p, h, host);
		else if (!host_ok)
			host_ok = req_operator(p, h) == OP_NOT_IN || req_operator(p, h) == OP_DOES_NOT_EXIST;
		ok = host_ok && rset_compatible(p, reqs, f->reqs[i].set, false);
	}
	return ok &&
	       (!f->honor_taints || tolerates_all(y->t->cluster->in, f->toleration, f->ntoleration, taints));
}

/* --- making groups --- */

static void seed(struct topology *y, struct topology_group *g, const struct pod_variant *v)
{
	const struct domain_universe *u = &y->base->universe;
	bool all = g->filter.active && !g->filter.honor_taints;
	const struct domain_key *key = g->key < u->n ? &u->key[g->key] : NULL;

	for (uint32_t i = 0; key && i < key->n; i++) {
		const struct domain_entry *e = &key->v[i];
		bool ok = all || e->untainted;

		for (uint32_t k = 0; k < e->n && !ok; k++)
			ok = tolerates_all(y->t->cluster->in, v->toleration, v->ntoleration, e->taints[k]);
		if (ok)
			domain_seen(y, g, e->value);
	}
}

/* The node's value of a key; false when it has none. */
static bool domain_of(const struct topology *y, const struct topology_group *g, const struct labels *l,
		      uint32_t *ret_value)
{
	struct reqpool *p = y->t->cluster->rp;
	sid v = labels_get(l, req_key_name(p, g->key));

	if (v == SID_NONE)
		return false;
	*ret_value = req_value(p, g->key, v);
	return true;
}

static bool node_counts(struct topology *y, struct topology_group *g, const struct snode *n)
{
	sid host = labels_get(&n->node->meta.labels, LBL_HOSTNAME);

	return filter_matches(y, g, &n->node->taints, n->node_reqs.set, host, host != SID_NONE);
}

/* A13.5 and A13.6. */
static void count_cluster(struct topology *y, struct topology_group *g)
{
	const struct cluster *c = y->t->cluster;
	const struct state *s = y->state;
	uint32_t value;

	for (uint32_t i = 0; i < s->n; i++)
		if (s->v[i].node && !bits_test(y->absent, i) && domain_of(y, g, s->v[i].labels, &value) &&
		    node_counts(y, g, &s->v[i]))
			domain_seen(y, g, value);
	for (uint32_t i = 0; i < c->pods.n; i++) {
		const struct pod *pod = &c->pods.v[i];
		const struct snode *n;

		if (s->node_of_pod[i] == UINT32_MAX || !pod_is_active(pod) || bits_test(y->excluded, i) ||
		    !in_namespace(g, pod->meta.ns))
			continue;
		n = &s->v[s->node_of_pod[i]];
		const struct pod_class *k = topology_pod_class(y->base, i, NULL);

		/* An absent selector lists every pod. */
		if (g->selector->present ? !group_selects(y, g, k) : !matches_pod(y, g, k, true))
			continue;
		if (!domain_of(y, g, &n->node->meta.labels, &value)) {
			if (!g->host)
				continue;
			value = req_value(c->rp, g->key, n->node->meta.name);
		}
		if (node_counts(y, g, n))
			domain_record(y, g, value);
	}
}

static struct topology_group *group_new(struct topology *y, const struct topology_spec *spec,
					const struct pod_variant *v)
{
	struct topology_group *g = ARENA_NEW(y->arena, struct topology_group);

	g->type = spec->type;
	g->key = req_key_spelled(y->t->cluster->rp, spec->key);
	g->answer_key = req_key(y->t->cluster->rp, spec->key);
	g->host = spec->key == LBL_HOSTNAME;
	g->nns = spec->nns;
	g->ns = spec->ns;
	g->selector = spec->selector;
	g->nextra = spec->nextra;
	g->extra = spec->extra;
	g->max_skew = spec->max_skew;
	g->min_domains = spec->min_domains;
	g->filter = spec->filter;
	seed(y, g, v);
	return g;
}

static uint32_t group_index(struct topology *y, const struct topology_spec *spec, const struct pod_variant *v)
{
	sid id = topology_spec_id(y->t, y->arena, spec);
	uint32_t i;

	if (idmap_get(&y->group_of, id, &i))
		return i;
	struct topology_group *g = group_new(y, spec, v);

	count_cluster(y, g);
	i = y->groups.n;
	VEC_PUSH(y->arena, &y->groups, g);
	idmap_put(&y->group_of, id, i);
	return i;
}

static struct topology_group *inverse_group(struct topology *y, const struct topology_spec *spec,
					    const struct pod_variant *v)
{
	sid id = topology_spec_id(y->t, y->arena, spec);
	uint32_t i;

	if (idmap_get(&y->inverse_of, id, &i))
		return y->inverse.v[i];
	struct topology_group *g = group_new(y, spec, v);

	g->inverse = true;
	idmap_put(&y->inverse_of, id, y->inverse.n);
	VEC_PUSH(y->arena, &y->inverse, g);
	return g;
}

static void own_inverse(struct topology *y, const struct pod_class *c, const struct pod_variant *v,
			const struct labels *node)
{
	const struct affinity_terms *terms = &c->spec->anti_required;

	for (uint32_t i = 0; i < terms->n; i++) {
		struct topology_spec spec;
		uint32_t value;

		topology_spec_affinity(&spec, y->t->cluster, y->arena, c->ns, GROUP_ANTI_AFFINITY,
				       &terms->v[i]);
		struct topology_group *g = inverse_group(y, &spec, v);

		if (node && domain_of(y, g, node, &value))
			domain_record(y, g, value);
		if (node)
			continue;
		while (g->owner.n <= c->id)
			VEC_PUSH(y->arena, &g->owner, 0);
		g->owner.v[c->id] = 1;
	}
}

void topology_init(struct topology *y, struct arena *a, struct arena *scratch, struct topology_base *base,
		   uint32_t run, const uint64_t *excluded, const uint64_t *absent)
{
	*y = (struct topology){.arena = a,
			       .scratch = scratch,
			       .t = base->t,
			       .state = base->state,
			       .base = base,
			       .excluded = excluded,
			       .absent = absent,
			       .run = run};
	idmap_init(&y->group_of, a);
	idmap_init(&y->inverse_of, a);
	for (uint32_t i = 0; i < base->anti.n; i++) {
		uint32_t pod = base->anti.v[i];
		const struct pod *p = &base->t->cluster->pods.v[pod];

		if (bits_test(excluded, pod) || pod_is_terminal(p))
			continue;
		struct pod_class *c = topology_pod_class(base, pod, NULL);

		own_inverse(y, c, class_variant(base->t, c, 0),
			    &base->state->v[base->state->node_of_pod[pod]].node->meta.labels);
	}
}

struct group_list {
	VEC(uint32_t) v;
};

/* Keeps the list sorted and free of doubles: groups are consulted in order of creation. */
static void list_add(struct arena *a, struct group_list *l, uint32_t g)
{
	uint32_t i = l->v.n;

	for (uint32_t k = 0; k < l->v.n; k++)
		if (l->v.v[k] == g)
			return;
	VEC_PUSH(a, &l->v, g);
	for (; i && l->v.v[i - 1] > g; i--)
		l->v.v[i] = l->v.v[i - 1];
	l->v.v[i] = g;
}

static void own_terms(struct topology *y, const struct pod_class *c, const struct pod_variant *v,
		      enum group_type type, const struct affinity_term *term, uint32_t n,
		      struct group_list *l)
{
	for (uint32_t i = 0; i < n; i++) {
		struct topology_spec spec;

		topology_spec_affinity(&spec, y->t->cluster, y->arena, c->ns, type, &term[i]);
		list_add(y->arena, l, group_index(y, &spec, v));
	}
}

static void set_groups(struct topology *y, struct pod_variant *v, const struct group_list *l)
{
	v->run = y->run;
	v->r = ARENA_NEW(y->arena, struct variant_run);
	v->r->inverse_seen = UINT32_MAX;
	v->r->ngroup = l->v.n;
	v->r->group = ARENA_ARRAY(y->arena, struct topology_group *, l->v.n);
	for (uint32_t i = 0; i < l->v.n; i++)
		v->r->group[i] = y->groups.v[l->v.v[i]];
}

void topology_own_none(struct topology *y, struct pod_variant *v)
{
	struct group_list none = {0};

	if (v->run != y->run)
		set_groups(y, v, &none);
}

void topology_own(struct topology *y, struct pod_class *c, struct pod_variant *v)
{
	bool respect = !y->t->ignore_preferences;
	struct group_list l = {0};

	if (v->run == y->run)
		return;
	own_inverse(y, c, v, NULL);
	for (uint32_t i = 0; i < v->nspread; i++) {
		struct topology_spec spec;

		if (!respect && v->spread[i].schedule_anyway)
			continue;
		topology_spec_spread(&spec, y->t, y->arena, c, v, &v->spread[i]);
		list_add(y->arena, &l, group_index(y, &spec, v));
	}
	own_terms(y, c, v, GROUP_AFFINITY, c->spec->affinity_required.v, c->spec->affinity_required.n, &l);
	if (respect)
		own_terms(y, c, v, GROUP_AFFINITY, v->affinity, v->naffinity, &l);
	own_terms(y, c, v, GROUP_ANTI_AFFINITY, c->spec->anti_required.v, c->spec->anti_required.n, &l);
	if (respect)
		own_terms(y, c, v, GROUP_ANTI_AFFINITY, v->anti, v->nanti, &l);
	set_groups(y, v, &l);
}

static void register_host(struct topology *y, struct topology_group *g, sid host)
{
	if (g->host)
		domain_seen(y, g, req_value(y->t->cluster->rp, g->key, host));
}

void topology_register_host(struct topology *y, sid host)
{
	for (uint32_t i = 0; i < y->groups.n; i++)
		register_host(y, y->groups.v[i], host);
	for (uint32_t i = 0; i < y->inverse.n; i++)
		register_host(y, y->inverse.v[i], host);
}

void topology_record(struct topology *y, const struct pod_class *c, const struct place *at, rsetid reqs)
{
	struct reqpool *p = y->t->cluster->rp;

	for (uint32_t i = 0; i < y->groups.n; i++) {
		struct topology_group *g = y->groups.v[i];

		if (!group_selects(y, g, c) || !filter_matches(y, g, at->taints, reqs, at->host, true))
			continue;
		if (g->host) {
			domain_record(y, g, req_value(p, g->key, at->host));
			continue;
		}
		reqid r = rset_find(p, reqs, g->key);
		const struct req *q = r == REQ_NONE ? NULL : req_get(p, r);

		if (!q || (g->type != GROUP_ANTI_AFFINITY && (q->complement || q->nvalues != 1)))
			continue;
		BITS_EACH (v, q->bits, q->nwords) {
			domain_record(y, g, v);
		}
	}
	for (uint32_t i = 0; i < y->inverse.n; i++) {
		struct topology_group *g = y->inverse.v[i];

		if (c->id >= g->owner.n || !g->owner.v[c->id])
			continue;
		if (g->host) {
			domain_record(y, g, req_value(p, g->key, at->host));
			continue;
		}
		reqid r = rset_find(p, reqs, g->key);

		if (r == REQ_NONE)
			continue;
		const struct req *q = req_get(p, r);

		BITS_EACH (v, q->bits, q->nwords) {
			domain_record(y, g, v);
		}
	}
}
