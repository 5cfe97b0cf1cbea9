#include <stdarg.h>

#include "gosort.h"
#include "round_impl.h"
#include "when.h"

void event_on(struct round *r, const char *object, const char *reason, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	VEC_PUSH(r->arena, &r->events.v,
		 ((struct disrupt_event){object, reason, arena_vprintf(r->arena, fmt, ap)}));
	va_end(ap);
}

void event_node(struct round *r, const struct snode *n, const char *reason, const char *fmt, ...)
{
	const struct intern *in = r->s->c->in;
	const char *text;
	va_list ap;

	va_start(ap, fmt);
	text = arena_vprintf(r->arena, fmt, ap);
	va_end(ap);
	if (n->node)
		event_on(r, arena_printf(r->arena, "Node/%s", intern_c(in, n->node->meta.name)), reason, "%s",
			 text);
	if (n->claim)
		event_on(r, arena_printf(r->arena, "NodeClaim/%s", intern_c(in, n->claim->meta.name)), reason,
			 "%s", text);
}

void event_shield(struct round *r, const struct pod *p)
{
	const struct intern *in = r->s->c->in;
	struct shield_info s = pod_shield(r->s->c, p, r->arena);
	const char *object =
		arena_printf(r->arena, "Pod/%s/%s", intern_c(in, p->meta.ns), intern_c(in, p->meta.name));
	struct buf until;

	if (s.state == SHIELD_INVALID) {
		event_on(r, object, "InvalidDoNotDisruptAnnotation",
			 "Invalid karpenter.sh/do-not-disrupt annotation: %s, ignoring annotation", s.why);
	} else if (s.state == SHIELD_UNTIL) {
		buf_init(&until);
		when_print(&until, s.until);
		event_on(r, object, "DoNotDisruptUntil",
			 "The karpenter.sh/do-not-disrupt grace period will elapse at %s", buf_cstr(&until));
		buf_release(&until);
	} else if (s.state == SHIELD_ELAPSED) {
		event_on(r, object, "DoNotDisruptGracePeriodElapsed",
			 "The karpenter.sh/do-not-disrupt grace period has elapsed, pod is now disruptable");
	}
}

static int compare_events(const struct disrupt_event *a, const struct disrupt_event *b)
{
	int c = str_cmp(str_of(a->object), str_of(b->object));

	if (!c)
		c = str_cmp(str_of(a->reason), str_of(b->reason));
	return c ? c : str_cmp(str_of(a->message), str_of(b->message));
}

static bool event_less(const void *x, const void *y, const void *ctx)
{
	(void)ctx;
	return compare_events(x, y) < 0;
}

void events_finish(struct round *r)
{
	struct disrupt_event *e = r->events.v.v;
	uint32_t n = 0;

	GOSORT(e, r->events.v.n, event_less, NULL);
	for (uint32_t i = 0; i < r->events.v.n; i++)
		if (!n || compare_events(&e[n - 1], &e[i]) != 0)
			e[n++] = e[i];
	r->out->event = e;
	r->out->nevent = n;
}

const char *sentence(struct arena *a, const char *s)
{
	char *t = arena_strndup(a, s, strlen(s));

	if (*t >= 'a' && *t <= 'z')
		*t = (char)(*t - 'a' + 'A');
	return t;
}
