#include "verify_impl.h"

#include <stdlib.h>

#include "duration.h"

/* What the objects say, read as Kubernetes and Karpenter v1.14.1 define it (karpenter-core A2, A7, B3). */

bool ended(const struct pod *p)
{
	return p->phase == POD_SUCCEEDED || p->phase == POD_FAILED;
}

bool active(const struct pod *p)
{
	return !ended(p) && p->meta.deleted == TIME_NONE;
}

bool owned_by(const struct cluster *c, const struct pod *p, const char *api_version, const char *kind)
{
	for (uint32_t i = 0; i < p->meta.nowner; i++)
		if (str_is(intern_str(c->in, p->meta.owner[i].api_version), api_version) &&
		    str_is(intern_str(c->in, p->meta.owner[i].kind), kind))
			return true;
	return false;
}

static bool stays_on_node(const struct cluster *c, const struct pod *p)
{
	return owned_by(c, p, "apps/v1", "DaemonSet") || owned_by(c, p, "v1", "Node");
}

bool waits_for_node(const struct cluster *c, const struct pod *p)
{
	/* A pod that no scheduler looked at yet is planned for. */
	bool unschedulable = !p->has_conditions && !p->spec->gated;

	for (uint32_t i = 0; i < p->conditions.n; i++)
		if (str_is(intern_str(c->in, p->conditions.v[i].type), "PodScheduled") &&
		    str_is(intern_str(c->in, p->conditions.v[i].reason), "Unschedulable"))
			unschedulable = true;
	return unschedulable && p->node == SID_EMPTY &&
	       (p->nominated_node == SID_EMPTY || p->nominated_node == SID_NONE) && !stays_on_node(c, p);
}

bool moves_on(const struct cluster *c, const struct pod *p)
{
	bool restarts = p->meta.deleted != TIME_NONE && owned_by(c, p, "apps/v1", "StatefulSet");

	return (active(p) || restarts) && !stays_on_node(c, p);
}

bool has_annotation_shield(const struct cluster *c, const struct pod *p)
{
	sid value = labels_get(&p->meta.annotations, ANN_DO_NOT_DISRUPT);
	struct buf why;
	int64_t ns = 0;
	bool ok;

	if (value == SID_NONE || value == STR_TRUE)
		return value == STR_TRUE;
	buf_init(&why);
	ok = duration_parse(intern_str(c->in, value), &ns, &why) && ns > 0;
	buf_release(&why);
	return ok && (p->start_time == TIME_NONE ||
		      c->settings.now - p->start_time < (ns + 999999999) / 1000000000);
}

static bool never_lets_go(const struct cluster *c, const struct pdb *b)
{
	struct str max = intern_str(c->in, b->max_unavailable), min = intern_str(c->in, b->min_available);

	return str_is(max, "0") || str_is(max, "0%") || str_is(min, "100%");
}

static bool tolerates_disruption(const struct cluster *c, const struct pod *p)
{
	const struct taint t = {.key = TAINT_DISRUPTED, .value = SID_EMPTY, .effect = EFFECT_NO_SCHEDULE};

	return tolerates(c, p->spec->toleration, p->spec->ntoleration, &t);
}

/* An unhealthy pod may go where the budget says so. */
static bool unhealthy(const struct cluster *c, const struct pod *p)
{
	for (uint32_t i = 0; i < p->conditions.n; i++)
		if (str_is(intern_str(c->in, p->conditions.v[i].type), "Ready") &&
		    str_is(intern_str(c->in, p->conditions.v[i].status), "False"))
			return true;
	return false;
}

bool held(const struct scene *s, const struct pod *p, bool full)
{
	const struct cluster *c = s->c;
	const struct pdb *one = NULL;
	uint32_t n = 0;

	if (!active(p))
		return false;
	if (has_annotation_shield(c, p))
		return true;
	if (tolerates_disruption(c, p) || owned_by(c, p, "v1", "Node"))
		return false;
	for (uint32_t i = 0; i < c->pdbs.n; i++)
		if (c->pdbs.v[i].meta.ns == p->meta.ns && c->pdbs.v[i].selector.present &&
		    selects(c, &c->pdbs.v[i].selector, &p->meta.labels)) {
			one = &c->pdbs.v[i];
			n++;
		}
	if (n != 1)
		return n > 1;
	if (one->always_allow && unhealthy(c, p))
		return false;
	return full ? never_lets_go(c, one) : one->disruptions_allowed == 0;
}

static bool expr_selects(const struct cluster *c, const struct match_expr *e, const struct labels *l)
{
	struct str op = intern_str(c->in, e->op);
	sid have = labels_get(l, e->key);
	bool listed = false;

	if (str_is(op, "Exists"))
		return have != SID_NONE;
	if (str_is(op, "DoesNotExist"))
		return have == SID_NONE;
	for (uint32_t i = 0; i < e->n; i++)
		listed = listed || (have != SID_NONE && e->values[i] == have);
	return str_is(op, "In") ? listed : str_is(op, "NotIn") && !listed;
}

bool selects(const struct cluster *c, const struct label_selector *s, const struct labels *l)
{
	if (!s->present || s->invalid)
		return false;
	for (uint32_t i = 0; i < s->match.n; i++)
		if (labels_get(l, s->match.v[i].key) != s->match.v[i].val)
			return false;
	for (uint32_t i = 0; i < s->n; i++)
		if (!expr_selects(c, &s->expr[i], l))
			return false;
	return true;
}

static bool whole_number(struct str s, int64_t *ret_v)
{
	char *end;

	*ret_v = strtoll(s.p, &end, 10);
	return s.n > 0 && end == s.p + s.n;
}

static bool tolerates_one(const struct cluster *c, const struct toleration *t, const struct taint *taint)
{
	struct str op = intern_str(c->in, t->op);
	int64_t limit, value;

	if ((t->effect != SID_EMPTY && t->effect != taint->effect) ||
	    (t->key != SID_EMPTY && t->key != taint->key))
		return false;
	if (str_is(op, "Exists"))
		return true;
	if (op.n == 0 || str_is(op, "Equal"))
		return t->value == taint->value;
	if (!whole_number(intern_str(c->in, t->value), &limit) ||
	    !whole_number(intern_str(c->in, taint->value), &value))
		return false;
	return str_is(op, "Gt") ? value > limit : str_is(op, "Lt") && value < limit;
}

bool tolerates(const struct cluster *c, const struct toleration *t, uint32_t n, const struct taint *taint)
{
	for (uint32_t i = 0; i < n; i++)
		if (tolerates_one(c, &t[i], taint))
			return true;
	return false;
}

static bool any_address(struct str ip)
{
	return ip.n == 0 || str_is(ip, "0.0.0.0") || str_is(ip, "::");
}

bool ports_meet(const struct cluster *c, const struct host_port *x, const struct host_port *y)
{
	return x->port == y->port && x->protocol == y->protocol &&
	       (x->ip == y->ip || any_address(intern_str(c->in, x->ip)) ||
		any_address(intern_str(c->in, y->ip)));
}

bool pool_usable(const struct cluster *c, const struct node_pool *np)
{
	const struct condition *ready = conditions_find(&np->conditions, c->in, "Ready");

	return !np->is_static && np->meta.deleted == TIME_NONE &&
	       (ready ? str_is(intern_str(c->in, ready->status), "True") : np->invalid == SID_NONE);
}
