#pragma once
/*
 * Instance types as a NodePool sees them: what a cloud provider offers, resolved for one NodeClass. Built by
 * ec2/ (or read as an InstanceTypeSet), immutable afterwards, owned by the arena they were built in. The
 * order of types and offerings is the provider's (determinism, "Instance types and offerings"); sorting by
 * price starts from it.
 */
#include "require.h"
#include "reslist.h"

struct offering {
	rsetid reqs;
	double price;
	sid zone, zone_id; /* SID_NONE: none */
	sid capacity_type;
	sid reservation;         /* SID_NONE: not a reserved offering */
	int32_t reservation_cap; /* instances the reservation has free */
	bool available;
	bool price_overlaid; /* a NodeOverlay set the price */
};

struct itype {
	sid name;
	rsetid reqs;
	struct reslist capacity;
	struct reslist kube_reserved, system_reserved, eviction;
	struct reslist allocatable; /* capacity less the three, hugepages taken off memory (A10.6) */
	bool capacity_overlaid;     /* a NodeOverlay added extended resources */
	bool incompatible;          /* EC2: the NodeClass rules the type out (IT-70); it stays listed */
	uint32_t noffering;
	struct offering *offering;
};

struct itype_list {
	uint32_t n;
	struct itype *v;
};

/* By name; NULL when it is not there, or there is no list. */
const struct itype *itype_find(const struct itype_list *l, sid name);
/* The allocatable of a type from its capacity and overheads (A10.6). */
struct reslist itype_allocatable(const struct intern *in, struct arena *a, const struct itype *t);
