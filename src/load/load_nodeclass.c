#include "loader.h"
#include "scalar.h"

static const struct field ami_term_fields[] = {
	FIELD("alias", load_string, struct ami_term, alias),
	FIELD_KNOWN("id"),
	FIELD_KNOWN("name"),
	FIELD_KNOWN("owner"),
	FIELD_KNOWN("ssmParameter"),
	FIELD_KNOWN("tags"),
};

static void ami_term_init(void *rec)
{
	((struct ami_term *)rec)->alias = SID_NONE;
}

static const struct schema ami_term_schema = SCHEMA_OF(ami_term_fields, ami_term_init);

static const struct field ebs_fields[] = {
	FIELD("volumeSize", load_quantity, struct nc_block_device, size),
	FIELD_KNOWN("deleteOnTermination"),
	FIELD_KNOWN("encrypted"),
	FIELD_KNOWN("iops"),
	FIELD_KNOWN("kmsKeyID"),
	FIELD_KNOWN("snapshotID"),
	FIELD_KNOWN("throughput"),
	FIELD_KNOWN("volumeInitializationRate"),
	FIELD_KNOWN("volumeType"),
};
static const struct schema ebs_schema = SCHEMA_OF(ebs_fields, NULL);

static bool load_ebs(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	struct nc_block_device *d = rec;

	d->has_ebs = true;
	d->has_size = !doc_is_null(doc_get(n, "volumeSize"));
	return schema_decode(l, f->sub, n, rec);
}

static const struct field device_fields[] = {
	FIELD("deviceName", load_string, struct nc_block_device, device_name),
	FIELD("rootVolume", load_bool, struct nc_block_device, root_volume),
	{FIELD_NAME("ebs"), .decode = load_ebs, .sub = &ebs_schema},
};

static void device_init(void *rec)
{
	((struct nc_block_device *)rec)->device_name = SID_NONE;
}

static const struct schema device_schema = SCHEMA_OF(device_fields, device_init);

static const char *const interface_types[] = {"interface", "efa-only", NULL};

static const struct field interface_fields[] = {
	FIELD("networkCardIndex", load_int32, struct nc_interface, card),
	FIELD("deviceIndex", load_int32, struct nc_interface, device),
	FIELD_CHOICE("interfaceType", interface_types, struct nc_interface, efa_only),
};
static const struct schema interface_schema = SCHEMA_OF(interface_fields, NULL);

static const struct field kubelet_fields[] = {
	FIELD("maxPods", load_int32, struct nc_kubelet, max_pods),
	FIELD("podsPerCore", load_int32, struct nc_kubelet, pods_per_core),
	FIELD("systemReserved", load_reslist, struct nc_kubelet, system_reserved),
	FIELD("kubeReserved", load_reslist, struct nc_kubelet, kube_reserved),
	FIELD("evictionHard", load_strmap, struct nc_kubelet, eviction_hard),
	FIELD("evictionSoft", load_strmap, struct nc_kubelet, eviction_soft),
	FIELD_KNOWN("clusterDNS"),
	FIELD_KNOWN("cpuCFSQuota"),
	FIELD_KNOWN("evictionMaxPodGracePeriod"),
	FIELD_KNOWN("evictionSoftGracePeriod"),
	FIELD_KNOWN("imageGCHighThresholdPercent"),
	FIELD_KNOWN("imageGCLowThresholdPercent"),
};
const struct schema kubelet_schema = SCHEMA_OF(kubelet_fields, NULL);

static const char *const switches[] = {"disabled", "enabled", NULL};
static const char *const store_policies[] = {"", "RAID0", NULL};

static const struct field cpu_options_fields[] = {
	FIELD_CHOICE("nestedVirtualization", switches, struct ec2_node_class, nested_virtualization),
};
static const struct schema cpu_options_schema = SCHEMA_OF(cpu_options_fields, NULL);

static const struct field placement_fields[] = {
	FIELD("name", load_string, struct class_record, pg_name),
	FIELD("id", load_string, struct class_record, pg_id),
};
static const struct schema placement_schema = SCHEMA_OF(placement_fields, NULL);

static bool load_kubelet(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	struct nc_kubelet *k = &((struct ec2_node_class *)rec)->kubelet;

	k->present = true;
	return schema_decode(l, f->sub, n, k);
}

static const struct field class_spec_fields[] = {
	FIELD("amiFamily", load_string, struct ec2_node_class, ami_family),
	FIELD_LIST("amiSelectorTerms", ami_term_schema, struct ami_term, struct class_record, nterm, term),
	FIELD("instanceProfile", load_string, struct ec2_node_class, instance_profile),
	FIELD("role", load_string, struct ec2_node_class, role),
	FIELD("context", load_string, struct ec2_node_class, context),
	FIELD("tags", load_strmap, struct ec2_node_class, tags),
	FIELD_CHOICE("instanceStorePolicy", store_policies, struct ec2_node_class, raid0),
	FIELD_LIST("blockDeviceMappings", device_schema, struct nc_block_device, struct ec2_node_class,
		   ndevice, device),
	FIELD_LIST("networkInterfaces", interface_schema, struct nc_interface, struct ec2_node_class,
		   ninterface, interface),
	{FIELD_NAME("kubelet"), .decode = load_kubelet, .sub = &kubelet_schema},
	FIELD_IN("cpuOptions", cpu_options_schema),
	FIELD("connectionTracking", load_present, struct ec2_node_class, connection_tracking),
	FIELD_IN("placementGroupSelector", placement_schema),
	FIELD_KNOWN("associatePublicIPAddress"),
	FIELD_KNOWN("capacityReservationSelectorTerms"),
	FIELD_KNOWN("detailedMonitoring"),
	FIELD_KNOWN("ipPrefixCount"),
	FIELD_KNOWN("metadataOptions"),
	FIELD_KNOWN("securityGroupSelectorTerms"),
	FIELD_KNOWN("subnetSelectorTerms"),
	FIELD_KNOWN("userData"),
};
static const struct schema class_spec_schema = SCHEMA_OF(class_spec_fields, NULL);

static const struct field subnet_fields[] = {
	FIELD("id", load_string, struct nc_subnet, id),
	FIELD("zone", load_string, struct nc_subnet, zone),
	FIELD("zoneID", load_string, struct nc_subnet, zone_id),
};
static const struct schema subnet_schema = SCHEMA_OF(subnet_fields, NULL);

static const struct field ami_fields[] = {
	FIELD("id", load_string, struct nc_ami, id),
	FIELD("name", load_string, struct nc_ami, name),
	FIELD_LIST("requirements", requirement_schema, struct api_requirement, struct nc_ami, nreq, req),
	FIELD_KNOWN("deprecated"),
};
static const struct schema ami_schema = SCHEMA_OF(ami_fields, NULL);

static const struct field reservation_fields[] = {
	FIELD("id", load_string, struct nc_reservation, id),
	FIELD("instanceType", load_string, struct nc_reservation, instance_type),
	FIELD("availabilityZone", load_string, struct nc_reservation, zone),
	FIELD("ownerID", load_string, struct nc_reservation, owner),
	FIELD("instanceMatchCriteria", load_string, struct nc_reservation, match_criteria),
	FIELD("state", load_string, struct nc_reservation, state),
	FIELD("reservationType", load_string, struct nc_reservation, type),
	FIELD("interruptible", load_bool, struct nc_reservation, interruptible),
	FIELD("endTime", load_time, struct nc_reservation, end_time),
};

static void reservation_init(void *rec)
{
	struct nc_reservation *r = rec;

	r->type = STR_DEFAULT;
	r->state = SID_NONE;
	r->end_time = TIME_NONE;
}

static const struct schema reservation_schema = SCHEMA_OF(reservation_fields, reservation_init);

static const struct field group_fields[] = {
	{FIELD_NAME("id"), .decode = load_string},
	FIELD_KNOWN("name"),
};
static const struct schema group_schema = SCHEMA_OF(group_fields, NULL);

static const struct field class_status_fields[] = {
	FIELD_LIST("subnets", subnet_schema, struct nc_subnet, struct ec2_node_class, nsubnet, subnet),
	FIELD_LIST("amis", ami_schema, struct nc_ami, struct ec2_node_class, nami, ami),
	FIELD_LIST("securityGroups", group_schema, sid, struct ec2_node_class, nsecurity_group,
		   security_group),
	FIELD_LIST("capacityReservations", reservation_schema, struct nc_reservation, struct ec2_node_class,
		   nreservation, reservation),
	FIELD_LIST("conditions", condition_schema, struct condition, struct ec2_node_class, conditions.n,
		   conditions.v),
	FIELD_KNOWN("instanceProfile"),
};
static const struct schema class_status_schema = SCHEMA_OF(class_status_fields, NULL);

static bool load_class_status(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	((struct ec2_node_class *)rec)->has_status = n->n > 0;
	return schema_decode(l, f->sub, n, rec);
}

static const struct field class_fields[] = {
	FIELD_MAP("metadata", meta_schema, struct ec2_node_class, meta),
	FIELD_IN("spec", class_spec_schema),
	{FIELD_NAME("status"), .decode = load_class_status, .sub = &class_status_schema},
};

static void class_init(void *rec)
{
	struct class_record *r = rec;
	struct ec2_node_class *c = &r->c;

	meta_schema.init(&c->meta);
	c->ami_family = c->alias = c->context = c->placement_group = SID_NONE;
	c->kubelet.max_pods = c->kubelet.pods_per_core = -1;
	r->pg_name = r->pg_id = SID_NONE;
}

const struct schema node_class_schema = SCHEMA_OF(class_fields, class_init);

bool node_class_loaded(struct loader *l, const struct doc_node *n, void *rec)
{
	struct class_record *r = rec;
	struct ec2_node_class *c = &r->c;

	(void)n;
	for (uint32_t i = 0; i < r->nterm && c->alias == SID_NONE; i++)
		c->alias = r->term[i].alias;
	c->placement_group = r->pg_id != SID_NONE ? r->pg_id : r->pg_name;
	c->has_devices = c->device != NULL;
	c->has_interfaces = c->interface != NULL;
	for (uint32_t i = 0; i < c->nreservation; i++)
		if (c->reservation[i].state == SID_NONE)
			c->reservation[i].state = intern_cstr(l->in, "active");
	return true;
}

void node_class_default(struct loader *l, sid name, struct span at, void *ret_record)
{
	struct class_record *r = ret_record;

	class_init(r);
	r->c.meta.name = name;
	r->c.meta.at = at;
	r->c.alias = intern_cstr(l->in, "al2023@latest");
}
