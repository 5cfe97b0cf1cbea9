#include "removal.h"

#include "round_impl.h"
#include "trail.h"

static bool is_of(const struct candidate *c, uint32_t pod)
{
	for (uint32_t i = 0; i < c->npod; i++)
		if (c->pod[i] == pod)
			return true;
	return false;
}

/* The pods of a list that are the node's, in order. */
static uint32_t own_pods(struct arena *a, const struct candidate *c, const uint32_t *pod, uint32_t n,
			 uint32_t **ret_v)
{
	uint32_t out = 0;

	*ret_v = ARENA_ARRAY(a, uint32_t, n);
	for (uint32_t i = 0; i < n; i++)
		if (is_of(c, pod[i]))
			(*ret_v)[out++] = pod[i];
	return out;
}

static void add_nodes(struct arena *a, const struct round *r, const struct candidate *c,
		      const struct solving *run, struct removal *out)
{
	out->node = ARENA_ARRAY(a, struct plan_node, run->nnode);
	for (uint32_t i = 0; i < r->s->state.n; i++)
		for (uint32_t k = 0; k < run->nnode; k++) {
			const struct run_node *n = &run->node[k];
			struct plan_node *to = &out->node[out->nnode];
			uint32_t *pod;

			if (n->snode != i || !n->pods.n)
				continue;
			pod = ARENA_ARRAY(a, uint32_t, n->pods.n);
			for (uint32_t m = 0; m < n->pods.n; m++)
				pod[m] = run->pod[n->pods.v[m]].error ? UINT32_MAX
								      : run->pod[n->pods.v[m]].pod;
			to->name = r->s->state.v[i].name;
			to->npod = own_pods(a, c, pod, n->pods.n, &to->pod);
			out->nnode += to->npod != 0;
		}
}

static void add_claims(struct arena *a, struct round *r, const struct candidate *c,
		       const struct simulation *sim, struct removal *out)
{
	struct move m = {.n = 1};

	move_keep(r, sim, &m);
	out->claim = ARENA_ARRAY(a, struct plan_claim, m.nreplacement);
	for (uint32_t i = 0; i < m.nreplacement; i++) {
		struct plan_claim *to = &out->claim[out->nclaim];

		claim_object(r->s, a, &m.replacement[i], to);
		to->npod = own_pods(a, c, to->pod, to->npod, &to->pod);
		out->nclaim += to->npod != 0;
	}
}

/* Whether the run had a place for the pod, which was refused afterwards (B6.4). */
static bool was_placed(const struct solving *run, uint32_t at)
{
	for (uint32_t i = 0; i < run->nnode; i++)
		for (uint32_t k = 0; k < run->node[i].pods.n; k++)
			if (run->node[i].pods.v[k] == at)
				return true;
	return false;
}

static void add_nowhere(struct arena *a, const struct candidate *c, struct solving *run, struct removal *out)
{
	out->nowhere = ARENA_ARRAY(a, struct pod_trail, run->npod);
	for (uint32_t i = 0; i < run->npod; i++) {
		struct pod_trail *t = &out->nowhere[out->nnowhere];

		if (!run->pod[i].error || !is_of(c, run->pod[i].pod))
			continue;
		out->nnowhere++;
		*t = (struct pod_trail){.pod = run->pod[i].pod, .node = SID_NONE};
		if (was_placed(run, i)) {
			t->verdict = POD_STAYS;
			t->message = arena_strndup(a, run->pod[i].error, strlen(run->pod[i].error));
		} else {
			trail_in_run(a, run, &run->pod[i], t);
			t->message = arena_strndup(a, t->message, strlen(t->message));
			t->npool_error = 0; /* those belong to the run */
		}
	}
}

static void add_kept(struct arena *a, const struct round *r, const struct candidate *c, struct removal *out)
{
	out->kept = ARENA_ARRAY(a, uint32_t, c->npod);
	for (uint32_t i = 0; i < c->npod; i++)
		if (!pod_is_currently_reschedulable(r->s->c, &r->s->c->pods.v[c->pod[i]]))
			out->kept[out->nkept++] = c->pod[i];
}

const struct removal *disrupt_removal(struct arena *a, struct snapshot *s, const struct disrupt_input *in,
				      uint32_t snode)
{
	const struct snode *n = &s->state.v[snode];
	struct round r = {.arena = a, .s = s, .in = in};
	struct removal *out = ARENA_NEW(a, struct removal);
	struct candidate c;
	const struct candidate *one = &c;
	struct simulation sim;

	if (s->state.unsynced || !n->claim || !n->node || n->deleting || !n->pool ||
	    !in->types[n->pool - s->c->pools.v] || !in->types[n->pool - s->c->pools.v]->n)
		return NULL;
	round_begin(&r);
	candidate_make(&r, snode, &c);
	out->price = c.price;
	add_kept(a, &r, &c, out);
	if (!c.npod)
		return out;
	simulate(&r, &one, 1, true, &sim);
	if (sim.error) {
		out->error = sim.error;
	} else {
		add_nodes(a, &r, &c, sim.run, out);
		add_claims(a, &r, &c, &sim, out);
		add_nowhere(a, &c, sim.run, out);
	}
	simulation_release(&sim);
	return out;
}
