#pragma once
/*
 * Karpenter's own validation of an object that the API server took (RuntimeValidate). Texts are Karpenter's;
 * the order of sets in them, which Go leaves open, is by name. Rule: Karpenter v1.14.1, "Validation rules",
 * section 6.
 */
#include "check.h"

struct remarks {
	VEC(struct check_remark) v;
};

/* What the AWS provider adds to core Karpenter's labels. */
extern const struct check_labels check_labels_aws;

void runtime_nodepool(struct arena *a, const struct check_doc *doc, const struct check_labels *labels,
		      struct remarks *ret_errors, struct remarks *ret_logs);
void runtime_overlay(struct arena *a, const struct check_doc *doc, struct remarks *ret_errors,
		     struct remarks *ret_logs);
/* spec.disruption.budgets: errors that make a budget allow nothing, and what a budget does not do as written.
 */
void runtime_budgets(struct arena *a, const struct check_doc *doc, struct remarks *ret_errors,
		     struct remarks *ret_warnings);
/* EC2NodeClass: what ends the process, makes it panic or keeps the launch template from being made. */
void runtime_nodeclass(struct arena *a, const struct check_doc *doc, struct remarks *ret_errors);
/* Why an AMI family cannot use a userData, without the family's name in front; NULL when it can
 * (crd_userdata.c). */
const char *userdata_error(struct arena *a, const char *family, struct str text);
/* The same of Bottlerocket, without "toml: " (crd_bottlerocket.c). */
const char *bottlerocket_error(struct arena *a, struct str text);
/* Why a text is no quantity for Karpenter, or NULL. What the CRD's pattern passes is taken for granted. */
const char *quantity_error(struct str s);

void runtime_add(struct arena *a, struct remarks *r, const struct check_doc *doc, const struct jval *at,
		 const char *source, const char *message);
