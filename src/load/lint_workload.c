/* Lints of workloads and PodDisruptionBudgets. */
#include "label.h"
#include "lint_impl.h"
#include "scalar.h"

static const struct doc_node *at(const struct doc_node *n, const char *const *path)
{
	for (; n && *path; path++)
		n = doc_get(n, *path);
	return n;
}

#define AT(n, ...) at((n), (const char *const[]){__VA_ARGS__, NULL})

const struct doc_node *lint_pod_spec(const struct check_doc *d, const struct doc_node **ret_template)
{
	static const char *const templated[] = {"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet",
						"Job"};

	*ret_template = NULL;
	if (!d->root || d->verdict != CHECK_NOT_KARPENTER)
		return NULL;
	if (strcmp(d->kind, "Pod") == 0)
		*ret_template = d->root;
	if (strcmp(d->kind, "CronJob") == 0)
		*ret_template = AT(d->root, "spec", "jobTemplate", "spec", "template");
	for (size_t i = 0; i < sizeof(templated) / sizeof(templated[0]); i++)
		if (strcmp(d->kind, templated[i]) == 0)
			*ret_template = AT(d->root, "spec", "template");
	return doc_get(*ret_template, "spec");
}

static bool given(const struct doc_node *resources, const char *resource)
{
	return !doc_is_null(doc_get(doc_get(resources, "requests"), resource)) ||
	       !doc_is_null(doc_get(doc_get(resources, "limits"), resource));
}

static void lint_requests(struct lint *l, uint32_t doc, const struct doc_node *spec)
{
	const struct doc_node *list = doc_get(spec, "containers"), *pod = doc_get(spec, "resources");

	for (uint32_t i = 0; list && list->kind == DOC_SEQ && i < list->n; i++) {
		const struct doc_node *c = list->items[i], *res = doc_get(c, "resources");
		bool cpu = given(res, "cpu") || given(pod, "cpu"),
		     memory = given(res, "memory") || given(pod, "memory");
		struct str name = lint_text(doc_get(c, "name"));

		if (cpu && memory)
			continue;
		lint_add(l, KS_LINT_NO_REQUESTS, doc, lint_node_span(l, doc, c),
			 "add resources.requests with what the container needs",
			 "container '%.*s' of %s '%s' requests no %s", STR_ARG(name), lint_doc(l, doc)->kind,
			 lint_doc(l, doc)->name,
			 cpu      ? "memory"
			 : memory ? "CPU"
				  : "CPU and no memory");
	}
}

/* A label that nodes have by Karpenter's doing: one it knows, or one that a NodePool of the input gives. */
static bool node_label(struct lint *l, struct str key)
{
	sid id = label_normalize(&l->strings, intern_put(&l->strings, key));

	if (label_flags(id) || str_is(key, "kubernetes.io/hostname"))
		return true;
	for (uint32_t i = 0; i < l->pools.n; i++)
		if (rset_find(&l->reqs, l->pools.v[i].reqs, req_key(&l->reqs, id)) != REQ_NONE)
			return true;
	for (uint32_t i = 0; i < l->in->docs.n; i++)
		if (strcmp(l->in->docs.v[i].kind, "Node") == 0 &&
		    doc_get(AT(l->in->docs.v[i].root, "metadata", "labels"), intern_c(&l->strings, id)))
			return true;
	return false;
}

static void lint_topology_key(struct lint *l, uint32_t doc, const struct doc_node *term)
{
	const struct doc_node *key = doc_get(term, "topologyKey");
	struct str s = lint_text(key);

	/* Without a NodePool in sight, nothing is known of the labels of nodes. */
	if (s.n && l->pools.n && !node_label(l, s))
		lint_add(l, KS_LINT_TOPOLOGY_KEY, doc, lint_node_span(l, doc, key),
			 "use topology.kubernetes.io/zone or kubernetes.io/hostname, or give nodes the label "
			 "in a NodePool",
			 "no node has the topology key '%.*s' of %s '%s'", STR_ARG(s), lint_doc(l, doc)->kind,
			 lint_doc(l, doc)->name);
}

static void lint_topology(struct lint *l, uint32_t doc, const struct doc_node *spec)
{
	static const char *const kinds[] = {"podAffinity", "podAntiAffinity"};
	static const char *const strengths[] = {"requiredDuringSchedulingIgnoredDuringExecution",
						"preferredDuringSchedulingIgnoredDuringExecution"};
	const struct doc_node *list = doc_get(spec, "topologySpreadConstraints");

	for (uint32_t i = 0; list && list->kind == DOC_SEQ && i < list->n; i++)
		lint_topology_key(l, doc, list->items[i]);
	for (int k = 0; k < 4; k++) {
		list = AT(spec, "affinity", kinds[k / 2], strengths[k % 2]);
		for (uint32_t i = 0; list && list->kind == DOC_SEQ && i < list->n; i++)
			lint_topology_key(
				l, doc, k % 2 ? doc_get(list->items[i], "podAffinityTerm") : list->items[i]);
	}
}

void lint_workload(struct lint *l, uint32_t doc)
{
	const struct check_doc *d = lint_doc(l, doc);
	const struct doc_node *template, *spec = lint_pod_spec(d, &template);

	/* What a controller made is mended in the controller. */
	if (!spec || doc_get(doc_get(d->root, "metadata"), "ownerReferences"))
		return;
	lint_requests(l, doc, spec);
	lint_topology(l, doc, spec);
}

static struct str namespace_of(const struct check_doc *d)
{
	struct str s = lint_text(AT(d->root, "metadata", "namespace"));

	return s.n ? s : STR_LIT("default");
}

/* matchLabels only: with expressions the count of pods is not known. */
static bool selects(const struct doc_node *selector, const struct doc_node *labels)
{
	const struct doc_node *match = doc_get(selector, "matchLabels"),
			      *expr = doc_get(selector, "matchExpressions");

	if (expr && expr->kind == DOC_SEQ && expr->n)
		return false;
	for (uint32_t i = 0; match && match->kind == DOC_MAP && i < match->n; i++)
		if (!str_eq(lint_text(match->entries[i].value),
			    lint_text(doc_get(labels, match->entries[i].key.p))))
			return false;
	return selector != NULL;
}

/* Whether an autoscaler of the input sets the replicas of a workload. */
static bool is_scaled(const struct lint *l, const struct check_doc *workload)
{
	for (uint32_t i = 0; i < l->in->docs.n; i++) {
		const struct check_doc *d = lint_doc(l, i);
		const struct doc_node *target = d->root ? AT(d->root, "spec", "scaleTargetRef") : NULL,
				      *kind = doc_get(target, "kind");

		if (target && str_is(lint_text(doc_get(target, "name")), workload->name) &&
		    (!kind || str_is(lint_text(kind), workload->kind)) &&
		    str_eq(namespace_of(d), namespace_of(workload)))
			return true;
	}
	return false;
}

/* Replicas of the workloads that a PodDisruptionBudget selects; false when it selects none that is known
 * or one whose count is not. */
static bool count_pods(const struct lint *l, const struct check_doc *pdb, int64_t *ret_n)
{
	const struct doc_node *selector = AT(pdb->root, "spec", "selector");
	bool any = false;

	*ret_n = 0;
	for (uint32_t i = 0; i < l->in->docs.n; i++) {
		const struct check_doc *d = lint_doc(l, i);
		const struct doc_node *template, *replicas;

		if (!lint_pod_spec(d, &template) || strcmp(d->kind, "Pod") == 0 ||
		    strcmp(d->kind, "DaemonSet") == 0 || !str_eq(namespace_of(d), namespace_of(pdb)) ||
		    !selects(selector, AT(template, "metadata", "labels")))
			continue;
		if (is_scaled(l, d))
			return false;
		any = true;
		replicas = AT(d->root, "spec", "replicas");
		*ret_n += !replicas || replicas->kind != DOC_SCALAR ? 1 : scalar_of(replicas).i;
	}
	return any;
}

/* The whole number of an int-or-string, or -1; *ret_percent: with '%'. */
static int64_t number_of(const struct doc_node *n, bool *ret_percent)
{
	struct str s = lint_text(n);
	int64_t v = 0;

	*ret_percent = str_ends(s, "%");
	s.n -= *ret_percent;
	if (!s.n || s.n > 9)
		return -1;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return -1;
		v = v * 10 + (s.p[i] - '0');
	}
	return v;
}

void lint_pdb(struct lint *l, uint32_t doc)
{
	const struct check_doc *d = lint_doc(l, doc);
	const struct doc_node *max = AT(d->root, "spec", "maxUnavailable"),
			      *min = AT(d->root, "spec", "minAvailable");
	bool percent;
	int64_t n = number_of(max, &percent), pods;

	if (n == 0) {
		lint_add(l, KS_LINT_PDB_BLOCKS, doc, lint_node_span(l, doc, max),
			 "allow one: maxUnavailable: 1", "PodDisruptionBudget '%s' never allows an eviction",
			 d->name);
		return;
	}
	n = number_of(min, &percent);
	if (n < 0)
		return;
	if (percent && n >= 100)
		lint_add(l, KS_LINT_PDB_BLOCKS, doc, lint_node_span(l, doc, min), "use maxUnavailable: 1",
			 "PodDisruptionBudget '%s' never allows an eviction", d->name);
	else if (count_pods(l, d, &pods) && pods > 0 && (percent ? (n * pods + 99) / 100 : n) >= pods)
		lint_add(l, KS_LINT_PDB_BLOCKS, doc, lint_node_span(l, doc, min),
			 "use maxUnavailable: 1, or run more replicas",
			 "PodDisruptionBudget '%s' never allows an eviction: it keeps %lld%s of %lld pod%s",
			 d->name, (long long)n, percent ? "%" : "", (long long)pods, pods == 1 ? "" : "s");
}
