#include "verify_impl.h"

#include <stdlib.h>

/*
 * Labels and requirements, looked at value by value. Requirements are read as the sets of values that they
 * stand for; nothing here uses the algebra of the engine.
 */

static int64_t number_or_zero(struct str s)
{
	char *end;
	int64_t v = strtoll(s.p, &end, 10);

	return s.n && end == s.p + s.n ? v : 0;
}

static bool is_number(struct str s, int64_t *ret_v)
{
	char *end;

	*ret_v = strtoll(s.p, &end, 10);
	return s.n > 0 && end == s.p + s.n;
}

static bool listed(const struct match_expr *e, sid value)
{
	for (uint32_t i = 0; i < e->n; i++)
		if (e->values[i] == value)
			return true;
	return false;
}

/* The integers that Gt, Gte, Lt and Lte leave; false for other operators. */
static bool bounds(const struct cluster *c, const struct match_expr *e, int64_t *ret_min, int64_t *ret_max)
{
	struct str op = intern_str(c->in, e->op);
	int64_t v = e->n ? number_or_zero(intern_str(c->in, e->values[0])) : 0;

	*ret_min = INT64_MIN;
	*ret_max = INT64_MAX;
	if (str_is(op, "Gt") || str_is(op, "Gte"))
		*ret_min = str_is(op, "Gt") && v < INT64_MAX ? v + 1 : v;
	else if (str_is(op, "Lt") || str_is(op, "Lte"))
		*ret_max = str_is(op, "Lt") && v > INT64_MIN ? v - 1 : v;
	else
		return false;
	return true;
}

/* SID_NONE: the label is not there. */
static bool value_meets(const struct cluster *c, const struct match_expr *e, sid value)
{
	struct str op = intern_str(c->in, e->op);
	int64_t min, max, v;

	if (str_is(op, "In"))
		return value != SID_NONE && listed(e, value);
	if (str_is(op, "NotIn"))
		return value == SID_NONE || !listed(e, value);
	if (str_is(op, "Exists"))
		return value != SID_NONE;
	if (str_is(op, "DoesNotExist"))
		return value == SID_NONE;
	return bounds(c, e, &min, &max) && value != SID_NONE && is_number(intern_str(c->in, value), &v) &&
	       v >= min && v <= max;
}

bool labels_meet(const struct cluster *c, const struct labels *l, sid host, const struct match_expr *e)
{
	sid key = label_normalize(c->in, e->key), value = labels_get(l, key);

	for (uint32_t i = 0; i < l->n && value == SID_NONE; i++)
		if (label_normalize(c->in, l->v[i].key) == key)
			value = l->v[i].val;
	return value_meets(c, e, key == LBL_HOSTNAME ? host : value);
}

const struct req *reqs_find(const struct cluster *c, rsetid reqs, sid key)
{
	const struct rset *set = rset_get(c->rp, reqs);

	for (uint32_t i = 0; i < set->n; i++) {
		const struct req *r = req_get(c->rp, set->req[i]);

		if (req_key_name(c->rp, r->key) == key)
			return r;
	}
	return NULL;
}

/* Whether value number i of the key is in the set as it is written. */
static bool in_set(const struct req *r, uint32_t i)
{
	return i / 64 < r->nwords && (r->bits[i / 64] >> (i % 64) & 1);
}

static bool req_has(const struct cluster *c, const struct req *r, sid value)
{
	const struct req_key *k = &c->rp->keys.v[r->key];
	bool member = false;
	int64_t v;

	for (uint32_t i = 0; i < k->nvalues; i++)
		if (k->value[i] == value && in_set(r, i))
			member = true;
	if (!r->complement)
		return member;
	if (member)
		return false;
	if (!r->has_gte && !r->has_lte)
		return true;
	return is_number(intern_str(c->in, value), &v) && (!r->has_gte || v >= r->gte) &&
	       (!r->has_lte || v <= r->lte);
}

/* All values but some, so never counted out. */
static bool open_ensures(const struct cluster *c, const struct req *r, const struct match_expr *e)
{
	struct str op = intern_str(c->in, e->op);
	int64_t min, max;

	if (str_is(op, "Exists"))
		return true;
	if (str_is(op, "NotIn")) {
		for (uint32_t i = 0; i < e->n; i++)
			if (req_has(c, r, e->values[i]))
				return false;
		return true;
	}
	return bounds(c, e, &min, &max) && (min == INT64_MIN || (r->has_gte && r->gte >= min)) &&
	       (max == INT64_MAX || (r->has_lte && r->lte <= max));
}

bool reqs_ensure(const struct cluster *c, rsetid reqs, const struct match_expr *e)
{
	const struct req *r = reqs_find(c, reqs, label_normalize(c->in, e->key));
	const struct req_key *k;

	if (!r)
		return value_meets(c, e, SID_NONE);
	if (r->complement)
		return open_ensures(c, r, e);
	if (!r->nvalues)
		return value_meets(c, e, SID_NONE);
	k = &c->rp->keys.v[r->key];
	for (uint32_t i = 0; i < k->nvalues; i++)
		if (in_set(r, i) && !value_meets(c, e, k->value[i]))
			return false;
	return true;
}

/* NotIn or DoesNotExist: satisfied by the absence of the label. */
static bool absence_does(const struct req *r)
{
	return r->complement ? r->nvalues > 0 : r->nvalues == 0;
}

static bool req_meet(const struct cluster *c, const struct req *x, const struct req *y)
{
	const struct req_key *k = &c->rp->keys.v[x->key];

	if (absence_does(x) && absence_does(y))
		return true;
	if (x->complement && y->complement) {
		int64_t min = x->has_gte ? x->gte : INT64_MIN, max = x->has_lte ? x->lte : INT64_MAX;

		min = y->has_gte && y->gte > min ? y->gte : min;
		max = y->has_lte && y->lte < max ? y->lte : max;
		return min <= max;
	}
	if (x->complement) {
		const struct req *t = x;

		x = y;
		y = t;
	}
	for (uint32_t w = 0; w < x->nwords; w++) {
		uint64_t theirs = w < y->nwords ? y->bits[w] : 0;
		uint64_t both = x->bits[w] & (y->complement ? ~theirs : theirs);

		for (uint32_t i = w * 64; both; i++, both >>= 1)
			if ((both & 1) && (!y->complement || req_has(c, y, k->value[i])))
				return true;
	}
	return false;
}

bool reqs_meet(const struct cluster *c, rsetid x, rsetid y)
{
	const struct rset *set = rset_get(c->rp, y);

	for (uint32_t i = 0; i < set->n; i++) {
		const struct req *wanted = req_get(c->rp, set->req[i]);
		const struct req *r = reqs_find(c, x, req_key_name(c->rp, wanted->key));

		if (r && !req_meet(c, r, wanted))
			return false;
	}
	return true;
}

bool reqs_admit(const struct cluster *c, rsetid node, rsetid wanted)
{
	const struct rset *set = rset_get(c->rp, wanted);

	for (uint32_t i = 0; i < set->n; i++) {
		const struct req *r = req_get(c->rp, set->req[i]);

		if (!reqs_find(c, node, req_key_name(c->rp, r->key)) && !absence_does(r) &&
		    !req_key_well_known(c->rp, r->key))
			return false;
	}
	return reqs_meet(c, node, wanted);
}

bool reqs_allow(const struct cluster *c, rsetid reqs, sid key, sid value)
{
	const struct req *r = reqs_find(c, reqs, key);

	return !r || req_has(c, r, value);
}

bool reqs_values(struct scene *s, rsetid reqs, sid key, const sid **ret_v, uint32_t *ret_n)
{
	const struct req *r = reqs_find(s->c, reqs, key);
	const struct req_key *k;
	sid *v;

	*ret_n = 0;
	if (!r || r->complement)
		return false;
	k = &s->c->rp->keys.v[r->key];
	*ret_v = v = ARENA_ARRAY(s->a, sid, r->nvalues);
	for (uint32_t i = 0; i < k->nvalues; i++)
		if (in_set(r, i))
			v[(*ret_n)++] = k->value[i];
	return true;
}
