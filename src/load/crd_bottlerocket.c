/*
 * Whether Karpenter can read the user data of Bottlerocket: TOML, and settings of the types that its structs
 * have. It is read twice, first as any settings, then as those it knows. Rule: "Validation rules", section 6,
 * `userData`; bootstrap of the AWS provider v1.14.1 with go-toml v2.
 */
#include <stdlib.h>
#include <strings.h>

#include "crd_runtime.h"
#include "toml.h"

enum shape { ANY, STRING, INT, UINT32, BOOL, LIST, MAP, STRUCT };

struct field;

struct type {
	enum shape shape;
	const char *name;        /* Go's */
	const struct type *elem; /* of lists and maps */
	const struct field *fields;
};

struct field {
	const char *key, *name;
	const struct type *type;
};

static const struct type any_type = {.shape = ANY};
static const struct type string_type = {.shape = STRING, .name = "string"};
static const struct type mode_type = {.shape = STRING, .name = "bootstrap.BootstrapCommandMode"};
static const struct type int_type = {.shape = INT, .name = "int"};
static const struct type level_type = {.shape = UINT32, .name = "uint32"};
static const struct type bool_type = {.shape = BOOL, .name = "bool"};
static const struct type strings = {.shape = LIST, .name = "[]string", .elem = &string_type};
static const struct type lists = {.shape = LIST, .name = "[][]string", .elem = &strings};
static const struct type string_map = {.shape = MAP, .name = "map[string]string", .elem = &string_type};
static const struct type strings_map = {.shape = MAP, .name = "map[string][]string", .elem = &strings};

static const struct field provider_fields[] = {
	{"enabled", "Enabled", &bool_type},
	{"cache-duration", "CacheDuration", &string_type},
	{"image-patterns", "ImagePatterns", &strings},
	{"environment", "Environment", &string_map},
	{0},
};
static const struct type provider = {
	.shape = STRUCT, .name = "bootstrap.BottlerocketCredentialProvider", .fields = provider_fields};
static const struct type providers = {
	.shape = MAP, .name = "map[string]bootstrap.BottlerocketCredentialProvider", .elem = &provider};

static const struct field static_pod_fields[] = {
	{"enabled", "Enabled", &bool_type},
	{"manifest", "Manifest", &string_type},
	{0},
};
static const struct type static_pod = {
	.shape = STRUCT, .name = "bootstrap.BottlerocketStaticPod", .fields = static_pod_fields};
static const struct type static_pods = {
	.shape = MAP, .name = "map[string]bootstrap.BottlerocketStaticPod", .elem = &static_pod};

static const struct field policy_fields[] = {
	{"prefer-closest-numa-nodes", "PreferClosestNumaNodes", &bool_type},
	{"max-allowable-numa-nodes", "MaxAllowableNumaNodes", &int_type},
	{0},
};
static const struct type policy = {.shape = STRUCT,
				   .name = "bootstrap.BottlerocketTopologyManagerPolicyOptions",
				   .fields = policy_fields};

static const struct field kubernetes_fields[] = {
	{"api-server", "APIServer", &string_type},
	{"cloud-provider", "CloudProvider", &string_type},
	{"cluster-certificate", "ClusterCertificate", &string_type},
	{"cluster-name", "ClusterName", &string_type},
	{"cluster-dns-ip", "ClusterDNSIP", &string_type},
	{"credential-providers", "CredentialProviders", &providers},
	{"node-labels", "NodeLabels", &string_map},
	{"node-taints", "NodeTaints", &strings_map},
	{"max-pods", "MaxPods", &int_type},
	{"static-pods", "StaticPods", &static_pods},
	{"eviction-hard", "EvictionHard", &string_map},
	{"eviction-soft", "EvictionSoft", &string_map},
	{"eviction-soft-grace-period", "EvictionSoftGracePeriod", &string_map},
	{"eviction-max-pod-grace-period", "EvictionMaxPodGracePeriod", &int_type},
	{"kube-reserved", "KubeReserved", &string_map},
	{"system-reserved", "SystemReserved", &string_map},
	{"allowed-unsafe-sysctls", "AllowedUnsafeSysctls", &strings},
	{"server-tls-bootstrap", "ServerTLSBootstrap", &bool_type},
	{"registry-qps", "RegistryQPS", &int_type},
	{"registry-burst", "RegistryBurst", &int_type},
	{"event-qps", "EventQPS", &int_type},
	{"event-burst", "EventBurst", &int_type},
	{"kube-api-qps", "KubeAPIQPS", &int_type},
	{"kube-api-burst", "KubeAPIBurst", &int_type},
	{"container-log-max-size", "ContainerLogMaxSize", &string_type},
	{"container-log-max-files", "ContainerLogMaxFiles", &int_type},
	{"cpu-manager-policy", "CPUManagerPolicy", &string_type},
	{"cpu-manager-policy-options", "CPUManagerPolicyOptions", &strings},
	{"cpu-manager-reconcile-period", "CPUManagerReconcilePeriod", &string_type},
	{"memory-manager-policy", "MemoryManagerPolicy", &string_type},
	{"topology-manager-scope", "TopologyManagerScope", &string_type},
	{"topology-manager-policy", "TopologyManagerPolicy", &string_type},
	{"topology-manager-policy-options", "TopologyManagerPolicyOptions", &policy},
	{"image-gc-high-threshold-percent", "ImageGCHighThresholdPercent", &string_type},
	{"image-gc-low-threshold-percent", "ImageGCLowThresholdPercent", &string_type},
	{"ids-per-pod", "IdsPerPod", &int_type},
	{"cpu-cfs-quota-enforced", "CPUCFSQuota", &bool_type},
	{"shutdown-grace-period", "ShutdownGracePeriod", &string_type},
	{"shutdown-grace-period-for-critical-pods", "ShutdownGracePeriodForCriticalPods", &string_type},
	{"cluster-domain", "ClusterDomain", &string_type},
	{"seccomp-default", "SeccompDefault", &bool_type},
	{"pod-pids-limit", "PodPidsLimit", &int_type},
	{"device-ownership-from-security-context", "DeviceOwnershipFromSecurityContext", &bool_type},
	{"single-process-oom-kill", "SingleProcessOOMKill", &bool_type},
	{"container-log-max-workers", "ContainerLogMaxWorkers", &int_type},
	{"container-log-monitor-interval", "ContainerLogMonitorInterval", &string_type},
	{"hostname-override-source", "HostnameOverrideSource", &string_type},
	{"log-level", "VerbosityLevel", &level_type},
	{0},
};
static const struct type kubernetes = {
	.shape = STRUCT, .name = "bootstrap.BottlerocketKubernetes", .fields = kubernetes_fields};

static const struct field command_fields[] = {
	{"commands", "Commands", &lists},
	{"mode", "Mode", &mode_type},
	{"essential", "Essential", &bool_type},
	{0},
};
static const struct type command = {
	.shape = STRUCT, .name = "bootstrap.BootstrapCommand", .fields = command_fields};
static const struct type commands = {
	.shape = MAP, .name = "map[string]bootstrap.BootstrapCommand", .elem = &command};

static const struct field settings_fields[] = {
	{"kubernetes", "Kubernetes", &kubernetes},
	{"bootstrap-commands", "BootstrapCommands", &commands},
	{0},
};
static const struct type settings = {
	.shape = STRUCT, .name = "bootstrap.BottlerocketSettings", .fields = settings_fields};

static const struct type raw_settings = {.shape = MAP, .name = "map[string]interface {}", .elem = &any_type};
static const struct field raw_fields[] = {{"settings", "SettingsRaw", &raw_settings}, {0}};
static const struct field known_fields[] = {{"settings", "Settings", &settings}, {0}};
static const struct type raw_root = {
	.shape = STRUCT, .name = "bootstrap.BottlerocketConfig", .fields = raw_fields};
static const struct type known_root = {.shape = STRUCT, .name = "struct", .fields = known_fields};

struct decoding {
	struct arena *a;
	const char *error;
	/* A value of the wrong type: told with the innermost struct around it. */
	const char *found, *wanted;
};

static bool failed(struct decoding *d, const char *error)
{
	d->error = error;
	return !error;
}

static bool mismatch(struct decoding *d, const char *found, const struct type *t)
{
	d->found = found;
	d->wanted = t->name;
	return false;
}

static const struct field *find_field(const struct type *t, struct str key)
{
	for (const struct field *f = t->fields; f->key; f++)
		if (key.n == strlen(f->key) && strncasecmp(key.p, f->key, key.n) == 0)
			return f;
	return NULL;
}

static bool descend(struct decoding *d, const struct type *t, const struct toml_pair *p, uint32_t part);

static bool assign_items(struct decoding *d, const struct type *t, const struct toml_value *v);

static bool assign_integer(struct decoding *d, const struct type *t, const struct toml_value *v)
{
	long long i;

	if (t->shape == INT)
		return true;
	if (t->shape != UINT32)
		return mismatch(d, "integer", t);
	i = strtoll(arena_strndup(d->a, v->text.p, v->text.n), NULL, 10);
	if (i >= 0 && i <= UINT32_MAX)
		return true;
	return failed(d, arena_printf(d->a, "%sinteger value %lld cannot be stored in %s",
				      i < 0 ? "negative " : "", i, t->name));
}

static bool assign(struct decoding *d, const struct type *t, const struct toml_value *v)
{
	static const char *const names[] = {"string",   "integer",        "float",      "boolean",
					    "datetime", "local datetime", "local date", "local time",
					    "array",    "inline table"};

	if (t->shape == ANY)
		return failed(d, toml_value_error(d->a, v));
	switch (v->kind) {
	case TOML_STRING:
		return t->shape == STRING || mismatch(d, names[v->kind], t);
	case TOML_BOOL:
		return t->shape == BOOL || mismatch(d, names[v->kind], t);
	case TOML_ARRAY:
		return t->shape == LIST ? assign_items(d, t, v) : mismatch(d, names[v->kind], t);
	case TOML_INLINE_TABLE:
		return t->shape == MAP || t->shape == STRUCT ? assign_items(d, t, v)
							     : mismatch(d, names[v->kind], t);
	case TOML_INTEGER:
	case TOML_FLOAT:
	case TOML_DATETIME:
	case TOML_LOCAL_DATETIME:
	case TOML_LOCAL_DATE:
	case TOML_LOCAL_TIME:
		break;
	}
	if (!failed(d, toml_value_error(d->a, v)))
		return false;
	return v->kind == TOML_INTEGER ? assign_integer(d, t, v) : mismatch(d, names[v->kind], t);
}

/* Depth is bounded by the reader. */
static bool assign_items(struct decoding *d, const struct type *t, const struct toml_value *v)
{
	for (uint32_t i = 0; i < v->n; i++)
		if (t->shape == LIST ? !assign(d, t->elem, &v->items[i].value)
				     : !descend(d, t, &v->items[i], 0))
			return false;
	return true;
}

/* The value of a pair, from a part of its key on. */
static bool descend(struct decoding *d, const struct type *t, const struct toml_pair *p, uint32_t part)
{
	const struct field *f;

	if (part == p->key.part.n)
		return assign(d, t, &p->value);
	switch (t->shape) {
	case ANY:
		return failed(d, toml_value_error(d->a, &p->value));
	case LIST:
		return descend(d, t->elem, p, part);
	case MAP:
		return descend(d, t->elem, p, part + 1);
	case STRUCT:
		f = find_field(t, p->key.part.v[part]);
		if (!f || descend(d, f->type, p, part + 1))
			return true;
		if (d->found)
			d->error =
				arena_printf(d->a, "cannot decode TOML %s into struct field %s.%s of type %s",
					     d->found, t->name, f->name, d->wanted);
		d->found = NULL;
		return false;
	case STRING:
	case INT:
	case UINT32:
	case BOOL:
		break;
	}
	return mismatch(d, "table", t);
}

static bool no_table(struct decoding *d, const char *what, const struct type *t)
{
	static const char *const kinds[] = {"interface", "string", "int", "uint32",
					    "bool",      "slice",  "map", "struct"};

	return failed(d, arena_printf(d->a, "cannot store %s in a %s", what, kinds[t->shape]));
}

static bool is_scalar(const struct type *t)
{
	return t->shape == STRING || t->shape == INT || t->shape == UINT32 || t->shape == BOOL;
}

/* What a header leads to; *ret_type NULL: nothing that anybody reads. */
static bool enter(struct decoding *d, const struct type *root, const struct toml_expr *e,
		  const struct type **ret_type)
{
	const struct toml_key *key = &e->pair.key;
	const struct type *t = root;

	*ret_type = NULL;
	for (uint32_t i = 0; i < key->part.n;) {
		const struct field *f;

		if (is_scalar(t) || (t->shape == MAP && is_scalar(t->elem)))
			return no_table(d, "a table", is_scalar(t) ? t : t->elem);
		if (t->shape == STRUCT) {
			f = find_field(t, key->part.v[i]);
			if (!f)
				return true;
			t = f->type;
		} else if (t->shape != ANY) {
			i += t->shape == MAP;
			t = t->elem;
			continue;
		}
		i++;
	}
	if (e->form == TOML_ARRAY_TABLE) {
		if (t->shape != ANY && t->shape != LIST)
			return no_table(d, "an array table", t);
		t = t->shape == LIST ? t->elem : t;
	}
	while (t->shape == LIST)
		t = t->elem;
	if (is_scalar(t))
		return no_table(d, "a table", t);
	*ret_type = t;
	return true;
}

/* One reading of a document; seen NULL: its keys have been looked at. */
static const char *decode(struct arena *a, const struct toml_doc *doc, const struct type *root,
			  struct toml_seen *seen)
{
	struct decoding d = {.a = a};
	const struct type *table = root;

	for (uint32_t i = 0; i < doc->exprs.n; i++) {
		const struct toml_expr *e = &doc->exprs.v[i];
		const char *twice = seen ? toml_seen_check(seen, e) : NULL;
		bool ok;

		if (twice)
			return twice;
		if (e->form != TOML_PAIR)
			ok = enter(&d, root, e, &table);
		else
			ok = !table || descend(&d, table, &e->pair, 0);
		if (!ok)
			return d.found ? arena_printf(a, "cannot decode TOML %s into %s", d.found, d.wanted)
				       : d.error;
	}
	return doc->error;
}

static const char *go_type(const struct toml_value *v)
{
	static const char *const names[] = {"string",         "int64",
					    "float64",        "bool",
					    "time.Time",      "toml.LocalDateTime",
					    "toml.LocalDate", "toml.LocalTime",
					    "[]interface {}", NULL};

	return names[v->kind];
}

static bool leads_to_kubernetes(const struct toml_key *header, const struct toml_key *key)
{
	uint32_t n = header ? header->part.n : 0;
	struct str part[2];

	if (n + key->part.n != 2)
		return false;
	for (uint32_t i = 0; i < 2; i++)
		part[i] = i < n ? header->part.v[i] : key->part.v[i - n];
	return part[0].n == 8 && strncasecmp(part[0].p, "settings", 8) == 0 && str_is(part[1], "kubernetes");
}

/* Karpenter writes settings.kubernetes out once, which only tables bear. NULL, or the type it has. */
static const char *kubernetes_type(const struct toml_doc *doc)
{
	const struct toml_key *header = NULL, none = {0};

	for (uint32_t i = 0; i < doc->exprs.n; i++) {
		const struct toml_expr *e = &doc->exprs.v[i];
		const struct toml_pair *p = &e->pair;
		bool inline_settings = e->form == TOML_PAIR && (!header || !header->part.n) &&
				       p->key.part.n == 1 && p->value.kind == TOML_INLINE_TABLE;

		if (e->form == TOML_PAIR && leads_to_kubernetes(header, &p->key))
			return go_type(&p->value);
		if (e->form == TOML_ARRAY_TABLE && leads_to_kubernetes(&none, &p->key))
			return "[]interface {}";
		for (uint32_t k = 0; inline_settings && k < p->value.n; k++)
			if (leads_to_kubernetes(&p->key, &p->value.items[k].key))
				return go_type(&p->value.items[k].value);
		if (e->form != TOML_PAIR)
			header = &p->key;
	}
	return NULL;
}

const char *bottlerocket_error(struct arena *a, struct str text)
{
	struct toml_doc doc;
	const char *error, *type;

	toml_read(a, text, &doc);
	error = decode(a, &doc, &raw_root, toml_seen_new(a));
	if (error)
		return error;
	type = kubernetes_type(&doc);
	if (type)
		return arena_printf(a, "cannot encode a %s as a document root", type);
	return decode(a, &doc, &known_root, NULL);
}
