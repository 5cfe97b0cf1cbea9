/* What Karpenter says of an accepted object, kind by kind. */
#include <stdlib.h>

#include "crd.h"
#include "crd_runtime.h"
#include "cron.h"
#include "duration.h"

static void check_nodes(struct arena *a, const struct check_doc *doc, const struct jval *nodes, uint32_t i,
			struct remarks *errors, struct remarks *warnings)
{
	struct str s = jval_text(nodes);
	uint64_t v = 0;

	for (size_t k = 0; k < s.n; k++) {
		if (s.p[k] < '0' || s.p[k] > '9')
			return; /* a percentage */
		if (v > (INT64_MAX - (uint64_t)(s.p[k] - '0')) / 10) {
			runtime_add(
				a, errors, doc, nodes, "budget",
				arena_printf(
					a,
					"spec.disruption.budgets[%u]: invalid value for IntOrString: invalid "
					"type: string is not a percentage",
					i));
			return;
		}
		v = v * 10 + (uint64_t)(s.p[k] - '0');
	}
	if (v > INT32_MAX)
		runtime_add(a, warnings, doc, nodes, "budget",
			    arena_printf(a,
					 "spec.disruption.budgets[%u]: nodes \"%.*s\" overflows int32 and is "
					 "read as %d",
					 i, STR_ARG(s), (int)(int32_t)(uint32_t)v));
}

/* Whether the budget is ever evaluated further. */
static bool check_schedule(struct arena *a, const struct check_doc *doc, const struct jval *budget,
			   uint32_t i, struct remarks *errors, struct remarks *warnings)
{
	const struct jval *schedule = jval_get(budget, "schedule"), *duration = jval_get(budget, "duration");
	struct cron cron;
	const char *error;
	int64_t ns;

	if (!schedule)
		return true;
	error = cron_parse(a, schedule->s, &cron);
	if (error) {
		runtime_add(a, errors, doc, schedule, "budget",
			    arena_printf(a,
					 "spec.disruption.budgets[%u]: invariant violated, invalid cron, %s "
					 "(cron=<nil>)",
					 i, error));
		return false;
	}
	if (!cron_fires(&cron)) {
		runtime_add(a, warnings, doc, schedule, "budget",
			    arena_printf(a,
					 "spec.disruption.budgets[%u]: schedule \"%.*s\" never fires, so the "
					 "budget is always active",
					 i, STR_ARG(schedule->s)));
		return true;
	}
	if (duration && duration_parse(duration->s, &ns, NULL) && ns == 0) {
		runtime_add(a, warnings, doc, duration, "budget",
			    arena_printf(a,
					 "spec.disruption.budgets[%u]: duration is zero, so the budget is "
					 "never active",
					 i));
		return false;
	}
	return true;
}

void runtime_budgets(struct arena *a, const struct check_doc *doc, struct remarks *ret_errors,
		     struct remarks *ret_warnings)
{
	const struct jval *list = jval_at(doc->object, "spec.disruption.budgets");

	for (uint32_t i = 0; jval_is(list, JV_LIST) && i < list->items.n; i++) {
		/* Karpenter reads nodes only while the budget is active. */
		if (check_schedule(a, doc, list->items.v[i], i, ret_errors, ret_warnings))
			check_nodes(a, doc, jval_get(list->items.v[i], "nodes"), i, ret_errors, ret_warnings);
	}
}

/* Values that the provider reads with a parser that panics. */
static void check_quantities(struct arena *a, const struct check_doc *doc, const char *field,
			     const char *const *keys, struct remarks *errors)
{
	const struct jval *map = jval_at(doc->object, field);

	for (uint32_t i = 0; jval_is(map, JV_MAP) && i < map->members.n; i++) {
		const struct jmember *m = &map->members.v[i];
		struct str s = jval_text(m->v);
		bool read = !keys;

		for (const char *const *k = keys; k && *k; k++)
			read = read || str_is(m->key, *k);
		if (!read || str_ends(s, "%") || !quantity_error(s))
			continue;
		runtime_add(a, errors, doc, m->v, "panic",
			    arena_printf(a, "%s[%.*s]: cannot parse '%.*s': %s", field, STR_ARG(m->key),
					 STR_ARG(s), quantity_error(s)));
	}
}

static const char *family_of(const struct jval *spec, struct str *ret_alias)
{
	static const struct {
		const char *alias, *family;
	} families[] = {
		{"al2", "AL2"},
		{"al2023", "AL2023"},
		{"bottlerocket", "Bottlerocket"},
		{"windows2019", "Windows2019"},
		{"windows2022", "Windows2022"},
		{"windows2025", "Windows2025"},
	};
	const struct jval *terms = jval_get(spec, "amiSelectorTerms"), *set = jval_get(spec, "amiFamily");
	struct str alias = {"", 0}, name;
	const char *at;

	for (uint32_t i = 0; terms && i < terms->items.n; i++)
		if (jval_get(terms->items.v[i], "alias"))
			alias = jval_text(jval_get(terms->items.v[i], "alias"));
	*ret_alias = alias;
	at = alias.n ? memchr(alias.p, '@', alias.n) : NULL;
	name = (struct str){alias.p, at ? (size_t)(at - alias.p) : 0};
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (set ? jval_is_text(set, families[i].family) : str_is(name, families[i].alias))
			return families[i].family;
	return "Custom";
}

void runtime_nodeclass(struct arena *a, const struct check_doc *doc, struct remarks *ret_errors)
{
	static const char *const hard[] = {"memory.available", "nodefs.available", NULL};
	const struct jval *spec = jval_get(doc->object, "spec"), *data = jval_get(spec, "userData");
	struct str alias;
	const char *family = family_of(spec, &alias), *at, *error;

	at = alias.n ? memchr(alias.p, '@', alias.n) : NULL;
	if (at && memchr(at + 1, '@', alias.n - (size_t)(at + 1 - alias.p)))
		runtime_add(a, ret_errors, doc, jval_get(spec, "amiSelectorTerms"), "crash",
			    arena_printf(a, "failed to parse AMI alias \"%.*s\", invalid format",
					 STR_ARG(alias)));
	check_quantities(a, doc, "spec.kubelet.kubeReserved", NULL, ret_errors);
	check_quantities(a, doc, "spec.kubelet.systemReserved", NULL, ret_errors);
	check_quantities(a, doc, "spec.kubelet.evictionHard", hard, ret_errors);
	error = data ? userdata_error(a, family, data->s) : NULL;
	if (error)
		runtime_add(a, ret_errors, doc, data, "userData", arena_printf(a, "%s: %s", family, error));
}

static void check_class_ref(struct arena *a, struct check_doc *doc, const char *path,
			    struct remarks *warnings)
{
	const struct jval *ref = jval_at(doc->object, path);
	struct str group = jval_text(jval_get(ref, "group")), kind = jval_text(jval_get(ref, "kind"));

	if (!str_is(group, "karpenter.k8s.aws") || !str_is(kind, "EC2NodeClass"))
		runtime_add(a, warnings, doc, ref, "unmanaged",
			    arena_printf(a,
					 "nodeClassRef %.*s.%.*s is not EC2NodeClass.karpenter.k8s.aws: the "
					 "AWS provider "
					 "ignores this %s",
					 STR_ARG(kind), STR_ARG(group), doc->kind));
}

static void gated(struct arena *a, struct check_doc *doc, struct remarks *warnings)
{
	runtime_add(a, warnings, doc, NULL, "featureGate",
		    arena_printf(a, "without the %s feature gate (off by default) this object has no effect",
				 doc->kind));
}

static int cmp_remark(const void *a, const void *b)
{
	const struct check_remark *x = a, *y = b;
	int c = strcmp(x->source, y->source);

	return c ? c : strcmp(x->message, y->message);
}

static void keep(struct arena *a, struct check_doc *doc, const struct remarks *errors,
		 const struct remarks *warnings)
{
	for (uint32_t i = 0; i < errors->v.n; i++)
		VEC_PUSH(a, &doc->runtime, errors->v.v[i]);
	for (uint32_t i = 0; i < warnings->v.n; i++)
		VEC_PUSH(a, &doc->warnings, warnings->v.v[i]);
	if (doc->runtime.n)
		qsort(doc->runtime.v, doc->runtime.n, sizeof(*doc->runtime.v), cmp_remark);
	if (doc->warnings.n)
		qsort(doc->warnings.v, doc->warnings.n, sizeof(*doc->warnings.v), cmp_remark);
}

void crd_runtime(struct crd_walk *w, const struct jval *root)
{
	struct remarks errors = {0}, warnings = {0};
	struct check_doc *doc = w->doc;
	const struct jval *at, *replicas = w->kind == &crd_nodepool ? jval_at(root, "spec.replicas") : NULL;
	const char *decode = crd_decode_error(w, root, &at);

	if (decode) {
		runtime_add(w->a, &errors, doc, at, "decode", decode);
		keep(w->a, doc, &errors, &warnings);
		return;
	}
	if (w->kind == &crd_nodepool) {
		runtime_nodepool(w->a, doc, &check_labels_aws, &errors, &warnings);
		runtime_budgets(w->a, doc, &errors, &warnings);
	} else if (w->kind == &crd_nodeoverlay) {
		runtime_overlay(w->a, doc, &errors, &warnings);
	} else if (w->kind == &crd_nodeclass) {
		runtime_nodeclass(w->a, doc, &errors);
	} else if (w->kind == &crd_buffer && !jval_at(root, "spec.podTemplateRef") &&
		   !jval_at(root, "spec.scalableRef")) {
		runtime_add(w->a, &errors, doc, NULL, "CapacityBuffer.controller",
			    "Neither podTemplateRef nor scalableRef is set");
	}
	if (w->kind == &crd_nodepool)
		check_class_ref(w->a, doc, "spec.template.spec.nodeClassRef", &warnings);
	if (w->kind == &crd_nodeclaim)
		check_class_ref(w->a, doc, "spec.nodeClassRef", &warnings);
	if (w->kind == &crd_nodeoverlay || w->kind == &crd_buffer)
		gated(w->a, doc, &warnings);
	if (replicas)
		runtime_add(w->a, &warnings, doc, replicas, "featureGate",
			    "spec.replicas is set: without the StaticCapacity feature gate (off by default) "
			    "no nodes are "
			    "launched for this NodePool");
	keep(w->a, doc, &errors, &warnings);
}
