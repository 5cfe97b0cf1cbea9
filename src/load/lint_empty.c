/* Which requirements of a NodePool leave no instance type: the fewest that do so together. */
#include "file.h"
#include "lint_types.h"

/* Pairs are tried up to so many constraints; of more some set that cannot be made smaller is taken. */
#define PAIRS_UP_TO 20

struct search {
	struct cluster *c;
	const struct lint_view *v;
	uint32_t n;
	bool *without; /* [n] */
};

static uint32_t types_left(struct search *s)
{
	return lint_choose(s->c, s->v->types, lint_pool_reqs(s->c, s->v->pool, s->without), SID_NONE).types;
}

static void keep_only(struct search *s, uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i < s->n; i++)
		s->without[i] = i != a && i != b;
}

/* Leaves the culprits in s; false: there is none, since the class alone leaves nothing. */
static bool find_culprits(struct search *s)
{
	keep_only(s, s->n, s->n);
	if (!types_left(s))
		return false;
	for (uint32_t i = 0; i < s->n; i++) {
		keep_only(s, i, i);
		if (!types_left(s))
			return true;
	}
	for (uint32_t i = 0; s->n <= PAIRS_UP_TO && i < s->n; i++)
		for (uint32_t k = 0; k < i; k++) {
			keep_only(s, i, k);
			if (!types_left(s))
				return true;
		}
	for (uint32_t i = 0; i < s->n; i++)
		s->without[i] = false;
	for (uint32_t i = 0; i < s->n; i++) {
		s->without[i] = true;
		s->without[i] = !types_left(s);
	}
	return true;
}

static struct span constraint_span(struct lint *l, const struct lint_view *v, uint32_t i)
{
	const struct jval *template = jval_at(lint_doc(l, v->doc)->object, "spec.template");
	uint32_t nlabels = v->pool->template_labels.n;
	const struct jval *reqs = jval_at(template, "spec.requirements");

	if (i < nlabels || !reqs || i - nlabels >= reqs->items.n)
		return lint_doc(l, v->doc)->at;
	return lint_span(l, v->doc, reqs->items.v[i - nlabels]);
}

/* "key In a, b and 3 more". */
static void add_constraint(struct buf *out, struct cluster *c, const struct node_pool *p, uint32_t i)
{
	enum { SHOWN = 4 };
	uint32_t nlabels = p->template_labels.n;
	const struct api_requirement *r;

	buf_adds(out, intern_c(c->in, lint_constraint_key(p, i)));
	if (i < nlabels) {
		buf_addf(out, "=%s", intern_c(c->in, p->template_labels.v[i].val));
		return;
	}
	r = &p->req[i - nlabels];
	buf_addf(out, " %s", intern_c(c->in, r->op));
	for (uint32_t k = 0; k < r->n && k < SHOWN; k++)
		buf_addf(out, "%s %s", k ? "," : "", intern_c(c->in, r->values[k]));
	if (r->n > SHOWN)
		buf_addf(out, " and %u more", r->n - SHOWN);
}

/* What would be left without the culprit that costs most. */
static const char *hint_of(struct lint *l, struct search *s, const bool *culprit)
{
	uint32_t best = 0, at = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t left;

		if (!culprit[i])
			continue;
		for (uint32_t k = 0; k < s->n; k++)
			s->without[k] = k == i;
		left = types_left(s);
		if (left > best) {
			best = left;
			at = i;
		}
	}
	if (!best)
		return "loosen the requirements; 'kspot catalog list' shows what there is";
	return arena_printf(l->a, "without the requirement of %s there would be %u",
			    intern_c(s->c->in, lint_constraint_key(s->v->pool, at)), best);
}

static uint32_t count(const bool *set, uint32_t n)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < n; i++)
		found += set[i];
	return found;
}

static void report(struct lint *l, struct search *s, const bool *culprit)
{
	uint32_t n = count(culprit, s->n), done = 0, first = 0;
	const struct node_pool *p = s->v->pool;
	struct buf why;

	buf_init(&why);
	buf_adds(&why, n == 1 ? "none meets " : n == 2 ? "none meets both " : "none meets all of ");
	for (uint32_t i = 0; i < s->n; i++) {
		if (!culprit[i])
			continue;
		first = done ? first : i;
		buf_adds(&why, !done ? "" : done + 1 < n ? "; " : " and ");
		add_constraint(&why, s->c, p, i);
		done++;
	}
	lint_add(l, KS_LINT_POOL_EMPTY, s->v->doc, constraint_span(l, s->v, first), hint_of(l, s, culprit),
		 "NodePool '%s' allows no instance type: %s", intern_c(s->c->in, p->meta.name),
		 buf_cstr(&why));
	buf_release(&why);
}

void lint_empty_pool(struct lint *l, struct cluster *c, const struct lint_view *v)
{
	struct search s = {c, v, lint_nconstraints(v->pool), NULL};
	bool *culprit = ARENA_ARRAY(l->a, bool, s.n);

	s.without = ARENA_ARRAY(l->a, bool, s.n);
	if (!find_culprits(&s)) {
		lint_add(l, KS_LINT_POOL_EMPTY, v->doc, SPAN_NONE, "see the EC2NodeClass and the region",
			 "NodePool '%s' allows no instance type: there is none to begin with",
			 intern_c(c->in, v->pool->meta.name));
		return;
	}
	for (uint32_t i = 0; i < s.n; i++) {
		culprit[i] = !s.without[i];
		/* An EC2NodeClass that is not in the input may well be one for Windows. */
		if (culprit[i] && v->assumed && lint_constraint_key(v->pool, i) == LBL_OS)
			return;
	}
	report(l, &s, culprit);
}
