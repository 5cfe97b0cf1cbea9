#include "bits.h"
#include "gosort.h"
#include "round_impl.h"

/* --- what building the scheduler and reading the pods publishes --- */

static void note_pools(struct round *r)
{
	const struct template_set *m = &r->s->m;

	for (uint32_t i = 0; i < m->npool; i++)
		if (m->note[i] && !r->pool_noted[i]) {
			r->pool_noted[i] = true;
			event_on(r,
				 arena_printf(r->arena, "NodePool/%s",
					      intern_c(r->s->c->in, m->pool[i]->meta.name)),
				 "NoCompatibleInstanceTypes", "%s%s", m->note[i],
				 m->min_values[i] ? " due to minValues incompatibility" : "");
		}
}

/* Karpenter reads the annotation of a deleting node's pod only when the pod may be evicted or moved. */
static void note_deleting(struct round *r)
{
	const struct cluster *c = r->s->c;

	for (uint32_t i = 0; i < r->s->state.n; i++) {
		const struct snode *n = &r->s->state.v[i];

		for (uint32_t k = 0; n->deleting && k < n->npod; k++) {
			const struct pod *p = &c->pods.v[n->pod[k]];

			if (pod_is_active(p) && (pod_can_be_evicted(c, p) || pod_is_reschedulable(c, p)))
				event_shield(r, p);
		}
	}
}

/* --- the pods of a simulation (B6.2) --- */

static void add_candidate_pods(struct round *r, const struct candidate *c, struct arena *a,
			       struct pod_list *out)
{
	for (uint32_t i = 0; i < c->npod; i++) {
		const struct pod *p = &r->s->c->pods.v[c->pod[i]];

		if (!pod_is_currently_reschedulable(r->s->c, p))
			continue;
		struct run_pod *one = VEC_ADD(a, &out->v);

		run_pod_set(r->s, one, c->pod[i]);
		/* Only a pod that waits or whose node goes anyway may join a node within consolidateAfter
		 * (A5.3). */
		one->exempt = p->phase == POD_PENDING;
	}
}

static void append(struct arena *a, struct pod_list *out, const struct pod_list *more)
{
	for (uint32_t i = 0; i < more->v.n; i++)
		VEC_PUSH(a, &out->v, more->v.v[i]);
}

/* Pods that would go to a node that is not initialized have no place after all (B6.4). */
static void refuse_uninitialized(struct round *r, struct solving *run)
{
	const struct intern *in = r->s->c->in;

	for (uint32_t i = 0; i < run->nnode; i++) {
		const struct snode *n = &r->s->state.v[run->node[i].snode];
		const char *text;

		if (n->initialized || !run->node[i].pods.n)
			continue;
		text = arena_printf(run->arena, "would schedule against uninitialized %s%s%s%s%s",
				    n->claim ? "nodeclaim/" : "",
				    n->claim ? intern_c(in, n->claim->meta.name) : "",
				    n->claim && n->node ? ", " : "", n->node ? "node/" : "",
				    n->node ? intern_c(in, n->node->meta.name) : "");
		for (uint32_t k = 0; k < run->node[i].pods.n; k++) {
			struct run_pod *p = &run->pod[run->node[i].pods.v[k]];

			if (!p->from_deleting)
				p->error = text;
		}
	}
}

static bool name_before(const void *x, const void *y, const void *ctx)
{
	const uint32_t *a = x, *b = y;
	const struct run_pod *pod = ctx;

	return pod[*a].pod < pod[*b].pod;
}

/* B6.6; NULL when every pod that is not just pending has a place. */
static const char *unplaced_text(struct round *r, const struct solving *run)
{
	const struct cluster *c = r->s->c;
	uint32_t *v = ARENA_ARRAY(run->arena, uint32_t, run->npod), n = 0;
	struct buf out;
	const char *text;

	for (uint32_t i = 0; i < run->npod; i++)
		if (run->pod[i].error && run->pod[i].pod < c->pods.n &&
		    !pod_is_provisionable(c, &c->pods.v[run->pod[i].pod]))
			v[n++] = i;
	if (!n)
		return NULL;
	GOSORT(v, n, name_before, run->pod);
	buf_init(&out);
	buf_adds(&out, "not all pods would schedule, ");
	for (uint32_t i = 0; i < n && i < 5; i++) {
		const struct run_pod *p = &run->pod[v[i]];

		buf_addf(&out, "%s/%s => %s ", intern_c(c->in, p->meta->ns), intern_c(c->in, p->meta->name),
			 p->error);
	}
	if (n >= 5)
		buf_addf(&out, " and %u other(s)", n - 5);
	text = arena_strndup(run->arena, out.p, out.n);
	buf_release(&out);
	return text;
}

void simulate(struct round *r, const struct candidate *const *v, uint32_t n, bool consolidate,
	      struct simulation *sim)
{
	struct pod_list list = {0};
	uint32_t words = BITS_WORDS(r->s->state.n + 1);
	struct run_options o = {.simulate = consolidate};
	uint64_t *absent;

	*sim = (struct simulation){0};
	arena_init(&sim->arena);
	note_deleting(r);
	if (!r->s->m.npool) {
		sim->error = "creating scheduler, no nodepools found";
		return;
	}
	note_pools(r);
	absent = arena_memdup(&sim->arena, r->deleting_nodes, words, sizeof(*absent));
	append(&sim->arena, &list, &r->pending);
	for (uint32_t i = 0; i < n; i++) {
		bits_set(absent, v[i]->snode);
		add_candidate_pods(r, v[i], &sim->arena, &list);
	}
	append(&sim->arena, &list, &r->deleting);
	o.absent = absent;
	sim->run = run_solve(&sim->arena, r->s, list.v.v, list.v.n, &o);
	refuse_uninitialized(r, sim->run);
	for (uint32_t i = 0; i < sim->run->claims.n; i++)
		sim->nclaim += !sim->run->claims.v[i]->dropped;
	sim->unplaced = unplaced_text(r, sim->run);
}

void simulation_release(struct simulation *sim)
{
	arena_release(&sim->arena);
}
