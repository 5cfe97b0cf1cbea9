#include "fleet.h"

#include <float.h>
#include <string.h>

#include "fleet_impl.h"
#include "gosort.h"

/* -- order and truncation -- */

struct priced {
	double price;
	struct candidate c;
};

static bool cheaper(const void *x, const void *y, const void *ctx)
{
	const struct priced *a = x, *b = y;

	(void)ctx;
	return a->price < b->price;
}

/* A15.3: by the cheapest offering under all of the claim's requirements; ties fall as Go's sort leaves them.
 */
static void order_by_price(struct fleet_ctx *x)
{
	struct priced *v = ARENA_ARRAY(x->arena, struct priced, x->n);

	for (uint32_t i = 0; i < x->n; i++) {
		const struct candidate *c = &x->v[i];

		v[i] = (struct priced){DBL_MAX, *c};
		for (uint32_t k = 0; k < c->n; k++)
			if (c->offering[k]->price < v[i].price && fleet_usable(x, c->offering[k], x->reqs))
				v[i].price = c->offering[k]->price;
	}
	GOSORT(v, x->n, cheaper, NULL);
	for (uint32_t i = 0; i < x->n; i++)
		x->v[i] = v[i].c;
}

/* How many different values of a label the candidates have. */
static uint32_t count_values(const struct fleet_ctx *x, keyid key)
{
	VEC(sid) seen = {0};

	for (uint32_t i = 0; i < x->n; i++) {
		reqid r = rset_find(x->rp, x->v[i].type->reqs, key);
		uint32_t nv = 0;
		sid *v = r == REQ_NONE ? NULL : req_values(x->rp, r, x->arena, &nv);

		for (uint32_t k = 0; k < nv; k++) {
			uint32_t s = 0;

			while (s < seen.n && seen.v[s] != v[k])
				s++;
			if (s == seen.n)
				VEC_PUSH(x->arena, &seen, v[k]);
		}
	}
	return seen.n;
}

/* The labels whose minValues the candidates do not meet, in words; NULL when all are met. */
static const char *unmet_min_values(const struct fleet_ctx *x)
{
	const struct rset *s = rset_get(x->rp, x->reqs);
	uint32_t *order = rset_by_name(x->rp, x->reqs, x->arena);
	struct buf b;
	const char *out = NULL;

	buf_init(&b);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct req *r = req_get(x->rp, rset_get(x->rp, x->reqs)->req[order[i]]);
		int32_t min = r->min_values;
		keyid key = r->key;

		if (min >= 0 && count_values(x, key) < (uint32_t)min)
			buf_addf(&b, "%s%s", b.n ? " " : "", intern_c(x->in, req_key_name(x->rp, key)));
	}
	if (b.n)
		out = arena_printf(
			x->arena,
			"creating instance, insufficient capacity, truncating instance types based on the "
			"passed-in requirements, validating minValues, minValues requirement is not met for "
			"label(s) (label(s)=[%s])",
			buf_cstr(&b));
	buf_release(&b);
	return out;
}

/* -- launch templates -- */

/* What types of one launch template have in common (LA-30). */
struct template
{
	sid ami;
	qty pods, efa;
	sid reservation; /* SID_NONE: none */
	uint32_t n;
	const struct candidate **v;
};

struct templates {
	VEC(struct template) v;
};

static void add_to_template(const struct fleet_ctx *x, struct templates *ts, const struct candidate *c,
			    const struct template *key)
{
	struct template *t = NULL;

	for (uint32_t i = 0; i < ts->v.n && !t; i++) {
		struct template *o = &ts->v.v[i];

		if (o->ami == key->ami && o->pods == key->pods && o->efa == key->efa &&
		    o->reservation == key->reservation)
			t = o;
	}
	if (!t) {
		t = VEC_ADD(x->arena, &ts->v);
		*t = *key;
		t->v = ARENA_ARRAY(x->arena, const struct candidate *, x->n);
	}
	t->v[t->n++] = c;
}

static struct templates group_types(const struct fleet_ctx *x, const struct ec2_node_class *nc,
				    sid capacity_type)
{
	const rsetid *image_reqs = ec2_image_requirements(x->arena, x->rp, nc);
	bool efa = reslist_find(&x->claim->requests, RES_EFA) != NULL;
	struct templates ts = {0};

	for (uint32_t i = 0; i < x->n; i++) {
		const struct candidate *c = &x->v[i];
		struct template key = {
			.ami = ec2_image_of(x->rp, nc, image_reqs, c->type),
			.pods = reslist_amount(&c->type->capacity, RES_PODS),
			.efa = efa ? reslist_amount(&c->type->capacity, RES_EFA) : 0,
			.reservation = SID_NONE,
		};

		if (key.ami == SID_NONE)
			continue;
		if (capacity_type != CAP_RESERVED) {
			add_to_template(x, &ts, c, &key);
			continue;
		}
		for (uint32_t k = 0; k < c->n; k++)
			if (c->offering[k]->capacity_type == CAP_RESERVED) {
				key.reservation = c->offering[k]->reservation;
				add_to_template(x, &ts, c, &key);
			}
	}
	return ts;
}

/* -- overrides -- */

static int override_cmp(const struct intern *in, const struct fleet_override *a,
			const struct fleet_override *b)
{
	int c = intern_cmp(in, a->type, b->type);

	if (!c)
		c = intern_cmp(in, a->zone, b->zone);
	return c ? c : intern_cmp(in, a->subnet, b->subnet);
}

/* The subnet of a zone: the first in status order, as no address counts are known (LA-22). */
static sid subnet_of(const struct ec2_node_class *nc, sid zone)
{
	for (uint32_t i = 0; i < nc->nsubnet; i++)
		if (nc->subnet[i].zone == zone)
			return nc->subnet[i].id;
	return SID_NONE;
}

static void add_override(const struct fleet_ctx *x, struct fleet_config *cfg, const struct fleet_override *o)
{
	uint32_t i = cfg->n;

	/* One offering a pool: the first. */
	for (uint32_t k = 0; k < cfg->n; k++)
		if (cfg->override[k].type == o->type && cfg->override[k].zone == o->zone)
			return;
	for (; i > 0 && override_cmp(x->in, o, &cfg->override[i - 1]) < 0; i--)
		cfg->override[i] = cfg->override[i - 1];
	cfg->override[i] = *o;
	cfg->n++;
}

/* LA-43. */
static struct fleet_config config_of(const struct fleet_ctx *x, const struct ec2_node_class *nc,
				     const struct template *t, rsetid reqs)
{
	struct fleet_config cfg = {.template_name = t->ami};
	uint32_t max = 0;

	for (uint32_t i = 0; i < t->n; i++)
		max += t->v[i]->n;
	cfg.override = ARENA_ARRAY(x->arena, struct fleet_override, max);
	for (uint32_t i = 0; i < t->n; i++)
		for (uint32_t k = 0; k < t->v[i]->n; k++) {
			const struct offering *o = t->v[i]->offering[k];
			struct fleet_override ov = {
				.type = t->v[i]->type->name,
				.subnet = subnet_of(nc, o->zone),
				.ami = t->ami,
				.zone = o->zone,
				.reservation = o->reservation,
				.priority = o->price,
			};

			if (fleet_usable(x, o, reqs) && ov.subnet != SID_NONE &&
			    (t->reservation == SID_NONE || o->reservation == t->reservation))
				add_override(x, &cfg, &ov);
		}
	return cfg;
}

/* By image, then by overrides. */
static bool config_before(const struct intern *in, const struct fleet_config *a, const struct fleet_config *b)
{
	int c = intern_cmp(in, a->template_name, b->template_name);

	for (uint32_t i = 0; !c && i < a->n && i < b->n; i++)
		c = override_cmp(in, &a->override[i], &b->override[i]);
	return c ? c < 0 : a->n < b->n;
}

static void add_configs(const struct fleet_ctx *x, const struct ec2_node_class *nc,
			const struct templates *ts, struct fleet *f)
{
	reqid type = req_in1(x->rp, req_key(x->rp, LBL_CAPACITY_TYPE), f->capacity_type);
	rsetid reqs = rset_replace(x->rp, x->reqs, type);

	f->config = ARENA_ARRAY(x->arena, struct fleet_config, ts->v.n);
	for (uint32_t i = 0; i < ts->v.n; i++) {
		struct fleet_config cfg = config_of(x, nc, &ts->v.v[i], reqs);
		uint32_t k = f->nconfig;

		if (cfg.n == 0)
			continue;
		for (; k > 0 && config_before(x->in, &cfg, &f->config[k - 1]); k--)
			f->config[k] = f->config[k - 1];
		f->config[k] = cfg;
		f->nconfig++;
	}
}

/* -- the request -- */

/* LA-20: reserved, else spot, where some type has it; else on-demand. */
static sid capacity_type_of(const struct fleet_ctx *x)
{
	static const sid wanted[] = {CAP_RESERVED, CAP_SPOT};
	keyid key = req_key(x->rp, LBL_CAPACITY_TYPE);

	for (unsigned w = 0; w < 2; w++) {
		if (!fleet_admits(x, wanted[w]))
			continue;
		rsetid reqs = rset_replace(x->rp, x->reqs, req_in1(x->rp, key, wanted[w]));

		for (uint32_t i = 0; i < x->n; i++)
			for (uint32_t k = 0; k < x->v[i].n; k++)
				if (fleet_usable(x, x->v[i].offering[k], reqs))
					return wanted[w];
	}
	return CAP_ON_DEMAND;
}

static void set_strategy(const struct fleet_ctx *x, struct fleet *f)
{
	bool overlaid = labels_get(&x->claim->annotations, ANN_PRICE_OVERLAY) != SID_NONE;
	sid type = SID_EMPTY, interruptible = SID_EMPTY;

	f->default_target = "on-demand";
	if (f->capacity_type == CAP_SPOT) {
		f->default_target = "spot";
		f->spot_strategy = overlaid ? "capacity-optimized-prioritized" : "price-capacity-optimized";
		return;
	}
	for (uint32_t i = 0; f->capacity_type == CAP_RESERVED && type == SID_EMPTY && i < x->n; i++)
		for (uint32_t k = 0; k < x->v[i].n && type == SID_EMPTY; k++) {
			type = fleet_offering_label(x, x->v[i].offering[k], LBL_CR_TYPE);
			interruptible = fleet_offering_label(x, x->v[i].offering[k], LBL_CR_INTERRUPTIBLE);
		}
	if (str_is(intern_str(x->in, type), "capacity-block")) {
		f->default_target = "capacity-block";
	} else if (interruptible == STR_TRUE) {
		f->default_target = "reserved-capacity";
		f->reservation_type = "interruptible-capacity-reservation";
	} else {
		f->on_demand_strategy = overlaid ? "prioritized" : "lowest-price";
	}
}

static void set_tag(const struct fleet_ctx *x, struct labels *l, sid key, sid val)
{
	uint32_t i = l->n;

	for (uint32_t k = 0; k < l->n; k++)
		if (l->v[k].key == key) {
			l->v[k].val = val;
			return;
		}
	for (; i > 0 && intern_cmp(x->in, key, l->v[i - 1].key) < 0; i--)
		l->v[i] = l->v[i - 1];
	l->v[i] = (struct kv){key, val};
	l->n++;
}

/* LA-44. */
static struct labels tags_of(const struct fleet_ctx *x, const struct settings *s,
			     const struct ec2_node_class *nc)
{
	struct labels l = {.v = ARENA_ARRAY(x->arena, struct kv, nc->tags.n + 4)};
	const char *cluster =
		arena_printf(x->arena, "kubernetes.io/cluster/%s", intern_c(x->in, s->cluster_name));

	for (uint32_t i = 0; i < nc->tags.n; i++)
		set_tag(x, &l, nc->tags.v[i].key, nc->tags.v[i].val);
	set_tag(x, &l, intern_cstr(x->in, cluster), intern_cstr(x->in, "owned"));
	set_tag(x, &l, LBL_NODEPOOL, x->claim->pool->meta.name);
	set_tag(x, &l, intern_cstr(x->in, "eks:eks-cluster-name"), s->cluster_name);
	set_tag(x, &l, LBL_EC2NODECLASS, nc->meta.name);
	return l;
}

/* LA-5: tags that Karpenter sets itself may not be given; the keys quoted and joined, or NULL. */
static const char *restricted_tags(const struct fleet_ctx *x, const struct ec2_node_class *nc)
{
	static const char *const exact[] = {"karpenter.sh/nodepool", "eks:eks-cluster-name",
					    "karpenter.k8s.aws/ec2nodeclass", "karpenter.sh/nodeclaim"};
	static const char cluster[] = "kubernetes.io/cluster/";
	const char *out = NULL;

	for (uint32_t i = 0; i < nc->tags.n; i++) {
		struct str key = intern_str(x->in, nc->tags.v[i].key);
		bool bad = str_starts(key, cluster) && key.n > strlen(cluster);

		for (unsigned k = 0; k < sizeof(exact) / sizeof(exact[0]); k++)
			bad |= str_is(key, exact[k]);
		if (bad)
			out = arena_printf(x->arena, "%s%s\"%s\"", out ? out : "", out ? ", " : "", key.p);
	}
	return out;
}

/* Why the class cannot launch anything, whatever the claim (LA-4 to LA-6). */
static const char *class_error(const struct fleet_ctx *x, const struct ec2_node_class *nc)
{
	const struct condition *ready = conditions_find(&nc->conditions, x->in, "Ready");
	const char *tags = restricted_tags(x, nc);

	if (ready && ready->observed && nc->meta.generation && ready->observed != nc->meta.generation)
		return "NodeClassRef not ready, nodeclass status has not been reconciled against the latest "
		       "spec";
	if (tags)
		return arena_printf(x->arena,
				    "NodeClassRef not ready, tags failed validation requirements (tags=%s)",
				    tags);
	if (nc->nsubnet == 0)
		return "creating nodeclaim, resolving instance types, no subnets found";
	return NULL;
}

static const char *ami_error(const struct fleet_ctx *x, const struct ec2_node_class *nc)
{
	static const char prefix[] =
		"creating instance, creating nodeclaim, getting launch template configs, "
		"getting launch templates";
	const char *ids = "";

	if (nc->nsecurity_group == 0)
		return arena_printf(x->arena, "%s, no security groups are present in the status", prefix);
	if (nc->nami == 0)
		return arena_printf(x->arena, "%s, no amis exist given constraints", prefix);
	for (uint32_t i = 0; i < nc->nami; i++) {
		bool seen = false;

		for (uint32_t k = 0; k < i && !seen; k++)
			seen = nc->ami[k].id == nc->ami[i].id;
		if (!seen)
			ids = arena_printf(x->arena, "%s%s%s", ids, i ? " " : "",
					   intern_c(x->in, nc->ami[i].id));
	}
	return arena_printf(x->arena, "%s, no instance types satisfy requirements of amis [%s]", prefix, ids);
}

static bool has_min_values(const struct reqpool *rp, rsetid reqs)
{
	const struct rset *s = rset_get(rp, reqs);

	for (uint32_t i = 0; i < s->n; i++)
		if (req_get(rp, s->req[i])->min_values >= 0)
			return true;
	return false;
}

const struct fleet *fleet_build(struct arena *a, const struct cluster *c, const struct ec2_node_class *nc,
				const struct itype_list *types, const struct plan_claim *claim,
				const char **ret_error)
{
	struct fleet_ctx x = {
		.arena = a,
		.in = c->in,
		.rp = c->rp,
		.reqs = claim->reqs,
		.min_values = has_min_values(c->rp, claim->reqs),
		.claim = claim,
	};
	struct fleet *f = ARENA_NEW(a, struct fleet);

	*ret_error = class_error(&x, nc);
	if (*ret_error)
		return NULL;
	fleet_filter(&x, types);
	if (x.n == 0) {
		*ret_error = "creating instance, insufficient capacity, all requested instance types were "
			     "unavailable "
			     "during launch";
		return NULL;
	}
	order_by_price(&x);
	if (x.n > FLEET_MAX_TYPES)
		x.n = FLEET_MAX_TYPES;
	if (x.min_values && !c->settings.min_values_best_effort && (*ret_error = unmet_min_values(&x)))
		return NULL;
	f->capacity_type = capacity_type_of(&x);
	struct templates ts = group_types(&x, nc, f->capacity_type);

	if (ts.v.n == 0 || nc->nsecurity_group == 0) {
		*ret_error = ami_error(&x, nc);
		return NULL;
	}
	add_configs(&x, nc, &ts, f);
	if (f->nconfig == 0) {
		*ret_error = "creating instance, creating nodeclaim, getting launch template configs, no "
			     "capacity offerings "
			     "are currently available given the constraints";
		return NULL;
	}
	set_strategy(&x, f);
	sid relaxed = labels_get(&claim->annotations, ANN_MIN_VALUES_RELAXED);

	f->context = relaxed == STR_TRUE ? SID_NONE : nc->context;
	f->tags = tags_of(&x, &c->settings, nc);
	return f;
}
