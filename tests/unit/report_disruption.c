#include <criterion/criterion.h>

#include "rep_disruption.h"

/* One node replaced, two that stay for one reason, and an event. */
struct sample {
	struct arena arena;
	struct intern in;
	struct reqpool rp;
	struct cluster c;
	struct itype type;
	struct plan_claim claim;
	struct disrupt_command command;
	struct disruption d;
	struct disruption_report report;
};

static void make(struct sample *s)
{
	static const char *const names[] = {"a", "b", "c"};
	static const struct itype *types[1];
	static struct disrupt_event event = {"Node/b", "Unconsolidatable",
					     "Can't remove without creating 2 candidates"};

	*s = (struct sample){0};
	arena_init(&s->arena);
	intern_init(&s->in, &s->arena);
	labels_init(&s->in);
	reqpool_init(&s->rp, &s->arena, &s->in, true);
	s->c = (struct cluster){.arena = &s->arena, .in = &s->in, .rp = &s->rp};
	settings_defaults(&s->c.settings, &s->in);
	s->c.pools.n = 1;
	s->c.pools.v = ARENA_NEW(&s->arena, struct node_pool);
	s->c.pools.v->meta.name = intern_cstr(&s->in, "apps");
	s->c.pools.v->expire_after = DURATION_NEVER;
	s->c.pools.v->termination_grace = DURATION_NONE;
	s->type.name = intern_cstr(&s->in, "r6g.large");
	types[0] = &s->type;
	s->claim = (struct plan_claim){
		.pool = s->c.pools.v,
		.ntype = 1,
		.type = types,
		.fleet_error = "none left",
		.launch = {.type = s->type.name,
			   .zone = intern_cstr(&s->in, "z1"),
			   .capacity_type = CAP_SPOT,
			   .price = 0.0301,
			   .price_max = 0.0546},
	};
	s->d.ncandidate = 3;
	s->d.candidate = ARENA_ARRAY(&s->arena, sid, 3);
	s->d.nnode = 3;
	s->d.node = ARENA_ARRAY(&s->arena, struct node_verdict, 3);
	for (uint32_t i = 0; i < 3; i++) {
		s->d.candidate[i] = intern_cstr(&s->in, names[i]);
		s->d.node[i] =
			(struct node_verdict){s->d.candidate[i], "stay", "gate", "the gate is off", NULL};
	}
	s->d.node[0] = (struct node_verdict){s->d.candidate[0], "replace", "Underutilized", "", NULL};
	s->command = (struct disrupt_command){.reason = DISRUPT_UNDERUTILIZED,
					      .ncandidate = 1,
					      .candidate = s->d.candidate,
					      .nreplacement = 1,
					      .replacement = &s->claim,
					      .savings = 0.12019999999999999};
	s->d.commands = (struct disrupt_commands){1, &s->command};
	s->d.method[METHOD_SINGLE] = s->d.commands;
	s->d.method_error[METHOD_MULTI] = "no nodepools found";
	s->d.nevent = 1;
	s->d.event = &event;
	s->d.ncondition = 1;
	s->d.condition = ARENA_NEW(&s->arena, struct disrupt_condition);
	*s->d.condition = (struct disrupt_condition){intern_cstr(&s->in, "claim-a"), SID_EMPTY, true};
	s->report = (struct disruption_report){
		.c = &s->c, .d = &s->d, .usd_before = 0.4509, .nnodes = 3, .scratch = &s->arena};
}

#define COMMAND_JSON                                                                                        \
	"[{\"reason\":\"Underutilized\",\"decision\":\"replace\",\"candidates\":[\"a\"],\"replacements\":[" \
	"{\"name\":\"apps-1\",\"nodePool\":\"apps\",\"nodeClass\":\"\",\"pods\":[],\"requirements\":[],"    \
	"\"instanceTypes\":[\"r6g.large\"],\"requests\":{},\"labels\":{},\"annotations\":{},\"taints\":[]," \
	"\"startupTaints\":[],\"expireAfter\":\"Never\",\"terminationGracePeriod\":\"\","                   \
	"\"fleetError\":\"none left\",\"launch\":{\"instanceType\":\"r6g.large\",\"zone\":\"z1\","          \
	"\"capacityType\":\"spot\",\"usdPerHour\":0.0301,\"usdPerHourDearest\":0.0546,\"model\":"           \
	"\"cheapest\""                                                                                      \
	"}}],\"savings\":0.12019999999999999}]"

Test(disruption, structured)
{
	struct sample s;
	struct emit e;
	struct buf out;

	make(&s);
	buf_init(&out);
	emit_init(&e, EMIT_JSON_COMPACT, &out);
	rep_disruption(&e, &s.report);
	emit_finish(&e);
	cr_assert_str_eq(
		buf_cstr(&out),
		"{\"apiVersion\":\"kspot.dev/v1\",\"kind\":\"Disruption\",\"formatVersion\":1,"
		"\"karpenterVersion\":\"v1.14.1\",\"notes\":[],\"commands\":" COMMAND_JSON
		",\"methods\":{\"emptiness\":[],\"staticDrift\":[],\"drift\":[],\"multi\":[],"
		"\"single\":" COMMAND_JSON "},\"candidates\":[\"a\",\"b\",\"c\"],\"conditions\":[{"
		"\"nodeClaim\":\"claim-a\",\"drifted\":\"\","
		"\"consolidatable\":true}],\"errors\":{\"multi\":\"no nodepools found\"},\"events\":["
		"{\"object\":\"Node/b\",\"reason\":\"Unconsolidatable\","
		"\"message\":\"Can't remove without creating 2 candidates\"}],\"nodes\":["
		"{\"name\":\"a\",\"verdict\":\"replace\",\"reason\":\"Underutilized\",\"detail\":\"\"},"
		"{\"name\":\"b\",\"verdict\":\"stay\",\"reason\":\"gate\",\"detail\":\"the gate is off\"},"
		"{\"name\":\"c\",\"verdict\":\"stay\",\"reason\":\"gate\",\"detail\":\"the gate is "
		"off\"}]}\n");
	buf_release(&out);
	arena_release(&s.arena);
}

Test(disruption, screen)
{
	struct sample s;
	struct buf out;

	make(&s);
	buf_init(&out);
	rep_disruption_text(&out, &s.report, false);
	cr_assert_str_eq(buf_cstr(&out),
			 "replace a (Underutilized), saves $0.1202/h\n"
			 "  by a node of apps: spot r6g.large in z1, $0.0301/h, the cheapest of 1 type (at\n"
			 "    most $0.0546/h)\n"
			 "b, c stay: the gate is off\n"
			 "multi-node consolidation failed: no nodepools found\n"
			 "\n"
			 "1 node to create, 1 of 3 to remove; $0.4509/h -> $0.3307/h\n");
	buf_clear(&out);
	rep_disruption_names(&out, &s.report);
	cr_assert_str_eq(buf_cstr(&out), "node/a\n");
	buf_release(&out);
	arena_release(&s.arena);
}
