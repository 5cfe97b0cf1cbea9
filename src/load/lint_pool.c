/* Lints of NodePools: requirements, limits, lifetimes, and NodePools beside each other. */
#include "duration.h"
#include "lint_impl.h"
#include "quantity.h"

#define CAPACITY_TYPE "karpenter.sh/capacity-type"
#define AWS "karpenter.k8s.aws/"

static sid put(struct lint *l, struct str s)
{
	return intern_put(&l->strings, s);
}

static void add_requirement(struct lint *l, rsetid *set, const struct jval *req)
{
	const struct jval *values = jval_get(req, "values"), *min = jval_get(req, "minValues");
	uint32_t n = values ? values->items.n : 0;
	sid *v = ARENA_ARRAY(l->a, sid, n);
	enum req_op op;

	if (!req_op_parse(jval_text(jval_get(req, "operator")), &op))
		return;
	for (uint32_t i = 0; i < n; i++)
		v[i] = put(l, jval_text(values->items.v[i]));
	*set = rset_add(&l->reqs, *set,
			req_make(&l->reqs, req_key(&l->reqs, put(l, jval_text(jval_get(req, "key")))), op, v,
				 n, min ? (int32_t)min->i : -1));
}

void lint_collect_pools(struct lint *l)
{
	for (uint32_t i = 0; i < l->in->docs.n; i++) {
		const struct check_doc *d = lint_doc(l, i);
		struct lint_pool p = {.doc = i, .name = str_of(d->name), .reqs = RSET_EMPTY};
		const struct jval *labels, *reqs, *weight;

		if (d->verdict != CHECK_ACCEPTED || strcmp(d->kind, "NodePool") != 0)
			continue;
		p.spec = jval_get(d->object, "spec");
		p.template = jval_get(p.spec, "template");
		weight = jval_get(p.spec, "weight");
		p.weight = weight ? weight->i : 0;
		labels = jval_at(p.template, "metadata.labels");
		for (uint32_t k = 0; labels && k < labels->members.n; k++) {
			const struct jmember *m = &labels->members.v[k];

			p.reqs = rset_add(&l->reqs, p.reqs,
					  req_in1(&l->reqs, req_key(&l->reqs, put(l, m->key)),
						  put(l, jval_text(m->v))));
		}
		reqs = jval_at(p.template, "spec.requirements");
		for (uint32_t k = 0; reqs && k < reqs->items.n; k++)
			add_requirement(l, &p.reqs, reqs->items.v[k]);
		VEC_PUSH(l->a, &l->pools, p);
	}
}

static bool allows(struct lint *l, const struct lint_pool *p, const char *key, const char *value)
{
	reqid r = rset_find(&l->reqs, p->reqs, req_key(&l->reqs, put(l, str_of(key))));

	return r == REQ_NONE || req_allows(&l->reqs, r, put(l, str_of(value)));
}

/* The requirement of a key as written, or NULL. */
static const struct jval *written(const struct lint_pool *p, const char *key)
{
	const struct jval *reqs = jval_at(p->template, "spec.requirements");

	for (uint32_t i = 0; reqs && i < reqs->items.n; i++)
		if (jval_is_text(jval_get(reqs->items.v[i], "key"), key))
			return reqs->items.v[i];
	return NULL;
}

static bool has_taint(const struct jval *list, const struct jval *taint)
{
	for (uint32_t i = 0; list && i < list->items.n; i++) {
		const struct jval *t = list->items.v[i];

		if (str_eq(jval_text(jval_get(t, "key")), jval_text(jval_get(taint, "key"))) &&
		    str_eq(jval_text(jval_get(t, "value")), jval_text(jval_get(taint, "value"))) &&
		    str_eq(jval_text(jval_get(t, "effect")), jval_text(jval_get(taint, "effect"))))
			return true;
	}
	return false;
}

/* Whether every taint of one pool is a taint of the other: a pod that the other takes tolerates them. */
static bool taints_within(const struct lint_pool *p, const struct lint_pool *other)
{
	const struct jval *mine = jval_at(p->template, "spec.taints");
	const struct jval *theirs = jval_at(other->template, "spec.taints");

	for (uint32_t i = 0; mine && i < mine->items.n; i++)
		if (!has_taint(theirs, mine->items.v[i]))
			return false;
	return true;
}

static rsetid without_capacity_type(struct lint *l, rsetid set)
{
	return rset_without(&l->reqs, set, req_key(&l->reqs, put(l, STR_LIT(CAPACITY_TYPE))));
}

/* Another NodePool that takes the pods of this one on a capacity type. */
static bool another_takes(struct lint *l, const struct lint_pool *p, const char *capacity_type)
{
	for (uint32_t i = 0; i < l->pools.n; i++) {
		const struct lint_pool *o = &l->pools.v[i];

		if (o != p && allows(l, o, CAPACITY_TYPE, capacity_type) && taints_within(o, p) &&
		    rset_intersects(&l->reqs, without_capacity_type(l, o->reqs),
				    without_capacity_type(l, p->reqs)))
			return true;
	}
	return false;
}

static void lint_capacity_types(struct lint *l, const struct lint_pool *p)
{
	bool spot = allows(l, p, CAPACITY_TYPE, "spot"), on_demand = allows(l, p, CAPACITY_TYPE, "on-demand");
	struct span at = lint_span(l, p->doc, written(p, CAPACITY_TYPE));

	if (spot && !on_demand && !another_takes(l, p, "on-demand"))
		lint_add(l, KS_LINT_SPOT_ONLY, p->doc, at,
			 "add on-demand to the values: Spot is still tried first, as it is cheaper",
			 "NodePool '%s' allows Spot only, and no other NodePool takes its pods on demand",
			 p->name.p);
	if (on_demand && !spot && !allows(l, p, CAPACITY_TYPE, "reserved") && !another_takes(l, p, "spot"))
		lint_add(l, KS_LINT_ON_DEMAND_ONLY, p->doc, at,
			 "add spot to the values where pods bear interruption",
			 "NodePool '%s' never uses Spot", p->name.p);
}

static const char *misspelt(struct str key, struct str v)
{
	const char *dot = v.n ? memchr(v.p, '.', v.n) : NULL;
	bool digit = false, upper = false;

	for (size_t i = 0; i < v.n; i++) {
		digit = digit || (v.p[i] >= '0' && v.p[i] <= '9');
		upper = upper || (v.p[i] >= 'A' && v.p[i] <= 'Z');
	}
	if (upper && (str_is(key, "node.kubernetes.io/instance-type") || str_starts(key, AWS "instance-")))
		return "names of EC2 are in lower case";
	if (str_is(key, "node.kubernetes.io/instance-type") && !dot)
		return digit ? "this is a family: use the key " AWS "instance-family"
			     : "this is a category: use the key " AWS "instance-category";
	if (str_is(key, AWS "instance-family") && dot)
		return "this is an instance type: use the key node.kubernetes.io/instance-type";
	if (str_is(key, AWS "instance-family") && !digit && v.n <= 2)
		return "this is a category: use the key " AWS "instance-category";
	if (str_is(key, AWS "instance-category") && dot)
		return "this is an instance type: use the key node.kubernetes.io/instance-type";
	if (str_is(key, AWS "instance-category") && digit)
		return "this is a family: use the key " AWS "instance-family";
	if (str_is(key, AWS "instance-size") && dot)
		return "this is an instance type: the size is the part after the dot";
	return NULL;
}

static void lint_spelling(struct lint *l, const struct lint_pool *p)
{
	const struct jval *reqs = jval_at(p->template, "spec.requirements");

	if (!jval_is_text(jval_at(p->template, "spec.nodeClassRef.kind"), "EC2NodeClass"))
		return;
	for (uint32_t i = 0; reqs && i < reqs->items.n; i++) {
		const struct jval *values = jval_get(reqs->items.v[i], "values");
		struct str key = jval_text(jval_get(reqs->items.v[i], "key"));

		for (uint32_t k = 0; values && k < values->items.n; k++) {
			struct str v = jval_text(values->items.v[k]);
			const char *hint = misspelt(key, v);

			if (hint)
				lint_add(l, KS_LINT_FAMILY_SPELLING, p->doc,
					 lint_span(l, p->doc, values->items.v[k]), hint,
					 "no instance has '%.*s' as its %.*s", STR_ARG(v), STR_ARG(key));
		}
	}
}

static void lint_limits(struct lint *l, const struct lint_pool *p)
{
	const struct jval *limits = jval_get(p->spec, "limits"), *replicas = jval_get(p->spec, "replicas");

	for (uint32_t i = 0; limits && i < limits->members.n; i++) {
		const struct jmember *m = &limits->members.v[i];
		struct quantity q = {.v = (qty)m->v->i * QTY_ONE};

		if (m->v->type == JV_STRING && !quantity_parse(m->v->s, &q))
			continue;
		if (!str_is(m->key, "cpu") && !str_is(m->key, "memory") && !str_is(m->key, "nodes"))
			continue;
		if (q.v <= 0)
			lint_add(l, KS_LINT_LIMIT_ZERO, p->doc, lint_span(l, p->doc, m->v),
				 "remove the limit, or delete the NodePool if it shall make nothing",
				 "NodePool '%s' can make no node: its limit of %.*s is not above 0",
				 p->name.p, STR_ARG(m->key));
		else if (replicas && str_is(m->key, "nodes") && q.v < (qty)replicas->i * QTY_ONE)
			lint_add(l, KS_LINT_LIMIT_ZERO, p->doc, lint_span(l, p->doc, m->v),
				 "raise limits.nodes, or lower replicas",
				 "NodePool '%s' cannot reach its %lld replicas: its limit of nodes is lower",
				 p->name.p, (long long)replicas->i);
	}
}

/* Nanoseconds; INT64_MAX for Never and for absent. */
static int64_t lifetime(const struct jval *v)
{
	int64_t ns;

	if (!v || jval_is_text(v, "Never") || !duration_parse(jval_text(v), &ns, NULL))
		return INT64_MAX;
	return ns;
}

#define HOUR ((int64_t)3600 * 1000000000)

static void lint_lifetimes(struct lint *l, const struct lint_pool *p)
{
	const struct jval *after = jval_at(p->spec, "disruption.consolidateAfter");
	const struct jval *expire = jval_at(p->template, "spec.expireAfter");
	int64_t consolidate = lifetime(after), lives = lifetime(expire);

	if (jval_get(p->spec, "replicas"))
		return;
	if (lives < HOUR)
		lint_add(l, KS_LINT_CHURN, p->doc, lint_span(l, p->doc, expire),
			 "let nodes live for hours at least", "nodes of NodePool '%s' expire after %.*s",
			 p->name.p, STR_ARG(jval_text(expire)));
	if (consolidate != INT64_MAX && lives <= consolidate)
		lint_add(
			l, KS_LINT_EXPIRE_FIRST, p->doc, lint_span(l, p->doc, after),
			"make consolidateAfter shorter than expireAfter",
			"nodes of NodePool '%s' expire after %.*s, before consolidateAfter (%.*s) has passed",
			p->name.p, STR_ARG(jval_text(expire)), STR_ARG(jval_text(after)));
	if (consolidate == 0 && after->line &&
	    jval_is_text(jval_at(p->spec, "disruption.consolidationPolicy"), "WhenEmptyOrUnderutilized"))
		lint_add(l, KS_LINT_CHURN, p->doc, lint_span(l, p->doc, after),
			 "wait some minutes, so that a rolling update does not move its own nodes",
			 "NodePool '%s' consolidates the moment that a pod comes or goes", p->name.p);
}

static void lint_class_ref(struct lint *l, const struct lint_pool *p)
{
	const struct jval *ref = jval_at(p->template, "spec.nodeClassRef"), *name = jval_get(ref, "name");

	if (!l->nclasses || !jval_is_text(jval_get(ref, "kind"), "EC2NodeClass"))
		return;
	for (uint32_t i = 0; i < l->in->docs.n; i++) {
		const struct check_doc *d = lint_doc(l, i);

		if (d->object && strcmp(d->kind, "EC2NodeClass") == 0 && jval_is_text(name, d->name))
			return;
	}
	lint_add(l, KS_LINT_NO_CLASS, p->doc, lint_span(l, p->doc, name),
		 "correct the name, or add the EC2NodeClass",
		 "NodePool '%s' refers to EC2NodeClass '%.*s', which is not among the objects", p->name.p,
		 STR_ARG(jval_text(name)));
}

void lint_pool(struct lint *l, const struct lint_pool *p)
{
	lint_class_ref(l, p);
	lint_spelling(l, p);
	lint_capacity_types(l, p);
	lint_limits(l, p);
	lint_lifetimes(l, p);
}

void lint_overlaps(struct lint *l)
{
	for (uint32_t i = 0; i < l->pools.n; i++)
		for (uint32_t k = 0; k < i; k++) {
			const struct lint_pool *p = &l->pools.v[i], *o = &l->pools.v[k];

			/* Of objects with one name the last stands. */
			if (str_eq(p->name, o->name))
				continue;
			if (p->weight != o->weight || jval_get(p->spec, "replicas") ||
			    jval_get(o->spec, "replicas") || !taints_within(p, o) || !taints_within(o, p) ||
			    !rset_intersects(&l->reqs, p->reqs, o->reqs))
				continue;
			lint_add(l, KS_LINT_POOLS_OVERLAP, p->doc, SPAN_NONE,
				 "give the one to be preferred a higher spec.weight, or one of them a taint",
				 "NodePools '%s' and '%s' have equal weight and take the same pods",
				 o->name.p, p->name.p);
			break; /* one is enough to tell */
		}
}
