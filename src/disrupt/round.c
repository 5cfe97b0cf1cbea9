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

/* The first method that finds something is what the round does; one that fails ends it. */
static void choose(struct round *r)
{
	for (int m = 0; m < METHOD_MAX_; m++) {
		if (r->out->method_error[m])
			return;
		if (r->out->method[m].n) {
			r->out->commands = r->out->method[m];
			return;
		}
	}
}

static void give_verdicts(struct round *r)
{
	const struct disrupt_commands *all = &r->out->commands;

	for (uint32_t i = 0; i < r->s->state.n; i++) {
		struct node_verdict *v = &r->verdict[i];
		sid name = r->s->state.v[i].name;

		for (uint32_t k = 0; k < all->n; k++)
			for (uint32_t j = 0; j < all->v[k].ncandidate; j++)
				if (all->v[k].candidate[j] == name) {
					v->verdict = all->v[k].nreplacement ? "replace" : "delete";
					v->reason = disrupt_reason_name(all->v[k].reason);
					v->detail =
						all->v[k].nreplacement ? "it is replaced" : "it is deleted";
				}
		if (!v->reason)
			verdict(r, i, "NotReached", "no method got to it in this round");
		v->name = name;
	}
	r->out->node = r->verdict;
	r->out->nnode = r->s->state.n;
}

struct disruption *disrupt_round(struct arena *a, struct snapshot *s, const struct disrupt_input *in)
{
	struct round r = {.arena = a, .s = s, .in = in, .out = ARENA_NEW(a, struct disruption)};

	r.verdict = ARENA_ARRAY(a, struct node_verdict, s->state.n);
	r.pool_noted = ARENA_ARRAY(a, bool, s->m.npool + 1);
	conditions_decide(&r);
	if (s->state.unsynced) {
		r.out->round_error = "cluster state is not synced: a NodeClaim has no providerID";
	} else {
		read_pods(&r);
		for (int m = 0; m < METHOD_MAX_; m++)
			methods[m](&r);
		choose(&r);
	}
	give_verdicts(&r);
	events_finish(&r);
	return r.out;
}
