/* Lints that need to know which instance types a NodePool may choose from. */
#include "lint_types.h"
#include "podreq.h"

/* EC2's advice and Karpenter's condition for replacing Spot by Spot. */
#define TYPES_WANTED 15
#define SPOT_POOLS_WANTED 10

uint32_t lint_nconstraints(const struct node_pool *p)
{
	return p->template_labels.n + p->nreq;
}

sid lint_constraint_key(const struct node_pool *p, uint32_t i)
{
	return i < p->template_labels.n ? p->template_labels.v[i].key : p->req[i - p->template_labels.n].key;
}

rsetid lint_pool_reqs(struct cluster *c, const struct node_pool *p, const bool *without)
{
	uint32_t nlabels = p->template_labels.n;
	rsetid set = RSET_EMPTY;

	for (uint32_t i = 0; i < nlabels; i++)
		if (!without || !without[i])
			set = rset_add(c->rp, set,
				       req_in1(c->rp, req_key(c->rp, p->template_labels.v[i].key),
					       p->template_labels.v[i].val));
	for (uint32_t i = 0; i < p->nreq; i++) {
		enum req_op op;

		if ((!without || !without[nlabels + i]) && req_op_parse(intern_str(c->in, p->req[i].op), &op))
			set = rset_add(c->rp, set,
				       req_make(c->rp, req_key(c->rp, p->req[i].key), op, p->req[i].values,
						p->req[i].n, p->req[i].min_values));
	}
	return set;
}

static bool offered(struct cluster *c, const struct offering *o, rsetid reqs)
{
	return o->available && rset_intersects(c->rp, o->reqs, reqs);
}

struct lint_choice lint_choose(struct cluster *c, const struct itype_list *types, rsetid reqs, sid zone)
{
	struct lint_choice ch = {0};
	sid cpu = intern_cstr(c->in, "cpu"), memory = intern_cstr(c->in, "memory");

	for (uint32_t i = 0; i < types->n; i++) {
		const struct itype *t = &types->v[i];
		uint32_t any = 0, spot = 0;

		if (t->incompatible || !rset_intersects(c->rp, t->reqs, reqs))
			continue;
		for (uint32_t k = 0; k < t->noffering; k++) {
			const struct offering *o = &t->offering[k];

			if ((zone != SID_NONE && o->zone != zone) || !offered(c, o, reqs))
				continue;
			any++;
			spot += o->capacity_type == CAP_SPOT;
		}
		if (!any)
			continue;
		qty node_cpu = reslist_amount(&t->capacity, cpu),
		    node_memory = reslist_amount(&t->capacity, memory);

		if (!ch.types || node_cpu < ch.least_cpu)
			ch.least_cpu = node_cpu;
		if (!ch.types || node_memory < ch.least_memory)
			ch.least_memory = node_memory;
		ch.types++;
		ch.spot_types += spot > 0;
		ch.spot_pools += spot;
	}
	return ch;
}

static struct span requirement_span(struct lint *l, uint32_t doc, const char *key)
{
	const struct jval *reqs = jval_at(lint_doc(l, doc)->object, "spec.template.spec.requirements");

	for (uint32_t i = 0; reqs && i < reqs->items.n; i++)
		if (jval_is_text(jval_get(reqs->items.v[i], "key"), key))
			return lint_span(l, doc, reqs->items.v[i]);
	return lint_doc(l, doc)->at;
}

/* Zones that the types are offered in at all, by first mention. */
struct zone_list {
	VEC(sid) v;
};

static void add_zone(struct lint *l, struct zone_list *zones, sid zone)
{
	for (uint32_t i = 0; i < zones->v.n; i++)
		if (zones->v.v[i] == zone)
			return;
	VEC_PUSH(l->a, &zones->v, zone);
}

static void lint_zones(struct lint *l, struct cluster *c, const struct lint_view *v)
{
	const char *name = intern_c(c->in, v->pool->meta.name);
	reqid r = rset_find(c->rp, v->reqs, req_key(c->rp, LBL_ZONE));
	struct zone_list zones = {0};

	for (uint32_t i = 0; i < v->pool->nreq; i++)
		for (uint32_t k = 0; v->pool->req[i].key == LBL_ZONE && k < v->pool->req[i].n; k++)
			if (str_is(intern_str(c->in, v->pool->req[i].op), "In"))
				add_zone(l, &zones, v->pool->req[i].values[k]);
	for (uint32_t i = 0; v->zones && i < v->types->n; i++)
		for (uint32_t k = 0; k < v->types->v[i].noffering; k++)
			add_zone(l, &zones, v->types->v[i].offering[k].zone);
	for (uint32_t i = 0; i < zones.v.n; i++) {
		sid zone = zones.v.v[i];

		if (zone == SID_NONE || (r != REQ_NONE && !req_allows(c->rp, r, zone)) ||
		    lint_choose(c, v->types, v->reqs, zone).types)
			continue;
		lint_add(l, KS_LINT_ZONE_EMPTY, v->doc,
			 requirement_span(l, v->doc, "topology.kubernetes.io/zone"),
			 "leave the zone out, or allow a type that is offered there",
			 "no instance type of NodePool '%s' is offered in zone %s", name,
			 intern_c(c->in, zone));
	}
}

static void lint_limits_of(struct lint *l, struct cluster *c, const struct lint_view *v,
			   const struct lint_choice *ch)
{
	static const char *const names[] = {"cpu", "memory"};
	const qty least[] = {ch->least_cpu, ch->least_memory};

	for (int i = 0; i < 2; i++) {
		const struct res_item *limit = reslist_find(&v->pool->limits, intern_cstr(c->in, names[i]));
		const struct jval *at =
			jval_get(jval_at(lint_doc(l, v->doc)->object, "spec.limits"), names[i]);

		if (limit && limit->v > 0 && limit->v < least[i])
			lint_add(l, KS_LINT_LIMIT_ZERO, v->doc, lint_span(l, v->doc, at),
				 "raise the limit, or allow smaller instance types",
				 "NodePool '%s' can make no node: the smallest of its types is over its "
				 "limit of %s",
				 intern_c(c->in, v->pool->meta.name), names[i]);
	}
}

/* Whether Karpenter would look for cheaper Spot nodes in this NodePool. */
static bool replaces_spot(const struct jval *pool)
{
	const struct jval *disruption = jval_at(pool, "spec.disruption");

	return !jval_at(pool, "spec.replicas") &&
	       !jval_is_text(jval_get(disruption, "consolidationPolicy"), "WhenEmpty") &&
	       !jval_is_text(jval_get(disruption, "consolidateAfter"), "Never");
}

static void lint_pool_choice(struct lint *l, struct cluster *c, const struct lint_view *v)
{
	const char *name = intern_c(c->in, v->pool->meta.name);
	struct lint_choice ch = lint_choose(c, v->types, v->reqs, SID_NONE);
	struct span at = lint_doc(l, v->doc)->at;

	if (!ch.types) {
		lint_empty_pool(l, c, v);
		return;
	}
	if (ch.spot_types && ch.spot_types < TYPES_WANTED && replaces_spot(lint_doc(l, v->doc)->object))
		lint_add(
			l, KS_LINT_FEW_TYPES, v->doc, at, "allow more families, generations or sizes",
			"NodePool '%s' allows %u Spot instance type%s; %d are needed to replace Spot by Spot",
			name, ch.spot_types, ch.spot_types == 1 ? "" : "s", TYPES_WANTED);
	if (ch.spot_pools && ch.spot_pools < SPOT_POOLS_WANTED)
		lint_add(l, KS_LINT_FEW_SPOT_POOLS, v->doc, at, "allow more types or more zones",
			 "NodePool '%s' has %u Spot pool%s to choose from", name, ch.spot_pools,
			 ch.spot_pools == 1 ? "" : "s");
	lint_zones(l, c, v);
	lint_limits_of(l, c, v, &ch);
}

static bool tolerates(const struct cluster *c, const struct pod_spec *s, const struct taint *t)
{
	for (uint32_t i = 0; i < s->ntoleration; i++) {
		const struct toleration *x = &s->toleration[i];
		bool exists = str_is(intern_str(c->in, x->op), "Exists");

		if ((x->effect == SID_EMPTY || x->effect == t->effect) &&
		    ((x->key == SID_EMPTY && exists) ||
		     (x->key == t->key && (exists || x->value == t->value))))
			return true;
	}
	return false;
}

/* Whether a DaemonSet may run on nodes of a NodePool, by taints and node selector. */
static bool may_run(struct cluster *c, const struct pod_spec *s, const struct lint_view *v)
{
	rsetid wanted = RSET_EMPTY;

	for (uint32_t i = 0; i < v->pool->taints.n; i++)
		if (!tolerates(c, s, &v->pool->taints.v[i]))
			return false;
	for (uint32_t i = 0; i < s->node_selector.n; i++)
		wanted = rset_add(
			c->rp, wanted,
			req_in1(c->rp, req_key(c->rp, s->node_selector.v[i].key), s->node_selector.v[i].val));
	return rset_compatible(c->rp, v->reqs, wanted, true);
}

static bool fits_some(struct cluster *c, const struct lint_view *v, const struct reslist *want)
{
	for (uint32_t i = 0; i < v->types->n; i++) {
		const struct itype *t = &v->types->v[i];

		if (!t->incompatible && rset_intersects(c->rp, t->reqs, v->reqs) &&
		    reslist_fits(want, &t->allocatable))
			return true;
	}
	return false;
}

struct view_list {
	VEC(struct lint_view) v;
};

static void lint_daemon(struct lint *l, struct cluster *c, const struct view_list *views, uint32_t doc,
			const struct daemon_set *d)
{
	struct reslist want = pod_requests_of(c->in, l->a, d->spec, PODREQ_LIMITS);
	bool any = false;

	for (uint32_t i = 0; i < views->v.n; i++) {
		if (!may_run(c, d->spec, &views->v.v[i]))
			continue;
		if (fits_some(c, &views->v.v[i], &want))
			return;
		any = true;
	}
	if (any)
		lint_add(l, KS_LINT_DAEMON_TOO_LARGE, doc, SPAN_NONE,
			 "lower its requests, or allow larger instance types",
			 "DaemonSet '%s' fits on no instance type of the NodePools it may run on",
			 intern_c(c->in, d->meta.name));
}

/* The last document of a kind and name. */
static bool find_doc(const struct check_result *in, const char *kind, const char *name, uint32_t *ret_doc)
{
	for (uint32_t i = in->docs.n; i-- > 0;)
		if (strcmp(in->docs.v[i].kind, kind) == 0 && strcmp(in->docs.v[i].name, name) == 0) {
			*ret_doc = i;
			return true;
		}
	return false;
}

void lint_types(struct arena *a, const struct check_result *in, struct cluster *c,
		const struct itype_list *const *types, struct lint_findings *ret_out)
{
	struct lint l = {.a = a, .in = in, .out = ret_out};
	struct view_list views = {0};
	uint32_t doc;

	for (uint32_t i = 0; i < c->pools.n; i++) {
		const struct node_pool *p = &c->pools.v[i];
		const struct ec2_node_class *nc = cluster_class(c, p->class_ref.name);
		struct lint_view v = {.pool = p, .types = types[i], .reqs = lint_pool_reqs(c, p, NULL)};
		uint32_t class_doc;

		if (!types[i] || p->invalid != SID_NONE ||
		    !find_doc(in, "NodePool", intern_c(c->in, p->meta.name), &v.doc) ||
		    !in->docs.v[v.doc].object)
			continue;
		v.assumed = !find_doc(in, "EC2NodeClass", intern_c(c->in, p->class_ref.name), &class_doc);
		v.zones = !nc || nc->has_status;
		VEC_PUSH(a, &views.v, v);
		lint_prefixes(&l, c, &v);
		lint_pool_choice(&l, c, &v);
	}
	for (uint32_t i = 0; i < c->daemons.n; i++)
		if (find_doc(in, "DaemonSet", intern_c(c->in, c->daemons.v[i].meta.name), &doc))
			lint_daemon(&l, c, &views, doc, &c->daemons.v[i]);
}
