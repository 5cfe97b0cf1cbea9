/*
 * What becomes of an EC2NodeClass's user data when Karpenter makes the launch template. Rule: "Validation
 * rules", section 6, `userData`; bootstrap of the AWS provider v1.14.1 and Go's net/mail and mime/multipart.
 */
#include "crd_runtime.h"
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

/* A message in MIME form, read line by line. */
struct mime {
	struct arena *a;
	struct str rest;
	struct str content_type, boundary;
};

static bool next_line(struct str *rest, struct str *ret_line)
{
	const char *nl;

	if (!rest->n)
		return false;
	nl = memchr(rest->p, '\n', rest->n);
	*ret_line = (struct str){rest->p, nl ? (size_t)(nl - rest->p) : rest->n};
	rest->p += ret_line->n + (nl != NULL);
	rest->n -= ret_line->n + (nl != NULL);
	if (ret_line->n && ret_line->p[ret_line->n - 1] == '\r')
		ret_line->n--;
	return true;
}

static struct str trimmed(struct str s)
{
	while (s.n && strchr(" \t\r\n\v\f", s.p[0]))
		s = (struct str){s.p + 1, s.n - 1};
	while (s.n && strchr(" \t\r\n\v\f", s.p[s.n - 1]))
		s.n--;
	return s;
}

/* The header; the first Content-Type counts. NULL, or an error. */
static const char *read_header(struct mime *m)
{
	struct str line;
	bool any = false;

	if (m->rest.n && (m->rest.p[0] == ' ' || m->rest.p[0] == '\t')) {
		next_line(&m->rest, &line);
		return arena_printf(m->a, "malformed initial line: %.*s", STR_ARG(line));
	}
	while (next_line(&m->rest, &line)) {
		const char *colon;

		line = trimmed(line);
		if (!line.n)
			return NULL;
		any = true;
		colon = memchr(line.p, ':', line.n);
		if (!colon)
			return arena_printf(m->a, "malformed header line: %.*s", STR_ARG(line));
		struct str name = {line.p, (size_t)(colon - line.p)};
		struct str value = {colon + 1, line.n - name.n - 1};

		/* Lines that start with a blank go on with the value. */
		while (m->rest.n && (m->rest.p[0] == ' ' || m->rest.p[0] == '\t')) {
			struct str more;

			next_line(&m->rest, &more);
			more = trimmed(more);
			const char *joined = arena_printf(m->a, "%.*s %.*s", STR_ARG(value), STR_ARG(more));

			value = str_of(joined);
		}
		if (name.n == 12 && strncasecmp(name.p, "content-type", 12) == 0 && !m->content_type.n)
			m->content_type = trimmed(value);
	}
	return any ? NULL : "EOF";
}

static size_t token(struct str s)
{
	size_t n = 0;

	while (n < s.n && s.p[n] > ' ' && s.p[n] < 0x7f && !strchr("()<>@,;:\\\"/[]?=", s.p[n]))
		n++;
	return n;
}

static struct str after(struct str s, size_t n)
{
	return (struct str){s.p + n, s.n - n};
}

/* One "; name=value"; moves *s behind it. False: not in that form. */
static bool parameter(struct mime *m, struct str *s)
{
	struct str name, value;
	size_t n;

	if (s->p[0] != ';')
		return false;
	*s = trimmed(after(*s, 1));
	n = token(*s);
	if (!n)
		return s->n == 0; /* a last semicolon alone */
	name = (struct str){s->p, n};
	*s = trimmed(after(*s, n));
	if (!s->n || s->p[0] != '=')
		return false;
	*s = trimmed(after(*s, 1));
	if (s->n && s->p[0] == '"') {
		const char *end = memchr(s->p + 1, '"', s->n - 1);

		if (!end)
			return false;
		value = (struct str){s->p + 1, (size_t)(end - s->p - 1)};
		*s = after(*s, value.n + 2);
	} else {
		value = (struct str){s->p, token(*s)};
		if (!value.n)
			return false;
		*s = after(*s, value.n);
	}
	*s = trimmed(*s);
	if (name.n == 8 && strncasecmp(name.p, "boundary", 8) == 0)
		m->boundary = value;
	return true;
}

/* Go's mime.ParseMediaType. NULL, or an error; *ret_multipart tells the kind. */
static const char *media_type(struct mime *m, bool *ret_multipart)
{
	struct str s = m->content_type;
	const char *semi = s.n ? memchr(s.p, ';', s.n) : NULL;
	struct str base = trimmed((struct str){s.p, semi ? (size_t)(semi - s.p) : s.n});
	size_t n = token(base), sub;

	*ret_multipart = base.n > 10 && strncasecmp(base.p, "multipart/", 10) == 0;
	if (!n)
		return "mime: no media type";
	if (n < base.n) {
		if (base.p[n] != '/')
			return "mime: expected slash after first token";
		sub = token(after(base, n + 1));
		if (!sub)
			return "mime: expected token after slash";
		if (n + 1 + sub < base.n)
			return "mime: unexpected content after media subtype";
	}
	for (s = semi ? trimmed(after(s, (size_t)(semi - s.p))) : (struct str){0}; s.n;)
		if (!parameter(m, &s))
			return "mime: invalid media parameter";
	return NULL;
}

/* Whether a line is the boundary, and whether it is the last one. */
static bool is_boundary(const struct mime *m, struct str line, bool *ret_last)
{
	struct str rest;

	if (line.n < m->boundary.n + 2 || memcmp(line.p, "--", 2) != 0 ||
	    memcmp(line.p + 2, m->boundary.p, m->boundary.n) != 0)
		return false;
	rest = trimmed(after(line, m->boundary.n + 2));
	*ret_last = str_is(rest, "--");
	return rest.n == 0 || *ret_last;
}

/* Reads the parts to the last boundary. NULL, or an error. */
static const char *read_parts(struct mime *m, struct str *ret_cut)
{
	struct str line, body = m->rest;
	bool inside = false, last = false;

	*ret_cut = (struct str){0};
	if (!m->boundary.n)
		return "multipart: boundary is empty";
	while (next_line(&m->rest, &line)) {
		struct mime part = {.a = m->a};
		const char *error;

		if (!is_boundary(m, line, &last))
			continue;
		if (last)
			return NULL;
		inside = true;
		part.rest = m->rest;
		error = read_header(&part);
		if (error) /* no part at all behind the last boundary is taken for the end */
			return strcmp(error, "EOF") == 0 ? NULL : error;
		m->rest = body = part.rest;
	}
	*ret_cut = body;
	return inside ? "unexpected EOF" : NULL;
}

static bool has_mime_form(struct str text)
{
	struct str s = trimmed(text);

	return str_starts(s, "MIME-Version:") || str_starts(s, "Content-Type:");
}

static const char *archive_error(struct arena *a, struct str text, bool al2023)
{
	struct mime m = {.a = a, .rest = text};
	struct str cut;
	bool multipart;
	const char *error = read_header(&m);

	if (error)
		return al2023 ? error : arena_printf(a, "unreadable user data %s", error);
	error = media_type(&m, &multipart);
	if (error)
		return arena_printf(a,
				    al2023 ? "archive doesn't have Content-Type header, %s"
					   : "user data does not define a content-type header %s",
				    error);
	if (!multipart)
		return al2023 ? "archive is not in multipart format, %!w(<nil>)"
			      : "user data is not in multipart MIME format";
	error = read_parts(&m, &cut);
	if (!error || !al2023)
		return error;
	return cut.n ? arena_printf(a, "parsing content, %.*s, %s", STR_ARG(cut), error)
		     : arena_printf(a, "parsing content, %s", error);
}

const char *userdata_error(struct arena *a, const char *family, struct str text)
{
	bool al2023 = strcmp(family, "AL2023") == 0;
	const char *error;

	if (strcmp(family, "Bottlerocket") == 0) {
		error = toml_read(a, text, visit, NULL);
		return error ? arena_printf(a, "invalid UserData toml: %s", error) : NULL;
	}
	if ((!al2023 && strcmp(family, "AL2") != 0) || !has_mime_form(text))
		return NULL;
	error = archive_error(a, text, al2023);
	if (!error)
		return NULL;
	return arena_printf(a, al2023 ? "parsing custom UserData, %s" : "parsing custom user data input %s",
			    error);
}
