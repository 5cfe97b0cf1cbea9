#pragma once
/* Pieces of Kubernetes objects that several reports print. Everything is in a fixed order: maps by key, sets
 * by value. */
#include "emit.h"
#include "plan.h"

/* Where text for the caller is made; rewound by the caller. */
struct report {
	const struct cluster *c;
	struct arena *scratch;
	struct names_given given; /* to NodeClaims so far */
};

static inline struct str report_text(const struct report *r, sid s)
{
	return intern_str(r->c->in, s);
}

/* How a Plan and a Disruption begin, up to the notes. */
void rep_head(struct emit *e, const struct report *r, const char *kind);
/* "a, b, c"; in the scratch arena. */
const char *rep_names(const struct report *r, const sid *v, uint32_t n);
/* "2 cpu, 1Gi memory"; in the scratch arena. */
const char *rep_amounts(const struct report *r, const struct reslist *l);

void rep_labels(struct emit *e, const struct report *r, const char *key, const struct labels *l);
void rep_resources(struct emit *e, const struct report *r, const char *key, const struct reslist *l);
/* Empty values are left out. stored: with fields by name, as the API server has them. */
void rep_taints(struct emit *e, const struct report *r, const char *key, const struct taints *t, bool stored);
/*
 * Requirements by key, as NodeClaims carry them: bounds as Gte and Lte, which hide excluded values
 * (karpenter-core A6.13).
 * stored: with fields by name and no empty lists, as the API server has them.
 */
void rep_requirements(struct emit *e, const struct report *r, const char *key, rsetid reqs, bool stored);

/* Stands behind the name of a CapacityBuffer's pod when a real pod has that name too. */
#define REP_BUFFER_MARK " (buffer)"
/* "NAMESPACE/NAME" of pod i of cluster.pods; beyond them come the pods of capacity buffers. No two are alike.
 * Lives in the scratch arena. */
struct str rep_pod_name(const struct report *r, uint32_t i);
