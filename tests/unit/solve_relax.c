#include <criterion/criterion.h>
#include <stdio.h>

#include "stage.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

#define TERM(expr) "{matchExpressions: [" expr "]}"
#define IN_ZONE(zones) TERM(REQ(ZONE, "In", zones))
#define REQUIRED "requiredDuringSchedulingIgnoredDuringExecution: "
#define PREFERRED "preferredDuringSchedulingIgnoredDuringExecution: "
#define MUST(terms) REQUIRED "{nodeSelectorTerms: [" terms "]}"
#define WISH(weight, term) "{weight: " weight ", preference: " term "}"
#define NEAR(weight, app)                                           \
	"{weight: " weight ", podAffinityTerm: {topologyKey: " ZONE \
	", labelSelector: {matchLabels: {app: " app "}}}}"
#define NODE(list) "nodeAffinity: {" list "}"
#define LIKES(list) "podAffinity: {" PREFERRED "[" list "]}"
#define DISLIKES(list) "podAntiAffinity: {" PREFERRED "[" list "]}"
#define SOFT(app)                                         \
	"topologySpreadConstraints: [{topologyKey: " ZONE \
	", maxSkew: 1, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: " app "}}}]"
/* A pod of one runs in z1, one of two in z2, neither leaves room. */
#define WORLD                                                                                           \
	"pool p\nnode n1 p small z1 spot 1\nrun r 1 n1 || labels: {app: one}\nnode n2 p small z2 spot " \
	"1\nrun "                                                                                       \
	"s 1 "                                                                                          \
	"n2 || labels: {app: two}\npod a 1 | "
#define AFFINE(list) "affinity: {" list "}"
#define GENTLE "taints: [{key: k, effect: PreferNoSchedule}]"

#define GENTLE_Z2                                                                                       \
	"pool p | " GENTLE ", requirements: [" REQ(ZONE, "In", "z2") "]\npool q | requirements: [" REQ( \
		ZONE, "In", "z1") "]\nnode n1 q small z1 spot 1\nrun r 1 n1 || labels: {app: one}"

/* A11.2: what is given up first. */
Test(relax, order)
{
	static const struct plan_row rows[] = {
		/* z2 needs the second term, and the wish to be there still. */
		{"required terms before wishes",
		 WORLD AFFINE(NODE(MUST(IN_ZONE("z1") ", " IN_ZONE("z2, z3")) ", " PREFERRED "[" WISH(
			 "1", IN_ZONE("z2")) "]")),
		 "p(a)@z2", SHOW_ZONE},
		{"the last term stays", WORLD AFFINE(NODE(MUST(IN_ZONE("z8") ", " IN_ZONE("z9")))), "!a", 0},
		{"affinity before anti-affinity",
		 WORLD AFFINE(LIKES(NEAR("1", "one")) ", " DISLIKES(NEAR("100", "one"))), "p(a)@z2,z3",
		 SHOW_ZONE},
		{"the heaviest affinity first", WORLD AFFINE(LIKES(NEAR("1", "one") ", " NEAR("9", "two"))),
		 "p(a)@z1", SHOW_ZONE},
		{"... of equal ones the first", WORLD AFFINE(LIKES(NEAR("5", "one") ", " NEAR("5", "two"))),
		 "p(a)@z2", SHOW_ZONE},
		{"anti-affinity before wishes about nodes",
		 WORLD AFFINE(
			 DISLIKES(NEAR("1", "one")) ", " NODE(PREFERRED "[" WISH("1", IN_ZONE("z1")) "]")),
		 "p(a)@z1", SHOW_ZONE},
		{"the heaviest anti-affinity first",
		 WORLD AFFINE(
			 DISLIKES(NEAR("9", "one") ", " NEAR("1", "two")) ", " NODE(MUST(IN_ZONE("z1, z2")))),
		 "p(a)@z1", SHOW_ZONE},
		{"wishes about nodes before soft spreads",
		 WORLD SOFT("one") ", " AFFINE(
			 NODE(PREFERRED "[" WISH("1", IN_ZONE("z1")) "]")) " | labels: {app: one}",
		 "p(a)@z2", SHOW_ZONE},
		{"the heaviest wish first",
		 WORLD AFFINE(NODE(PREFERRED "[" WISH("1", IN_ZONE("z3")) ", " WISH("2", IN_ZONE("z8")) "]")),
		 "p(a)@z3", SHOW_ZONE},
		/* z1 has a pod: the spread wants z2, where only the taint would let it. */
		{"soft spreads before taints", GENTLE_Z2 "\npod a 1 | " SOFT("one") " | labels: {app: one}",
		 "q(a)@z1", SHOW_ZONE},
		{"taints when nothing else is left", "pool p | " GENTLE "\npod a 1", "p(a)", 0},
		{"... of a pod that tolerates already",
		 "pool p | " GENTLE "\npod a 1 | tolerations: [{operator: Exists, effect: PreferNoSchedule}]",
		 "p(a)", 0},
		/* The wish is there again at the pod's next turn, when b has a zone. */
		{"what was given up comes back",
		 "pool p\npod a 2 | " AFFINE(
			 "podAffinity: {" REQUIRED "[{topologyKey: " ZONE
			 ", labelSelector: {matchLabels: {app: b}}}]}, " NODE(PREFERRED "[" WISH(
				 "1", TERM(REQ("kubernetes.io/arch", "In",
					       "arm64"))) "]")) "\npod b 1 | nodeSelector: {" ZONE
								": z3, kubernetes.io/arch: amd64} | labels: "
								"{app: b}",
		 "p(b) {karpenter.sh/capacity-type In [on-demand spot], kubernetes.io/arch In [amd64], " ZONE
		 " In [z3]} p(a) {karpenter.sh/capacity-type In [on-demand spot], kubernetes.io/arch In "
		 "[arm64], " ZONE " In [z3]}",
		 SHOW_REQS},
	};

	check_plans(rows, N(rows));
}

/* A11.4. */
Test(relax, ignored)
{
#define IGNORE "settings | preferencePolicy: Ignore\n"
	static const struct plan_row rows[] = {
		{"affinity", IGNORE WORLD AFFINE(LIKES(NEAR("1", "one"))), "p(a)", SHOW_ZONE},
		{"anti-affinity", IGNORE WORLD AFFINE(DISLIKES(NEAR("1", "one"))), "p(a)", SHOW_ZONE},
		{"nodes", IGNORE WORLD AFFINE(NODE(PREFERRED "[" WISH("1", IN_ZONE("z1")) "]")), "p(a)",
		 SHOW_ZONE},
		{"soft spreads", IGNORE WORLD SOFT("one") " | labels: {app: one}", "p(a)", SHOW_ZONE},
		{"required terms are not", IGNORE WORLD AFFINE(NODE(MUST(IN_ZONE("z9") ", " IN_ZONE("z3")))),
		 "p(a)@z3", SHOW_ZONE},
		{"nor are taints", IGNORE "pool p | " GENTLE " | weight: 1\npool q\npod a 1", "q(a)", 0},
		{"... but given up", IGNORE "pool p | " GENTLE "\npod a 1", "p(a)", 0},
	};

	check_plans(rows, N(rows));
}

/* A7.1: how Kubernetes matches a toleration. */
Test(relax, tolerations)
{
	static const struct {
		const char *taint, *toleration;
		bool ok;
	} row[] = {
		{"key: k, value: v, effect: NoSchedule", "key: k, value: v, effect: NoSchedule", true},
		{"key: k, value: v, effect: NoSchedule", "key: k, operator: Equal, value: v", true},
		{"key: k, value: v, effect: NoSchedule", "key: k, value: w", false},
		{"key: k, value: v, effect: NoSchedule", "key: j, value: v", false},
		{"key: k, value: v, effect: NoSchedule", "key: k, value: v, effect: NoExecute", false},
		{"key: k, value: v, effect: NoExecute", "key: k, value: v", true},
		{"key: k, value: v, effect: NoExecute", "key: k, value: v, effect: NoSchedule", false},
		{"key: k, value: v, effect: NoSchedule", "key: k, operator: Exists", true},
		{"key: k, value: v, effect: NoSchedule", "key: j, operator: Exists", false},
		{"key: k, value: v, effect: NoSchedule", "operator: Exists", true},
		{"key: k, value: v, effect: NoSchedule", "operator: Exists, effect: NoExecute", false},
		{"key: k, effect: NoSchedule", "key: k", true},
		{"key: k, effect: NoSchedule", "key: k, value: v", false},
		{"key: k, value: '5', effect: NoSchedule", "key: k, operator: Gt, value: '4'", true},
		{"key: k, value: '5', effect: NoSchedule", "key: k, operator: Gt, value: '5'", false},
		{"key: k, value: '5', effect: NoSchedule", "key: k, operator: Lt, value: '6'", true},
		{"key: k, value: '5', effect: NoSchedule", "key: k, operator: Lt, value: '5'", false},
		{"key: k, value: '-5', effect: NoSchedule", "key: k, operator: Lt, value: '-4'", true},
		{"key: k, value: '10', effect: NoSchedule", "key: k, operator: Gt, value: '9'", true},
		{"key: k, value: v, effect: NoSchedule", "key: k, operator: Gt, value: '4'", false},
		{"key: k, value: '05', effect: NoSchedule", "key: k, operator: Gt, value: '4'", false},
		{"key: k, value: '5', effect: NoSchedule",
		 "key: k, operator: Gt, value: '4', effect: NoExecute", false},
	};

	for (size_t i = 0; i < N(row); i++) {
		char text[400];
		struct stage s;
		const char *got;

		snprintf(text, sizeof(text), "pool p | taints: [{%s}]\npod a 1 | tolerations: [{%s}]",
			 row[i].taint, row[i].toleration);
		stage_init(&s, text);
		got = stage_plan(&s, 0);
		cr_expect_str_eq(got, row[i].ok ? "p(a)" : "!a", "{%s} of {%s}: %s", row[i].toleration,
				 row[i].taint, got);
		stage_release(&s);
	}
}
