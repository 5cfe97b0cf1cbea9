#include "explain_planned.h"

#include <inttypes.h>

#include "cmd.h"
#include "decide.h"
#include "rep_claim.h"
#include "rounds.h"
#include "scale.h"
#include "table.h"
#include "template.h"

bool planned_find(struct run *r, const struct world *w, const char *name, struct suggest *s,
		  struct planned *ret)
{
	const struct report report = {.c = w->c, .scratch = &r->arena, .given = w->given};
	struct plan *plan = decide_plan(&r->arena, w);
	struct claim_namer namer;
	struct world *after;
	struct scale *scale;
	struct scaled scaled;

	*ret = (struct planned){.name = name};
	if (!scales_parse(r, w->c, &scale))
		return false;
	world_note_unsynced(r, plan->unsynced);
	claim_namer_init(&namer, &report, &r->arena);
	for (uint32_t i = 0; i < plan->nclaim + plan->nstatic; i++) {
		const struct plan_claim *c =
			i < plan->nclaim ? &plan->claim[i] : &plan->static_claim[i - plan->nclaim];
		const char *given = claim_namer_next(&namer, c);

		if (strcmp(given, name) == 0)
			ret->claim = c;
		suggest_try(s, str_of(given));
	}
	after = world_launched(&r->arena, w, plan);
	ret->after = scales_apply(r, after, scale, r->opts.scale.n, &scaled);
	return true;
}

static void line(struct run *r, const char *what, const char *text)
{
	buf_addf(&r->out, "  %-14s ", what);
	text_wrap(&r->out, text, 17, 17, SCREEN_WIDTH);
}

static const char *pod_list(struct run *r, const struct report *report, const struct plan_claim *c)
{
	enum { SHOWN = 6 };
	const char *text = arena_printf(&r->arena, "%" PRIu32, c->npod);

	for (uint32_t i = 0; i < c->npod && i < SHOWN; i++)
		text = arena_printf(&r->arena, "%s%s %s", text, i ? "," : ":",
				    rep_pod_name(report, c->pod[i]).p);
	if (c->npod > SHOWN)
		text = arena_printf(&r->arena, "%s and %" PRIu32 " more", text, c->npod - SHOWN);
	return text;
}

static const char *launch_text(struct run *r, const struct world *w, const struct plan_claim *c)
{
	const struct launch *l = &c->launch;
	const struct intern *in = w->c->in;

	if (l->type == SID_NONE)
		return c->fleet_error ? c->fleet_error : "nothing that can be launched";
	return arena_printf(&r->arena, "%s %s in %s, $%.4f/h: the cheapest%s; at most $%.4f/h",
			    intern_c(in, l->capacity_type), intern_c(in, l->type), intern_c(in, l->zone),
			    l->price, w->catalog ? ", if EC2 has it" : "", l->price_max);
}

/* The dearest type of the NodePool that is cheaper than the launch, and not among those that hold the pods.
 */
static const struct itype *just_too_small(const struct world *w, const struct plan_claim *c, uint32_t *ret_n)
{
	const struct itype_list *all = w->types[c->pool - w->c->pools.v];
	struct reqpool *p = w->c->rp;
	rsetid reqs = rset_without(p, c->reqs, req_key(p, LBL_INSTANCE_TYPE));
	const struct itype *best = NULL;
	double top = 0;

	*ret_n = 0;
	for (uint32_t i = 0; all && i < all->n; i++) {
		double price = itype_price(p, &all->v[i], reqs);
		uint32_t k = 0;

		while (k < c->ntype && c->type[k]->name != all->v[i].name)
			k++;
		if (k < c->ntype || price >= c->launch.price || !rset_intersects(p, all->v[i].reqs, reqs))
			continue;
		++*ret_n;
		if (price > top) {
			top = price;
			best = &all->v[i];
		}
	}
	return best;
}

static void smaller_line(struct run *r, const struct world *w, const struct plan_claim *c)
{
	const struct intern *in = w->c->in;
	uint32_t n;
	const struct itype *t = just_too_small(w, c, &n);
	const char *lacks = "";

	for (uint32_t i = 0; t && i < c->requests.n && !*lacks; i++)
		if (reslist_amount(&t->allocatable, c->requests.v[i].name) < c->requests.v[i].v)
			lacks = arena_printf(&r->arena, ", which has too little %s",
					     intern_c(in, c->requests.v[i].name));
	if (t)
		line(r, "too small",
		     arena_printf(&r->arena, "%" PRIu32 " cheaper type%s of the NodePool, up to %s%s", n,
				  plural(n), intern_c(in, t->name), lacks));
}

void planned_text(struct run *r, const struct world *w, const struct planned *p)
{
	const struct report report = {.c = w->c, .scratch = &r->arena};
	const struct plan_claim *c = p->claim;
	const char *types =
		arena_printf(&r->arena, "%" PRIu32 " hold%s %s and can be had", c->ntype,
			     c->ntype == 1 ? "s" : "", c->is_static ? "its daemons" : "these pods");

	for (uint32_t i = 0; i < c->ntype && i < 4; i++)
		types = arena_printf(&r->arena, "%s%s %s", types,
				     i ? "," : ", cheapest first:", intern_c(w->c->in, c->type[i]->name));
	if (c->ntype > 4)
		types = arena_printf(&r->arena, "%s, ...", types);
	buf_addf(&r->out, "node %s, which the plan makes\n", p->name);
	line(r, "NodePool", intern_c(w->c->in, c->pool->meta.name));
	if (c->is_static)
		line(r, "why", "the NodePool is static and has fewer nodes than replicas");
	else
		line(r, "for pods", pod_list(r, &report, c));
	if (c->requests.n)
		line(r, "requests", rep_amounts(&report, &c->requests));
	if (!c->is_static)
		line(r, "types", types);
	line(r, "launch", launch_text(r, w, c));
	if (!c->is_static && c->launch.type != SID_NONE)
		smaller_line(r, w, c);
}

void planned_json(struct run *r, struct emit *e, const struct world *w, const struct planned *p)
{
	const struct report report = {.c = w->c, .scratch = &r->arena};

	emit_key(e, "planned");
	rep_claim(e, &report, p->claim, p->name);
}
