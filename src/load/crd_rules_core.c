#include <stdlib.h>
#include <string.h>

#include "crd_rules.h"
#include "crd_runtime.h"

static enum cel truth(bool b)
{
	return b ? CEL_TRUE : CEL_FALSE;
}

enum cel cel_has_int(const struct jval *v, const char *field, const char **ret_error)
{
	const struct jval *m = jval_has(v, field);

	if (m && m->decimal) {
		*ret_error = "invalid data, expected int, got float64";
		return CEL_ERROR;
	}
	return truth(m != NULL);
}

CEL_RULE(cel_not_empty)
{
	return truth(self->s.n > 0);
}

/* An all() over a list: false as soon as one item is, whatever errors others gave. */
static enum cel all_items(const struct jval *list, enum cel (*check)(const struct jval *, const char **),
			  const char **ret_error)
{
	enum cel result = CEL_TRUE;

	for (uint32_t i = 0; i < list->items.n; i++) {
		const char *error = NULL;
		enum cel r = check(list->items.v[i], &error);

		if (r == CEL_FALSE)
			return CEL_FALSE;
		if (r == CEL_ERROR && result != CEL_ERROR) {
			result = CEL_ERROR;
			*ret_error = error;
		}
	}
	return result;
}

static enum cel values_given(const struct jval *req, const char *op, const char **ret_error)
{
	const struct jval *values = jval_has(req, "values");

	if (!jval_is_text(jval_get(req, "operator"), op))
		return CEL_TRUE;
	if (!values) {
		*ret_error = "no such key: values";
		return CEL_ERROR;
	}
	return truth(values->items.n != 0);
}

static enum cel in_values(const struct jval *req, const char **ret_error)
{
	return values_given(req, "In", ret_error);
}

CEL_RULE(cel_in_has_values)
{
	return all_items(self, in_values, ret_error);
}

static enum cel not_in_values(const struct jval *req, const char **ret_error)
{
	return values_given(req, "NotIn", ret_error);
}

CEL_RULE(cel_not_in_has_values)
{
	return all_items(self, not_in_values, ret_error);
}

/* CEL's int(string): an optional sign and decimal digits within int64. */
static bool cel_int(struct str s, bool *ret_negative)
{
	size_t i = s.n > 0 && (s.p[0] == '+' || s.p[0] == '-');
	bool minus = i && s.p[0] == '-', zero = true;
	uint64_t v = 0;

	if (i == s.n)
		return false;
	for (; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
		uint64_t digit = (uint64_t)(s.p[i] - '0');

		if (v > ((uint64_t)INT64_MAX + (minus ? 1 : 0) - digit) / 10)
			return false;
		v = v * 10 + digit;
		zero = zero && !digit;
	}
	*ret_negative = minus && !zero;
	return true;
}

static enum cel bound(const struct jval *req, const char **ret_error)
{
	const struct jval *op = jval_get(req, "operator"), *values = jval_has(req, "values");
	bool negative;

	if (!jval_is_text(op, "Gt") && !jval_is_text(op, "Lt") && !jval_is_text(op, "Gte") &&
	    !jval_is_text(op, "Lte"))
		return CEL_TRUE;
	if (!values) {
		*ret_error = "no such key: values";
		return CEL_ERROR;
	}
	if (values->items.n != 1)
		return CEL_FALSE;
	if (!cel_int(jval_text(values->items.v[0]), &negative)) {
		*ret_error = "type conversion error from 'string' to 'int'";
		return CEL_ERROR;
	}
	return truth(!negative);
}

CEL_RULE(cel_bound_is_one_integer)
{
	return all_items(self, bound, ret_error);
}

static enum cel min_values(const struct jval *req, const char **ret_error)
{
	const struct jval *min = jval_has(req, "minValues"), *values = jval_has(req, "values");
	enum cel given;

	if (!jval_is_text(jval_get(req, "operator"), "In"))
		return CEL_TRUE;
	given = cel_has_int(req, "minValues", ret_error);
	if (given != CEL_TRUE)
		return cel_not(given);
	if (!values) {
		*ret_error = "no such key: values";
		return CEL_ERROR;
	}
	return truth((int64_t)values->items.n >= min->i);
}

CEL_RULE(cel_min_values_fit)
{
	return all_items(self, min_values, ret_error);
}

/* Well known to the provider, and not let pass by the CRD of NodeOverlays. */
static const char *const not_overlay[] = {
	"karpenter.k8s.aws/capacity-reservation-id",   "karpenter.k8s.aws/capacity-reservation-interruptible",
	"karpenter.k8s.aws/capacity-reservation-type", "karpenter.k8s.aws/instance-tenancy",
	"karpenter.k8s.aws/placement-group-id",        "karpenter.k8s.aws/placement-group-partition",
};

/* The text before the first slash, or all of it: what find("^([^/]+)") gives. */
static struct str domain(struct str key)
{
	const char *slash = memchr(key.p, '/', key.n);

	return (struct str){key.p, slash ? (size_t)(slash - key.p) : key.n};
}

static bool core_allows(struct str key)
{
	return str_is(key, "karpenter.sh/capacity-type") || str_is(key, "karpenter.sh/nodepool") ||
	       !str_ends(domain(key), "karpenter.sh");
}

static bool among(struct str key, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_is(key, list[i]))
			return true;
	return false;
}

/* The CRDs let pass what the provider knows, and one key that it then refuses by itself. */
static bool aws_allows(struct str key, bool overlay)
{
	if (!str_ends(domain(key), "karpenter.k8s.aws") || str_is(key, "karpenter.k8s.aws/ec2nodeclass"))
		return true;
	return among(key, check_labels_aws.known, check_labels_aws.nknown) &&
	       !(overlay && among(key, not_overlay, sizeof(not_overlay) / sizeof(not_overlay[0])));
}

CEL_RULE(cel_key_domain_core)
{
	return truth(core_allows(self->s));
}

CEL_RULE(cel_key_domain_aws)
{
	return truth(aws_allows(self->s, false));
}

CEL_RULE(cel_key_domain_aws_overlay)
{
	return truth(aws_allows(self->s, true));
}

CEL_RULE(cel_key_not_nodepool)
{
	return truth(!str_is(self->s, "karpenter.sh/nodepool"));
}

CEL_RULE(cel_key_not_hostname)
{
	return truth(!str_is(self->s, "kubernetes.io/hostname"));
}

CEL_RULE(cel_labels_domain_core)
{
	for (uint32_t i = 0; i < self->members.n; i++)
		if (!core_allows(self->members.v[i].key))
			return CEL_FALSE;
	return CEL_TRUE;
}

CEL_RULE(cel_labels_domain_aws)
{
	for (uint32_t i = 0; i < self->members.n; i++)
		if (!aws_allows(self->members.v[i].key, false))
			return CEL_FALSE;
	return CEL_TRUE;
}

CEL_RULE(cel_labels_not_nodepool)
{
	return truth(!jval_get(self, "karpenter.sh/nodepool"));
}

CEL_RULE(cel_labels_not_hostname)
{
	return truth(!jval_get(self, "kubernetes.io/hostname"));
}

CEL_RULE(cel_static_limits)
{
	const struct jval *limits = jval_has(self, "limits");

	return cel_or(cel_not(cel_has_int(self, "replicas", ret_error)),
		      truth(!limits || limits->members.n == 0 ||
			    (limits->members.n == 1 && jval_get(limits, "nodes"))));
}

CEL_RULE(cel_static_weight)
{
	return cel_or(cel_not(cel_has_int(self, "replicas", ret_error)),
		      cel_not(cel_has_int(self, "weight", ret_error)));
}

CEL_RULE(cel_schedule_with_duration)
{
	for (uint32_t i = 0; i < self->items.n; i++) {
		const struct jval *b = self->items.v[i];

		if (!jval_has(b, "schedule") != !jval_has(b, "duration"))
			return CEL_FALSE;
	}
	return CEL_TRUE;
}

CEL_RULE(cel_one_price)
{
	return truth(!jval_has(self, "price") || !jval_has(self, "priceAdjustment"));
}

CEL_RULE(cel_overlay_capacity)
{
	return truth(!jval_get(self, "cpu") && !jval_get(self, "memory") &&
		     !jval_get(self, "ephemeral-storage") && !jval_get(self, "pods"));
}

CEL_RULE(cel_buffer_size)
{
	return cel_or(
		cel_or(truth(!jval_has(self, "podTemplateRef")), cel_has_int(self, "replicas", ret_error)),
		truth(jval_has(self, "limits")));
}

CEL_RULE(cel_buffer_target)
{
	return truth(!jval_has(self, "podTemplateRef") || !jval_has(self, "scalableRef"));
}
