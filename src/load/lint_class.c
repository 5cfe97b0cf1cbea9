/* Lints of EC2NodeClasses, and of fields and names that Karpenter and Kubernetes have replaced. */
#include "lint_impl.h"

void lint_class(struct lint *l, uint32_t doc)
{
	const struct jval *spec = jval_get(lint_doc(l, doc)->object, "spec");
	const struct jval *terms = jval_get(spec, "amiSelectorTerms"),
			  *meta = jval_get(spec, "metadataOptions");
	const struct jval *tokens = jval_get(meta, "httpTokens"),
			  *hops = jval_get(meta, "httpPutResponseHopLimit");
	const char *name = lint_doc(l, doc)->name;

	for (uint32_t i = 0; terms && i < terms->items.n; i++) {
		const struct jval *alias = jval_get(terms->items.v[i], "alias");

		/* The Windows families know no other version. */
		if (alias && str_ends(alias->s, "@latest") && !str_starts(alias->s, "windows"))
			lint_add(l, KS_LINT_AMI_LATEST, doc, lint_span(l, doc, alias),
				 "pin a version, as in al2023@v20250915",
				 "nodes of EC2NodeClass '%s' are replaced whenever a new image is published",
				 name);
	}
	if (jval_is_text(tokens, "optional"))
		lint_add(l, KS_LINT_IMDS, doc, lint_span(l, doc, tokens), "use httpTokens: required",
			 "EC2NodeClass '%s' lets the metadata service answer without a token", name);
	if (hops && hops->i > 1)
		lint_add(l, KS_LINT_IMDS, doc, lint_span(l, doc, hops), "use httpPutResponseHopLimit: 1",
			 "EC2NodeClass '%s' lets pods reach the metadata service: its hop limit is %lld",
			 name, (long long)hops->i);
}

struct old_field {
	const char *path, *hint; /* as unknown field of a v1 object */
};

static const struct old_field pool_fields[] = {
	{"spec.disruption.expireAfter", "v1 has it in spec.template.spec.expireAfter"},
	{"spec.template.spec.kubelet", "v1 has it in the EC2NodeClass, spec.kubelet"},
	{"spec.template.spec.nodeClassRef.apiVersion", "v1 has group in its place: karpenter.k8s.aws"},
	{"spec.template.spec.resources", "requests belong to pods; a NodePool has limits"},
	{"spec.ttlSecondsAfterEmpty",
	 "v1 has disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 30s} for it"},
	{"spec.ttlSecondsUntilExpired", "v1 has spec.template.spec.expireAfter for it"},
	{"spec.consolidation", "v1 has spec.disruption for it"},
	{"spec.provider", "v1 has an EC2NodeClass for it, named in spec.template.spec.nodeClassRef"},
	{"spec.providerRef", "v1 has spec.template.spec.nodeClassRef for it"},
	{"spec.requirements", "v1 has it in spec.template.spec.requirements"},
	{"spec.taints", "v1 has it in spec.template.spec.taints"},
	{"spec.startupTaints", "v1 has it in spec.template.spec.startupTaints"},
	{"spec.labels", "v1 has it in spec.template.metadata.labels"},
	{"spec.annotations", "v1 has it in spec.template.metadata.annotations"},
	{"spec.kubeletConfiguration", "v1 has it in the EC2NodeClass, spec.kubelet"},
	{"spec.limits.resources", "v1 has the resources directly under spec.limits"},
	{NULL, NULL},
};

static const struct old_field class_fields[] = {
	{"spec.subnetSelector", "v1 has spec.subnetSelectorTerms, a list of {tags: ...} or {id: ...}"},
	{"spec.securityGroupSelector",
	 "v1 has spec.securityGroupSelectorTerms, a list of {tags: ...} or {id: ...}"},
	{"spec.amiSelector",
	 "v1 has spec.amiSelectorTerms, a list of {alias: ...}, {tags: ...} or {id: ...}"},
	{"spec.launchTemplate", "v1 knows no launch templates of yours: say it in the EC2NodeClass"},
	{"spec.metadataOptions.httpTokensRequired", "v1 has httpTokens: required"},
	{NULL, NULL},
};

static void old_strict(struct lint *l, uint32_t doc, const struct old_field *table)
{
	const struct check_doc *d = lint_doc(l, doc);

	for (uint32_t i = 0; i < d->strict.n; i++)
		for (const struct old_field *f = table; f->path; f++) {
			const struct check_strict *s = &d->strict.v[i];
			size_t n = strlen(f->path);

			/* unknown field "PATH" */
			if (!s->duplicate && strlen(s->text) == n + 16 &&
			    strncmp(s->text + 15, f->path, n) == 0)
				lint_add(l, KS_LINT_OLD_SPELLING, doc, s->at, f->hint,
					 "unknown field \"%s\": an older version of Karpenter's API has it",
					 f->path);
		}
}

/* v1beta1 as kspot plan reads it. */
static bool is_converted(const struct check_doc *d)
{
	return (strcmp(d->kind, "NodePool") == 0 && strcmp(d->api_version, "karpenter.sh/v1beta1") == 0) ||
	       (strcmp(d->kind, "EC2NodeClass") == 0 &&
		strcmp(d->api_version, "karpenter.k8s.aws/v1beta1") == 0);
}

static void old_kind(struct lint *l, uint32_t doc)
{
	static const struct {
		const char *kind, *hint;
	} kinds[] = {
		{"Provisioner", "Karpenter v1 has NodePool (karpenter.sh/v1) and EC2NodeClass in its place"},
		{"Machine", "Karpenter v1 has NodeClaim (karpenter.sh/v1) in its place"},
		{"AWSNodeTemplate", "Karpenter v1 has EC2NodeClass (karpenter.k8s.aws/v1) in its place"},
		{"NodePool", "use apiVersion: karpenter.sh/v1"},
		{"NodeClaim", "use apiVersion: karpenter.sh/v1"},
		{"EC2NodeClass", "use apiVersion: karpenter.k8s.aws/v1"},
		{"NodeOverlay", "use apiVersion: karpenter.sh/v1alpha1"},
		{"CapacityBuffer", "use apiVersion: autoscaling.x-k8s.io/v1beta1"},
	};
	const struct check_doc *d = lint_doc(l, doc);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(d->kind, kinds[i].kind) == 0)
			lint_add(l, KS_LINT_OLD_SPELLING, doc, SPAN_NONE,
				 is_converted(d) ? arena_printf(l->a, "%s; until then kspot plan converts it",
								kinds[i].hint)
						 : kinds[i].hint,
				 "%s %s is not of Karpenter v1.14.1", d->api_version, d->kind);
}

void lint_old_fields(struct lint *l, uint32_t doc)
{
	const struct check_doc *d = lint_doc(l, doc);
	const struct jval *policy = jval_at(d->object, "spec.disruption.consolidationPolicy");

	if (d->verdict == CHECK_UNKNOWN_KIND) {
		old_kind(l, doc);
	} else if (strcmp(d->kind, "NodePool") == 0) {
		old_strict(l, doc, pool_fields);
		if (jval_is_text(policy, "WhenUnderutilized"))
			lint_add(l, KS_LINT_OLD_SPELLING, doc, lint_span(l, doc, policy),
				 "v1 calls it WhenEmptyOrUnderutilized",
				 "WhenUnderutilized is a policy of an older version of Karpenter's API");
	} else if (strcmp(d->kind, "EC2NodeClass") == 0) {
		old_strict(l, doc, class_fields);
	}
}

struct old_name {
	const char *name, *hint;
};

static const struct old_name old_names[] = {
	{"karpenter.sh/do-not-evict", "use the annotation karpenter.sh/do-not-disrupt"},
	{"karpenter.sh/do-not-consolidate", "use the annotation karpenter.sh/do-not-disrupt"},
	{"karpenter.sh/provisioner-name", "use karpenter.sh/nodepool"},
	{"beta.kubernetes.io/arch", "use kubernetes.io/arch"},
	{"beta.kubernetes.io/os", "use kubernetes.io/os"},
	{"beta.kubernetes.io/instance-type", "use node.kubernetes.io/instance-type"},
	{"failure-domain.beta.kubernetes.io/zone", "use topology.kubernetes.io/zone"},
	{"failure-domain.beta.kubernetes.io/region", "use topology.kubernetes.io/region"},
};

static const struct old_name *find_old(struct str s)
{
	for (size_t i = 0; i < sizeof(old_names) / sizeof(old_names[0]); i++)
		if (str_is(s, old_names[i].name))
			return &old_names[i];
	return NULL;
}

static void report_old(struct lint *l, uint32_t doc, struct span at, struct str s)
{
	const struct old_name *old = find_old(s);

	if (old)
		lint_add(l, KS_LINT_DEPRECATED, doc, at, old->hint, "'%s' has been replaced", old->name);
}

/* Keys of maps, and the values of key and topologyKey. Depth is bounded by the reader. */
static void walk_names(struct lint *l, uint32_t doc, const struct doc_node *n)
{
	for (uint32_t i = 0; n->kind == DOC_SEQ && i < n->n; i++)
		walk_names(l, doc, n->items[i]);
	for (uint32_t i = 0; n->kind == DOC_MAP && i < n->n; i++) {
		const struct doc_entry *e = &n->entries[i];

		report_old(l, doc, (struct span){lint_doc(l, doc)->src, e->line, e->col, (uint32_t)e->key.n},
			   e->key);
		if (str_is(e->key, "key") || str_is(e->key, "topologyKey"))
			report_old(l, doc, lint_node_span(l, doc, e->value), lint_text(e->value));
		walk_names(l, doc, e->value);
	}
}

/* What the cluster itself wrote of nodes is not the user's to mend. */
void lint_names(struct lint *l, uint32_t doc)
{
	const struct check_doc *d = lint_doc(l, doc);

	if (d->root->kind != DOC_MAP || strcmp(d->kind, "Node") == 0 || strcmp(d->kind, "CSINode") == 0 ||
	    doc_get(doc_get(d->root, "metadata"), "uid"))
		return;
	walk_names(l, doc, d->root);
}
