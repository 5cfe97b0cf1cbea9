#include <criterion/criterion.h>

#include "load_fixture.h"

#define N(rows) (sizeof(rows) / sizeof((rows)[0]))

#define POOL "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: a}\n"
#define POD "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"
#define SETTINGS "apiVersion: kspot.dev/v1\nkind: Settings\n"

/* Every message of the layer has a row here or in another test. */
Test(load_errors, messages)
{
	static const struct {
		const char *text, *want; /* want: a part of the messages */
	} rows[] = {
		{"- 1\n", "1:1 error 301: this is no Kubernetes object: it is not a map"},
		{"a: 1\n", "1:1 error 301: this is no Kubernetes object: it has no kind"},
		{"kind: Pod\n", "1:1 error 301: this is no Kubernetes object: it has no apiVersion"},
		{"kind: NodeList\napiVersion: v1\nitems:\n- apiVersion: v1\n",
		 "4:3 error 305: metadata.name is missing"},
		{"kind: PodList\napiVersion: v1\nitems:\n- 7\n", "4:3 error 301"},
		{POOL "spec: 3\n", "4:7 error 302: spec: expected a map, found a number"},
		{POOL "spec: {template: {spec: {taints: {}}}}\n",
		 "error 302: spec.template.spec.taints: expected a list, found a map"},
		{POOL "spec: {template: {spec: {taints: [{}, {key: yes}]}}}\n",
		 "4:45 error 302: spec.template.spec.taints[1].key: expected a string, found a boolean\n"
		 "  hint: quote it: \"yes\"\n"},
		{POOL "spec: {template: {metadata: {labels: {a: 1}}}}\n",
		 "error 302: spec.template.metadata.labels.a: expected a string, found a number"},
		{POOL "spec: {limits: {cpu: true}}\n",
		 "error 302: spec.limits.cpu: expected a quantity, found a boolean"},
		{POOL "spec: {limits: [1]}\n",
		 "error 302: spec.limits: expected a map of quantities, found a list"},
		{POOL "spec: {weight: '3'}\n",
		 "error 302: spec.weight: expected a whole number, found a string"},
		{POOL "spec: {weight: 1.5}\n",
		 "error 302: spec.weight: expected a whole number, found a number"},
		{POOL "spec: {weight: 3000000000}\n", "error 306: spec.weight: 3000000000 is out of range"},
		{POOL "spec: {limits: {cpu: 1.5GB}}\n",
		 "error 306: spec.limits.cpu: '1.5GB' is not a quantity"},
		{POOL "spec: {disruption: {consolidateAfter: 30d}}\n",
		 "error 306: spec.disruption.consolidateAfter: '30d' is not a duration such as 1h30m\n"
		 "  hint: there is no unit for days: a day is 24h\n"},
		{POOL "spec: {disruption: {consolidationPolicy: WhenUnderutilized}}\n",
		 "is none of WhenEmpty, WhenEmptyOrUnderutilized, Balanced\n"},
		{"apiVersion: v1\nkind: Node\nmetadata: {name: a, creationTimestamp: today}\n",
		 "3:40 error 306: metadata.creationTimestamp: 'today' is not a time"},
		{POOL "spec: {template: {spec: {startupTaint: []}}}\n",
		 "4:26 warning 303: unknown field spec.template.spec.startupTaint\n"
		 "  hint: did you mean startupTaints?\n"},
		{POOL "spec: {template: {spec: {kubelet: {}}}}\n",
		 "warning 303: unknown field spec.template.spec.kubelet\n  hint: since v1 it is spec.kubelet "
		 "of the EC2NodeClass\n"},
		{POOL "spec: {requirements: []}\n", "  hint: it belongs under spec.template.spec\n"},
		{POD, "1:1 error 305: spec is missing"},
		{"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n",
		 "1:1 error 305: spec.template.spec is missing"},
		{POD "spec: {containers: [], nodeName: 1}\n", "error 302: spec.nodeName: expected a string"},
		{POOL "---\n" POOL, "5:1 warning 307: NodePool 'a' is there twice; this one stands"},
		{"apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata: {name: a}\n",
		 "1:1 error 308: Provisioner of karpenter.sh/v1alpha5"},
		{SETTINGS "---\n" SETTINGS, "4:1 error 310: a second Settings document"},
		{SETTINGS "spec: {karpenterVersion: v9.9.9}\n",
		 "error 306: spec.karpenterVersion: version 'v9.9.9' of Karpenter is not known\n  hint: "
		 "known: v1.14.1\n"},
		{SETTINGS "spec: {featureGates: {SpotToSpot: true}}\n",
		 "error 306: spec.featureGates.SpotToSpot: Karpenter has no such feature gate\n"},
		{SETTINGS "spec: {featureGates: {NodeRepair: 1}}\n",
		 "error 302: spec.featureGates.NodeRepair: expected a boolean"},
		{SETTINGS "spec: {preferencePolicy: respect}\n", "  hint: did you mean Respect?\n"},
		{SETTINGS "spec: {catalog: {prices: [{zone: a}]}}\n",
		 "error 305: spec.catalog.prices[0]: usdPerHour is missing"},
		{SETTINGS "spec: {vmMemoryOverheadPercent: -0.1}\n",
		 "error 306: spec.vmMemoryOverheadPercent: -0.1 is negative"},
		{SETTINGS "spec: {reservedENIs: -1}\n", "error 306: spec.reservedENIs: -1 is negative"},
		{"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {replicas: -1}\n",
		 "error 306: spec.replicas: -1 is out of range"},
		{SETTINGS "spec: {maxInstanceTypes: 0}\n",
		 "error 306: spec.maxInstanceTypes: 0 is out of range"},
		{"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: big}\nspec: {replicas: 2000000000, "
		 "template: {spec: "
		 "{containers: []}}}\n",
		 "1:1 error 312: Deployment 'big' asks for 2000000000 pods; the limit is 1000000 in all"},
		{POD "spec: {containers: [], priorityClassName: gold}\n",
		 "warning 313: PriorityClass 'gold' is not in the input\n"},
		{"apiVersion: v1\nkind: Service\n---\napiVersion: v1\nkind: Service\n---\napiVersion: "
		 "v1\nkind: Secret\n",
		 "1:1 note 320: passed over, decides nothing: 2 Service, 1 Secret\n"},
		{"apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\n",
		 "1:1 warning 340: a ClusterConfig of eksctl is no object of a cluster\n"},
		{"apiVersion: v1\nkind: Config\nclusters: []\n",
		 "1:1 warning 340: a kubeconfig is no object of a cluster\n"},
		{"apiVersion: v1\nkind: Status\nmessage: nodes is forbidden\n",
		 "1:1 error 341: this is a refusal of the API server: nodes is forbidden\n"},
		{"apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\n",
		 "note 321: passed over, of a version that is no longer served: 1 PodDisruptionBudget\n"},
		{"apiVersion: batch/v1\nkind: CronJob\n",
		 "note 322: passed over, is not applied: 1 CronJob\n"},
		{"apiVersion: autoscaling.x-k8s.io/v1alpha1\nkind: CapacityBuffer\nmetadata: {name: a}\n",
		 "warning 315: what CapacityBuffer 'a' refers to is not in the input\n"},
		{"apiVersion: kspot.dev/v1\nkind: InstanceTypeSet\nspec: {instanceTypes: [{name: a, "
		 "requirements: [{key: k, "
		 "operator: Is}]}]}\n",
		 "error 306: requirement 'k': 'Is' is no operator\n"},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct loaded t;
		const char *got;

		loaded_init(&t, rows[i].text, NULL);
		got = loaded_messages(&t);
		cr_expect(strstr(got, rows[i].want), "%s\nwant: %s\ngot: %s", rows[i].text, rows[i].want,
			  got);
		cr_expect_eq(t.c == NULL, strstr(got, " error ") != NULL, "%s", rows[i].text);
		loaded_release(&t);
	}
}

/* Unknown fields are told one by one up to a limit. */
Test(load_errors, many_unknown_fields)
{
	struct loaded t;
	struct buf b;

	buf_init(&b);
	buf_adds(&b, POOL "spec:\n");
	for (int i = 0; i < 30; i++)
		buf_addf(&b, "  x%d: 1\n", i);
	loaded_init(&t, buf_cstr(&b), NULL);
	cr_assert(t.c);
	cr_expect_eq(t.diags.warnings, 21);
	cr_expect(strstr(loaded_messages(&t), "warning 304: 10 more unknown fields"));
	loaded_release(&t);
	buf_release(&b);
}

static const char *const old_gate[] = {"Drift=true"}, *const bare_gate[] = {"NodeRepair"};
static const char *const short_ice[] = {"m5.large:spot"}, *const long_ice[] = {"a:b:c:d"};

Test(load_errors, options)
{
	static const struct {
		struct load_options o;
		const char *want;
	} rows[] = {
		{{.now = "noon"}, "error 1: --now noon: expected a time"},
		{{.karpenter_version = "v0.1"}, "error 1: --karpenter-version v0.1: expected v1.14.1"},
		{{.preference_policy = "ignore"},
		 "error 1: --preference-policy ignore: expected Respect or Ignore"},
		{{.min_values_policy = "x"}, "error 1: --min-values-policy x: expected Strict or BestEffort"},
		{{.gates = old_gate, .ngates = 1}, "error 1: --feature-gates Drift=true"},
		{{.gates = bare_gate, .ngates = 1}, "expected NAME=true or NAME=false"},
		{{.ice = short_ice, .nice = 1}, "error 1: --ice m5.large:spot"},
		{{.ice = long_ice, .nice = 1}, "error 1: --ice a:b:c:d"},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct loaded t;

		loaded_init(&t, "", &rows[i].o);
		cr_expect_null(t.c);
		cr_expect(strstr(loaded_messages(&t), rows[i].want), "want: %s\ngot: %s", rows[i].want,
			  loaded_messages(&t));
		loaded_release(&t);
	}
}
