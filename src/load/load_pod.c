#include "loader.h"
#include "podreq.h"
#include "scalar.h"

static const struct field status_requests_fields[] = {
	FIELD("requests", load_reslist, struct container_status, requests),
	FIELD_KNOWN("limits"),
	FIELD_KNOWN("claims"),
};
static const struct schema status_requests_schema = SCHEMA_OF(status_requests_fields, NULL);

static const struct field container_status_fields[] = {
	FIELD("name", load_string, struct container_status, name),
	FIELD("allocatedResources", load_reslist, struct container_status, allocated),
	FIELD_IN("resources", status_requests_schema),
	FIELD_KNOWN("allocatedResourcesStatus"),
	FIELD_KNOWN("containerID"),
	FIELD_KNOWN("image"),
	FIELD_KNOWN("imageID"),
	FIELD_KNOWN("lastState"),
	FIELD_KNOWN("ready"),
	FIELD("restartCount", load_int32, struct container_status, restarts),
	FIELD_KNOWN("started"),
	FIELD_KNOWN("state"),
	FIELD_KNOWN("stopSignal"),
	FIELD_KNOWN("user"),
	FIELD_KNOWN("volumeMounts"),
};
static const struct schema container_status_schema = SCHEMA_OF(container_status_fields, NULL);

static const char *const phases[] = {"Pending", "Running", "Succeeded", "Failed", "Unknown", NULL};

static const struct field status_fields[] = {
	FIELD_CHOICE("phase", phases, struct pod_record, pod.phase),
	FIELD_LIST("conditions", condition_schema, struct condition, struct pod_record, pod.conditions.n,
		   pod.conditions.v),
	FIELD("startTime", load_past, struct pod_record, pod.start_time),
	FIELD("nominatedNodeName", load_string, struct pod_record, pod.nominated_node),
	FIELD_LIST("containerStatuses", container_status_schema, struct container_status, struct pod_record,
		   nstatus, status),
	FIELD_LIST("initContainerStatuses", container_status_schema, struct container_status,
		   struct pod_record, ninit_status, init_status),
	FIELD_KNOWN("allocatedResources"),
	FIELD_KNOWN("ephemeralContainerStatuses"),
	FIELD_KNOWN("extendedResourceClaimStatus"),
	FIELD_KNOWN("hostIP"),
	FIELD_KNOWN("hostIPs"),
	FIELD_KNOWN("message"),
	FIELD_KNOWN("observedGeneration"),
	FIELD_KNOWN("podIP"),
	FIELD_KNOWN("podIPs"),
	FIELD_KNOWN("qosClass"),
	FIELD_KNOWN("reason"),
	FIELD_KNOWN("resize"),
	FIELD_KNOWN("resourceClaimStatuses"),
	FIELD_KNOWN("resources"),
};
static const struct schema status_schema = SCHEMA_OF(status_fields, NULL);

/* The value stays in the document until the object is known to be stored or new. */
static bool keep_node(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	if (n->kind != DOC_MAP)
		return load_wrong_type(l, n, "a map");
	*(const struct doc_node **)(void *)((char *)rec + f->off) = n;
	return true;
}

static const struct field pod_fields[] = {
	FIELD_MAP("metadata", meta_schema, struct pod_record, pod.meta),
	{FIELD_NAME("spec"), .decode = keep_node, .off = offsetof(struct pod_record, spec_node),
	 .sub = &pod_spec_schema, .required = true},
	FIELD_IN("status", status_schema),
};

static void pod_init(void *rec)
{
	struct pod_record *p = rec;

	meta_schema.init(&p->pod.meta);
	p->pod.start_time = TIME_NONE;
	p->pod.phase = POD_UNKNOWN;
}

const struct schema pod_schema = SCHEMA_OF(pod_fields, pod_init);

struct shared_spec *load_spec_at(struct loader *l, const struct doc_node *n, const char *name,
				 enum spec_mode mode)
{
	const struct frame frame = {l->path, str_of(name), UINT32_MAX};
	struct shared_spec *s;

	l->path = &frame;
	s = load_spec(l, n, mode);
	l->path = frame.up;
	return s;
}

static const struct container_status *status_of(const struct container_status *v, uint32_t n, sid name)
{
	for (uint32_t i = 0; i < n; i++)
		if (v[i].name == name)
			return v[i].allocated.n || v[i].requests.n ? &v[i] : NULL;
	return NULL;
}

static bool add_status(struct container *c, uint32_t n, const sid *names,
		       const struct container_status *status, uint32_t nstatus)
{
	bool any = false;

	for (uint32_t i = 0; i < n; i++) {
		const struct container_status *s = status_of(status, nstatus, names[i]);

		if (!s)
			continue;
		c[i].has_status = any = true;
		c[i].status_allocated = s->allocated;
		c[i].status_requests = s->requests;
	}
	return any;
}

static bool resize_infeasible(const struct loader *l, const struct pod *p)
{
	const struct condition *c = conditions_find(&p->conditions, l->in, "PodResizePending");

	return c && str_is(intern_str(l->in, c->reason), "Infeasible");
}

static int32_t most_restarts(const struct container_status *v, uint32_t n)
{
	int32_t most = 0;

	for (uint32_t i = 0; i < n; i++)
		most = v[i].restarts > most ? v[i].restarts : most;
	return most;
}

/* Init containers that run once do not count. */
static int32_t sidecar_restarts(const struct pod_record *r)
{
	int32_t most = 0;

	for (uint32_t i = 0; i < r->shared->spec.ninit; i++)
		for (uint32_t k = 0; r->shared->spec.init[i].restart_always && k < r->ninit_status; k++)
			if (r->init_status[k].name == r->shared->init_names[i] &&
			    r->init_status[k].restarts > most)
				most = r->init_status[k].restarts;
	return most;
}

/* A pod whose containers were given other resources than its spec says has a spec of its own. */
static void apply_status(struct loader *l, struct pod_record *r)
{
	const struct shared_spec *shared = r->shared;
	struct pod_spec *own;
	struct reslist requests;
	bool any;

	if (!r->nstatus && !r->ninit_status)
		return;
	r->pod.restarts = most_restarts(r->status, r->nstatus);
	r->pod.sidecar_restarts = sidecar_restarts(r);
	own = arena_memdup(l->arena, &shared->spec, 1, sizeof(*own));
	own->container = arena_memdup(l->arena, own->container, own->ncontainer, sizeof(*own->container));
	own->init = arena_memdup(l->arena, own->init, own->ninit, sizeof(*own->init));
	any = add_status(own->container, own->ncontainer, shared->container_names, r->status, r->nstatus);
	any |= add_status(own->init, own->ninit, shared->init_names, r->init_status, r->ninit_status);
	if (!any)
		return;
	requests =
		pod_requests_of(l->in, l->arena, own, resize_infeasible(l, &r->pod) ? PODREQ_INFEASIBLE : 0);
	if (reslist_eq(&requests, &shared->requests))
		return;
	r->pod.spec = own;
	r->pod.requests = requests;
}

/* The one field of a spec that is the pod's own; SID_EMPTY when absent. */
bool load_node_name(struct loader *l, const struct doc_node *spec, const char *path, sid *ret_node)
{
	const struct field f = {.off = 0};
	const struct frame frame = {NULL, str_of(path), UINT32_MAX};
	const struct doc_node *name = doc_get(spec, "nodeName");
	bool ok;

	*ret_node = SID_EMPTY;
	if (doc_is_null(name))
		return true;
	l->path = &frame;
	ok = load_string(l, &f, name, ret_node);
	l->path = NULL;
	return ok;
}

bool pod_loaded(struct loader *l, const struct doc_node *n, void *rec)
{
	struct pod_record *r = rec;
	r->pod.order = l->sequence++;
	r->pod.has_conditions = r->pod.conditions.n > 0;
	if (!load_node_name(l, r->spec_node, "spec.nodeName", &r->pod.node))
		return false;
	/* A bound pod whose phase nobody wrote down is not pending. */
	if (r->pod.phase == POD_UNKNOWN && r->pod.node == SID_EMPTY)
		r->pod.phase = POD_PENDING;
	r->shared = load_spec_at(l, r->spec_node, "spec", l->stored ? SPEC_STORED : SPEC_NEW);
	if (!r->shared)
		return false;
	r->pod.spec = &r->shared->spec;
	r->pod.requests = r->shared->requests;
	apply_status(l, r);
	(void)n;
	return true;
}

static const struct field template_fields[] = {
	FIELD_MAP("metadata", meta_schema, struct template_record, meta),
	{FIELD_NAME("spec"), .decode = keep_node, .off = offsetof(struct template_record, spec_node),
	 .sub = &pod_spec_schema, .required = true},
};
const struct schema template_schema = SCHEMA_OF(template_fields, NULL);

static const struct field daemon_set_spec_fields[] = {
	FIELD_MAP("template", template_schema, struct daemon_record, template),
	FIELD_KNOWN("selector"),
	FIELD_KNOWN("minReadySeconds"),
	FIELD_KNOWN("revisionHistoryLimit"),
	FIELD_KNOWN("updateStrategy"),
};
static const struct schema daemon_set_spec_schema = SCHEMA_OF(daemon_set_spec_fields, NULL);

static const struct field daemon_set_fields[] = {
	FIELD_MAP("metadata", meta_schema, struct daemon_record, ds.meta),
	FIELD_IN("spec", daemon_set_spec_schema),
	FIELD_KNOWN("status"),
};

static void daemon_init(void *rec)
{
	struct daemon_record *r = rec;

	meta_schema.init(&r->ds.meta);
	meta_schema.init(&r->template.meta);
}

const struct schema daemon_set_schema = SCHEMA_OF(daemon_set_fields, daemon_init);

/* An object that makes pods and has no template of one. */
bool load_no_template(struct loader *l, const struct doc_node *n)
{
	diag(l->d, KS_MISSING_FIELD, load_span(l, n), "spec.template.spec is missing");
	return false;
}

bool daemon_set_loaded(struct loader *l, const struct doc_node *n, void *rec)
{
	struct daemon_record *r = rec;
	struct shared_spec *s;

	if (!r->template.spec_node)
		return load_no_template(l, n);
	s = load_spec_at(l, r->template.spec_node, "spec.template.spec",
			 l->stored ? SPEC_STORED : SPEC_TEMPLATE);
	if (!s)
		return false;
	r->ds.spec = &s->spec;
	r->ds.template_labels = r->template.meta.labels;
	return true;
}

static const struct field pod_template_fields[] = {
	FIELD_MAP("metadata", meta_schema, struct pod_template, meta),
	FIELD_MAP("template", template_schema, struct pod_template, template),
};

static void pod_template_init(void *rec)
{
	struct pod_template *t = rec;

	meta_schema.init(&t->meta);
	meta_schema.init(&t->template.meta);
}

const struct schema pod_template_schema = SCHEMA_OF(pod_template_fields, pod_template_init);

bool pod_template_loaded(struct loader *l, const struct doc_node *n, void *rec)
{
	struct pod_template *t = rec;

	if (!t->template.spec_node) {
		diag(l->d, KS_MISSING_FIELD, load_span(l, n), "template.spec is missing");
		return false;
	}
	t->shared = load_spec_at(l, t->template.spec_node, "template.spec", SPEC_NEW);
	return t->shared != NULL;
}
