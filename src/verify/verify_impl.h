#pragma once
/* Parts of the checker; private to verify/. */
#include "verify.h"

#define NOWHERE UINT32_MAX

/* Where pods may be: an existing node, a NodeClaim on its way, or a NodeClaim of the decision. */
struct place {
	const char *what; /* for findings */
	const struct node *node;
	const struct node_claim *claim;
	const struct plan_claim *fresh; /* of the decision: node and claim are NULL */
	const struct node_pool *pool;   /* NULL: none */
	const struct labels *labels;    /* existing ones */
	sid name, host;
	struct taints taints;
	struct reslist capacity, allocatable; /* existing ones */
	bool initialized, deleting, removed;  /* removed: a candidate */
	VEC(uint32_t) pods;                   /* that count: bound ones that did not end, and those placed */
	uint32_t nplaced;                     /* by the decision */
};

struct scene {
	struct arena *a;
	const struct verify_input *in;
	struct cluster *c;
	struct findings *out;
	VEC(struct place) place;
	uint32_t *at;    /* by pod: its place, NOWHERE when it has none */
	bool *placed;    /* by pod: by this decision */
	bool *waiting;   /* by pod: the decision says that it has no place */
	bool disrupting; /* a round of disruption: where pods go that no replacement takes is not known */
};

__attribute__((format(printf, 3, 4))) void finding(struct scene *s, const char *rule, const char *fmt, ...);
const char *pod_text(const struct scene *s, uint32_t pod);
static inline const char *name_of(const struct scene *s, sid id)
{
	return intern_c(s->c->in, id);
}

/* --- facts about objects (facts.c) --- */

bool ended(const struct pod *p);
bool active(const struct pod *p);
bool owned_by(const struct cluster *c, const struct pod *p, const char *api_version, const char *kind);
bool waits_for_node(const struct cluster *c, const struct pod *p);
/* Would be started again elsewhere when its node went away. */
bool moves_on(const struct cluster *c, const struct pod *p);
/* May not be evicted now: an annotation, or a budget that lets none go (full: that never does). */
bool held(const struct scene *s, const struct pod *p, bool full);
bool has_annotation_shield(const struct cluster *c, const struct pod *p);
/* Evicting it counts for something (B3.1): Emptiness disregards others. */
bool costs_to_evict(const struct cluster *c, const struct pod *p);
/* Karpenter would leave it out of its plans if it waited. */
bool refused(const struct scene *s, const struct pod *p);
bool selects(const struct cluster *c, const struct label_selector *s, const struct labels *l);
bool tolerates(const struct cluster *c, const struct toleration *t, uint32_t n, const struct taint *taint);
bool ports_meet(const struct cluster *c, const struct host_port *x, const struct host_port *y);
bool pool_usable(const struct cluster *c, const struct node_pool *np);

/* --- labels and requirements (match.c) --- */

/* Whether the labels of a node meet an expression; host stands for its hostname. */
bool labels_meet(const struct cluster *c, const struct labels *l, sid host, const struct match_expr *e);
/* Whether every value that the requirements leave to the key of the expression meets it. */
bool reqs_ensure(const struct cluster *c, rsetid reqs, const struct match_expr *e);
/* Whether some value may meet it: for each key both know, or want known, there is one for both. */
bool reqs_meet(const struct cluster *c, rsetid x, rsetid y);
bool reqs_admit(const struct cluster *c, rsetid node, rsetid wanted);
/* Whether a label may have the value. */
bool reqs_allow(const struct cluster *c, rsetid reqs, sid key, sid value);
/* The values of a key where they are counted out, each once; false when they are open. */
bool reqs_values(struct scene *s, rsetid reqs, sid key, const sid **ret_v, uint32_t *ret_n);
const struct req *reqs_find(const struct cluster *c, rsetid reqs, sid key);

/* --- the scene (scene.c) --- */

void scene_init(struct scene *s, struct arena *a, const struct verify_input *in, struct findings *out,
		bool disrupting);
/* The existing place of a node or NodeClaim of that name, or NULL. */
struct place *place_find(struct scene *s, sid name);
/* A place of its own for a NodeClaim of the decision. */
void place_fresh(struct scene *s, const struct plan_claim *claim, uint32_t number);
/* Puts pods to the last added place, or to an existing one. */
void put_pods(struct scene *s, struct place *p, const uint32_t *pod, uint32_t n);

/* --- rules --- */

void check_claim(struct scene *s, const struct place *p);
void check_node(struct scene *s, const struct place *p);
/* selector, volume, taint of one pod on a place; true when all hold. Findings only if say. */
bool check_pod(struct scene *s, const struct place *p, uint32_t pod, bool say);
/* Node selector and one required term. */
bool selector_met(const struct scene *s, const struct place *p, const struct pod_spec *spec);
void check_ports(struct scene *s, const struct place *p);
void check_topology(struct scene *s);
void check_limits(struct scene *s);
/* What a NodePool asks of its nodes. */
rsetid pool_reqs(const struct scene *s, const struct node_pool *np);
/* What the DaemonSets ask of a NodePool's type. */
struct reslist daemons_on_type(const struct scene *s, const struct node_pool *np, const struct itype *t);
/* Room for DaemonSets that are not on the node yet. */
struct reslist daemons_to_come(const struct scene *s, const struct place *p);
/* The first resource that does not fit; SID_NONE: all do. */
sid lacking(const struct reslist *want, const struct reslist *total);
/* Of the offering that labels of a node or NodeClaim name; 0: unknown. */
double price_of(const struct verify_input *in, const struct node_pool *np, const struct labels *l);
/* The first offering that the requirements admit and EC2 has, cheapest or dearest; NULL: none. */
const struct offering *offering_of(const struct scene *s, const struct itype *t, rsetid reqs, bool dearest);
