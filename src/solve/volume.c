#include "volume.h"

#include <stdio.h>

static const char bind_completed[] = "pv.kubernetes.io/bind-completed";

/* In-tree provisioners that Kubernetes translates to CSI drivers. */
static const struct {
	const char *in_tree, *csi;
} translations[] = {
	{"kubernetes.io/aws-ebs", "ebs.csi.aws.com"},
	{"kubernetes.io/gce-pd", "pd.csi.storage.gke.io"},
	{"kubernetes.io/azure-disk", "disk.csi.azure.com"},
	{"kubernetes.io/azure-file", "file.csi.azure.com"},
	{"kubernetes.io/cinder", "cinder.csi.openstack.org"},
	{"kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com"},
	{"kubernetes.io/portworx-volume", "pxd.portworx.com"},
	{"kubernetes.io/rbd", "rbd.csi.ceph.com"},
};

/* The claim name of a volume; SID_NONE when it has none. */
static sid claim_name(struct intern *in, const struct object_meta *pod, const struct pod_volume *v)
{
	char text[600];
	int n;

	if (!v->ephemeral)
		return v->claim;
	n = snprintf(text, sizeof(text), "%s-%s", intern_c(in, pod->name), intern_c(in, v->name));
	if (n < 0 || (size_t)n >= sizeof(text))
		return SID_NONE;
	return intern_put(in, (struct str){text, (size_t)n});
}

/* The CSI driver behind a claim; SID_NONE: none is known. false: its volume cannot be read. */
static bool driver_of(struct intern *in, const struct cluster *c, const struct pvc *claim, sid *ret_driver)
{
	const struct storage_class *class;

	*ret_driver = SID_NONE;
	if (claim->volume_name != SID_EMPTY) {
		const struct pv *pv = cluster_pv(c, claim->volume_name);

		if (!pv)
			return false;
		if (pv->csi_driver != SID_NONE)
			*ret_driver = pv->csi_driver;
		else if (pv->aws_ebs)
			*ret_driver = intern_cstr(in, "ebs.csi.aws.com");
		return true;
	}
	if (claim->storage_class == SID_NONE || claim->storage_class == SID_EMPTY)
		return true;
	class = cluster_storage_class(c, claim->storage_class);
	if (!class)
		return true;
	*ret_driver = class->provisioner;
	for (size_t i = 0; i < sizeof(translations) / sizeof(translations[0]); i++)
		if (str_is(intern_str(in, class->provisioner), translations[i].in_tree))
			*ret_driver = intern_cstr(in, translations[i].csi);
	return true;
}

struct alternatives {
	VEC(rsetid) v;
	bool any; /* something constrains at all */
};

static rsetid term_without_host(struct reqpool *p, const struct node_term *term, bool *ret_only_host)
{
	rsetid s = RSET_EMPTY;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < term->n; i++) {
		struct node_term one = {1, &term->expr[i], 0};

		if (term->expr[i].key == LBL_HOSTNAME)
			continue;
		kept++;
		s = rset_intersect(p, s, reqs_of_term(p, &one));
	}
	*ret_only_host = term->n > 0 && kept == 0;
	return s;
}

/* The alternatives of one volume; none means that it does not constrain (A14.1). false: an object is missing.
 */
static bool volume_alternatives(struct class_table *t, const struct pvc *claim, struct alternatives *out)
{
	const struct cluster *c = t->cluster;
	struct reqpool *p = c->rp;

	if (claim->volume_name != SID_EMPTY) {
		const struct pv *pv = cluster_pv(c, claim->volume_name);

		if (!pv)
			return false;
		for (uint32_t i = 0; i < pv->nterm; i++) {
			bool only_host = false;

			if (pv->local) {
				rsetid s = term_without_host(p, &pv->term[i], &only_host);

				if (only_host || s != RSET_EMPTY)
					VEC_PUSH(t->arena, &out->v, s);
			} else if (pv->term[i].n) {
				VEC_PUSH(t->arena, &out->v, reqs_of_term(p, &pv->term[i]));
			}
		}
		return true;
	}
	if (claim->storage_class == SID_NONE || claim->storage_class == SID_EMPTY)
		return true;
	const struct storage_class *class = cluster_storage_class(c, claim->storage_class);

	if (!class)
		return false;
	for (uint32_t i = 0; i < class->nterm; i++)
		if (class->term[i].n)
			VEC_PUSH(t->arena, &out->v, reqs_of_term(p, &class->term[i]));
	return true;
}

/* The cross product of what is there with one more volume's alternatives (A14.2). */
static void combine(struct class_table *t, struct alternatives *all, const struct alternatives *more)
{
	struct reqpool *p = t->cluster->rp;
	struct alternatives out = {.any = true};

	if (!all->any) {
		*all = *more;
		all->any = true;
		return;
	}
	for (int strict = 1; strict >= 0 && !out.v.n; strict--)
		for (uint32_t i = 0; i < all->v.n; i++)
			for (uint32_t j = 0; j < more->v.n; j++)
				if (!strict || rset_intersects(p, all->v.v[i], more->v.v[j]))
					VEC_PUSH(t->arena, &out.v,
						 rset_intersect(p, all->v.v[i], more->v.v[j]));
	*all = out;
}

static void add_use(struct class_table *t, struct pod_volumes *pv, const struct object_meta *pod, sid claim,
		    const struct pvc *pvc)
{
	struct intern *in = t->cluster->in;
	sid driver;

	if (!driver_of(in, t->cluster, pvc, &driver)) {
		pv->usage_error = true;
	} else if (driver != SID_NONE) {
		const char *key = arena_printf(t->arena, "%s/%s", intern_c(in, pod->ns), intern_c(in, claim));

		VEC_PUSH(t->arena, &pv->use.v, ((struct attachment){driver, intern_cstr(in, key)}));
	}
}

const struct pod_volumes *volumes_of(struct class_table *t, const struct object_meta *pod,
				     const struct pod_spec *spec)
{
	struct alternatives all = {.any = false};
	struct pod_volumes *out = NULL;

	for (uint32_t i = 0; i < spec->nvolume; i++) {
		sid claim = claim_name(t->cluster->in, pod, &spec->volume[i]);
		struct alternatives one = {.any = false};
		const struct pvc *pvc;

		if (claim == SID_NONE)
			continue;
		if (!out)
			out = ARENA_NEW(t->arena, struct pod_volumes);
		pvc = cluster_pvc(t->cluster, pod->ns, claim);
		if (!pvc || !volume_alternatives(t, pvc, &one))
			out->topology_error = true;
		if (one.v.n)
			combine(t, &all, &one);
		if (pvc)
			add_use(t, out, pod, claim, pvc);
	}
	if (out && !out->topology_error && all.any) {
		out->nalternative = all.v.n;
		out->alternative = ARENA_ARRAY(t->arena, struct hreqs, all.v.n);
		for (uint32_t i = 0; i < all.v.n; i++)
			out->alternative[i] = hreqs_split(t, all.v.v[i]);
	}
	return out;
}

/* Checks of a claim that has a volume; NULL when all is well. */
static const char *bound_invalid(const struct cluster *c, struct arena *a, const struct pvc *pvc,
				 const char *claim, const char *class)
{
	const struct pv *pv = cluster_pv(c, pvc->volume_name);
	const char *volume = intern_c(c->in, pvc->volume_name);
	sid key = intern_find(c->in, str_of(bind_completed));

	if (!pv)
		return arena_printf(
			a,
			"failed to validate pvc, persistentvolumes \"%s\" not found (PersistentVolume=%s, "
			"PersistentVolumeClaim=%s, StorageClass=%s)",
			volume, volume, claim, class);
	if (pv->meta.deleted != TIME_NONE)
		return arena_printf(
			a,
			"failed to validate pvc, persistentvolume is being deleted (PersistentVolume=%s, "
			"PersistentVolumeClaim=%s, StorageClass=%s)",
			volume, claim, class);
	if (key == SID_NONE || labels_get(&pvc->meta.annotations, key) == SID_NONE)
		return arena_printf(a,
				    "pvc is considered unbound because it does not contain annotation "
				    "(PersistentVolume=%s, PersistentVolumeClaim=%s, annotation=%s)",
				    volume, intern_c(c->in, pvc->meta.name), bind_completed);
	return NULL;
}

static const char *unbound_invalid(const struct cluster *c, struct arena *a, const struct pvc *pvc,
				   const char *claim, const char *class)
{
	const struct storage_class *sc;

	if (!*class)
		return arena_printf(
			a,
			"unbound pvc must define a storage class (PersistentVolumeClaim=%s, StorageClass=)",
			claim);
	sc = cluster_storage_class(c, pvc->storage_class);
	if (!sc)
		return arena_printf(
			a,
			"failed to validate pvc, failed to get storage class, "
			"storageclasses.storage.k8s.io \"%s\" not found (PersistentVolumeClaim=%s, "
			"StorageClass=%s)",
			class, claim, class);
	if (sc->binding_mode != SID_NONE && str_is(intern_str(c->in, sc->binding_mode), "Immediate"))
		return arena_printf(
			a,
			"failed to validate pvc, pvc with immediate volume binding mode must be bound "
			"(PersistentVolumeClaim=%s, StorageClass=%s)",
			claim, class);
	return NULL;
}

const char *volumes_invalid(const struct cluster *c, struct arena *a, const struct object_meta *pod,
			    const struct pod_spec *spec)
{
	for (uint32_t i = 0; i < spec->nvolume; i++) {
		sid name = claim_name(c->in, pod, &spec->volume[i]);
		const struct pvc *pvc;
		const char *claim, *class, *why;

		if (name == SID_NONE)
			continue;
		pvc = cluster_pvc(c, pod->ns, name);
		claim = arena_printf(a, "%s/%s", intern_c(c->in, pod->ns), intern_c(c->in, name));
		if (!pvc)
			return arena_printf(
				a,
				"getting persistent volume claim, persistentvolumeclaims \"%s\" not found "
				"(PersistentVolumeClaim=%s)",
				intern_c(c->in, name), intern_c(c->in, name));
		if (pvc->meta.deleted != TIME_NONE)
			return arena_printf(
				a, "persistentvolumeclaim is being deleted (PersistentVolumeClaim=%s)",
				claim);
		if (pvc->lost)
			return arena_printf(a,
					    "persistentvolumeclaim bound to non-existent persistentvolume "
					    "(PersistentVolume=%s, PersistentVolumeClaim=%s)",
					    intern_c(c->in, pvc->volume_name), claim);
		class = intern_c(c->in, pvc->storage_class);
		why = pvc->volume_name != SID_EMPTY ? bound_invalid(c, a, pvc, claim, class)
						    : unbound_invalid(c, a, pvc, claim, class);
		if (why)
			return why;
	}
	return NULL;
}

static bool has_attachment(const struct attachments *s, const struct attachment *x)
{
	for (uint32_t i = 0; i < s->v.n; i++)
		if (s->v.v[i].driver == x->driver && s->v.v[i].claim == x->claim)
			return true;
	return false;
}

const struct csi_driver_limit *attachments_exceed(const struct attachments *there,
						  const struct attachments *more,
						  const struct csi_limits *limits)
{
	for (uint32_t l = 0; l < limits->n; l++) {
		int64_t n = 0;

		if (limits->v[l].count < 0)
			continue;
		for (uint32_t i = 0; i < there->v.n; i++)
			n += there->v.v[i].driver == limits->v[l].driver;
		for (uint32_t i = 0; i < more->v.n; i++) {
			struct attachments before = {{more->v.v, i, i}};

			n += more->v.v[i].driver == limits->v[l].driver &&
			     !has_attachment(there, &more->v.v[i]) && !has_attachment(&before, &more->v.v[i]);
		}
		if (n > limits->v[l].count)
			return &limits->v[l];
	}
	return NULL;
}

void attachments_add(struct arena *a, struct attachments *there, const struct attachments *more)
{
	for (uint32_t i = 0; i < more->v.n; i++)
		if (!has_attachment(there, &more->v.v[i]))
			VEC_PUSH(a, &there->v, more->v.v[i]);
}
