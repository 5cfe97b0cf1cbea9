#include "bits.h"
#include "round_impl.h"

static void (*const methods[METHOD_MAX_])(struct round *r) = {
	[METHOD_EMPTINESS] = method_emptiness, [METHOD_STATIC_DRIFT] = method_static_drift,
	[METHOD_DRIFT] = method_drift,         [METHOD_MULTI] = method_multi,
	[METHOD_SINGLE] = method_single,
};

/* Pending pods that Karpenter refuses are told so whenever it looks at them. */
static void read_pods(struct round *r)
{
	struct pod_error *errors;
	uint32_t n;

	r->virtual_nodes = ARENA_ARRAY(r->arena, uint64_t, BITS_WORDS(r->s->state.n + 1));
	nodes_with_virtual_pods(r->arena, r->s, r->virtual_nodes);
	pending_pods(r->s, r->arena, &r->pending, &errors, &n);
	deleting_pods(r->s, r->arena, &r->deleting);
	r->deleting_nodes = ARENA_ARRAY(r->arena, uint64_t, BITS_WORDS(r->s->state.n + 1));
	for (uint32_t i = 0; i < r->s->state.n; i++)
		if (r->s->state.v[i].deleting)
			bits_set(r->deleting_nodes, i);
}

/*
 * The first method that finds something is what the round does; one that fails ends it. METHOD_MAX_: none.
 * Only a scan for single nodes that was reached and found nothing has news of NodePools that it did not get
 * to.
 */
static int choose(struct round *r)
{
	const bool *unseen = r->out->unseen;

	r->out->unseen = r->in->unseen;
	for (int m = 0; m < METHOD_MAX_; m++) {
		if (r->out->method_error[m])
			return METHOD_MAX_;
		if (r->out->method[m].n) {
			r->out->commands = r->out->method[m];
			return m;
		}
	}
	if (unseen)
		r->out->unseen = unseen;
	return METHOD_MAX_;
}

void round_begin(struct round *r)
{
	r->out = ARENA_NEW(r->arena, struct disruption);
	r->verdict = ARENA_ARRAY(r->arena, struct node_verdict, r->s->state.n);
	r->pool_noted = ARENA_ARRAY(r->arena, bool, r->s->m.npool + 1);
	conditions_decide(r);
	if (!r->s->state.unsynced)
		read_pods(r);
}

struct disruption *disrupt_round(struct arena *a, struct snapshot *s, const struct disrupt_input *in)
{
	struct round r = {.arena = a, .s = s, .in = in};
	int acting = METHOD_MAX_;

	round_begin(&r);
	if (s->state.unsynced) {
		r.out->round_error = "cluster state is not synced: a NodeClaim has no providerID";
	} else {
		for (int m = 0; m < METHOD_MAX_; m++)
			methods[m](&r);
		acting = choose(&r);
	}
	verdicts_finish(&r, acting);
	events_finish(&r);
	return r.out;
}
