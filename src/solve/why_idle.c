#include <float.h>
#include <inttypes.h>

#include "why_impl.h"

/* Why a NodePool makes no node for any pod. */

/* Of a NodePool that takes part in no run at all. */
static struct why_obstacle unusable(struct arena *a, const struct snapshot *s, const struct node_pool *np)
{
	const struct cluster *c = s->c;
	const struct condition *ready = conditions_find(&np->conditions, c->in, "Ready");
	struct why_obstacle o = {.code = WHY_NOT_READY, .subject = SID_NONE};

	if (np->is_static) {
		o.code = WHY_STATIC;
		o.message = "a NodePool with replicas makes no nodes for pods";
	} else if (np->meta.deleted != TIME_NONE) {
		o.code = WHY_DELETING;
		o.message = "the NodePool is being deleted";
	} else if (ready) {
		const char *text = intern_c(c->in, ready->message);

		o.message = arena_printf(a, "the status of the NodePool is not Ready%s%s", *text ? ": " : "",
					 text);
	} else if (np->invalid != SID_NONE) {
		o.message =
			arena_printf(a, "Karpenter refuses the NodePool: %s", intern_c(c->in, np->invalid));
	} else if (!cluster_class(c, np->class_ref.name)) {
		o.message = arena_printf(a, "EC2NodeClass %s is not in the input",
					 intern_c(c->in, np->class_ref.name));
		o.enough = "add the EC2NodeClass";
	} else {
		o.message =
			arena_printf(a, "EC2NodeClass %s is not ready", intern_c(c->in, np->class_ref.name));
	}
	return o;
}

/* The types of a list that a NodePool's requirements leave. */
static const struct itype **own_types(struct arena *a, struct reqpool *p, const struct itype_list *list,
				      rsetid reqs, uint32_t *ret_n)
{
	const struct itype **v = ARENA_ARRAY(a, const struct itype *, (size_t)list->n + 1);

	*ret_n = 0;
	for (uint32_t i = 0; i < list->n; i++)
		if (rset_intersects(p, list->v[i].reqs, reqs) && itype_price(p, &list->v[i], reqs) < DBL_MAX)
			v[(*ret_n)++] = &list->v[i];
	return v;
}

/* The single requirement without which some type is left. */
static void loosen(struct arena *a, const struct template *m, struct class_table *t, struct why_obstacle *o)
{
	struct reqpool *p = t->cluster->rp;
	const uint32_t *order = rset_by_name(p, m->reqs, a);
	uint32_t n = rset_get(p, m->reqs)->n, left;
	struct buf b;

	buf_init(&b);
	for (uint32_t i = 0; i < n; i++) {
		keyid key = req_get(p, rset_get(p, m->reqs)->req[order[i]])->key;

		own_types(a, p, m->list, rset_without(p, m->reqs, key), &left);
		if (left)
			buf_addf(&b, "%s%s", b.n ? ", or " : "loosen its ",
				 intern_c(p->in, req_key_name(p, key)));
	}
	if (b.n)
		o->enough = arena_strndup(a, b.p, b.n);
	buf_release(&b);
}

static void lower_min_values(struct arena *a, const struct template *m, struct class_table *t,
			     struct why_obstacle *o)
{
	struct reqpool *p = t->cluster->rp;
	struct min_values_gap *gap;
	uint32_t n, ngap;
	const struct itype **v = own_types(a, p, m->list, m->reqs, &n);

	o->code = WHY_POOL_MIN_VALUES;
	if (itypes_min_values(p, a, v, n, m->reqs, &gap, &ngap) != UINT32_MAX)
		return;
	o->subject = req_key_name(p, gap->key);
	o->message = arena_printf(a, "minValues %" PRId32 " of %s, %" PRIu32 " are available",
				  req_get(p, rset_find(p, m->reqs, gap->key))->min_values,
				  intern_c(p->in, o->subject), gap->have);
	if (ngap == 1)
		o->enough = arena_printf(a, "lower minValues of %s to %" PRIu32, intern_c(p->in, o->subject),
					 gap->have);
}

/* Says so when all that the NodePool's requirements allow is unavailable. */
static void unavailable(struct arena *a, const struct template *m, struct reqpool *p, struct why_obstacle *o)
{
	uint32_t n = 0, gone = 0;

	for (uint32_t i = 0; i < m->list->n; i++) {
		const struct itype *t = &m->list->v[i];

		for (uint32_t k = 0; k < t->noffering && rset_intersects(p, t->reqs, m->reqs); k++)
			if (rset_compatible(p, m->reqs, t->offering[k].reqs, true)) {
				n++;
				gone += !t->offering[k].available;
			}
	}
	if (n && gone == n)
		o->message =
			arena_printf(a,
				     "all that the NodePool's own requirements leave is unavailable, %" PRIu32
				     " offering%s",
				     n, n == 1 ? "" : "s");
}

/* Of a NodePool without a template. */
static struct why_obstacle empty(struct arena *a, struct snapshot *s, uint32_t pool)
{
	struct why_obstacle o = {.code = WHY_NO_TYPES, .subject = SID_NONE};
	struct template m = {.pool = s->m.pool[pool], .arena = a, .list = s->m.types[pool]};

	if (!m.list) {
		o.message = "there are no instance types for the NodePool";
		return o;
	}
	o.message = "the NodePool's own requirements leave no instance type that is available";
	template_labels(&m, &s->t);
	if (s->m.min_values[pool]) {
		lower_min_values(a, &m, &s->t, &o);
	} else {
		unavailable(a, &m, s->c->rp, &o);
		loosen(a, &m, &s->t, &o);
	}
	return o;
}

static void add_one(struct arena *a, struct why_pool *out, const struct node_pool *np, struct why_obstacle o)
{
	*out = (struct why_pool){np, 1, arena_memdup(a, &o, 1, sizeof(o))};
}

static struct template *template_of(const struct snapshot *s, const struct node_pool *np)
{
	for (uint32_t i = 0; i < s->m.n; i++)
		if (s->m.v[i].pool == np)
			return &s->m.v[i];
	return NULL;
}

struct why_pool *why_idle_pools(struct arena *a, struct snapshot *s, uint32_t *ret_n)
{
	const struct cluster *c = s->c;
	struct why_pool *v = ARENA_ARRAY(a, struct why_pool, (size_t)c->pools.n + 1);
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->m.npool; i++)
		if (!template_of(s, s->m.pool[i]))
			add_one(a, &v[n++], s->m.pool[i], empty(a, s, i));
	for (uint32_t i = 0; i < c->pools.n; i++) {
		uint32_t k = 0;

		while (k < s->m.npool && s->m.pool[k] != &c->pools.v[i])
			k++;
		if (k == s->m.npool)
			add_one(a, &v[n++], &c->pools.v[i], unusable(a, s, &c->pools.v[i]));
	}
	*ret_n = n;
	return v;
}
