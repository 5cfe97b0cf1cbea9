#include "verify_impl.h"

/* Pods that Karpenter would not plan for if they waited (karpenter-core A2.5-A2.7); it asks so of no other.
 */

static bool excludes_karpenter(const struct cluster *c, const struct node_term *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (t->expr[i].key == LBL_NODEPOOL &&
		    str_is(intern_str(c->in, t->expr[i].op), "DoesNotExist"))
			return true;
	return false;
}

/* Keys that pods may not ask for, unless Karpenter knows them well. */
static bool restricted_key(const struct cluster *c, sid key)
{
	struct str s = intern_str(c->in, key);
	const char *slash = memchr(s.p, '/', s.n);
	static const char *const domains[] = {"karpenter.sh", "karpenter.k8s.aws"};

	if (key == LBL_HOSTNAME)
		return true;
	if (!slash || req_key_well_known(c->rp, req_key(c->rp, key)))
		return false;
	for (size_t i = 0; i < (cluster_generic(c) ? 1 : 2); i++) {
		size_t n = strlen(domains[i]), have = (size_t)(slash - s.p);

		if (have >= n && memcmp(slash - n, domains[i], n) == 0 &&
		    (have == n || slash[-(long)n - 1] == '.'))
			return true;
	}
	return false;
}

static bool wrong_expr(const struct cluster *c, const struct match_expr *e)
{
	static const char *const ops[] = {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Gte", "Lte"};
	struct str op = intern_str(c->in, e->op);
	bool known = false;

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		known = known || str_is(op, ops[i]);
	return !known || restricted_key(c, e->key) || (str_is(op, "In") && !e->n);
}

static bool wrong_terms(const struct cluster *c, const struct pod_spec *spec)
{
	for (uint32_t i = 0; i < spec->node_selector.n; i++)
		if (restricted_key(c, spec->node_selector.v[i].key))
			return true;
	for (uint32_t i = 0; i < spec->nrequired; i++) {
		if (spec->required[i].nfields || (i == 0 && excludes_karpenter(c, &spec->required[i])))
			return true;
		for (uint32_t k = 0; k < spec->required[i].n; k++)
			if (wrong_expr(c, &spec->required[i].expr[k]))
				return true;
	}
	for (uint32_t i = 0; i < spec->npreferred; i++)
		if (excludes_karpenter(c, &spec->preferred[i].term))
			return true;
	return false;
}

static const struct pvc *claim_of(const struct cluster *c, const struct pod *p, const struct pod_volume *v,
				  struct arena *a)
{
	const char *name;
	sid id;

	if (!v->ephemeral)
		return cluster_pvc(c, p->meta.ns, v->claim);
	name = arena_printf(a, "%s-%s", intern_c(c->in, p->meta.name), intern_c(c->in, v->name));
	id = intern_find(c->in, str_of(name));
	return id == SID_NONE ? NULL : cluster_pvc(c, p->meta.ns, id);
}

static bool wrong_claim(const struct cluster *c, const struct pvc *claim)
{
	const struct storage_class *class;
	const struct pv *pv;
	sid bound = intern_find(c->in, str_of("pv.kubernetes.io/bind-completed"));

	if (!claim || claim->meta.deleted != TIME_NONE || claim->lost)
		return true;
	if (claim->volume_name != SID_EMPTY) {
		pv = cluster_pv(c, claim->volume_name);
		return !pv || pv->meta.deleted != TIME_NONE || bound == SID_NONE ||
		       labels_get(&claim->meta.annotations, bound) == SID_NONE;
	}
	if (claim->storage_class == SID_NONE || claim->storage_class == SID_EMPTY)
		return true;
	class = cluster_storage_class(c, claim->storage_class);
	return !class || (class->binding_mode != SID_NONE &&
			  str_is(intern_str(c->in, class->binding_mode), "Immediate"));
}

bool refused(const struct scene *s, const struct pod *p)
{
	if (wrong_terms(s->c, p->spec))
		return true;
	for (uint32_t i = 0; i < p->spec->nvolume; i++) {
		const struct pod_volume *v = &p->spec->volume[i];

		if ((v->ephemeral || v->claim != SID_NONE) && wrong_claim(s->c, claim_of(s->c, p, v, s->a)))
			return true;
	}
	return false;
}
