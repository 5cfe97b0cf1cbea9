#pragma once
/*
 * A small cluster from a text, with what Karpenter would do to it, for the tests of solve/ and disrupt/.
 *
 * A line of the text is an object: in YAML, if it starts with a brace, else one of these. What follows a bar
 * are entries of a YAML map and may be left out:
 *
 *	pool NAME | of spec.template.spec | of spec | of spec.template.metadata | of metadata
 *	pod NAME CPU | of spec | of metadata | of the container
 *	run NAME CPU NODE | of spec | of metadata | of status | of the container
 *		(a ReplicaSet's pod that runs on the node; sts, ds, mirror: a StatefulSet's, a DaemonSet's,
 *its own) pdb NAME DISRUPTIONS-ALLOWED | of spec	(selects every pod of its namespace unless it says
 *otherwise) daemon NAME CPU | of spec.template.spec | of the container daemonpod NAME DAEMON CPU NODE | of
 *spec | of metadata | of the container node NAME POOL TYPE ZONE CAPACITY-TYPE CPU [new|unregistered|unready]
 *| labels | of the NodeClaim's metadata | of its spec | of its status | of the Node's metadata | of its spec
 *| more conditions of the NodeClaim	(both up since 2025-12-31T00:01:00Z; new: not initialized) types N
 *(instead of those below: t01 to tN of 4 CPU, the Nth at N cents as spot, 3 N on-demand) settings | of spec
 *
 * CPU may be CPU/MEMORY, or - for no requests.
 *
 * Unless the text brings its own, there are Settings (now: 2026-01-01T00:00:00Z) and these instance types in
 * zones z1, z2 and z3, each as spot at 1 and on-demand at 3 cents for a CPU and hour:
 * small 2 CPU, medium 4 CPU, large 8 CPU, with 2Gi for a CPU and 10 pods, and arm, 4 CPU of arm64, at 0.9
 * and 2.9.
 */
#include "disruption.h"
#include "load.h"
#include "plan.h"
#include "run.h"

struct stage {
	struct arena arena;
	struct diags diags;
	struct docs docs;
	struct cluster *c;
	const struct itype_list **types; /* by NodePool */
	uint32_t max_simulations;        /* of a round; 0: any number */
	const bool *unseen;              /* by NodePool; NULL: none */
};

/* Fails the test when the text does not load. */
void stage_init(struct stage *s, const char *text);
void stage_release(struct stage *s);

enum show {
	SHOW_TYPES = 1,  /* of each NodeClaim */
	SHOW_REQS = 2,   /* without the NodePool, its class and the types */
	SHOW_ERRORS = 4, /* texts */
	SHOW_REQUESTS = 8,
	SHOW_ZONE = 16,    /* the zones of each NodeClaim */
	SHOW_META = 32,    /* labels and annotations, without those and the hash */
	SHOW_SAVINGS = 64, /* of commands */
};

/* "pool(a b) n1(c) !d": NodeClaims with their pods, nodes with theirs, pods without a place;
 * ~ stands for pods of CapacityBuffers. */
const char *stage_plan(struct stage *s, unsigned show);
/* "Empty delete n1 n2": the commands of the round, joined by "; "; replacements as "-> pool(a)". */
const char *stage_round(struct stage *s, unsigned show);
/* The round itself. */
struct disruption *stage_disrupt(struct stage *s);
/* The commands of one method alone. */
const char *stage_method(struct stage *s, const struct disruption *d, enum disrupt_method m, unsigned show);
/* "n1:Budget n2:NotManaged": the nodes that stay, and why. */
const char *stage_stays(struct stage *s, const struct disruption *d);
/* The texts of the events on an object with a reason, joined by "; ". */
const char *stage_events(struct stage *s, const struct disruption *d, const char *object, const char *reason);

/* Rows of a table: what is planned for a text. */
struct plan_row {
	const char *name, *text, *want;
	unsigned show;
};

void check_plans(const struct plan_row *rows, size_t n);

/*
 * Rows of a table: what a round does for a text, "COMMANDS / STAYING", as stage_round() and stage_stays();
 * each part with its separator is left out when it is empty. object, reason, message: an event, if given; of
 * message NULL there must be none.
 */
struct round_row {
	const char *name, *text, *want;
	unsigned show;
	const char *object, *reason, *message;
};

#define NO_EVENT NULL, NULL, NULL

void check_rounds(const struct round_row *rows, size_t n);

/* Pieces of YAML. */
#define REQ(key, op, values) "{key: " key ", operator: " op ", values: [" values "]}"
#define HAS(key, op) "{key: " key ", operator: " op "}"
#define ZONE "topology.kubernetes.io/zone"
#define HOST "kubernetes.io/hostname"
#define DELETED "deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [x]"
