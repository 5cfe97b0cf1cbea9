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

static bool starts_with_any(struct str line, const char *const *words)
{
	for (; *words; words++)
		if (str_starts(line, *words))
			return true;
	return false;
}

/* What follows a line of the text. */
static struct str after(struct str text, struct str line)
{
	return (struct str){line.p + line.n, text.n - (size_t)(line.p - text.p) - line.n};
}

/* NAME   READY   STATUS ..., NAMESPACE or LAST SEEN first: capitals and blanks only, at least two columns. */
static bool is_table(struct str line)
{
	static const char *const first[] = {"NAME ", "NAMESPACE ", "NAME\t", "LAST SEEN ", "KIND ", NULL};

	if (!starts_with_any(line, first))
		return false;
	for (size_t i = 0; i < line.n; i++)
		if (line.p[i] >= 'a' && line.p[i] <= 'z')
			return false;
	return has(line, "  ") || has(line, "\t");
}

/* "Name:         x" with the value pushed to a column. */
static bool is_description(struct str text, struct str line)
{
	return str_starts(line, "Name:  ") && (has(text, "\nLabels:  ") || has(text, "\nNamespace:  "));
}

/* I0119 12:00:00.000000: how klog starts a line. */
static bool is_klog(struct str line)
{
	if (line.n < 20 || !strchr("IWEF", line.p[0]) || line.p[5] != ' ' || line.p[8] != ':')
		return false;
	return strspn(line.p + 1, "0123456789") == 4 && strspn(line.p + 6, "0123456789") == 2;
}

static bool is_log(struct str line)
{
	if (str_starts(line, "{\"level\":") || str_starts(line, "{\"time\":") || str_starts(line, "{\"ts\":"))
		return true;
	if (str_starts(line, "{") && has(line, "\"level\":") &&
	    (has(line, "\"message\":") || has(line, "\"msg\":")))
		return true;
	return is_klog(line) || has(line, "\tINFO\t") || has(line, "\tERROR\t") || has(line, "\tDEBUG\t");
}

/* The first line of HCL that is neither blank nor comment opens a block, or sets a variable. */
static bool is_terraform(struct str text)
{
	static const char *const blocks[] = {"resource \"", "terraform {", "provider \"",
					     "module \"",   "locals {",    "variable \"",
					     "data \"",     "output \"",   NULL};
	struct str line = first_line(text);

	while (line.n && (line.p[0] == '#' || str_starts(line, "//"))) {
		text = after(text, line);
		line = first_line(text);
	}
	return starts_with_any(line, blocks);
}

static bool is_diff(struct str text, struct str line)
{
	return str_starts(line, "diff --git ") || str_starts(line, "Index: ") ||
	       (str_starts(line, "--- ") && has(text, "\n+++ ") && has(text, "\n@@ "));
}

static bool is_web_page(struct str line)
{
	static const char *const tags[] = {"<!", "<html", "<HTML", "<head", "<?xml", NULL};

	return starts_with_any(line, tags);
}

static const char *guess_binary(struct str text)
{
	static const struct {
		const char *magic;
		size_t n;
		const char *hint;
	} rows[] = {
		{"\x1f\x8b", 2, "this looks like a gzip file; unpack it first with gunzip"},
		{"PK\x03\x04", 4, "this looks like a zip file; unpack it first"},
		{"\x28\xb5\x2f\xfd", 4, "this looks like a zstd file; unpack it first"},
		{"BZh", 3, "this looks like a bzip2 file; unpack it first"},
		{"\xfd"
		 "7zXZ",
		 5, "this looks like an xz file; unpack it first"},
		{"\x7f"
		 "ELF",
		 4, "this is a program; kspot reads Kubernetes manifests"},
		{"\x89PNG", 4, "this is a picture; kspot reads Kubernetes manifests"},
		{"%PDF", 4, "this is a PDF; kspot reads Kubernetes manifests"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (text.n >= rows[i].n && memcmp(text.p, rows[i].magic, rows[i].n) == 0)
			return rows[i].hint;
	if (text.n >= 512 && memcmp(text.p + 257, "ustar", 5) == 0)
		return "this looks like a tar archive; unpack it first, and name the directory";
	return NULL;
}

static const char *guess_message(struct str line)
{
	static const char *const kubectl[] = {"Error from server",
					      "error: ",
					      "Unable to connect to the server",
					      "The connection to the server",
					      "No resources found",
					      NULL};
	static const char *const aws[] = {"An error occurred (", "Unable to locate credentials", NULL};
	static const char *const web[] = {"404: Not Found", "404 page not found", NULL};

	if (starts_with_any(line, kubectl))
		return "this looks like an error message of kubectl; run the command again and look at its "
		       "output";
	if (starts_with_any(line, aws))
		return "this looks like an error message of the AWS CLI; run the command again and look at "
		       "its "
		       "output";
	if (starts_with_any(line, web))
		return "this looks like the answer of a web server that does not have the file; look at its "
		       "address";
	return NULL;
}

static const char *guess_script(struct str text, struct str line)
{
	if (str_starts(line, "#!"))
		return "this looks like a script; give what it applies, not the script";
	if (has(line, "<<") && has(line, "EOF"))
		return "this looks like a command of a shell with its input; give what stands between the "
		       "two "
		       "EOF";
	if (str_starts(line, "$ "))
		return "this looks like a copy of a terminal; leave out the lines with commands";
	if (str_starts(line, "```"))
		return "this looks like Markdown; leave out the lines with ```";
	if (str_starts(line, "<<<<<<< ") || has(text, "\n<<<<<<< "))
		return "this file has conflict markers of git; resolve them first";
	return NULL;
}

const char *doc_guess(const struct source *src)
{
	struct str text = {src->text.p, src->text.n < LOOK ? src->text.n : LOOK};
	struct str line = first_line(text);
	const char *hint = guess_binary(text);

	if (str_is(line, "---"))
		line = first_line(after(text, line));
	if (!hint && is_diff(text, line))
		hint = "this looks like a diff; give the file that it changes";
	if (!hint && has(text, "{{"))
		hint = "this looks like a Helm template; render it first with 'helm template'";
	if (!hint && is_table(line))
		hint = "this looks like a table printed by kubectl; get the objects with 'kubectl get ... -o "
		       "yaml'";
	if (!hint && is_description(text, line))
		hint = "this looks like the output of 'kubectl describe'; use 'kubectl get ... -o yaml' "
		       "instead";
	if (!hint && is_log(line))
		hint = "this looks like a log, not a manifest";
	if (!hint && is_terraform(text))
		hint = "this looks like Terraform; kspot reads Kubernetes manifests";
	if (!hint)
		hint = guess_script(text, line);
	if (!hint && is_web_page(line))
		hint = "this looks like a web page; download the raw file";
	return hint ? hint : guess_message(line);
}

static bool has_key(const struct doc_node *root, const char *const *keys)
{
	for (; *keys; keys++)
		if (doc_get(root, *keys))
			return true;
	return false;
}

/* The text tells of the file as a whole: so of its first documents only. */
static bool at_start(const struct doc_node *root)
{
	return root->line <= 20 && root->col <= 200;
}

const char *doc_guess_object(const struct source *src, const struct doc_node *root)
{
	static const char *const kustomization[] = {"bases",      "patches",      "patchesStrategicMerge",
						    "namePrefix", "commonLabels", "configMapGenerator",
						    NULL};
	static const char *const aws[] = {"InstanceTypes", "InstanceTypeOfferings", "SpotPriceHistory",
					  "PriceList",     "AvailabilityZones",     NULL};
	static const char *const chart[] = {"replicaCount", "image",   "nodeSelector", "global",
					    "ingress",      "service", "settings",     NULL};
	const struct doc_node *resources = doc_get(root, "resources");

	struct str version = {"", 0};

	if (root->kind != DOC_MAP)
		return at_start(root) ? doc_guess(src) : NULL;
	if (doc_get(root, "apiVersion") && doc_get(root, "apiVersion")->kind == DOC_SCALAR)
		version = doc_get(root, "apiVersion")->text;
	if (doc_get(root, "detail-type"))
		return "this looks like an event of EventBridge; what it does to a cluster can be told in a "
		       "scenario";
	if (has_key(root, aws))
		return "this looks like output of the AWS CLI; make a catalogue of it with 'kspot catalog "
		       "import'";
	if (doc_get(root, "level") && (doc_get(root, "msg") || doc_get(root, "message")))
		return "this looks like a log, not a manifest";
	if (doc_get(root, "AWSTemplateFormatVersion") || doc_get(root, "Resources"))
		return "this looks like a CloudFormation template; kspot reads Kubernetes manifests";
	if (doc_get(root, "services"))
		return "this looks like a Compose file; kspot reads Kubernetes manifests";
	if (str_is(version, "v2") && doc_get(root, "name"))
		return "this looks like the Chart.yaml of a Helm chart; render the chart with 'helm "
		       "template'";
	if (has_key(root, kustomization) || (resources && resources->kind == DOC_SEQ))
		return "this looks like a kustomization; render it first with 'kubectl kustomize'";
	if (has_key(root, chart))
		return "this looks like the values of a Helm chart; render the chart first with 'helm "
		       "template'";
	return at_start(root) ? doc_guess(src) : NULL;
}
