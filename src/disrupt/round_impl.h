#pragma once
/* Parts of a round; private to disrupt/. */
#include "finish.h"
#include "protect.h"
#include "provision.h"
#include "round.h"

/* A node that may be disrupted (B2, B3). */
struct candidate {
	uint32_t snode;
	const struct node_pool *pool;
	const struct itype *type; /* NULL: the NodePool has no such type */
	sid zone, capacity_type;  /* SID_NONE: no label */
	double price, cost;       /* cost: of rescheduling its pods, 1 or more (B3.2) */
	uint32_t npod, *pod;      /* reschedulable ones */
	int64_t drifted_at;
};

struct candidates {
	VEC(struct candidate) v;
};

struct drift_state {
	sid drifted; /* reason; SID_EMPTY: not drifted */
	int64_t at;
	bool consolidatable;
};

struct events {
	VEC(struct disrupt_event) v;
};

struct pool_totals {
	bool known;
	double price, cost; /* of all the pool's nodes (B12.4, B12.5) */
};

struct round {
	struct arena *arena; /* of the result */
	struct snapshot *s;
	const struct disrupt_input *in;
	struct disruption *out;
	struct drift_state *claim; /* by NodeClaim of the cluster */
	struct events events;
	uint64_t *virtual_nodes;           /* bits over state nodes: they hold pods of CapacityBuffers */
	struct pod_list pending, deleting; /* Karpenter's lists of the same state */
	uint64_t *deleting_nodes;          /* bits over state nodes */
	bool *pool_noted;                  /* by usable NodePool: NoCompatibleInstanceTypes was published */
	struct pool_totals *totals;        /* by NodePool, of the method at work */
	struct node_verdict *verdict;      /* by state node */
};

/* A simulated removal of candidates (B6). */
struct simulation {
	struct arena arena;   /* of the run */
	struct solving *run;  /* NULL: it could not run */
	const char *error;    /* why it could not run */
	uint32_t nclaim;      /* NodeClaims it would create */
	const char *unplaced; /* text of the pods without a place that are not just pending; NULL: none */
};

/* A command as it is being worked out. */
struct move {
	uint32_t n;
	const struct candidate *const *v;
	bool ok; /* false: nothing to do */
	uint32_t nreplacement;
	struct claim_data *replacement;
	double savings;
	uint32_t hosts; /* hostname placeholders its simulation used */
};

__attribute__((format(printf, 4, 5))) void event_on(struct round *r, const char *object, const char *reason,
						    const char *fmt, ...);
/* On the Node and its NodeClaim, whichever is there. */
__attribute__((format(printf, 4, 5))) void event_node(struct round *r, const struct snode *n,
						      const char *reason, const char *fmt, ...);
/* What looking at the pod's do-not-disrupt annotation publishes. */
void event_shield(struct round *r, const struct pod *p);
void events_finish(struct round *r);
/* First letter upper-cased. */
const char *sentence(struct arena *a, const char *s);

/* kspot's own verdict of a node that stays; the first one stands. */
__attribute__((format(printf, 4, 5))) void verdict(struct round *r, uint32_t snode, enum verdict_code code,
						   const char *fmt, ...);
/* The same over what was said before: what keeps a drifted node tells more than why it is not consolidated.
 */
__attribute__((format(printf, 4, 5))) void verdict_over(struct round *r, uint32_t snode,
							enum verdict_code code, const char *fmt, ...);
void verdict_budget(struct round *r, const struct candidate *c, const struct pool_budget *b,
		    enum disrupt_reason reason);
void verdict_too_early(struct round *r, const struct candidate *c);
/* "it is drifted (REASON), but " */
const char *drifted_text(struct round *r, uint32_t snode);
/* acting: the method whose commands the round executes; METHOD_MAX_: none. */
void verdicts_finish(struct round *r, int acting);

/* Conditions of NodeClaims, and the pods that wait or whose nodes go. arena, s and in are set. */
void round_begin(struct round *r);
void conditions_decide(struct round *r);

/* The node as a candidate, whatever blocks it; it has a NodeClaim and a NodePool with types. */
void candidate_make(struct round *r, uint32_t snode, struct candidate *out);

enum candidate_filter { FILTER_EMPTY, FILTER_STATIC_DRIFT, FILTER_DRIFT, FILTER_CONSOLIDATE };

/* Candidates that pass the method's filter, by node name. eventual: terminationGracePeriod overrules pods.
 * Sets totals. */
void candidates_find(struct round *r, enum candidate_filter f, bool eventual, struct candidates *out);
/* sort.Slice by savings for the cost, best first (B3.9). */
void candidates_sort(struct candidates *c);
double eviction_cost(const struct cluster *c, const struct pod *p);

/* consolidate: nodes within consolidateAfter take no candidates' pods. */
void simulate(struct round *r, const struct candidate *const *v, uint32_t n, bool consolidate,
	      struct simulation *sim);
void simulation_release(struct simulation *sim);

/* B7, B8. error: the simulation could not run. What a move holds lives in r->arena. */
struct move consolidation_of(struct round *r, const struct candidate *const *v, uint32_t n,
			     const char **ret_error);
/* Price of the dearest offering of the class a launch would choose (B7.7). */
double worst_launch_price(struct reqpool *p, const struct itype *t, rsetid reqs);
/* Keeps the types that launch below a price; false when minValues then falls short: why. */
bool keep_cheaper(struct round *r, struct claim_data *d, double price, const char **ret_why);
/* Takes over the claims of a simulation as replacements. */
void move_keep(struct round *r, const struct simulation *sim, struct move *m);
double move_savings(const struct round *r, const struct move *m);

struct score {
	double savings, cost; /* fractions of the pool's */
	double value;
	bool approved;
};

/* B12.3 for one pool. */
struct score score_of(const struct pool_totals *t, double savings, double cost);
bool move_approved(struct round *r, const struct move *m);
void verdict_score(struct round *r, const struct candidate *c, double savings, const char *when);
bool can_pass(const struct round *r, const struct candidate *c);
void score_events_multi(struct round *r, const struct move *m);

void method_emptiness(struct round *r);
void method_static_drift(struct round *r);
void method_drift(struct round *r);
void method_multi(struct round *r);
void method_single(struct round *r);
struct disrupt_command *command_add(struct round *r, enum disrupt_method m, enum disrupt_reason reason,
				    const struct move *move);
