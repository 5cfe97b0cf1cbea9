#pragma once
/* Instance types as an EC2NodeClass sees them (design 4.3). */
#include "itype.h"
#include "rep_object.h"

/* One of them, a map. */
void rep_type(struct emit *e, const struct report *r, const struct itype *t);
/* One document: kind InstanceTypes. */
void rep_types(struct emit *e, const struct report *r, sid node_class, const struct itype_list *types);
/* A table of them for a person: capacity, what pods can use, cheapest prices. width 0: as wide as needed. */
void rep_types_text(struct buf *out, const struct report *r, sid node_class, const struct itype_list *types,
		    uint32_t width);
