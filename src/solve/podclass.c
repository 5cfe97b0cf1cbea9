#include "podclass.h"

#include <string.h>

#include "gosort.h"
#include "hash.h"

void class_table_init(struct class_table *t, struct arena *a, struct cluster *c, bool tolerate_prefer)
{
	*t = (struct class_table){
		.arena = a,
		.cluster = c,
		.tolerate_prefer = tolerate_prefer,
		.ignore_preferences = c->settings.preference_ignore,
		.host_key = req_key(c->rp, LBL_HOSTNAME),
	};
	idmap_init(&t->lanes.of, a);
	idset_init(&t->index, a);
}

uint32_t lane_of(struct class_table *t, sid name)
{
	uint32_t lane;

	if (idmap_get(&t->lanes.of, name, &lane))
		return lane;
	lane = t->lanes.name.n;
	VEC_PUSH(t->arena, &t->lanes.name, name);
	idmap_put(&t->lanes.of, name, lane);
	return lane;
}

struct hreqs hreqs_split(struct class_table *t, rsetid s)
{
	struct reqpool *p = t->cluster->rp;

	return (struct hreqs){rset_without(p, s, t->host_key), rset_find(p, s, t->host_key)};
}

rsetid reqs_of_labels(struct reqpool *p, const struct labels *l)
{
	rsetid s = RSET_EMPTY;

	for (uint32_t i = 0; i < l->n; i++)
		s = rset_add(p, s, req_in1(p, req_key(p, l->v[i].key), l->v[i].val));
	return s;
}

rsetid reqs_of_term(struct reqpool *p, const struct node_term *t)
{
	rsetid s = RSET_EMPTY;

	for (uint32_t i = 0; i < t->n; i++) {
		enum req_op op;

		/* An unknown operator is refused by pod validation; as a requirement it allows nothing. */
		if (!req_op_parse(intern_str(p->in, t->expr[i].op), &op))
			op = OP_DOES_NOT_EXIST;
		s = rset_add(
			p, s,
			req_make(p, req_key(p, t->expr[i].key), op, t->expr[i].values, t->expr[i].n, -1));
	}
	return s;
}

rsetid reqs_of_api(struct reqpool *p, const struct api_requirement *r, uint32_t n)
{
	rsetid s = RSET_EMPTY;

	for (uint32_t i = 0; i < n; i++) {
		enum req_op op;

		if (!req_op_parse(intern_str(p->in, r[i].op), &op))
			op = OP_DOES_NOT_EXIST;
		s = rset_add(p, s,
			     req_make(p, req_key(p, r[i].key), op, r[i].values, r[i].n, r[i].min_values));
	}
	return s;
}

rsetid reqs_strict(struct reqpool *p, const struct pod_spec *spec, const struct node_term *required,
		   uint32_t nrequired)
{
	rsetid s = reqs_of_labels(p, &spec->node_selector);

	return nrequired ? rset_intersect(p, s, reqs_of_term(p, &required[0])) : s;
}

static bool same_labels(const struct labels *a, const struct labels *b)
{
	return a->n == b->n && (a->n == 0 || memcmp(a->v, b->v, a->n * sizeof(*a->v)) == 0);
}

static uint64_t class_hash(sid ns, const struct labels *l, const struct pod_spec *spec,
			   const struct reslist *r)
{
	uint64_t h = hash_mix(ns, (uintptr_t)spec);

	for (uint32_t i = 0; i < l->n; i++)
		h = hash_mix(h, IDMAP_PAIR(l->v[i].key, l->v[i].val));
	for (uint32_t i = 0; i < r->n; i++)
		h = hash_mix(hash_mix(h, r->v[i].name), (uint64_t)r->v[i].v);
	return h;
}

static void set_lanes(struct class_table *t, struct pod_class *c)
{
	c->lane = ARENA_ARRAY(t->arena, uint32_t, c->requests.n);
	c->amount = ARENA_ARRAY(t->arena, qty, c->requests.n);
	for (uint32_t i = 0; i < c->requests.n; i++) {
		c->lane[c->nlane] = lane_of(t, c->requests.v[i].name);
		c->amount[c->nlane++] = c->requests.v[i].v;
	}
}

/* Host ports of the containers; init containers do not count (A7.3). */
static void set_ports(struct class_table *t, struct pod_class *c)
{
	struct host_port *port;
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->spec->ncontainer; i++)
		n += c->spec->container[i].nport;
	port = ARENA_ARRAY(t->arena, struct host_port, n);
	c->port = port;
	for (uint32_t i = 0; i < c->spec->ncontainer; i++)
		for (uint32_t j = 0; j < c->spec->container[i].nport; j++)
			port[c->nport++] = c->spec->container[i].port[j];
}

struct pod_class *class_of(struct class_table *t, const struct object_meta *meta, const struct pod_spec *spec,
			   const struct reslist *requests, bool alone)
{
	uint64_t h = alone ? hash_mix(t->classes.n, 0x616c6f6e65)
			   : class_hash(meta->ns, &meta->labels, spec, requests);
	uint32_t s = idset_first(&t->index, h);

	for (; idset_at(&t->index, s) != IDSET_FREE; s = idset_next(&t->index, s)) {
		struct pod_class *c = t->classes.v[idset_at(&t->index, s)];

		if (!alone && idset_hash_is(&t->index, s, h) && c->spec == spec && c->ns == meta->ns &&
		    !c->alone && same_labels(c->labels, &meta->labels) && reslist_eq(&c->requests, requests))
			return c;
	}
	struct pod_class *c = ARENA_NEW(t->arena, struct pod_class);

	c->id = t->classes.n;
	c->ns = meta->ns;
	c->labels = &meta->labels;
	c->spec = spec;
	c->requests = *requests;
	c->alone = alone;
	set_lanes(t, c);
	set_ports(t, c);
	VEC_PUSH(t->arena, &t->classes, c);
	idset_add(&t->index, s, h, c->id);
	return c;
}

/* The heaviest preferred term comes first; the sort is Karpenter's (A4.2: sort.Slice). */
static bool heavier(const void *x, const void *y, const void *ctx)
{
	const struct preferred_node_term *a = x, *b = y;

	(void)ctx;
	return a->weight > b->weight;
}

static void *dup_list(struct arena *a, const void *v, uint32_t n, size_t size)
{
	return arena_memdup(a, v, n, size);
}

static bool same_toleration(const struct toleration *a, const struct toleration *b)
{
	return a->key == b->key && a->op == b->op && a->value == b->value && a->effect == b->effect &&
	       a->has_seconds == b->has_seconds && a->seconds == b->seconds;
}

static uint32_t toleration_id(struct class_table *t, struct pod_variant *v)
{
	for (uint32_t i = 0; i < t->tolerations.n; i++) {
		const struct pod_variant *o = t->tolerations.v[i];
		uint32_t k = 0;

		if (o->ntoleration != v->ntoleration)
			continue;
		while (k < v->ntoleration && same_toleration(&o->toleration[k], &v->toleration[k]))
			k++;
		if (k == v->ntoleration)
			return i;
	}
	VEC_PUSH(t->arena, &t->tolerations, v);
	return t->tolerations.n - 1;
}

/* Works out the requirements of a variant whose lists are set (A4.2). */
static void settle(struct class_table *t, struct pod_class *c, struct pod_variant *v)
{
	struct reqpool *p = t->cluster->rp;
	rsetid strict = reqs_strict(p, c->spec, v->required, v->nrequired), reqs = strict;

	if (!t->ignore_preferences && v->npreferred) {
		rsetid first;

		GOSORT(v->preferred, v->npreferred, heavier, NULL);
		first = reqs_of_term(p, &v->preferred[0].term);
		/* The node selector comes first, then the preferred term, then the required one; intersecting
		 * commutes. */
		reqs = rset_intersect(p, strict, first);
	}
	v->strict = hreqs_split(t, strict);
	v->reqs = hreqs_split(t, reqs);
	v->tol_id = toleration_id(t, v);
	v->run = UINT32_MAX;
}

static struct pod_variant *first_variant(struct class_table *t, struct pod_class *c)
{
	const struct pod_spec *s = c->spec;
	struct pod_variant *v = ARENA_NEW(t->arena, struct pod_variant);

	v->ntoleration = s->ntoleration;
	v->toleration = s->toleration;
	v->nrequired = s->nrequired;
	v->required = s->required;
	v->npreferred = s->npreferred;
	v->preferred = dup_list(t->arena, s->preferred, s->npreferred, sizeof(*s->preferred));
	v->naffinity = s->affinity_preferred.n;
	v->affinity =
		dup_list(t->arena, s->affinity_preferred.v, s->affinity_preferred.n, sizeof(*v->affinity));
	v->nanti = s->anti_preferred.n;
	v->anti = dup_list(t->arena, s->anti_preferred.v, s->anti_preferred.n, sizeof(*v->anti));
	v->nspread = s->nspread;
	v->spread = s->spread;
	settle(t, c, v);
	return v;
}

/* Drops the heaviest of the terms, keeping the others in stable descending order of weight. */
static void drop_heaviest(struct arena *a, struct affinity_term **v, uint32_t *n)
{
	struct affinity_term *out = dup_list(a, *v, *n, sizeof(*out));

	for (uint32_t i = 1; i < *n; i++) {
		struct affinity_term t = out[i];
		uint32_t j = i;

		for (; j && out[j - 1].weight < t.weight; j--)
			out[j] = out[j - 1];
		out[j] = t;
	}
	*v = out + 1;
	(*n)--;
}

static void drop_preferred_node_term(struct arena *a, struct pod_variant *v)
{
	struct preferred_node_term *out = dup_list(a, v->preferred, v->npreferred, sizeof(*out));

	for (uint32_t i = 1; i < v->npreferred; i++) {
		struct preferred_node_term t = out[i];
		uint32_t j = i;

		for (; j && out[j - 1].weight < t.weight; j--)
			out[j] = out[j - 1];
		out[j] = t;
	}
	v->preferred = out + 1;
	v->npreferred--;
}

static bool drop_spread(struct arena *a, struct pod_variant *v)
{
	for (uint32_t i = 0; i < v->nspread; i++) {
		if (!v->spread[i].schedule_anyway)
			continue;
		v->spread = dup_list(a, v->spread, v->nspread, sizeof(*v->spread));
		v->spread[i] = v->spread[--v->nspread];
		return true;
	}
	return false;
}

static bool tolerate_preference(struct arena *a, struct pod_variant *v)
{
	struct toleration extra = {.op = STR_EXISTS, .effect = EFFECT_PREFER_NO_SCHEDULE};
	struct toleration *out;

	for (uint32_t i = 0; i < v->ntoleration; i++) {
		const struct toleration *t = &v->toleration[i];

		if (t->key == extra.key && t->op == extra.op && t->value == extra.value &&
		    t->effect == extra.effect)
			return false;
	}
	out = ARENA_ARRAY(a, struct toleration, v->ntoleration + 1);
	if (v->ntoleration)
		memcpy(out, v->toleration, v->ntoleration * sizeof(*out));
	out[v->ntoleration++] = extra;
	v->toleration = out;
	return true;
}

/* One step of A11.2 on a copy; false when no step applies. */
static bool relax(struct class_table *t, struct pod_variant *v)
{
	struct arena *a = t->arena;

	if (v->nrequired > 1) {
		v->required++;
		v->nrequired--;
	} else if (v->naffinity) {
		drop_heaviest(a, &v->affinity, &v->naffinity);
	} else if (v->nanti) {
		drop_heaviest(a, &v->anti, &v->nanti);
	} else if (v->npreferred) {
		drop_preferred_node_term(a, v);
	} else if (drop_spread(a, v)) {
		return true;
	} else {
		return t->tolerate_prefer && tolerate_preference(a, v);
	}
	return true;
}

struct pod_variant *class_variant(struct class_table *t, struct pod_class *c, uint32_t i)
{
	if (!c->variants.n)
		VEC_PUSH(t->arena, &c->variants, first_variant(t, c));
	while (i >= c->variants.n && !c->complete) {
		struct pod_variant *v = ARENA_NEW(t->arena, struct pod_variant);

		*v = *c->variants.v[c->variants.n - 1];
		v->r = NULL;
		if (relax(t, v)) {
			settle(t, c, v);
			VEC_PUSH(t->arena, &c->variants, v);
		} else {
			c->complete = true;
		}
	}
	return i < c->variants.n ? c->variants.v[i] : NULL;
}
