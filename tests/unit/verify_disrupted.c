#include <criterion/criterion.h>
#include <string.h>

#include "load_fixture.h"
#include "verify.h"

/* Two nodes of one pod each, of which one can go; each bad command is found by the rule it breaks. */

#define NODE(name, price_type)                                                                               \
	"---\n"                                                                                              \
	"apiVersion: v1\n"                                                                                   \
	"kind: Node\n"                                                                                       \
	"metadata: {name: " name ", labels: {karpenter.sh/nodepool: pool, karpenter.sh/registered: 'true', " \
	"karpenter.sh/initialized: 'true', node.kubernetes.io/instance-type: " price_type                    \
	", topology.kubernetes.io/zone: z1, karpenter.sh/capacity-type: spot}}\n"                            \
	"spec: {providerID: 'x:///" name "'}\n"                                                              \
	"status: {capacity: {cpu: 4, memory: 8Gi, pods: 10}, allocatable: {cpu: 4, memory: 8Gi, pods: 10}, " \
	"conditions: [{type: Ready, status: 'True'}]}\n"                                                     \
	"---\n"                                                                                              \
	"apiVersion: karpenter.sh/v1\n"                                                                      \
	"kind: NodeClaim\n"                                                                                  \
	"metadata: {name: " name ", labels: {karpenter.sh/nodepool: pool}}\n"                                \
	"spec: {nodeClassRef: {group: g, kind: K, name: default}, requirements: []}\n"                       \
	"status: {nodeName: " name ", providerID: 'x:///" name "'}\n"                                        \
	"---\n"                                                                                              \
	"apiVersion: v1\n"                                                                                   \
	"kind: Pod\n"                                                                                        \
	"metadata: {name: on-" name ", labels: {app: web}}\n"                                                \
	"spec: {nodeName: " name ", containers: [{name: c, image: c, resources: {requests: {cpu: 1}}}]}\n"   \
	"status: {phase: Running}\n"

static const char input[] =
	"apiVersion: karpenter.sh/v1\n"
	"kind: NodePool\n"
	"metadata: {name: pool}\n"
	"spec:\n"
	"  disruption: {consolidateAfter: 0s, budgets: [{nodes: '1'}]}\n"
	"  template: {spec: {nodeClassRef: {group: g, kind: K, name: default}, requirements: []}}\n"
	"---\n"
	"apiVersion: kspot.dev/v1\n"
	"kind: InstanceTypeSet\n"
	"spec:\n"
	"  instanceTypes:\n"
	"  - name: t\n"
	"    requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [t]}]\n"
	"    capacity: {cpu: 4, memory: 8Gi, pods: 10}\n"
	"    offerings:\n"
	"    - requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [spot]}, {key: "
	"topology.kubernetes.io/zone, operator: In, values: [z1]}]\n"
	"      price: 0.5\n"
	"      available: true\n" NODE("a", "t") NODE("b", "t");

struct stage {
	struct loaded in;
	const struct itype_list *types[1];
	struct disruption d;
	struct disrupt_command cmd;
	sid name[2];
};

static void stage_init(struct stage *t)
{
	loaded_init(&t->in, input, NULL);
	cr_assert(t->in.c, "%s", loaded_messages(&t->in));
	t->in.c->settings.now = 1000;
	t->types[0] = &t->in.c->type_sets.v[0].types;
	t->name[0] = intern_cstr(t->in.c->in, "a");
	t->name[1] = intern_cstr(t->in.c->in, "b");
	t->cmd = (struct disrupt_command){
		.reason = DISRUPT_UNDERUTILIZED, .ncandidate = 1, .candidate = t->name, .savings = 0.5};
	t->d = (struct disruption){.commands = {1, &t->cmd}};
}

static void take_both(struct stage *t)
{
	t->cmd.ncandidate = 2;
	t->cmd.savings = 1;
}

static void call_empty(struct stage *t)
{
	t->cmd.reason = DISRUPT_EMPTY;
}

static void call_drifted(struct stage *t)
{
	t->cmd.reason = DISRUPT_DRIFTED;
}

static void overstate(struct stage *t)
{
	t->cmd.savings = 0.6;
}

static void name_another(struct stage *t)
{
	t->name[0] = intern_cstr(t->in.c->in, "c");
}

static void fill_other(struct stage *t)
{
	for (uint32_t i = 0; i < t->in.c->pods.n; i++)
		t->in.c->pods.v[i].requests =
			reslist_set(t->in.c->in, &t->in.arena, &t->in.c->pods.v[i].requests, RES_CPU,
				    (struct quantity){qty_of(3), QTY_DECIMAL});
}

static void shield_node(struct stage *t)
{
	struct labels *l = &t->in.c->nodes.v[0].meta.annotations;

	*l = labels_set(&t->in.arena, t->in.c->in, l, ANN_DO_NOT_DISRUPT, STR_TRUE);
}

static void shield_pod(struct stage *t)
{
	struct labels *l = &t->in.c->pods.v[0].meta.annotations;

	*l = labels_set(&t->in.arena, t->in.c->in, l, ANN_DO_NOT_DISRUPT, STR_TRUE);
}

/* A replacement of the same type, which costs the same. */
static void replace_alike(struct stage *t)
{
	static const struct itype *type[1];
	static struct plan_claim claim;

	type[0] = &t->types[0]->v[0];
	claim = (struct plan_claim){
		.pool = t->in.c->pools.v, .ntype = 1, .type = type, .launch = {.type = SID_NONE}};
	t->cmd.nreplacement = 1;
	t->cmd.replacement = &claim;
	t->cmd.savings = 0;
}

static bool found(const struct findings *out, const char *rule)
{
	for (uint32_t i = 0; i < out->v.n; i++)
		if (strncmp(out->v.v[i], rule, strlen(rule)) == 0 && out->v.v[i][strlen(rule)] == ':')
			return true;
	return false;
}

Test(verify, disruption)
{
	static const struct {
		const char *rule;
		void (*spoil)(struct stage *t);
	} row[] = {
		{NULL, NULL},
		{"budget", take_both},
		{"home", take_both},
		{"candidate", call_empty},
		{"candidate", call_drifted},
		{"price", overstate},
		{"candidate", name_another},
		{"home", fill_other},
		{"candidate", shield_node},
		{"candidate", shield_pod},
		{"price", replace_alike},
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct findings out = {0};
		struct verify_input in;
		struct stage t;

		stage_init(&t);
		if (row[i].spoil)
			row[i].spoil(&t);
		in = (struct verify_input){t.in.c, t.types};
		verify_disruption(&t.in.arena, &in, &t.d, &out);
		if (row[i].rule)
			cr_expect(found(&out, row[i].rule), "row %zu: %s not found, but %s", i, row[i].rule,
				  out.v.n ? out.v.v[0] : "nothing");
		else
			cr_expect_eq(out.v.n, 0, "%s", out.v.n ? out.v.v[0] : "");
		loaded_release(&t.in);
	}
}

/* Node a was deleted, its pod went to b; then what came of it is spoilt. */
struct settled {
	struct stage t;
	struct cluster after;
	struct outcome o;
	struct plan plan;
	const char *failed[1];
	struct lost_pod lost;
};

static void settle(struct settled *x)
{
	struct cluster *c = x->t.in.c;
	struct arena *a = &x->t.in.arena;

	x->after = *c;
	x->after.nodes.v = arena_memdup(a, c->nodes.v + 1, 1, sizeof(*c->nodes.v));
	x->after.nodes.n = 1;
	x->after.claims.v = arena_memdup(a, c->claims.v + 1, 1, sizeof(*c->claims.v));
	x->after.claims.n = 1;
	x->after.pods.v = arena_memdup(a, c->pods.v, c->pods.n, sizeof(*c->pods.v));
	x->after.pods.v[0].node = x->t.name[1];
	x->failed[0] = NULL;
	x->o = (struct outcome){.failed = x->failed, .done = x->t.d.commands, .plan = &x->plan};
}

static void lose(struct settled *x)
{
	x->after.pods.v[0].node = SID_EMPTY;
	x->lost = (struct lost_pod){.pod = 0};
	x->o.nlost = 1;
	x->o.lost = &x->lost;
}

static void lose_unseen(struct settled *x)
{
	x->after.pods.v[0].node = SID_EMPTY;
}

static void lose_free(struct settled *x)
{
	struct labels *l = &x->t.in.c->pods.v[0].meta.annotations;

	lose(x);
	x->t.cmd.reason = DISRUPT_EMPTY;
	*l = labels_set(&x->t.in.arena, x->t.in.c->in, l, ANN_POD_DELETION_COST,
			intern_cstr(x->t.in.c->in, "-2147483647"));
}

static void lose_refused(struct settled *x)
{
	static struct pod_spec spec;
	static struct kv host;

	lose(x);
	host = (struct kv){LBL_HOSTNAME, x->t.name[0]};
	spec = *x->t.in.c->pods.v[0].spec;
	spec.node_selector = (struct labels){1, &host};
	x->t.in.c->pods.v[0].spec = &spec;
}

static void tell_lost(struct settled *x)
{
	lose(x);
	x->after.pods.v[0].node = x->t.name[1];
}

static void keep(struct settled *x)
{
	x->after = *x->t.in.c;
}

static void take_other(struct settled *x)
{
	x->after.nodes.n = 0;
}

static void move_other(struct settled *x)
{
	x->after.pods.v[1].node = SID_EMPTY;
}

static void give_up(struct settled *x)
{
	x->failed[0] = "for no reason";
}

static void call_surplus(struct settled *x)
{
	x->o.nsurplus = 1;
	x->o.surplus = &x->t.name[1];
}

static void outgrow(struct settled *x)
{
	fill_other(&x->t);
	x->after.pods.v[0].requests = x->after.pods.v[1].requests = x->t.in.c->pods.v[0].requests;
}

Test(verify, settled)
{
	static const struct {
		const char *rule;
		void (*spoil)(struct settled *x);
	} row[] = {
		{NULL, NULL},         {"home", lose},      {"home", lose_unseen},  {NULL, lose_free},
		{NULL, lose_refused}, {"home", tell_lost}, {"node", keep},         {"node", take_other},
		{"node", move_other}, {"node", give_up},   {"node", call_surplus}, {"fit", outgrow},
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct findings out = {0};
		struct verify_input before, after;
		struct settled x = {.lost = {.pod = 0}};

		stage_init(&x.t);
		settle(&x);
		if (row[i].spoil)
			row[i].spoil(&x);
		before = (struct verify_input){x.t.in.c, x.t.types};
		after = (struct verify_input){&x.after, x.t.types};
		verify_settled(&x.t.in.arena, &before, &x.t.d, &x.o, &after, &out);
		if (row[i].rule)
			cr_expect(found(&out, row[i].rule), "row %zu: %s not found, but %s", i, row[i].rule,
				  out.v.n ? out.v.v[0] : "nothing");
		else
			cr_expect_eq(out.v.n, 0, "row %zu: %s", i, out.v.n ? out.v.v[0] : "");
		loaded_release(&x.t.in);
	}
}
