#include <criterion/criterion.h>

#include "doc_fixture.h"

#define N(rows) (sizeof(rows) / sizeof((rows)[0]))
#define TEXT(s) (s), sizeof(s) - 1

/* What people give by mistake is named, whether it reads as YAML or not. */
Test(doc_guess, mistakes)
{
	static const struct {
		const char *text;
		size_t n;
		const char *want; /* part of the hint; NULL: none */
	} rows[] = {
		{TEXT("NAME      READY   STATUS    RESTARTS   AGE\nweb-abc   1/1     Running   0          "
		      "3d\n"),
		 "table printed by kubectl"},
		{TEXT("NAME   READY   AGE   IP         NODE   NOMINATED NODE\nweb    1/1     3d    10.0.0.1  "
		      " ip\n"),
		 "table printed by kubectl"},
		{TEXT("NAMESPACE   NAME\ndefault     web\n"), "table printed by kubectl"},
		{TEXT("LAST SEEN   TYPE     OBJECT    MESSAGE\n3m          Normal   pod/web   Pod: x y: z\n"),
		 "table printed by kubectl"},
		{TEXT("Name:         web\nNamespace:    default\nLabels:       app=web\n"),
		 "kubectl describe"},
		{TEXT("Name:         web\nNamespace:    default\nAnnotations:  a: 1\n              b: 2\n"),
		 "kubectl describe"},
		{TEXT("metadata:\n  name: {{ .Values.name }}\n"), "Helm template"},
		{TEXT("{{- if .Values.on }}\nkind: Pod\n{{- end }}\n"), "Helm template"},
		{TEXT("replicaCount: 3\nimage: {tag: a}\n"), "values of a Helm chart"},
		{TEXT("settings:\n  clusterName: a\n"), "values of a Helm chart"},
		{TEXT("service: {type: ClusterIP}\nresources: {}\n"), "values of a Helm chart"},
		{TEXT("apiVersion: v2\nname: karpenter\nversion: 1.0.0\n"), "Chart.yaml"},
		{TEXT("resources:\n- a.yaml\n"), "kustomization"},
		{TEXT("namePrefix: a-\n"), "kustomization"},
		{TEXT("{\"level\":\"INFO\",\"time\":\"2026\",\"message\":\"x\"}\n"), "a log"},
		{TEXT("2026-01-19T12:00:00Z\tINFO\tcontroller\tfound pods\n"), "a log"},
		{TEXT("I0119 12:00:00.000000       1 main.go:1] Starting\n"), "a log"},
		{TEXT("resource \"aws_eks_cluster\" \"a\" {\n  name = \"a\"\n}\n"), "Terraform"},
		{TEXT("# ours\n\n// too\nlocals {\n  a = 1\n}\n"), "Terraform"},
		{TEXT("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a: 1\n+a: 2\n"), "a diff"},
		{TEXT("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a: 1\n+a: 2\n"), "a diff"},
		{TEXT("<!DOCTYPE html>\n<html><title>404</title></html>\n"), "web page"},
		{TEXT("<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n"), "web page"},
		{TEXT("404: Not Found"), "web server"},
		{TEXT("Error from server (NotFound): x\n"), "error message of kubectl"},
		{TEXT("No resources found in default namespace.\n"), "error message of kubectl"},
		{TEXT("An error occurred (AccessDenied) when calling: no\n"), "error message of the AWS CLI"},
		{TEXT("{\"SpotPriceHistory\": []}\n"), "output of the AWS CLI"},
		{TEXT("AWSTemplateFormatVersion: '2010'\n"), "CloudFormation"},
		{TEXT("services:\n  web: {image: a}\n"), "Compose"},
		{TEXT("#!/bin/bash\ncat <<X\na: b: c\nX\n"), "script"},
		{TEXT("kubectl apply -f - <<EOF\na: b\nEOF\n"), "between the two EOF"},
		{TEXT("```yaml\na: 1\n```\n"), "Markdown"},
		{TEXT("a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> x\n"), "conflict markers"},
		{TEXT("a:\n\tb: 1\n"), "tabs"},
		{TEXT("\x1f\x8b\x08\0\0\0"), "gunzip"},
		{TEXT("PK\x03\x04\x14\0"), "zip"},
		{TEXT("\x89PNG\r\n\x1a\n\0"), "picture"},
		{TEXT("just a text\n"), NULL},
		{TEXT("a: 1\nb: 2\n"), NULL},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct doc_fixture f;
		const char *hint = NULL;

		doc_fixture_init(&f);
		if (doc_fixture_read(&f, (struct str){rows[i].text, rows[i].n}))
			hint = doc_guess_object(f.docs.v.v[0].src, f.docs.v.v[0].root);
		for (uint32_t k = 0; k < f.d.msgs.n && !hint; k++)
			hint = f.d.msgs.v[k].hint;
		cr_expect_eq(hint == NULL, rows[i].want == NULL, "%s: %s", rows[i].text,
			     hint ? hint : "no hint");
		cr_expect(!hint || !rows[i].want || strstr(hint, rows[i].want), "%s: %s", rows[i].text, hint);
		doc_fixture_release(&f);
	}
}

/* Far from the start a document is no sign of what the file is. */
Test(doc_guess, first_documents_only)
{
	struct doc_fixture f;
	struct buf text;
	uint32_t last;

	doc_fixture_init(&f);
	buf_init(&text);
	for (int i = 0; i < 30; i++)
		buf_adds(&text, "---\nNo resources found\n");
	cr_assert(doc_fixture_read(&f, (struct str){text.p, text.n}));
	last = f.docs.v.n - 1;
	cr_expect(doc_guess_object(f.docs.v.v[0].src, f.docs.v.v[0].root));
	cr_expect_null(doc_guess_object(f.docs.v.v[last].src, f.docs.v.v[last].root));
	buf_release(&text);
	doc_fixture_release(&f);
}
