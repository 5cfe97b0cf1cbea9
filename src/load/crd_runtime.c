#include "crd_runtime.h"

#include <stdlib.h>

#include "crd.h"
#include "kname.h"

/* The rows of label.def by who knows them. */
#define CORE_0(text)
#define CORE_LABEL_CORE(text) text,
#define CORE_LABEL_AWS(text)
#define AWS_0(text)
#define AWS_LABEL_CORE(text)
#define AWS_LABEL_AWS(text) text,

static const char *const core_labels[] = {
#define LABEL(id, text, flags) CORE_##flags(text)
#include "label.def"
#undef LABEL
};

static const char *const aws_labels[] = {
#define LABEL(id, text, flags) AWS_##flags(text)
#include "label.def"
#undef LABEL
};

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))

const struct check_labels check_labels_aws = {COUNT(aws_labels), aws_labels, "karpenter.k8s.aws", true};

void runtime_add(struct arena *a, struct remarks *r, const struct check_doc *doc, const struct jval *at,
		 const char *source, const char *message)
{
	VEC_PUSH(a, &r->v, ((struct check_remark){source, message, crd_span(doc, at)}));
}

static bool is_known(const struct check_labels *l, struct str key)
{
	for (uint32_t i = 0; i < COUNT(core_labels); i++)
		if (str_is(key, core_labels[i]))
			return true;
	for (uint32_t i = 0; i < l->nknown; i++)
		if (str_is(key, l->known[i]))
			return true;
	return false;
}

static bool in_domain(struct str domain, const char *restricted)
{
	size_t n = restricted ? strlen(restricted) : 0;

	return restricted && (str_is(domain, restricted) || (domain.n > n && str_ends(domain, restricted) &&
							     domain.p[domain.n - n - 1] == '.'));
}

static int cmp_text(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* NULL for a label that users may set. */
static const char *restricted_label(struct arena *a, const struct check_labels *l, struct str key)
{
	const char *slash = key.n ? memchr(key.p, '/', key.n) : NULL;
	struct str domain = {key.p, slash ? (size_t)(slash - key.p) : 0};
	uint32_t n = COUNT(core_labels) + l->nknown;
	const char **known, *text;
	struct buf b;

	if (is_known(l, key) || (!in_domain(domain, "karpenter.sh") && !in_domain(domain, l->restricted) &&
				 !str_is(key, "kubernetes.io/hostname")))
		return NULL;
	known = ARENA_ARRAY(a, const char *, n);
	memcpy(known, core_labels, sizeof(core_labels));
	for (uint32_t i = 0; i < l->nknown; i++)
		known[COUNT(core_labels) + i] = l->known[i];
	qsort(known, n, sizeof(*known), cmp_text);
	buf_init(&b);
	buf_addf(
		&b,
		"using label %.*s is not allowed as it might interfere with the internal provisioning logic; "
		"specify a well known label: [",
		STR_ARG(key));
	for (uint32_t i = 0; i < n; i++)
		buf_addf(&b, "%s%s", i ? " " : "", known[i]);
	buf_addf(&b, "], or a custom label that does not use a restricted domain: [%s%skarpenter.sh]",
		 l->restricted ? l->restricted : "", l->restricted ? " " : "");
	text = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return text;
}

static const char *quoted(struct arena *a, struct str s)
{
	struct buf b;
	const char *text;

	buf_init(&b);
	crd_add_quoted(&b, s);
	text = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return text;
}

#define POOL_SOURCE "NodePool.RuntimeValidate"

struct validation {
	struct arena *a;
	const struct check_doc *doc;
	const struct check_labels *labels;
	const char *source;
	struct remarks *errors, *logs;
};

__attribute__((format(printf, 3, 4))) static void fail(struct validation *v, const struct jval *at,
						       const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	runtime_add(v->a, v->errors, v->doc, at, v->source, arena_vprintf(v->a, fmt, ap));
	va_end(ap);
}

static void check_labels(struct validation *v, const struct jval *labels)
{
	uint32_t n = jval_is(labels, JV_MAP) ? labels->members.n : 0;
	const struct jmember *sorted = n ? jval_sorted(v->a, labels) : NULL;

	for (uint32_t i = 0; i < n; i++) {
		struct str key = sorted[i].key, value = jval_text(sorted[i].v);
		const char *name = quoted(v->a, key), *restricted = restricted_label(v->a, v->labels, key);
		const struct jval *at = sorted[i].v;
		struct kname_errors e = kname_qualified(key);

		if (str_is(key, "karpenter.sh/nodepool"))
			fail(v, at, "invalid key name %s in labels, restricted", name);
		for (const char *const *t = e.v; *t; t++)
			fail(v, at, "invalid key name %s in labels, %s", name, quoted(v->a, str_of(*t)));
		e = kname_label_value(value);
		for (const char *const *t = e.v; *t; t++)
			fail(v, at, "invalid value: %.*s for label[%.*s], %s", STR_ARG(value), STR_ARG(key),
			     *t);
		if (restricted)
			fail(v, at, "invalid key name %s in labels, %s", name, restricted);
	}
}

/* Messages from index `from` on, joined as Go joins errors. */
static const char *joined(struct arena *a, const struct remarks *r, uint32_t from)
{
	struct buf b;
	const char *text;

	buf_init(&b);
	for (uint32_t i = from; i < r->v.n; i++)
		buf_addf(&b, "%s%s", i > from ? "; " : "", r->v.v[i].message);
	text = arena_strndup(a, buf_cstr(&b), b.n);
	buf_release(&b);
	return text;
}

struct seen_taint {
	struct str key, effect;
};

struct seen_taints {
	VEC(struct seen_taint) v;
};

static void check_taint(struct validation *v, const struct jval *taint, const char *field, uint32_t from,
			struct seen_taints *seen)
{
	struct str key = jval_text(jval_get(taint, "key")), value = jval_text(jval_get(taint, "value"));
	struct str effect = jval_text(jval_get(taint, "effect"));
	struct kname_errors e = kname_qualified(key);

	/* Karpenter wraps the errors so far here, of which there are none in the first taint. */
	if (key.n == 0)
		fail(v, taint, "invalid value: %s in %s",
		     v->errors->v.n > from ? joined(v->a, v->errors, from) : "%!w(<nil>)", field);
	for (const char *const *t = e.v; *t; t++)
		fail(v, taint, "invalid value: %s in %s", *t, field);
	e = kname_qualified(value);
	for (const char *const *t = e.v; *t && value.n; t++)
		fail(v, taint, "invalid value: %s in %s", *t, field);
	if (effect.n && !str_is(effect, "NoSchedule") && !str_is(effect, "PreferNoSchedule") &&
	    !str_is(effect, "NoExecute"))
		fail(v, taint, "invalid value: %s in %s", quoted(v->a, effect), field);
	for (uint32_t i = 0; i < seen->v.n; i++)
		if (str_eq(seen->v.v[i].key, key) && str_eq(seen->v.v[i].effect, effect)) {
			fail(v, taint, "duplicate taint Key/Effect pair %.*s=%.*s", STR_ARG(key),
			     STR_ARG(effect));
			break;
		}
	VEC_PUSH(v->a, &seen->v, ((struct seen_taint){key, effect}));
}

static void check_taints(struct validation *v, const struct jval *spec)
{
	static const char *const fields[] = {"taints", "startupTaints"};
	struct seen_taints seen = {0};

	for (int f = 0; f < 2; f++) {
		const struct jval *list = jval_get(spec, fields[f]);
		uint32_t from = v->errors->v.n;

		for (uint32_t i = 0; jval_is(list, JV_LIST) && i < list->items.n; i++)
			check_taint(v, list->items.v[i], fields[f], from, &seen);
	}
}

/* Old spellings that Karpenter reads as the present ones. */
static struct str present_key(struct str key)
{
	static const struct {
		const char *old, *present;
	} keys[] = {
		{"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"},
		{"failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"},
		{"beta.kubernetes.io/arch", "kubernetes.io/arch"},
		{"beta.kubernetes.io/os", "kubernetes.io/os"},
		{"beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"},
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (str_is(key, keys[i].old))
			return str_of(keys[i].present);
	return key;
}

struct known_values {
	const char *key;
	bool aws;
	const char *values[4];
	const char *set; /* as Go prints the set */
	const char *list;
};

static const struct known_values known_values[] = {
	{"karpenter.sh/capacity-type",
	 false,
	 {"on-demand", "reserved", "spot"},
	 "map[on-demand:{} reserved:{} spot:{}]",
	 "[on-demand reserved spot]"},
	{"karpenter.k8s.aws/instance-tenancy",
	 true,
	 {"dedicated", "default"},
	 "map[dedicated:{} default:{}]",
	 "[dedicated default]"},
};

static bool value_known(const struct known_values *k, const struct jval *value)
{
	for (const char *const *t = k->values; *t; t++)
		if (jval_is_text(value, *t))
			return true;
	return false;
}

/* The values of a list that are known (or are not), as Go prints a []string; k NULL: all. */
static const char *value_list(struct arena *a, const struct jval *values, const struct known_values *k,
			      bool known, uint32_t *ret_n)
{
	struct buf b;
	const char *text;

	*ret_n = 0;
	buf_init(&b);
	buf_addch(&b, '[');
	for (uint32_t i = 0; jval_is(values, JV_LIST) && i < values->items.n; i++) {
		if (k && value_known(k, values->items.v[i]) != known)
			continue;
		buf_adds(&b, (*ret_n)++ ? " " : "");
		buf_addstr(&b, jval_text(values->items.v[i]));
	}
	buf_addch(&b, ']');
	text = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return text;
}

struct requirement {
	const struct jval *at, *values;
	struct str key, op;
	const struct jval *min_values;
	uint32_t n;
};

static void check_known_values(struct validation *v, const struct requirement *r)
{
	const struct known_values *k = NULL;
	const char *all, *good, *bad;
	uint32_t n, ngood, nbad;

	for (uint32_t i = 0; i < COUNT(known_values); i++)
		if (str_is(r->key, known_values[i].key) && (v->labels->tenancy || !known_values[i].aws))
			k = &known_values[i];
	if (!k || !str_is(r->op, "In"))
		return;
	all = value_list(v->a, r->values, NULL, true, &n);
	good = value_list(v->a, r->values, k, true, &ngood);
	bad = value_list(v->a, r->values, k, false, &nbad);
	if (ngood == 0)
		fail(v, r->at, "no valid values found in %s for %s, expected one of: %s, got: %s", all,
		     k->key, k->set, bad);
	else if (r->min_values && ngood < (uint64_t)r->min_values->i)
		fail(v, r->at,
		     "not enough valid values found in %s for %s, expected at least %lld valid values from: "
		     "%s, got: %u",
		     all, k->key, (long long)r->min_values->i, k->list, ngood);
	else if (nbad)
		runtime_add(
			v->a, v->logs, v->doc, r->at, "log",
			arena_printf(
				v->a,
				"please correct found invalid values, proceeding with valid values: key=%s "
				"valid-values=%s invalid-values=%s",
				k->key, good, bad));
}

static bool whole_number(struct str s)
{
	size_t i = s.n && (s.p[0] == '+' || s.p[0] == '-');
	bool zero = true;
	uint64_t x = 0;

	if (i == s.n)
		return false;
	for (; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9' || x > (INT64_MAX - (uint64_t)(s.p[i] - '0')) / 10)
			return false;
		x = x * 10 + (uint64_t)(s.p[i] - '0');
		zero = zero && s.p[i] == '0';
	}
	return s.p[0] != '-' || zero;
}

static void check_operator(struct validation *v, const struct requirement *r)
{
	static const char *const ops[] = {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Gte", "Lte"};
	uint32_t i = 0;

	while (i < COUNT(ops) && !str_is(r->op, ops[i]))
		i++;
	if (i == COUNT(ops))
		fail(v, r->at,
		     "key %.*s has an unsupported operator %.*s not in [In NotIn Exists DoesNotExist Gt Lt "
		     "Gte Lte]",
		     STR_ARG(r->key), STR_ARG(r->op));
}

static void check_values(struct validation *v, const struct requirement *r)
{
	bool in = str_is(r->op, "In"), bound = str_is(r->op, "Gt") || str_is(r->op, "Lt") ||
					       str_is(r->op, "Gte") || str_is(r->op, "Lte");

	for (uint32_t i = 0; i < r->n; i++) {
		struct str value = jval_text(r->values->items.v[i]);
		struct kname_errors e = kname_label_value(value);

		for (const char *const *t = e.v; *t; t++)
			fail(v, r->at, "invalid value %.*s for key %.*s, %s", STR_ARG(value), STR_ARG(r->key),
			     *t);
	}
	if (in && r->n == 0)
		fail(v, r->at, "key %.*s with operator In must have a value defined", STR_ARG(r->key));
	if (in && r->min_values && r->n < (uint64_t)r->min_values->i)
		fail(v, r->at,
		     "key %.*s with operator In must have at least minimum number of values defined in "
		     "'values' field",
		     STR_ARG(r->key));
	if (bound && (r->n != 1 || !whole_number(jval_text(r->values->items.v[0]))))
		fail(v, r->at, "key %.*s with operator %.*s must have a single positive integer value",
		     STR_ARG(r->key), STR_ARG(r->op));
}

/* All that is wrong with one requirement becomes one error. */
static void check_requirement(struct validation *v, const struct jval *req)
{
	struct requirement r = {.at = req,
				.values = jval_get(req, "values"),
				.key = present_key(jval_text(jval_get(req, "key"))),
				.op = jval_text(jval_get(req, "operator")),
				.min_values = jval_get(req, "minValues")};
	struct remarks *outer = v->errors, own = {0};
	struct kname_errors e = kname_qualified(r.key);
	const char *restricted = restricted_label(v->a, v->labels, r.key);

	r.n = jval_is(r.values, JV_LIST) ? r.values->items.n : 0;
	if (!jval_is(r.min_values, JV_INT) || r.min_values->i < 0)
		r.min_values = NULL;
	v->errors = &own;
	check_operator(v, &r);
	if (restricted)
		fail(v, req, "%s", restricted);
	check_known_values(v, &r);
	for (const char *const *t = e.v; *t; t++)
		fail(v, req, "key %.*s is not a qualified name, %s", STR_ARG(r.key), *t);
	check_values(v, &r);
	v->errors = outer;
	if (own.v.n)
		fail(v, req, "invalid value: %s in requirements, restricted", joined(v->a, &own, 0));
}

void runtime_nodepool(struct arena *a, const struct check_doc *doc, const struct check_labels *labels,
		      struct remarks *ret_errors, struct remarks *ret_logs)
{
	struct validation v = {a, doc, labels, POOL_SOURCE, ret_errors, ret_logs};
	const struct jval *template = jval_at(doc->object, "spec.template");
	const struct jval *spec = jval_get(template, "spec"), *reqs = jval_get(spec, "requirements");

	check_labels(&v, jval_at(template, "metadata.labels"));
	check_taints(&v, spec);
	for (uint32_t i = 0; jval_is(reqs, JV_LIST) && i < reqs->items.n; i++)
		check_requirement(&v, reqs->items.v[i]);
	for (uint32_t i = 0; jval_is(reqs, JV_LIST) && i < reqs->items.n; i++)
		if (jval_is_text(jval_get(reqs->items.v[i], "key"), "karpenter.sh/nodepool"))
			fail(&v, reqs->items.v[i],
			     "invalid key: \"karpenter.sh/nodepool\" in requirements, restricted");
}

static void validate_overlay(struct arena *a, const struct check_doc *doc, const struct check_labels *labels,
			     struct remarks *ret_errors, struct remarks *ret_logs)
{
	enum { ncore = 4 }; /* Karpenter's own; then those of the AWS provider */
	static const char *const resources[] = {"cpu",
						"memory",
						"ephemeral-storage",
						"pods",
						"vpc.amazonaws.com/pod-eni",
						"vpc.amazonaws.com/efa",
						"aws.amazon.com/neuron",
						"aws.amazon.com/neuroncore",
						"habana.ai/gaudi"};
	struct validation v = {a, doc, labels, "NodeOverlay.RuntimeValidate", ret_errors, ret_logs};
	const struct jval *reqs = jval_at(doc->object, "spec.requirements");
	const struct jval *capacity = jval_at(doc->object, "spec.capacity");

	for (uint32_t i = 0; jval_is(reqs, JV_LIST) && i < reqs->items.n; i++) {
		const struct jval *req = reqs->items.v[i], *values = jval_get(req, "values");

		check_requirement(&v, req);
		if (jval_is_text(jval_get(req, "operator"), "NotIn") && (!values || values->items.n == 0))
			fail(&v, req, "key %.*s with operator NotIn must have a value defined",
			     STR_ARG(jval_text(jval_get(req, "key"))));
	}
	for (uint32_t i = 0; i < (labels == &check_labels_aws ? COUNT(resources) : ncore); i++)
		if (jval_get(capacity, resources[i]))
			fail(&v, capacity, "invalid capacity: %s in resource, restricted", resources[i]);
}

void runtime_overlay(struct arena *a, const struct check_doc *doc, struct remarks *ret_errors,
		     struct remarks *ret_logs)
{
	validate_overlay(a, doc, &check_labels_aws, ret_errors, ret_logs);
}

const char *check_overlay_invalid(struct arena *a, const struct check_doc *doc,
				  const struct check_labels *labels)
{
	struct remarks errors = {0}, logs = {0};

	validate_overlay(a, doc, labels ? labels : &check_labels_aws, &errors, &logs);
	return errors.v.n ? joined(a, &errors, 0) : NULL;
}

const char *check_nodepool_invalid(struct arena *a, const struct check_doc *doc,
				   const struct check_labels *labels)
{
	struct remarks errors = {0}, logs = {0};

	/* What does not decode keeps Karpenter from reading any NodePool; it alone is left out here. */
	for (uint32_t i = 0; i < doc->runtime.n; i++)
		if (strcmp(doc->runtime.v[i].source, "decode") == 0)
			return doc->runtime.v[i].message;
	runtime_nodepool(a, doc, labels ? labels : &check_labels_aws, &errors, &logs);
	return errors.v.n ? joined(a, &errors, 0) : NULL;
}
