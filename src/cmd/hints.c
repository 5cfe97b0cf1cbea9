#include "hints.h"

#include <fnmatch.h>
#include <string.h>

#include "cmd.h"
#include "suggest.h"

/* --- options --- */

/* The text up to a separator; *rest goes behind it. */
static struct str part(struct str *rest, char separator)
{
	const char *end = rest->n ? memchr(rest->p, separator, rest->n) : NULL;
	struct str out = {rest->p, end ? (size_t)(end - rest->p) : rest->n};
	size_t used = out.n + (end != NULL);

	*rest = (struct str){rest->p + used, rest->n - used};
	return out;
}

static void hint_zones(struct run *r, const struct intern *in, const struct catalog *cat, struct suggest *s)
{
	struct buf b;

	if (s->best.n) {
		diag_hint(&r->diags, "did you mean '%.*s'?", STR_ARG(s->best));
		return;
	}
	buf_init(&b);
	for (uint32_t i = 0; i < cat->nzone; i++)
		buf_addf(&b, "%s%s", i ? ", " : "", intern_c(in, cat->zone[i].name));
	diag_hint(&r->diags, "it has %s", buf_cstr(&b));
	buf_release(&b);
}

static bool zone_known(struct run *r, const struct intern *in, const struct catalog *cat, struct str zone)
{
	struct suggest s;

	suggest_init(&s, zone);
	for (uint32_t i = 0; i < cat->nzone; i++) {
		if (str_eq(intern_str(in, cat->zone[i].name), zone))
			return true;
		suggest_try(&s, intern_str(in, cat->zone[i].name));
	}
	diag(&r->diags, KS_OPTION_VALUE, SPAN_NONE, "--zones: region %s has no zone '%.*s' in the catalogue",
	     intern_c(in, cat->region), STR_ARG(zone));
	hint_zones(r, in, cat, &s);
	return false;
}

/* Whether a pattern is of one of n names; tries them as suggestions. */
static bool any_matches(const char *pattern, struct suggest *s, const struct intern *in, const sid *name,
			uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (fnmatch(pattern, intern_c(in, name[i]), 0) == 0)
			return true;
		suggest_try(s, intern_str(in, name[i]));
	}
	return false;
}

static bool ice_part(struct run *r, const struct cluster *c, const char *what, struct str text,
		     const sid *name, uint32_t n, const char *option)
{
	struct suggest s;

	suggest_init(&s, text);
	if (any_matches(arena_strndup(&r->arena, text.p, text.n), &s, c->in, name, n))
		return true;
	diag(&r->diags, KS_OPTION_EFFECT, SPAN_NONE, "--ice %s has no effect: there is no %s '%.*s'", option,
	     what, STR_ARG(text));
	if (s.best.n)
		diag_hint(&r->diags, "did you mean '%.*s'?", STR_ARG(s.best));
	return false;
}

static void ice_known(struct run *r, const struct cluster *c, const struct catalog *cat, const char *option)
{
	static const sid capacity_types[] = {CAP_ON_DEMAND, CAP_SPOT, CAP_RESERVED};
	struct str rest = str_of(option), type = part(&rest, ':'), zone = part(&rest, ':');
	sid *v = ARENA_ARRAY(&r->arena, sid, (size_t)cat->ntype + cat->nzone);

	for (uint32_t i = 0; i < cat->ntype; i++)
		v[i] = cat->type[i].name;
	if (!ice_part(r, c, "instance type", type, v, cat->ntype, option))
		return;
	for (uint32_t i = 0; i < cat->nzone; i++)
		v[i] = cat->zone[i].name;
	if (ice_part(r, c, "zone", zone, v, cat->nzone, option))
		ice_part(r, c, "capacity type", rest, capacity_types, 3, option);
}

static void no_effect(struct run *r, const char *option)
{
	diag(&r->diags, KS_OPTION_EFFECT, SPAN_NONE, "%s has no effect on ready instance types", option);
	diag_hint(&r->diags, "change the offerings in the InstanceTypeSet or the file given with --catalog");
}

bool hint_options(struct run *r, const struct cluster *c, const struct catalog *cat)
{
	bool ok = true;

	if (!cat && r->opts.zones.n)
		no_effect(r, "--zones");
	if (!cat && r->opts.ice.n)
		no_effect(r, "--ice");
	for (uint32_t i = 0; cat && i < r->opts.zones.n; i++) {
		struct str rest = str_of(r->opts.zones.v[i]);

		while (rest.n)
			ok &= zone_known(r, c->in, cat, part(&rest, ','));
	}
	for (uint32_t i = 0; cat && i < r->opts.ice.n; i++)
		ice_known(r, c, cat, r->opts.ice.v[i]);
	return ok;
}

/* --- inputs --- */

static uint32_t bound(const struct cluster *c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->pods.n; i++)
		n += c->pods.v[i].node != SID_EMPTY;
	return n;
}

static void no_pods(struct run *r, const struct cluster *c)
{
	diag(&r->diags, KS_NOTHING_TO_PLACE, SPAN_NONE, "the input has no pod to look for a place for");
	if (!c->pods.n)
		diag_hint(&r->diags, "give pods, or workloads such as a Deployment, with -f");
	else if (bound(c) == c->pods.n)
		diag_hint(&r->diags,
			  "its %u pod%s have their nodes; what becomes of those tells kspot disrupt",
			  c->pods.n, c->pods.n == 1 ? "" : "s");
	else
		diag_hint(&r->diags,
			  "Karpenter looks at pending pods that the scheduler found unschedulable; kspot "
			  "explain pod/NAME tells of one");
}

/* Whether something else in the input asks for nodes; when a gate is off, that is told already. */
static bool asks_for_nodes(const struct cluster *c)
{
	for (uint32_t i = 0; i < c->pools.n; i++)
		if (c->pools.v[i].is_static)
			return true;
	return c->buffers.n > 0;
}

void hint_nothing_to_plan(struct run *r, const struct cluster *c, const struct plan *plan)
{
	if (plan->unsynced)
		return;
	if (!c->pools.n) {
		diag(&r->diags, KS_NO_NODEPOOL, SPAN_NONE, "the input has no NodePool to make nodes from");
		diag_hint(&r->diags, "give it with -f, as a manifest or from kubectl get "
				     "nodepools,ec2nodeclasses -o yaml");
	}
	if (!plan->nclaim && !plan->nnode && !plan->nerror && !plan->nstatic && !r->opts.scale.n &&
	    !asks_for_nodes(c))
		no_pods(r, c);
}

void hint_nothing_to_disrupt(struct run *r, const struct cluster *c)
{
	if (c->nodes.n || c->claims.n)
		return;
	diag(&r->diags, KS_NO_NODES, SPAN_NONE, "the input has no node to disrupt");
	diag_hint(&r->diags,
		  c->workloads.n ? "what follows on planned nodes when a workload is scaled down tells kspot "
				   "plan --scale KIND/NAME=N"
				 : "give nodes and nodeclaims with -f, as from kubectl get "
				   "nodes,nodeclaims,pods -A -o yaml");
}
