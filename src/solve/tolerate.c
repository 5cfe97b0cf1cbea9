#include "tolerate.h"

/* Decimal integer without leading zeros, as Kubernetes validates numeric tolerations. */
static bool decimal(struct str s, int64_t *ret_v)
{
	size_t i = s.n && s.p[0] == '-' ? 1 : 0;
	int64_t v = 0;

	if (i == s.n || (s.p[i] == '0' && (s.n > i + 1 || i)))
		return false;
	for (; i < s.n; i++) {
		int digit = s.p[i] - '0';

		if (digit < 0 || digit > 9 || __builtin_mul_overflow(v, 10, &v) ||
		    __builtin_sub_overflow(v, digit, &v))
			return false;
	}
	if (s.p[0] != '-' && __builtin_sub_overflow((int64_t)0, v, &v))
		return false;
	*ret_v = v;
	return true;
}

bool toleration_matches(const struct intern *in, const struct toleration *t, const struct taint *taint)
{
	struct str op = intern_str(in, t->op);
	int64_t want, have;

	if (t->effect != SID_EMPTY && t->effect != taint->effect)
		return false;
	if (t->key != SID_EMPTY && t->key != taint->key)
		return false;
	if (op.n == 0 || str_is(op, "Equal"))
		return t->value == taint->value;
	if (str_is(op, "Exists"))
		return true;
	if (!str_is(op, "Lt") && !str_is(op, "Gt"))
		return false;
	if (!decimal(intern_str(in, t->value), &want) || !decimal(intern_str(in, taint->value), &have))
		return false;
	return str_is(op, "Lt") ? have < want : have > want;
}

static bool tolerated(const struct intern *in, const struct toleration *t, uint32_t n,
		      const struct taint *taint)
{
	for (uint32_t i = 0; i < n; i++)
		if (toleration_matches(in, &t[i], taint))
			return true;
	return false;
}

bool tolerates_all(const struct intern *in, const struct toleration *t, uint32_t n,
		   const struct taints *taints)
{
	for (uint32_t i = 0; i < taints->n; i++)
		if (!tolerated(in, t, n, &taints->v[i]))
			return false;
	return true;
}

void taint_print(const struct intern *in, struct buf *out, const struct taint *t)
{
	buf_adds(out, intern_c(in, t->key));
	if (t->value != SID_EMPTY)
		buf_addf(out, "=%s", intern_c(in, t->value));
	if (t->effect != SID_EMPTY || t->value != SID_EMPTY)
		buf_addf(out, ":%s", intern_c(in, t->effect));
}

void tolerate_explain(const struct intern *in, struct buf *out, const struct toleration *t, uint32_t n,
		      const struct taints *taints)
{
	bool first = true;

	for (uint32_t i = 0; i < taints->n; i++) {
		if (tolerated(in, t, n, &taints->v[i]))
			continue;
		buf_adds(out, first ? "did not tolerate taint (taint=" : "; did not tolerate taint (taint=");
		taint_print(in, out, &taints->v[i]);
		buf_addch(out, ')');
		first = false;
	}
}

bool taint_is_ephemeral(const struct intern *in, const struct taint *t)
{
	static const struct {
		sid key, effect;
	} known[] = {
		{TAINT_NOT_READY, EFFECT_NO_SCHEDULE},   {TAINT_NOT_READY, EFFECT_NO_EXECUTE},
		{TAINT_UNREACHABLE, EFFECT_NO_SCHEDULE}, {TAINT_UNINITIALIZED, EFFECT_NO_SCHEDULE},
		{TAINT_UNREGISTERED, EFFECT_NO_EXECUTE},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (t->key == known[i].key && t->effect == known[i].effect)
			return true;
	return str_starts(intern_str(in, t->key), "readiness.k8s.io/");
}

static bool expr_matches(const struct intern *in, const struct match_expr *e, const struct labels *l)
{
	struct str op = intern_str(in, e->op);
	sid value = labels_get(l, e->key);
	bool member = false;

	for (uint32_t i = 0; i < e->n && value != SID_NONE; i++)
		member = member || e->values[i] == value;
	if (str_is(op, "In"))
		return member;
	if (str_is(op, "NotIn"))
		return !member;
	if (str_is(op, "Exists"))
		return value != SID_NONE;
	return str_is(op, "DoesNotExist") && value == SID_NONE;
}

bool selector_matches(const struct intern *in, const struct label_selector *s, const struct labels *l,
		      bool absent)
{
	if (!s->present)
		return absent;
	if (s->invalid)
		return false;
	for (uint32_t i = 0; i < s->match.n; i++)
		if (labels_get(l, s->match.v[i].key) != s->match.v[i].val)
			return false;
	for (uint32_t i = 0; i < s->n; i++)
		if (!expr_matches(in, &s->expr[i], l))
			return false;
	return true;
}

static bool unspecified(const struct intern *in, sid ip)
{
	struct str s = intern_str(in, ip);

	return s.n == 0 || str_is(s, "0.0.0.0") || str_is(s, "::");
}

static bool ports_clash(const struct intern *in, const struct host_port *a, const struct host_port *b)
{
	return a->protocol == b->protocol && a->port == b->port &&
	       (a->ip == b->ip || unspecified(in, a->ip) || unspecified(in, b->ip));
}

const struct port_use *ports_conflict(const struct intern *in, const struct ports *use, uint32_t pod,
				      const struct host_port *port, uint32_t n,
				      const struct host_port **ret_mine)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < use->v.n; j++)
			if (use->v.v[j].pod != pod && ports_clash(in, &port[i], &use->v.v[j].port)) {
				*ret_mine = &port[i];
				return &use->v.v[j];
			}
	return NULL;
}

void ports_add(struct arena *a, struct ports *use, uint32_t pod, const struct host_port *port, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		VEC_PUSH(a, &use->v, ((struct port_use){port[i], pod}));
}
