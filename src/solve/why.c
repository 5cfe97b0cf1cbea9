#include "why_impl.h"

#include <inttypes.h>

/* --- writing --- */

static const char *take(struct arena *a, struct buf *b)
{
	const char *text = b->n ? arena_strndup(a, b->p, b->n) : NULL;

	buf_clear(b);
	return text;
}

struct why_obstacle *why_add(struct why_try *w, enum why_code code, sid subject)
{
	struct why_obstacle *o = VEC_ADD(w->a, &w->out.v);

	*o = (struct why_obstacle){.code = code, .subject = subject};
	o->message = take(w->a, &w->message);
	o->enough = take(w->a, &w->enough);
	return o;
}

struct buf *why_or(struct why_try *w)
{
	if (w->enough.n)
		buf_adds(&w->enough, ", or ");
	return &w->enough;
}

rsetid why_asks(struct why_try *w)
{
	struct reqpool *p = w->r->s->c->rp;

	return rset_intersect(p, rset_intersect(p, w->pod, w->volume), w->topology);
}

rsetid why_reqs(struct why_try *w)
{
	return rset_intersect(w->r->s->c->rp, w->m->reqs, why_asks(w));
}

bool why_meet(struct why_try *w, rsetid node, reqid r)
{
	struct reqpool *p = w->r->s->c->rp;

	return rset_compatible(p, node, rset_of(p, &r, 1), true);
}

void why_values(struct why_try *w, struct buf *out, reqid r)
{
	enum { SHOWN = 4 };
	const struct reqpool *p = w->r->s->c->rp;
	uint32_t n;
	sid *v;

	if (req_operator(p, r) != OP_IN) {
		req_print(p, out, r);
		return;
	}
	v = req_values(p, r, w->a, &n);
	for (uint32_t i = 0; i < n && i < SHOWN; i++)
		buf_addf(out, "%s%s", i == 0 ? "" : i + 1 == n ? " or " : ", ", intern_c(p->in, v[i]));
	if (n > SHOWN)
		buf_addf(out, " or one of %" PRIu32 " more", n - SHOWN);
}

void why_sans_key(struct why_try *w, struct buf *out, reqid r)
{
	const struct reqpool *p = w->r->s->c->rp;
	size_t key = intern_str(p->in, req_key_name(p, req_get(p, r)->key)).n + 1;
	struct buf b;

	buf_init(&b);
	req_print(p, &b, r);
	buf_adds(out, b.n > key ? b.p + key : "");
	buf_release(&b);
}

static qty round_to(qty v, qty unit, bool up)
{
	qty rest = v % unit;

	if (rest < 0)
		rest += unit;
	return rest ? v - rest + (up ? unit : 0) : v;
}

bool why_is_bytes(const struct intern *in, sid resource)
{
	return resource == RES_MEMORY || resource == RES_EPHEMERAL ||
	       str_starts(intern_str(in, resource), "hugepages-");
}

void why_amount(const struct intern *in, struct buf *out, sid resource, qty v, bool up)
{
	const qty mi = qty_of(1048576), gi = mi * 1024;
	qty size = v < 0 ? -v : v;

	if (v == 0)
		buf_addch(out, '0');
	else if (!why_is_bytes(in, resource))
		buf_addf(out, "%.10g",
			 quantity_double(
				 round_to(v, size < qty_of(10) ? QTY_MILLI * 10 : QTY_MILLI * 100, up)));
	else if (size >= gi)
		buf_addf(out, "%.10gGi", quantity_double(round_to(v * 10, gi, up)) / 10 / 1073741824);
	else
		buf_addf(out, "%.10gMi", quantity_double(round_to(v, mi, up)) / 1048576);
}

/* --- taints and requirements --- */

static void taints(struct why_try *w)
{
	const struct intern *in = w->r->s->c->in;
	const struct taints *t = &w->m->pool->taints;

	for (uint32_t i = 0; i < t->n; i++) {
		struct taints one = {1, &t->v[i]};

		if (tolerates_all(in, w->v->toleration, w->v->ntoleration, &one))
			continue;
		buf_adds(&w->message, "taint ");
		taint_print(in, &w->message, &t->v[i]);
		buf_adds(&w->message, " is not tolerated");
		buf_adds(why_or(w), "tolerate ");
		taint_print(in, &w->enough, &t->v[i]);
		why_add(w, WHY_TAINT, t->v[i].key);
	}
}

/* A label that the NodePool would have to put on its nodes. */
static void undefined(struct why_try *w, reqid r)
{
	const struct reqpool *p = w->r->s->c->rp;
	sid key = req_key_name(p, req_get(p, r)->key);

	buf_adds(&w->message, "the pod needs ");
	req_print(p, &w->message, r);
	buf_adds(&w->message, ", a label that nodes of the NodePool do not get");
	if (req_operator(p, r) == OP_IN) {
		buf_addf(why_or(w), "give the NodePool's template the label %s: ", intern_c(p->in, key));
		why_values(w, &w->enough, r);
	} else {
		buf_addf(why_or(w), "give the NodePool's template the label %s", intern_c(p->in, key));
	}
	why_add(w, WHY_LABEL, key);
}

void why_allow(struct why_try *w, reqid r)
{
	struct reqpool *p = w->r->s->c->rp;
	keyid key = req_get(p, r)->key;
	sid name = req_key_name(p, key);
	rsetid node = rset_intersect(p, rset_add(p, rset_without(p, w->m->reqs, key), r), why_asks(w));

	/* What Karpenter labels nodes with by itself is not to be chosen. */
	if (labels_get(&w->m->labels, name) != SID_NONE &&
	    labels_get(&w->m->pool->template_labels, name) == SID_NONE)
		return;
	if (!why_find_type(w, node))
		return;
	if (req_operator(p, r) == OP_DOES_NOT_EXIST) {
		buf_addf(why_or(w), "take %s off the NodePool", intern_c(p->in, name));
		return;
	}
	buf_adds(why_or(w), "let the NodePool allow ");
	if (req_operator(p, r) == OP_NOT_IN) {
		uint32_t n;
		sid *v = req_values(p, r, w->a, &n);

		buf_addf(&w->enough, "a %s other than ", intern_c(p->in, name));
		why_values(w, &w->enough, req_make(p, key, OP_IN, v, n, -1));
		return;
	}
	why_values(w, &w->enough, r);
}

static void conflict(struct why_try *w, reqid wanted, reqid has)
{
	const struct reqpool *p = w->r->s->c->rp;
	sid key = req_key_name(p, req_get(p, wanted)->key);

	buf_adds(&w->message, "the pod needs ");
	req_print(p, &w->message, wanted);
	buf_adds(&w->message, ", the NodePool has ");
	why_sans_key(w, &w->message, has);
	why_allow(w, wanted);
	if (req_operator(p, has) == OP_IN) {
		buf_addf(why_or(w), "let the pod have %s ", intern_c(p->in, key));
		why_values(w, &w->enough, has);
	} else {
		buf_addf(why_or(w), "ask for no %s", intern_c(p->in, key));
	}
	why_add(w, WHY_REQUIREMENT, key);
}

static void hostname(struct why_try *w, reqid host, const char *who, enum why_code code)
{
	if (host == REQ_NONE || req_allows(w->r->s->c->rp, host, w->host))
		return;
	buf_addf(&w->message, "%s needs ", who);
	req_print(w->r->s->c->rp, &w->message, host);
	buf_adds(&w->message, ", a new node has a name of its own");
	why_add(w, code, LBL_HOSTNAME);
}

static void requirements(struct why_try *w)
{
	struct reqpool *p = w->r->s->c->rp;
	rsetid all = w->v->reqs.set;
	const uint32_t *order = rset_by_name(p, all, w->a);
	uint32_t n = rset_get(p, all)->n, nbad = 0;
	reqid *bad = ARENA_ARRAY(w->a, reqid, n + 1);

	w->pod = all;
	for (uint32_t i = 0; i < n; i++) {
		reqid r = rset_get(p, all)->req[order[i]];

		if (why_meet(w, w->m->reqs, r))
			continue;
		bad[nbad++] = r;
		w->pod = rset_without(p, w->pod, req_get(p, r)->key);
	}
	for (uint32_t i = 0; i < nbad; i++) {
		reqid has = rset_find(p, w->m->reqs, req_get(p, bad[i])->key);

		if (has == REQ_NONE)
			undefined(w, bad[i]);
		else
			conflict(w, bad[i], has);
	}
	hostname(w, w->v->reqs.host, "the pod", WHY_REQUIREMENT);
}

/* --- volumes --- */

static uint32_t clashes(struct why_try *w, rsetid node, const struct hreqs *vol)
{
	struct reqpool *p = w->r->s->c->rp;
	uint32_t n = vol->host != REQ_NONE && !req_allows(p, vol->host, w->host);

	for (uint32_t i = 0; i < rset_get(p, vol->set)->n; i++)
		n += !why_meet(w, node, rset_get(p, vol->set)->req[i]);
	return n;
}

static void volume_clash(struct why_try *w, rsetid node, reqid r)
{
	struct reqpool *p = w->r->s->c->rp;
	keyid key = req_get(p, r)->key;
	reqid has = rset_find(p, node, key);

	buf_adds(&w->message, "a volume needs ");
	req_print(p, &w->message, r);
	if (has == REQ_NONE) {
		buf_adds(&w->message, ", a label that nodes of the NodePool do not get");
	} else {
		buf_adds(&w->message,
			 why_meet(w, w->m->reqs, r) ? ", the pod allows " : ", the NodePool has ");
		why_sans_key(w, &w->message, has);
	}
	if (!why_meet(w, w->m->reqs, r)) {
		why_allow(w, r);
	} else {
		buf_adds(why_or(w), "let the pod allow ");
		why_values(w, &w->enough, r);
	}
	why_add(w, WHY_VOLUME, req_key_name(p, key));
}

/* The alternative with the fewest clashes. */
static void volumes(struct why_try *w)
{
	const struct pod_volumes *vol = w->p->volumes;
	struct reqpool *p = w->r->s->c->rp;
	rsetid node = rset_intersect(p, w->m->reqs, w->pod);
	const struct hreqs *best = NULL;

	for (uint32_t i = 0; vol && i < vol->nalternative; i++)
		if (!best || clashes(w, node, &vol->alternative[i]) < clashes(w, node, best))
			best = &vol->alternative[i];
	if (!best)
		return;
	const uint32_t *order = rset_by_name(p, best->set, w->a);
	uint32_t n = rset_get(p, best->set)->n;

	for (uint32_t i = 0; i < n; i++) {
		reqid r = rset_get(p, best->set)->req[order[i]];

		if (why_meet(w, node, r))
			w->volume = rset_add(p, w->volume, r);
		else
			volume_clash(w, node, r);
	}
	hostname(w, best->host, "a volume", WHY_VOLUME);
}

/* --- NodePools --- */

static bool lost_claim(const struct why_try *w)
{
	for (uint32_t i = 0; i < w->r->claims.n; i++) {
		const struct claim *c = w->r->claims.v[i];

		for (uint32_t k = 0; c->dropped && c->m == w->m && k < c->pods.n; k++)
			if (&w->r->pod[c->pods.v[k]] == w->p)
				return true;
	}
	return false;
}

static void nothing_found(struct why_try *w)
{
	if (lost_claim(w)) {
		buf_addf(&w->message,
			 "the %" PRIu32 " cheapest instance types of its node do not meet minValues",
			 w->r->s->c->settings.max_instance_types);
		buf_adds(why_or(w), "lower minValues");
		why_add(w, WHY_MIN_VALUES, SID_NONE);
		return;
	}
	buf_adds(&w->message, w->p->reserved_error
				      ? "not tried: the pod waits for reserved capacity of another NodePool"
				      : "not tried");
	why_add(w, WHY_NOT_TRIED, SID_NONE);
}

static void hold_against(struct arena *a, struct solving *r, struct run_pod *p, struct pod_variant *v,
			 struct template *m, struct why_pool *ret)
{
	struct why_try w = {.a = a, .r = r, .p = p, .v = v, .m = m};

	w.host = intern_cstr(r->s->c->in, "hostname-placeholder");
	buf_init(&w.message);
	buf_init(&w.enough);
	taints(&w);
	requirements(&w);
	volumes(&w);
	why_topology(&w);
	why_types(&w);
	if (!w.out.v.n)
		nothing_found(&w);
	*ret = (struct why_pool){m->pool, w.out.v.n, w.out.v.v};
	buf_release(&w.message);
	buf_release(&w.enough);
}

static double gap(const struct why_obstacle *o)
{
	if (!o->has_amount || o->need <= 0)
		return 0;
	return o->have <= 0 ? 1 : 1 - quantity_double(o->have) / quantity_double(o->need);
}

/* Usable NodePools first; then fewer obstacles, a later first one, a smaller shortfall. */
static bool nearer(void *ctx, size_t i, size_t j)
{
	const struct why_pool *v = ctx, *a = &v[i], *b = &v[j];
	bool x = why_info(a->v[0].code)->of_pool, y = why_info(b->v[0].code)->of_pool;

	if (x != y)
		return y;
	if (a->n != b->n)
		return a->n < b->n;
	if (a->v[0].code != b->v[0].code)
		return a->v[0].code > b->v[0].code;
	return gap(&a->v[0]) < gap(&b->v[0]);
}

/* Insertion sort: NodePools are few, and equals stay in their order. */
static void rank(struct why_pool *v, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		for (uint32_t k = i; k && nearer(v, k, k - 1); k--) {
			struct why_pool x = v[k];

			v[k] = v[k - 1];
			v[k - 1] = x;
		}
}

const struct pod_why *why_no_pools(struct arena *a, struct snapshot *s)
{
	struct pod_why *y = ARENA_NEW(a, struct pod_why);

	y->pool = why_idle_pools(a, s, &y->n);
	rank(y->pool, y->n);
	return y;
}

void why_open(struct solving *r)
{
	/* Topology answers in the scratch of the run. */
	arena_init(&r->scratch);
	arena_alloc(&r->scratch, 1, 1);
}

void why_close(struct solving *r)
{
	arena_release(&r->scratch);
}

/* The variant, and those with other required terms, each held against the NodePool: the nearest stands. */
static void nearest_variant(struct arena *a, struct solving *r, struct run_pod *p, struct template *m,
			    struct why_pool *ret)
{
	uint32_t terms = p->class->spec->nrequired;
	struct why_pool two[2];

	hold_against(a, r, p, class_variant(&r->s->t, p->class, p->variant), m, ret);
	for (uint32_t i = 0; i + 1 < terms && i < p->variant; i++) {
		two[0] = *ret;
		hold_against(a, r, p, class_variant(&r->s->t, p->class, i), m, &two[1]);
		if (nearer(two, 1, 0))
			*ret = two[1];
	}
}

static const struct pod_why *of_pod(struct arena *a, struct solving *r, struct run_pod *p)
{
	struct pod_why *y;

	if (p->class->spec->resource_claims)
		return NULL;
	y = ARENA_NEW(a, struct pod_why);
	y->pool = why_idle_pools(a, r->s, &y->n);
	for (uint32_t i = 0; i < r->s->m.n; i++)
		nearest_variant(a, r, p, &r->s->m.v[i], &y->pool[y->n++]);
	rank(y->pool, y->n);
	return y;
}

/* Pods of one class that failed alike have one explanation. */
struct known_why {
	bool known, reserved;
	uint32_t variant, npool_error;
	const struct pod_why *why;
};

const struct pod_why *const *why_pending(struct arena *a, struct solving *r)
{
	struct known_why *known = ARENA_ARRAY(a, struct known_why, (size_t)r->s->t.classes.n + 1);
	const struct pod_why **y = ARENA_ARRAY(a, const struct pod_why *, r->npod);

	why_open(r);
	for (uint32_t i = 0; i < r->npod; i++) {
		struct run_pod *p = &r->pod[i];
		struct known_why *k = &known[p->class->id];

		if (!p->error)
			continue;
		if (!k->known || k->variant != p->variant || k->reserved != p->reserved_error ||
		    k->npool_error != p->npool_error)
			*k = (struct known_why){true, p->reserved_error, p->variant, p->npool_error,
						of_pod(a, r, p)};
		y[i] = k->why;
	}
	why_close(r);
	why_raise_limits(a, r, y);
	return y;
}
