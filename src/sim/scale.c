#include <string.h>

#include "rank.h"
#include "sim_impl.h"

static const struct owner_ref *controller(const struct object_meta *m)
{
	for (uint32_t i = 0; i < m->nowner; i++)
		if (m->owner[i].controller)
			return &m->owner[i];
	return NULL;
}

/* "NAME" or "NAME-HASH": the ReplicaSets of a Deployment. */
static bool replica_set_of(struct str name, struct str deployment)
{
	return str_eq(name, deployment) ||
	       (name.n > deployment.n + 1 && memcmp(name.p, deployment.p, deployment.n) == 0 &&
		name.p[deployment.n] == '-' &&
		!memchr(name.p + deployment.n + 1, '-', name.n - deployment.n - 1));
}

static bool belongs(const struct cluster *c, const struct workload *w, const struct pod *p)
{
	static const char *const kind[] = {[WL_DEPLOYMENT] = "ReplicaSet",
					   [WL_REPLICA_SET] = "ReplicaSet",
					   [WL_STATEFUL_SET] = "StatefulSet",
					   [WL_JOB] = "Job"};
	const struct owner_ref *o = controller(&p->meta);

	if (p->meta.ns != w->meta.ns)
		return false;
	if (!o)
		return selector_matches(c->in, &w->selector, &p->meta.labels, false);
	if (!str_is(intern_str(c->in, o->kind), kind[w->kind]))
		return false;
	if (w->kind == WL_DEPLOYMENT)
		return replica_set_of(intern_str(c->in, o->name), intern_str(c->in, w->meta.name)) &&
		       selector_matches(c->in, &w->selector, &p->meta.labels, false);
	return o->name == w->meta.name;
}

uint32_t sim_replicas(const struct cluster *c, const struct workload *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->pods.n; i++)
		n += pod_is_active(&c->pods.v[i]) && belongs(c, w, &c->pods.v[i]);
	return n;
}

static struct victim *victims(struct arena *a, const struct cluster *c, const struct workload *w,
			      uint32_t *ret_n)
{
	struct victim *v = ARENA_ARRAY(a, struct victim, sim_replicas(c, w));
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->pods.n; i++) {
		const struct pod *p = &c->pods.v[i];

		if (!pod_is_active(p) || !belongs(c, w, p))
			continue;
		victim_of(&v[n++], c, i);
	}
	victims_sort(a, c, w->kind, v, n);
	*ret_n = n;
	return v;
}

struct cluster *sim_scale_down(struct arena *a, const struct cluster *c, const struct workload *w,
			       uint32_t replicas, struct pod_names *ret_removed)
{
	struct cluster *out = arena_memdup(a, c, 1, sizeof(*c));
	bool *gone = ARENA_ARRAY(a, bool, c->pods.n);
	uint32_t n, kept = 0;
	struct victim *v = victims(a, c, w, &n);
	uint32_t remove = n > replicas ? n - replicas : 0;

	for (uint32_t i = 0; i < remove; i++)
		gone[v[i].pod] = true;
	*ret_removed = (struct pod_names){0, ARENA_ARRAY(a, const char *, remove)};
	out->pods.v = ARENA_ARRAY(a, struct pod, c->pods.n);
	for (uint32_t i = 0; i < c->pods.n; i++) {
		const struct object_meta *m = &c->pods.v[i].meta;

		if (gone[i])
			ret_removed->v[ret_removed->n++] =
				arena_printf(a, "%s/%s", intern_c(c->in, m->ns), intern_c(c->in, m->name));
		else
			out->pods.v[kept++] = c->pods.v[i];
	}
	out->pods.n = kept;
	return out;
}
