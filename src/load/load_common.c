#include "loader.h"

static const struct field owner_fields[] = {
	FIELD("apiVersion", load_string, struct owner_ref, api_version),
	FIELD("kind", load_string, struct owner_ref, kind),
	FIELD("name", load_string, struct owner_ref, name),
	FIELD("uid", load_string, struct owner_ref, uid),
	FIELD("controller", load_bool, struct owner_ref, controller),
	FIELD_KNOWN("blockOwnerDeletion"),
};
static const struct schema owner_schema = SCHEMA_OF(owner_fields, NULL);

static const struct field meta_fields[] = {
	FIELD("name", load_string, struct object_meta, name),
	FIELD("namespace", load_string, struct object_meta, ns),
	FIELD("uid", load_string, struct object_meta, uid),
	FIELD("labels", load_strmap, struct object_meta, labels),
	FIELD("annotations", load_strmap, struct object_meta, annotations),
	FIELD_LIST("ownerReferences", owner_schema, struct owner_ref, struct object_meta, nowner, owner),
	FIELD("creationTimestamp", load_past, struct object_meta, created),
	FIELD("deletionTimestamp", load_time, struct object_meta, deleted),
	FIELD("generation", load_int64, struct object_meta, generation),
	FIELD_KNOWN("generateName"),
	FIELD_KNOWN("resourceVersion"),
	FIELD_KNOWN("selfLink"),
	FIELD_KNOWN("finalizers"),
	FIELD_KNOWN("managedFields"),
	FIELD_KNOWN("deletionGracePeriodSeconds"),
	FIELD_KNOWN("clusterName"),
};

static void meta_init(void *rec)
{
	struct object_meta *m = rec;

	m->created = m->deleted = TIME_NONE;
}

const struct schema meta_schema = SCHEMA_OF(meta_fields, meta_init);

static const struct field condition_fields[] = {
	FIELD("type", load_string, struct condition, type),
	FIELD("status", load_string, struct condition, status),
	FIELD("reason", load_string, struct condition, reason),
	FIELD("message", load_string, struct condition, message),
	FIELD("lastTransitionTime", load_past, struct condition, transition),
	FIELD("observedGeneration", load_int64, struct condition, observed),
	FIELD_KNOWN("lastHeartbeatTime"),
	FIELD_KNOWN("lastProbeTime"),
	FIELD_KNOWN("lastUpdateTime"),
	FIELD_KNOWN("severity"),
};

static void condition_init(void *rec)
{
	((struct condition *)rec)->transition = TIME_NONE;
}

const struct schema condition_schema = SCHEMA_OF(condition_fields, condition_init);

static const struct field taint_fields[] = {
	FIELD("key", load_string, struct taint, key),
	FIELD("value", load_string, struct taint, value),
	FIELD("effect", load_string, struct taint, effect),
	FIELD("timeAdded", load_past, struct taint, time_added),
};

static void taint_init(void *rec)
{
	((struct taint *)rec)->time_added = TIME_NONE;
}

const struct schema taint_schema = SCHEMA_OF(taint_fields, taint_init);

static const struct field requirement_fields[] = {
	FIELD("key", load_string, struct api_requirement, key),
	FIELD("operator", load_string, struct api_requirement, op),
	FIELD_COUNTED("values", load_strings, struct api_requirement, n, values),
	FIELD("minValues", load_int32, struct api_requirement, min_values),
};

static void requirement_init(void *rec)
{
	((struct api_requirement *)rec)->min_values = -1;
}

const struct schema requirement_schema = SCHEMA_OF(requirement_fields, requirement_init);

static const struct field class_ref_fields[] = {
	FIELD("group", load_string, struct node_class_ref, group),
	FIELD("kind", load_string, struct node_class_ref, kind),
	FIELD("name", load_string, struct node_class_ref, name),
	FIELD_GONE("apiVersion", "since v1 it is group, without the version"),
};

const struct schema class_ref_schema = SCHEMA_OF(class_ref_fields, NULL);

static const struct field expr_fields[] = {
	FIELD("key", load_string, struct match_expr, key),
	FIELD("operator", load_string, struct match_expr, op),
	FIELD_COUNTED("values", load_strings, struct match_expr, n, values),
};
static const struct schema expr_schema = SCHEMA_OF(expr_fields, NULL);

static const struct field selector_fields[] = {
	FIELD("matchLabels", load_strmap, struct label_selector, match),
	FIELD_LIST("matchExpressions", expr_schema, struct match_expr, struct label_selector, n, expr),
};
const struct schema label_selector_schema = SCHEMA_OF(selector_fields, NULL);

static bool is_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Up to 63 letters, digits, - _ and ., the ends a letter or digit. */
static bool is_label_name(struct str s)
{
	if (s.n == 0 || s.n > 63 || !is_alnum(s.p[0]) || !is_alnum(s.p[s.n - 1]))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!is_alnum(s.p[i]) && s.p[i] != '-' && s.p[i] != '_' && s.p[i] != '.')
			return false;
	return true;
}

static bool is_dns_name(struct str s)
{
	if (s.n == 0 || s.n > 253)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		bool end = i == 0 || i + 1 == s.n || s.p[i - 1] == '.' || s.p[i + 1] == '.';

		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			continue;
		if (end || (c != '-' && c != '.'))
			return false;
	}
	return true;
}

static bool is_label_key(struct str s)
{
	const char *slash = memchr(s.p, '/', s.n);
	size_t n;

	if (!slash)
		return is_label_name(s);
	n = (size_t)(slash - s.p);
	return is_dns_name((struct str){s.p, n}) && is_label_name((struct str){slash + 1, s.n - n - 1});
}

static bool is_label_value(struct str s)
{
	return s.n == 0 || is_label_name(s);
}

static bool is_valid_expr(const struct intern *in, const struct match_expr *e)
{
	struct str op = intern_str(in, e->op);
	bool listed = str_is(op, "In") || str_is(op, "NotIn");

	if (!listed && !str_is(op, "Exists") && !str_is(op, "DoesNotExist"))
		return false;
	if (listed != (e->n > 0) || !is_label_key(intern_str(in, e->key)))
		return false;
	for (uint32_t i = 0; i < e->n; i++)
		if (!is_label_value(intern_str(in, e->values[i])))
			return false;
	return true;
}

bool load_selector(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	struct label_selector *s = (void *)((char *)rec + f->off);

	if (!schema_decode(l, &label_selector_schema, n, s))
		return false;
	s->present = true;
	for (uint32_t i = 0; i < s->match.n; i++)
		s->invalid |= !is_label_key(intern_str(l->in, s->match.v[i].key)) ||
			      !is_label_value(intern_str(l->in, s->match.v[i].val));
	for (uint32_t i = 0; i < s->n; i++)
		s->invalid |= !is_valid_expr(l->in, &s->expr[i]);
	return true;
}

static bool load_length(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	if (n->kind != DOC_SEQ)
		return load_wrong_type(l, n, "a list");
	*(uint32_t *)(void *)((char *)rec + f->off) = n->n;
	return true;
}

static const struct field term_fields[] = {
	FIELD_LIST("matchExpressions", expr_schema, struct match_expr, struct node_term, n, expr),
	FIELD("matchFields", load_length, struct node_term, nfields),
};
const struct schema node_term_schema = SCHEMA_OF(term_fields, NULL);
