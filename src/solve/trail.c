#include "trail.h"

#include <inttypes.h>

#include "bits.h"
#include "provision.h"
#include "why_impl.h"

/* What a node answers to a pod. */
struct refusal {
	enum why_code code;
	sid subject;
	double gap;
	const char *message;
};

struct question {
	struct arena *a;
	struct solving *r;
	struct run_pod *p;
	struct pod_variant *v;
};

static bool short_of(const struct question *q, const struct run_node *n, struct refusal *ret)
{
	const struct class_table *t = &q->r->s->t;
	const struct pod_class *c = q->p->class;
	struct buf b;

	for (uint32_t i = 0; i < c->nlane; i++) {
		sid name = t->lanes.name.v[c->lane[i]];
		qty left = n->left[c->lane[i]];

		if (c->amount[i] <= left)
			continue;
		buf_init(&b);
		why_amount(t->cluster->in, &b, name, c->amount[i], true);
		buf_addf(&b, " %s requested, ", intern_c(t->cluster->in, name));
		why_amount(t->cluster->in, &b, name, left, false);
		buf_adds(&b, " left: ");
		why_amount(t->cluster->in, &b, name, c->amount[i] - left, true);
		buf_adds(&b, " short");
		*ret = (struct refusal){WHY_RESOURCE, name, quantity_double(c->amount[i] - left),
					arena_strndup(q->a, b.p, b.n)};
		buf_release(&b);
		return true;
	}
	return false;
}

static bool tainted(const struct question *q, const struct snode *s, struct refusal *ret)
{
	const struct intern *in = q->r->s->c->in;

	for (uint32_t i = 0; i < s->taints.n; i++) {
		struct taints one = {1, &s->taints.v[i]};
		struct buf b;

		if (tolerates_all(in, q->v->toleration, q->v->ntoleration, &one))
			continue;
		buf_init(&b);
		buf_adds(&b, "taint ");
		taint_print(in, &b, &s->taints.v[i]);
		buf_adds(&b, " is not tolerated");
		*ret = (struct refusal){WHY_TAINT, s->taints.v[i].key, 0, arena_strndup(q->a, b.p, b.n)};
		buf_release(&b);
		return true;
	}
	return false;
}

static bool full(const struct question *q, const struct run_node *n, const struct snode *s,
		 struct refusal *ret)
{
	static const struct attachments none;
	const struct intern *in = q->r->s->c->in;
	const struct pod_class *c = q->p->class;
	const struct host_port *mine;
	const struct csi_driver_limit *over =
		attachments_exceed(&n->attached, q->p->volumes ? &q->p->volumes->use : &none, &s->limits);

	if (over) {
		*ret = (struct refusal){
			WHY_VOLUME_LIMIT, over->driver, 0,
			arena_printf(q->a, "no more volumes of %s can be attached, its limit is %" PRId64,
				     intern_c(in, over->driver), over->count)};
		return true;
	}
	if (!c->nport || !ports_conflict(in, &n->ports, q->p->pod, c->port, c->nport, &mine))
		return false;
	*ret = (struct refusal){WHY_HOST_PORT, SID_NONE, 0,
				arena_printf(q->a, "host port %" PRId32 "/%s is taken", mine->port,
					     intern_c(in, mine->protocol))};
	return true;
}

/* The first requirement that the node does not meet. */
static bool unmet(const struct question *q, rsetid node, sid host, const struct hreqs *want,
		  enum why_code conflict, const char *who, struct refusal *ret)
{
	struct reqpool *p = q->r->s->c->rp;
	const uint32_t *order = rset_by_name(p, want->set, q->a);
	uint32_t n = rset_get(p, want->set)->n;
	reqid bad = REQ_NONE, has = REQ_NONE;
	struct buf b;

	for (uint32_t i = 0; i < n && bad == REQ_NONE; i++) {
		reqid r = rset_get(p, want->set)->req[order[i]];

		if (!rset_compatible(p, node, rset_of(p, &r, 1), false))
			bad = r;
	}
	if (bad == REQ_NONE && want->host != REQ_NONE && !req_allows(p, want->host, host))
		bad = want->host;
	if (bad == REQ_NONE)
		return false;
	has = rset_find(p, node, req_get(p, bad)->key);
	buf_init(&b);
	buf_addf(&b, "%s needs ", who);
	req_print(p, &b, bad);
	if (has != REQ_NONE) {
		buf_adds(&b, ", it has ");
		req_print(p, &b, has);
	}
	*ret = (struct refusal){has == REQ_NONE && bad != want->host ? WHY_LABEL : conflict,
				req_key_name(p, req_get(p, bad)->key), 0, arena_strndup(q->a, b.p, b.n)};
	buf_release(&b);
	return true;
}

static enum why_code topology_code(const struct topology_group *g)
{
	return g->type == GROUP_SPREAD     ? WHY_SPREAD
	       : g->type == GROUP_AFFINITY ? WHY_AFFINITY
					   : WHY_ANTI_AFFINITY;
}

static bool elsewhere(const struct question *q, const struct run_node *n, const struct snode *s,
		      struct refusal *ret)
{
	static const char *const words[] = {[GROUP_SPREAD] = "would exceed maxSkew of the spread over",
					    [GROUP_AFFINITY] = "no pod of its affinity is in the same",
					    [GROUP_ANTI_AFFINITY] =
						    "a pod that it shuns, or that shuns it, is in the same"};
	struct reqpool *p = q->r->s->c->rp;
	const struct pod_volumes *vol = q->p->volumes;
	rsetid reqs = rset_intersect(p, n->reqs, q->v->reqs.set);
	struct place at = {s->host, &s->taints};
	const struct topology_group *g;

	if (vol && vol->nalternative) {
		uint32_t i = 0;

		while (i < vol->nalternative &&
		       unmet(q, reqs, s->host, &vol->alternative[i], WHY_VOLUME, "a volume", ret))
			i++;
		if (i == vol->nalternative) {
			ret->code = WHY_VOLUME;
			return true;
		}
		reqs = rset_intersect(p, reqs, vol->alternative[i].set);
	}
	topology_own(&q->r->y, q->p->class, q->v);
	g = topology_obstacle(&q->r->y, q->p->class, q->v, &at, reqs);
	if (!g)
		return false;
	*ret = (struct refusal){
		topology_code(g), req_key_name(p, g->key), 0,
		arena_printf(q->a, "%s %s", words[g->type], intern_c(p->in, req_key_name(p, g->key)))};
	return true;
}

/* In the order that Karpenter looks. false: the node would take the pod. */
static bool refuses(const struct question *q, const struct run_node *n, struct refusal *ret)
{
	const struct snode *s = &q->r->s->state.v[n->snode];

	if (q->p->volumes && q->p->volumes->usage_error) {
		*ret = (struct refusal){WHY_VOLUME_UNKNOWN, SID_NONE, 0,
					"a volume of the pod cannot be read"};
		return true;
	}
	if (q->r->s->node[n->snode].never) {
		*ret = (struct refusal){WHY_OVERCOMMITTED, SID_NONE, 0, "more is promised than the node has"};
		return true;
	}
	return short_of(q, n, ret) || tainted(q, s, ret) || full(q, n, s, ret) ||
	       unmet(q, n->reqs, s->host, &q->v->reqs, WHY_REQUIREMENT, "the pod", ret) ||
	       elsewhere(q, n, s, ret);
}

struct node_list {
	VEC(struct why_nodes) v;
	VEC(double) gap;
};

static void count(struct arena *a, struct node_list *l, sid node, const struct refusal *why)
{
	uint32_t i = 0;

	while (i < l->v.n && (l->v.v[i].code != why->code || l->v.v[i].subject != why->subject))
		i++;
	if (i == l->v.n) {
		VEC_PUSH(a, &l->v, ((struct why_nodes){why->code, why->subject, 0, node, why->message}));
		VEC_PUSH(a, &l->gap, why->gap);
	} else if (why->gap < l->gap.v[i]) {
		l->gap.v[i] = why->gap;
		l->v.v[i].nearest = node;
		l->v.v[i].message = why->message;
	}
	l->v.v[i].count++;
}

/* All nodes of the state, by name; one line for each reason, most nodes first. */
static void ask_nodes(const struct question *q, struct pod_trail *t)
{
	const struct state *s = &q->r->s->state;
	struct node_list l = {0};
	struct refusal why;

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t k = 0;

		while (k < q->r->nnode && q->r->node[k].snode != i)
			k++;
		if (k == q->r->nnode && !s->v[i].deleting) {
			continue;
		} else if (k == q->r->nnode) {
			why = (struct refusal){WHY_GOING, SID_NONE, 0, "the node is being deleted"};
			count(q->a, &l, s->v[i].name, &why);
		} else if (refuses(q, &q->r->node[k], &why)) {
			count(q->a, &l, s->v[i].name, &why);
		}
	}
	for (uint32_t i = 1; i < l.v.n; i++)
		for (uint32_t k = i; k && l.v.v[k].count > l.v.v[k - 1].count; k--) {
			struct why_nodes x = l.v.v[k];

			l.v.v[k] = l.v.v[k - 1];
			l.v.v[k - 1] = x;
		}
	t->nnodes = l.v.n;
	t->nodes = l.v.v;
}

/* Where the run put the pod. */
static void find_place(const struct solving *r, uint32_t at, struct pod_trail *t)
{
	for (uint32_t i = 0; i < r->nnode; i++)
		for (uint32_t k = 0; k < r->node[i].pods.n; k++)
			if (r->node[i].pods.v[k] == at) {
				t->verdict = POD_TO_NODE;
				t->node = r->s->state.v[r->node[i].snode].name;
				t->companions = r->node[i].pods.n - 1;
			}
	for (uint32_t i = 0; i < r->claims.n; i++)
		for (uint32_t k = 0; k < r->claims.v[i]->pods.n; k++)
			if (r->claims.v[i]->pods.v[k] == at) {
				t->verdict = POD_TO_CLAIM;
				t->pool = r->claims.v[i]->m->pool;
				t->companions = r->claims.v[i]->pods.n - 1;
			}
}

static void add_group(struct arena *a, const struct reqpool *p, const struct topology_group *g,
		      struct why_group *out)
{
	static const char *const kinds[] = {[GROUP_SPREAD] = "topology spread",
					    [GROUP_AFFINITY] = "pod affinity",
					    [GROUP_ANTI_AFFINITY] = "pod anti-affinity"};
	sid *v = ARENA_ARRAY(a, sid, (size_t)g->nknown + 1);
	uint32_t n = 0, d;
	struct buf b;

	buf_init(&b);
	why_selector(p->in, &b, g);
	*out = (struct why_group){.kind = kinds[g->type],
				  .inverse = g->inverse,
				  .key = req_key_name(p, g->key),
				  .max_skew = g->max_skew,
				  .selector = arena_strndup(a, buf_cstr(&b), b.n)};
	buf_release(&b);
	for (uint32_t i = 0; !g->host && i < g->ndomain; i++)
		if (g->state[i] != DOMAIN_UNKNOWN)
			v[n++] = p->keys.v[g->key].value[i];
	intern_sort(p->in, v, n);
	out->domain = ARENA_ARRAY(a, struct why_domain, n);
	for (uint32_t i = 0; i < n; i++)
		if (idmap_get(&p->keys.v[g->key].index, v[i], &d))
			out->domain[out->ndomain++] = (struct why_domain){v[i], g->count[d]};
}

static void add_groups(const struct question *q, struct pod_trail *t)
{
	const struct variant_run *k;

	topology_own(&q->r->y, q->p->class, q->v);
	k = topology_groups(&q->r->y, q->p->class, q->v);
	t->group = ARENA_ARRAY(q->a, struct why_group, k->ngroup + k->ninverse);
	for (uint32_t i = 0; i < k->ngroup + k->ninverse; i++)
		add_group(q->a, q->r->s->c->rp, i < k->ngroup ? k->group[i] : k->inverse[i - k->ngroup],
			  &t->group[t->ngroup++]);
}

void trail_in_run(struct arena *a, struct solving *r, struct run_pod *p, struct pod_trail *t)
{
	struct question q = {a, r, p, class_variant(&r->s->t, p->class, p->variant)};

	t->needs = q.v->reqs.set;
	if (q.v->reqs.host != REQ_NONE)
		t->needs = rset_add(r->s->c->rp, t->needs, q.v->reqs.host);
	t->given_up = p->variant;
	for (uint32_t i = 0; i < r->npod; i++)
		t->alike += r->pod[i].class == p->class;
	if (p->error) {
		t->verdict = POD_STAYS;
		t->message = p->error;
		t->npool_error = p->npool_error;
		t->pool_error = p->pool_error;
	} else {
		find_place(r, (uint32_t)(p - r->pod), t);
	}
	add_groups(&q, t);
	why_open(r);
	if (t->verdict != POD_TO_NODE)
		ask_nodes(&q, t);
	why_close(r);
	if (p->error)
		t->why = why_pending(a, r)[p - r->pod];
}

const struct pod_trail *trail_of_pod(struct arena *a, struct snapshot *s, uint32_t pod)
{
	struct pod_trail *t = ARENA_NEW(a, struct pod_trail);
	struct pod_list list = {0};
	struct errors errors = {0};
	struct solving *r = provision_run(a, s, &list, &errors);

	t->pod = pod;
	t->node = SID_NONE;
	for (uint32_t i = 0; i < errors.v.n; i++)
		if (errors.v.v[i].pod == pod) {
			t->verdict = POD_LEFT_OUT;
			t->message = errors.v.v[i].message;
		}
	for (uint32_t i = 0; i < list.v.n; i++) {
		if (list.v.v[i].pod != pod)
			continue;
		if (r) {
			trail_in_run(a, r, &list.v.v[i], t);
			break;
		}
		t->verdict = POD_STAYS;
		t->message = "no dynamic nodepools found";
		t->why = why_no_pools(a, s);
	}
	return t;
}
