#include <float.h>
#include <inttypes.h>

#include "bits.h"
#include "why_impl.h"

/* What else a NodePool asks of the instance types left for a pod: minValues, limits, reserved capacity. */

/* Whether the types left are those that the pod will have, whatever else it asks. */
static bool types_settled(const struct why_try *w)
{
	for (uint32_t i = 0; i < w->out.v.n; i++)
		if (w->out.v.v[i].code != WHY_TAINT && w->out.v.v[i].code != WHY_RESOURCE)
			return false;
	return true;
}

void why_min_values(struct why_try *w, const struct why_masks *k)
{
	struct reqpool *p = w->r->s->c->rp;
	struct min_values_gap *gap;
	uint32_t n, ngap;
	rsetid reqs = why_reqs(w);
	const struct itype **v = types_listed(w->a, w->m, k->left, &n);

	if (w->r->s->c->settings.min_values_best_effort || !types_settled(w) ||
	    itypes_min_values(p, w->a, v, n, reqs, &gap, &ngap) != UINT32_MAX)
		return;
	for (uint32_t i = 0; i < ngap; i++) {
		const char *key = intern_c(p->in, req_key_name(p, gap[i].key));

		buf_addf(&w->message, "minValues %" PRId32 " of %s, the pod leaves %" PRIu32,
			 req_get(p, rset_find(p, reqs, gap[i].key))->min_values, key, gap[i].have);
		buf_addf(why_or(w), "lower minValues of %s to %" PRIu32, key, gap[i].have);
		why_add(w, WHY_MIN_VALUES, req_key_name(p, gap[i].key));
	}
}

static bool nodes_used_up(const struct solving *r, const struct template *m)
{
	const struct res_item *nodes = reslist_find(&r->limit[m->index], RES_NODES);

	return m->pool->has_limits && nodes && nodes->v <= 0;
}

static void over_limit(struct why_try *w, const struct itype *t, const struct res_item *left)
{
	const struct intern *in = w->r->s->c->in;
	const struct res_item *limit = reslist_find(&w->m->pool->limits, left->name);
	const char *name = intern_c(in, left->name);
	qty need = left->name == RES_NODES ? QTY_ONE : reslist_amount(&t->capacity, left->name);
	struct why_obstacle *o;

	if (left->name == RES_NODES) {
		buf_addf(&w->message, "limits.nodes %" PRId64 " is used up", quantity_ceil(limit->v));
	} else {
		buf_addf(&w->message, "limits.%s ", name);
		why_amount(in, &w->message, left->name, limit->v, false);
		buf_adds(&w->message, left->v < 0 ? " is exceeded by " : " has ");
		why_amount(in, &w->message, left->name, left->v < 0 ? -left->v : left->v, left->v < 0);
		buf_addf(&w->message, "%s, %s, the smallest type that would do, takes ",
			 left->v < 0 ? "" : " left", intern_c(in, t->name));
		why_amount(in, &w->message, left->name, need, true);
	}
	buf_addf(why_or(w), "raise limits.%s to ", name);
	why_amount(in, &w->enough, left->name, limit->v - left->v + need, true);
	o = why_add(w, WHY_LIMIT, left->name);
	o->has_amount = true;
	o->need = need;
	o->have = left->v;
	o->format = limit->format;
}

/* The type whose excess over the limits is smallest. */
static uint32_t smallest(struct why_try *w, const uint64_t *mask)
{
	const struct reslist *left = &w->r->limit[w->m->index];
	uint32_t best = UINT32_MAX;
	double least = DBL_MAX;

	BITS_EACH (i, mask, w->m->nwords) {
		double excess = 0;

		for (uint32_t k = 0; k < left->n; k++) {
			qty limit = reslist_find(&w->m->pool->limits, left->v[k].name)->v;
			qty over = reslist_amount(&w->m->type[i]->capacity, left->v[k].name) - left->v[k].v;

			if (over > 0)
				excess += quantity_double(over) / (limit > 0 ? quantity_double(limit) : 1);
		}
		if (best == UINT32_MAX || excess < least) {
			least = excess;
			best = i;
		}
	}
	return best;
}

void why_limits(struct why_try *w, const struct why_masks *k)
{
	const struct reslist *left = &w->r->limit[w->m->index];
	bool nodes = nodes_used_up(w->r, w->m);
	uint32_t best;

	if (!w->m->pool->has_limits || (!nodes && why_both(k->left, k->within, k->nwords)))
		return;
	best = smallest(w, k->left);
	for (uint32_t i = 0; best != UINT32_MAX && i < left->n; i++)
		if (left->v[i].name == RES_NODES
			    ? nodes
			    : reslist_amount(&w->m->type[best]->capacity, left->v[i].name) > left->v[i].v)
			over_limit(w, w->m->type[best], &left->v[i]);
}

/* A10.4: a pod waits for reserved capacity that fits it. */
void why_reservations(struct why_try *w, const struct why_masks *k)
{
	struct reqpool *p = w->r->s->c->rp;
	rsetid reqs = why_reqs(w);
	uint32_t n = 0, left;

	if (!w->m->has_reserved || !w->r->o.strict_reserved ||
	    !w->r->s->c->settings.gates[GATE_RESERVED_CAPACITY])
		return;
	BITS_EACH (i, k->left, w->m->nwords) {
		for (uint32_t j = 0; j < w->m->type[i]->noffering; j++) {
			const struct offering *o = &w->m->type[i]->offering[j];

			if (o->reservation == SID_NONE || !o->available ||
			    !rset_compatible(p, reqs, o->reqs, true))
				continue;
			if (idmap_get(&w->r->reserved, o->reservation, &left) && left > 0)
				return;
			n++;
		}
	}
	if (!n)
		return;
	buf_adds(&w->message, "the reserved capacity that fits is taken by other new nodes");
	buf_adds(why_or(w), "plan again once they are launched");
	why_add(w, WHY_RESERVED, SID_NONE);
}
