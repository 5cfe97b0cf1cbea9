/*
 * What becomes of an EC2NodeClass's user data when Karpenter makes the launch template. Rule: "Validation
 * rules", section 6, `userData`; bootstrap of the AWS provider v1.14.1 and Go's net/mail and mime/multipart.
 */
#include "crd_runtime.h"
#include "mime.h"
#include "toml.h"

/* How Karpenter's Go struct types a Bottlerocket setting. */
struct setting {
	const char *key, *field, *type;
};

static const struct setting settings[] = {
	{"api-server", "APIServer", "string"},
	{"cloud-provider", "CloudProvider", "string"},
	{"cluster-certificate", "ClusterCertificate", "string"},
	{"cluster-name", "ClusterName", "string"},
	{"cluster-dns-ip", "ClusterDNSIP", "string"},
	{"node-labels", "NodeLabels", "map[string]string"},
	{"node-taints", "NodeTaints", "map[string][]string"},
	{"max-pods", "MaxPods", "int"},
	{"eviction-hard", "EvictionHard", "map[string]string"},
	{"eviction-soft", "EvictionSoft", "map[string]string"},
	{"eviction-soft-grace-period", "EvictionSoftGracePeriod", "map[string]string"},
	{"eviction-max-pod-grace-period", "EvictionMaxPodGracePeriod", "int"},
	{"kube-reserved", "KubeReserved", "map[string]string"},
	{"system-reserved", "SystemReserved", "map[string]string"},
	{"allowed-unsafe-sysctls", "AllowedUnsafeSysctls", "[]string"},
	{"server-tls-bootstrap", "ServerTLSBootstrap", "bool"},
	{"registry-qps", "RegistryQPS", "int"},
	{"registry-burst", "RegistryBurst", "int"},
	{"event-qps", "EventQPS", "int"},
	{"event-burst", "EventBurst", "int"},
	{"kube-api-qps", "KubeAPIQPS", "int"},
	{"kube-api-burst", "KubeAPIBurst", "int"},
	{"container-log-max-size", "ContainerLogMaxSize", "string"},
	{"container-log-max-files", "ContainerLogMaxFiles", "int"},
	{"cpu-manager-policy", "CPUManagerPolicy", "string"},
	{"cpu-manager-policy-options", "CPUManagerPolicyOptions", "[]string"},
	{"cpu-manager-reconcile-period", "CPUManagerReconcilePeriod", "string"},
	{"memory-manager-policy", "MemoryManagerPolicy", "string"},
	{"topology-manager-scope", "TopologyManagerScope", "string"},
	{"topology-manager-policy", "TopologyManagerPolicy", "string"},
	{"image-gc-high-threshold-percent", "ImageGCHighThresholdPercent", "string"},
	{"image-gc-low-threshold-percent", "ImageGCLowThresholdPercent", "string"},
	{"cpu-cfs-quota-enforced", "CPUCFSQuota", "bool"},
	{"shutdown-grace-period", "ShutdownGracePeriod", "string"},
	{"shutdown-grace-period-for-critical-pods", "ShutdownGracePeriodForCriticalPods", "string"},
	{"cluster-domain", "ClusterDomain", "string"},
	{"seccomp-default", "SeccompDefault", "bool"},
	{"pod-pids-limit", "PodPidsLimit", "int"},
	{"device-ownership-from-security-context", "DeviceOwnershipFromSecurityContext", "bool"},
	{"single-process-oom-kill", "SingleProcessOOMKill", "bool"},
	{"container-log-max-workers", "ContainerLogMaxWorkers", "int"},
	{"container-log-monitor-interval", "ContainerLogMonitorInterval", "string"},
};

static bool fits(const char *type, enum toml_kind kind)
{
	switch (kind) {
	case TOML_STRING:
		return strcmp(type, "string") == 0;
	case TOML_INTEGER:
		return strcmp(type, "int") == 0;
	case TOML_BOOL:
		return strcmp(type, "bool") == 0;
	case TOML_ARRAY:
		return strcmp(type, "[]string") == 0;
	case TOML_TABLE:
	case TOML_INLINE_TABLE:
		return strncmp(type, "map", 3) == 0;
	case TOML_FLOAT:
	case TOML_TIME:
		return false;
	}
	return false;
}

static const char *visit(void *ctx, struct arena *a, const struct toml_path *path, enum toml_kind kind)
{
	static const char *const names[] = {"string",     "integer", "float",        "bool",
					    "local date", "array",   "inline table", "table"};

	(void)ctx;
	if (path->n < 1 || !str_is(path->part[0], "settings"))
		return NULL;
	if (path->n == 1 && kind != TOML_TABLE && kind != TOML_INLINE_TABLE)
		return arena_printf(
			a,
			"cannot decode TOML %s into struct field bootstrap.BottlerocketConfig.SettingsRaw of "
			"type map[string]interface {}",
			names[kind]);
	if (path->n != 3 || !str_is(path->part[1], "kubernetes"))
		return NULL;
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if (str_is(path->part[2], settings[i].key) && !fits(settings[i].type, kind))
			return arena_printf(a,
					    "cannot decode TOML %s into struct field "
					    "bootstrap.BottlerocketKubernetes.%s of type %s",
					    names[kind], settings[i].field, settings[i].type);
	return NULL;
}

static bool has_mime_form(struct str text)
{
	while (text.n && strchr(" \t\r\n\v\f", text.p[0]))
		text = (struct str){text.p + 1, text.n - 1};
	return str_starts(text, "MIME-Version:") || str_starts(text, "Content-Type:");
}

static const char *al2023_error(struct arena *a, const struct mime_error *e)
{
	switch (e->stage) {
	case MIME_MESSAGE:
		return e->text;
	case MIME_CONTENT_TYPE:
		return arena_printf(a, "archive doesn't have Content-Type header, %s", e->text);
	case MIME_NOT_MULTIPART:
		return "archive is not in multipart format, %!w(<nil>)";
	case MIME_PART:
		return arena_printf(a, "parsing content, %s", e->text);
	case MIME_BODY:
		return arena_printf(a, "parsing content, %.*s, %s", STR_ARG(e->body), e->text);
	}
	return NULL;
}

static const char *al2_error(struct arena *a, const struct mime_error *e)
{
	switch (e->stage) {
	case MIME_MESSAGE:
		return arena_printf(a, "unreadable user data %s", e->text);
	case MIME_CONTENT_TYPE:
		return arena_printf(a, "user data does not define a content-type header %s", e->text);
	case MIME_NOT_MULTIPART:
		return "user data is not in multipart MIME format";
	case MIME_PART:
	case MIME_BODY:
		return e->text;
	}
	return NULL;
}

const char *userdata_error(struct arena *a, const char *family, struct str text)
{
	bool al2023 = strcmp(family, "AL2023") == 0;
	struct mime_error mime;
	const char *error;

	if (strcmp(family, "Bottlerocket") == 0) {
		error = toml_read(a, text, visit, NULL);
		return error ? arena_printf(a, "invalid UserData toml: %s", error) : NULL;
	}
	if ((!al2023 && strcmp(family, "AL2") != 0) || !has_mime_form(text) || mime_read(a, text, &mime))
		return NULL;
	return al2023 ? arena_printf(a, "parsing custom UserData, %s", al2023_error(a, &mime))
		      : arena_printf(a, "parsing custom user data input %s", al2_error(a, &mime));
}
