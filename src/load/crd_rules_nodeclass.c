#include <string.h>

#include "crd_rules.h"

static enum cel truth(bool b)
{
	return b ? CEL_TRUE : CEL_FALSE;
}

/* How many of the fields, a list that ends with NULL, an object has. */
static unsigned count(const struct jval *v, const char *const *fields)
{
	unsigned n = 0;

	for (; *fields; fields++)
		n += jval_has(v, *fields) != NULL;
	return n;
}

#define FIELDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Every item of a list has at least one of the fields. */
static enum cel all_have(const struct jval *list, const char *const *fields)
{
	for (uint32_t i = 0; i < list->items.n; i++)
		if (!count(list->items.v[i], fields))
			return CEL_FALSE;
	return CEL_TRUE;
}

/* Whether an item has the field together with one of the others. */
static bool combined(const struct jval *item, const char *field, const char *const *others)
{
	return jval_has(item, field) && count(item, others);
}

static enum cel none_combined(const struct jval *list, const char *field, const char *const *others)
{
	for (uint32_t i = 0; i < list->items.n; i++)
		if (combined(list->items.v[i], field, others))
			return CEL_FALSE;
	return CEL_TRUE;
}

/* The published rules negate "all", so one clean item is enough, and an empty list fails. */
static enum cel not_all_combined(const struct jval *list, const char *field, const char *const *others)
{
	for (uint32_t i = 0; i < list->items.n; i++)
		if (!combined(list->items.v[i], field, others))
			return CEL_TRUE;
	return CEL_FALSE;
}

CEL_RULE(cel_role_or_profile)
{
	return truth(count(self, FIELDS("role", "instanceProfile")) == 1);
}

/* The text before the first '@', or all of it. */
static struct str alias_family(struct str alias)
{
	const char *at = memchr(alias.p, '@', alias.n);

	return (struct str){alias.p, at ? (size_t)(at - alias.p) : alias.n};
}

static enum cel family(const struct jval *self, const char *alias, const char *name)
{
	const struct jval *set = jval_has(self, "amiFamily"), *terms = jval_has(self, "amiSelectorTerms");

	if (!set || !terms || jval_is_text(set, "Custom") || jval_is_text(set, name))
		return CEL_TRUE;
	for (uint32_t i = 0; i < terms->items.n; i++) {
		const struct jval *v = jval_has(terms->items.v[i], "alias");

		if (v && str_is(alias_family(v->s), alias))
			return CEL_FALSE;
	}
	return CEL_TRUE;
}

CEL_RULE(cel_family_al2)
{
	return family(self, "al2", "AL2");
}

CEL_RULE(cel_family_al2023)
{
	return family(self, "al2023", "AL2023");
}

CEL_RULE(cel_family_bottlerocket)
{
	return family(self, "bottlerocket", "Bottlerocket");
}

CEL_RULE(cel_family_windows2019)
{
	return family(self, "windows2019", "Windows2019");
}

CEL_RULE(cel_family_windows2022)
{
	return family(self, "windows2022", "Windows2022");
}

CEL_RULE(cel_family_windows2025)
{
	return family(self, "windows2025", "Windows2025");
}

static bool any_alias(const struct jval *terms)
{
	for (uint32_t i = 0; terms && i < terms->items.n; i++)
		if (jval_has(terms->items.v[i], "alias"))
			return true;
	return false;
}

CEL_RULE(cel_family_without_alias)
{
	return truth(jval_has(self, "amiFamily") || any_alias(jval_has(self, "amiSelectorTerms")));
}

CEL_RULE(cel_ami_one_of)
{
	return all_have(self, FIELDS("tags", "id", "name", "alias", "ssmParameter"));
}

CEL_RULE(cel_ami_id_alone)
{
	return none_combined(self, "id", FIELDS("alias", "tags", "name", "owner"));
}

CEL_RULE(cel_ami_alias_alone)
{
	return none_combined(self, "alias", FIELDS("id", "tags", "name", "owner"));
}

CEL_RULE(cel_ami_alias_only_term)
{
	return truth(!any_alias(self) || self->items.n == 1);
}

/* ^[a-zA-Z0-9]+@.+$ where . is no newline. */
CEL_RULE(cel_alias_format)
{
	struct str s = self->s, f = alias_family(s);

	if (f.n == 0 || f.n + 1 >= s.n || memchr(s.p, '\n', s.n))
		return CEL_FALSE;
	for (size_t i = 0; i < f.n; i++)
		if (!((f.p[i] >= '0' && f.p[i] <= '9') || (f.p[i] >= 'a' && f.p[i] <= 'z') ||
		      (f.p[i] >= 'A' && f.p[i] <= 'Z')))
			return CEL_FALSE;
	return CEL_TRUE;
}

static bool windows_family(struct str f)
{
	return str_is(f, "windows2019") || str_is(f, "windows2022") || str_is(f, "windows2025");
}

CEL_RULE(cel_alias_family)
{
	struct str f = alias_family(self->s);

	return truth(str_is(f, "al2") || str_is(f, "al2023") || str_is(f, "bottlerocket") ||
		     windows_family(f));
}

CEL_RULE(cel_alias_windows_latest)
{
	struct str f = alias_family(self->s), rest = {self->s.p + f.n, self->s.n - f.n};

	if (!windows_family(f))
		return CEL_TRUE;
	if (rest.n == 0) {
		*ret_error = "index out of bounds: 1";
		return CEL_ERROR;
	}
	rest.p++;
	rest.n--;
	return truth(str_is(alias_family(rest), "latest"));
}

CEL_RULE(cel_tags_not_empty)
{
	for (uint32_t i = 0; i < self->members.n; i++)
		if (self->members.v[i].key.n == 0 || jval_text(self->members.v[i].v).n == 0)
			return CEL_FALSE;
	return CEL_TRUE;
}

CEL_RULE(cel_one_root_volume)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < self->items.n; i++) {
		const struct jval *root = jval_has(self->items.v[i], "rootVolume");

		n += root && root->b;
	}
	return truth(n <= 1);
}

CEL_RULE(cel_ebs_source)
{
	return truth(count(self, FIELDS("snapshotID", "volumeSize")) > 0);
}

CEL_RULE(cel_ebs_initialization)
{
	return cel_or(cel_not(cel_has_int(self, "volumeInitializationRate", ret_error)),
		      truth(jval_text(jval_get(self, "snapshotID")).n > 0));
}

CEL_RULE(cel_reservation_one_of)
{
	return all_have(self, FIELDS("tags", "id", "instanceMatchCriteria"));
}

CEL_RULE(cel_reservation_id_alone)
{
	return not_all_combined(self, "id", FIELDS("tags", "ownerID", "instanceMatchCriteria"));
}

CEL_RULE(cel_tracking_one_of)
{
	return cel_or(cel_or(cel_has_int(self, "tcpEstablishedTimeout", ret_error),
			     cel_has_int(self, "udpStreamTimeout", ret_error)),
		      cel_has_int(self, "udpTimeout", ret_error));
}

CEL_RULE(cel_image_gc_order)
{
	const struct jval *high = jval_has(self, "imageGCHighThresholdPercent");
	const struct jval *low = jval_has(self, "imageGCLowThresholdPercent");
	enum cel both = cel_and(cel_has_int(self, "imageGCHighThresholdPercent", ret_error),
				cel_has_int(self, "imageGCLowThresholdPercent", ret_error));

	return both == CEL_TRUE ? truth(high->i > low->i) : cel_not(both);
}

static enum cel keys_in(const struct jval *self, const char *field, const char *other, const char *error,
			const char **ret_error)
{
	const struct jval *from = jval_has(self, field), *in = jval_has(self, other);

	if (!from || from->members.n == 0)
		return CEL_TRUE;
	if (!in) {
		*ret_error = error;
		return CEL_ERROR;
	}
	for (uint32_t i = 0; i < from->members.n; i++)
		if (!jval_get_str(in, from->members.v[i].key))
			return CEL_FALSE;
	return CEL_TRUE;
}

CEL_RULE(cel_soft_has_grace)
{
	return keys_in(self, "evictionSoft", "evictionSoftGracePeriod",
		       "no such key: evictionSoftGracePeriod", ret_error);
}

CEL_RULE(cel_grace_has_soft)
{
	return keys_in(self, "evictionSoftGracePeriod", "evictionSoft", "no such key: evictionSoft",
		       ret_error);
}

static enum cel only_keys(const struct jval *self, const char *const *allowed)
{
	for (uint32_t i = 0; i < self->members.n; i++) {
		const char *const *k = allowed;

		while (*k && !str_is(self->members.v[i].key, *k))
			k++;
		if (!*k)
			return CEL_FALSE;
	}
	return CEL_TRUE;
}

CEL_RULE(cel_eviction_keys)
{
	return only_keys(self, FIELDS("memory.available", "nodefs.available", "nodefs.inodesFree",
				      "imagefs.available", "imagefs.inodesFree", "pid.available"));
}

CEL_RULE(cel_reserved_keys)
{
	return only_keys(self, FIELDS("cpu", "memory", "ephemeral-storage", "pid"));
}

CEL_RULE(cel_reserved_not_negative)
{
	for (uint32_t i = 0; i < self->members.n; i++)
		if (str_starts(jval_text(self->members.v[i].v), "-"))
			return CEL_FALSE;
	return CEL_TRUE;
}

/* Whether an integer field of x has the value of the same field of y, or 0 when y is NULL. */
static enum cel same(const struct jval *x, const struct jval *y, const char *field, const char **ret_error)
{
	const struct jval *m = jval_get(x, field), *n = jval_get(y, field);
	enum cel known =
		cel_and(cel_has_int(x, field, ret_error), y ? cel_has_int(y, field, ret_error) : CEL_TRUE);

	return known == CEL_ERROR ? known : truth((m ? m->i : 0) == (n ? n->i : 0));
}

static bool is_type(const struct jval *v, const char *type)
{
	return jval_is_text(jval_get(v, "interfaceType"), type);
}

CEL_RULE(cel_interfaces_primary)
{
	enum cel found = truth(self->items.n == 0);

	for (uint32_t i = 0; i < self->items.n; i++) {
		const struct jval *v = self->items.v[i];

		found = cel_or(found, cel_and(cel_and(same(v, NULL, "deviceIndex", ret_error),
						      same(v, NULL, "networkCardIndex", ret_error)),
					      truth(is_type(v, "interface"))));
	}
	return found;
}

/* Whether exactly one interface, itself, answers to a description: the size of a filter that errors end. */
static enum cel only(unsigned matches, bool error)
{
	return error ? CEL_ERROR : truth(matches == 1);
}

static enum cel distinct(const struct jval *list, const struct jval *x, const char **ret_error)
{
	unsigned places = 0, efas = 0;
	bool place_error = false, efa_error = false;

	for (uint32_t i = 0; i < list->items.n; i++) {
		const struct jval *y = list->items.v[i];
		enum cel card = same(x, y, "networkCardIndex", ret_error);
		enum cel place = cel_and(card, same(x, y, "deviceIndex", ret_error));
		enum cel efa = cel_and(card, truth(is_type(y, "efa-only")));

		places += place == CEL_TRUE;
		place_error = place_error || place == CEL_ERROR;
		efas += efa == CEL_TRUE;
		efa_error = efa_error || efa == CEL_ERROR;
	}
	return cel_and(only(places, place_error),
		       cel_or(truth(!is_type(x, "efa-only")), only(efas, efa_error)));
}

CEL_RULE(cel_interfaces_distinct)
{
	enum cel all = CEL_TRUE;

	for (uint32_t i = 0; i < self->items.n; i++)
		all = cel_and(all, distinct(self, self->items.v[i], ret_error));
	return all;
}

CEL_RULE(cel_placement_one_of)
{
	return truth(count(self, FIELDS("name", "id")) > 0);
}

CEL_RULE(cel_placement_not_both)
{
	return truth(count(self, FIELDS("name", "id")) < 2);
}

CEL_RULE(cel_list_not_empty)
{
	return truth(self->items.n != 0);
}

CEL_RULE(cel_group_one_of)
{
	return all_have(self, FIELDS("tags", "id", "name"));
}

CEL_RULE(cel_group_id_alone)
{
	return not_all_combined(self, "id", FIELDS("tags", "name"));
}

CEL_RULE(cel_group_name_alone)
{
	return not_all_combined(self, "name", FIELDS("tags", "id"));
}

CEL_RULE(cel_subnet_one_of)
{
	return all_have(self, FIELDS("tags", "id"));
}

CEL_RULE(cel_subnet_id_alone)
{
	return not_all_combined(self, "id", FIELDS("tags"));
}

CEL_RULE(cel_tag_keys_not_empty)
{
	return truth(!jval_get(self, ""));
}

CEL_RULE(cel_tag_not_cluster_name)
{
	return truth(!jval_get(self, "eks:eks-cluster-name"));
}

CEL_RULE(cel_tag_not_cluster)
{
	for (uint32_t i = 0; i < self->members.n; i++)
		if (str_starts(self->members.v[i].key, "kubernetes.io/cluster"))
			return CEL_FALSE;
	return CEL_TRUE;
}

CEL_RULE(cel_tag_not_nodepool)
{
	return truth(!jval_get(self, "karpenter.sh/nodepool"));
}

CEL_RULE(cel_tag_not_nodeclaim)
{
	return truth(!jval_get(self, "karpenter.sh/nodeclaim"));
}

CEL_RULE(cel_tag_not_nodeclass)
{
	return truth(!jval_get(self, "karpenter.k8s.aws/ec2nodeclass"));
}
