#include "drift.h"

static sid annotation(const struct object_meta *m, sid key)
{
	return labels_get(&m->annotations, key);
}

static bool class_changed(const struct ec2_node_class *nc, const struct node_claim *claim)
{
	sid have = annotation(&claim->meta, ANN_NODECLASS_HASH),
	    want = annotation(&nc->meta, ANN_NODECLASS_HASH);
	sid have_version = annotation(&claim->meta, ANN_NODECLASS_HASH_VERSION);
	sid want_version = annotation(&nc->meta, ANN_NODECLASS_HASH_VERSION);

	return have != SID_NONE && want != SID_NONE && have_version != SID_NONE &&
	       have_version == want_version && have != want;
}

/* The zone of aws:///ZONE/INSTANCE, else that of the label. */
static sid zone_of(struct intern *in, const struct node_claim *claim)
{
	struct str id = intern_str(in, claim->provider_id);
	static const char prefix[] = "aws:///";
	size_t n = sizeof(prefix) - 1;

	if (str_starts(id, prefix)) {
		const char *end = memchr(id.p + n, '/', id.n - n);

		if (end)
			return intern_put(in, (struct str){id.p + n, (size_t)(end - id.p) - n});
	}
	return labels_get(&claim->meta.labels, LBL_ZONE);
}

static bool subnet_gone(struct intern *in, const struct ec2_node_class *nc, const struct node_claim *claim)
{
	sid zone = zone_of(in, claim);

	for (uint32_t i = 0; i < nc->nsubnet; i++)
		if (nc->subnet[i].zone == zone)
			return false;
	return true;
}

static bool reservation_gone(const struct ec2_node_class *nc, const struct node_claim *claim)
{
	sid id = labels_get(&claim->meta.labels, LBL_CR_ID);

	if (id == SID_NONE || id == SID_EMPTY)
		return false;
	for (uint32_t i = 0; i < nc->nreservation; i++)
		if (nc->reservation[i].id == id)
			return false;
	return true;
}

sid ec2_drift(struct cluster *c, const struct ec2_node_class *nc, const struct itype_list *types,
	      const struct node_claim *claim)
{
	const struct itype *t = itype_find(types, labels_get(&claim->meta.labels, LBL_INSTANCE_TYPE));

	if (class_changed(nc, claim))
		return intern_cstr(c->in, "NodeClassDrift");
	if (!t || !nc->nami || claim->image_id == SID_NONE || claim->image_id == SID_EMPTY)
		return SID_NONE;
	if (ec2_image_of(c->rp, nc, ec2_image_requirements(c->arena, c->rp, nc), t) != claim->image_id)
		return intern_cstr(c->in, "AMIDrift");
	if (!nc->nsubnet || !nc->nsecurity_group)
		return SID_NONE;
	if (subnet_gone(c->in, nc, claim))
		return intern_cstr(c->in, "SubnetDrift");
	if (reservation_gone(nc, claim))
		return intern_cstr(c->in, "CapacityReservationDrift");
	return SID_EMPTY;
}
