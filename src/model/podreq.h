#pragma once
/*
 * What a pod asks for in all: Kubernetes' PodRequests with Karpenter's additions (Karpenter v1.14.1, A4.1).
 * Includes pods: 1.
 */
#include "object.h"

/* limits_too: a resource with a limit and no request counts at its limit (daemon templates; API-server
 * defaulting). */
struct reslist pod_requests_of(const struct intern *in, struct arena *a, const struct pod_spec *s,
			       bool limits_too);
