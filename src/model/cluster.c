#include "cluster.h"

/* The arrays are sorted by namespace and name; a binary search needs the text order. */
static int compare_meta(const struct intern *in, const struct object_meta *m, sid ns, sid name)
{
	int c = intern_cmp(in, m->ns, ns);

	return c ? c : intern_cmp(in, m->name, name);
}

#define FIND(objs, in, ns, name_)                                                         \
	do {                                                                              \
		uint32_t lo = 0, hi = (objs)->n;                                          \
		while (lo < hi) {                                                         \
			uint32_t mid = lo + (hi - lo) / 2;                                \
			int c_ = compare_meta((in), &(objs)->v[mid].meta, (ns), (name_)); \
			if (c_ == 0)                                                      \
				return &(objs)->v[mid];                                   \
			if (c_ < 0)                                                       \
				lo = mid + 1;                                             \
			else                                                              \
				hi = mid;                                                 \
		}                                                                         \
		return NULL;                                                              \
	} while (0)

const struct node_pool *cluster_pool(const struct cluster *c, sid name)
{
	FIND(&c->pools, c->in, SID_EMPTY, name);
}

const struct ec2_node_class *cluster_class(const struct cluster *c, sid name)
{
	FIND(&c->classes, c->in, SID_EMPTY, name);
}

const struct node *cluster_node(const struct cluster *c, sid name)
{
	FIND(&c->nodes, c->in, SID_EMPTY, name);
}

const struct pod *cluster_pod(const struct cluster *c, sid ns, sid name)
{
	FIND(&c->pods, c->in, ns, name);
}

const struct object_meta *cluster_pod_meta(const struct cluster *c, uint32_t pod)
{
	return pod < c->pods.n ? &c->pods.v[pod].meta : &c->virtual_pods.v[pod - c->pods.n].meta;
}

const struct reslist *cluster_pod_requests(const struct cluster *c, uint32_t pod)
{
	return pod < c->pods.n ? &c->pods.v[pod].requests : &c->virtual_pods.v[pod - c->pods.n].requests;
}

const struct pvc *cluster_pvc(const struct cluster *c, sid ns, sid name)
{
	FIND(&c->pvcs, c->in, ns, name);
}

const struct pv *cluster_pv(const struct cluster *c, sid name)
{
	FIND(&c->pvs, c->in, SID_EMPTY, name);
}

const struct storage_class *cluster_storage_class(const struct cluster *c, sid name)
{
	FIND(&c->storage_classes, c->in, SID_EMPTY, name);
}
