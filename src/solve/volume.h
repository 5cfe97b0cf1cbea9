#pragma once
/*
 * What a pod's volumes ask of a node: topology alternatives, and attachments that count against a node's
 * limits. Rule: Karpenter v1.14.1, volume topology and volume usage (A2.7, A7.4, A14). Worked out once a pod.
 */
#include "podclass.h"

/* An attachment: one claim on one driver. */
struct attachment {
	sid driver, claim; /* claim: namespace/name */
};

struct attachments {
	VEC(struct attachment) v;
};

struct pod_volumes {
	bool topology_error; /* requirements could not be read: none apply, and the pod prepares no topology
				(A2.10) */
	bool usage_error;    /* attachments could not be read: no existing node takes the pod (A5.4) */
	uint32_t nalternative;
	struct hreqs *alternative; /* tried in order; none: no constraint */
	struct attachments use;
};

/* NULL when no volume of the pod has a claim. */
const struct pod_volumes *volumes_of(struct class_table *t, const struct object_meta *pod,
				     const struct pod_spec *spec);
/* Why Karpenter leaves the pod out of a run, or NULL (A2.7). */
const char *volumes_invalid(const struct cluster *c, struct arena *a, const struct object_meta *pod,
			    const struct pod_spec *spec);

struct csi_limits {
	uint32_t n;
	const struct csi_driver_limit *v;
};

/* The first limit that use plus what is there exceeds, or NULL. */
const struct csi_driver_limit *attachments_exceed(const struct attachments *there,
						  const struct attachments *more,
						  const struct csi_limits *limits);
void attachments_add(struct arena *a, struct attachments *there, const struct attachments *more);
