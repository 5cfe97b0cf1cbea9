#include <criterion/criterion.h>

#include "arena.h"
#include "crd_runtime.h"

#define N(rows) (sizeof(rows) / sizeof((rows)[0]))

/* TOML and its types as go-toml v2.4.3 and the provider's structs take them. */
Test(load_userdata, bottlerocket)
{
#define K8S "[settings.kubernetes]\n"
	static const struct {
		const char *text, *error;
	} rows[] = {
		{K8S "max-pods = 99999999999999999999",
		 "decimal number is too large to fit in a 64-bit signed integer"},
		{K8S "max-pods = 0xffffffffffffffffff",
		 "hexadecimal number is too large to fit in a 64-bit signed integer"},
		{K8S "log-level = -1", "negative integer value -1 cannot be stored in uint32"},
		{K8S "log-level = 4294967296", "integer value 4294967296 cannot be stored in uint32"},
		{K8S "node-labels = {a=1}", "cannot decode TOML integer into struct field "
					    "bootstrap.BottlerocketKubernetes.NodeLabels of type string"},
		{K8S "node-labels.a = 1", "cannot decode TOML integer into struct field "
					  "bootstrap.BottlerocketKubernetes.NodeLabels of type string"},
		{K8S "node-labels = 1",
		 "cannot decode TOML integer into struct field bootstrap.BottlerocketKubernetes.NodeLabels "
		 "of type map[string]string"},
		{K8S "node-taints = {a=\"x\"}",
		 "cannot decode TOML string into struct field bootstrap.BottlerocketKubernetes.NodeTaints of "
		 "type []string"},
		{K8S "node-taints = {a=[1]}", "cannot decode TOML integer into struct field "
					      "bootstrap.BottlerocketKubernetes.NodeTaints of type string"},
		{K8S "node-taints.a.b = \"x\"", "cannot decode TOML table into struct field "
						"bootstrap.BottlerocketKubernetes.NodeTaints of type string"},
		{K8S "allowed-unsafe-sysctls.a = 1",
		 "cannot decode TOML table into struct field "
		 "bootstrap.BottlerocketKubernetes.AllowedUnsafeSysctls of type string"},
		{K8S "allowed-unsafe-sysctls = [[\"a\"]]",
		 "cannot decode TOML array into struct field "
		 "bootstrap.BottlerocketKubernetes.AllowedUnsafeSysctls of type string"},
		{K8S "cluster-name.a = 1", "cannot decode TOML table into struct field "
					   "bootstrap.BottlerocketKubernetes.ClusterName of type string"},
		{K8S "max-pods = {a=1}", "cannot decode TOML inline table into struct field "
					 "bootstrap.BottlerocketKubernetes.MaxPods of type int"},
		{K8S "max-pods = [1]", "cannot decode TOML array into struct field "
				       "bootstrap.BottlerocketKubernetes.MaxPods of type int"},
		{K8S "credential-providers.x.enabled = 1",
		 "cannot decode TOML integer into struct field "
		 "bootstrap.BottlerocketCredentialProvider.Enabled of type bool"},
		{K8S "credential-providers = {x = {enabled = \"a\"}}",
		 "cannot decode TOML string into struct field "
		 "bootstrap.BottlerocketCredentialProvider.Enabled of type bool"},
		{K8S "static-pods = {x = {manifest = 1}}",
		 "cannot decode TOML integer into struct field bootstrap.BottlerocketStaticPod.Manifest of "
		 "type string"},
		{K8S "static-pods.x = 1",
		 "cannot decode TOML integer into struct field bootstrap.BottlerocketKubernetes.StaticPods "
		 "of type bootstrap.BottlerocketStaticPod"},
		{K8S "topology-manager-policy-options = 1",
		 "cannot decode TOML integer into struct field "
		 "bootstrap.BottlerocketKubernetes.TopologyManagerPolicyOptions of type "
		 "bootstrap.BottlerocketTopologyManagerPolicyOptions"},
		{K8S "topology-manager-policy-options.max-allowable-numa-nodes = \"1\"",
		 "cannot decode TOML string into struct field "
		 "bootstrap.BottlerocketTopologyManagerPolicyOptions.MaxAllowableNumaNodes of type int"},
		{K8S "Max-Pods = \"x\"", "cannot decode TOML string into struct field "
					 "bootstrap.BottlerocketKubernetes.MaxPods of type int"},
		{K8S "MaxPods = \"x\"", NULL},
		{K8S "x = 99999999999999999999",
		 "decimal number is too large to fit in a 64-bit signed integer"},
		{K8S "x = 1979-13-01", "impossible date"},
		{K8S "x = 25:00:00", "hour cannot be greater 23"},
		{K8S "max-pods = 1.5", "cannot decode TOML float into struct field "
				       "bootstrap.BottlerocketKubernetes.MaxPods of type int"},
		{K8S "max-pods = 1979-05-27", "cannot decode TOML local date into struct field "
					      "bootstrap.BottlerocketKubernetes.MaxPods of type int"},
		{K8S "max-pods = 1979-05-27T07:32:00Z",
		 "cannot decode TOML datetime into struct field bootstrap.BottlerocketKubernetes.MaxPods of "
		 "type int"},
		{K8S "max-pods=1979-05-27 07:32:00", "cannot decode TOML local datetime into struct field "
						     "bootstrap.BottlerocketKubernetes.MaxPods of type int"},
		{K8S "max-pods = 07:32:00", "cannot decode TOML local time into struct field "
					    "bootstrap.BottlerocketKubernetes.MaxPods of type int"},
		{K8S "max-pods = inf", "cannot decode TOML float into struct field "
				       "bootstrap.BottlerocketKubernetes.MaxPods of type int"},
		{K8S "server-tls-bootstrap = 1",
		 "cannot decode TOML integer into struct field "
		 "bootstrap.BottlerocketKubernetes.ServerTLSBootstrap of type bool"},
		{K8S "eviction-hard = {\"a\" = 5}",
		 "cannot decode TOML integer into struct field bootstrap.BottlerocketKubernetes.EvictionHard "
		 "of type string"},
		{K8S "ids-per-pod = \"a\"", "cannot decode TOML string into struct field "
					    "bootstrap.BottlerocketKubernetes.IdsPerPod of type int"},
		{K8S "hostname-override-source = 1",
		 "cannot decode TOML integer into struct field "
		 "bootstrap.BottlerocketKubernetes.HostnameOverrideSource of type string"},
		{K8S "cpu-manager-policy-options = [1]",
		 "cannot decode TOML integer into struct field "
		 "bootstrap.BottlerocketKubernetes.CPUManagerPolicyOptions of type string"},
		{"[settings.kubernetes.max-pods]\n", "cannot store a table in a int"},
		{"[settings.kubernetes.node-labels.a]\n", "cannot store a table in a string"},
		{"[settings.kubernetes.node-labels]\na=1", "cannot decode TOML integer into string"},
		{"[settings.kubernetes.node-taints.a]\n", "cannot store a table in a string"},
		{"[settings.kubernetes.allowed-unsafe-sysctls]\n", "cannot store a table in a string"},
		{"[[settings.kubernetes.allowed-unsafe-sysctls]]\n", "cannot store a table in a string"},
		{"[[settings.kubernetes]]\n", "cannot encode a []interface {} as a document root"},
		{"[[settings]]\n", "cannot store an array table in a map"},
		{"[[settings.kubernetes.node-labels]]\n", "cannot store an array table in a map"},
		{"[[settings.kubernetes.node-labels.a]]\n", "cannot store a table in a string"},
		{"[[settings.kubernetes.node-taints.a]]\n", "cannot store a table in a string"},
		{"[[settings.kubernetes.max-pods]]\n", "cannot store an array table in a int"},
		{"[settings.kubernetes.cluster-name.a.b]\n", "cannot store a table in a string"},
		{"[settings.bootstrap-commands.x]\nmode = 1",
		 "cannot decode TOML integer into struct field bootstrap.BootstrapCommand.Mode of type "
		 "bootstrap.BootstrapCommandMode"},
		{"[settings.bootstrap-commands.x]\nessential = \"a\"",
		 "cannot decode TOML string into struct field bootstrap.BootstrapCommand.Essential of type "
		 "bool"},
		{"[settings.bootstrap-commands.x]\ncommands = [\"a\"]",
		 "cannot decode TOML string into struct field bootstrap.BootstrapCommand.Commands of type "
		 "[]string"},
		{"[settings.bootstrap-commands.x]\ncommands = [[1]]",
		 "cannot decode TOML integer into struct field bootstrap.BootstrapCommand.Commands of type "
		 "string"},
		{"[settings.bootstrap-commands]\nx = 1",
		 "cannot decode TOML integer into bootstrap.BootstrapCommand"},
		{"settings.bootstrap-commands.x.mode = 1",
		 "cannot decode TOML integer into struct field bootstrap.BootstrapCommand.Mode of type "
		 "bootstrap.BootstrapCommandMode"},
		{"[[settings.bootstrap-commands.x]]\nmode = 1", "cannot store an array table in a struct"},
		{"[settings.kubernetes.static-pods.x]\nenabled = 1",
		 "cannot decode TOML integer into struct field bootstrap.BottlerocketStaticPod.Enabled of "
		 "type bool"},
		{K8S "max-pods = \"x\"\n[settings.kubernetes]\n", "table kubernetes already exists"},
		{K8S "max-pods = \"x\"\nbad", "expected '=' after key"},
		{"settings = 1\nbad",
		 "cannot decode TOML integer into struct field bootstrap.BottlerocketConfig.SettingsRaw of "
		 "type map[string]interface {}"},
		{"a = 99999999999999999999", NULL},
		{"[settings]\na = 99999999999999999999\n",
		 "decimal number is too large to fit in a 64-bit signed integer"},
		{"a = 1\na.b = 2", "key a is already defined"},
		{"a.b = 1\n[a]\n", "table a already exists as defined by a dotted key"},
		{"a.b = 1\n[a.c]\n", NULL},
		{"[[a]]\n[a]\n", "table a already exists as an array of tables"},
		{"[a]\n[[a]]\n", "key a already exists as a table, but should be an array table"},
		{"[a.b]\n[a]\n[a]\n", "table a already exists"},
		{"[a]\nb.c = 1\n[a.b]\n", "table b already exists as defined by a dotted key"},
		{"[a]\nb.c = 1\n[a.b.d]\n", NULL},
		{"a = {b = 1, b = 2}", "key b is already defined"},
		{"a = [{b = 1, b.c = 2}]", "key b is already defined"},
		{"[[a]]\nb=1\n[[a]]\nb=1\n[a.c]\n[a.c]", "table c already exists"},
		{"a = 1\n[a.b]", "key a already exists as a value"},
		{"\"a\\u0062\" = 1\nab = 2", "key ab is already defined"},
		{"[settings.kubernetes.node-labels]\n\"a\" = \"\\q\"", "invalid escape character U+0071 'q'"},
		{"a = \"\"\"\n\\ x\"\"\"", "invalid escape character U+0020 ' '"},
		{"a = \"\"\"x\"\"\"\"\"\"", "too many quotes at the end of a multiline basic string"},
		{"a = \"\\u12\"", "unicode escape sequence is too short"},
		{"a = \"\\ud800\"", "escape sequence is not a valid unicode code point"},
		{"a = 1 # \001", "control characters are not allowed in comments"},
		{"a = \"\"\"", "multiline basic string not terminated by \"\"\""},
		{"a = '''x", "multiline literal string not terminated by '''"},
		{"a = \"x\ny\"", "basic strings cannot have new lines"},
		{K8S "node-labels = {}\n[settings.kubernetes.node-labels]\n",
		 "key node-labels should be a table, not a value"},
		{"[settings.kubernetes.node-labels]\n[settings.kubernetes]\nnode-labels = {a=\"b\"}",
		 "key node-labels is already defined"},
		{"settings.kubernetes = 1", "cannot encode a int64 as a document root"},
		{"settings.kubernetes = 1.5", "cannot encode a float64 as a document root"},
		{"settings.kubernetes = [1]", "cannot encode a []interface {} as a document root"},
		{"settings.kubernetes = 1979-05-27", "cannot encode a toml.LocalDate as a document root"},
		{"settings.kubernetes = 1979-05-27T07:32:00Z",
		 "cannot encode a time.Time as a document root"},
		{"settings.kubernetes = 1979-05-27T07:32:00",
		 "cannot encode a toml.LocalDateTime as a document root"},
		{"settings.kubernetes = 07:32:00", "cannot encode a toml.LocalTime as a document root"},
		{"settings.kubernetes = {max-pods=\"x\"}",
		 "cannot decode TOML string into struct field bootstrap.BottlerocketKubernetes.MaxPods of "
		 "type int"},
		{"settings.kubernetes = {}", NULL},
		{"[settings]\nx = 1979-02-30", "impossible date"},
		{"[settings]\nx = 1979-05-27T24:00:00Z", "hour cannot be greater 23"},
		{"[settings]\nx = 1979-05-27T07:32", NULL},
		{"[settings]\nx = 1979-05-27T07:32:00+25:00", "invalid timezone offset hours"},
		{"[settings]\nx = 1979-05-27T07:32:00+01", "invalid date-time timezone"},
		{"[settings]\nx = 1979-05-27T07:32:00Zz", "extra bytes at the end of the timezone"},
		{"[settings]\nx = 07:32", NULL},
		{"[settings]\nx = 07:60:00", "minutes cannot be greater 59"},
		{"[settings]\nx = 07:32:60", "seconds cannot be greater than 59"},
		{"[settings]\nx = 07:32:00.", "need at least one digit after fraction point"},
		{"[settings]\nx = 1e400",
		 "unable to parse float: strconv.ParseFloat: parsing \"1e400\": value out of range"},
		{"[settings]\nx = -9223372036854775809",
		 "decimal number is too large to fit in a 64-bit signed integer"},
		{"[settings]\nx = 0o7777777777777777777777",
		 "octal number is too large to fit in a 64-bit signed integer"},
		{"[settings]\nx = 0b1", NULL},
		{"[settings]\nx = 1979-5-27", "dates are expected to have the format YYYY-MM-DD"},
		{"[settings]\nx = 1979-05-27x", "expected newline but got U+0078 'x'"},
		{"[settings]\nx = 1979-05-27T07:32:00.123456789123", NULL},
		{"[settings]\nx = 1979-05-27 ", NULL},
		{"[settings]\nx = 07:3", "times are expected to have the format HH:MM[:SS[.NNNNNN]]"},
		{"[settings]\nx = 1979-05-27T", "times are expected to have the format HH:MM[:SS[.NNNNNN]]"},
		{"[settings]\nx = 1979-05-27T07",
		 "times are expected to have the format HH:MM[:SS[.NNNNNN]]"},
		{"[settings]\nx = 0001-01-01", NULL},
		{"[settings]\nx = 1979-00-10", "impossible date"},
		{"[settings]\nx = 1979-05-27t07:32:00z", NULL},
		{"[settings]\nx = 1979-05-27T07:32:00-00:60", "invalid timezone offset minutes"},
		{"[settings]\nx = 1979-05-27T07:32:00+0100", "invalid date-time timezone"},
		{"[settings]\nx = 1_0.5_1e1_0", NULL},
		{"[settings]\nx = 1e", "exponent must contain at least one digit"},
		{"[settings]\nx = +inf", NULL},
		{"[settings]\nx = -nan", NULL},
		{"[settings]\nx = 9223372036854775808",
		 "decimal number is too large to fit in a 64-bit signed integer"},
	};
	struct arena a;

	arena_init(&a);
	for (size_t i = 0; i < N(rows); i++) {
		const char *error = bottlerocket_error(&a, str_of(rows[i].text));

		cr_assert((error == NULL) == (rows[i].error == NULL), "%s: %s", rows[i].text,
			  error ? error : "no error");
		cr_assert(!error || strcmp(error, rows[i].error) == 0, "%s\nwant: %s\ngot:  %s", rows[i].text,
			  rows[i].error, error);
	}
	arena_release(&a);
}
