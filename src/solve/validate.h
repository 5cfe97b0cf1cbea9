#pragma once
/* Pods that Karpenter leaves out of a run, and its words for why (Karpenter v1.14.1, A2.5-A2.7). */
#include "podclass.h"

/* NULL: the pod takes part. Text without the leading "ignoring pod, ". */
const char *pod_invalid(struct class_table *t, struct arena *a, const struct pod *p);
