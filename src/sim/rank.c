#include "rank.h"

#include <stdlib.h>
#include <string.h>

#include "gosort.h"
#include "idmap.h"

/* As Kubernetes reads the annotation: an int32 without a plus sign or leading zeros; anything else is 0. */
static int32_t deletion_cost(const struct cluster *c, const struct pod *p)
{
	sid id = labels_get(&p->meta.annotations, ANN_POD_DELETION_COST);
	const char *text = id == SID_NONE ? "" : intern_c(c->in, id), *digits = text + (*text == '-');
	char *end;
	long v;

	if ((*digits < '1' || *digits > '9') && strcmp(text, "0") != 0)
		return 0;
	v = strtol(text, &end, 10);
	return *end || v < INT32_MIN || v > INT32_MAX ? 0 : (int32_t)v;
}

static unsigned long ordinal(const char *name)
{
	const char *dash = strrchr(name, '-');

	return dash ? strtoul(dash + 1, NULL, 10) : 0;
}

static int phase_rank(enum pod_phase phase)
{
	return phase == POD_PENDING ? 0 : phase == POD_UNKNOWN ? 1 : 2;
}

void victim_of(struct victim *v, const struct cluster *c, uint32_t pod)
{
	const struct pod *p = &c->pods.v[pod];
	const struct condition *ready = conditions_find(&p->conditions, c->in, "Ready");

	*v = (struct victim){.pod = pod,
			     .order = p->order,
			     .bound = p->node != SID_EMPTY,
			     .phase = phase_rank(p->phase),
			     .cost = deletion_cost(c, p),
			     .created = p->meta.created,
			     .restarts = p->restarts,
			     .sidecar_restarts = p->sidecar_restarts,
			     .uid = p->meta.uid,
			     .ordinal = ordinal(intern_c(c->in, p->meta.name))};
	if (ready) {
		v->ready = str_is(intern_str(c->in, ready->status), "True");
		v->ready_since = ready->transition;
	} else {
		/* One that runs and does not say is taken for ready since it started. */
		v->ready = p->phase == POD_RUNNING && !p->has_conditions;
		v->ready_since = p->start_time;
	}
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
		idmap_get(&on_node, c->pods.v[v[i].pod].node, &v[i].doubled);
}

struct victims {
	const struct cluster *c;
	enum workload_kind kind;
};

/* Ages within one power of two, in nanoseconds, are alike. */
static int age_bucket(int64_t since, int64_t now)
{
	uint64_t ns;

	if (now <= since)
		return -1;
	if (__builtin_mul_overflow((uint64_t)(now - since), UINT64_C(1000000000), &ns))
		return 63;
	return 63 - __builtin_clzll(ns);
}

/* Younger before older; by age buckets and then by uid where logs are taken (LogarithmicScaleDown). */
static bool younger(const struct victims *s, int64_t x, int64_t y, sid uid_x, sid uid_y)
{
	int64_t now = s->c->settings.now;
	int bx, by;

	if (x == TIME_NONE || y == TIME_NONE)
		return x == TIME_NONE;
	if (s->kind == WL_JOB)
		return x > y;
	bx = age_bucket(x, now);
	by = age_bucket(y, now);
	return bx == by ? intern_cmp(s->c->in, uid_x, uid_y) < 0 : bx < by;
}

static bool goes_first(const struct victims *s, const struct victim *a, const struct victim *b)
{
	if (a->bound != b->bound)
		return !a->bound;
	if (a->phase != b->phase)
		return a->phase < b->phase;
	if (a->ready != b->ready)
		return !a->ready;
	if (s->kind != WL_JOB && a->cost != b->cost)
		return a->cost < b->cost;
	if (s->kind != WL_JOB && a->doubled != b->doubled)
		return a->doubled > b->doubled;
	if (a->ready && a->ready_since != b->ready_since)
		return younger(s, a->ready_since, b->ready_since, a->uid, b->uid);
	if (a->restarts != b->restarts)
		return a->restarts > b->restarts;
	if (a->sidecar_restarts != b->sidecar_restarts)
		return a->sidecar_restarts > b->sidecar_restarts;
	if (a->created != b->created)
		return younger(s, a->created, b->created, a->uid, b->uid);
	/* Kubernetes leaves the rest open; the last of the input goes. */
	return a->order > b->order;
}

static bool victim_before(const void *x, const void *y, const void *ctx)
{
	const struct victim *a = x, *b = y;
	const struct victims *s = ctx;

	if (s->kind == WL_STATEFUL_SET && a->ordinal != b->ordinal)
		return a->ordinal > b->ordinal;
	return goes_first(s, a, b);
}

void victims_sort(struct arena *a, const struct cluster *c, enum workload_kind kind, struct victim *v,
		  uint32_t n)
{
	struct victims s = {c, kind};

	count_doubled(a, c, v, n);
	GOSORT(v, n, victim_before, &s);
}
