#pragma once
/* The parts of ec2_types that one type at a time needs; private to ec2/. */
#include "ec2_types.h"

/* Types come by name, so most labels of a type are those of the type before it. */
struct label_memo {
	keyid key;
	reqid none;    /* DoesNotExist */
	bool any;      /* value and in are set */
	int64_t value; /* the sid or the number that `in` is for */
	reqid in;
};

/* What all types of one list share. */
struct ec2_ctx {
	struct arena *arena;
	struct intern *in;
	struct reqpool *rp;
	const struct catalog *cat;
	const struct ec2_node_class *nc;
	const struct settings *set;
	const struct cluster *cluster;
	enum ami_family family;
	const struct ami_traits *traits;
	int32_t efa_only;        /* network interfaces of type efa-only */
	int32_t efa_only_card0;  /* of them on card 0 */
	const bool *zone_exists; /* by catalogue zone: some listed type is offered there and the settings
				    allow it */
	const sid *zone_id; /* by catalogue zone: the id its first subnet tells; SID_NONE without a subnet */
	struct label_memo *memo; /* by label id */
};

/* All but zone_exists, zone_id and memo. */
struct ec2_ctx ec2_ctx_of(struct arena *a, const struct cluster *c, const struct catalog *cat,
			  const struct ec2_node_class *nc);
/* capacity, overheads and allocatable of t. Needs it->reqs to be there only for Windows, hence os_windows. */
void ec2_resources(const struct ec2_ctx *x, const struct ec2_type *t, bool os_windows, struct itype *it);

struct label_memo *ec2_label_memo(struct arena *a, struct reqpool *rp);
/* zones: bit per catalogue zone in which the type can be launched. */
rsetid ec2_labels(const struct ec2_ctx *x, const struct ec2_type *t, const uint64_t *zones);

/* amd64 or arm64, or SID_NONE for an architecture Kubernetes has no name for. */
sid ec2_arch(const struct ec2_type *t);
