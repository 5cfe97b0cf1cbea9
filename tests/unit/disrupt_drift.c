#include <criterion/criterion.h>

#include "round.h"
#include "stage.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

#define HASH(hash, version)                                \
	"annotations: {karpenter.sh/nodepool-hash: '" hash \
	"', karpenter.sh/nodepool-hash-version: '" version "'}"
#define N1 "node n1 np large z1 spot 8 "
#define REQS(list) "pool np | requirements: [" list "]\n"
#define GIVEN(status, reason) "|||||||{type: Drifted, status: '" status "', reason: " reason "}"
/* A NodeClaim and no Node: conditions are decided on all the same. */
#define CLAIM(created, labels, launched)                                                                  \
	"{apiVersion: karpenter.sh/v1, kind: NodeClaim, metadata: {name: c1, " created                    \
	"labels: {karpenter.sh/nodepool: np, " labels                                                     \
	"}}, spec: {nodeClassRef: {group: g.io, kind: Class, name: "                                      \
	"c}, requirements: []}, status: {providerID: p, conditions: [{type: Launched, status: '" launched \
	"'}]}}"
#define OLD "creationTimestamp: '2025-12-31T22:59:59Z', "
#define OF(type, zone, capacity)                                      \
	"node.kubernetes.io/instance-type: " type ", " ZONE ": " zone \
	", karpenter.sh/capacity-type: " capacity

#define CR "karpenter.k8s.aws/capacity-reservation-id"
#define KNOWN_CR "settings | wellKnownLabels: [" CR "]\n"
#define OF_CR OF("solid", "z1", "reserved") ", " CR ": cr-1"
#define RESERVED_TYPE(capacity)                                                                              \
	"{apiVersion: kspot.dev/v1, kind: InstanceTypeSet, metadata: {name: t}, spec: {instanceTypes: "      \
	"[{name: solid, "                                                                                    \
	"capacity: {cpu: 4, memory: 8Gi, pods: 10}, requirements: [], offerings: [{price: 1, requirements: " \
	"[" REQ(ZONE, "In", "z1") ", " REQ("karpenter.sh/capacity-type", "In",                               \
					   capacity) ", " REQ(CR, "In", "cr-2") "]}]}]}}\n"

/* C3: why a NodeClaim is drifted. */
Test(drift, reasons)
{
	static const struct {
		const char *name, *text, *want;
	} rows[] = {
		{"not at all", "pool np\n" N1, ""},
		/* C3.2. */
		{"hash", "pool np |||| " HASH("1", "v3") "\n" N1 "|| " HASH("2", "v3"), "NodePoolDrifted"},
		{"the same hash", "pool np |||| " HASH("1", "v3") "\n" N1 "|| " HASH("1", "v3"), ""},
		{"another version", "pool np |||| " HASH("1", "v3") "\n" N1 "|| " HASH("2", "v2"), ""},
		{"no hash of the NodePool", "pool np\n" N1 "|| " HASH("2", "v3"), ""},
		{"no hash of the NodeClaim", "pool np |||| " HASH("1", "v3") "\n" N1, ""},
		{"no version",
		 "pool np |||| annotations: {karpenter.sh/nodepool-hash: '1'}\n" N1
		 "|| annotations: {karpenter.sh/nodepool-hash: '2'}",
		 ""},
		/* C3.3. */
		{"zone", REQS(REQ(ZONE, "In", "z2, z3")) N1, "RequirementsDrifted"},
		{"the right zone", REQS(REQ(ZONE, "In", "z1, z3")) N1, ""},
		{"not that zone", REQS(REQ(ZONE, "NotIn", "z1")) N1, "RequirementsDrifted"},
		{"a label that is not there", REQS(REQ("team", "In", "a")) N1, "RequirementsDrifted"},
		{"a well-known one", REQS(HAS("topology.kubernetes.io/region", "Exists")) N1,
		 "RequirementsDrifted"},
		{"a label that is there", REQS(REQ("team", "In", "a")) N1 "| team: a", ""},
		{"a bound", REQS(REQ("size", "Gt", "'3'")) N1 "| size: '3'", "RequirementsDrifted"},
		{"within a bound", REQS(REQ("size", "Gt", "'3'")) N1 "| size: '4'", ""},
		{"a bound of a label that is not there", REQS(REQ("size", "Lt", "'3'")) N1,
		 "RequirementsDrifted"},
		{"a label that may not be there", REQS(REQ("team", "NotIn", "a")) N1, ""},
		{"a label that must not be there", REQS(HAS("team", "DoesNotExist")) N1, ""},
		{"but is", REQS(HAS("team", "DoesNotExist")) N1 "| team: b", "RequirementsDrifted"},
		{"minValues", REQS("{key: " ZONE ", operator: In, values: [z1, z2, z3], minValues: 3}") N1,
		 ""},
		{"labels of the template", "pool np ||| labels: {team: a}\n" N1, ""},
		{"hash before requirements",
		 "pool np | requirements: [" REQ(ZONE, "In",
						 "z2") "] ||| " HASH("1", "v3") "\n" N1 "|| " HASH("2", "v3"),
		 "NodePoolDrifted"},
		/* C3.4. */
		{"no such type", "pool np\n" CLAIM(OLD, OF("huge", "z1", "spot"), "True"),
		 "InstanceTypeNotFound"},
		{"in its first hour",
		 "pool np\n" CLAIM("creationTimestamp: '2025-12-31T23:00:00Z', ", OF("huge", "z1", "spot"),
				   "True"),
		 ""},
		{"of no age", "pool np\n" CLAIM("", OF("huge", "z1", "spot"), "True"),
		 "InstanceTypeNotFound"},
		{"no such offering", "pool np\n" CLAIM(OLD, OF("large", "z9", "spot"), "True"),
		 "InstanceTypeNotFound"},
		{"no type label", "pool np\n" CLAIM(OLD, ZONE ": z1", "True"), "InstanceTypeNotFound"},
		{"no label for the zone",
		 "pool np\n" CLAIM(OLD, "node.kubernetes.io/instance-type: large", "True"), ""},
		{"reserved, that became on-demand",
		 "pool np\n" CLAIM(OLD, OF("large", "z1", "reserved"), "True"), ""},
		{"reserved, of another reservation",
		 KNOWN_CR RESERVED_TYPE("reserved") "pool np\n" CLAIM(OLD, OF_CR, "True"), ""},
		{"reserved, of a type that is not",
		 KNOWN_CR RESERVED_TYPE("spot") "pool np\n" CLAIM(OLD, OF_CR, "True"),
		 "InstanceTypeNotFound"},
		{"requirements before types",
		 REQS(REQ(ZONE, "In", "z2")) CLAIM(OLD, OF("huge", "z1", "spot"), "True"),
		 "RequirementsDrifted"},
		/* C3.1, determinism. */
		{"not launched", REQS(REQ(ZONE, "In", "z2")) CLAIM(OLD, OF("large", "z1", "spot"), "False"),
		 ""},
		{"on its way out", REQS(REQ(ZONE, "In", "z2")) N1 "|| " DELETED, ""},
		{"no NodePool", CLAIM(OLD, OF("huge", "z1", "spot"), "True"), ""},
		{"the input says so", "pool np\n" N1 GIVEN("True", "SecurityGroupDrift"),
		 "SecurityGroupDrift"},
		{"the input says no", REQS(REQ(ZONE, "In", "z2")) N1 GIVEN("False", "x"), ""},
		{"the input does not know", REQS(REQ(ZONE, "In", "z2")) N1 GIVEN("Unknown", "x"), ""},
		{"without a reason", "pool np\n" N1 GIVEN("True", "''"), "Drifted"},
	};

	for (size_t i = 0; i < N(rows); i++) {
		const struct disruption *d;
		const char *got;
		struct stage s;

		stage_init(&s, rows[i].text);
		d = stage_disrupt(&s);
		cr_assert_eq(d->ncondition, 1);
		got = intern_c(s.c->in, d->condition[0].drifted);
		cr_expect_str_eq(got, rows[i].want, "%s: %s", rows[i].name, got);
		stage_release(&s);
	}
}

/* B4.1, B4.2: which NodeClaims are consolidatable, whatever comes of it. */
Test(drift, consolidatable)
{
	static const struct {
		const char *text;
		bool want;
	} rows[] = {
		{"pool np\n" N1, true},
		{"pool np || replicas: 1\n" N1, false},
		{"pool np || disruption: {consolidateAfter: Never}\n" N1, false},
		{"pool np || disruption: {consolidationPolicy: WhenEmpty}\n" N1, true},
		{"pool np\n" N1 "|| " DELETED, false},
		{N1, false},
		{"pool np\n" CLAIM(OLD, OF("large", "z1", "spot"), "True"), false},
	};

	for (size_t i = 0; i < N(rows); i++) {
		const struct disruption *d;
		struct stage s;

		stage_init(&s, rows[i].text);
		d = stage_disrupt(&s);
		cr_expect_eq(d->condition[0].consolidatable, rows[i].want, "row %zu", i);
		stage_release(&s);
	}
}

/* C3.1: the cloud provider is asked last; what it cannot tell is no drift. */
Test(drift, provider)
{
	static const struct {
		const char *text, *says, *want;
	} rows[] = {
		{"pool np\n" N1, "AMIDrift", "AMIDrift"},
		{"pool np\n" N1, "", ""},
		{"pool np\n" N1, NULL, ""},
		{REQS(REQ(ZONE, "In", "z2")) N1, "AMIDrift", "RequirementsDrifted"},
		{"pool np\n" CLAIM(OLD, OF("huge", "z1", "spot"), "True"), "AMIDrift",
		 "InstanceTypeNotFound"},
		{"pool np\n" CLAIM(OLD, OF("large", "z1", "spot"), "False"), "AMIDrift", ""},
		{"pool np\n" N1 GIVEN("False", "x"), "AMIDrift", ""},
		{N1, "AMIDrift", ""},
	};

	for (size_t i = 0; i < N(rows); i++) {
		const struct disruption *d;
		const char *got;
		struct stage s;
		sid says;

		stage_init(&s, rows[i].text);
		says = rows[i].says ? intern_cstr(s.c->in, rows[i].says) : SID_NONE;
		d = disrupt_round(&s.arena, snapshot_new(&s.arena, s.c, s.types, FOR_DISRUPTION),
				  &(struct disrupt_input){.provider_drift = &says, .types = s.types});
		got = intern_c(s.c->in, d->condition[0].drifted);
		cr_expect_str_eq(got, rows[i].want, "row %zu: %s", i, got);
		stage_release(&s);
	}
}
