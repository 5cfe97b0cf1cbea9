#include <criterion/criterion.h>

#include "carry_out.h"
#include "load_fixture.h"

/* A cluster in motion: node a is up, b has no node yet, c is not initialized, d is on its way out. */

#define CLAIM(name, node, more)                                                             \
	"---\n"                                                                             \
	"apiVersion: karpenter.sh/v1\n"                                                     \
	"kind: NodeClaim\n"                                                                 \
	"metadata: {name: claim-" name ", labels: {karpenter.sh/nodepool: pool}" more "}\n" \
	"spec: {nodeClassRef: {group: g, kind: K, name: default}, requirements: [], "       \
	"startupTaints: [{key: starting, effect: NoSchedule}]}\n"                           \
	"status: {" node "providerID: 'x:///" name "', capacity: {cpu: 4}, "                \
	"allocatable: {cpu: 4}}\n"
#define NODE(name, labels, taints, more)                                                        \
	"---\n"                                                                                 \
	"apiVersion: v1\n"                                                                      \
	"kind: Node\n"                                                                          \
	"metadata: {name: " name ", labels: {karpenter.sh/nodepool: pool" labels "}" more "}\n" \
	"spec: {providerID: 'x:///" name "', taints: [" taints "]}\n"                           \
	"status: {capacity: {cpu: 4}, allocatable: {cpu: 4, memory: 8Gi, pods: "                \
	"10}}\n"
#define POD(name, kind, meta, spec)                                                            \
	"---\n"                                                                                \
	"apiVersion: v1\n"                                                                     \
	"kind: Pod\n"                                                                          \
	"metadata: {name: " name ", ownerReferences: [{apiVersion: apps/v1, kind: " kind       \
	", name: web, uid: u, controller: true}]" meta "}\n"                                   \
	"spec: {" spec "containers: [{name: c, image: c, resources: {requests: {cpu: 1}}}]}\n" \
	"status: {phase: Pending}\n"
#define UP ", karpenter.sh/registered: 'true', karpenter.sh/initialized: 'true'"
#define GOING ", deletionTimestamp: '2026-01-19T11:59:00Z', finalizers: [x/y]"

static const char input[] =
	"apiVersion: karpenter.sh/v1\n"
	"kind: NodePool\n"
	"metadata: {name: pool}\n"
	"spec: {template: {spec: {nodeClassRef: {group: g, kind: K, name: default}, requirements: []}}}\n"
	"---\n"
	"apiVersion: kspot.dev/v1\n"
	"kind: InstanceTypeSet\n"
	"spec: {instanceTypes: [{name: t, requirements: [], capacity: {cpu: 4}, offerings: []}]}\n" CLAIM(
		"a", "nodeName: a, ", "") NODE("a", UP, "{key: karpenter.sh/disrupted, effect: NoSchedule}",
					       "") CLAIM("b", "", "") CLAIM("c", "nodeName: c, ", "")
		NODE("c", "", "{key: starting, effect: NoSchedule}, {key: lasting, effect: NoSchedule}", "")
			CLAIM("d", "nodeName: d, ", GOING) NODE("d", UP, "", GOING)
				POD("gated", "ReplicaSet", "", "schedulingGates: [{name: g}], ")
					POD("leaves", "ReplicaSet", GOING, "")
						POD("moves", "ReplicaSet", "", "nodeName: d, ")
							POD("returns-0", "StatefulSet", GOING, "")
								POD("waits", "ReplicaSet", "", "");

enum { GATED, LEAVES, MOVES, RETURNS, WAITS, NPODS };

struct stage {
	struct loaded in;
	struct cluster *c;
	struct arena *a;
	struct sim_types types;
};

static const struct itype_list *by_pool[1];

static void stage_init(struct stage *t)
{
	loaded_init(&t->in, input, NULL);
	cr_assert(t->in.c, "%s", loaded_messages(&t->in));
	t->c = t->in.c;
	t->c->settings.now = 1000000;
	t->a = &t->in.arena;
	by_pool[0] = &t->c->type_sets.v[0].types;
	t->types = (struct sim_types){by_pool};
	cr_assert_eq(t->c->pods.n, NPODS);
}

static sid text(const struct stage *t, const char *s)
{
	return intern_cstr(t->c->in, s);
}

Test(settle, nodes_come_up_and_go)
{
	static uint32_t moves[] = {MOVES};
	struct stage t;
	struct plan nothing = {0}, plan = {.nnode = 1};
	struct plan_node onto;
	struct cluster *c;
	const struct node *n;

	stage_init(&t);
	c = sim_launch(t.a, t.c, &nothing, t.types, NULL);
	cr_assert_eq(t.c->nodes.n, 3, "the old cluster stands");
	cr_assert_eq(c->nodes.n, 4);
	n = cluster_node(c, text(&t, "claim-b"));
	cr_assert(n, "named by its NodeClaim");
	cr_assert_eq(labels_get(&n->meta.labels, LBL_INITIALIZED), STR_TRUE);
	cr_assert_eq(reslist_amount(&n->allocatable, RES_CPU), qty_of(4));
	n = cluster_node(c, text(&t, "c"));
	cr_assert_eq(labels_get(&n->meta.labels, LBL_INITIALIZED), STR_TRUE);
	cr_assert_eq(n->taints.n, 1, "the startup taint goes");
	cr_assert_eq(n->taints.v[0].key, text(&t, "lasting"));
	cr_assert(cluster_node(c, text(&t, "d")), "a pod is still there");
	cr_assert_eq(c->claims.n, 4);

	/* A plan knows node c by its NodeClaim as long as it is not registered. */
	onto = (struct plan_node){.name = text(&t, "claim-c"), .npod = 1, .pod = moves};
	plan.node = &onto;
	c = sim_launch(t.a, t.c, &plan, t.types, NULL);
	cr_assert_eq(c->pods.v[MOVES].node, text(&t, "c"));
	cr_assert_null(cluster_node(c, text(&t, "d")));
	cr_assert_eq(c->claims.n, 3);
	loaded_release(&t.in);
}

Test(settle, what_is_bound)
{
	static const struct {
		uint32_t pod;
		bool bound;
		enum pod_phase phase;
	} rows[] = {
		{GATED, false, POD_PENDING},
		{LEAVES, false, POD_SUCCEEDED},
		{RETURNS, true, POD_RUNNING},
		{WAITS, true, POD_RUNNING},
	};
	struct stage t;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t pod = rows[i].pod;
		struct plan_node onto = {.npod = 1, .pod = &pod};
		struct plan plan = {.nnode = 1, .node = &onto};
		const struct pod *p;

		stage_init(&t);
		onto.name = text(&t, "a");
		p = &sim_launch(t.a, t.c, &plan, t.types, NULL)->pods.v[pod];
		cr_expect_eq(p->node != SID_EMPTY, rows[i].bound, "row %zu", i);
		cr_expect_eq(p->phase, rows[i].phase, "row %zu", i);
		cr_expect(!rows[i].bound || p->meta.deleted == TIME_NONE, "row %zu", i);
		loaded_release(&t.in);
	}
}

Test(settle, commands)
{
	static const char *const names[] = {"pool-1"}, *failed[] = {"none left"}, *fine[] = {NULL};
	struct plan_claim replacement = {.launch = {.type = SID_NONE}, .fleet_error = "none left"};
	struct disrupt_command cmd = {.ncandidate = 1, .nreplacement = 1, .replacement = &replacement};
	struct disrupt_commands all = {1, &cmd}, none = {0, NULL};
	struct stage t;
	struct cluster *c;
	sid a, claim;

	stage_init(&t);
	a = text(&t, "a");
	claim = text(&t, "claim-a");
	cmd.candidate = &a;
	replacement.pool = t.c->pools.v;
	cr_assert_str_eq(sim_unlaunchable(&cmd), "none left");
	c = sim_disrupt(t.a, t.c, &all, failed, t.types, names);
	cr_assert(cluster_node(c, a), "given up");
	cr_assert_eq(cluster_node(c, a)->taints.n, 0, "the left-over taint goes");
	cr_assert_eq(cluster_node(t.c, a)->taints.n, 1, "the old cluster stands");
	cmd.nreplacement = 0;
	cr_assert_null(sim_unlaunchable(&cmd));
	c = sim_disrupt(t.a, t.c, &all, fine, t.types, names);
	cr_assert_null(cluster_node(c, a));
	cr_assert_eq(c->claims.n, 3);
	c = sim_disrupt(t.a, t.c, &none, NULL, t.types, NULL);
	cr_assert_eq(c->nodes.n, 3);
	c = sim_remove(t.a, t.c, &claim, 1);
	cr_assert_null(cluster_node(c, a));
	cr_assert_eq(c->claims.n, 3);
	loaded_release(&t.in);
}

/* Changes of a cluster, and whether its signature notices. */
static void rename_node(struct cluster *c, struct stage *t)
{
	c->nodes.v[0].meta.name = text(t, "other");
	c->nodes.v[0].provider_id = c->claims.v[0].provider_id = text(t, "elsewhere");
}

static void move_pod(struct cluster *c, struct stage *t)
{
	c->pods.v[MOVES].node = text(t, "a");
}

static void swap_pods(struct cluster *c, struct stage *t)
{
	c->pods.v[MOVES].node = SID_EMPTY;
	c->pods.v[WAITS].node = text(t, "d");
}

static void end_pod(struct cluster *c, struct stage *t)
{
	(void)t;
	c->pods.v[WAITS].phase = POD_SUCCEEDED;
}

static void label_node(struct cluster *c, struct stage *t)
{
	c->nodes.v[0].meta.labels =
		labels_set(t->a, c->in, &c->nodes.v[0].meta.labels, LBL_ZONE, text(t, "z1"));
}

Test(settle, signature)
{
	static const struct {
		void (*change)(struct cluster *c, struct stage *t);
		bool same;
	} rows[] = {
		{rename_node, true}, {swap_pods, true},   {move_pod, false},
		{end_pod, false},    {label_node, false},
	};
	struct stage t;
	struct disrupt_commands none = {0, NULL};
	sid drifted[4] = {SID_EMPTY, SID_EMPTY, SID_EMPTY, SID_EMPTY};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *before, *after;
		struct cluster *c;

		stage_init(&t);
		before = sim_signature(t.a, t.c, drifted);
		c = sim_disrupt(t.a, t.c, &none, NULL, t.types, NULL);
		cr_assert_str_eq(sim_signature(t.a, c, drifted), before);
		rows[i].change(c, &t);
		after = sim_signature(t.a, c, drifted);
		cr_expect_eq(strcmp(before, after) == 0, rows[i].same, "row %zu", i);
		drifted[1] = text(&t, "AMIDrift");
		cr_expect_str_neq(sim_signature(t.a, c, drifted), after, "drift counts");
		drifted[1] = SID_EMPTY;
		loaded_release(&t.in);
	}
}

Test(settle, lost)
{
	/* Why a pod that ran on node d has no place: by what the plan says and how its node went. */
	static const struct pod_why why = {0};
	static struct pool_error pool_error;
	static const struct {
		const char *reason;
		enum disrupt_reason command;
		bool error, refused, launch;
	} rows[] = {
		{"Refused", DISRUPT_UNDERUTILIZED, true, true, false},
		{"Refused", DISRUPT_EMPTY, true, true, false},
		{"NotSimulated", DISRUPT_EMPTY, true, false, false},
		{"NoPlace", DISRUPT_DRIFTED, true, false, false},
		{"CannotLaunch", DISRUPT_UNDERUTILIZED, false, false, true},
	};
	static uint32_t moves[] = {MOVES};
	struct stage t;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pod_error error = {.pod = MOVES, .message = "no"};
		struct plan_claim claim = {.npod = 1, .pod = moves, .launch = {.type = SID_NONE}};
		struct plan plan = {
			.nerror = rows[i].error, .error = &error, .nclaim = rows[i].launch, .claim = &claim};
		struct disrupt_command cmd = {.reason = rows[i].command, .ncandidate = 1};
		struct outcome o = {.done = {1, &cmd}, .plan = &plan};
		static const char *fine[] = {NULL};
		struct cluster *c;
		sid d;

		stage_init(&t);
		d = text(&t, "d");
		cmd.candidate = &d;
		if (!rows[i].refused) {
			error.why = &why;
			error.npool = 1;
			error.pool = &pool_error;
		}
		c = sim_disrupt(t.a, t.c, &o.done, fine, t.types, NULL);
		sim_lost(t.a, t.c, c, &o);
		cr_assert_eq(o.nlost, 1, "row %zu", i);
		cr_expect_eq(o.lost[0].pod, MOVES);
		cr_expect_str_eq(o.lost[0].reason, rows[i].reason, "row %zu", i);
		sim_lost(t.a, t.c, t.c, &o);
		cr_expect_eq(o.nlost, 0, "nothing happened");
		loaded_release(&t.in);
	}
}
