#include <string.h>

#include "doc.h"

#define LOOK (64u << 10) /* bytes from the start */

static struct str first_line(struct str text)
{
	size_t from = 0;
	const char *nl;

	while (from < text.n && strchr(" \t\r\n", text.p[from]))
		from++;
	nl = memchr(text.p + from, '\n', text.n - from);
	return (struct str){text.p + from, nl ? (size_t)(nl - text.p) - from : text.n - from};
}

static bool has(struct str text, const char *word)
{
	return memmem(text.p, text.n, word, strlen(word)) != NULL;
}

/* NAME   READY   STATUS ..., or NAMESPACE first: capitals and blanks only, at least two columns. */
static bool is_table(struct str line)
{
	if (!str_starts(line, "NAME ") && !str_starts(line, "NAMESPACE ") && !str_starts(line, "NAME\t"))
		return false;
	for (size_t i = 0; i < line.n; i++)
		if (line.p[i] >= 'a' && line.p[i] <= 'z')
			return false;
	return has(line, "  ");
}

/* "Name:         x" with the value pushed to a column. */
static bool is_description(struct str text, struct str line)
{
	return str_starts(line, "Name:  ") && (has(text, "\nLabels:  ") || has(text, "\nNamespace:  "));
}

static bool is_log(struct str line)
{
	if (str_starts(line, "{\"level\":") || str_starts(line, "{\"time\":") || str_starts(line, "{\"ts\":"))
		return true;
	return str_starts(line, "{") && has(line, "\"level\":") &&
	       (has(line, "\"message\":") || has(line, "\"msg\":"));
}

const char *doc_guess(const struct source *src)
{
	struct str text = {src->text.p, src->text.n < LOOK ? src->text.n : LOOK};
	struct str line = first_line(text);

	if (has(text, "{{"))
		return "this looks like a Helm template; render it first with 'helm template'";
	if (is_table(line))
		return "this looks like a table printed by kubectl; get the objects with 'kubectl get ... -o "
		       "yaml'";
	if (is_description(text, line))
		return "this looks like the output of 'kubectl describe'; use 'kubectl get ... -o yaml' "
		       "instead";
	if (is_log(line))
		return "this looks like a log, not a manifest";
	if (str_starts(line, "resource \"") || str_starts(line, "terraform {") ||
	    str_starts(line, "provider \""))
		return "this looks like Terraform; kspot reads Kubernetes manifests";
	if (str_starts(line, "<"))
		return "this looks like a web page; download the raw file";
	if (str_starts(line, "Error from server") || str_starts(line, "error: "))
		return "this looks like an error message of kubectl; run the command again and look at its "
		       "output";
	return NULL;
}

static bool has_key(const struct doc_node *root, const char *const *keys)
{
	for (; *keys; keys++)
		if (doc_get(root, *keys))
			return true;
	return false;
}

const char *doc_guess_object(const struct doc_node *root)
{
	static const char *const kustomization[] = {
		"resources", "bases", "patches", "patchesStrategicMerge", "configMapGenerator", NULL};
	static const char *const aws[] = {"InstanceTypes", "InstanceTypeOfferings", "SpotPriceHistory",
					  "PriceList",     "AvailabilityZones",     NULL};
	static const char *const chart[] = {"replicaCount", "image", "nodeSelector", "global", NULL};

	if (root->kind != DOC_MAP)
		return NULL;
	if (doc_get(root, "detail-type"))
		return "this looks like an event of EventBridge; what it does to a cluster can be told in a "
		       "scenario";
	if (has_key(root, aws))
		return "this looks like output of the AWS CLI; make a catalogue of it with 'kspot catalog "
		       "import'";
	if (doc_get(root, "level") && (doc_get(root, "msg") || doc_get(root, "message")))
		return "this looks like a log, not a manifest";
	if (has_key(root, kustomization))
		return "this looks like a kustomization; render it first with 'kubectl kustomize'";
	if (has_key(root, chart))
		return "this looks like the values of a Helm chart; render the chart first with 'helm "
		       "template'";
	return NULL;
}
