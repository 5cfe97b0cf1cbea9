#include <string.h>

#include "hash.h"
#include "label.h"
#include "require.h"

static rsetid cons(struct reqpool *p, const reqid *reqs, uint32_t n)
{
	uint64_t h = n;

	for (uint32_t i = 0; i < n; i++)
		h = hash_mix(h, reqs[i]);
	uint32_t s = idset_first(&p->set_of, h);

	for (; idset_at(&p->set_of, s) != IDSET_FREE; s = idset_next(&p->set_of, s)) {
		const struct rset *set = &p->sets.v[idset_at(&p->set_of, s)];

		if (idset_hash_is(&p->set_of, s, h) && set->n == n &&
		    (n == 0 || memcmp(set->req, reqs, n * sizeof(*reqs)) == 0))
			return idset_at(&p->set_of, s);
	}
	struct rset set = {n, arena_memdup(p->arena, reqs, n, sizeof(*reqs))};

	VEC_PUSH(p->arena, &p->sets, set);
	idset_add(&p->set_of, s, h, p->sets.n - 1);
	return p->sets.n - 1;
}

rsetid rset_of(struct reqpool *p, const reqid *reqs, uint32_t n)
{
	reqid few[64], *v = few;
	uint32_t m = 0;

	if (n == 0)
		return p->sets.n ? RSET_EMPTY : cons(p, reqs, 0);
	if (n > sizeof(few) / sizeof(few[0]))
		v = ARENA_ARRAY(p->arena, reqid, n);
	for (uint32_t i = 0; i < n; i++) {
		keyid k = req_get(p, reqs[i])->key;
		uint32_t at = m;

		while (at > 0 && req_get(p, v[at - 1])->key > k)
			at--;
		if (at > 0 && req_get(p, v[at - 1])->key == k) {
			v[at - 1] = req_intersect(p, reqs[i], v[at - 1]);
			continue;
		}
		memmove(v + at + 1, v + at, (m++ - at) * sizeof(*v));
		v[at] = reqs[i];
	}
	return cons(p, v, m);
}

/* The position of a key in a set, or where it would be. */
static uint32_t position(const struct reqpool *p, const struct rset *s, keyid k)
{
	uint32_t lo = 0, hi = s->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (req_get(p, s->req[mid])->key < k)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

reqid rset_find(const struct reqpool *p, rsetid s, keyid k)
{
	const struct rset *set = rset_get(p, s);
	uint32_t i = position(p, set, k);

	return i < set->n && req_get(p, set->req[i])->key == k ? set->req[i] : REQ_NONE;
}

/* A copy with r at place i, instead of what is there or before it. */
static rsetid with(struct reqpool *p, const struct rset *set, uint32_t i, bool instead, reqid r)
{
	struct arena_mark mark = arena_mark(p->arena);
	uint32_t n = set->n + !instead, before = p->sets.n;
	reqid *reqs = ARENA_ARRAY(p->arena, reqid, n);

	if (i)
		memcpy(reqs, set->req, i * sizeof(*reqs));
	reqs[i] = r;
	if (n > i + 1)
		memcpy(reqs + i + 1, set->req + i + instead, (n - i - 1) * sizeof(*reqs));
	rsetid id = cons(p, reqs, n);

	if (p->sets.n == before)
		arena_rewind(p->arena, mark);
	return id;
}

rsetid rset_replace(struct reqpool *p, rsetid s, reqid r)
{
	struct rset set = *rset_get(p, s);
	keyid k = req_get(p, r)->key;
	uint32_t i = position(p, &set, k);
	bool there = i < set.n && req_get(p, set.req[i])->key == k;

	return there && set.req[i] == r ? s : with(p, &set, i, there, r);
}

rsetid rset_add(struct reqpool *p, rsetid s, reqid r)
{
	reqid old = rset_find(p, s, req_get(p, r)->key);

	return rset_replace(p, s, old == REQ_NONE ? r : req_intersect(p, r, old));
}

rsetid rset_without(struct reqpool *p, rsetid s, keyid k)
{
	struct rset set = *rset_get(p, s);
	rsetid out = RSET_EMPTY;

	if (rset_find(p, s, k) == REQ_NONE)
		return s;
	for (uint32_t i = 0; i < set.n; i++)
		if (req_get(p, set.req[i])->key != k)
			out = rset_replace(p, out, set.req[i]);
	return out;
}

rsetid rset_intersect(struct reqpool *p, rsetid a, rsetid b)
{
	uint32_t id;

	if (a == b || b == RSET_EMPTY)
		return a;
	if (a == RSET_EMPTY)
		return b;
	if (a > b) {
		rsetid t = a;

		a = b;
		b = t;
	}
	if (idmap_get(&p->set_and, IDMAP_PAIR(a, b), &id))
		return id;
	struct rset set = *rset_get(p, b);

	id = a;
	for (uint32_t i = 0; i < set.n; i++)
		id = rset_add(p, id, set.req[i]);
	idmap_put(&p->set_and, IDMAP_PAIR(a, b), id);
	return id;
}

/* Operators that do not ask for the label to be there. */
static bool negative(const struct reqpool *p, reqid r)
{
	enum req_op op = req_operator(p, r);

	return op == OP_NOT_IN || op == OP_DOES_NOT_EXIST;
}

/* A6.8 for one key present on both sides. */
static bool clash(const struct reqpool *p, reqid existing, reqid incoming)
{
	return !req_has_intersection(p, existing, incoming) &&
	       !(negative(p, existing) && negative(p, incoming));
}

bool rset_intersects(struct reqpool *p, rsetid receiver, rsetid incoming)
{
	const struct rset *a, *b;
	uint32_t ok;

	if (receiver > incoming) {
		rsetid t = receiver;

		receiver = incoming;
		incoming = t;
	}
	if (receiver == RSET_EMPTY)
		return true;
	if (idmap_get(&p->set_overlap, IDMAP_PAIR(receiver, incoming), &ok))
		return ok;
	a = rset_get(p, receiver);
	b = rset_get(p, incoming);
	ok = true;
	for (uint32_t i = 0, j = 0; ok && i < a->n && j < b->n;) {
		keyid ka = req_get(p, a->req[i])->key, kb = req_get(p, b->req[j])->key;

		if (ka == kb)
			ok = !clash(p, a->req[i], b->req[j]);
		i += ka <= kb;
		j += kb <= ka;
	}
	idmap_put(&p->set_overlap, IDMAP_PAIR(receiver, incoming), ok);
	return ok;
}

/* A key that must be defined by the receiver and is not. */
static bool undefined(const struct reqpool *p, rsetid receiver, reqid incoming, bool allow_known)
{
	keyid k = req_get(p, incoming)->key;

	return !(allow_known && req_key_well_known(p, k)) && rset_find(p, receiver, k) == REQ_NONE &&
	       !negative(p, incoming);
}

bool rset_compatible(struct reqpool *p, rsetid receiver, rsetid incoming, bool allow_known)
{
	struct idmap *memo = allow_known ? &p->set_compat_known : &p->set_compat;
	const struct rset *set = rset_get(p, incoming);
	uint32_t ok = true;

	if (incoming == RSET_EMPTY)
		return true;
	if (idmap_get(memo, IDMAP_PAIR(receiver, incoming), &ok))
		return ok;
	for (uint32_t i = 0; ok && i < set->n; i++)
		ok = !undefined(p, receiver, set->req[i], allow_known);
	ok = ok && rset_intersects(p, receiver, incoming);
	idmap_put(memo, IDMAP_PAIR(receiver, incoming), ok);
	return ok;
}

uint32_t *rset_by_name(const struct reqpool *p, rsetid s, struct arena *a)
{
	const struct rset *set = rset_get(p, s);
	uint32_t *order = ARENA_ARRAY(a, uint32_t, set->n);

	/* Insertion sort: sets are small and this is for printing. */
	for (uint32_t i = 0; i < set->n; i++) {
		uint32_t j = i;
		sid name = req_key_name(p, req_get(p, set->req[i])->key);

		for (; j &&
		       intern_cmp(p->in, req_key_name(p, req_get(p, set->req[order[j - 1]])->key), name) > 0;
		     j--)
			order[j] = order[j - 1];
		order[j] = i;
	}
	return order;
}

/* A6.10: the smallest label that the key may have been meant for. */
static void print_hint(struct reqpool *p, struct buf *out, rsetid receiver, keyid key, bool allow_known)
{
	struct str name = intern_str(p->in, req_key_name(p, key));
	const char *slash = memchr(name.p, '/', name.n);
	struct str suffix = slash ? (struct str){slash + 1, (size_t)(name.p + name.n - slash - 1)} : name;

	for (int known = 1; known >= 0; known--) {
		sid best = SID_NONE;

		for (keyid k = 0; k < p->keys.n; k++) {
			bool candidate = known ? allow_known && req_key_well_known(p, k)
					       : rset_find(p, receiver, k) != REQ_NONE;
			struct str text = intern_str(p->in, req_key_name(p, k));

			if (!candidate)
				continue;
			if (memmem(text.p, text.n, name.p, name.n) == NULL &&
			    !(text.n >= suffix.n &&
			      memcmp(text.p + text.n - suffix.n, suffix.p, suffix.n) == 0))
				continue;
			if (best == SID_NONE || intern_cmp(p->in, req_key_name(p, k), best) < 0)
				best = req_key_name(p, k);
		}
		if (best != SID_NONE) {
			buf_addf(out, " (typo of \"%s\"?)", intern_c(p->in, best));
			return;
		}
	}
}

void rset_explain(struct reqpool *p, struct buf *out, rsetid receiver, rsetid incoming, bool allow_known)
{
	struct arena_mark mark = arena_mark(p->arena);
	uint32_t *order = rset_by_name(p, incoming, p->arena);
	const struct rset *set = rset_get(p, incoming);
	bool first = true;

	for (uint32_t i = 0; i < set->n; i++) {
		reqid r = set->req[order[i]];

		if (undefined(p, receiver, r, allow_known)) {
			buf_addf(out, "label \"%s\" does not have known values",
				 intern_c(p->in, req_key_name(p, req_get(p, r)->key)));
			print_hint(p, out, receiver, req_get(p, r)->key, allow_known);
			arena_rewind(p->arena, mark);
			return;
		}
	}
	for (uint32_t i = 0; i < set->n; i++) {
		reqid r = set->req[order[i]];
		reqid existing = rset_find(p, receiver, req_get(p, r)->key);

		if (existing == REQ_NONE || !clash(p, existing, r))
			continue;
		buf_addf(out, "%skey %s, ", first ? "" : "; ",
			 intern_c(p->in, req_key_name(p, req_get(p, r)->key)));
		req_print(p, out, r);
		buf_adds(out, " not in ");
		req_print(p, out, existing);
		first = false;
	}
	arena_rewind(p->arena, mark);
}

sid req_any(struct reqpool *p, reqid r)
{
	const struct req *q = req_get(p, r);
	struct arena_mark mark = arena_mark(p->arena);
	uint32_t n;
	sid out;

	if (!q->complement) {
		sid *v = req_values(p, r, p->arena, &n);

		out = n ? v[0] : SID_EMPTY;
		arena_rewind(p->arena, mark);
		return out;
	}
	char text[24];
	struct buf b;

	buf_init(&b);
	buf_addf(&b, "%lld", (long long)(q->has_gte ? q->gte : 0));
	memcpy(text, b.p, b.n + 1);
	buf_release(&b);
	return intern_cstr(p->in, text);
}

void req_print(const struct reqpool *p, struct buf *out, reqid r)
{
	const struct req *q = req_get(p, r);
	struct arena_mark mark = arena_mark(p->arena);
	uint32_t n;
	sid *v = req_values(p, r, p->arena, &n);

	buf_addf(out, "%s %s", intern_c(p->in, req_key_name(p, q->key)), req_op_name(req_operator(p, r)));
	for (uint32_t i = 0; i < n && i < 5; i++)
		buf_addf(out, "%s%s", i ? " " : " [", intern_c(p->in, v[i]));
	if (n > 5)
		buf_addf(out, " and %u others", n - 5);
	if (n)
		buf_addch(out, ']');
	if (q->has_gte)
		buf_addf(out, " >=%lld", (long long)q->gte);
	if (q->has_lte)
		buf_addf(out, " <=%lld", (long long)q->lte);
	if (q->min_values >= 0)
		buf_addf(out, " minValues %d", q->min_values);
	arena_rewind(p->arena, mark);
}

void rset_print(struct reqpool *p, struct buf *out, rsetid s)
{
	struct arena_mark mark = arena_mark(p->arena);
	uint32_t *order = rset_by_name(p, s, p->arena);
	const struct rset *set = rset_get(p, s);
	bool first = true;

	for (uint32_t i = 0; i < set->n; i++) {
		reqid r = set->req[order[i]];

		if (req_key_name(p, req_get(p, r)->key) == LBL_HOSTNAME)
			continue;
		if (!first)
			buf_adds(out, ", ");
		req_print(p, out, r);
		first = false;
	}
	arena_rewind(p->arena, mark);
}
