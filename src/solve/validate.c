#include "validate.h"

#include "kname.h"
#include "volume.h"

static void next(struct buf *b)
{
	if (b->n)
		buf_adds(b, "; ");
}

static void list_well_known(const struct reqpool *p, struct arena *a, struct buf *out)
{
	sid *v = ARENA_ARRAY(a, sid, p->keys.n);
	uint32_t n = 0;

	for (keyid k = 0; k < p->keys.n; k++)
		if (req_key_well_known(p, k))
			v[n++] = req_key_name(p, k);
	intern_sort(p->in, v, n);
	for (uint32_t i = 0; i < n; i++)
		buf_addf(out, "%s%s", i ? " " : "", intern_c(p->in, v[i]));
}

static bool in_domain(struct str domain, const char *restricted)
{
	size_t n = strlen(restricted);

	return str_is(domain, restricted) ||
	       (domain.n > n && domain.p[domain.n - n - 1] == '.' && str_ends(domain, restricted));
}

static void check_restricted(struct class_table *t, struct arena *a, sid key, struct buf *out)
{
	const struct reqpool *p = t->cluster->rp;
	bool aws = !cluster_generic(t->cluster);
	struct str domain = label_domain(intern_str(p->in, key));

	if (req_key_well_known(p, req_key(t->cluster->rp, key)))
		return;
	if (key != LBL_HOSTNAME && !in_domain(domain, "karpenter.sh") &&
	    !(aws && in_domain(domain, "karpenter.k8s.aws")))
		return;
	next(out);
	buf_addf(out,
		 "using label %s is not allowed as it might interfere with the internal provisioning logic; "
		 "specify a "
		 "well known label: [",
		 intern_c(p->in, key));
	list_well_known(p, a, out);
	buf_addf(out, "], or a custom label that does not use a restricted domain: [%skarpenter.sh]",
		 aws ? "karpenter.k8s.aws " : "");
}

static void print_values(const struct intern *in, struct buf *out, const sid *v, uint32_t n)
{
	buf_addch(out, '[');
	for (uint32_t i = 0; i < n; i++)
		buf_addf(out, "%s%s", i ? " " : "", intern_c(in, v[i]));
	buf_addch(out, ']');
}

/* Keys with a known list of values: an In needs one of them. */
static void check_known_values(const struct class_table *t, sid key, const sid *v, uint32_t n,
			       struct buf *out)
{
	static const char *const capacity[] = {"on-demand", "reserved", "spot", NULL};
	static const char *const tenancy[] = {"dedicated", "default", NULL};
	const struct intern *in = t->cluster->in;
	const char *const *known = key == LBL_CAPACITY_TYPE                             ? capacity
				   : key == LBL_TENANCY && !cluster_generic(t->cluster) ? tenancy
											: NULL;

	if (!known)
		return;
	for (uint32_t i = 0; i < n; i++)
		for (size_t k = 0; known[k]; k++)
			if (str_is(intern_str(in, v[i]), known[k]))
				return;
	next(out);
	buf_adds(out, "no valid values found in ");
	print_values(in, out, v, n);
	buf_addf(out, " for %s, expected one of: map[", intern_c(in, key));
	for (size_t k = 0; known[k]; k++)
		buf_addf(out, "%s%s:{}", k ? " " : "", known[k]);
	buf_adds(out, "], got: ");
	print_values(in, out, v, n);
}

static void check_syntax(const struct intern *in, sid key, const sid *v, uint32_t n, struct buf *out)
{
	struct kname_errors e = kname_qualified(intern_str(in, key));

	for (const char **text = e.v; *text; text++) {
		next(out);
		buf_addf(out, "key %s is not a qualified name, %s", intern_c(in, key), *text);
	}
	for (uint32_t i = 0; i < n; i++) {
		e = kname_label_value(intern_str(in, v[i]));
		for (const char **text = e.v; *text; text++) {
			next(out);
			buf_addf(out, "invalid value %s for key %s, %s", intern_c(in, v[i]),
				 intern_c(in, key), *text);
		}
	}
}

/* As strconv.Atoi reads it, at least 0: a sign is no mistake here. */
static bool not_negative(struct str s)
{
	size_t i = s.n && (s.p[0] == '+' || s.p[0] == '-') ? 1 : 0;
	bool minus = i && s.p[0] == '-';
	int64_t v = 0;

	if (i == s.n)
		return false;
	for (; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9' || __builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, s.p[i] - '0', &v))
			return false;
	return !minus || v == 0;
}

/* A2.6. */
static void check_requirement(struct class_table *t, struct arena *a, sid key, sid op_name, const sid *v,
			      uint32_t n, struct buf *out)
{
	struct intern *in = t->cluster->in;
	enum req_op op = OP_MAX_;

	key = label_normalize(in, key);
	if (!req_op_parse(intern_str(in, op_name), &op)) {
		next(out);
		buf_addf(out,
			 "key %s has an unsupported operator %s not in [DoesNotExist Exists Gt Gte In Lt Lte "
			 "NotIn]",
			 intern_c(in, key), intern_c(in, op_name));
	}
	check_restricted(t, a, key, out);
	if (op == OP_IN)
		check_known_values(t, key, v, n, out);
	check_syntax(in, key, v, n, out);
	if (op == OP_IN && n == 0) {
		next(out);
		buf_addf(out, "key %s with operator In must have a value defined", intern_c(in, key));
	}
	if ((op == OP_GT || op == OP_LT || op == OP_GTE || op == OP_LTE) &&
	    (n != 1 || !not_negative(intern_str(in, v[0])))) {
		next(out);
		buf_addf(out, "key %s with operator %s must have a single positive integer value",
			 intern_c(in, key), req_op_name(op));
	}
}

static bool refuses_karpenter(struct class_table *t, const struct pod_spec *s)
{
	struct reqpool *p = t->cluster->rp;
	rsetid reqs = reqs_strict(p, s, s->required, s->nrequired);
	int32_t best = 0;
	reqid r;

	for (uint32_t i = 1; i < s->npreferred; i++)
		if (s->preferred[i].weight > s->preferred[best].weight)
			best = (int32_t)i;
	if (s->npreferred)
		reqs = rset_intersect(p, reqs, reqs_of_term(p, &s->preferred[best].term));
	r = rset_find(p, reqs, req_key(p, LBL_NODEPOOL));
	return r != REQ_NONE && req_operator(p, r) == OP_DOES_NOT_EXIST;
}

const char *pod_invalid(struct class_table *t, struct arena *a, const struct pod *p)
{
	const struct pod_spec *s = p->spec;
	sid in_op = intern_cstr(t->cluster->in, "In");
	const char *volumes, *text = NULL;
	struct buf out;

	buf_init(&out);
	if (refuses_karpenter(t, s))
		buf_adds(&out, "configured to not run on a Karpenter provisioned node "
			       "(requirement=karpenter.sh/nodepool DoesNotExist)");
	for (uint32_t i = 0; i < s->node_selector.n; i++)
		check_requirement(t, a, s->node_selector.v[i].key, in_op, &s->node_selector.v[i].val, 1,
				  &out);
	for (uint32_t i = 0; i < s->nrequired; i++) {
		const struct node_term *term = &s->required[i];

		if (term->nfields) {
			next(&out);
			buf_adds(&out, "node selector term with matchFields is not supported");
		}
		for (uint32_t k = 0; k < term->n; k++)
			check_requirement(t, a, term->expr[k].key, term->expr[k].op, term->expr[k].values,
					  term->expr[k].n, &out);
	}
	volumes = volumes_invalid(t->cluster, a, &p->meta, s);
	if (volumes) {
		next(&out);
		buf_adds(&out, volumes);
	}
	if (out.n)
		text = arena_strndup(a, out.p, out.n);
	buf_release(&out);
	return text;
}
