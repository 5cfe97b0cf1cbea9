#pragma once
/*
 * The forms that Kubernetes gives names, label keys and label values, with the API server's own words for
 * what is wrong. Rule: k8s.io/apimachinery util/validation of Kubernetes 1.35; "Validation rules", section 3.
 */
#include "str.h"

/* NULL ends the list. Static text. */
struct kname_errors {
	const char *v[5];
};

/* A label key: an optional DNS prefix, '/', and a name part. */
struct kname_errors kname_qualified(struct str s);
struct kname_errors kname_label_value(struct str s);
/* A lowercase RFC 1123 subdomain. */
struct kname_errors kname_subdomain(struct str s);
/* A lowercase RFC 1123 label: a namespace. */
struct kname_errors kname_label(struct str s);
