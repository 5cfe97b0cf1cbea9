#pragma once
/* Taints, tolerations, label selectors and host ports: the small matching rules of Kubernetes. Pure
 * functions. */
#include "cluster.h"

/* Kubernetes' toleration match, numeric Lt and Gt included. */
bool toleration_matches(const struct intern *in, const struct toleration *t, const struct taint *taint);
/* Every taint, PreferNoSchedule too, must be tolerated (Karpenter v1.14.1, A7.1). */
bool tolerates_all(const struct intern *in, const struct toleration *t, uint32_t n,
		   const struct taints *taints);
/* The taints that are not tolerated, in Karpenter's words, joined by "; ". */
void tolerate_explain(const struct intern *in, struct buf *out, const struct toleration *t, uint32_t n,
		      const struct taints *taints);
/* key=value:effect */
void taint_print(const struct intern *in, struct buf *out, const struct taint *t);
/* not-ready, unreachable, uninitialized, unregistered and readiness gates: taints that go away by themselves
 * (A8.3). */
bool taint_is_ephemeral(const struct intern *in, const struct taint *t);

/* absent: what an absent selector does (it lists everything and selects nothing). */
bool selector_matches(const struct intern *in, const struct label_selector *s, const struct labels *l,
		      bool absent);

/* Host ports in use on a node: pods are told apart by key, entries of one pod never clash (A7.3). */
struct port_use {
	struct host_port port;
	uint32_t pod;
};

struct ports {
	VEC(struct port_use) v;
};

/* The first entry that clashes with what pod would use, or NULL. *ret_mine: which of its ports. */
const struct port_use *ports_conflict(const struct intern *in, const struct ports *use, uint32_t pod,
				      const struct host_port *port, uint32_t n,
				      const struct host_port **ret_mine);
void ports_add(struct arena *a, struct ports *use, uint32_t pod, const struct host_port *port, uint32_t n);
