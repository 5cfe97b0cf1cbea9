#pragma once
/* The result of a round of disruption, in each of the forms that kspot disrupt prints. Changes nothing. */
#include "outcome.h"
#include "rep_object.h"

struct disruption_report {
	const struct cluster *c;
	const struct disruption *d;
	double usd_before, usd_after;  /* what the nodes cost an hour before the round, and after it */
	uint32_t nnodes;               /* how many there are before */
	struct names_given given;      /* to NodeClaims before */
	const struct outcome *outcome; /* NULL: the commands were not carried out */
	bool onward; /* more than the commands is told: what the provisioner did, and static NodePools */
	struct arena *scratch;
};

/* Karpenter's word for the reason of a command. */
const char *rep_reason(enum disrupt_reason reason);
/* kind: Disruption (design 4.2). */
void rep_disruption(struct emit *e, const struct disruption_report *p);
/* What it makes of one node, as members of an open map: the verdict, what each method does with it, errors of
 * the round, and its events. */
void rep_disruption_of_node(struct emit *e, const struct disruption_report *p, sid node);
/* The replacements as NodeClaim objects, one document each. */
void rep_disruption_objects(struct emit *e, const struct disruption_report *p);
/* The nodes that go, one a line, as kubectl prints names. */
void rep_disruption_names(struct buf *out, const struct disruption_report *p);
/* The screen. wide: also events, and nothing is cut. */
void rep_disruption_text(struct buf *out, const struct disruption_report *p, bool wide);
/* USD an hour after the commands alone, as predicted. */
double rep_disruption_cost(const struct disruption_report *p);
void rep_pod_list(struct emit *e, const char *key, const char *const *pods, uint32_t n);
void rep_removed_pods(struct emit *e, const char *const *removed, uint32_t nremoved);
/* A scale-down and the round that follows it, as the members of an open map: removedPods and disruption. */
void rep_after_scale(struct emit *e, const char *const *removed, uint32_t nremoved,
		     const struct disruption_report *p);
