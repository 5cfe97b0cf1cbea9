#include <string.h>

#include "idmap.h"
#include "sim_impl.h"

/* How many more instances of each reservation are in use after a step. */
struct change {
	VEC(sid) id;
	VEC(int32_t) more;
	struct idmap at;
	sid label;
};

static void count_claims(struct arena *a, struct change *ch, const struct cluster *c, int32_t by)
{
	for (uint32_t i = 0; i < c->claims.n; i++) {
		sid id = labels_get(&c->claims.v[i].meta.labels, ch->label);
		uint32_t at;

		if (id == SID_NONE || id == SID_EMPTY)
			continue;
		if (!idmap_get(&ch->at, id, &at)) {
			at = ch->id.n;
			idmap_put(&ch->at, id, at);
			VEC_PUSH(a, &ch->id, id);
			VEC_PUSH(a, &ch->more, 0);
		}
		ch->more.v[at] += by;
	}
}

static int32_t change_of(const struct change *ch, const struct offering *o)
{
	uint32_t at;

	return o->reservation != SID_NONE && idmap_get(&ch->at, o->reservation, &at) ? ch->more.v[at] : 0;
}

/* What else a reserved offering needs besides a free instance (OF-4). */
static bool open_otherwise(const struct cluster *c, const struct itype *t, const struct offering *o)
{
	reqid zones = rset_find(c->rp, t->reqs, req_key(c->rp, LBL_ZONE));

	for (uint32_t i = 0; i < c->classes.n; i++)
		for (uint32_t k = 0; k < c->classes.v[i].nreservation; k++) {
			const struct nc_reservation *r = &c->classes.v[i].reservation[k];

			if (r->id == o->reservation && r->state != SID_NONE &&
			    str_is(intern_str(c->in, r->state), "expiring"))
				return false;
		}
	return !t->incompatible && (zones == REQ_NONE || req_allows(c->rp, zones, o->zone));
}

static void recount_type(struct arena *a, const struct cluster *c, const struct change *ch, struct itype *t)
{
	bool copied = false;

	for (uint32_t k = 0; k < t->noffering; k++) {
		int32_t more = change_of(ch, &t->offering[k]);
		struct offering *o;

		if (more == 0)
			continue;
		if (!copied)
			t->offering = arena_memdup(a, t->offering, t->noffering, sizeof(*t->offering));
		copied = true;
		o = &t->offering[k];
		if (o->reservation_cap == 0)
			o->available = open_otherwise(c, t, o);
		o->reservation_cap = o->reservation_cap > more ? o->reservation_cap - more : 0;
		o->available = o->available && o->reservation_cap > 0;
	}
}

static const struct itype_list *recount_list(struct arena *a, const struct cluster *c,
					     const struct change *ch, const struct itype_list *l)
{
	struct itype_list *out = ARENA_NEW(a, struct itype_list);

	out->n = l->n;
	out->v = arena_memdup(a, l->v, l->n, sizeof(*l->v));
	for (uint32_t i = 0; i < out->n; i++)
		recount_type(a, c, ch, &out->v[i]);
	return out;
}

const struct itype_list **sim_recount(struct arena *a, const struct cluster *before,
				      const struct cluster *after, const struct itype_list **by_pool)
{
	const struct settings *s = &before->settings;
	struct change ch = {.label = s->reservation_label == SID_NONE ? LBL_CR_ID : s->reservation_label};
	const struct itype_list **out;
	bool any = false;

	idmap_init(&ch.at, a);
	count_claims(a, &ch, after, 1);
	count_claims(a, &ch, before, -1);
	for (uint32_t i = 0; i < ch.more.n; i++)
		any |= ch.more.v[i] != 0;
	if (!any)
		return by_pool;
	out = ARENA_ARRAY(a, const struct itype_list *, before->pools.n);
	for (uint32_t i = 0; i < before->pools.n; i++) {
		/* Pools of one EC2NodeClass share their types. */
		for (uint32_t k = 0; k < i && !out[i]; k++)
			if (by_pool[k] == by_pool[i])
				out[i] = out[k];
		if (by_pool[i] && !out[i])
			out[i] = recount_list(a, before, &ch, by_pool[i]);
	}
	return out;
}
