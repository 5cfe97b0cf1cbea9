#pragma once
/* What kspot explain pod/NS/NAME prints: a screen, or members of an open map. */
#include "plan.h"
#include "rep_object.h"

void rep_trail(struct emit *e, const struct report *r, const struct pod_trail *t);
void rep_trail_text(struct buf *out, const struct report *r, const struct pod_trail *t);
