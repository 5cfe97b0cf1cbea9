#include <criterion/criterion.h>
#include <string.h>

#include "load_fixture.h"
#include "provision.h"
#include "verify.h"

/* A good plan has no findings; each way to spoil it is found by the rule it breaks. */

static const char input[] =
	"apiVersion: karpenter.sh/v1\n"
	"kind: NodePool\n"
	"metadata: {name: pool}\n"
	"spec:\n"
	"  limits: {cpu: 100}\n"
	"  template:\n"
	"    metadata: {labels: {team: a}}\n"
	"    spec:\n"
	"      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}\n"
	"      taints: [{key: batch, effect: NoSchedule}]\n"
	"      requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [spot]}]\n"
	"---\n"
	"apiVersion: kspot.dev/v1\n"
	"kind: InstanceTypeSet\n"
	"spec:\n"
	"  instanceTypes:\n"
	"  - name: small\n"
	"    requirements:\n"
	"    - {key: node.kubernetes.io/instance-type, operator: In, values: [small]}\n"
	"    - {key: kubernetes.io/arch, operator: In, values: [amd64]}\n"
	"    - {key: topology.kubernetes.io/zone, operator: In, values: [z1, z2]}\n"
	"    capacity: {cpu: 2, memory: 8Gi, pods: 10}\n"
	"    offerings:\n"
	"    - requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [spot]}, {key: "
	"topology.kubernetes.io/zone, operator: In, values: [z1]}]\n"
	"      price: 0.1\n"
	"      available: true\n"
	"    - requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [spot]}, {key: "
	"topology.kubernetes.io/zone, operator: In, values: [z2]}]\n"
	"      price: 0.1\n"
	"      available: true\n"
	"---\n"
	"apiVersion: apps/v1\n"
	"kind: Deployment\n"
	"metadata: {name: web}\n"
	"spec:\n"
	"  replicas: 4\n"
	"  selector: {matchLabels: {app: web}}\n"
	"  template:\n"
	"    metadata: {labels: {app: web}}\n"
	"    spec:\n"
	"      nodeSelector: {kubernetes.io/arch: amd64}\n"
	"      tolerations: [{key: batch, operator: Exists}]\n"
	"      affinity:\n"
	"        podAntiAffinity:\n"
	"          requiredDuringSchedulingIgnoredDuringExecution:\n"
	"          - {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}\n"
	"      topologySpreadConstraints:\n"
	"      - {topologyKey: topology.kubernetes.io/zone, maxSkew: 1, whenUnsatisfiable: DoNotSchedule,\n"
	"         labelSelector: {matchLabels: {app: web}}}\n"
	"      containers:\n"
	"      - {name: c, image: c, ports: [{containerPort: 80, hostPort: 80}], resources: {requests: {cpu: "
	"500m}}}\n";

struct bench {
	struct loaded in;
	const struct itype_list *types[1];
	struct plan *plan;
};

static void bench_init(struct bench *b)
{
	loaded_init(&b->in, input, NULL);
	cr_assert(b->in.c, "%s", loaded_messages(&b->in));
	b->in.c->settings.now = 0;
	b->types[0] = &b->in.c->type_sets.v[0].types;
	b->plan = provision(&b->in.arena, snapshot_new(&b->in.arena, b->in.c, b->types, FOR_PROVISIONING));
	cr_assert_eq(b->plan->nclaim, 4);
}

static struct pod_spec *spec_of(struct bench *b, uint32_t pod)
{
	struct pod *p = &b->in.c->pods.v[pod];
	struct pod_spec *own = arena_memdup(&b->in.arena, p->spec, 1, sizeof(*own));

	p->spec = own;
	return own;
}

/* Moves the pod of the second claim to the first. */
static void crowd(struct bench *b)
{
	struct plan_claim *d = b->plan->claim;
	uint32_t *both = ARENA_ARRAY(&b->in.arena, uint32_t, 2);

	both[0] = d[0].pod[0];
	both[1] = d[1].pod[0];
	d[0].pod = both;
	d[0].npod = 2;
	d[1].npod = 0;
}

static void drop_pod(struct bench *b)
{
	b->plan->claim[2].npod = 0;
}

static void place_twice(struct bench *b)
{
	b->plan->claim[1].pod = b->plan->claim[0].pod;
}

static void overfill(struct bench *b)
{
	struct pod *p = &b->in.c->pods.v[b->plan->claim[0].pod[0]];

	p->requests = reslist_set(b->in.c->in, &b->in.arena, &p->requests, RES_CPU,
				  (struct quantity){qty_of(3), QTY_DECIMAL});
}

static void other_arch(struct bench *b)
{
	struct pod_spec *s = spec_of(b, b->plan->claim[0].pod[0]);

	s->node_selector.v = arena_memdup(&b->in.arena, s->node_selector.v, 1, sizeof(struct kv));
	s->node_selector.v[0].val = STR_ARM64;
}

static void lose_toleration(struct bench *b)
{
	spec_of(b, b->plan->claim[0].pod[0])->ntoleration = 0;
}

static void open_capacity(struct bench *b)
{
	struct reqpool *rp = b->in.c->rp;

	b->plan->claim[0].reqs = rset_without(rp, b->plan->claim[0].reqs, req_key(rp, LBL_CAPACITY_TYPE));
}

static void lose_label(struct bench *b)
{
	b->plan->claim[0].labels.n = 0;
}

static void sell_out(struct bench *b)
{
	struct itype *t = &b->in.c->type_sets.v[0].types.v[0];

	t->offering[0].available = t->offering[1].available = false;
}

static void want_more_types(struct bench *b)
{
	b->in.c->pools.v[0].req[0].min_values = 2;
}

static void tighten_limit(struct bench *b)
{
	b->in.c->pools.v[0].limits.v[0].v = qty_of(7);
}

static void set_zone(struct bench *b, uint32_t claim, const char *zone)
{
	struct reqpool *rp = b->in.c->rp;
	reqid r = req_in1(rp, req_key(rp, LBL_ZONE), intern_cstr(b->in.c->in, zone));

	b->plan->claim[claim].reqs = rset_replace(rp, b->plan->claim[claim].reqs, r);
}

static void stack_zone(struct bench *b)
{
	for (uint32_t i = 0; i < b->plan->nclaim; i++)
		set_zone(b, i, "z1");
}

static void crowd_zone(struct bench *b)
{
	stack_zone(b);
	set_zone(b, 3, "z2");
}

/* From here on pods that fit nowhere are given a toleration, and counted anew. */
static void soften(struct bench *b)
{
	b->in.c->pools.v[0].taints.v[0].effect = EFFECT_PREFER_NO_SCHEDULE;
}

/* One to each zone, then one to z1 for each of the two counts. */
static void crowd_soft_zone(struct bench *b)
{
	soften(b);
	crowd_zone(b);
}

static void stack_soft_zone(struct bench *b)
{
	soften(b);
	stack_zone(b);
}

static void crowd_tolerated_zone(struct bench *b)
{
	static struct toleration all = {
		.key = SID_EMPTY, .op = STR_EXISTS, .value = SID_EMPTY, .effect = EFFECT_PREFER_NO_SCHEDULE};
	struct pod_spec *s = spec_of(b, 0);

	crowd_soft_zone(b);
	s->ntoleration = 1;
	s->toleration = &all;
	for (uint32_t i = 0; i < b->in.c->pods.n; i++)
		b->in.c->pods.v[i].spec = s;
}

static void retire_pool(struct bench *b)
{
	b->in.c->pools.v[0].is_static = true;
}

static void launch_elsewhere(struct bench *b)
{
	b->plan->claim[0].launch = (struct launch){.type = b->types[0]->v[0].name,
						   .zone = intern_cstr(b->in.c->in, "z9"),
						   .capacity_type = CAP_SPOT,
						   .price = 0.1,
						   .price_max = 0.1};
}

static bool found(const struct findings *out, const char *rule)
{
	for (uint32_t i = 0; i < out->v.n; i++)
		if (strncmp(out->v.v[i], rule, strlen(rule)) == 0 && out->v.v[i][strlen(rule)] == ':')
			return true;
	return false;
}

Test(verify, plan)
{
	static const struct {
		const char *rule; /* NULL: nothing is wrong */
		void (*spoil)(struct bench *b);
	} row[] = {
		{NULL, NULL},
		{"anti", crowd},
		{"port", crowd},
		{"fit", crowd},
		{"place", drop_pod},
		{"place", place_twice},
		{"fit", overfill},
		{"selector", other_arch},
		{"taint", lose_toleration},
		{"pool", open_capacity},
		{"pool", lose_label},
		{"pool", retire_pool},
		{"type", sell_out},
		{"minvalues", want_more_types},
		{"limit", tighten_limit},
		{"spread", stack_zone},
		{"spread", crowd_zone},
		{NULL, crowd_soft_zone},
		{"spread", stack_soft_zone},
		{"spread", crowd_tolerated_zone},
		{"launch", launch_elsewhere},
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct findings out = {0};
		struct verify_input in;
		struct bench b;

		bench_init(&b);
		if (row[i].spoil)
			row[i].spoil(&b);
		in = (struct verify_input){b.in.c, b.types};
		verify_plan(&b.in.arena, &in, b.plan, &out);
		cr_assert_gt(out.checks, 0);
		if (row[i].rule)
			cr_expect(found(&out, row[i].rule), "row %zu: %s not found, but %s", i, row[i].rule,
				  out.v.n ? out.v.v[0] : "nothing");
		else
			cr_expect_eq(out.v.n, 0, "%s", out.v.n ? out.v.v[0] : "");
		loaded_release(&b.in);
	}
}
