/*
 * Any bytes as the input of kspot plan and kspot disrupt: messages, or decisions, those after the plan was
 * launched among them, in every form of the report; the JSON can be read again.
 *
 * The program's limits allow inputs that take seconds. What asks for many objects is rejected, so that a run
 * tries many small ones.
 */
#include <string.h>

#include "cmd.h"
#include "decide.h"
#include "doc.h"
#include "fuzz.h"
#include "input.h"
#include "rep_disruption.h"
#include "rep_plan.h"
#include "rounds.h"
#include "scalar.h"

enum { MAX_NODES = 1500, MAX_COUNT = 60, MAX_PODS = 120, ROUNDS = 2 };

/* A count that makes many objects of one, whatever its key. */
static bool small(const struct doc_node *n) /* NOLINT(misc-no-recursion) */
{
	static const char *const counts[] = {"replicas", "parallelism", "completions", "percentage"};
	struct scalar v;

	for (uint32_t i = 0; i < n->n && n->kind == DOC_SEQ; i++)
		if (!small(n->items[i]))
			return false;
	for (uint32_t i = 0; i < n->n && n->kind == DOC_MAP; i++) {
		const struct doc_entry *e = &n->entries[i];

		if (!small(e->value))
			return false;
		for (unsigned k = 0; k < 4 && e->value->kind == DOC_SCALAR; k++) {
			v = scalar_of(e->value);
			if (str_is(e->key, counts[k]) && (v.i > MAX_COUNT || v.f > MAX_COUNT))
				return false;
		}
	}
	return true;
}

static bool small_input(const struct docs *docs)
{
	if (docs->nodes > MAX_NODES)
		return false;
	for (uint32_t i = 0; i < docs->v.n; i++)
		if (!small(docs->v.v[i].root))
			return false;
	return true;
}

static bool small_cluster(const struct cluster *c)
{
	return c->pods.n + c->virtual_pods.n <= MAX_PODS && c->pools.n <= 8 && c->nodes.n <= 20;
}

/* What was written as JSON is read without complaint. */
static void check_json(struct run *r)
{
	struct diags d;
	struct docs docs = {0};

	diags_init(&d, &r->arena);
	require(doc_read(&r->arena, &d,
			 source_from_text(&r->arena, "report", (struct str){r->out.p, r->out.n}), &docs));
	require(docs.v.n == 1 && d.msgs.n == 0);
	buf_clear(&r->out);
}

static void report_rounds(struct run *r, const struct world *w)
{
	struct rounds rounds = {0};

	rounds_run(&r->arena, w, ROUNDS, &rounds);
	for (uint32_t i = 0; i < rounds.v.n; i++) {
		struct disruption_report report = {
			.c = rounds.v.v[i].before->c,
			.d = rounds.v.v[i].d,
			.usd_before = rounds.v.v[i].usd_before,
			.nnodes = world_nodes(rounds.v.v[i].before),
			.scratch = &r->arena,
		};
		struct emit e;

		buf_clear(&r->out);
		rep_disruption_text(&r->out, &report, true);
		rep_disruption_names(&r->out, &report);
		buf_clear(&r->out);
		emit_init(&e, EMIT_JSON, &r->out);
		rep_disruption(&e, &report);
		emit_finish(&e);
		check_json(r);
	}
}

static void report_plan(struct run *r, const struct world *w, const struct plan *plan)
{
	struct plan_report report = {
		.c = w->c, .plan = plan, .usd_before = world_cost(w), .scratch = &r->arena};
	struct emit e;

	rep_plan_text(&r->out, &report, false);
	rep_plan_text(&r->out, &report, true);
	rep_plan_names(&r->out, &report);
	emit_init(&e, EMIT_YAML, &r->out);
	rep_plan_objects(&e, &report);
	emit_finish(&e);
	buf_clear(&r->out);
	emit_init(&e, EMIT_JSON, &r->out);
	rep_plan_open(&e, &report);
	emit_end(&e);
	emit_finish(&e);
	check_json(r);
}

static void decide(struct run *r, struct world *w)
{
	struct plan *plan = decide_plan(&r->arena, w);

	world_note_prices(r, w, plan);
	world_note_unsynced(r, plan->unsynced);
	report_plan(r, w, plan);
	report_rounds(r, w);
	if (plan->nclaim + plan->nstatic)
		report_rounds(r, world_launched(&r->arena, w, plan));
}

/* Of the built-in catalogue a few types of a small region, unless the input says which. */
static void narrow(struct cluster *c)
{
	static const char *const globs[] = {"c6g.*", "m5.*large", "t3.*", "g4dn.xlarge"};
	struct settings *s = &c->settings;

	if (s->has_type_globs)
		return;
	s->has_type_globs = true;
	s->ntype_glob = sizeof(globs) / sizeof(*globs);
	s->type_glob = ARENA_ARRAY(c->in->arena, sid, s->ntype_glob);
	for (uint32_t i = 0; i < s->ntype_glob; i++)
		s->type_glob[i] = intern_cstr(c->in, globs[i]);
}

static int run_all(struct run *r, struct str text)
{
	struct docs docs = {0};
	struct cluster *c;
	struct world *w;

	doc_read(&r->arena, &r->diags, source_from_text(&r->arena, "input", text), &docs);
	if (!small_input(&docs))
		return FUZZ_REJECT;
	c = input_decode(r, &docs);
	if (c && !small_cluster(c))
		return FUZZ_REJECT;
	if (c)
		narrow(c);
	w = c ? world_of(r, c) : NULL;
	if (w)
		decide(r, w);
	require(w || r->diags.errors > 0);
	for (uint32_t i = 0; i < r->diags.msgs.n; i++)
		diag_print(&r->out, &r->diags.msgs.v[i], false);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *gates = "SpotToSpotConsolidation=true,StaticCapacity=true,CapacityBuffer=true,"
				   "NodeOverlay=true,NodeRepair=true,ReservedCapacity=true";
	struct run r = {.cmd = NULL};
	int rc;

	arena_init(&r.arena);
	diags_init(&r.diags, &r.arena);
	buf_init(&r.out);
	r.opts.region = "me-south-1";
	if (size % 2)
		r.opts.feature_gates = (struct text_list){1, &gates};
	rc = run_all(&r, (struct str){arena_strndup(&r.arena, (const char *)data, size), size});
	buf_release(&r.out);
	arena_release(&r.arena);
	return rc;
}
