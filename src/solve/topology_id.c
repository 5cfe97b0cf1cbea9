#include "topology_id.h"

static void sort_ids(sid *v, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		sid x = v[i];
		uint32_t j = i;

		for (; j && v[j - 1] > x; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
}

/* Sorted; keep: how many of equal members stay (1: a set; 0: pairs cancel out). */
static uint32_t reduce(sid *v, uint32_t n, bool cancel)
{
	uint32_t out = 0;

	sort_ids(v, n);
	for (uint32_t i = 0; i < n;) {
		uint32_t j = i;

		while (j < n && v[j] == v[i])
			j++;
		if (!cancel || (j - i) % 2)
			v[out++] = v[i];
		i = j;
	}
	return out;
}

static void filter_of(struct node_filter *f, struct class_table *t, struct arena *a,
		      const struct pod_class *c, const struct pod_variant *v,
		      const struct spread_constraint *tsc)
{
	struct reqpool *p = t->cluster->rp;
	rsetid selector = reqs_of_labels(p, &c->spec->node_selector);

	*f = (struct node_filter){.active = true,
				  .honor_affinity = tsc->honor_affinity,
				  .honor_taints = tsc->honor_taints,
				  .ntoleration = v->ntoleration,
				  .toleration = v->toleration};
	if (!c->spec->has_required_terms) {
		f->n = 1;
		f->reqs = ARENA_NEW(a, struct hreqs);
		f->reqs[0] = hreqs_split(t, selector);
		return;
	}
	f->n = v->nrequired;
	f->reqs = ARENA_ARRAY(a, struct hreqs, f->n);
	for (uint32_t i = 0; i < f->n; i++)
		f->reqs[i] = hreqs_split(t, rset_intersect(p, selector, reqs_of_term(p, &v->required[i])));
}

void topology_spec_spread(struct topology_spec *s, struct class_table *t, struct arena *a,
			  const struct pod_class *c, const struct pod_variant *v,
			  const struct spread_constraint *tsc)
{
	*s = (struct topology_spec){.type = GROUP_SPREAD,
				    .key = tsc->topology_key,
				    .nns = 1,
				    .ns = ARENA_NEW(a, sid),
				    .selector = &tsc->selector,
				    .max_skew = tsc->max_skew,
				    .min_domains = tsc->min_domains};
	s->ns[0] = c->ns;
	s->extra = ARENA_ARRAY(a, struct kv, tsc->nmatch_keys);
	for (uint32_t i = 0; i < tsc->nmatch_keys; i++) {
		sid value = labels_get(c->labels, tsc->match_keys[i]);

		if (value != SID_NONE)
			s->extra[s->nextra++] = (struct kv){tsc->match_keys[i], value};
	}
	filter_of(&s->filter, t, a, c, v, tsc);
}

void topology_spec_affinity(struct topology_spec *s, const struct cluster *c, struct arena *a, sid ns,
			    enum group_type type, const struct affinity_term *term)
{
	*s = (struct topology_spec){.type = type,
				    .key = term->topology_key,
				    .selector = &term->selector,
				    .max_skew = INT32_MAX,
				    .min_domains = -1};
	s->ns = ARENA_ARRAY(a, sid, (size_t)term->nns + c->namespaces.n + 1);
	if (!term->nns && !term->ns_selector.present) {
		s->ns[s->nns++] = ns;
		return;
	}
	for (uint32_t i = 0; i < term->nns; i++)
		s->ns[s->nns++] = term->ns[i];
	for (uint32_t i = 0; term->ns_selector.present && i < c->namespaces.n; i++)
		if (selector_matches(c->in, &term->ns_selector, &c->namespaces.v[i].meta.labels, false))
			s->ns[s->nns++] = c->namespaces.v[i].meta.name;
	s->nns = reduce(s->ns, s->nns, false);
}

/* --- identity: numbers in a row, interned as text --- */

static void put(struct buf *b, uint64_t x)
{
	buf_addf(b, "%llx,", (unsigned long long)x);
}

static sid taken(struct class_table *t, struct buf *b)
{
	sid id = intern_put(t->cluster->in, (struct str){buf_cstr(b), b->n});

	buf_clear(b);
	return id;
}

static sid expr_id(struct class_table *t, struct arena *a, struct buf *b, const struct match_expr *e)
{
	sid *v = arena_memdup(a, e->values, e->n, sizeof(*v));
	uint32_t n = reduce(v, e->n, true);

	put(b, e->key);
	put(b, e->op);
	for (uint32_t i = 0; i < n; i++)
		put(b, v[i]);
	return taken(t, b);
}

static sid selector_id(struct class_table *t, struct arena *a, struct buf *b, const struct topology_spec *s)
{
	const struct label_selector *l = s->selector;
	sid *expr = ARENA_ARRAY(a, sid, l->n + s->nextra), in = intern_cstr(t->cluster->in, "In");
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->n; i++)
		expr[n++] = expr_id(t, a, b, &l->expr[i]);
	for (uint32_t i = 0; i < s->nextra; i++) {
		struct match_expr e = {s->extra[i].key, in, 1, &s->extra[i].val};

		expr[n++] = expr_id(t, a, b, &e);
	}
	n = reduce(expr, n, false);
	put(b, l->present);
	for (uint32_t i = 0; i < l->match.n; i++) {
		put(b, l->match.v[i].key);
		put(b, l->match.v[i].val);
	}
	buf_addch(b, '|');
	for (uint32_t i = 0; i < n; i++)
		put(b, expr[i]);
	return taken(t, b);
}

/* Only the keys of each requirement count. */
static sid reqs_id(struct class_table *t, struct buf *b, const struct hreqs *r)
{
	struct reqpool *p = t->cluster->rp;
	const struct rset *set = rset_get(p, r->set);

	for (uint32_t i = 0; i < set->n; i++)
		put(b, req_get(p, set->req[i])->key);
	put(b, r->host != REQ_NONE);
	return taken(t, b);
}

static sid filter_id(struct class_table *t, struct arena *a, struct buf *b, const struct node_filter *f)
{
	sid *tol = ARENA_ARRAY(a, sid, f->ntoleration), *reqs = ARENA_ARRAY(a, sid, f->n);
	uint32_t ntol, nreqs;

	for (uint32_t i = 0; i < f->ntoleration; i++) {
		put(b, f->toleration[i].key);
		put(b, f->toleration[i].op);
		put(b, f->toleration[i].value);
		put(b, f->toleration[i].effect);
		put(b, (uint64_t)f->toleration[i].seconds);
		tol[i] = taken(t, b);
	}
	for (uint32_t i = 0; i < f->n; i++)
		reqs[i] = reqs_id(t, b, &f->reqs[i]);
	ntol = reduce(tol, f->ntoleration, true);
	nreqs = reduce(reqs, f->n, true);
	put(b, (unsigned)f->active | (unsigned)f->honor_affinity << 1 | (unsigned)f->honor_taints << 2);
	for (uint32_t i = 0; i < ntol; i++)
		put(b, tol[i]);
	buf_addch(b, '|');
	for (uint32_t i = 0; i < nreqs; i++)
		put(b, reqs[i]);
	return taken(t, b);
}

sid topology_spec_id(struct class_table *t, struct arena *a, const struct topology_spec *s)
{
	struct buf b;
	sid selector, filter, id;

	buf_init(&b);
	selector = selector_id(t, a, &b, s);
	filter = filter_id(t, a, &b, &s->filter);
	put(&b, (uint64_t)s->type);
	put(&b, s->key);
	put(&b, (uint64_t)(uint32_t)s->max_skew);
	put(&b, selector);
	put(&b, filter);
	for (uint32_t i = 0; i < s->nns; i++)
		put(&b, s->ns[i]);
	id = taken(t, &b);
	buf_release(&b);
	return id;
}
