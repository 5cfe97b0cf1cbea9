#pragma once
/*
 * What a pod asks for in all: Kubernetes' PodRequests with Karpenter's additions (Karpenter v1.14.1, A4.1).
 * Includes pods: 1.
 */
#include "object.h"

enum {
	PODREQ_LIMITS = 1,     /* a limit without a request counts as one (daemon templates) */
	PODREQ_INFEASIBLE = 2, /* a resize that cannot be done is pending: what the kubelet gave stands */
};

struct reslist pod_requests_of(const struct intern *in, struct arena *a, const struct pod_spec *s,
			       unsigned flags);
