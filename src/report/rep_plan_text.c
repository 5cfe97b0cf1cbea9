#include <inttypes.h>
#include <stdlib.h>

#include "rep_claim.h"
#include "rep_plan.h"
#include "rep_why.h"
#include "table.h"

/* How many Fleet requests the narrow screen tells of. */
enum { BRIEF_FLEETS = 5 };
/* How many NodePools it tells of for a pending pod. */
enum { BRIEF_POOLS = 4 };

static const struct table_column narrow_columns[] = {
	{.title = "NAME", .shrink = true}, {.title = "POOL", .shrink = true},
	{.title = "TYPE", .shrink = true}, {.title = "CAPACITY"},
	{.title = "ZONE", .shrink = true}, {.title = "PODS", .right = true},
	{.title = "CPU", .right = true},   {.title = "MEM", .right = true},
	{.title = "$/H", .right = true},
};

static const struct table_column wide_columns[] = {
	{.title = "NAME"},
	{.title = "POOL"},
	{.title = "CLASS"},
	{.title = "TYPE"},
	{.title = "CAPACITY"},
	{.title = "ZONE"},
	{.title = "PODS", .right = true},
	{.title = "CPU", .right = true},
	{.title = "MEM", .right = true},
	{.title = "$/H", .right = true},
	{.title = "AT MOST", .right = true},
	{.title = "TYPES", .right = true},
};

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

/* Cores as people write them: 0.25, 1.5, 16. */
static const char *cpu_text(const struct report *r, const struct reslist *l)
{
	return arena_printf(r->scratch, "%g",
			    (double)quantity_ceil(reslist_amount(l, RES_CPU) * 1000) / 1000);
}

/* Mebibytes below one gibibyte, else gibibytes with one decimal where they are not whole. */
static const char *memory_text(const struct report *r, const struct reslist *l)
{
	int64_t mib = quantity_ceil(reslist_amount(l, RES_MEMORY) / 1048576);

	if (mib < 1024)
		return arena_printf(r->scratch, "%" PRId64 "Mi", mib);
	return arena_printf(r->scratch, mib % 1024 ? "%.1fGi" : "%.0fGi", (double)mib / 1024);
}

static void claim_row(struct table *t, const struct report *r, const struct plan_claim *claim,
		      const char *name, bool wide)
{
	const struct launch *l = &claim->launch;
	const struct intern *in = r->c->in;
	bool known = l->type != SID_NONE;

	table_cell(t, "%s", name);
	table_cell(t, "%s", intern_c(in, claim->pool->meta.name));
	if (wide)
		table_cell(t, "%s", intern_c(in, claim->pool->class_ref.name));
	table_cell(t, "%s", known ? intern_c(in, l->type) : "-");
	table_cell(t, "%s", known ? intern_c(in, l->capacity_type) : "-");
	table_cell(t, "%s", known ? intern_c(in, l->zone) : "-");
	table_cell(t, "%" PRIu32, claim->npod);
	table_cell(t, "%s", cpu_text(r, &claim->requests));
	table_cell(t, "%s", memory_text(r, &claim->requests));
	if (known)
		table_cell(t, "%.4f", l->price);
	else
		table_cell(t, "-");
	if (!wide)
		return;
	if (known)
		table_cell(t, "%.4f", l->price_max);
	else
		table_cell(t, "-");
	table_cell(t, "%" PRIu32, claim->ntype);
}

/* "a, b, c" of pods, wrapped. */
static void pod_list(struct buf *out, const struct report *r, const uint32_t *pod, uint32_t n, uint32_t used,
		     uint32_t width)
{
	struct buf text;

	buf_init(&text);
	for (uint32_t i = 0; i < n; i++) {
		buf_addstr(&text, rep_pod_name(r, pod[i]));
		if (i + 1 < n)
			buf_adds(&text, ", ");
	}
	text_wrap(out, buf_cstr(&text), used, 2, width);
	buf_release(&text);
}

struct fleet_sum {
	uint32_t types, zones, pools;
};

static int by_id(const void *a, const void *b)
{
	sid x = *(const sid *)a, y = *(const sid *)b;

	return (x > y) - (x < y);
}

static uint32_t distinct(sid *v, uint32_t n)
{
	uint32_t k = 0;

	qsort(v, n, sizeof(*v), by_id);
	for (uint32_t i = 0; i < n; i++)
		k += i == 0 || v[i] != v[i - 1];
	return k;
}

static struct fleet_sum fleet_sum(const struct report *r, const struct fleet *f)
{
	struct fleet_sum sum = {0};
	uint32_t n = 0;
	sid *v;

	for (uint32_t i = 0; i < f->nconfig; i++)
		sum.pools += f->config[i].n;
	v = ARENA_ARRAY(r->scratch, sid, sum.pools);
	for (uint32_t i = 0; i < f->nconfig; i++)
		for (uint32_t k = 0; k < f->config[i].n; k++)
			v[n++] = f->config[i].override[k].type;
	sum.types = distinct(v, n);
	n = 0;
	for (uint32_t i = 0; i < f->nconfig; i++)
		for (uint32_t k = 0; k < f->config[i].n; k++)
			v[n++] = f->config[i].override[k].zone;
	sum.zones = distinct(v, n);
	return sum;
}

static void fleet_brief(struct buf *out, const struct report *r, const struct plan_claim *claim,
			const char *name, uint32_t width)
{
	const struct launch *l = &claim->launch;
	const struct fleet *f = claim->fleet;
	struct arena_mark mark = arena_mark(r->scratch);
	const char *text;

	if (f) {
		struct fleet_sum sum = fleet_sum(r, f);
		const char *strategy = f->spot_strategy ? f->spot_strategy : f->on_demand_strategy;

		text = arena_printf(
			r->scratch,
			"CreateFleet %s: instant, %s%s%s, %" PRIu32 " type%s in %" PRIu32 " zone%s (%" PRIu32
			" override%s, %" PRIu32 " launch template%s), $%.4f to $%.4f/h",
			name, f->default_target, strategy ? ", " : "", strategy ? strategy : "", sum.types,
			plural(sum.types), sum.zones, plural(sum.zones), sum.pools, plural(sum.pools),
			f->nconfig, plural(f->nconfig), l->price, l->price_max);
	} else {
		text = arena_printf(r->scratch, "CreateFleet %s fails: %s", name, claim->fleet_error);
	}
	text_wrap(out, text, 0, 2, width);
	arena_rewind(r->scratch, mark);
}

static void claims_text(struct buf *out, const struct report *r, const struct plan *plan,
			struct claim_namer *namer, bool wide)
{
	const char **names = ARENA_ARRAY(r->scratch, const char *, plan->nclaim);
	uint32_t width = wide ? 0 : SCREEN_WIDTH, told = 0;
	struct table t;

	if (!plan->nclaim)
		return;
	table_init(&t, r->scratch, wide ? wide_columns : narrow_columns,
		   wide ? COUNT(wide_columns) : COUNT(narrow_columns));
	for (uint32_t i = 0; i < plan->nclaim; i++) {
		names[i] = claim_namer_next(namer, &plan->claim[i]);
		claim_row(&t, r, &plan->claim[i], names[i], wide);
	}
	table_print(&t, out, width);
	buf_addch(out, '\n');
	for (uint32_t i = 0; i < plan->nclaim; i++) {
		const struct plan_claim *claim = &plan->claim[i];

		if (wide) {
			buf_addf(out, "pods of %s: ", names[i]);
			pod_list(out, r, claim->pod, claim->npod, 0, 0);
		}
		if (!claim->fleet && !claim->fleet_error)
			continue;
		/* A request that fails is always told. */
		if (!wide && told == BRIEF_FLEETS && claim->fleet)
			continue;
		fleet_brief(out, r, claim, names[i], width);
		told++;
	}
	if (told < plan->nclaim && told >= BRIEF_FLEETS)
		buf_addf(out, "... and %" PRIu32 " more requests; -o wide tells of all\n",
			 plan->nclaim - told);
	if (told || wide)
		buf_addch(out, '\n');
}

static void static_text(struct buf *out, const struct report *r, const struct plan *plan,
			struct claim_namer *namer, bool wide)
{
	struct table t;

	if (!plan->nstatic)
		return;
	buf_adds(out, "kept by static NodePools:\n");
	table_init(&t, r->scratch, wide ? wide_columns : narrow_columns,
		   wide ? COUNT(wide_columns) : COUNT(narrow_columns));
	for (uint32_t i = 0; i < plan->nstatic; i++)
		claim_row(&t, r, &plan->static_claim[i], claim_namer_next(namer, &plan->static_claim[i]),
			  wide);
	table_print(&t, out, wide ? 0 : SCREEN_WIDTH);
	buf_addch(out, '\n');
}

static void existing_text(struct buf *out, const struct report *r, const struct plan *plan, bool wide)
{
	for (uint32_t i = 0; i < plan->nnode; i++) {
		const struct plan_node *node = &plan->node[i];
		const char *head = arena_printf(
			r->scratch, "%s takes %" PRIu32 " pod%s: ", intern_c(r->c->in, node->name),
			node->npod, plural(node->npod));

		buf_adds(out, head);
		pod_list(out, r, node->pod, node->npod, (uint32_t)strlen(head), wide ? 0 : SCREEN_WIDTH);
	}
	if (plan->nnode)
		buf_addch(out, '\n');
}

static bool pending_alike(const struct pod_error *a, const struct pod_error *b)
{
	return strcmp(a->message, b->message) == 0 && rep_why_same(a->why, b->why);
}

/* Pods with the same message and explanation stand together, in the order of the first. */
static void pending_text(struct buf *out, const struct report *r, const struct plan *plan, bool wide)
{
	bool *told = ARENA_ARRAY(r->scratch, bool, plan->nerror);
	uint32_t *alike = ARENA_ARRAY(r->scratch, uint32_t, plan->nerror);
	uint32_t width = wide ? 0 : SCREEN_WIDTH;

	for (uint32_t i = 0; i < plan->nerror; i++) {
		const struct pod_error *err = &plan->error[i];
		const char *name = rep_pod_name(r, err->pod).p, *head;
		uint32_t n = 0;

		if (told[i])
			continue;
		for (uint32_t k = i; k < plan->nerror; k++)
			if (!told[k] && pending_alike(&plan->error[k], err)) {
				told[k] = true;
				alike[n++] = plan->error[k].pod;
			}
		head = n > 1 ? arena_printf(r->scratch, "pending %s and %" PRIu32 " more: ", name, n - 1)
			     : arena_printf(r->scratch, "pending %s: ", name);
		buf_adds(out, head);
		text_wrap(out, err->message, (uint32_t)strlen(head), 2, width);
		if (wide && n > 1) {
			buf_adds(out, "  pods: ");
			pod_list(out, r, alike, n, 8, width);
		}
		if (err->why)
			rep_why_text(out, r, err->why, wide ? 0 : BRIEF_POOLS, width);
	}
	if (plan->nerror)
		buf_addch(out, '\n');
}

static void closing(struct buf *out, const struct plan_report *p)
{
	const struct plan *plan = p->plan;
	uint32_t n = plan->nclaim + plan->nstatic;
	double least = rep_plan_cost(p, false), most = rep_plan_cost(p, true);

	for (uint32_t i = 0; i < p->c->nnote; i++) {
		buf_adds(out, "note: ");
		text_wrap(out, p->c->note[i], 6, 2, SCREEN_WIDTH);
	}
	if (plan->nerror)
		buf_addf(out, "%" PRIu32 " pod%s stay%s pending\n", plan->nerror, plural(plan->nerror),
			 plan->nerror == 1 ? "s" : "");
	buf_addf(out, "%" PRIu32 " node%s to create, 0 to remove; $%.4f/h -> $%.4f/h", n, plural(n),
		 p->usd_before, least);
	if (most > least)
		buf_addf(out, " (at most $%.4f/h)", most);
	buf_addch(out, '\n');
}

void rep_plan_text(struct buf *out, const struct plan_report *p, bool wide)
{
	struct report r = {.c = p->c, .scratch = p->scratch, .given = p->given};
	struct arena_mark mark = arena_mark(p->scratch);
	struct claim_namer namer;

	claim_namer_init(&namer, &r, p->scratch);
	claims_text(out, &r, p->plan, &namer, wide);
	static_text(out, &r, p->plan, &namer, wide);
	existing_text(out, &r, p->plan, wide);
	pending_text(out, &r, p->plan, wide);
	closing(out, p);
	arena_rewind(p->scratch, mark);
}
