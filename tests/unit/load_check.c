#include <criterion/criterion.h>

#include "check_fixture.h"

#define N(rows) (sizeof(rows) / sizeof((rows)[0]))

struct row {
	const char *text, *want;
};

static void run(const struct row *rows, size_t n)
{
	struct check_fixture f;

	check_fixture_init(&f);
	for (size_t i = 0; i < n; i++)
		cr_assert_str_eq(check_text(&f, rows[i].text), rows[i].want, "row %zu:\n%s\nwant:\n%s", i,
				 buf_cstr(&f.out), rows[i].want);
	check_fixture_release(&f);
}

#define POOL(spec) "{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: p}, spec: {" spec "}}"
#define REF "nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: d}"
#define TEMPLATE "template: {spec: {" REF ", requirements: []}}"
#define WITH(spec) POOL(spec ", " TEMPLATE)
#define REQ(req) POOL("template: {spec: {" REF ", requirements: [{" req "}]}}")
#define DEFAULTS "default spec.disruption\ndefault spec.template.spec.expireAfter\n"
#define SKIPPED                                                                                        \
	" Invalid Invalid value: null: some validation rules were not checked because the object was " \
	"invalid; "                                                                                    \
	"correct the existing errors to complete validation\n"

Test(load_check, documents)
{
	static const struct row rows[] = {
		{"", ""},
		{"- a\n", "parseError\n Invalid document is not an object\n"},
		{"a: [\n", "parseError\n Invalid not valid YAML: did not find expected node content\n"},
		{"kind: NodePool\n", "parseError\napiVersion Required Object 'apiVersion' is missing\n"},
		{"apiVersion: karpenter.sh/v1\nkind: 1\n",
		 "parseError\nkind Required Object 'Kind' is missing\n"},
		{"{apiVersion: v1, kind: Pod}", "notKarpenter\n"},
		{"{apiVersion: karpenter.sh/v1, kind: Pod}",
		 "unknownKind\nkind NotFound no matches for kind \"Pod\" in version \"karpenter.sh/v1\"\n"},
		{"{apiVersion: a/b/c, kind: Pod}",
		 "unknownKind\napiVersion Invalid unexpected GroupVersion string: a/b/c\n"},
		{"{apiVersion: v1, kind: List, items: []}", ""},
		{"{apiVersion: v1, kind: List}", "notKarpenter\n"},
		{"{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: List, items: [{apiVersion: v1, "
		 "kind: "
		 "A}, {}]}, {apiVersion: v1, kind: B}]}",
		 "notKarpenter #0\nparseError #1\nkind Required Object 'Kind' is missing\nnotKarpenter #2\n"},
		{"{apiVersion: karpenter.sh/v1, kind: NodeClaimList, items: [{metadata: {name: Bad}}]}",
		 "rejected #0\n" SKIPPED "metadata.name Invalid Invalid value: \"Bad\": a lowercase RFC 1123 "
		 "subdomain must consist of lower case "
		 "alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character "
		 "(e.g. "
		 "'example.com', regex used for validation is "
		 "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?"
		 ")*')\nspec Required Required value\n"},
		{POOL(TEMPLATE) "\n---\nx: [\n---\n{apiVersion: v1, kind: Pod}",
		 "accepted\n" DEFAULTS
		 "parseError\n Invalid not valid YAML: did not find expected node content\nnotKarpenter\n"},
	};

	run(rows, N(rows));
}

Test(load_check, types)
{
	static const struct row rows[] = {
		{WITH("weight: 10.0"), "accepted\n" DEFAULTS},
		{WITH("weight: '10'"),
		 "rejected\n" SKIPPED "spec.weight TypeInvalid Invalid value: \"string\": spec.weight in "
		 "body must be of type integer: \"string\"\n" DEFAULTS},
		{WITH("weight: 101"), "rejected\nspec.weight Invalid Invalid value: 101: spec.weight in body "
				      "should be less than or equal to "
				      "100\n" DEFAULTS},
		{WITH("weight: 1234567.5"),
		 "rejected\n" SKIPPED
		 "spec.weight Invalid Invalid value: 1.2345675e+06: spec.weight in body should be less "
		 "than or equal to 100\nspec.weight TypeInvalid Invalid value: \"number\": spec.weight in "
		 "body must be of type "
		 "integer: \"number\"\n" DEFAULTS},
		{WITH("limits: {cpu: 1e99999999999999999999}"),
		 "accepted\ndecode: unable to parse quantity's suffix\n" DEFAULTS},
		{WITH("limits: {cpu: 1E, memory: 2Ei, pods: 1e3}"), "accepted\n" DEFAULTS},
		{WITH("weight: 0"), "rejected\nspec.weight Invalid Invalid value: 0: spec.weight in body "
				    "should be greater than or equal to "
				    "1\n" DEFAULTS},
		{WITH("weight: null"), "accepted\n" DEFAULTS},
		{WITH("limits: {cpu: 1.5}"),
		 "rejected\n Invalid Invalid value: \"\": \"spec.limits.cpu\" must validate at least one "
		 "schema (anyOf)\n" SKIPPED "spec.limits.cpu TypeInvalid Invalid value: \"number\": "
		 "spec.limits.cpu in body must be of type integer,string: "
		 "\"number\"\nspec.limits.cpu TypeInvalid Invalid value: \"number\": spec.limits.cpu in body "
		 "must be of type "
		 "integer: \"number\"\n" DEFAULTS},
		{WITH("disruption: {consolidateAfter: 1m, budgets: [{nodes: null, reasons: [Empty, Empty, "
		      "Empty]}]}"),
		 "rejected\nspec.disruption.budgets[0].reasons[1] Duplicate Duplicate value: \"Empty\"\n"
		 "default spec.disruption.budgets[0].nodes\ndefault spec.disruption.consolidationPolicy\n"
		 "default spec.template.spec.expireAfter\n"},
		{WITH("disruption: {consolidationPolicy: [x]}"),
		 "rejected\n" SKIPPED "spec.disruption.consolidateAfter Required Required value\n"
		 "spec.disruption.consolidationPolicy NotSupported Unsupported value: [\"x\"]: "
		 "supported values: "
		 "\"WhenEmpty\", \"WhenEmptyOrUnderutilized\", \"Balanced\"\n"
		 "spec.disruption.consolidationPolicy TypeInvalid Invalid value: \"array\": "
		 "spec.disruption.consolidationPolicy "
		 "in body must be of type string: \"array\"\n"
		 "default spec.disruption.budgets\ndefault spec.template.spec.expireAfter\n"},
		{WITH("replicas: true"),
		 "rejected\n" SKIPPED ".spec.replicas Invalid Invalid value: 0: .spec.replicas accessor "
		 "error: true is of the type bool, expected "
		 "int64\nspec.replicas TypeInvalid Invalid value: \"boolean\": spec.replicas in body must be "
		 "of type integer: "
		 "\"boolean\"\n" DEFAULTS},
		{POOL("template: {spec: {" REF
		      ", requirements: [], taints: [{key: a, effect: NoSchedule, timeAdded: "
		      "'2026-02-29T00:00:00Z'}]}}"),
		 "rejected\n" SKIPPED "spec.template.spec.taints[0].timeAdded TypeInvalid Invalid value: "
		 "\"2026-02-29T00:00:00Z\": "
		 "spec.template.spec.taints[0].timeAdded in body must be of type date-time: "
		 "\"2026-02-29T00:00:00Z\"\n" DEFAULTS},
		{WITH("a: 1, limits: {}, Weight: 3"),
		 "accepted\nstrict unknown field \"spec.Weight\"\nstrict unknown field "
		 "\"spec.a\"\n" DEFAULTS},
		{"{\"apiVersion\": \"v1\", \"kind\": \"Pod\"}", "notKarpenter\n"},
	};

	run(rows, N(rows));
}

Test(load_check, metadata)
{
#define META(meta) "{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: " meta ", spec: {" TEMPLATE "}}"
	static const struct row rows[] = {
		{META("{generateName: web-}"), "accepted\n" DEFAULTS},
		{META("{name: 5}"),
		 "rejected\n BadRequest NodePool in version \"v1\" cannot be handled as a NodePool: json: "
		 "cannot unmarshal number into Go struct field ObjectMeta.name of type string\n"},
		{META("{name: a, labels: {b: 1, a: true}}"),
		 "rejected\n BadRequest NodePool in version \"v1\" cannot be handled as a NodePool: json: "
		 "cannot unmarshal bool "
		 "into Go struct field ObjectMeta.labels of type string\n"},
		{META("{name: 1, creationTimestamp: 2026-13-01T00:00:00Z}"),
		 "rejected\n BadRequest NodePool in version \"v1\" cannot be handled as a NodePool: parsing "
		 "time "
		 "\"2026-13-01T00:00:00Z\": month out of range\n"},
		/* metadata comes first: nothing is said of the rest. */
		{"{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: [a]}, spec: {x: 1}}",
		 "rejected\n BadRequest NodePool in version \"v1\" cannot be handled as a NodePool: json: "
		 "cannot unmarshal array "
		 "into Go struct field ObjectMeta.name of type string\n"},
		{META("{name: a, generation: 1.5}"),
		 "rejected\n BadRequest NodePool in version \"v1\" cannot be handled as a NodePool: json: "
		 "cannot unmarshal number "
		 "1.5 into Go struct field ObjectMeta.generation of type int64\n"},
		{META("{name: a, ownerReferences: [{controller: 'yes'}]}"),
		 "rejected\n BadRequest NodePool in version \"v1\" cannot be handled as a NodePool: json: "
		 "cannot unmarshal string "
		 "into Go struct field OwnerReference.ownerReferences.controller of type bool\n"},
		{META("{name: a, labels: {x: null}, annotations: {Y: ok}, colour: red}"),
		 "accepted\nstrict unknown field \"metadata.colour\"\n" DEFAULTS},
		{META("{name: a, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: d}]}"),
		 "rejected\nmetadata.ownerReferences.uid Invalid Invalid value: \"\": must not be "
		 "empty\n" DEFAULTS},
		{META("{}"),
		 "rejected\n" SKIPPED
		 "metadata.name Required Required value: name or generateName is required\n" DEFAULTS},
		{META("{name: a, labels: {'': x}}"),
		 "rejected\nmetadata.labels Invalid Invalid value: \"\": name part must be non-empty\n"
		 "metadata.labels Invalid Invalid value: \"\": name part must consist of alphanumeric "
		 "characters, '-', '_' or '.', "
		 "and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or "
		 "'123-abc', regex used "
		 "for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')\n" DEFAULTS},
	};

	run(rows, N(rows));
}

Test(load_check, rules)
{
#define GT "requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a single positive integer value\n"
	static const struct row rows[] = {
		{REQ("key: a, operator: In, values: [x]"), "accepted\n" DEFAULTS},
		{REQ("key: a, operator: In"),
		 "rejected\nspec.template.spec.requirements Invalid Invalid value: \"array\": no such key: "
		 "values evaluating rule: "
		 "requirements with operator 'In' must have a value defined\n" DEFAULTS},
		{REQ("key: a, operator: In, values: []"),
		 "rejected\nspec.template.spec.requirements Invalid Invalid value: requirements with "
		 "operator 'In' must have a "
		 "value defined\n" DEFAULTS},
		/* One item that is false settles it, whatever errors others give. */
		{REQ("key: a, operator: In}, {key: b, operator: In, values: []"),
		 "rejected\nspec.template.spec.requirements Invalid Invalid value: requirements with "
		 "operator 'In' must have a "
		 "value defined\n" DEFAULTS},
		{REQ("key: a, operator: Gt, values: ['-1']"),
		 "rejected\nspec.template.spec.requirements Invalid Invalid value: " GT DEFAULTS},
		{REQ("key: a, operator: Gte, values: ['9223372036854775807']"), "accepted\n" DEFAULTS},
		{REQ("key: a, operator: Lt, values: ['9223372036854775808']"),
		 "rejected\nspec.template.spec.requirements Invalid Invalid value: \"array\": type "
		 "conversion error from 'string' "
		 "to 'int' evaluating rule: " GT DEFAULTS},
		{REQ("key: a, operator: In, values: [x, x], minValues: 2"), "accepted\n" DEFAULTS},
		{REQ("key: notkarpenter.sh/x, operator: Exists"),
		 "rejected\nspec.template.spec.requirements[0].key Invalid Invalid value: "
		 "\"notkarpenter.sh/x\": label domain "
		 "\"karpenter.sh\" is restricted\n" DEFAULTS},
		{REQ("key: karpenter.k8s.aws/instance-cpu, operator: Exists"), "accepted\n" DEFAULTS},
		{WITH("replicas: 1, limits: {cpu: 1}, weight: 1"),
		 "rejected\nspec Invalid Invalid value: 'weight' is not supported on static NodePools\n"
		 "spec Invalid Invalid value: only 'limits.nodes' is supported on static "
		 "NodePools\n" DEFAULTS},
		{WITH("disruption: {consolidateAfter: 0s, budgets: [{nodes: '1', schedule: '@daily'}]}"),
		 "rejected\nspec.disruption.budgets Invalid Invalid value: 'schedule' must be set with "
		 "'duration'\n"
		 "default spec.disruption.consolidationPolicy\ndefault spec.template.spec.expireAfter\n"},
	};

	run(rows, N(rows));
}

/* Decimals in JSON text stay floats: the schema takes whole ones for integers, CEL and the scale subresource
 * do not. */
Test(load_check, json_decimals)
{
#define JSON(spec, reqs)                                                                                     \
	"{\"apiVersion\": \"karpenter.sh/v1\", \"kind\": \"NodePool\", \"metadata\": {\"name\": \"a\"}, "    \
	"\"spec\": {" spec                                                                                   \
	"\"template\": {\"spec\": {\"nodeClassRef\": {\"group\": \"g\", \"kind\": \"k\", \"name\": \"n\"}, " \
	"\"requirements\": [" reqs "]}}}}"
#define UNMANAGED                                                                                      \
	"warning unmanaged: nodeClassRef k.g is not EC2NodeClass.karpenter.k8s.aws: the AWS provider " \
	"ignores this "                                                                                \
	"NodePool\n"
#define IN "{\"key\": \"a\", \"operator\": \"In\", \"values\": [\"x\"], \"minValues\": "
	static const struct row rows[] = {
		{JSON("\"weight\": 5.0, ", ""), "accepted\n" UNMANAGED DEFAULTS},
		{JSON("\"weight\": 1e6, ", ""), "rejected\nspec.weight Invalid Invalid value: 1e+06: "
						"spec.weight in body should be less than or equal to "
						"100\n" DEFAULTS},
		{JSON("\"replicas\": 5.0, ", ""), "rejected\n.spec.replicas Invalid Invalid value: 0: "
						  ".spec.replicas accessor error: 5 is of the type float64, "
						  "expected int64\n" DEFAULTS},
		{JSON("", IN "1.0}"), "rejected\nspec.template.spec.requirements Invalid Invalid value: "
				      "\"array\": invalid data, expected int, got "
				      "float64 evaluating rule: requirements with 'minValues' must have at "
				      "least that many values specified in the "
				      "'values' field\n" DEFAULTS},
		{JSON("", IN "1.0}, " IN "2}"),
		 "rejected\nspec.template.spec.requirements Invalid Invalid value: requirements with "
		 "'minValues' must have at least "
		 "that many values specified in the 'values' field\n" DEFAULTS},
		{JSON("", "{\"key\": \"a\", \"operator\": \"In\", \"values\": \"a b\"}"),
		 "rejected\n" SKIPPED
		 "spec.template.spec.requirements[0].values Invalid Invalid value: \"a b\": "
		 "spec.template.spec.requirements[0].values in body should match "
		 "'^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$'\n"
		 "spec.template.spec.requirements[0].values TypeInvalid Invalid value: \"string\": "
		 "spec.template.spec.requirements[0].values in body must be of type array: "
		 "\"string\"\n" DEFAULTS},
	};

	run(rows, N(rows));
}

Test(load_check, node_class)
{
#define CLASS(spec) \
	"{apiVersion: karpenter.k8s.aws/v1, kind: EC2NodeClass, metadata: {name: d}, spec: {" spec "}}"
#define TERMS "subnetSelectorTerms: [{tags: {a: b}}], securityGroupSelectorTerms: [{id: sg-1}]"
#define BASE "role: r, " TERMS
#define META_DEFAULT "default spec.metadataOptions\n"
	static const struct row rows[] = {
		{CLASS(BASE ", amiSelectorTerms: [{alias: al2023@latest}]"), "accepted\n" META_DEFAULT},
		{"{apiVersion: karpenter.k8s.aws/v1, kind: EC2NodeClass, metadata: {name: d}}", "accepted\n"},
		{CLASS(TERMS ", amiFamily: AL2, amiSelectorTerms: [{alias: al2023@latest}]"),
		 "rejected\nspec Invalid Invalid value: if set, amiFamily must be 'AL2023' or 'Custom' when "
		 "using an AL2023 alias\n"
		 "spec Invalid Invalid value: must specify exactly one of ['role', "
		 "'instanceProfile']\n" META_DEFAULT},
		{CLASS(BASE ", amiSelectorTerms: [{alias: windows2022}]"),
		 "rejected\nspec.amiSelectorTerms[0].alias Invalid Invalid value: \"string\": index out of "
		 "bounds: 1 evaluating "
		 "rule: windows families may only specify version 'latest'\n"
		 "spec.amiSelectorTerms[0].alias Invalid Invalid value: \"windows2022\": 'alias' is "
		 "improperly formatted, must match "
		 "the format 'family@version'\n" META_DEFAULT},
		{CLASS("role: r, amiSelectorTerms: [{id: ami-1}], amiFamily: Custom, subnetSelectorTerms: "
		       "[], "
		       "securityGroupSelectorTerms: [{id: sg-1, name: x}, {name: x}]"),
		 "rejected\nspec.subnetSelectorTerms Invalid Invalid value: 'id' is mutually exclusive, "
		 "cannot be set with a "
		 "combination of other fields in a subnet selector term\n"
		 "spec.subnetSelectorTerms Invalid Invalid value: subnetSelectorTerms cannot be "
		 "empty\n" META_DEFAULT},
		{CLASS(BASE ", amiSelectorTerms: [{alias: al2@v1}], kubelet: {evictionSoft: "
			    "{memory.available: 5%}}"),
		 "rejected\nspec.kubelet Invalid Invalid value: \"object\": no such key: "
		 "evictionSoftGracePeriod evaluating rule: "
		 "evictionSoft OwnerKey does not have a matching evictionSoftGracePeriod\n" META_DEFAULT},
		{CLASS(BASE ", amiSelectorTerms: [{alias: al2@v1}], metadataOptions: {httpTokens: optional}, "
			    "networkInterfaces: "
			    "[{deviceIndex: 0, networkCardIndex: 0, interfaceType: interface}, {deviceIndex: "
			    "1, networkCardIndex: "
			    "0, interfaceType: efa-only}, {deviceIndex: 2, networkCardIndex: 0, "
			    "interfaceType: efa-only}]"),
		 "rejected\nspec.networkInterfaces Invalid Invalid value: networkInterfaces must not have "
		 "duplicate networkCardIndex "
		 "and deviceIndex pairs, and can have at most one efa device per network card\n"
		 "default spec.metadataOptions.httpEndpoint\ndefault spec.metadataOptions.httpProtocolIPv6\n"
		 "default spec.metadataOptions.httpPutResponseHopLimit\n"},
		{CLASS(BASE ", amiSelectorTerms: [{alias: al2023@v1@v2}], kubelet: {maxPods: 4294967296}"),
		 "accepted\ndecode: json: cannot unmarshal number 4294967296 into Go struct field "
		 "KubeletConfiguration.spec.kubelet.maxPods of type int32\n" META_DEFAULT},
		{CLASS(BASE ", amiSelectorTerms: [{alias: al2023@v1@v2}], kubelet: {kubeReserved: {memory: "
			    "1e2.5}}"),
		 "accepted\ncrash: failed to parse AMI alias \"al2023@v1@v2\", invalid format\n"
		 "panic: spec.kubelet.kubeReserved[memory]: cannot parse '1e2.5': quantities must match the "
		 "regular expression "
		 "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'\n" META_DEFAULT},
	};

	run(rows, N(rows));
}

Test(load_check, runtime)
{
#define SPOTS "karpenter.sh/capacity-type, expected one of: map[on-demand:{} reserved:{} spot:{}], got: "
	static const struct row rows[] = {
		{REQ("key: karpenter.sh/capacity-type, operator: In, values: [Spot]"),
		 "accepted\nNodePool.RuntimeValidate: invalid value: no valid values found in [Spot] "
		 "for " SPOTS "[Spot] in requirements, restricted\n" DEFAULTS},
		{REQ("key: karpenter.sh/capacity-type, operator: In, values: [spot, dear]"),
		 "accepted\nwarning log: please correct found invalid values, proceeding with valid values: "
		 "key=karpenter.sh/capacity-type valid-values=[spot] invalid-values=[dear]\n" DEFAULTS},
		{POOL("template: {spec: {" REF
		      ", requirements: [], taints: [{key: a, effect: NoSchedule}], startupTaints: [{key: "
		      "a, value: b, effect: NoSchedule}]}}"),
		 "accepted\nNodePool.RuntimeValidate: duplicate taint Key/Effect pair "
		 "a=NoSchedule\n" DEFAULTS},
		{POOL("template: {spec: {nodeClassRef: {group: g, kind: K, name: d}, requirements: []}}"),
		 "accepted\nwarning unmanaged: nodeClassRef K.g is not EC2NodeClass.karpenter.k8s.aws: the "
		 "AWS provider ignores "
		 "this NodePool\n" DEFAULTS},
		{WITH("disruption: {consolidateAfter: 9999999h, budgets: []}"),
		 "accepted\ndecode: time: invalid duration \"9999999h\"\n"
		 "default spec.disruption.consolidationPolicy\ndefault spec.template.spec.expireAfter\n"},
		{WITH("disruption: {consolidateAfter: 1h, consolidationPolicy: WhenEmpty, budgets: [{nodes: "
		      "'5000000000', schedule: "
		      "'0 0 31 4 *', duration: 1h}, {nodes: '9999999999999999999', schedule: '1 2 3 4 7', "
		      "duration: 1h}]}"),
		 "accepted\nbudget: spec.disruption.budgets[1]: invariant violated, invalid cron, end of "
		 "range (7) above maximum (6): "
		 "7 (cron=<nil>)\n"
		 "warning budget: spec.disruption.budgets[0]: nodes \"5000000000\" overflows int32 and is "
		 "read as 705032704\n"
		 "warning budget: spec.disruption.budgets[0]: schedule \"0 0 31 4 *\" never fires, so the "
		 "budget is always active\n"
		 "default spec.template.spec.expireAfter\n"},
		{"{apiVersion: karpenter.sh/v1alpha1, kind: NodeOverlay, metadata: {name: o}, spec: "
		 "{requirements: [], capacity: "
		 "{habana.ai/gaudi: 1}}}",
		 "accepted\nNodeOverlay.RuntimeValidate: invalid capacity: habana.ai/gaudi in resource, "
		 "restricted\n"
		 "warning featureGate: without the NodeOverlay feature gate (off by default) this object has "
		 "no effect\n"},
	};

	run(rows, N(rows));
}

Test(load_check, user_data)
{
#define DATA(family, text) \
	CLASS(BASE ", amiFamily: " family ", amiSelectorTerms: [{id: ami-1}], userData: " text)
#define SAYS(family, text) "accepted\nuserData: " family ": " text "\n" META_DEFAULT
#define TOML(text) SAYS("Bottlerocket", "invalid UserData toml: " text)
#define MIME "\"MIME-Version: 1.0\\nContent-Type: multipart/mixed; boundary=X\\n\\n"
	static const struct row rows[] = {
		{DATA("Custom", "'[x'"), "accepted\n" META_DEFAULT},
		{DATA("Bottlerocket",
		      "\"[settings.kubernetes]\\nmax-pods = 5 # c\\nnode-labels = {a = 'b'}\\n\\n[[x]]\\ny = "
		      "[1, 2.5e3, 0x1f, true,\\n 1979-05-27 07:32:00Z, '''a\\n''', \\\"\\\\u00e9\\\"]\\n\""),
		 "accepted\n" META_DEFAULT},
		{DATA("Bottlerocket", "\"settings.kubernetes.cluster-name = 5\""),
		 TOML("cannot decode TOML integer into struct field "
		      "bootstrap.BottlerocketKubernetes.ClusterName of type string")},
		{DATA("Bottlerocket", "\"a = 20s\""), TOML("strings must be quoted")},
		{DATA("Bottlerocket", "\"a = [1 2]\""), TOML("expected ',' or ']' after array value")},
		{DATA("Bottlerocket", "\"a = 1 b\""), TOML("expected newline but got U+0062 'b'")},
		{DATA("Bottlerocket", "\"a = ?\""),
		 TOML("unexpected character U+003F '?' at start of value")},
		{DATA("Bottlerocket", "\"a = 'x\""), TOML("unterminated literal string")},
		{DATA("Bottlerocket", "\"= 1\""), TOML("invalid character at start of key: U+003D '='")},
		{DATA("AL2023", "\"echo hi\""), "accepted\n" META_DEFAULT},
		{DATA("AL2023", MIME "--X\\nContent-Type: text/plain\\n\\nx\\n--X--\\n\""),
		 "accepted\n" META_DEFAULT},
		{DATA("AL2023", MIME "--X\\n\\nx\\n--X\\n\""), "accepted\n" META_DEFAULT},
		{DATA("AL2023", MIME "--X\\n\\nx\\n\""),
		 SAYS("AL2023", "parsing custom UserData, parsing content, x, unexpected EOF")},
		{DATA("AL2023", MIME "--X\\n\\n\""),
		 SAYS("AL2023", "parsing custom UserData, parsing content, , unexpected EOF")},
		{DATA("AL2023", MIME "--X\\nno colon\\n\\nx\\n--X--\\n\""),
		 SAYS("AL2023", "parsing custom UserData, parsing content, malformed MIME header: missing "
				"colon: \"no colon\"")},
		{DATA("AL2023", MIME "--X\\n a: b\\n\\n--X--\\n\""),
		 SAYS("AL2023", "parsing custom UserData, parsing content, malformed MIME header initial "
				"line: \" a: b\"")},
		{DATA("AL2023", MIME "--X\\nA(b): c\\n\\n--X--\\n\""),
		 SAYS("AL2023",
		      "parsing custom UserData, parsing content, malformed MIME header line: \"A(b): c\"")},
		{DATA("AL2023", MIME "--X\\n\\nx\\n--X b\\n\""),
		 SAYS("AL2023", "parsing custom UserData, parsing content, multipart: expecting a new Part; "
				"got line \"--X b\\n\"")},
		{DATA("AL2023", MIME "--X\\r\\n\\r\\nx\\r\\n--X\\n\\n\""),
		 SAYS("AL2023", "parsing custom UserData, parsing content, multipart: expecting a new Part; "
				"got line \"--X\\n\"")},
		{DATA("AL2023", MIME "--X\\r\\n\\r\\nx\\r\\n--X--\""), "accepted\n" META_DEFAULT},
		{DATA("AL2023", MIME "--X\\nContent-Type: a\""), "accepted\n" META_DEFAULT},
		{DATA("AL2023", MIME "--X\\n\\nx\\n--Xy\\nz\\n--X--\""), "accepted\n" META_DEFAULT},
		{DATA("AL2023", MIME "--X\\n\\n--X\\n\\n--X--\\n\""), "accepted\n" META_DEFAULT},
		{DATA("AL2023", MIME "x\\n--Y\\n\""), "accepted\n" META_DEFAULT},
		{DATA("AL2", "\"Content-Type: text/plain\\n\\nx\\n\""),
		 SAYS("AL2", "parsing custom user data input user data is not in multipart MIME format")},
		{DATA("AL2", "\"MIME-Version: 1.0\\n\\nx\\n\""),
		 SAYS("AL2", "parsing custom user data input user data does not define a content-type header "
			     "mime: no media type")},
		/* The header of the message is read with less care than that of a part. */
		{DATA("AL2", "\"MIME-Version: 1.0\\n: a\\nb\\n c: d\\n\\n\""),
		 SAYS("AL2", "parsing custom user data input user data does not define a content-type header "
			     "mime: no media type")},
		{DATA("AL2", "\"Content-Type: multipart/mixed;\\n boundary='X\\n\\n\""),
		 "accepted\n" META_DEFAULT},
	};

	run(rows, N(rows));
}
