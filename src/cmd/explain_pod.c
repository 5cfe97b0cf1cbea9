#include "explain_pod.h"

#include <string.h>

#include "explain.h"
#include "rep_trail.h"
#include "suggest.h"
#include "trail.h"
#include "world.h"

static uint32_t pods_of(const struct cluster *c)
{
	return c->pods.n + c->virtual_pods.n;
}

/* Which pods a text means: "NS/NAME", or "NAME" where one namespace has it, with or without the mark of pods
 * of CapacityBuffers that share the name of a real one. */
static bool is_meant(struct run *r, const struct cluster *c, uint32_t pod, const char *text)
{
	const struct report report = {.c = c, .scratch = &r->arena};
	struct arena_mark mark = arena_mark(&r->arena);
	const char *name = rep_pod_name(&report, pod).p;
	bool same = strcmp(strchr(text, '/') ? name : strchr(name, '/') + 1, text) == 0;

	arena_rewind(&r->arena, mark);
	return same;
}

static void not_found(struct run *r, const struct cluster *c, const char *text)
{
	const char *slash = strchr(text, '/');
	struct suggest s;

	suggest_init(&s, str_of(slash ? slash + 1 : text));
	for (uint32_t i = 0; i < pods_of(c); i++) {
		const struct object_meta *m = cluster_pod_meta(c, i);

		if (!slash || str_eq(intern_str(c->in, m->ns), (struct str){text, (size_t)(slash - text)}))
			suggest_try(&s, intern_str(c->in, m->name));
	}
	diag(&r->diags, KS_EXPLAIN_SUBJECT, SPAN_NONE, "no pod '%s' in the input", text);
	if (s.best.n)
		diag_hint(&r->diags, "did you mean '%.*s'?", STR_ARG(s.best));
	else
		diag_hint(&r->diags, "the pods made for a workload are NAME-1, NAME-2, and so on");
}

/* The pod that is meant; UINT32_MAX after a message. */
static uint32_t find_pod(struct run *r, const struct cluster *c, const char *text)
{
	uint32_t found = UINT32_MAX, n = 0;

	for (uint32_t i = 0; i < pods_of(c); i++)
		if (is_meant(r, c, i, text)) {
			found = i;
			n++;
		}
	if (n == 1)
		return found;
	if (n) {
		diag(&r->diags, KS_EXPLAIN_SUBJECT, SPAN_NONE, "more than one pod '%s' in the input", text);
		diag_hint(&r->diags, "say which with pod/NAMESPACE/NAME");
	} else {
		not_found(r, c, text);
	}
	return UINT32_MAX;
}

int explain_pod(struct run *r, const char *name)
{
	struct world *w = world_load(r);
	struct report report = {.scratch = &r->arena};
	const struct pod_trail *trail;
	struct snapshot *s;
	struct emit e;
	uint32_t pod;

	if (!w)
		return RC_BAD_INPUT;
	pod = find_pod(r, w->c, name);
	if (pod == UINT32_MAX)
		return RC_BAD_INPUT;
	report.c = w->c;
	s = snapshot_new(&r->arena, w->c, w->types, FOR_PROVISIONING);
	world_note_unsynced(r, s->state.unsynced);
	trail = trail_of_pod(&r->arena, s, pod);
	if (!explain_json(r)) {
		rep_trail_text(&r->out, &report, trail);
		return RC_OK;
	}
	explain_open(&e, r, "pod", rep_pod_name(&report, pod).p);
	rep_trail(&e, &report, trail);
	explain_close(&e);
	return RC_OK;
}
