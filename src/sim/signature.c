#include <inttypes.h>
#include <string.h>

#include "gosort.h"
#include "idmap.h"
#include "sim_impl.h"

/*
 * A state as text: one line for each node, NodeClaim without a node and waiting pod, in order of the lines.
 * Ids stand for strings, as they mean the same all through a run.
 */

struct lines {
	VEC(const char *) v;
};

static bool line_before(const void *x, const void *y, const void *ctx)
{
	const char *const *a = x, *const *b = y;

	(void)ctx;
	return strcmp(*a, *b) < 0;
}

static const char *joined(struct arena *a, struct lines *l)
{
	struct buf b;
	const char *text;

	GOSORT(l->v.v, l->v.n, line_before, NULL);
	buf_init(&b);
	for (uint32_t i = 0; i < l->v.n; i++)
		buf_addf(&b, "%s\n", l->v.v[i]);
	text = arena_strndup(a, b.n ? b.p : "", b.n);
	buf_release(&b);
	return text;
}

/* Pods of one ReplicaSet or Job are alike; others have names of their own that last. */
static const char *pod_line(struct arena *a, const struct cluster *c, const struct pod *p)
{
	for (uint32_t i = 0; i < p->meta.nowner; i++)
		if (p->meta.owner[i].controller &&
		    !str_is(intern_str(c->in, p->meta.owner[i].kind), "StatefulSet"))
			return arena_printf(a, "p%" PRIu32 " o%" PRIu32 " %" PRIu32, p->meta.ns,
					    p->meta.owner[i].kind, p->meta.owner[i].name);
	return arena_printf(a, "p%" PRIu32 " n%" PRIu32, p->meta.ns, p->meta.name);
}

static void add_labels(struct buf *b, char mark, const struct labels *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->v[i].key != LBL_HOSTNAME)
			buf_addf(b, "%c%" PRIu32 "=%" PRIu32 " ", mark, l->v[i].key, l->v[i].val);
}

static void add_claim(struct buf *b, const struct cluster *c, const struct node_claim *claim, sid drifted)
{
	buf_addf(b, "claim drifted %" PRIu32 " deleted %d consolidatable %d ", drifted,
		 claim->meta.deleted != TIME_NONE,
		 conditions_true(&claim->conditions, c->in, "Consolidatable"));
	add_labels(b, 'l', &claim->meta.labels);
	add_labels(b, 'a', &claim->meta.annotations);
}

static void add_node(struct buf *b, const struct cluster *c, const struct node *n)
{
	buf_addf(b, "node deleted %d ready %d cordoned %d ", n->meta.deleted != TIME_NONE,
		 conditions_true(&n->conditions, c->in, "Ready"), n->unschedulable);
	add_labels(b, 'l', &n->meta.labels);
	for (uint32_t i = 0; i < n->taints.n; i++)
		/* Left-over ones are taken off anyway (B1.2). */
		if (n->taints.v[i].key != TAINT_DISRUPTED)
			buf_addf(b, "t%" PRIu32 "=%" PRIu32 ":%" PRIu32 " ", n->taints.v[i].key,
				 n->taints.v[i].value, n->taints.v[i].effect);
}

static void add_line(struct arena *a, struct lines *l, struct buf *b)
{
	VEC_PUSH(a, &l->v, arena_strndup(a, b->p, b->n));
	buf_release(b);
}

/* Few NodeClaims have none. */
static bool has_node(const struct cluster *c, const struct node_claim *claim)
{
	if (claim->node_name != SID_EMPTY && cluster_node(c, claim->node_name))
		return true;
	for (uint32_t i = 0; i < c->nodes.n; i++)
		if (claim->provider_id != SID_EMPTY && c->nodes.v[i].provider_id == claim->provider_id)
			return true;
	return false;
}

const char *sim_signature(struct arena *a, const struct cluster *c, const sid *drifted)
{
	struct lines all = {0}, *pods = ARENA_ARRAY(a, struct lines, (size_t)c->nodes.n + 1);
	struct idmap by_name, by_provider;
	struct buf b;
	uint32_t at;

	idmap_init(&by_name, a);
	idmap_init(&by_provider, a);
	for (uint32_t i = 0; i < c->nodes.n; i++)
		idmap_put(&by_name, c->nodes.v[i].meta.name, i);
	for (uint32_t i = 0; i < c->pods.n; i++) {
		const struct pod *p = &c->pods.v[i];

		if (!pod_is_active(p))
			continue;
		if (p->node == SID_EMPTY)
			VEC_PUSH(a, &all.v, pod_line(a, c, p));
		else if (idmap_get(&by_name, p->node, &at))
			VEC_PUSH(a, &pods[at].v, pod_line(a, c, p));
	}
	for (uint32_t i = 0; i < c->claims.n; i++)
		idmap_put(&by_provider, c->claims.v[i].provider_id, i);
	for (uint32_t i = 0; i < c->claims.n; i++)
		if (!has_node(c, &c->claims.v[i])) {
			buf_init(&b);
			add_claim(&b, c, &c->claims.v[i], drifted[i]);
			add_line(a, &all, &b);
		}
	for (uint32_t i = 0; i < c->nodes.n; i++) {
		buf_init(&b);
		add_node(&b, c, &c->nodes.v[i]);
		if (idmap_get(&by_provider, c->nodes.v[i].provider_id, &at))
			add_claim(&b, c, &c->claims.v[at], drifted[at]);
		buf_adds(&b, joined(a, &pods[i]));
		add_line(a, &all, &b);
	}
	return joined(a, &all);
}
