#include "scale.h"

#include <stdlib.h>
#include <strings.h>

#include "cmd.h"
#include "decide.h"
#include "rounds.h"
#include "suggest.h"

static const struct {
	const char *name, *brief;
	enum workload_kind kind;
} kinds[] = {
	{"deployment", "deploy", WL_DEPLOYMENT},
	{"replicaset", "rs", WL_REPLICA_SET},
	{"statefulset", "sts", WL_STATEFUL_SET},
	{"job", "job", WL_JOB},
};

enum { NKINDS = sizeof(kinds) / sizeof(kinds[0]) };

static int find_kind(struct str s)
{
	for (int i = 0; i < NKINDS; i++)
		if ((s.n == strlen(kinds[i].name) && strncasecmp(s.p, kinds[i].name, s.n) == 0) ||
		    (s.n == strlen(kinds[i].brief) && strncasecmp(s.p, kinds[i].brief, s.n) == 0))
			return i;
	return -1;
}

/* The workload of a kind and name; with a namespace unless ns is empty. */
static const struct workload *find_workload(const struct cluster *c, enum workload_kind kind, struct str ns,
					    struct str name, uint32_t *ret_n)
{
	const struct workload *found = NULL;

	*ret_n = 0;
	for (uint32_t i = 0; i < c->workloads.n; i++) {
		const struct workload *w = &c->workloads.v[i];

		if (w->kind != kind || !str_eq(intern_str(c->in, w->meta.name), name))
			continue;
		if (ns.n && !str_eq(intern_str(c->in, w->meta.ns), ns))
			continue;
		found = w;
		++*ret_n;
	}
	return found;
}

static void suggest_workload(struct run *r, const struct cluster *c, enum workload_kind kind, struct str name)
{
	struct suggest s;

	suggest_init(&s, name);
	for (uint32_t i = 0; i < c->workloads.n; i++)
		if (c->workloads.v[i].kind == kind)
			suggest_try(&s, intern_str(c->in, c->workloads.v[i].meta.name));
	if (s.best.n)
		diag_hint(&r->diags, "did you mean '%s'?", s.best.p);
}

/* Cuts "KIND/NAME=N" into its parts. */
static bool cut(const char *text, struct str *ret_kind, struct str *ret_ns, struct str *ret_name,
		uint32_t *ret_n)
{
	const char *equals = strrchr(text, '='), *slash = strchr(text, '/');
	const char *second;
	char *end;
	unsigned long n;

	if (!equals || !slash || slash > equals || equals[1] < '0' || equals[1] > '9')
		return false;
	n = strtoul(equals + 1, &end, 10);
	if (*end || n > 1000000)
		return false;
	*ret_n = (uint32_t)n;
	*ret_kind = (struct str){text, (size_t)(slash - text)};
	second = memchr(slash + 1, '/', (size_t)(equals - slash - 1));
	*ret_ns = second ? (struct str){slash + 1, (size_t)(second - slash - 1)} : (struct str){"", 0};
	if (!second)
		second = slash;
	*ret_name = (struct str){second + 1, (size_t)(equals - second - 1)};
	return ret_name->n > 0;
}

static bool parse_scale(struct run *r, const struct cluster *c, const char *text, struct scale *ret)
{
	struct str kind, ns, name;
	uint32_t n;
	int k;

	ret->text = text;
	if (!cut(text, &kind, &ns, &name, &ret->replicas)) {
		diag(&r->diags, KS_OPTION_VALUE, SPAN_NONE, "invalid argument '%s' for '--scale'", text);
		diag_hint(&r->diags, "the form is KIND/NAME=N, for instance deployment/web=1");
		return false;
	}
	k = find_kind(kind);
	if (k < 0) {
		diag(&r->diags, KS_OPTION_VALUE, SPAN_NONE,
		     "invalid argument '%s' for '--scale': no workload kind '%.*s'", text, (int)kind.n,
		     kind.p);
		diag_hint(&r->diags, "one of deployment, replicaset, statefulset, job");
		return false;
	}
	ret->workload = find_workload(c, kinds[k].kind, ns, name, &n);
	if (n == 1)
		return true;
	diag(&r->diags, KS_SCALE_TARGET, SPAN_NONE, "%s %s '%.*s' in the input", n ? "more than one" : "no",
	     kinds[k].name, (int)name.n, name.p);
	if (n)
		diag_hint(&r->diags, "say which with KIND/NAMESPACE/NAME=N");
	else
		suggest_workload(r, c, kinds[k].kind, name);
	return false;
}

/* kubectl would not know either which of two is meant. */
static bool scaled_once(struct run *r, const struct scale *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (v[i].workload == v[n].workload) {
			diag(&r->diags, KS_OPTION_VALUE, SPAN_NONE,
			     "invalid argument '%s' for '--scale': '%s' scales the same workload", v[n].text,
			     v[i].text);
			return false;
		}
	return true;
}

bool scales_parse(struct run *r, const struct cluster *c, struct scale **ret_v)
{
	const struct text_list *list = &r->opts.scale;
	struct scale *v = ARENA_ARRAY(&r->arena, struct scale, list->n);
	bool ok = true;

	for (uint32_t i = 0; i < list->n; i++)
		ok = parse_scale(r, c, list->v[i], &v[i]) && scaled_once(r, v, i) && ok;
	*ret_v = v;
	return ok;
}

static void add_names(struct arena *a, struct pod_names *all, const struct pod_names *more)
{
	const char **v = ARENA_ARRAY(a, const char *, (size_t)all->n + more->n);

	if (all->n)
		memcpy(v, all->v, all->n * sizeof(*v));
	if (more->n)
		memcpy(v + all->n, more->v, more->n * sizeof(*v));
	*all = (struct pod_names){all->n + more->n, v};
}

static void scale_one(struct arena *a, struct world *w, const struct scale *s, struct scaled *out)
{
	struct pod_names gone = {0}, added = {0};

	if (s->replicas > sim_replicas(w->c, s->workload))
		w->c = sim_scale_up(a, w->c, s->workload, s->replicas, &added);
	else
		w->c = sim_scale_down(a, w->c, s->workload, s->replicas, &gone);
	w->c = sim_scale_buffers(a, w->c, s->workload, s->replicas);
	add_names(a, &out->removed, &gone);
	add_names(a, &out->added, &added);
}

struct world *scales_apply(struct run *r, struct world *w, const struct scale *v, uint32_t n,
			   struct scaled *ret_scaled)
{
	*ret_scaled = (struct scaled){.plan = NULL};
	for (uint32_t i = 0; i < n; i++)
		scale_one(&r->arena, w, &v[i], ret_scaled);
	if (!ret_scaled->added.n)
		return w;
	ret_scaled->before = w;
	ret_scaled->plan = decide_plan(&r->arena, w);
	return world_launched(&r->arena, w, ret_scaled->plan);
}
