/*
 * What the API server and Karpenter's own validation have to say before anything is decided: an object that
 * would be refused is an error; a NodePool that Karpenter finds invalid stays, not ready, with a warning.
 * Rule: design 3.1.
 */
#include "load_verdict.h"

#include "check.h"

static void refuse(struct diags *d, const struct check_doc *doc)
{
	for (uint32_t i = 0; i < doc->errors.n; i++) {
		const struct check_error *e = &doc->errors.v[i];

		/* That rules were skipped is no news beside the error that made the server skip them. */
		if (!*e->path && doc->errors.n > 1)
			continue;
		diag(d, KS_CHECK_REFUSED, e->at, "%s '%s' would be refused: %s%s%s", doc->kind, doc->name, e->path,
		     *e->path ? ": " : "", e->message);
	}
}

static struct node_pool *pool_named(struct cluster *c, const char *name)
{
	const sid id = intern_find(c->in, str_of(name));

	for (uint32_t i = 0; id != SID_NONE && i < c->pools.n; i++)
		if (c->pools.v[i].meta.name == id)
			return &c->pools.v[i];
	return NULL;
}

/* An object that does not decode keeps Karpenter from reading any of its kind; here only it is left out. */
static const char *decode_error(const struct check_doc *doc)
{
	for (uint32_t i = 0; i < doc->runtime.n; i++)
		if (strcmp(doc->runtime.v[i].source, "decode") == 0)
			return doc->runtime.v[i].message;
	return NULL;
}

static void mark_pool(struct diags *d, struct cluster *c, const struct check_doc *doc,
		      const struct check_labels *labels)
{
	struct node_pool *pool = pool_named(c, doc->name);
	const char *why = decode_error(doc);

	if (!why)
		why = check_nodepool_invalid(c->arena, doc, labels);
	if (!why || !pool)
		return;
	pool->invalid = intern_cstr(c->in, why);
	diag(d, KS_POOL_INVALID, doc->at, "NodePool '%s' is not used: %s", doc->name, why);
}

/* With ready instance types the provider is not AWS: its labels are those that the settings name. */
static struct check_labels *provider_labels(const struct cluster *c)
{
	const struct settings *s = &c->settings;
	struct check_labels *labels;
	const char **known;

	if (!cluster_generic(c))
		return NULL;
	labels = ARENA_NEW(c->arena, struct check_labels);
	known = ARENA_ARRAY(c->arena, const char *, s->nwell_known);
	for (uint32_t i = 0; i < s->nwell_known; i++)
		known[i] = intern_c(c->in, s->well_known[i]);
	labels->nknown = s->nwell_known;
	labels->known = known;
	return labels;
}

bool load_verdicts(struct diags *d, const struct docs *docs, struct cluster *c)
{
	const struct check_result *result = check_docs(c->arena, docs, false);
	const struct check_labels *labels = provider_labels(c);
	bool ok = true;

	for (uint32_t i = 0; i < result->docs.n; i++) {
		const struct check_doc *doc = &result->docs.v[i];

		if (doc->verdict == CHECK_REJECTED) {
			refuse(d, doc);
			ok = false;
		} else if (doc->verdict == CHECK_ACCEPTED && strcmp(doc->kind, "NodePool") == 0) {
			mark_pool(d, c, doc, labels);
		}
	}
	return ok;
}
