#include <criterion/criterion.h>

#include "carry_out.h"
#include "load_fixture.h"

/* Workloads that grow, as if they had been loaded with more replicas. */

static const char input[] =
	"apiVersion: apps/v1\n"
	"kind: Deployment\n"
	"metadata: {name: web}\n"
	"spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, "
	"spec: {containers: [{name: c, image: c, resources: {requests: {cpu: 2}}}]}}}\n"
	"---\n"
	"apiVersion: apps/v1\n"
	"kind: StatefulSet\n"
	"metadata: {name: db}\n"
	"spec: {replicas: 1, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, "
	"spec: {containers: [{name: c, image: c}], volumes: [{name: data, emptyDir: {}}, {name: tmp, "
	"persistentVolumeClaim: {claimName: shared}}]}}, "
	"volumeClaimTemplates: [{metadata: {name: data}, spec: {storageClassName: gp3}}]}\n"
	"---\n"
	"apiVersion: v1\n"
	"kind: Pod\n"
	"metadata: {name: web-3}\n"
	"spec: {containers: [{name: c, image: c}]}\n"
	"---\n"
	"apiVersion: autoscaling.x-k8s.io/v1beta1\n"
	"kind: CapacityBuffer\n"
	"metadata: {name: half}\n"
	"spec: {scalableRef: {apiGroup: apps, kind: Deployment, name: web}, percentage: 50}\n"
	"---\n"
	"apiVersion: autoscaling.x-k8s.io/v1beta1\n"
	"kind: CapacityBuffer\n"
	"metadata: {name: least}\n"
	"spec: {scalableRef: {apiGroup: apps, kind: Deployment, name: web}, replicas: 2, percentage: 10}\n"
	"---\n"
	"apiVersion: kspot.dev/v1\n"
	"kind: Settings\n"
	"spec: {featureGates: {CapacityBuffer: true}}\n";

static const struct workload *workload(const struct cluster *c, enum workload_kind kind)
{
	for (uint32_t i = 0; i < c->workloads.n; i++)
		if (c->workloads.v[i].kind == kind)
			return &c->workloads.v[i];
	return NULL;
}

static const char *names(struct arena *a, const struct pod_names *v)
{
	struct buf b;
	const char *text;

	buf_init(&b);
	for (uint32_t i = 0; i < v->n; i++)
		buf_addf(&b, "%s ", v->v[i]);
	text = arena_strndup(a, buf_cstr(&b), b.n);
	buf_release(&b);
	return text;
}

Test(scale_up, pods)
{
	static const struct {
		enum workload_kind kind;
		uint32_t replicas;
		const char *added;
	} rows[] = {
		{WL_DEPLOYMENT, 1, ""},
		{WL_DEPLOYMENT, 2, ""},
		/* web-3 is somebody else's. */
		{WL_DEPLOYMENT, 4, "default/web-4 default/web-5 "},
		{WL_STATEFUL_SET, 3, "default/db-1 default/db-2 "},
	};
	struct loaded in;

	loaded_init(&in, input, NULL);
	cr_assert(in.c, "%s", loaded_messages(&in));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct workload *w = workload(in.c, rows[i].kind);
		struct pod_names added;
		struct cluster *c = sim_scale_up(&in.arena, in.c, w, rows[i].replicas, &added);

		cr_expect_str_eq(names(&in.arena, &added), rows[i].added, "row %zu: %s", i,
				 names(&in.arena, &added));
		cr_expect_eq(c->pods.n, in.c->pods.n + added.n);
		cr_expect(!added.n || sim_replicas(c, w) == rows[i].replicas, "row %zu", i);
		for (uint32_t k = 1; k < c->pods.n; k++)
			for (uint32_t m = 0; m < k; m++)
				cr_expect_neq(c->pods.v[k].meta.uid, c->pods.v[m].meta.uid, "row %zu", i);
		for (uint32_t k = 1; k < c->pods.n; k++)
			cr_expect_lt(intern_cmp(c->in, c->pods.v[k - 1].meta.name, c->pods.v[k].meta.name), 0,
				     "by name");
	}
	loaded_release(&in);
}

Test(scale_up, claims)
{
	struct loaded in;
	struct pod_names added;
	struct cluster *c;
	const struct pvc *claim;
	const struct pod *p = NULL;

	loaded_init(&in, input, NULL);
	cr_assert(in.c, "%s", loaded_messages(&in));
	c = sim_scale_up(&in.arena, in.c, workload(in.c, WL_STATEFUL_SET), 2, &added);
	cr_assert_eq(c->pvcs.n, 2);
	claim = cluster_pvc(c, intern_cstr(c->in, "default"), intern_cstr(c->in, "data-db-1"));
	cr_assert(claim);
	cr_assert_eq(claim->storage_class, intern_cstr(c->in, "gp3"));
	for (uint32_t i = 0; i < c->pods.n; i++)
		if (str_is(intern_str(c->in, c->pods.v[i].meta.name), "db-1"))
			p = &c->pods.v[i];
	cr_assert(p);
	cr_assert_eq(p->spec->nvolume, 2, "its own claim for the volume of that name, and the other");
	cr_assert_eq(p->spec->volume[0].claim, claim->meta.name);
	loaded_release(&in);
}

Test(scale_up, buffers)
{
	/* Replicas of the Deployment, and pods of "half" and of "least". */
	static const struct {
		uint32_t replicas, half, least;
	} rows[] = {{0, 1, 2}, {2, 1, 2}, {5, 3, 2}, {40, 20, 4}};
	struct loaded in;

	loaded_init(&in, input, NULL);
	cr_assert(in.c, "%s", loaded_messages(&in));
	cr_assert_eq(in.c->virtual_pods.n, 3);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cluster *c =
			sim_scale_buffers(&in.arena, in.c, workload(in.c, WL_DEPLOYMENT), rows[i].replicas);

		cr_expect_eq(c->virtual_pods.n, rows[i].half + rows[i].least, "row %zu: %u", i,
			     c->virtual_pods.n);
		c = sim_scale_buffers(&in.arena, in.c, workload(in.c, WL_STATEFUL_SET), rows[i].replicas);
		cr_expect_eq(c->virtual_pods.n, 3, "another workload is none of theirs");
	}
	loaded_release(&in);
}
