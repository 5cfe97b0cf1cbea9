#include <criterion/criterion.h>

#include "check_fixture.h"
#include "cluster.h"
#include "lint.h"
#include "load.h"

#define N(rows) (sizeof(rows) / sizeof((rows)[0]))

/* "line:KS07nn" for each finding, with blanks between. */
static const char *lint_text_of(struct check_fixture *f, const char *text)
{
	struct lint_findings found = {0};

	check_text(f, text);
	lint_docs(&f->a, f->result, &found);
	lint_settle(&f->a, f->result, &found);
	buf_clear(&f->out);
	for (uint32_t i = 0; i < found.v.n; i++) {
		const struct diag_msg *m = &found.v.v[i].msg;

		cr_assert(m->hint && *m->hint, "%s has no hint", m->text);
		buf_addf(&f->out, "%s%u:%d", i ? " " : "", m->span.line, (int)m->code);
	}
	return buf_cstr(&f->out);
}

struct row {
	const char *text, *want;
};

static void run(const struct row *rows, size_t n)
{
	struct check_fixture f;

	check_fixture_init(&f);
	for (size_t i = 0; i < n; i++)
		cr_assert_str_eq(lint_text_of(&f, rows[i].text), rows[i].want, "row %zu:\n%s\ngot: %s", i,
				 rows[i].text, buf_cstr(&f.out));
	check_fixture_release(&f);
}

/* Six lines; spec on the fourth, requirements on the sixth. */
#define POOL(name, spec, template, reqs)                                                                 \
	"apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: " name "}\nspec: {" spec "\n"     \
	"  template: {" template " spec: {nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, " \
				 "name: c},\n"                                                           \
				 "    requirements: [" reqs "]}}}\n---\n"
#define ALONE(spec) POOL("a", spec, "", "")
#define REQ(reqs) POOL("a", "", "", reqs)
#define SPOT "{key: karpenter.sh/capacity-type, operator: In, values: [spot]}"
#define DEMAND "{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}"
#define ARM "{key: kubernetes.io/arch, operator: In, values: [arm64]}"
#define AMD "{key: kubernetes.io/arch, operator: NotIn, values: [arm64]}"

Test(load_lint, pools)
{
	static const struct row rows[] = {
		{ALONE(""), ""},
		{REQ(SPOT), "6:707"},
		{REQ(DEMAND), "6:708"},
		{"# kspot: ignore KS0707 it may wait\n" REQ(SPOT), ""},
		{REQ(SPOT) "# kspot: ignore KS0708,KS0707\n", ""},
		{"# kspot: ignore KS0101 KS0707\n" REQ(SPOT), "1:724"},
		/* An annotation holds for its object. */
		{POOL("a, annotations: {kspot.dev/ignore: KS0707 it may wait}", "", "", SPOT), ""},
		{POOL("a, annotations: {kspot.dev/ignore: KS0708}", "", "", SPOT ", " ARM)
			 POOL("b", "", "", DEMAND ", " AMD),
		 "6:707 13:708"},
		{POOL("a, annotations: {kspot.dev/ignore: 'KS0708, KS0707'}", "", "", SPOT ", " ARM)
			 POOL("b", "", "", DEMAND ", " AMD),
		 "13:708"},
		{POOL("a, annotations: {kspot.dev/ignore: KS0605}", "", "", ""), "3:724"},
		/* A fall-back has to take the same pods. */
		{REQ(SPOT) POOL("b", "weight: 1,", "", DEMAND), ""},
		{REQ(SPOT ", " AMD) POOL("b", "weight: 1,", "", DEMAND ", " ARM), "6:707 13:708"},
		{REQ("{key: node.kubernetes.io/instance-type, operator: In, values: [m5.large, m5, m]}"),
		 "6:704 6:704"},
		{REQ("{key: karpenter.k8s.aws/instance-family, operator: In, values: [m5, m5.large, r]}"),
		 "6:704 6:704"},
		{REQ("{key: karpenter.k8s.aws/instance-category, operator: In, values: [m, r5]}"), "6:704"},
		{REQ("{key: karpenter.k8s.aws/instance-size, operator: NotIn, values: [m5.large, Large]}"),
		 "6:704 6:704"},
		{ALONE("limits: {cpu: 0, memory: 1Gi, nvidia.com/gpu: 0},"), "4:709"},
		{ALONE("replicas: 3, limits: {nodes: 2},"), "4:709"},
		{ALONE("replicas: 3, limits: {nodes: 3},"), ""},
	};

	run(rows, N(rows));
}

Test(load_lint, overlaps)
{
	static const struct row rows[] = {
		{ALONE("") POOL("b", "", "", ""), "8:703"},
		{ALONE("") POOL("b", "weight: 1,", "", ""), ""},
		{REQ(ARM) POOL("b", "", "", AMD), ""},
		{REQ(ARM) POOL("b", "", "", ARM), "8:703"},
		{POOL("a", "", "metadata: {labels: {t: x}},", "")
			 POOL("b", "", "metadata: {labels: {t: y}},", ""),
		 ""},
		{ALONE("replicas: 1,") POOL("b", "", "", ""), ""},
		{ALONE("") "apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata: {name: d}\n",
		 "5:721"},
	};

	run(rows, N(rows));
}

Test(load_lint, disruption)
{
#define DISRUPT(text) ALONE("disruption: {consolidateAfter: 5m, " text "},")
#define BUDGETS(text) DISRUPT("budgets: [" text "]")
	static const struct row rows[] = {
		{DISRUPT("consolidationPolicy: WhenEmpty"), ""},
		{ALONE("disruption: {consolidateAfter: 0s},"), "4:713"},
		{ALONE("disruption: {consolidateAfter: 0s, consolidationPolicy: WhenEmpty},"), ""},
		{ALONE("disruption: {consolidateAfter: 1000h},"), "4:714"},
		{ALONE("disruption: {consolidateAfter: Never},"), ""},
		{BUDGETS("{nodes: '0'}"), "4:710"},
		{BUDGETS("{nodes: 00%, reasons: [Drifted]}, {nodes: '3'}"), "4:710"},
		{BUDGETS("{nodes: '0', schedule: '@daily', duration: 8h}, {nodes: '3'}"), ""},
		{BUDGETS("{nodes: '0', schedule: '@daily', duration: 24h}, {nodes: '3'}"), "4:710"},
		{BUDGETS("{nodes: '0', schedule: '0 8-17 * * *', duration: 1h}, {nodes: 5%}"), ""},
		{BUDGETS("{nodes: '3', schedule: '@daily', duration: 8h}"), "4:712"},
		{BUDGETS("{nodes: 100%}"), "4:711"},
		{BUDGETS(""), "4:711"},
		{POOL("a", "", "spec: {expireAfter: 10m},", ""), ""},
	};

	run(rows, N(rows));
}

Test(load_lint, classes_and_names)
{
#define CLASS(spec)                                                                                   \
	"apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata: {name: c}\nspec: {role: r, " \
	"subnetSelectorTerms: [{id: subnet-1}], securityGroupSelectorTerms: [{id: sg-1}],\n" spec "}\n"
	static const struct row rows[] = {
		{CLASS("amiSelectorTerms: [{alias: al2023@v20250101}]"), ""},
		{CLASS("amiSelectorTerms: [{alias: al2023@latest}]"), "5:722"},
		{CLASS("amiSelectorTerms: [{alias: windows2022@latest}]"), ""},
		{CLASS("amiSelectorTerms: [{alias: al2@v1}], metadataOptions: {httpTokens: optional,\n"
		       "httpPutResponseHopLimit: 2}"),
		 "5:723 6:723"},
		{CLASS("amiSelectorTerms: [{alias: al2@v1}],\nsubnetSelector: {a: b}"), "6:720"},
		{ALONE("disruption: {consolidateAfter: 1m,\nexpireAfter: 1h},"), "5:720"},
		{ALONE("disruption: {consolidateAfter: 1m,\nconsolidationPolicy: WhenUnderutilized},"),
		 "5:720"},
		{"apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata: {name: p}\n", "1:720"},
		{REQ("{key: beta.kubernetes.io/arch, operator: Exists}"), "6:719"},
		{"apiVersion: v1\nkind: Pod\nmetadata: {annotations: {karpenter.sh/do-not-evict: 'true'}}\n",
		 "3:719"},
		{"apiVersion: v1\nkind: Node\nmetadata: {labels: {beta.kubernetes.io/os: linux}}\n", ""},
	};

	run(rows, N(rows));
}

Test(load_lint, workloads)
{
#define RES "resources: {requests: {cpu: 1, memory: 1Gi}}"
#define DEPLOYMENT(spec)                                                                             \
	"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: w}\nspec: {replicas: 2, template: " \
	"{metadata: "                                                                                \
	"{labels: {app: w}}, spec: {\n" spec "}}}\n---\n"
#define PDB(spec)                                                                             \
	"apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\nspec: {" spec \
	", selector: {matchLabels: {app: w}}}\n"
#define SCALER(name)                                                                                \
	"apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nspec: {scaleTargetRef: {kind: " \
	"Deployment, "                                                                              \
	"name: " name "}}\n---\n"
#define OK_DEPLOYMENT DEPLOYMENT("containers: [{name: x, " RES "}]")
	static const struct row rows[] = {
		{OK_DEPLOYMENT, ""},
		{DEPLOYMENT("containers: [{name: x, resources: {limits: {cpu: 1, memory: 1Gi}}}]"), ""},
		{DEPLOYMENT("resources: {requests: {cpu: 1}}, containers: [{name: x, resources: {requests: "
			    "{memory: 1}}}]"),
		 ""},
		{DEPLOYMENT("containers: [{name: x},\n{name: y, resources: {requests: {cpu: null, memory: "
			    "1}}}]"),
		 "5:715 6:715"},
		{"apiVersion: v1\nkind: Pod\nmetadata: {name: p, ownerReferences: [{}]}\nspec: {containers: "
		 "[{name: x}]}\n",
		 ""},
		{ALONE("") DEPLOYMENT(
			 "topologySpreadConstraints: [{topologyKey: rack},\n{topologyKey: "
			 "topology.kubernetes.io/zone}, {topologyKey: karpenter.sh/capacity-type}]"),
		 "12:716"},
		{POOL("a", "", "metadata: {labels: {rack: r}},", "")
			 DEPLOYMENT("topologySpreadConstraints: [{topologyKey: rack}]"),
		 ""},
		{ALONE("") DEPLOYMENT(
			 "affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{"
			 "podAffinityTerm: {topologyKey: rack}}]}}"),
		 "12:716"},
		{OK_DEPLOYMENT PDB("maxUnavailable: 1"), ""},
		{OK_DEPLOYMENT PDB("maxUnavailable: 0"), "10:718"},
		{OK_DEPLOYMENT PDB("maxUnavailable: 0%"), "10:718"},
		{OK_DEPLOYMENT PDB("minAvailable: 1"), ""},
		{OK_DEPLOYMENT PDB("minAvailable: 2"), "10:718"},
		{OK_DEPLOYMENT PDB("minAvailable: 50%"), ""},
		{OK_DEPLOYMENT PDB("minAvailable: 51%"), "10:718"}, /* rounded up */
		{OK_DEPLOYMENT SCALER("w") PDB("minAvailable: 2"), ""},
		{OK_DEPLOYMENT SCALER("x") PDB("minAvailable: 2"), "14:718"},
		{PDB("minAvailable: 100%"), "4:718"},
		{PDB("minAvailable: 2"), ""},
	};

	run(rows, N(rows));
}

#define TYPE(name, cpu, arch, zone, capacity_type)                                        \
	"  - {name: " name ", capacity: {cpu: " cpu                                       \
	", memory: 8Gi, pods: 20}, requirements: [{key: kubernetes.io/arch, "             \
	"operator: In, values: [" arch                                                    \
	"]}, {key: karpenter.k8s.aws/instance-family, operator: In, values: [" name       \
	"5d]}], offerings: [{price: 1, requirements: [{key: karpenter.sh/capacity-type, " \
	"operator: In, values: [" capacity_type                                           \
	"]}, {key: topology.kubernetes.io/zone, operator: In, values: [" zone "]}]}]}\n"
/* Three lines and one for each type. */
#define TYPES                                                                               \
	"apiVersion: kspot.dev/v1\nkind: InstanceTypeSet\nspec:\n  instanceTypes:\n" TYPE(  \
		"s", "2", "amd64", "z1", "spot") TYPE("m", "4", "amd64", "z1", "on-demand") \
		TYPE("l", "8", "arm64", "z2", "on-demand") "---\n"
#define DAEMON(cpu)                                                                                         \
	"apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: d}\nspec: {selector: {}, template: {spec: " \
	"{containers: "                                                                                     \
	"[{name: x, resources: {requests: {cpu: " cpu ", memory: 1Gi}}}]}}}\n"

/* "line:code" for each finding, or its text. Ready types stand for those of EC2, which another layer makes.
 */
static const char *types_lints(struct check_fixture *f, const char *text, bool words)
{
	const struct load_options options = {0};
	struct lint_findings found = {0};
	const struct itype_list *types[1];
	struct docs docs = {0};
	struct cluster *c;

	check_text(f, text);
	doc_read(&f->a, &f->d, source_from_text(&f->a, "t", str_of(TYPES)), &docs);
	doc_read(&f->a, &f->d, source_from_text(&f->a, "t", str_of(text)), &docs);
	c = load_cluster(&f->a, &f->d, &docs, &options);
	cr_assert(c && c->pools.n == 1, "%s: %s", text, f->d.msgs.n ? f->d.msgs.v[0].text : "");
	types[0] = &c->type_sets.v[0].types;
	lint_types(&f->a, f->result, c, types, &found);
	buf_clear(&f->out);
	for (uint32_t k = 0; k < found.v.n; k++) {
		const struct diag_msg *m = &found.v.v[k].msg;

		if (words)
			buf_addf(&f->out, "%s|%s", m->text, m->hint);
		else
			buf_addf(&f->out, "%s%u:%d", k ? " " : "", m->span.line, (int)m->code);
	}
	return buf_cstr(&f->out);
}

Test(load_lint, types)
{
	static const struct row rows[] = {
		{ALONE(""), "1:705 1:706"},
		{REQ("{key: karpenter.sh/capacity-type, operator: NotIn, values: [spot]}"), ""},
		{REQ(ARM), "1:702"},
		{REQ(ARM ", {key: topology.kubernetes.io/zone, operator: In, values: [z2]}"), ""},
		{REQ(ARM ", {key: topology.kubernetes.io/zone, operator: In, values: [z2, z9]}"), "6:702"},
		{REQ(ARM ", " SPOT), "6:701"},
		/* m5 is no family, and a prefix of one; s5d is one, and x5 nothing at all. */
		{REQ("{key: karpenter.k8s.aws/instance-family, operator: In, values: [m5, s5d, x5]}"),
		 "6:704 1:705 1:706 1:702"},
		{REQ("{key: karpenter.k8s.aws/instance-family, operator: NotIn, values: [m]}"),
		 "1:705 1:706"},
		/* Nobody looks for cheaper Spot there. */
		{ALONE("replicas: 1,"), "1:706"},
		{ALONE("disruption: {consolidateAfter: 1m, consolidationPolicy: WhenEmpty},"), "1:706"},
		{ALONE("disruption: {consolidateAfter: Never},"), "1:706"},
		{POOL("a", "limits: {cpu: 6},", "",
		      ARM ", {key: topology.kubernetes.io/zone, operator: In, values: [z2]}"),
		 "4:709"},
		{REQ(ARM ", {key: topology.kubernetes.io/zone, operator: Exists}") DAEMON("6"), "6:702"},
		{REQ(ARM) DAEMON("9"), "1:702 8:717"},
		{REQ(AMD ", {key: karpenter.sh/capacity-type, operator: NotIn, values: [spot]}") DAEMON("6"),
		 "1:702 8:717"},
	};
	struct check_fixture f;

	check_fixture_init(&f);
	for (size_t i = 0; i < N(rows); i++)
		cr_assert_str_eq(types_lints(&f, rows[i].text, false), rows[i].want, "row %zu: %s\ngot: %s",
				 i, rows[i].text, buf_cstr(&f.out));
	check_fixture_release(&f);
}

/* The fewest requirements that leave nothing are named, labels of the template among them. */
Test(load_lint, empty_pools)
{
#define TEXT(why, hint) "NodePool 'a' allows no instance type: none meets " why "|" hint
#define ZONE(zone) "{key: topology.kubernetes.io/zone, operator: In, values: [" zone "]}"
	static const struct row rows[] = {
		{REQ(ARM ", " SPOT),
		 TEXT("both kubernetes.io/arch In arm64 and karpenter.sh/capacity-type In spot",
		      "without the requirement of kubernetes.io/arch there would be 1")},
		{REQ(SPOT ", " DEMAND),
		 TEXT("both karpenter.sh/capacity-type In spot and karpenter.sh/capacity-type In on-demand",
		      "without the requirement of karpenter.sh/capacity-type there would be 2")},
		{REQ(AMD ", " ZONE("z5, z6, z7, z8, z9") ", " DEMAND),
		 TEXT("topology.kubernetes.io/zone In z5, z6, z7, z8 and 1 more",
		      "without the requirement of topology.kubernetes.io/zone there would be 1")},
		{POOL("a", "", "metadata: {labels: {kubernetes.io/arch: arm64}},", DEMAND ", " ZONE("z1")),
		 TEXT("both kubernetes.io/arch=arm64 and topology.kubernetes.io/zone In z1",
		      "without the requirement of kubernetes.io/arch there would be 1")},
		{REQ("{key: kubernetes.io/arch, operator: Exists}, " AMD ", " DEMAND
		     ", " ZONE("z1, z2") ", "
					 "{key: karpenter.sh/capacity-type, operator: NotIn, values: "
					 "[on-demand, reserved]}, " ZONE("z1")),
		 TEXT("both karpenter.sh/capacity-type In on-demand and karpenter.sh/capacity-type NotIn "
		      "on-demand, reserved",
		      "without the requirement of karpenter.sh/capacity-type there would be 1")},
	};
	struct check_fixture f;

	check_fixture_init(&f);
	for (size_t i = 0; i < N(rows); i++)
		cr_assert_str_eq(types_lints(&f, rows[i].text, true), rows[i].want, "row %zu: %s\ngot: %s", i,
				 rows[i].text, buf_cstr(&f.out));
	check_fixture_release(&f);
}
