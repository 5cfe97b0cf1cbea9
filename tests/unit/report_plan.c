#include <criterion/criterion.h>

#include "rep_plan.h"

#include "table.h"

/* A small plan made by hand: one claim, one pod for an existing node, two pods left over. */
struct sample {
	struct arena arena;
	struct intern in;
	struct reqpool rp;
	struct cluster c;
	struct plan plan;
	struct plan_report report;
};

static sid text(struct sample *s, const char *t)
{
	return intern_cstr(&s->in, t);
}

static struct reslist resources(struct sample *s, const char *cpu, const char *memory)
{
	struct reslist l = {0};
	struct quantity q;

	cr_assert(quantity_parse(str_of(cpu), &q));
	l = reslist_set(&s->in, &s->arena, &l, RES_CPU, q);
	cr_assert(quantity_parse(str_of(memory), &q));
	return reslist_set(&s->in, &s->arena, &l, RES_MEMORY, q);
}

static void make_pods(struct sample *s)
{
	static const char *const names[] = {"a", "b", "c", "d", "e"};

	s->c.pods.n = 5;
	s->c.pods.v = ARENA_ARRAY(&s->arena, struct pod, 5);
	for (uint32_t i = 0; i < 5; i++)
		s->c.pods.v[i].meta =
			(struct object_meta){.ns = text(s, "default"), .name = text(s, names[i])};
}

static const struct fleet *make_fleet(struct sample *s)
{
	static const struct {
		const char *type, *zone;
		double price;
	} rows[] = {{"c6g.large", "z1", 0.03}, {"c6g.large", "z2", 0.04}, {"m5.large", "z1", 0.0896}};
	struct fleet *f = ARENA_NEW(&s->arena, struct fleet);

	*f = (struct fleet){.context = SID_NONE,
			    .default_target = "spot",
			    .spot_strategy = "price-capacity-optimized",
			    .nconfig = 1};
	f->tags.n = 1;
	f->tags.v = ARENA_NEW(&s->arena, struct kv);
	f->tags.v[0] = (struct kv){text(s, "Name"), text(s, "x")};
	f->config = ARENA_NEW(&s->arena, struct fleet_config);
	f->config->template_name = text(s, "ami-1");
	f->config->n = 3;
	f->config->override = ARENA_ARRAY(&s->arena, struct fleet_override, 3);
	for (uint32_t i = 0; i < 3; i++)
		f->config->override[i] = (struct fleet_override){.type = text(s, rows[i].type),
								 .subnet = text(s, "subnet-1"),
								 .ami = text(s, "ami-1"),
								 .zone = text(s, rows[i].zone),
								 .priority = rows[i].price};
	return f;
}

static rsetid make_reqs(struct sample *s)
{
	sid types[] = {text(s, "m5.large"), text(s, "c6g.large")}, four[] = {text(s, "4")},
	    nine[] = {text(s, "9")};
	keyid gen = req_key(&s->rp, LBL_GENERATION);
	reqid reqs[] = {
		req_make(&s->rp, req_key(&s->rp, LBL_INSTANCE_TYPE), OP_IN, types, 2, 2),
		req_intersect(&s->rp, req_make(&s->rp, gen, OP_GTE, four, 1, -1),
			      req_make(&s->rp, gen, OP_LTE, nine, 1, -1)),
		req_make(&s->rp, req_key(&s->rp, text(s, "a")), OP_EXISTS, NULL, 0, -1),
	};

	return rset_of(&s->rp, reqs, 3);
}

static void make_claim(struct sample *s)
{
	struct plan_claim *claim = ARENA_NEW(&s->arena, struct plan_claim);
	struct itype *types = ARENA_ARRAY(&s->arena, struct itype, 2);

	types[0].name = text(s, "c6g.large");
	types[1].name = text(s, "m5.large");
	s->plan.nclaim = 1;
	s->plan.claim = claim;
	claim->pool = s->c.pools.v;
	claim->npod = 2;
	claim->pod = arena_memdup(&s->arena, (uint32_t[]){0, 1}, 2, sizeof(uint32_t));
	claim->reqs = make_reqs(s);
	claim->ntype = 2;
	claim->type = arena_memdup(&s->arena, (const struct itype *[]){&types[0], &types[1]}, 2,
				   sizeof(*claim->type));
	claim->requests = resources(s, "1500m", "3Gi");
	claim->fleet = make_fleet(s);
	claim->launch = (struct launch){.type = types[0].name,
					.zone = text(s, "z1"),
					.capacity_type = CAP_SPOT,
					.price = 0.03,
					.price_max = 0.0896};
}

static void make(struct sample *s)
{
	*s = (struct sample){0};
	arena_init(&s->arena);
	intern_init(&s->in, &s->arena);
	labels_init(&s->in);
	reqpool_init(&s->rp, &s->arena, &s->in, true);
	s->c = (struct cluster){.arena = &s->arena, .in = &s->in, .rp = &s->rp};
	settings_defaults(&s->c.settings, &s->in);
	make_pods(s);
	s->c.pools.n = 1;
	s->c.pools.v = ARENA_NEW(&s->arena, struct node_pool);
	s->c.pools.v->meta.name = text(s, "default");
	s->c.pools.v->class_ref =
		(struct node_class_ref){text(s, "karpenter.k8s.aws"), text(s, "EC2NodeClass"), text(s, "nc")};
	s->c.pools.v->expire_after = (int64_t)720 * 3600 * 1000000000;
	s->c.pools.v->termination_grace = DURATION_NONE;
	s->c.claims.n = 1;
	s->c.claims.v = ARENA_NEW(&s->arena, struct node_claim);
	s->c.claims.v->meta.name = text(s, "default-1");
	make_claim(s);
	s->plan.nnode = 1;
	s->plan.node = ARENA_NEW(&s->arena, struct plan_node);
	*s->plan.node =
		(struct plan_node){.name = text(s, "node-a"),
				   .npod = 1,
				   .pod = arena_memdup(&s->arena, (uint32_t[]){2}, 1, sizeof(uint32_t))};
	s->plan.nerror = 2;
	s->plan.error = ARENA_ARRAY(&s->arena, struct pod_error, 2);
	s->plan.error[0] = (struct pod_error){
		.pod = 3,
		.message = "no instance type has enough resources, requirements=karpenter.sh/nodepool "
			   "In [default], resources={\"cpu\":\"900\"}"};
	s->plan.error[1] = (struct pod_error){.pod = 4, .message = s->plan.error[0].message};
	s->report =
		(struct plan_report){.c = &s->c, .plan = &s->plan, .usd_before = 0.1, .scratch = &s->arena};
}

Test(plan, screen)
{
	struct sample s;
	struct buf out;

	make(&s);
	buf_init(&out);
	rep_plan_text(&out, &s.report, false);
	cr_assert_str_eq(buf_cstr(&out),
			 "NAME       POOL     TYPE       CAPACITY  ZONE  PODS  CPU  MEM     $/H\n"
			 "default-2  default  c6g.large  spot      z1       2  1.5  3Gi  0.0300\n"
			 "\n"
			 "CreateFleet default-2: instant, spot, price-capacity-optimized, 2 types in 2\n"
			 "  zones (3 overrides, 1 launch template), $0.0300 to $0.0896/h\n"
			 "\n"
			 "node-a takes 1 pod: default/c\n"
			 "\n"
			 "pending default/d and 1 more: no instance type has enough resources,\n"
			 "  requirements=karpenter.sh/nodepool In [default], resources={\"cpu\":\"900\"}\n"
			 "\n"
			 "2 pods stay pending\n"
			 "1 node to create, 0 to remove; $0.1000/h -> $0.1300/h (at most $0.1896/h)\n");
	buf_clear(&out);
	rep_plan_names(&out, &s.report);
	cr_assert_str_eq(buf_cstr(&out), "nodeclaim.karpenter.sh/default-2\n");
	buf_release(&out);
	arena_release(&s.arena);
}

static const char plan_json[] =
	"{\"apiVersion\":\"kspot.dev/"
	"v1\",\"kind\":\"Plan\",\"formatVersion\":1,\"karpenterVersion\":\"v1.14.1\",\"notes\":[],"
	"\"nodeClaims\":[{\"name\":\"default-2\",\"nodePool\":\"default\",\"nodeClass\":\"nc\","
	"\"pods\":[\"default/a\",\"default/b\"],\"requirements\":["
	"{\"key\":\"a\",\"operator\":\"Exists\",\"values\":[]},"
	"{\"key\":\"karpenter.k8s.aws/instance-generation\",\"operator\":\"Gte\",\"values\":[\"4\"]},"
	"{\"key\":\"karpenter.k8s.aws/instance-generation\",\"operator\":\"Lte\",\"values\":[\"9\"]},"
	"{\"key\":\"node.kubernetes.io/"
	"instance-type\",\"operator\":\"In\",\"values\":[\"c6g.large\",\"m5.large\"],"
	"\"minValues\":2}],\"instanceTypes\":[\"c6g.large\",\"m5.large\"],"
	"\"requests\":{\"cpu\":\"1500m\",\"memory\":\"3Gi\"},\"labels\":{},\"annotations\":{},\"taints\":[],"
	"\"startupTaints\":[],\"expireAfter\":\"720h\",\"terminationGracePeriod\":\"\",\"fleet\":{"
	"\"LaunchTemplateConfigs\":[{\"LaunchTemplateSpecification\":{\"LaunchTemplateName\":\"ami-1\","
	"\"Version\":\"$Latest\"},\"Overrides\":["
	"{\"AvailabilityZone\":\"z1\",\"ImageId\":\"ami-1\",\"InstanceType\":\"c6g.large\",\"Priority\":0.03,"
	"\"SubnetId\":\"subnet-1\"},"
	"{\"AvailabilityZone\":\"z2\",\"ImageId\":\"ami-1\",\"InstanceType\":\"c6g.large\",\"Priority\":0.04,"
	"\"SubnetId\":\"subnet-1\"},"
	"{\"AvailabilityZone\":\"z1\",\"ImageId\":\"ami-1\",\"InstanceType\":\"m5.large\",\"Priority\":0."
	"0896,"
	"\"SubnetId\":\"subnet-1\"}]}],\"SpotOptions\":{\"AllocationStrategy\":\"price-capacity-optimized\"},"
	"\"TagSpecifications\":[{\"ResourceType\":\"instance\",\"Tags\":[{\"Key\":\"Name\",\"Value\":\"x\"}]}"
	","
	"{\"ResourceType\":\"volume\",\"Tags\":[{\"Key\":\"Name\",\"Value\":\"x\"}]},"
	"{\"ResourceType\":\"fleet\",\"Tags\":[{\"Key\":\"Name\",\"Value\":\"x\"}]}],"
	"\"TargetCapacitySpecification\":{\"DefaultTargetCapacityType\":\"spot\",\"TotalTargetCapacity\":1},"
	"\"Type\":\"instant\"},\"launch\":{\"instanceType\":\"c6g.large\",\"zone\":\"z1\",\"capacityType\":"
	"\"spot\","
	"\"usdPerHour\":0.03,\"usdPerHourDearest\":0.0896,\"model\":\"cheapest\"}}],"
	"\"existingNodes\":[{\"name\":\"node-a\",\"pods\":[\"default/c\"]}],\"podErrors\":{"
	"\"default/d\":{\"reason\":\"Unschedulable\",\"message\":\"no instance type has enough resources, "
	"requirements=karpenter.sh/nodepool In [default], resources={\\\"cpu\\\":\\\"900\\\"}\"},"
	"\"default/e\":{\"reason\":\"Unschedulable\",\"message\":\"no instance type has enough resources, "
	"requirements=karpenter.sh/nodepool In [default], resources={\\\"cpu\\\":\\\"900\\\"}\"}},"
	"\"cost\":{\"usdPerHourBefore\":0.1,\"usdPerHourAfter\":0.13}}\n";

static const char claim_yaml[] = "apiVersion: karpenter.sh/v1\n"
				 "kind: NodeClaim\n"
				 "metadata:\n"
				 "  annotations: {}\n"
				 "  generateName: default-\n"
				 "  labels: {}\n"
				 "  name: default-2\n"
				 "  ownerReferences:\n"
				 "  - apiVersion: karpenter.sh/v1\n"
				 "    blockOwnerDeletion: true\n"
				 "    kind: NodePool\n"
				 "    name: default\n"
				 "spec:\n"
				 "  expireAfter: 720h\n"
				 "  nodeClassRef:\n"
				 "    group: karpenter.k8s.aws\n"
				 "    kind: EC2NodeClass\n"
				 "    name: nc\n"
				 "  requirements:\n"
				 "  - key: a\n"
				 "    operator: Exists\n"
				 "  - key: karpenter.k8s.aws/instance-generation\n"
				 "    operator: Gte\n"
				 "    values:\n"
				 "    - \"4\"\n"
				 "  - key: karpenter.k8s.aws/instance-generation\n"
				 "    operator: Lte\n"
				 "    values:\n"
				 "    - \"9\"\n"
				 "  - key: node.kubernetes.io/instance-type\n"
				 "    minValues: 2\n"
				 "    operator: In\n"
				 "    values:\n"
				 "    - c6g.large\n"
				 "    - m5.large\n"
				 "  resources:\n"
				 "    requests:\n"
				 "      cpu: 1500m\n"
				 "      memory: 3Gi\n";

Test(plan, structured)
{
	struct sample s;
	struct emit e;
	struct buf out;

	make(&s);
	buf_init(&out);
	emit_init(&e, EMIT_JSON_COMPACT, &out);
	rep_plan_open(&e, &s.report);
	emit_end(&e);
	emit_finish(&e);
	cr_assert_str_eq(buf_cstr(&out), plan_json);
	buf_clear(&out);
	emit_init(&e, EMIT_YAML, &out);
	rep_plan_objects(&e, &s.report);
	emit_finish(&e);
	cr_assert_str_eq(buf_cstr(&out), claim_yaml);
	buf_release(&out);
	arena_release(&s.arena);
}

Test(plan, durations)
{
	static const struct {
		int64_t ns;
		const char *full, *brief;
	} rows[] = {
		{DURATION_NONE, "", ""},
		{DURATION_NEVER, "Never", "Never"},
		{0, "0s", "0s"},
		{30000000000, "30s", "30s"},
		{90000000000, "1m30s", "1m30s"},
		{600000000000, "10m0s", "10m"},
		{3600000000000, "1h0m0s", "1h"},
		{5400000000000, "1h30m0s", "1h30m"},
		{2592000000000000, "720h0m0s", "720h"},
		{1500000000, "1.5s", "1.5s"},
		{1500000, "1.5ms", "1.5ms"},
		{500000000, "500ms", "500ms"},
		{-20, "-20ns", "-20ns"},
		{61000000001, "1m1.000000001s", "1m1.000000001s"},
		{-3000000000, "-3s", "-3s"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf b;

		buf_init(&b);
		duration_print(&b, rows[i].ns);
		cr_assert_str_eq(buf_cstr(&b), rows[i].full);
		buf_clear(&b);
		duration_print_short(&b, rows[i].ns);
		cr_assert_str_eq(buf_cstr(&b), rows[i].brief);
		buf_release(&b);
	}
}

Test(plan, table_shrinks)
{
	static const struct table_column columns[] = {
		{.title = "NAME", .shrink = true}, {.title = "N", .right = true}, {.title = "ZONE"}};
	struct arena a;
	struct table t;
	struct buf b;

	arena_init(&a);
	buf_init(&b);
	table_init(&t, &a, columns, 3);
	table_cell(&t, "a-rather-long-name");
	table_cell(&t, "%d", 12);
	table_cell(&t, "z1");
	table_cell(&t, "short");
	table_cell(&t, "%d", 3);
	table_cell(&t, "%s", "");
	table_print(&t, &b, 20);
	cr_assert_str_eq(buf_cstr(&b), "NAME          N ZONE\n"
				       "a-rather-lo~ 12 z1\n"
				       "short         3\n");
	buf_clear(&b);
	text_wrap(&b, "one two  three", 12, 2, 20);
	cr_assert_str_eq(buf_cstr(&b), "one two\n  three\n");
	buf_release(&b);
	arena_release(&a);
}
