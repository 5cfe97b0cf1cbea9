#include "loader.h"

static const struct field node_spec_fields[] = {
	FIELD("providerID", load_string, struct node, provider_id),
	FIELD_LIST("taints", taint_schema, struct taint, struct node, taints.n, taints.v),
	FIELD("unschedulable", load_bool, struct node, unschedulable),
	FIELD_KNOWN("configSource"),
	FIELD_KNOWN("externalID"),
	FIELD_KNOWN("podCIDR"),
	FIELD_KNOWN("podCIDRs"),
};
static const struct schema node_spec_schema = SCHEMA_OF(node_spec_fields, NULL);

static const struct field node_status_fields[] = {
	FIELD("capacity", load_reslist, struct node, capacity),
	FIELD("allocatable", load_reslist, struct node, allocatable),
	FIELD_LIST("conditions", condition_schema, struct condition, struct node, conditions.n, conditions.v),
	FIELD_KNOWN("addresses"),
	FIELD_KNOWN("config"),
	FIELD_KNOWN("daemonEndpoints"),
	FIELD_KNOWN("declaredFeatures"),
	FIELD_KNOWN("features"),
	FIELD_KNOWN("images"),
	FIELD_KNOWN("nodeInfo"),
	FIELD_KNOWN("phase"),
	FIELD_KNOWN("runtimeHandlers"),
	FIELD_KNOWN("volumesAttached"),
	FIELD_KNOWN("volumesInUse"),
};
static const struct schema node_status_schema = SCHEMA_OF(node_status_fields, NULL);

static const struct field node_fields[] = {
	FIELD_MAP("metadata", meta_schema, struct node, meta),
	FIELD_IN("spec", node_spec_schema),
	FIELD_IN("status", node_status_schema),
};

static void node_init(void *rec)
{
	meta_schema.init(&((struct node *)rec)->meta);
}

const struct schema node_schema = SCHEMA_OF(node_fields, node_init);

static const struct field claim_resources_fields[] = {
	FIELD("requests", load_reslist, struct node_claim, requests),
};
static const struct schema claim_resources_schema = SCHEMA_OF(claim_resources_fields, NULL);

static const struct field claim_spec_fields[] = {
	FIELD_MAP("nodeClassRef", class_ref_schema, struct node_claim, class_ref),
	FIELD_LIST("requirements", requirement_schema, struct api_requirement, struct node_claim, nreq, req),
	FIELD_IN("resources", claim_resources_schema),
	FIELD_LIST("taints", taint_schema, struct taint, struct node_claim, taints.n, taints.v),
	FIELD_LIST("startupTaints", taint_schema, struct taint, struct node_claim, startup_taints.n,
		   startup_taints.v),
	FIELD("expireAfter", load_nillable, struct node_claim, expire_after),
	FIELD("terminationGracePeriod", load_duration, struct node_claim, termination_grace),
};
static const struct schema claim_spec_schema = SCHEMA_OF(claim_spec_fields, NULL);

static const struct field claim_status_fields[] = {
	FIELD("nodeName", load_string, struct node_claim, node_name),
	FIELD("providerID", load_string, struct node_claim, provider_id),
	FIELD("imageID", load_string, struct node_claim, image_id),
	FIELD("capacity", load_reslist, struct node_claim, capacity),
	FIELD("allocatable", load_reslist, struct node_claim, allocatable),
	FIELD_LIST("conditions", condition_schema, struct condition, struct node_claim, conditions.n,
		   conditions.v),
	FIELD("lastPodEventTime", load_past, struct node_claim, last_pod_event),
};
static const struct schema claim_status_schema = SCHEMA_OF(claim_status_fields, NULL);

static const struct field claim_fields[] = {
	FIELD_MAP("metadata", meta_schema, struct node_claim, meta),
	FIELD_IN("spec", claim_spec_schema),
	FIELD_IN("status", claim_status_schema),
};

static void claim_init(void *rec)
{
	struct node_claim *c = rec;

	meta_schema.init(&c->meta);
	c->expire_after = DEFAULT_EXPIRE_AFTER;
	c->termination_grace = DURATION_NONE;
	c->last_pod_event = TIME_NONE;
}

const struct schema node_claim_schema = SCHEMA_OF(claim_fields, claim_init);
