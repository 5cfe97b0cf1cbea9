#pragma once
/* What the files of the lints share. */
#include "lint.h"
#include "require.h"

struct reqpool;

/* A NodePool that was accepted. */
struct lint_pool {
	uint32_t doc;
	const struct jval *spec, *template; /* spec and spec.template */
	struct str name;
	int64_t weight;
	rsetid reqs; /* with its labels, as Karpenter makes requirements of them */
};

struct lint {
	struct arena *a;
	const struct check_result *in;
	struct lint_findings *out;
	struct intern strings;
	struct reqpool reqs;
	VEC(struct lint_pool) pools;
	uint32_t nclasses; /* EC2NodeClasses of the input */
};

/* A finding about a document; span SPAN_NONE: the document as a whole. */
__attribute__((format(printf, 6, 7))) void lint_add(struct lint *l, enum diag_code code, uint32_t doc,
						    struct span at, const char *hint, const char *fmt, ...);
struct span lint_span(const struct lint *l, uint32_t doc, const struct jval *v);
struct span lint_node_span(const struct lint *l, uint32_t doc, const struct doc_node *n);

static inline const struct check_doc *lint_doc(const struct lint *l, uint32_t doc)
{
	return &l->in->docs.v[doc];
}

/* The reqpool's view of a NodePool (lint_pool.c). */
void lint_collect_pools(struct lint *l);
void lint_pool(struct lint *l, const struct lint_pool *p);    /* lint_pool.c */
void lint_budgets(struct lint *l, const struct lint_pool *p); /* lint_budget.c */
void lint_overlaps(struct lint *l);                           /* lint_pool.c */
void lint_class(struct lint *l, uint32_t doc);                /* lint_class.c */
void lint_old_fields(struct lint *l, uint32_t doc);           /* lint_class.c */
void lint_names(struct lint *l, uint32_t doc);    /* lint_class.c: replaced labels and annotations */
void lint_workload(struct lint *l, uint32_t doc); /* lint_workload.c */
void lint_pdb(struct lint *l, uint32_t doc);      /* lint_workload.c */
/* The pod spec of a workload, a Pod or a CronJob, and the template or object that has its labels; NULL for
 * other kinds. */
const struct doc_node *lint_pod_spec(const struct check_doc *d, const struct doc_node **ret_template);
/* The text of a string node, or "". */
struct str lint_text(const struct doc_node *n);
