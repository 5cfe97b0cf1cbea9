#include "require.h"

#include <string.h>

#include "bits.h"
#include "hash.h"
#include "label.h"

static const char *const op_names[] = {
	[OP_IN] = "In", [OP_NOT_IN] = "NotIn", [OP_EXISTS] = "Exists", [OP_DOES_NOT_EXIST] = "DoesNotExist",
	[OP_GT] = "Gt", [OP_LT] = "Lt",        [OP_GTE] = "Gte",       [OP_LTE] = "Lte",
};

bool req_op_parse(struct str s, enum req_op *ret_op)
{
	for (unsigned i = 0; i < OP_MAX_; i++)
		if (str_is(s, op_names[i])) {
			*ret_op = (enum req_op)i;
			return true;
		}
	return false;
}

const char *req_op_name(enum req_op op)
{
	return op_names[op];
}

void reqpool_init(struct reqpool *p, struct arena *a, struct intern *in, bool aws)
{
	*p = (struct reqpool){.arena = a, .in = in};
	idmap_init(&p->key_of, a);
	idmap_init(&p->spelled_of, a);
	idset_init(&p->req_of, a);
	idset_init(&p->set_of, a);
	idmap_init(&p->req_and, a);
	idmap_init(&p->set_and, a);
	idmap_init(&p->set_overlap, a);
	idmap_init(&p->set_compat, a);
	idmap_init(&p->set_compat_known, a);
	rsetid empty = rset_of(p, NULL, 0);

	KS_BUG_ON(empty != RSET_EMPTY);
	for (sid i = 1; i < LABEL_MAX_; i++)
		if (label_flags(i) & (aws ? LABEL_CORE | LABEL_AWS : LABEL_CORE))
			reqpool_add_well_known(p, i);
}

void reqpool_add_well_known(struct reqpool *p, sid key)
{
	keyid k = req_key(p, key);

	p->keys.v[k].well_known = true;
}

static keyid key_new(struct reqpool *p, sid name)
{
	keyid k = p->keys.n;
	struct req_key *key = VEC_ADD(p->arena, &p->keys);

	key->name = name;
	idmap_init(&key->index, p->arena);
	return k;
}

keyid req_key(struct reqpool *p, sid name)
{
	uint32_t k;

	if (idmap_get(&p->key_of, name, &k))
		return k;
	sid now = label_normalize(p->in, name);

	/* Aliases map to keys that are no aliases. */
	k = now != name ? req_key(p, now) : key_new(p, name); /* NOLINT(misc-no-recursion) */
	idmap_put(&p->key_of, name, k);
	return k;
}

keyid req_key_spelled(struct reqpool *p, sid name)
{
	uint32_t k;

	if (label_normalize(p->in, name) == name)
		return req_key(p, name);
	if (!idmap_get(&p->spelled_of, name, &k)) {
		k = key_new(p, name);
		idmap_put(&p->spelled_of, name, k);
	}
	return k;
}

/* strconv.Atoi: an optional sign and decimal digits; an integer too large for 64 bits gives the nearest one
 * and false, anything else 0 and false. */
static bool parse_int(struct str s, int64_t *ret_i)
{
	size_t i = 0;
	bool neg = false;
	int64_t v = 0;

	*ret_i = 0;
	if (s.n && (s.p[0] == '+' || s.p[0] == '-'))
		neg = s.p[i++] == '-';
	if (i == s.n)
		return false;
	for (; i < s.n; i++) {
		int digit = s.p[i] - '0';

		if (digit < 0 || digit > 9)
			return false;
		if (__builtin_mul_overflow(v, 10, &v) ||
		    (neg ? __builtin_sub_overflow(v, digit, &v) : __builtin_add_overflow(v, digit, &v))) {
			*ret_i = neg ? INT64_MIN : INT64_MAX;
			return false;
		}
	}
	*ret_i = v;
	return true;
}

uint32_t req_value(struct reqpool *p, keyid k, sid value)
{
	struct req_key *key = &p->keys.v[k];
	uint32_t n;

	if (idmap_get(&key->index, value, &n))
		return n;
	if (key->nvalues == key->cap) {
		uint32_t cap = key->cap ? key->cap * 2 : 8;
		sid *values = ARENA_ARRAY(p->arena, sid, cap);
		int64_t *number = ARENA_ARRAY(p->arena, int64_t, cap);
		bool *is_number = ARENA_ARRAY(p->arena, bool, cap);

		if (key->nvalues) {
			memcpy(values, key->value, key->nvalues * sizeof(*values));
			memcpy(number, key->number, key->nvalues * sizeof(*number));
			memcpy(is_number, key->is_number, key->nvalues * sizeof(*is_number));
		}
		key->value = values;
		key->number = number;
		key->is_number = is_number;
		key->cap = cap;
	}
	n = key->nvalues++;
	key->value[n] = value;
	key->is_number[n] = parse_int(intern_str(p->in, value), &key->number[n]);
	idmap_put(&key->index, value, n);
	return n;
}

static uint64_t req_hash(const struct req *r)
{
	uint64_t h = hash_mix(r->key, (uint64_t)r->complement | (uint64_t)r->has_gte << 1 |
					      (uint64_t)r->has_lte << 2);

	h = hash_mix(h, (uint64_t)(uint32_t)r->min_values);
	h = hash_mix(h, (uint64_t)r->gte);
	h = hash_mix(h, (uint64_t)r->lte);
	for (uint32_t i = 0; i < r->nwords; i++)
		h = hash_mix(h, r->bits[i]);
	return h;
}

static bool req_same(const struct req *a, const struct req *b)
{
	return a->key == b->key && a->complement == b->complement && a->has_gte == b->has_gte &&
	       a->has_lte == b->has_lte && a->min_values == b->min_values && a->gte == b->gte &&
	       a->lte == b->lte && a->nwords == b->nwords &&
	       (a->nwords == 0 || memcmp(a->bits, b->bits, a->nwords * sizeof(*a->bits)) == 0);
}

/* The id of a requirement; its bits are copied if it is new. */
static reqid req_cons(struct reqpool *p, struct req r)
{
	while (r.nwords && r.bits[r.nwords - 1] == 0)
		r.nwords--;
	r.nvalues = bits_count(r.bits, r.nwords);
	if (!r.has_gte)
		r.gte = 0;
	if (!r.has_lte)
		r.lte = 0;
	uint64_t h = req_hash(&r);
	uint32_t s = idset_first(&p->req_of, h);

	for (; idset_at(&p->req_of, s) != IDSET_FREE; s = idset_next(&p->req_of, s))
		if (idset_hash_is(&p->req_of, s, h) && req_same(&r, &p->reqs.v[idset_at(&p->req_of, s)]))
			return idset_at(&p->req_of, s);
	r.bits = arena_memdup(p->arena, r.bits, r.nwords, sizeof(*r.bits));
	VEC_PUSH(p->arena, &p->reqs, r);
	idset_add(&p->req_of, s, h, p->reqs.n - 1);
	return p->reqs.n - 1;
}

static int64_t bound_of(struct reqpool *p, const sid *values, uint32_t n)
{
	int64_t v = 0;

	/* Karpenter overlooks the error. */
	if (n)
		(void)parse_int(intern_str(p->in, values[0]), &v);
	return v;
}

reqid req_make(struct reqpool *p, keyid key, enum req_op op, const sid *values, uint32_t n,
	       int32_t min_values)
{
	struct req r = {.key = key, .min_values = min_values};
	uint64_t small[4] = {0}, *bits = small;
	struct arena_mark mark = arena_mark(p->arena);
	bool big = false;

	switch (op) {
	case OP_IN:
	case OP_NOT_IN:
		r.complement = op == OP_NOT_IN;
		for (uint32_t i = 0; i < n; i++)
			req_value(p, key, values[i]);
		r.nwords = BITS_WORDS(p->keys.v[key].nvalues);
		mark = arena_mark(p->arena);
		big = r.nwords > 4;
		if (big)
			bits = ARENA_ARRAY(p->arena, uint64_t, r.nwords);
		for (uint32_t i = 0; i < n; i++)
			bits_set(bits, req_value(p, key, values[i]));
		break;
	case OP_EXISTS:
		r.complement = true;
		break;
	case OP_GT:
	case OP_GTE:
		r.gte = bound_of(p, values, n);
		if (op == OP_GT && r.gte == INT64_MAX) {
			r = (struct req){.key = key, .min_values = -1};
			break;
		}
		r.gte += op == OP_GT;
		r.complement = r.has_gte = true;
		break;
	case OP_LT:
	case OP_LTE:
		r.lte = bound_of(p, values, n);
		if (op == OP_LT && r.lte == INT64_MIN) {
			r = (struct req){.key = key, .min_values = -1};
			break;
		}
		r.lte -= op == OP_LT;
		r.complement = r.has_lte = true;
		break;
	case OP_DOES_NOT_EXIST:
	case OP_MAX_:
		break;
	}
	r.bits = bits;
	uint32_t before = p->reqs.n;
	reqid id = req_cons(p, r);

	if (big && p->reqs.n == before)
		arena_rewind(p->arena, mark);
	return id;
}

reqid req_in1(struct reqpool *p, keyid key, sid value)
{
	return req_make(p, key, OP_IN, &value, 1, -1);
}

enum req_op req_operator(const struct reqpool *p, reqid r)
{
	const struct req *q = req_get(p, r);

	if (q->complement)
		return q->nvalues ? OP_NOT_IN : OP_EXISTS;
	return q->nvalues ? OP_IN : OP_DOES_NOT_EXIST;
}

struct bounds {
	bool has_gte, has_lte;
	int64_t gte, lte;
};

static struct bounds merge_bounds(const struct req *a, const struct req *b)
{
	struct bounds m = {.has_gte = a->has_gte || b->has_gte, .has_lte = a->has_lte || b->has_lte};

	if (m.has_gte)
		m.gte = !a->has_gte ? b->gte : !b->has_gte ? a->gte : a->gte > b->gte ? a->gte : b->gte;
	if (m.has_lte)
		m.lte = !a->has_lte ? b->lte : !b->has_lte ? a->lte : a->lte < b->lte ? a->lte : b->lte;
	return m;
}

static bool crossing(const struct bounds *m)
{
	return m->has_gte && m->has_lte && m->gte > m->lte;
}

static bool within(const struct req_key *key, uint32_t value, const struct bounds *m)
{
	if (!m->has_gte && !m->has_lte)
		return true;
	return key->is_number[value] && (!m->has_gte || key->number[value] >= m->gte) &&
	       (!m->has_lte || key->number[value] <= m->lte);
}

static uint64_t word_of(const struct req *r, uint32_t i)
{
	return i < r->nwords ? r->bits[i] : 0;
}

/* The members of both sides as one word: A6.4 before bounds. */
static uint64_t both_word(const struct req *a, const struct req *b, uint32_t i)
{
	uint64_t x = word_of(a, i), y = word_of(b, i);

	if (a->complement)
		return b->complement ? x | y : y & ~x;
	return b->complement ? x & ~y : x & y;
}

static reqid intersect(struct reqpool *p, const struct req *a, const struct req *b)
{
	struct bounds m = merge_bounds(a, b);
	struct req r = {
		.key = a->key,
		.complement = a->complement && b->complement,
		.min_values = a->min_values > b->min_values ? a->min_values : b->min_values,
	};
	uint64_t small[32];
	uint32_t nwords = a->nwords > b->nwords ? a->nwords : b->nwords;

	if (crossing(&m))
		return req_cons(p, (struct req){.key = a->key, .min_values = r.min_values, .bits = small});
	struct arena_mark mark = arena_mark(p->arena);
	uint64_t *bits = nwords <= 32 ? small : ARENA_ARRAY(p->arena, uint64_t, nwords);

	for (uint32_t i = 0; i < nwords; i++)
		bits[i] = both_word(a, b, i);
	if (m.has_gte || m.has_lte) {
		const struct req_key *key = &p->keys.v[a->key];

		BITS_EACH (v, bits, nwords) {
			if (!within(key, v, &m))
				bits_clear(bits, v);
		}
	}
	if (r.complement) {
		r.has_gte = m.has_gte;
		r.has_lte = m.has_lte;
		r.gte = m.gte;
		r.lte = m.lte;
	}
	r.bits = bits;
	r.nwords = nwords;
	uint32_t before = p->reqs.n;
	reqid id = req_cons(p, r);

	if (nwords > 32 && p->reqs.n == before)
		arena_rewind(p->arena, mark);
	return id;
}

reqid req_intersect(struct reqpool *p, reqid a, reqid b)
{
	uint32_t id;

	if (a == b)
		return a;
	if (a > b) {
		reqid t = a;

		a = b;
		b = t;
	}
	if (idmap_get(&p->req_and, IDMAP_PAIR(a, b), &id))
		return id;
	struct req ra = *req_get(p, a), rb = *req_get(p, b);

	KS_BUG_ON(ra.key != rb.key);
	id = intersect(p, &ra, &rb);
	idmap_put(&p->req_and, IDMAP_PAIR(a, b), id);
	return id;
}

bool req_has_intersection(const struct reqpool *p, reqid a, reqid b)
{
	const struct req *ra = req_get(p, a), *rb = req_get(p, b);
	struct bounds m = merge_bounds(ra, rb);
	uint32_t nwords = ra->nwords > rb->nwords ? ra->nwords : rb->nwords;

	if (crossing(&m))
		return false;
	if (ra->complement && rb->complement)
		return true;
	for (uint32_t i = 0; i < nwords; i++)
		for (uint64_t w = both_word(ra, rb, i); w; w &= w - 1)
			if (within(&p->keys.v[ra->key], i * 64 + (uint32_t)__builtin_ctzll(w), &m))
				return true;
	return false;
}

bool req_allows(const struct reqpool *p, reqid r, sid value)
{
	const struct req *q = req_get(p, r);
	const struct req_key *key = &p->keys.v[q->key];
	struct bounds m = {q->has_gte, q->has_lte, q->gte, q->lte};
	uint32_t n;
	int64_t number;

	if (idmap_get(&key->index, value, &n)) {
		bool member = n / 64 < q->nwords && bits_test(q->bits, n);

		return q->complement ? !member && within(key, n, &m) : member;
	}
	if (!q->complement)
		return false;
	if (!m.has_gte && !m.has_lte)
		return true;
	return parse_int(intern_str(p->in, value), &number) && (!m.has_gte || number >= m.gte) &&
	       (!m.has_lte || number <= m.lte);
}

reqid req_with_min_values(struct reqpool *p, reqid r, int32_t min_values)
{
	struct req q = *req_get(p, r);

	q.min_values = min_values;
	return req_cons(p, q);
}

sid *req_values(const struct reqpool *p, reqid r, struct arena *a, uint32_t *ret_n)
{
	const struct req *q = req_get(p, r);
	sid *v = ARENA_ARRAY(a, sid, q->nvalues);
	uint32_t n = 0;

	BITS_EACH (i, q->bits, q->nwords) {
		v[n++] = p->keys.v[q->key].value[i];
	}
	intern_sort(p->in, v, n);
	*ret_n = n;
	return v;
}
