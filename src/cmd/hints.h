#pragma once
/* What a person most likely did not mean: options that name nothing there is, inputs that leave nothing to
 * plan. */
#include "catalog.h"
#include "cluster.h"
#include "plan.h"

struct run;

/* Whether --zones and --ice name what there is; false after an error. cat is NULL with ready instance types,
 * which they do not reach. */
bool hint_options(struct run *r, const struct cluster *c, const struct catalog *cat);
/* Says when the input has no NodePool, or no pod that Karpenter would look for a place for. */
void hint_nothing_to_plan(struct run *r, const struct cluster *c, const struct plan *plan);
/* Says when the input has neither Node nor NodeClaim. */
void hint_nothing_to_disrupt(struct run *r, const struct cluster *c);
