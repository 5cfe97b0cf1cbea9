#include <stdlib.h>
#include <string.h>

#include "carry_out.h"
#include "gosort.h"
#include "idmap.h"
#include "state.h"
#include "tolerate.h"

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

/* A pod that may be removed. */
struct victim {
	uint32_t pod, order;
	bool bound, running;
	long cost;
	uint32_t doubled; /* pods of the workload on its node */
	int64_t created;
	unsigned long ordinal;
	bool stateful;
};

static long deletion_cost(const struct cluster *c, const struct pod *p)
{
	sid text = labels_get(&p->meta.annotations, ANN_POD_DELETION_COST);

	return text == SID_NONE ? 0 : strtol(intern_c(c->in, text), NULL, 10);
}

static unsigned long ordinal(const char *name)
{
	const char *dash = strrchr(name, '-');

	return dash ? strtoul(dash + 1, NULL, 10) : 0;
}

static bool goes_first(const struct victim *a, const struct victim *b)
{
	if (a->stateful && a->ordinal != b->ordinal)
		return a->ordinal > b->ordinal;
	if (a->bound != b->bound)
		return !a->bound;
	if (a->running != b->running)
		return !a->running;
	if (a->cost != b->cost)
		return a->cost < b->cost;
	if (a->doubled != b->doubled)
		return a->doubled > b->doubled;
	if (a->created != b->created)
		return a->created > b->created;
	return a->order > b->order;
}

static bool victim_before(void *ctx, size_t i, size_t j)
{
	const struct victim *v = ctx;

	return goes_first(&v[i], &v[j]);
}

static void swap_victims(void *ctx, size_t i, size_t j)
{
	struct victim *v = ctx, x = v[i];

	v[i] = v[j];
	v[j] = x;
}

static void count_doubled(struct arena *a, const struct cluster *c, struct victim *v, uint32_t n)
{
	struct idmap on_node;

	idmap_init(&on_node, a);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t have = 0;

		idmap_get(&on_node, c->pods.v[v[i].pod].node, &have);
		idmap_put(&on_node, c->pods.v[v[i].pod].node, have + 1);
	}
	for (uint32_t i = 0; i < n; i++)
		if (v[i].bound)
			idmap_get(&on_node, c->pods.v[v[i].pod].node, &v[i].doubled);
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
		v[n++] = (struct victim){
			.pod = i,
			.order = p->order,
			.bound = p->node != SID_EMPTY,
			.running = p->phase == POD_RUNNING,
			.cost = deletion_cost(c, p),
			.created = p->meta.created,
			.ordinal = ordinal(intern_c(c->in, p->meta.name)),
			.stateful = w->kind == WL_STATEFUL_SET,
		};
	}
	count_doubled(a, c, v, n);
	*ret_n = n;
	gosort(v, n, victim_before, swap_victims);
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
