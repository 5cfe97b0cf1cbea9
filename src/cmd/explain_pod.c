#include "explain_pod.h"

#include <string.h>

#include "cmd.h"
#include "rep_trail.h"
#include "suggest.h"
#include "trail.h"
#include "world.h"

/* The pod of "NS/NAME", or of "NAME" where one namespace has it; UINT32_MAX after a message. */
static uint32_t find_pod(struct run *r, const struct cluster *c, const char *text)
{
	const char *slash = strchr(text, '/');
	struct str name = str_of(slash ? slash + 1 : text), ns = {text, slash ? (size_t)(slash - text) : 0};
	uint32_t found = UINT32_MAX, n = 0;
	struct suggest s;

	suggest_init(&s, name);
	for (uint32_t i = 0; i < c->pods.n; i++) {
		const struct object_meta *m = &c->pods.v[i].meta;

		if (slash && !str_eq(intern_str(c->in, m->ns), ns))
			continue;
		suggest_try(&s, intern_str(c->in, m->name));
		if (!str_eq(intern_str(c->in, m->name), name))
			continue;
		found = i;
		n++;
	}
	if (n == 1)
		return found;
	diag(&r->diags, KS_EXPLAIN_SUBJECT, SPAN_NONE, "%s pod '%s' in the input", n ? "more than one" : "no",
	     text);
	if (n)
		diag_hint(&r->diags, "say which with pod/NAMESPACE/NAME");
	else if (s.best.n)
		diag_hint(&r->diags, "did you mean '%.*s'?", STR_ARG(s.best));
	else
		diag_hint(&r->diags, "the pods made for a workload are NAME-1, NAME-2, and so on");
	return UINT32_MAX;
}

int explain_pod(struct run *r, const char *name)
{
	struct world *w = world_load(r);
	struct report report = {.scratch = &r->arena};
	struct snapshot *s;
	uint32_t pod;

	if (!w)
		return RC_BAD_INPUT;
	pod = find_pod(r, w->c, name);
	if (pod == UINT32_MAX)
		return RC_BAD_INPUT;
	report.c = w->c;
	s = snapshot_new(&r->arena, w->c, w->types, FOR_PROVISIONING);
	world_note_unsynced(r, s->state.unsynced);
	rep_trail_text(&r->out, &report, trail_of_pod(&r->arena, s, pod));
	return RC_OK;
}
