#include "fleet.h"

/* Takes a candidate into the range; the first of the cheapest stays. */
static void consider(struct launch *l, struct launch one)
{
	one.price_max = l->type == SID_NONE || one.price > l->price_max ? one.price : l->price_max;
	if (l->type == SID_NONE || one.price < l->price)
		*l = one;
	else
		l->price_max = one.price_max;
}

static const struct launch nothing = {
	.type = SID_NONE, .zone = SID_NONE, .capacity_type = SID_NONE, .reservation = SID_NONE};

struct launch launch_of_fleet(const struct fleet *f)
{
	struct launch l = nothing;

	for (uint32_t i = 0; i < f->nconfig; i++)
		for (uint32_t k = 0; k < f->config[i].n; k++) {
			const struct fleet_override *o = &f->config[i].override[k];

			consider(&l, (struct launch){.type = o->type,
						     .zone = o->zone,
						     .capacity_type = f->capacity_type,
						     .reservation = o->reservation,
						     .price = o->priority});
		}
	return l;
}

/* What a candidate counts as; a type of no known class counts as the middle one. */
static double weighed_price(const struct fleet_override *o, const struct catalog *cat,
			    const struct intern *in, uint32_t percent)
{
	uint32_t t = catalog_type(cat, in, o->type);
	int bucket =
		t != UINT32_MAX && cat->interruption[t] >= 0 ? cat->interruption[t] : CATALOG_BUCKETS / 2;

	return o->priority * (1 + bucket * (percent / 100.0));
}

struct launch launch_weighed(const struct fleet *f, const struct catalog *cat, const struct intern *in,
			     uint32_t percent)
{
	struct launch l = launch_of_fleet(f);
	double best = 0;

	if (percent == 0 || f->capacity_type != CAP_SPOT || l.type == SID_NONE)
		return l;
	l.weighed = true;
	l.type = SID_NONE;
	for (uint32_t i = 0; i < f->nconfig; i++)
		for (uint32_t k = 0; k < f->config[i].n; k++) {
			const struct fleet_override *o = &f->config[i].override[k];
			double price = weighed_price(o, cat, in, percent);

			if (l.type != SID_NONE && price >= best)
				continue;
			best = price;
			l.type = o->type;
			l.zone = o->zone;
			l.price = o->priority;
		}
	return l;
}

struct launch launch_of_claim(const struct cluster *c, const struct plan_claim *claim)
{
	struct launch l = nothing;

	for (uint32_t i = 0; i < claim->ntype; i++)
		for (uint32_t k = 0; k < claim->type[i]->noffering; k++) {
			const struct offering *o = &claim->type[i]->offering[k];

			/* A price inside the range so far changes nothing. */
			if (l.type != SID_NONE && o->price >= l.price && o->price <= l.price_max)
				continue;
			if (o->available && rset_compatible(c->rp, claim->reqs, o->reqs, true))
				consider(&l, (struct launch){.type = claim->type[i]->name,
							     .zone = o->zone,
							     .capacity_type = o->capacity_type,
							     .reservation = o->reservation,
							     .price = o->price});
		}
	return l;
}
