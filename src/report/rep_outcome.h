#pragma once
/* What came of a round of disruption, as part of its report. Changes nothing. */
#include "outcome.h"
#include "rep_object.h"

struct outcome_report {
	const struct report *r; /* of the cluster before the round */
	const struct disruption *d;
	const struct outcome *o;
	bool onward; /* also what followed the commands: static NodePools, the provisioner */
};

/* outcome: {...}, as a member of an open map; nothing when there is nothing to tell. */
void rep_outcome(struct emit *e, const struct outcome_report *p);
/* Lines of the screen. width 0: nothing is cut. */
void rep_outcome_text(struct buf *out, const struct outcome_report *p, uint32_t width);
