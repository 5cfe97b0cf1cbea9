#include "world.h"

#include <stdio.h>

#include "catalog_embedded.h"
#include "cmd.h"
#include "ec2_types.h"
#include "hints.h"
#include "idmap.h"
#include "input.h"
#include "load_catalog.h"
#include "overlay.h"
#include "when.h"

/* A default that depends on the catalogue: a message, and a line of the report. */
static void assume(struct run *r, struct cluster *c, enum diag_code code, const char *text)
{
	const char **notes = ARENA_ARRAY(&r->arena, const char *, (size_t)c->nnote + 1);

	if (c->nnote)
		memcpy(notes, c->note, c->nnote * sizeof(*notes));
	notes[c->nnote++] = text;
	c->note = notes;
	diag(&r->diags, code, SPAN_NONE, "%s", text);
}

static void settle_region(struct run *r, struct cluster *c)
{
	if (c->settings.region != SID_NONE)
		return;
	c->settings.region = intern_cstr(c->in, "us-east-1");
	assume(r, c, KS_ASSUME_REGION, "region us-east-1, as the input names none");
}

static void settle_now(struct run *r, struct cluster *c, const struct catalog *catalog)
{
	int year = 1970, month = 1, day = 1;

	if (c->settings.now != TIME_NONE)
		return;
	if (catalog)
		sscanf(intern_c(c->in, catalog->as_of), "%d-%d-%d", &year, &month, &day);
	c->settings.now = when_days(year, (uint32_t)month, (uint32_t)day) * 86400;
	assume(r, c, KS_ASSUME_NOW,
	       arena_printf(&r->arena, "time %04d-%02d-%02dT00:00:00Z, the date of the %s", year, month, day,
			    catalog ? "catalogue" : "epoch"));
}

static bool set_names_pool(const struct instance_type_set *s, sid pool)
{
	for (uint32_t i = 0; i < s->npool; i++)
		if (s->pool[i] == pool)
			return true;
	return s->npool == 0;
}

const struct itype_list *world_generic_types(struct arena *a, const struct cluster *c, sid pool)
{
	struct itype_list *l = ARENA_NEW(a, struct itype_list);

	for (uint32_t i = 0; i < c->type_sets.n; i++)
		if (set_names_pool(&c->type_sets.v[i], pool))
			l->n += c->type_sets.v[i].types.n;
	l->v = ARENA_ARRAY(a, struct itype, l->n);
	l->n = 0;
	for (uint32_t i = 0; i < c->type_sets.n; i++) {
		const struct itype_list *more = &c->type_sets.v[i].types;

		if (!set_names_pool(&c->type_sets.v[i], pool) || !more->n)
			continue;
		memcpy(l->v + l->n, more->v, more->n * sizeof(*l->v));
		l->n += more->n;
	}
	return l;
}

const struct itype_list *world_class_types(struct run *r, struct cluster *c, const struct catalog *cat,
					   const struct ec2_node_class **node_class)
{
	struct itype_list *list = ARENA_NEW(&r->arena, struct itype_list);
	const struct ec2_node_class *nc = *node_class;
	bool made_up;

	*node_class = ec2_class_defaults(&r->arena, c, cat, nc, intern_cstr(c->in, "default"), &made_up);
	if (made_up && nc)
		assume(r, c, KS_ASSUME_STATUS,
		       arena_printf(
			       &r->arena,
			       "EC2NodeClass %s has no status: a subnet in each zone and placeholder images",
			       intern_c(c->in, nc->meta.name)));
	*list = ec2_types(&r->arena, c, cat, *node_class);
	return list;
}

/* The class and types of each NodePool; pools with one class share them. */
static void ec2_pools(struct run *r, struct world *w)
{
	struct cluster *c = w->c;
	const struct itype_list **types = ARENA_ARRAY(&r->arena, const struct itype_list *, c->classes.n);
	const struct ec2_node_class **made =
		ARENA_ARRAY(&r->arena, const struct ec2_node_class *, c->classes.n);

	for (uint32_t i = 0; i < c->pools.n; i++) {
		const struct ec2_node_class *nc = cluster_class(c, c->pools.v[i].class_ref.name);
		uint32_t k = nc ? (uint32_t)(nc - c->classes.v) : 0;

		if (!nc)
			continue;
		if (!types[k]) {
			made[k] = nc;
			types[k] = world_class_types(r, c, w->catalog, &made[k]);
		}
		w->classes[i] = made[k];
		w->types[i] = types[k];
	}
}

const struct catalog *world_catalog(struct run *r, struct cluster *c)
{
	const struct catalog *cat;

	settle_region(r, c);
	if (r->opts.catalog)
		cat = catalog_read_dir(&r->arena, &r->diags, c->in, r->opts.catalog, c->settings.region);
	else
		cat = catalog_embedded(&r->arena, &r->diags, c->in, c->settings.region);
	if (!cat || !hint_options(r, c, cat))
		return NULL;
	settle_now(r, c, cat);
	return cat;
}

struct world *world_load(struct run *r)
{
	struct cluster *c = input_load(r);

	return c ? world_of(r, c) : NULL;
}

struct world *world_of(struct run *r, struct cluster *c)
{
	struct world *w = ARENA_NEW(&r->arena, struct world);

	w->c = c;
	w->interruption_weight = r->opts.interruption_weight;
	w->max_simulations = r->opts.max_simulations;
	w->classes = ARENA_ARRAY(&r->arena, const struct ec2_node_class *, c->pools.n);
	w->types = ARENA_ARRAY(&r->arena, const struct itype_list *, c->pools.n);
	if (cluster_generic(c)) {
		settle_now(r, c, NULL);
		hint_options(r, c, NULL);
		for (uint32_t i = 0; i < c->pools.n; i++)
			w->types[i] = world_generic_types(&r->arena, c, c->pools.v[i].meta.name);
	} else {
		w->catalog = world_catalog(r, c);
		if (!w->catalog)
			return NULL;
		ec2_pools(r, w);
	}
	if (c->settings.gates[GATE_NODE_OVERLAY])
		overlays_apply(&r->arena, c, w->types);
	return w;
}

/* How the price of a predicted launch came about. */
static enum price_flag price_flag(const struct world *w, const struct launch *l)
{
	return catalog_price_flag(w->catalog, w->c->in, l->type, l->zone, l->capacity_type, l->price);
}

void world_note_prices(struct run *r, struct world *w, const struct plan *plan)
{
	uint32_t regional = 0, estimated = 0;
	struct cluster *c = w->c;

	for (uint32_t i = 0; w->catalog && i < plan->nclaim + plan->nstatic; i++) {
		const struct plan_claim *claim =
			i < plan->nclaim ? &plan->claim[i] : &plan->static_claim[i - plan->nclaim];

		if (claim->launch.type == SID_NONE)
			continue;
		regional += price_flag(w, &claim->launch) == PRICE_REGIONAL;
		estimated += price_flag(w, &claim->launch) == PRICE_ESTIMATED;
	}
	if (regional)
		assume(r, c, KS_PRICE_REGIONAL,
		       arena_printf(&r->arena, "Spot prices are one figure for all zones of %s",
				    intern_c(c->in, w->catalog->region)));
	if (estimated)
		assume(r, c, KS_PRICE_ESTIMATED,
		       arena_printf(&r->arena, "the on-demand price of %u predicted launch%s is estimated",
				    estimated, estimated == 1 ? "" : "es"));
}

static const struct node_pool *pool_of(const struct cluster *c, const struct object_meta *m)
{
	sid name = labels_get(&m->labels, LBL_NODEPOOL);

	return name == SID_NONE ? NULL : cluster_pool(c, name);
}

static double price_of(const struct world *w, const struct object_meta *m, const struct node_pool *pool)
{
	const struct itype_list *types = w->types[pool - w->c->pools.v];
	sid type = labels_get(&m->labels, LBL_INSTANCE_TYPE), zone = labels_get(&m->labels, LBL_ZONE);
	sid capacity_type = labels_get(&m->labels, LBL_CAPACITY_TYPE);

	for (uint32_t i = 0; types && i < types->n; i++) {
		const struct itype *t = &types->v[i];

		if (t->name != type)
			continue;
		for (uint32_t k = 0; k < t->noffering; k++)
			if (t->offering[k].zone == zone && t->offering[k].capacity_type == capacity_type)
				return t->offering[k].price;
	}
	return 0;
}

/* NodeClaims with an instance that has not become a node yet; it is paid for all the same. */
static void on_their_way(const struct world *w, uint32_t *ret_n, double *ret_usd)
{
	const struct cluster *c = w->c;
	struct arena scratch;
	struct idmap nodes;
	uint32_t x;

	*ret_n = 0;
	*ret_usd = 0;
	arena_init(&scratch);
	idmap_init(&nodes, &scratch);
	for (uint32_t i = 0; i < c->nodes.n; i++)
		idmap_put(&nodes, c->nodes.v[i].provider_id, i);
	for (uint32_t i = 0; i < c->claims.n; i++) {
		const struct node_claim *claim = &c->claims.v[i];
		const struct node_pool *pool = pool_of(c, &claim->meta);

		if (!pool || claim->provider_id == SID_EMPTY || idmap_get(&nodes, claim->provider_id, &x))
			continue;
		++*ret_n;
		*ret_usd += price_of(w, &claim->meta, pool);
	}
	arena_release(&scratch);
}

double world_cost(const struct world *w)
{
	double sum;
	uint32_t n;

	on_their_way(w, &n, &sum);
	for (uint32_t i = 0; i < w->c->nodes.n; i++) {
		const struct node_pool *pool = pool_of(w->c, &w->c->nodes.v[i].meta);

		if (pool)
			sum += price_of(w, &w->c->nodes.v[i].meta, pool);
	}
	return sum;
}

uint32_t world_nodes(const struct world *w)
{
	double usd;
	uint32_t n;

	on_their_way(w, &n, &usd);
	for (uint32_t i = 0; i < w->c->nodes.n; i++)
		n += pool_of(w->c, &w->c->nodes.v[i].meta) != NULL;
	return n;
}

void world_note_unsynced(struct run *r, const char *why)
{
	if (!why)
		return;
	diag(&r->diags, KS_UNSYNCED, SPAN_NONE,
	     "nothing is decided: the state of the cluster is not synced, %s", why);
	diag_hint(&r->diags, "give the NodeClaim's status.providerID, or leave it out");
}
