#pragma once
/* Why a pod has no place: NodePool by NodePool, as part of kspot plan and kspot explain pod/NS/NAME. */
#include "plan.h"
#include "rep_object.h"

/* perNodePool: [...], as a member of an open map: kspot's reasons, with Karpenter's message of each NodePool.
 */
void rep_why(struct emit *e, const struct report *r, const struct pod_why *why,
	     const struct pool_error *error, uint32_t nerror);
/*
 * Two lines for each of the `most` nearest NodePools (0: for all): what stood in the way, and what would be
 * enough. width as text_wrap().
 */
void rep_why_text(struct buf *out, const struct report *r, const struct pod_why *why, uint32_t most,
		  uint32_t width);
/* Whether two explanations read the same. */
bool rep_why_same(const struct pod_why *a, const struct pod_why *b);
