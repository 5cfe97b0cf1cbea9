#include <float.h>

#include "gosort.h"
#include "replicas.h"
#include "round_impl.h"

/* The five methods, each on its own (Karpenter v1.14.1, B9, B10, B13). */

static void blocking_budgets(struct round *r, const struct pool_budget *b, enum disrupt_reason reason)
{
	const struct cluster *c = r->s->c;

	for (uint32_t i = 0; i < c->pools.n; i++)
		if (b[i].nodes && b[i].limit.n == 0)
			event_on(r,
				 arena_printf(r->arena, "NodePool/%s",
					      intern_c(c->in, c->pools.v[i].meta.name)),
				 "DisruptionBlocked",
				 "No allowed disruptions for disruption reason %s due to blocking budget",
				 disrupt_reason_name(reason));
}

/* Candidates and budgets of a method; false when there is nothing to do. */
static bool begin(struct round *r, enum candidate_filter f, bool eventual, enum disrupt_reason reason,
		  struct candidates *ret_c, struct pool_budget **ret_b)
{
	*ret_c = (struct candidates){0};
	candidates_find(r, f, eventual, ret_c);
	if (!ret_c->v.n)
		return false;
	*ret_b = budgets_now(r->arena, r->s, reason);
	blocking_budgets(r, *ret_b, reason);
	return true;
}

static struct pool_budget *budget_of(const struct round *r, struct pool_budget *b, const struct candidate *c)
{
	return &b[c->pool - r->s->c->pools.v];
}

static const struct candidate **pointers(struct arena *a, const struct candidates *c)
{
	const struct candidate **v = ARENA_ARRAY(a, const struct candidate *, c->v.n);

	for (uint32_t i = 0; i < c->v.n; i++)
		v[i] = &c->v.v[i];
	return v;
}

struct disrupt_command *command_add(struct round *r, enum disrupt_method m, enum disrupt_reason reason,
				    const struct move *move)
{
	struct disrupt_commands *all = &r->out->method[m];
	struct disrupt_command *v = ARENA_ARRAY(r->arena, struct disrupt_command, all->n + 1);
	struct disrupt_command *c = &v[all->n];

	for (uint32_t i = 0; i < all->n; i++)
		v[i] = all->v[i];
	c->reason = reason;
	c->candidate = ARENA_ARRAY(r->arena, sid, move->n);
	for (uint32_t i = 0; i < move->n; i++)
		c->candidate[c->ncandidate++] = r->s->state.v[move->v[i]->snode].name;
	c->replacement = ARENA_ARRAY(r->arena, struct plan_claim, move->nreplacement);
	for (uint32_t i = 0; i < move->nreplacement; i++)
		claim_object(r->s, r->arena, &move->replacement[i], &c->replacement[c->nreplacement++]);
	c->savings = move->savings;
	all->v = v;
	all->n++;
	return c;
}

/* B13.1. */
void method_emptiness(struct round *r)
{
	struct candidates c;
	struct pool_budget *b;
	const struct candidate **v;
	struct move m = {.ok = true};

	if (!begin(r, FILTER_EMPTY, false, DISRUPT_EMPTY, &c, &b))
		return;
	candidates_sort(&c);
	v = ARENA_ARRAY(r->arena, const struct candidate *, c.v.n);
	for (uint32_t i = 0; i < c.v.n; i++) {
		struct pool_budget *left = budget_of(r, b, &c.v.v[i]);

		if (left->left == 0) {
			verdict_budget(r, &c.v.v[i], left, DISRUPT_EMPTY);
			continue;
		}
		left->left--;
		v[m.n++] = &c.v.v[i];
	}
	m.v = v;
	if (!m.n)
		return;
	m.savings = move_savings(r, &m);
	command_add(r, METHOD_EMPTINESS, DISRUPT_EMPTY, &m);
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* How many of a static pool's candidates may be replaced (B13.3); 0: *ret_why. */
static int64_t static_allowance(const struct round *r, const struct node_pool *np,
				const struct pool_budget *b, int64_t candidates, enum verdict_code *ret_why)
{
	int64_t active, all;

	static_count(r->s, np, &active, &all);
	*ret_why = active > np->replicas ? VERDICT_STATIC_SCALING : VERDICT_STATIC_LIMIT;
	return active > np->replicas ? 0 : static_admits(r->s, np, least(b->left, candidates));
}

/* A drifted node of a static NodePool that is not replaced in this round. */
static void static_stays(struct round *r, const struct candidate *c, const struct pool_budget *b,
			 int64_t allowed, enum verdict_code why)
{
	const char *pool = intern_c(r->s->c->in, c->pool->meta.name), *drifted = drifted_text(r, c->snode);

	if (!b->left || (allowed && allowed == b->left))
		verdict_budget(r, c, b, DISRUPT_DRIFTED);
	else if (why == VERDICT_STATIC_SCALING)
		verdict_over(r, c->snode, why,
			     "%sNodePool %s has more nodes than replicas, and they go first", drifted, pool);
	else
		verdict_over(r, c->snode, VERDICT_STATIC_LIMIT,
			     "%slimits.nodes of NodePool %s leave no room for a replacement", drifted, pool);
}

/* The plain template of a static NodePool: no types are chosen. */
static void static_replacement(struct round *r, const struct node_pool *np, struct disrupt_command *c)
{
	c->replacement = ARENA_NEW(r->arena, struct plan_claim);
	c->nreplacement = 1;
	claim_of_pool(r->s, r->arena, np, c->replacement);
}

static void static_pool(struct round *r, const struct node_pool *np, const struct candidates *c,
			const struct pool_budget *b)
{
	enum verdict_code why = VERDICT_BUDGET;
	int64_t n = 0, allowed, taken = 0;

	for (uint32_t i = 0; i < c->v.n; i++)
		n += c->v.v[i].pool == np;
	allowed = n && b->left ? static_allowance(r, np, b, n, &why) : 0;
	for (uint32_t i = 0; i < c->v.n; i++) {
		const struct candidate *one = &c->v.v[i];
		struct move m = {.n = 1, .v = &one, .ok = true, .savings = one->price};

		if (one->pool != np)
			continue;
		if (taken < allowed)
			static_replacement(r, np, command_add(r, METHOD_STATIC_DRIFT, DISRUPT_DRIFTED, &m));
		else
			static_stays(r, one, b, allowed, why);
		taken++;
	}
}

void method_static_drift(struct round *r)
{
	struct candidates c;
	struct pool_budget *b;

	if (!begin(r, FILTER_STATIC_DRIFT, true, DISRUPT_DRIFTED, &c, &b))
		return;
	for (uint32_t p = 0; p < r->s->c->pools.n; p++)
		static_pool(r, &r->s->c->pools.v[p], &c, &b[p]);
}

static bool drifted_before(const void *x, const void *y, const void *ctx)
{
	const struct candidate *a = x, *b = y;

	(void)ctx;
	return a->drifted_at < b->drifted_at;
}

/* One drifted node; true when it gave a command or the pass must end. */
static bool try_drift(struct round *r, const struct candidate *c)
{
	struct move m = {.n = 1, .v = &c, .ok = true};
	struct simulation sim;
	bool done = true;

	simulate(r, &c, 1, false, &sim);
	if (sim.error) {
		r->out->method_error[METHOD_DRIFT] =
			arena_printf(r->arena, "computing disruption decision, %s", sim.error);
		verdict_over(r, c->snode, VERDICT_NO_RUN, "%s%s", drifted_text(r, c->snode), sim.error);
	} else if (sim.unplaced) {
		event_node(r, &r->s->state.v[c->snode], "DisruptionBlocked", "%s",
			   sentence(r->arena, sim.unplaced));
		verdict_over(r, c->snode, VERDICT_DRIFT_BLOCKED, "%s%s", drifted_text(r, c->snode),
			     sim.unplaced);
		done = false;
	} else {
		move_keep(r, &sim, &m);
		m.savings = move_savings(r, &m);
		command_add(r, METHOD_DRIFT, DISRUPT_DRIFTED, &m);
	}
	simulation_release(&sim);
	return done;
}

/* B13.2. */
void method_drift(struct round *r)
{
	const struct candidate *first = NULL;
	struct candidates c;
	struct pool_budget *b;

	if (!begin(r, FILTER_DRIFT, true, DISRUPT_DRIFTED, &c, &b))
		return;
	GOSORT(c.v.v, c.v.n, drifted_before, NULL);
	for (int empty = 1; empty >= 0; empty--)
		for (uint32_t i = 0; i < c.v.n; i++) {
			const struct candidate *one = &c.v.v[i];

			if ((one->npod == 0) != (bool)empty)
				continue;
			if (budget_of(r, b, one)->left == 0)
				verdict_budget(r, one, budget_of(r, b, one), DISRUPT_DRIFTED);
			else if (first)
				verdict_over(r, one->snode, VERDICT_DRIFT_LATER,
					     "%sdrift looks at one node after the other, and %s came first",
					     drifted_text(r, one->snode),
					     intern_c(r->s->c->in, r->s->state.v[first->snode].name));
			else if (try_drift(r, one))
				first = one;
		}
}

/* Whether a method may not simulate any more. */
static bool used_up(const struct round *r, uint32_t simulations)
{
	return r->in->max_simulations && simulations >= r->in->max_simulations;
}

/* --- multi-node (B9) --- */

/* The cheapest offering that the candidate's labels allow, whether available or not. */
static bool own_price(struct reqpool *p, const struct itype *t, rsetid labels, double *ret_price)
{
	bool found = false;

	*ret_price = DBL_MAX;

	for (uint32_t i = 0; i < t->noffering; i++)
		if (rset_compatible(p, labels, t->offering[i].reqs, true) &&
		    t->offering[i].price < *ret_price) {
			*ret_price = t->offering[i].price;
			found = true;
		}
	return found;
}

/* B9.5: the price that a replacement must beat so that no node is replaced by its own kind. */
static double same_type_price(const struct round *r, const struct move *m)
{
	const struct claim_data *d = &m->replacement[0];
	double max = DBL_MAX;

	for (uint32_t t = 0; t < d->ntype; t++) {
		bool mine = false, priced = false;
		double best = DBL_MAX, price;

		for (uint32_t i = 0; i < m->n; i++) {
			if (m->v[i]->type->name != d->type[t]->name)
				continue;
			mine = true;
			if (own_price(r->s->c->rp, m->v[i]->type, r->s->state.v[m->v[i]->snode].reqs.set,
				      &price) &&
			    price < best) {
				best = price;
				priced = true;
			}
		}
		if (mine && (priced ? best : 0) < max)
			max = priced ? best : 0;
	}
	return max;
}

static bool multi_valid(struct round *r, struct move *m)
{
	const char *why;

	if (!m->ok)
		return false;
	if (m->nreplacement) {
		if (!keep_cheaper(r, &m->replacement[0], same_type_price(r, m), &why) ||
		    !m->replacement[0].ntype)
			return false;
		m->savings = move_savings(r, m);
	}
	return move_approved(r, m);
}

/* Binary search over prefixes of two and more; the last valid one found. */
static bool largest_prefix(struct round *r, const struct candidate *const *v, uint32_t n,
			   struct move *ret_move)
{
	int64_t lo = 1, hi = n <= 100 ? (int64_t)n - 1 : 100;
	bool found = false;

	for (uint32_t tries = 0; lo <= hi; tries++) {
		int64_t mid = (lo + hi) / 2;
		const char *error;
		struct move m;

		/* What was found so far stands. */
		if (used_up(r, tries)) {
			r->out->cut_off[METHOD_MULTI] = true;
			break;
		}
		m = consolidation_of(r, v, (uint32_t)mid + 1, &error);
		if (error) {
			r->out->method_error[METHOD_MULTI] =
				arena_printf(r->arena, "computing disruption decision, %s", error);
			return false;
		}
		if (multi_valid(r, &m)) {
			*ret_move = m;
			found = true;
			lo = mid + 1;
		} else {
			hi = mid - 1;
		}
	}
	if (found)
		score_events_multi(r, ret_move);
	return found;
}

static void name_candidates(struct round *r, const struct candidates *c)
{
	r->out->candidate = ARENA_ARRAY(r->arena, sid, c->v.n);
	for (uint32_t i = 0; i < c->v.n; i++)
		r->out->candidate[r->out->ncandidate++] = r->s->state.v[c->v.v[i].snode].name;
}

void method_multi(struct round *r)
{
	struct candidates c;
	struct pool_budget *b;
	const struct candidate **v;
	struct move m;
	uint32_t n = 0;

	if (!begin(r, FILTER_CONSOLIDATE, false, DISRUPT_UNDERUTILIZED, &c, &b))
		return;
	name_candidates(r, &c);
	candidates_sort(&c);
	v = ARENA_ARRAY(r->arena, const struct candidate *, c.v.n);
	for (uint32_t i = 0; i < c.v.n; i++) {
		struct pool_budget *left = budget_of(r, b, &c.v.v[i]);

		if (left->left == 0)
			continue;
		left->left--;
		v[n++] = &c.v.v[i];
	}
	if (!largest_prefix(r, v, n, &m))
		return;
	/* Validation simulates the command once more; on an unchanged state that only uses up placeholders
	 * (B11.4). */
	r->s->hosts += m.hosts;
	command_add(r, METHOD_MULTI, DISRUPT_UNDERUTILIZED, &m);
}

/* --- single-node (B10) --- */

/* The i-th candidate of each NodePool in turn: first pools that were not reached before, then the others,
 * each by name (B10.1). */
static const struct candidate **interleaved(struct round *r, const struct candidates *c)
{
	const struct cluster *k = r->s->c;
	const struct candidate **v = pointers(r->arena, c);
	uint32_t n = 0, *rank = ARENA_ARRAY(r->arena, uint32_t, c->v.n),
		 *seen = ARENA_ARRAY(r->arena, uint32_t, k->pools.n),
		 *order = ARENA_ARRAY(r->arena, uint32_t, k->pools.n);

	for (int later = 0; later < 2; later++)
		for (uint32_t p = 0; p < k->pools.n; p++)
			if ((r->in->unseen && r->in->unseen[p]) != (bool)later)
				order[n++] = p;
	n = 0;

	for (uint32_t i = 0; i < c->v.n; i++)
		rank[i] = seen[c->v.v[i].pool - k->pools.v]++;
	for (uint32_t round = 0; n < c->v.n; round++)
		for (uint32_t at = 0; at < k->pools.n; at++) {
			uint32_t p = order[at];

			for (uint32_t i = 0; round < seen[p] && i < c->v.n; i++)
				if (rank[i] == round && c->v.v[i].pool == &k->pools.v[p])
					v[n++] = &c->v.v[i];
		}
	return v;
}

/* The scan ends at candidate i: the round tells which nodes and NodePools it did not get to. */
static void cut_off(struct round *r, const struct candidate *const *v, uint32_t n, uint32_t i)
{
	r->out->cut_off[METHOD_SINGLE] = true;
	for (; i < n; i++)
		verdict(r, v[i]->snode, VERDICT_LIMIT,
			"single-node consolidation ended after %u simulation%s, before it got to the node",
			r->in->max_simulations, r->in->max_simulations == 1 ? "" : "s");
}

/* NodePools of candidates: those not taken off are what the scan never reached (B10.3). */
static bool *pools_of(struct round *r, const struct candidates *c)
{
	bool *unseen = ARENA_ARRAY(r->arena, bool, r->s->c->pools.n);

	for (uint32_t i = 0; i < c->v.n; i++)
		unseen[c->v.v[i].pool - r->s->c->pools.v] = true;
	return unseen;
}

void method_single(struct round *r)
{
	struct candidates c;
	struct pool_budget *b;
	const struct candidate **v;
	uint32_t simulations = 0;
	bool *unseen;

	if (!begin(r, FILTER_CONSOLIDATE, false, DISRUPT_UNDERUTILIZED, &c, &b))
		return;
	candidates_sort(&c);
	v = interleaved(r, &c);
	unseen = pools_of(r, &c);
	for (uint32_t i = 0; i < c.v.n; i++) {
		const char *error;
		struct move m;

		if (used_up(r, simulations)) {
			cut_off(r, v, c.v.n, i);
			break;
		}
		unseen[v[i]->pool - r->s->c->pools.v] = false;
		if (budget_of(r, b, v[i])->left == 0) {
			verdict_budget(r, v[i], budget_of(r, b, v[i]), DISRUPT_UNDERUTILIZED);
			continue;
		}
		if (!can_pass(r, v[i])) {
			verdict_score(r, v[i], v[i]->price, "even if nothing came instead");
			continue;
		}
		simulations++;
		m = consolidation_of(r, &v[i], 1, &error);
		if (error)
			verdict(r, v[i]->snode, VERDICT_NO_RUN, "%s", error);
		if (error || !m.ok)
			continue;
		if (!move_approved(r, &m)) {
			verdict_score(r, v[i], m.savings,
				      m.nreplacement ? "when it is replaced" : "when it is deleted");
			continue;
		}
		command_add(r, METHOD_SINGLE, DISRUPT_UNDERUTILIZED, &m);
		return;
	}
	r->out->unseen = unseen;
}
