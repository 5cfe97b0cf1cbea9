#include <float.h>
#include <stdarg.h>

#include "round_impl.h"

/* Working out a consolidation (Karpenter v1.14.1, B7, B8). */

#define SPOT_MIN_TYPES 15u

double worst_launch_price(struct reqpool *p, const struct itype *t, rsetid reqs)
{
	static const sid classes[] = {CAP_RESERVED, CAP_SPOT, CAP_ON_DEMAND};

	for (size_t k = 0; k < sizeof(classes) / sizeof(classes[0]); k++) {
		bool found = false;
		double worst = 0;

		for (uint32_t i = 0; i < t->noffering; i++) {
			const struct offering *o = &t->offering[i];

			if (!o->available || o->capacity_type != classes[k] ||
			    !rset_compatible(p, reqs, o->reqs, true))
				continue;
			worst = !found || o->price > worst ? o->price : worst;
			found = true;
		}
		if (found)
			return worst;
	}
	return DBL_MAX;
}

/* The cheapest available compatible offering; false when there is none. */
static bool cheapest(struct reqpool *p, const struct itype *t, rsetid reqs, double *ret_price)
{
	double price = itype_price(p, t, reqs);

	*ret_price = price;
	return price < DBL_MAX;
}

static double source_price(const struct move *m)
{
	double sum = 0;

	for (uint32_t i = 0; i < m->n; i++)
		sum += m->v[i]->price;
	return sum;
}

double move_savings(const struct round *r, const struct move *m)
{
	double to = 0, price;

	for (uint32_t i = 0; i < m->nreplacement; i++) {
		const struct claim_data *d = &m->replacement[i];

		if (d->ntype && cheapest(r->s->c->rp, d->type[0], d->reqs, &price))
			to += price;
	}
	return source_price(m) - to;
}

bool keep_cheaper(struct round *r, struct claim_data *d, double price, const char **ret_why)
{
	struct reqpool *p = r->s->c->rp;
	struct min_values_gap *gap;
	uint32_t n = 0, ngap;

	for (uint32_t i = 0; i < d->ntype; i++)
		if (worst_launch_price(p, d->type[i], d->reqs) < price)
			d->type[n++] = d->type[i];
	d->ntype = n;
	if (itypes_min_values(p, r->arena, d->type, d->ntype, d->reqs, &gap, &ngap) == UINT32_MAX) {
		struct buf b;

		buf_init(&b);
		min_values_print(p, &b, gap, ngap);
		*ret_why = arena_strndup(r->arena, b.p, b.n);
		buf_release(&b);
		return false;
	}
	return true;
}

__attribute__((format(printf, 5, 6))) static void no_move(struct round *r, const struct candidate *const *v,
							  uint32_t n, enum verdict_code code, const char *fmt,
							  ...)
{
	const char *text;
	va_list ap;

	if (n != 1)
		return;
	va_start(ap, fmt);
	text = arena_vprintf(r->arena, fmt, ap);
	va_end(ap);
	event_node(r, &r->s->state.v[v[0]->snode], "Unconsolidatable", "%s", text);
	verdict(r, v[0]->snode, code, "%s", text);
}

void move_keep(struct round *r, const struct simulation *sim, struct move *m)
{
	struct arena *a = r->arena;

	m->replacement = ARENA_ARRAY(a, struct claim_data, sim->nclaim);
	for (uint32_t i = 0; i < sim->run->claims.n; i++) {
		const struct claim *c = sim->run->claims.v[i];
		struct claim_data *d = &m->replacement[m->nreplacement];

		if (c->dropped)
			continue;
		m->nreplacement++;
		claim_data_of(sim->run, c, d);
		d->type = arena_memdup(a, d->type, d->ntype, sizeof(*d->type));
		d->pod = arena_memdup(a, d->pod, d->npod, sizeof(*d->pod));
		d->requests.v = arena_memdup(a, d->requests.v, d->requests.n, sizeof(*d->requests.v));
	}
}

static void candidate_events(struct round *r, struct move *m)
{
	const struct intern *in = r->s->c->in;

	m->savings = move_savings(r, m);
	for (uint32_t i = 0; i < m->n; i++) {
		const struct snode *n = &r->s->state.v[m->v[i]->snode];
		const char *decision = m->nreplacement ? "replace" : "delete";

		if (m->n == 1)
			event_node(r, n, "ConsolidationCandidate",
				   "Consolidation candidate: %s: [%s] -> [1 replacement] (savings: $%.2f)",
				   decision, intern_c(in, n->name), m->savings);
		else
			event_node(r, n, "ConsolidationCandidate",
				   "Consolidation candidate: %s: [%s] (part of %u-node consolidation) "
				   "(savings: $%.2f)",
				   decision, intern_c(in, n->name), m->n, m->savings);
	}
}

static bool admits(struct reqpool *p, rsetid reqs, sid capacity_type)
{
	reqid q = rset_find(p, reqs, req_key(p, LBL_CAPACITY_TYPE));

	return q == REQ_NONE || req_allows(p, q, capacity_type);
}

static void narrow_to_spot(struct reqpool *p, struct claim_data *d)
{
	d->reqs = rset_add(p, d->reqs, req_in1(p, req_key(p, LBL_CAPACITY_TYPE), CAP_SPOT));
}

/* For the verdict on a single node: the types that would do, and what the least of them may cost. */
static void note_nearest(struct round *r, const struct move *m, double price)
{
	struct node_verdict *v = &r->verdict[m->v[0]->snode];
	const struct claim_data *d = &m->replacement[0];
	const struct itype *best = NULL;
	const char *own = "its own price, which is not known";
	double least = DBL_MAX;
	uint32_t cheaper = 0;

	if (m->n != 1 || v->reason)
		return;
	for (uint32_t i = 0; i < d->ntype; i++) {
		double worst = worst_launch_price(r->s->c->rp, d->type[i], d->reqs);

		cheaper += worst < price;
		if (worst < least) {
			least = worst;
			best = d->type[i];
		}
	}
	if (price > 0)
		own = arena_printf(r->arena, "its $%.4f/h", price);
	v->found =
		best ? arena_printf(r->arena,
				    "%u instance type%s its pods, %u of them cheaper than %s; the cheapest, "
				    "%s, costs up to $%.4f/h",
				    d->ntype, d->ntype == 1 ? " holds" : "s hold", cheaper, own,
				    intern_c(r->s->c->in, best->name), least)
		     : "no instance type that holds its pods can be had";
}

/* The filters that all replacements pass; false when nothing is left. */
static bool filter_price(struct round *r, struct move *m, double price)
{
	struct claim_data *d = &m->replacement[0];
	const char *why;

	note_nearest(r, m, price);
	if (!keep_cheaper(r, d, price, &why)) {
		no_move(r, m->v, m->n, VERDICT_MIN_VALUES, "Filtering by price: %s", why);
		return false;
	}
	if (!d->ntype) {
		no_move(r, m->v, m->n, VERDICT_NOT_CHEAPER, "Can't replace with a cheaper node");
		return false;
	}
	return true;
}

/* B8. */
static bool spot_to_spot(struct round *r, struct move *m, double price)
{
	struct reqpool *p = r->s->c->rp;
	struct claim_data *d = &m->replacement[0];
	struct min_values_gap *gap;
	uint32_t n = 0, ngap, needed;
	double any;

	if (!r->s->c->settings.gates[GATE_SPOT_TO_SPOT]) {
		narrow_to_spot(p, d);
		note_nearest(r, m, price);
		no_move(r, m->v, m->n, VERDICT_SPOT_GATE,
			"SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node");
		return false;
	}
	narrow_to_spot(p, d);
	for (uint32_t i = 0; i < d->ntype; i++)
		if (cheapest(p, d->type[i], d->reqs, &any))
			d->type[n++] = d->type[i];
	d->ntype = n;
	if (!filter_price(r, m, price))
		return false;
	if (m->n > 1)
		return true;
	if (d->ntype < SPOT_MIN_TYPES) {
		no_move(r, m->v, m->n, VERDICT_SPOT_TYPES,
			"SpotToSpotConsolidation requires %u cheaper instance type options than the current "
			"candidate to "
			"consolidate, got %u",
			SPOT_MIN_TYPES, d->ntype);
		return false;
	}
	needed = itypes_min_values(p, r->arena, d->type, d->ntype, d->reqs, &gap, &ngap);
	if (needed == UINT32_MAX || needed < SPOT_MIN_TYPES)
		needed = SPOT_MIN_TYPES;
	d->ntype = d->ntype < needed ? d->ntype : needed;
	return true;
}

static bool all_spot(const struct move *m)
{
	for (uint32_t i = 0; i < m->n; i++)
		if (m->v[i]->capacity_type != CAP_SPOT)
			return false;
	return true;
}

static bool find_replacement(struct round *r, struct move *m)
{
	struct reqpool *p = r->s->c->rp;
	struct claim_data *d = &m->replacement[0];
	double price = source_price(m);

	itypes_by_price(p, r->arena, d->type, d->ntype, d->reqs);
	if (all_spot(m) && admits(p, d->reqs, CAP_SPOT))
		return spot_to_spot(r, m, price);
	if (!filter_price(r, m, price))
		return false;
	if (admits(p, d->reqs, CAP_SPOT) && admits(p, d->reqs, CAP_ON_DEMAND))
		narrow_to_spot(p, d);
	return true;
}

struct move consolidation_of(struct round *r, const struct candidate *const *v, uint32_t n,
			     const char **ret_error)
{
	struct move m = {.n = n, .v = v};
	struct simulation sim;

	simulate(r, v, n, true, &sim);
	*ret_error = sim.error;
	m.hosts = sim.run ? sim.run->hosts_used : 0;
	if (sim.error) {
		m.ok = false;
	} else if (sim.unplaced) {
		no_move(r, v, n, VERDICT_UNPLACED, "%s", sentence(r->arena, sim.unplaced));
	} else if (sim.nclaim > 1) {
		no_move(r, v, n, VERDICT_SEVERAL, "Can't remove without creating %u candidates", sim.nclaim);
	} else {
		move_keep(r, &sim, &m);
		m.ok = !m.nreplacement || find_replacement(r, &m);
		if (m.ok && m.nreplacement)
			candidate_events(r, &m);
		else
			m.savings = move_savings(r, &m);
	}
	simulation_release(&sim);
	return m;
}
