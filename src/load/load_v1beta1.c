/* v1beta1 objects, read as the conversion of Karpenter v1.0 made them v1 (aws-provider VA-50 to VA-53). */
#include "loader.h"

static const struct field ref_fields[] = {
	FIELD("kind", load_string, struct pool_record, p.class_ref.kind),
	FIELD("name", load_string, struct pool_record, p.class_ref.name),
	FIELD("apiVersion", load_string, struct pool_record, ref_api_version),
};
static const struct schema ref_schema = SCHEMA_OF(ref_fields, NULL);

static const struct field spec_fields[] = {
	FIELD_IN("nodeClassRef", ref_schema),
	FIELD_LIST("requirements", requirement_schema, struct api_requirement, struct pool_record, p.nreq,
		   p.req),
	FIELD_LIST("taints", taint_schema, struct taint, struct pool_record, p.taints.n, p.taints.v),
	FIELD_LIST("startupTaints", taint_schema, struct taint, struct pool_record, p.startup_taints.n,
		   p.startup_taints.v),
	FIELD("kubelet", load_present, struct pool_record, kubelet),
	FIELD_KNOWN("resources"),
};
static const struct schema spec_schema = SCHEMA_OF(spec_fields, NULL);

static const struct field template_fields[] = {
	FIELD_IN("metadata", pool_meta_schema),
	FIELD_IN("spec", spec_schema),
};
static const struct schema beta_template_schema = SCHEMA_OF(template_fields, NULL);

static const char *const policies[] = {"WhenUnderutilized", "WhenEmpty", NULL};

static bool load_expiry(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	((struct pool_record *)rec)->given_expiry = true;
	return load_nillable(l, f, n, rec);
}

static const struct field disruption_fields[] = {
	FIELD("consolidateAfter", load_nillable, struct pool_record, p.consolidate_after),
	FIELD_CHOICE("consolidationPolicy", policies, struct pool_record, when_empty),
	FIELD("expireAfter", load_expiry, struct pool_record, p.expire_after),
	{FIELD_NAME("budgets"), .decode = load_budgets, .off = offsetof(struct pool_record, p.budget),
	 .count = offsetof(struct pool_record, p.nbudget), .size = sizeof(struct budget),
	 .sub = &budget_schema},
};
static const struct schema disruption_schema = SCHEMA_OF(disruption_fields, NULL);

static const struct field pool_spec_fields[] = {
	FIELD_IN("template", beta_template_schema),
	FIELD_IN("disruption", disruption_schema),
	FIELD("limits", load_reslist, struct pool_record, p.limits),
	FIELD("weight", load_int32, struct pool_record, p.weight),
};
static const struct schema pool_spec_schema = SCHEMA_OF(pool_spec_fields, NULL);

static const struct field pool_fields[] = {
	FIELD_MAP("metadata", meta_schema, struct pool_record, p.meta),
	FIELD_IN("spec", pool_spec_schema),
	FIELD_IN("status", pool_status_schema),
};

static void beta_pool_init(void *rec)
{
	struct pool_record *r = rec;

	node_pool_init(&r->p);
	r->p.consolidate_after = DURATION_NONE;
	r->ref_api_version = SID_NONE;
}

const struct schema beta_pool_schema = SCHEMA_OF(pool_fields, beta_pool_init);

static void change(struct buf *b, const char *text)
{
	buf_addf(b, "%s%s", b->n ? "; " : "", text);
}

static void convert_disruption(struct pool_record *r, struct buf *changes)
{
	struct node_pool *p = &r->p;

	if (r->given_expiry)
		change(changes, "spec.disruption.expireAfter moved to spec.template.spec.expireAfter");
	if (r->when_empty) {
		p->policy = CONSOLIDATE_WHEN_EMPTY;
		if (p->consolidate_after == DURATION_NONE)
			p->consolidate_after = DURATION_NEVER;
		return;
	}
	p->policy = CONSOLIDATE_UNDERUTILIZED;
	p->consolidate_after = 0;
	change(changes,
	       "spec.disruption: WhenUnderutilized became WhenEmptyOrUnderutilized with consolidateAfter 0s");
}

static void convert_ref(struct loader *l, struct pool_record *r, struct buf *changes)
{
	struct node_class_ref *ref = &r->p.class_ref;
	struct str api = intern_str(l->in, r->ref_api_version);
	const char *slash = api.n ? memchr(api.p, '/', api.n) : NULL;

	if (ref->kind == SID_EMPTY)
		ref->kind = intern_cstr(l->in, "EC2NodeClass");
	if (slash)
		ref->group = intern_put(l->in, (struct str){api.p, (size_t)(slash - api.p)});
	else
		ref->group = intern_cstr(l->in, "karpenter.k8s.aws");
	change(changes, "spec.template.spec.nodeClassRef: apiVersion became group");
}

static void report(struct loader *l, const char *kind, const struct object_meta *m, const struct buf *changes)
{
	diag(l->d, KS_CONVERTED, m->at, "%s '%s' is v1beta1 and was converted: %s", kind,
	     intern_c(l->in, m->name), changes->n ? buf_cstr(changes) : "nothing changed");
}

bool beta_pool_loaded(struct loader *l, const struct doc_node *n, void *rec)
{
	struct pool_record *r = rec;
	struct buf changes;

	buf_init(&changes);
	convert_disruption(r, &changes);
	convert_ref(l, r, &changes);
	if (r->kubelet)
		change(&changes, "spec.template.spec.kubelet dropped: v1 has it in the EC2NodeClass");
	report(l, "NodePool", &r->p.meta, &changes);
	buf_release(&changes);
	for (uint32_t i = 0; i < r->p.nbudget; i++) {
		r->p.budget[i].nreason = 0;
		r->p.budget[i].reason = NULL;
	}
	return node_pool_loaded(l, n, rec);
}

static const struct {
	const char *family, *alias;
} families[] = {
	{"AL2", "al2@latest"},
	{"AL2023", "al2023@latest"},
	{"Bottlerocket", "bottlerocket@latest"},
	{"Windows2019", "windows2019@latest"},
	{"Windows2022", "windows2022@latest"},
};

/* Ubuntu is AL2 with the root volume that Ubuntu images have. */
static void convert_ubuntu(struct loader *l, struct ec2_node_class *c, struct buf *changes)
{
	c->ami_family = intern_cstr(l->in, "AL2");
	change(changes, "spec.amiFamily Ubuntu became AL2");
	if (c->device)
		return;
	c->ndevice = 1;
	c->device = ARENA_NEW(l->arena, struct nc_block_device);
	*c->device = (struct nc_block_device){.device_name = intern_cstr(l->in, "/dev/sda1"),
					      .root_volume = true,
					      .has_ebs = true,
					      .has_size = true};
	quantity_parse(STR_LIT("20Gi"), &c->device->size);
	change(changes, "spec.blockDeviceMappings: 20Gi at /dev/sda1 added");
}

static void convert_family(struct loader *l, struct class_record *r, struct buf *changes)
{
	struct str family = intern_str(l->in, r->c.ami_family);

	if (str_is(family, "Ubuntu")) {
		convert_ubuntu(l, &r->c, changes);
		return;
	}
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++) {
		if (!str_is(family, families[i].family))
			continue;
		if (r->nterm)
			return;
		r->c.alias = intern_cstr(l->in, families[i].alias);
		r->c.ami_family = SID_NONE;
		buf_addf(changes, "spec.amiFamily %s became the alias %s", families[i].family,
			 families[i].alias);
		return;
	}
	if (str_is(family, "Custom"))
		return;
	r->c.ami_family = intern_cstr(l->in, "Custom");
	change(changes, "spec.amiFamily became Custom");
}

bool beta_class_loaded(struct loader *l, const struct doc_node *n, void *rec)
{
	struct class_record *r = rec;
	struct buf changes;

	if (!node_class_loaded(l, n, rec))
		return false;
	buf_init(&changes);
	convert_family(l, r, &changes);
	r->c.has_devices = r->c.device != NULL;
	report(l, "EC2NodeClass", &r->c.meta, &changes);
	buf_release(&changes);
	return true;
}
