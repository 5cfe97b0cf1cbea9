#include "podreq.h"

static struct reslist spec_requests(const struct intern *in, struct arena *a, const struct container *c,
				    unsigned flags)
{
	struct reslist r = c->requests;

	for (uint32_t i = 0; (flags & PODREQ_LIMITS) && i < c->limits.n; i++)
		if (!reslist_find(&r, c->limits.v[i].name))
			r = reslist_set(in, a, &r, c->limits.v[i].name,
					(struct quantity){c->limits.v[i].v, c->limits.v[i].format});
	return r;
}

/* The larger of what is asked and what a container that keeps running was given. */
static struct reslist running_requests(const struct intern *in, struct arena *a, const struct container *c,
				       unsigned flags)
{
	struct reslist asked = spec_requests(in, a, c, flags), given;

	if (!c->has_status)
		return asked;
	given = reslist_max(in, a, &c->status_requests, &c->status_allocated);
	return flags & PODREQ_INFEASIBLE ? given : reslist_max(in, a, &asked, &given);
}

static bool is_pod_level(const struct intern *in, sid name)
{
	return name == RES_CPU || name == RES_MEMORY || str_starts(intern_str(in, name), "hugepages-");
}

/* The most that init containers need at one time; sidecars are added to *sum. */
static struct reslist init_requests(const struct intern *in, struct arena *a, const struct pod_spec *s,
				    unsigned flags, struct reslist *sum)
{
	struct reslist sidecars = {0}, most = {0};

	for (uint32_t i = 0; i < s->ninit; i++) {
		const struct container *c = &s->init[i];
		struct reslist r;

		if (c->restart_always) {
			r = running_requests(in, a, c, flags);
			*sum = reslist_add(in, a, sum, &r);
			sidecars = reslist_add(in, a, &sidecars, &r);
			r = sidecars;
		} else {
			r = spec_requests(in, a, c, flags);
			r = reslist_add(in, a, &r, &sidecars);
		}
		most = reslist_max(in, a, &most, &r);
	}
	return most;
}

struct reslist pod_requests_of(const struct intern *in, struct arena *a, const struct pod_spec *s,
			       unsigned flags)
{
	struct reslist sum = {0}, init;

	for (uint32_t i = 0; i < s->ncontainer; i++) {
		struct reslist r = running_requests(in, a, &s->container[i], flags);

		sum = reslist_add(in, a, &sum, &r);
	}
	init = init_requests(in, a, s, flags, &sum);
	sum = reslist_max(in, a, &sum, &init);
	for (uint32_t i = 0; i < s->pod_requests.n; i++) {
		const struct res_item *it = &s->pod_requests.v[i];

		if (is_pod_level(in, it->name))
			sum = reslist_set(in, a, &sum, it->name, (struct quantity){it->v, it->format});
	}
	sum = reslist_add(in, a, &sum, &s->overhead);
	return reslist_set(in, a, &sum, RES_PODS, (struct quantity){QTY_ONE, QTY_DECIMAL});
}
