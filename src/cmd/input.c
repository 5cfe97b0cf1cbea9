#include "input.h"

#include <string.h>
#include <sys/stat.h>

#include "check.h"
#include "load.h"

/* --catalog FILE brings ready instance types, --catalog DIR is a catalogue. */
static bool is_file(const char *path)
{
	struct stat st;

	return path && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* What an API server would refuse cannot be in a cluster: an error at its place. */
static void refuse(struct run *r, const struct check_doc *doc)
{
	for (uint32_t i = 0; i < doc->errors.n; i++) {
		const struct check_error *e = &doc->errors.v[i];

		diag(&r->diags, KS_CHECK_REFUSED, e->at.src ? e->at : doc->at, "%s %s is refused: %s%s%s",
		     doc->kind, doc->name, e->path, *e->path ? ": " : "", e->message);
	}
}

/* The labels that the provider of the run registers with Karpenter; NULL stands for the AWS provider's. */
static const struct check_labels *provider_labels(struct run *r, const struct cluster *c)
{
	struct check_labels *l = ARENA_NEW(&r->arena, struct check_labels);
	const char **known = ARENA_ARRAY(&r->arena, const char *, c->settings.nwell_known);

	if (!cluster_generic(c))
		return NULL;
	for (uint32_t i = 0; i < c->settings.nwell_known; i++)
		known[i] = intern_c(c->in, c->settings.well_known[i]);
	*l = (struct check_labels){.nknown = c->settings.nwell_known, .known = known};
	return l;
}

/* What only Karpenter's own validation refuses makes its NodePool unusable. */
static void judge_pool(struct run *r, struct cluster *c, const struct check_doc *doc)
{
	struct node_pool *pool = NULL;
	const char *why;

	for (uint32_t i = 0; i < c->pools.n; i++)
		if (strcmp(intern_c(c->in, c->pools.v[i].meta.name), doc->name) == 0)
			pool = &c->pools.v[i];
	why = pool ? check_nodepool_invalid(&r->arena, doc, provider_labels(r, c)) : NULL;
	if (!why)
		return;
	pool->invalid = intern_cstr(c->in, why);
	diag(&r->diags, KS_POOL_INVALID, doc->at,
	     "NodePool %s is left out, as Karpenter finds it invalid: %s", doc->name, why);
}

/* The same of a NodeOverlay: it is as if it were not there. */
static void judge_overlay(struct run *r, struct cluster *c, const struct check_doc *doc)
{
	const char *why = check_overlay_invalid(&r->arena, doc, provider_labels(r, c));
	uint32_t n = 0;

	if (!why || !c->settings.gates[GATE_NODE_OVERLAY])
		return;
	for (uint32_t i = 0; i < c->overlays.n; i++)
		if (strcmp(intern_c(c->in, c->overlays.v[i].meta.name), doc->name) != 0)
			c->overlays.v[n++] = c->overlays.v[i];
	c->overlays.n = n;
	diag(&r->diags, KS_OVERLAY_INVALID, doc->at,
	     "NodeOverlay %s is left out, as Karpenter finds it invalid: %s", doc->name, why);
}

/* What crashes Karpenter or fails each launch of a class decides nothing here, but has to be known. */
static void judge_class(struct run *r, const struct check_doc *doc)
{
	for (uint32_t i = 0; i < doc->runtime.n; i++)
		diag(&r->diags, KS_CLASS_INVALID, doc->runtime.v[i].at.src ? doc->runtime.v[i].at : doc->at,
		     "Karpenter cannot launch nodes of EC2NodeClass %s: %s", doc->name,
		     doc->runtime.v[i].message);
}

static void validate(struct run *r, struct cluster *c, const struct docs *docs)
{
	const struct check_result *result = check_docs(&r->arena, docs);

	for (uint32_t i = 0; i < result->docs.n; i++) {
		const struct check_doc *doc = &result->docs.v[i];

		if (doc->verdict == CHECK_REJECTED)
			refuse(r, doc);
		else if (doc->verdict == CHECK_ACCEPTED && strcmp(doc->kind, "NodePool") == 0)
			judge_pool(r, c, doc);
		else if (doc->verdict == CHECK_ACCEPTED && strcmp(doc->kind, "NodeOverlay") == 0)
			judge_overlay(r, c, doc);
		else if (doc->verdict == CHECK_ACCEPTED && strcmp(doc->kind, "EC2NodeClass") == 0)
			judge_class(r, doc);
	}
}

static struct load_options options_of(const struct opts *o)
{
	return (struct load_options){
		.paths = o->filename.v,
		.npaths = o->filename.n,
		.recursive = o->recursive,
		.types_file = is_file(o->catalog) ? o->catalog : NULL,
		.region = o->region,
		.zones = o->zones.v,
		.nzones = o->zones.n,
		.now = o->now,
		.karpenter_version = o->karpenter_version,
		.gates = o->feature_gates.v,
		.ngates = o->feature_gates.n,
		.preference_policy = o->preference_policy,
		.min_values_policy = o->min_values_policy,
		.ice = o->ice.v,
		.nice = o->ice.n,
	};
}

bool input_read(struct run *r, struct docs *ret_docs)
{
	const struct load_options options = options_of(&r->opts);

	if (!options.npaths) {
		diag(&r->diags, KS_NO_INPUT, SPAN_NONE, "no input");
		diag_hint(&r->diags, "name files or directories with -f, or - for standard input");
		return false;
	}
	load_inputs(&r->arena, &r->diags, &options, ret_docs);
	return true;
}

struct cluster *input_decode(struct run *r, const struct docs *docs)
{
	const struct load_options options = options_of(&r->opts);
	struct cluster *c = load_cluster(&r->arena, &r->diags, docs, &options);

	if (c && !r->diags.errors)
		validate(r, c, docs);
	return r->diags.errors ? NULL : c;
}

struct cluster *input_load(struct run *r)
{
	struct docs docs = {0};

	if (!input_read(r, &docs))
		return NULL;
	if (!docs.v.n && !r->diags.errors) {
		diag(&r->diags, KS_INPUT_EMPTY, SPAN_NONE, "no objects in the input");
		return NULL;
	}
	return input_decode(r, &docs);
}

struct cluster *input_load_any(struct run *r)
{
	const struct load_options options = options_of(&r->opts);
	struct docs docs = {0};

	load_inputs(&r->arena, &r->diags, &options, &docs);
	return input_decode(r, &docs);
}

rsetid input_requirements(struct reqpool *rp, rsetid s, const struct api_requirement *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		enum req_op op;

		if (req_op_parse(intern_str(rp->in, v[i].op), &op))
			s = rset_add(rp, s, req_make(rp, req_key(rp, v[i].key), op, v[i].values, v[i].n, -1));
	}
	return s;
}

rsetid input_pool_requirements(struct reqpool *rp, rsetid s, const struct node_pool *pool)
{
	s = input_requirements(rp, s, pool->req, pool->nreq);
	for (uint32_t i = 0; i < pool->template_labels.n; i++) {
		const struct kv *l = &pool->template_labels.v[i];

		s = rset_add(rp, s, req_in1(rp, req_key(rp, l->key), l->val));
	}
	return s;
}
