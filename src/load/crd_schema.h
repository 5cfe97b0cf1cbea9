#pragma once
/*
 * What the API server knows of a kind: a structural schema in the project's own form. A kind is a table of
 * fields; a field says its type, bounds, pattern, default and cross-field rules, and how Karpenter's own Go
 * type reads it. Tables are constant data (crd_nodepool.c, crd_nodeclass.c, ...); another Karpenter version
 * is another set of tables. Rule: CustomResourceDefinitions of Karpenter v1.14.1, core and AWS provider.
 */
#include "jval.h"

enum crd_type {
	CRD_OBJECT, /* fields[] */
	CRD_MAP,    /* any key, values as *item */
	CRD_LIST,   /* *item */
	CRD_STRING,
	CRD_INTEGER,
	CRD_BOOLEAN,
	CRD_INT_OR_STRING,
	CRD_DATE_TIME,
};

/* How Karpenter decodes what the schema accepts. */
enum crd_go {
	GO_AS_IS,
	GO_INT32,
	GO_DURATION,          /* metav1.Duration */
	GO_NILLABLE_DURATION, /* also "Never" */
	GO_QUANTITY,
	GO_TIME,
};

#define CRD_REQUIRED 0x01u
#define CRD_SET 0x02u /* list items are distinct */
#define CRD_HAS_MIN 0x04u
#define CRD_HAS_MAX 0x08u

/* The outcome of a cross-field rule. */
enum cel { CEL_TRUE, CEL_FALSE, CEL_ERROR };

/* CEL's && and ||, which errors pass only when the other side does not settle it. */
static inline enum cel cel_and(enum cel a, enum cel b)
{
	return a == CEL_FALSE || b == CEL_FALSE ? CEL_FALSE : a == CEL_TRUE ? b : a;
}

static inline enum cel cel_or(enum cel a, enum cel b)
{
	return a == CEL_TRUE || b == CEL_TRUE ? CEL_TRUE : a == CEL_FALSE ? b : a;
}

static inline enum cel cel_not(enum cel a)
{
	return a == CEL_ERROR ? a : a == CEL_TRUE ? CEL_FALSE : CEL_TRUE;
}

/* *ret_error is set with CEL_ERROR only. */
typedef enum cel (*crd_check)(const struct jval *self, const char **ret_error);

struct crd_rule {
	crd_check check;
	const char *message;
};

struct crd_field {
	const char *name;
	enum crd_type type;
	uint32_t flags;
	int64_t min, max;               /* integers, with CRD_HAS_MIN and CRD_HAS_MAX */
	uint32_t min_len, max_len;      /* items of a list, keys of a map; max_len 0: no bound */
	uint32_t min_chars, max_chars;  /* of a string; max_chars 0: no bound */
	const char *pattern;            /* RE2 */
	const char *const *values;      /* enum, ends with NULL */
	const char *dflt;               /* default, as JSON */
	const struct crd_field *fields; /* of an object, ends with name NULL */
	const struct crd_field *item;
	const struct crd_rule *rules; /* ends with check NULL */
	enum crd_go go;
	const char *go_type; /* GO_INT32: the struct that holds it */
};

struct crd_kind {
	const char *api_version; /* group/version */
	const char *kind;
	bool namespaced;
	const char *replicas_path; /* of the scale subresource; NULL: none */
	/* spec and status; apiVersion, kind and metadata are common to all. What status holds is named only,
	 * since a create drops it. */
	const struct crd_field root;
};

/* A kind that is served, or NULL. */
const struct crd_kind *crd_find(struct str api_version, struct str kind);
/* Whether a group belongs to Karpenter, served or not. */
bool crd_is_karpenter_group(struct str api_version, struct str kind);

extern const struct crd_kind crd_nodepool, crd_nodeclaim, crd_nodeoverlay, crd_nodeclass, crd_buffer;

/* Pieces that several kinds share (crd_common.c). */
extern const struct crd_field crd_string_item, crd_taint_item, crd_condition_item, crd_quantity_item;
extern const struct crd_field crd_class_ref_fields[];
extern const char *const crd_operators[];
/* Of the requirements of NodePools and NodeClaims. */
extern const struct crd_rule crd_requirements_rules[];

/* Fields of a requirement; what differs between the kinds are the rules of its key. */
#define CRD_REQUIREMENT_KEY(key_rules)                                                      \
	{                                                                                   \
		.name = "key", .type = CRD_STRING, .flags = CRD_REQUIRED, .max_chars = 316, \
		.pattern = CRD_LABEL_KEY_PATTERN, .rules = (key_rules)                      \
	}
#define CRD_REQUIREMENT_MIN_VALUES                                                                      \
	{                                                                                               \
		.name = "minValues", .type = CRD_INTEGER, .flags = CRD_HAS_MIN | CRD_HAS_MAX, .min = 1, \
		.max = 50                                                                               \
	}
#define CRD_REQUIREMENT_VALUES                                                                           \
	{.name = "operator", .type = CRD_STRING, .flags = CRD_REQUIRED, .values = crd_operators},        \
	{                                                                                                \
		.name = "values", .type = CRD_LIST, .max_chars = 63, .pattern = CRD_LABEL_VALUE_PATTERN, \
		.item = &crd_string_item                                                                 \
	}

#define CRD_DURATION_PATTERN "^([0-9]+(s|m|h))+$"
#define CRD_DURATION_OR_NEVER_PATTERN "^(([0-9]+(s|m|h))+|Never)$"
#define CRD_QUANTITY_PATTERN                          \
	"^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))" \
	"(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$"
#define CRD_LABEL_KEY_PATTERN                                                       \
	"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\\/))?" \
	"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$"
#define CRD_LABEL_VALUE_PATTERN "^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$"
