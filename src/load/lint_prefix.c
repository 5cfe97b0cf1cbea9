/* Values that no instance type has, and that some start with: requirements know no prefixes. */
#include "lint_types.h"

#define EXAMPLES 3
#define FAMILY "karpenter.k8s.aws/instance-family"

/* The values of a key among the types, each once, by first mention. */
struct known_values {
	VEC(sid) v;
};

static bool has(const struct known_values *k, sid value)
{
	for (uint32_t i = 0; i < k->v.n; i++)
		if (k->v.v[i] == value)
			return true;
	return false;
}

static void collect(struct lint *l, struct cluster *c, const struct itype_list *types, sid key,
		    struct known_values *ret)
{
	for (uint32_t i = 0; i < types->n; i++) {
		reqid r = rset_find(c->rp, types->v[i].reqs, req_key(c->rp, key));
		sid value = r == REQ_NONE ? SID_EMPTY : req_any(c->rp, r);

		if (value != SID_EMPTY && !has(ret, value))
			VEC_PUSH(l->a, &ret->v, value);
	}
}

/* "use m5a, m5d or another name in full", or NULL when none starts so. */
static const char *longer_names(struct lint *l, const struct cluster *c, const struct known_values *k,
				struct str prefix)
{
	const char *hint = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < k->v.n && n < EXAMPLES; i++) {
		struct str s = intern_str(c->in, k->v.v[i]);

		if (s.n <= prefix.n || memcmp(s.p, prefix.p, prefix.n) != 0)
			continue;
		hint = n++ ? arena_printf(l->a, "%s, %s", hint, s.p) : s.p;
	}
	return hint ? arena_printf(l->a, "values are compared as a whole: name them in full, as in %s", hint)
		    : NULL;
}

static void lint_values(struct lint *l, struct cluster *c, const struct lint_view *v, const struct jval *req,
			const struct known_values *known)
{
	const struct jval *values = jval_get(req, "values"), *key = jval_get(req, "key");

	for (uint32_t i = 0; values && i < values->items.n; i++) {
		struct str text = jval_text(values->items.v[i]);
		const char *hint;

		/* A family of one letter is a category, of which another lint speaks. */
		if (!text.n || (text.n < 2 && jval_is_text(key, FAMILY)) ||
		    has(known, intern_put(c->in, text)))
			continue;
		hint = longer_names(l, c, known, text);
		if (hint)
			lint_add(l, KS_LINT_FAMILY_SPELLING, v->doc, lint_span(l, v->doc, values->items.v[i]),
				 hint, "no instance has '%.*s' as its %.*s", STR_ARG(text), STR_ARG(key->s));
	}
}

void lint_prefixes(struct lint *l, struct cluster *c, const struct lint_view *v)
{
	static const sid keys[] = {LBL_FAMILY, LBL_SIZE};
	const struct jval *reqs = jval_at(lint_doc(l, v->doc)->object, "spec.template.spec.requirements");

	for (int k = 0; k < 2; k++) {
		struct known_values known = {0};

		for (uint32_t i = 0; reqs && i < reqs->items.n; i++) {
			const struct jval *req = reqs->items.v[i];

			if (!jval_is_text(jval_get(req, "key"), intern_c(c->in, keys[k])))
				continue;
			if (!known.v.n)
				collect(l, c, v->types, keys[k], &known);
			lint_values(l, c, v, req, &known);
		}
	}
}
