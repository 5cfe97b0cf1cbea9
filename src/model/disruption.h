#pragma once
/*
 * What one round of Karpenter's disruption controller decided, in ids (design 4.2); report/ prints it.
 * Belongs to the arena it was made in. Text is as Karpenter words it.
 */
#include "plan.h"

enum disrupt_reason { DISRUPT_EMPTY, DISRUPT_UNDERUTILIZED, DISRUPT_DRIFTED };

struct disrupt_command {
	enum disrupt_reason reason;
	uint32_t ncandidate;
	sid *candidate; /* node names */
	uint32_t nreplacement;
	struct plan_claim *replacement; /* none: the nodes are deleted */
	double savings;                 /* USD an hour */
};

struct disrupt_commands {
	uint32_t n;
	struct disrupt_command *v;
};

enum disrupt_method {
	METHOD_EMPTINESS,
	METHOD_STATIC_DRIFT,
	METHOD_DRIFT,
	METHOD_MULTI,
	METHOD_SINGLE,
	METHOD_MAX_,
};

struct disrupt_condition {
	sid claim;
	sid drifted; /* the reason; SID_EMPTY when not drifted */
	bool consolidatable;
};

struct disrupt_event {
	const char *object; /* Node/NAME, NodeClaim/NAME, NodePool/NAME, Pod/NAMESPACE/NAME */
	const char *reason, *message;
};

enum verdict_code {
#define VERDICT(id, name, summary) VERDICT_##id,
#include "verdict.def"
#undef VERDICT
	VERDICT_MAX_
};

/* The command that takes a node away, or NULL. */
const struct disrupt_command *disrupt_command_of(const struct disrupt_commands *all, sid node);

/* The code as it is printed. */
const char *verdict_name(enum verdict_code code);

/* kspot's own view: what becomes of each node, and why. */
struct node_verdict {
	sid name;
	const char *verdict; /* "delete", "replace", "stay" */
	const char *reason;  /* a word for programs: verdict_name() */
	const char *detail;  /* a sentence for people */
	const char *found; /* what the simulation of its removal came to, in figures; NULL: nothing to add */
};

struct disruption {
	struct disrupt_commands commands;            /* what the round executes */
	struct disrupt_commands method[METHOD_MAX_]; /* each method alone on the same state */
	uint32_t ncandidate;
	sid *candidate; /* nodes that pass the filter of multi- and single-node consolidation */
	uint32_t ncondition;
	struct disrupt_condition *condition; /* by NodeClaim */
	const char *round_error;             /* NULL: none */
	const char *method_error[METHOD_MAX_];
	uint32_t nevent;
	struct disrupt_event *event; /* distinct, sorted */
	uint32_t nnode;
	struct node_verdict *node; /* by name */
	bool cut_off[METHOD_MAX_]; /* the method gave up for its number of simulations */
	const bool *unseen; /* by NodePool: single-node consolidation did not get to it the last time; NULL:
			       it got to all */
};
