/* kspot catalog: what exists and at what price. */
#include <stdlib.h>
#include <string.h>

#include "catalog_action.h"
#include "catalog_embedded.h"
#include "cmd.h"
#include "ec2_query.h"
#include "input.h"
#include "load_selector.h"
#include "rep_catalog.h"
#include "rep_types.h"
#include "suggest.h"
#include "table.h"
#include "world.h"

/* -- types -- */

static void print_types(struct run *r, struct cluster *c, const struct catalog *cat, struct emit *e)
{
	struct report report = {.c = c, .scratch = &r->arena};

	for (uint32_t i = 0; i < c->classes.n; i++) {
		const struct ec2_node_class *nc = &c->classes.v[i];
		const struct itype_list *types = world_class_types(r, c, cat, &nc);

		if (e)
			rep_types(e, &report, nc->meta.name, types);
		else
			rep_types_text(&r->out, &report, nc->meta.name, types,
				       strcmp(r->opts.output, "wide") == 0 ? 0 : SCREEN_WIDTH);
	}
}

static int action_types(struct run *r)
{
	struct cluster *c = input_load(r);
	const struct catalog *cat = c ? world_catalog(r, c) : NULL;
	struct emit e;

	if (!cat)
		return RC_BAD_INPUT;
	if (c->classes.n == 0) {
		diag(&r->diags, KS_CATALOG_ACTION, SPAN_NONE, "the input has no EC2NodeClass");
		return RC_BAD_INPUT;
	}
	if (strcmp(r->opts.output, "json") != 0 && strcmp(r->opts.output, "yaml") != 0) {
		print_types(r, c, cat, NULL);
		return RC_OK;
	}
	emit_init(&e, strcmp(r->opts.output, "json") == 0 ? EMIT_JSON : EMIT_YAML, &r->out);
	if (c->classes.n > 1) {
		emit_map(&e);
		emit_kv_cstr(&e, "kind", "InstanceTypesList");
		emit_kv_seq(&e, "items");
	}
	print_types(r, c, cat, &e);
	if (c->classes.n > 1) {
		emit_end(&e);
		emit_end(&e);
	}
	emit_finish(&e);
	return RC_OK;
}

/* -- list -- */

struct query {
	struct run *r;
	struct cluster *c;
	const struct catalog *cat; /* NULL: ready instance types */
	rsetid reqs;               /* of --requirement */
	enum query_order order;
	struct emit *e; /* NULL: text or CSV */
};

static bool option_requirements(struct query *q)
{
	const struct text_list *l = &q->r->opts.requirement;
	struct api_requirement *v = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->n; i++)
		if (!selector_parse(&q->r->arena, &q->r->diags, q->c->in, l->v[i], &v, &n))
			return false;
	q->reqs = input_requirements(q->c->rp, RSET_EMPTY, v, n);
	return true;
}

static void print_listing(const struct query *q, const struct catalog_listing *l)
{
	const char *output = q->r->opts.output;

	if (q->e)
		rep_listing(q->e, l);
	else if (strcmp(output, "csv") == 0)
		rep_listing_csv(&q->r->out, l);
	else
		rep_listing_text(&q->r->out, l, strcmp(output, "wide") == 0);
}

static void list_types(const struct query *q, const struct itype_list *types, rsetid reqs)
{
	struct report report = {.c = q->c, .scratch = &q->r->arena};
	struct catalog_listing l = {.report = &report,
				    .catalog = q->cat,
				    .origin = q->r->opts.catalog ? q->r->opts.catalog : "built in",
				    .total = types->n};
	const struct query_row *row = ec2_query(&q->r->arena, q->c, q->cat, types, reqs, q->order, &l.n);
	struct catalog_line *line = ARENA_ARRAY(&q->r->arena, struct catalog_line, l.n);

	for (uint32_t i = 0; i < l.n; i++) {
		const struct reslist *alloc = &row[i].type->allocatable;

		line[i] = (struct catalog_line){
			.facts = row[i].facts,
			.pods = quantity_ceil(reslist_amount(&row[i].type->capacity, RES_PODS)),
			.free_cpu = quantity_double(reslist_amount(alloc, RES_CPU)),
			.free_gib = quantity_double(reslist_amount(alloc, RES_MEMORY)) / (1 << 30),
			.spot_min = row[i].spot_min,
			.spot_max = row[i].spot_max,
			.on_demand = row[i].on_demand,
			.cheapest = row[i].cheapest,
			.nzone = row[i].nzone,
			.estimated = row[i].estimated,
			.regional = row[i].regional,
			.interruption = row[i].interruption,
		};
	}
	l.line = line;
	print_listing(q, &l);
}

static const struct itype_list *types_of_pool(const struct query *q, const struct node_pool *pool)
{
	const struct ec2_node_class *nc = pool ? cluster_class(q->c, pool->class_ref.name) : NULL;

	if (!q->cat)
		return world_generic_types(&q->r->arena, q->c, pool ? pool->meta.name : SID_EMPTY);
	if (!pool && q->c->classes.n == 1)
		nc = &q->c->classes.v[0];
	return world_class_types(q->r, q->c, q->cat, &nc);
}

static void list_pools(const struct query *q)
{
	if (q->c->pools.n == 0)
		list_types(q, types_of_pool(q, NULL), q->reqs);
	for (uint32_t i = 0; i < q->c->pools.n; i++) {
		const struct node_pool *pool = &q->c->pools.v[i];

		if (q->c->pools.n > 1 && !q->e)
			buf_addf(&q->r->out, "%sNodePool %s\n", i ? "\n" : "",
				 intern_c(q->c->in, pool->meta.name));
		list_types(q, types_of_pool(q, pool), input_pool_requirements(q->c->rp, q->reqs, pool));
	}
}

static enum query_order order_of(const char *key)
{
	static const char *const names[] = {
		[QUERY_BY_PRICE] = "price",   [QUERY_BY_CPU] = "cpu",
		[QUERY_BY_MEMORY] = "memory", [QUERY_BY_PRICE_PER_CPU] = "price-per-cpu",
		[QUERY_BY_NAME] = "name",
	};

	for (unsigned i = 0; key && i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], key) == 0)
			return (enum query_order)i;
	return QUERY_BY_PRICE;
}

static int action_list(struct run *r)
{
	struct query q = {.r = r, .c = input_load_any(r), .order = order_of(r->opts.sort_by)};
	const char *output = r->opts.output;
	struct emit e;

	if (!q.c || !option_requirements(&q))
		return RC_BAD_INPUT;
	q.cat = cluster_generic(q.c) ? NULL : world_catalog(r, q.c);
	if (!q.cat && !cluster_generic(q.c))
		return RC_BAD_INPUT;
	if (strcmp(output, "csv") == 0 && q.c->pools.n > 1) {
		diag(&r->diags, KS_CATALOG_ACTION, SPAN_NONE,
		     "the input has %u NodePools, and a CSV table is for one", q.c->pools.n);
		return RC_BAD_INPUT;
	}
	if (strcmp(output, "json") != 0 && strcmp(output, "yaml") != 0) {
		list_pools(&q);
		return RC_OK;
	}
	emit_init(&e, strcmp(output, "json") == 0 ? EMIT_JSON : EMIT_YAML, &r->out);
	q.e = &e;
	if (q.c->pools.n > 1)
		emit_seq(&e);
	list_pools(&q);
	if (q.c->pools.n > 1)
		emit_end(&e);
	emit_finish(&e);
	return RC_OK;
}

/* -- show -- */

/* A type that the region lacks: one that is spelled like it, or that it is sold elsewhere. */
static void no_type(struct run *r, struct cluster *c, const struct catalog *cat, const char *name)
{
	struct ec2_type elsewhere;
	struct suggest near;

	diag(&r->diags, KS_CATALOG_NO_TYPE, SPAN_NONE, "%s has no instance type \"%s\"",
	     intern_c(c->in, cat->region), name);
	suggest_init(&near, str_of(name));
	for (uint32_t i = 0; i < cat->ntype; i++)
		suggest_try(&near, intern_str(c->in, cat->type[i].name));
	if (!r->opts.catalog && catalog_embedded_type(c->in, intern_cstr(c->in, name), &elsewhere))
		diag_hint(&r->diags, "it is offered in other regions");
	else if (near.best.n)
		diag_hint(&r->diags, "did you mean \"%.*s\"?", STR_ARG(near.best));
}

static int action_show(struct run *r)
{
	struct cluster *c = input_load_any(r);
	const struct catalog *cat = c ? world_catalog(r, c) : NULL;
	struct report report = {.c = c, .scratch = &r->arena};
	struct catalog_listing l = {
		.report = &report, .catalog = cat, .origin = r->opts.catalog ? r->opts.catalog : "built in"};
	const char *name = r->opts.args.v[1];
	struct emit e;
	uint32_t type;

	if (!cat)
		return RC_BAD_INPUT;
	type = catalog_type(cat, c->in, intern_cstr(c->in, name));
	if (type == UINT32_MAX) {
		no_type(r, c, cat, name);
		return RC_BAD_INPUT;
	}
	if (strcmp(r->opts.output, "json") != 0 && strcmp(r->opts.output, "yaml") != 0) {
		rep_show_text(&r->out, &l, type);
		return RC_OK;
	}
	emit_init(&e, strcmp(r->opts.output, "json") == 0 ? EMIT_JSON : EMIT_YAML, &r->out);
	rep_show(&e, &l, type);
	emit_finish(&e);
	return RC_OK;
}

static const struct {
	const char *name, *outputs;
	uint32_t min_args, max_args; /* after the action */
	int (*run)(struct run *r);
} actions[] = {
	{"list", "text|wide|json|yaml|csv", 0, 0, action_list}, {"show", "text|json|yaml", 1, 1, action_show},
	{"types", "text|wide|json|yaml", 0, 0, action_types},   {"check", "text", 0, 1, catalog_check},
	{"import", "text", 1, 1000, catalog_import_files},
};

int cmd_catalog(struct run *r)
{
	const char *name = r->opts.args.v[0];
	uint32_t nargs = r->opts.args.n - 1;
	struct suggest near;

	suggest_init(&near, str_of(name));
	for (unsigned i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		suggest_try(&near, str_of(actions[i].name));
		if (strcmp(actions[i].name, name) != 0)
			continue;
		if (nargs < actions[i].min_args || nargs > actions[i].max_args) {
			diag(&r->diags, KS_CATALOG_ACTION, SPAN_NONE,
			     "catalog %s takes %u to %u arguments, not %u", name, actions[i].min_args,
			     actions[i].max_args, nargs);
			return RC_BAD_INPUT;
		}
		if (!choice_has(actions[i].outputs, r->opts.output)) {
			diag(&r->diags, KS_CATALOG_ACTION, SPAN_NONE, "catalog %s does not print %s", name,
			     r->opts.output);
			diag_hint(&r->diags, "it prints %s", actions[i].outputs);
			return RC_BAD_INPUT;
		}
		return actions[i].run(r);
	}
	diag(&r->diags, KS_CATALOG_ACTION, SPAN_NONE, "unknown action \"%s\"", name);
	if (near.best.n)
		diag_hint(&r->diags, "did you mean \"%.*s\"?", STR_ARG(near.best));
	else
		diag_hint(&r->diags, "the actions are list, show, types, check and import");
	return RC_BAD_INPUT;
}
