#include "podreq.h"

/* The larger of what is asked and what a running container was given. */
static struct reslist container_requests(const struct intern *in, struct arena *a, const struct container *c,
					 bool limits_too)
{
	struct reslist r = c->requests;

	for (uint32_t i = 0; limits_too && i < c->limits.n; i++)
		if (!reslist_find(&r, c->limits.v[i].name))
			r = reslist_set(in, a, &r, c->limits.v[i].name,
					(struct quantity){c->limits.v[i].v, c->limits.v[i].format});
	if (c->has_status) {
		r = reslist_max(in, a, &r, &c->status_allocated);
		r = reslist_max(in, a, &r, &c->status_requests);
	}
	return r;
}

static bool is_pod_level(const struct intern *in, sid name)
{
	return name == RES_CPU || name == RES_MEMORY || str_starts(intern_str(in, name), "hugepages-");
}

struct reslist pod_requests_of(const struct intern *in, struct arena *a, const struct pod_spec *s,
			       bool limits_too)
{
	struct reslist sum = {0}, sidecars = {0}, init = {0};

	for (uint32_t i = 0; i < s->ncontainer; i++) {
		struct reslist r = container_requests(in, a, &s->container[i], limits_too);

		sum = reslist_add(in, a, &sum, &r);
	}
	for (uint32_t i = 0; i < s->ninit; i++) {
		struct reslist r = container_requests(in, a, &s->init[i], limits_too);

		if (s->init[i].restart_always) {
			sum = reslist_add(in, a, &sum, &r);
			sidecars = reslist_add(in, a, &sidecars, &r);
			r = sidecars;
		} else {
			r = reslist_add(in, a, &r, &sidecars);
		}
		init = reslist_max(in, a, &init, &r);
	}
	sum = reslist_max(in, a, &sum, &init);
	for (uint32_t i = 0; s->has_pod_resources && i < s->pod_requests.n; i++) {
		const struct res_item *it = &s->pod_requests.v[i];

		if (is_pod_level(in, it->name))
			sum = reslist_set(in, a, &sum, it->name, (struct quantity){it->v, it->format});
	}
	sum = reslist_add(in, a, &sum, &s->overhead);
	return reslist_set(in, a, &sum, RES_PODS, (struct quantity){QTY_ONE, QTY_DECIMAL});
}
