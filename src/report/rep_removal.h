#pragma once
/* What the removal of a node would come to: lines of a screen, none when no pod counts, and a member of an
 * open map. */
#include "removal.h"
#include "rep_object.h"

void rep_removal_text(struct buf *out, const struct report *r, const struct removal *x);
/* removal: {...} */
void rep_removal(struct emit *e, const struct report *r, const struct removal *x);
