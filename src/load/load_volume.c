#include "loader.h"

static const struct field pvc_spec_fields[] = {
	FIELD("storageClassName", load_string, struct pvc, storage_class),
	FIELD("volumeName", load_string, struct pvc, volume_name),
	FIELD_KNOWN("accessModes"),
	FIELD_KNOWN("dataSource"),
	FIELD_KNOWN("dataSourceRef"),
	FIELD_KNOWN("resources"),
	FIELD_KNOWN("selector"),
	FIELD_KNOWN("volumeAttributesClassName"),
	FIELD_KNOWN("volumeMode"),
};
const struct schema pvc_spec_schema = SCHEMA_OF(pvc_spec_fields, NULL);

static const char *const claim_phases[] = {"Pending", "Bound", "Lost", NULL};

static bool load_lost(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	return load_choice_is(l, f, n, rec, claim_phases, 2);
}

static const struct field pvc_status_fields[] = {
	FIELD("phase", load_lost, struct pvc, lost),
	FIELD_KNOWN("accessModes"),
	FIELD_KNOWN("allocatedResourceStatuses"),
	FIELD_KNOWN("allocatedResources"),
	FIELD_KNOWN("capacity"),
	FIELD_KNOWN("conditions"),
	FIELD_KNOWN("currentVolumeAttributesClassName"),
	FIELD_KNOWN("modifyVolumeStatus"),
	FIELD_KNOWN("resizeStatus"),
};
static const struct schema pvc_status_schema = SCHEMA_OF(pvc_status_fields, NULL);

static const struct field pvc_fields[] = {
	FIELD_MAP("metadata", meta_schema, struct pvc, meta),
	FIELD_IN("spec", pvc_spec_schema),
	FIELD_IN("status", pvc_status_schema),
	FIELD_KNOWN("apiVersion"), /* in volumeClaimTemplates */
	FIELD_KNOWN("kind"),
};

static void pvc_init(void *rec)
{
	struct pvc *p = rec;

	meta_schema.init(&p->meta);
	p->storage_class = SID_NONE;
}

const struct schema pvc_schema = SCHEMA_OF(pvc_fields, pvc_init);

static const struct field csi_fields[] = {
	FIELD("driver", load_string, struct pv, csi_driver),
	FIELD_KNOWN("controllerExpandSecretRef"),
	FIELD_KNOWN("controllerPublishSecretRef"),
	FIELD_KNOWN("fsType"),
	FIELD_KNOWN("nodeExpandSecretRef"),
	FIELD_KNOWN("nodePublishSecretRef"),
	FIELD_KNOWN("nodeStageSecretRef"),
	FIELD_KNOWN("readOnly"),
	FIELD_KNOWN("volumeAttributes"),
	FIELD_KNOWN("volumeHandle"),
};
static const struct schema csi_schema = SCHEMA_OF(csi_fields, NULL);

static const struct field pv_required_fields[] = {
	FIELD_LIST("nodeSelectorTerms", node_term_schema, struct node_term, struct pv, nterm, term),
};
static const struct schema pv_required_schema = SCHEMA_OF(pv_required_fields, NULL);
static const struct field pv_affinity_fields[] = {FIELD_IN("required", pv_required_schema)};
static const struct schema pv_affinity_schema = SCHEMA_OF(pv_affinity_fields, NULL);

static const struct field pv_spec_fields[] = {
	FIELD_IN("csi", csi_schema),
	FIELD("awsElasticBlockStore", load_present, struct pv, aws_ebs),
	FIELD("local", load_present, struct pv, local),
	FIELD("hostPath", load_present, struct pv, local),
	FIELD_IN("nodeAffinity", pv_affinity_schema),
	FIELD_KNOWN("accessModes"),
	FIELD_KNOWN("azureDisk"),
	FIELD_KNOWN("azureFile"),
	FIELD_KNOWN("capacity"),
	FIELD_KNOWN("cephfs"),
	FIELD_KNOWN("cinder"),
	FIELD_KNOWN("claimRef"),
	FIELD_KNOWN("fc"),
	FIELD_KNOWN("flexVolume"),
	FIELD_KNOWN("gcePersistentDisk"),
	FIELD_KNOWN("glusterfs"),
	FIELD_KNOWN("iscsi"),
	FIELD_KNOWN("mountOptions"),
	FIELD_KNOWN("nfs"),
	FIELD_KNOWN("persistentVolumeReclaimPolicy"),
	FIELD_KNOWN("portworxVolume"),
	FIELD_KNOWN("quobyte"),
	FIELD_KNOWN("rbd"),
	FIELD_KNOWN("scaleIO"),
	FIELD_KNOWN("storageClassName"),
	FIELD_KNOWN("storageos"),
	FIELD_KNOWN("volumeAttributesClassName"),
	FIELD_KNOWN("volumeMode"),
	FIELD_KNOWN("vsphereVolume"),
};
static const struct schema pv_spec_schema = SCHEMA_OF(pv_spec_fields, NULL);

static const struct field pv_fields[] = {
	FIELD_MAP("metadata", meta_schema, struct pv, meta),
	FIELD_IN("spec", pv_spec_schema),
	FIELD_KNOWN("status"),
};

static void pv_init(void *rec)
{
	struct pv *p = rec;

	meta_schema.init(&p->meta);
	p->csi_driver = SID_NONE;
}

const struct schema pv_schema = SCHEMA_OF(pv_fields, pv_init);

/* An entry of allowedTopologies reads like a node selector term whose operators are all In. */
static const struct field topology_expr_fields[] = {
	FIELD("key", load_string, struct match_expr, key),
	FIELD_COUNTED("values", load_strings, struct match_expr, n, values),
};
static const struct schema topology_expr_schema = SCHEMA_OF(topology_expr_fields, NULL);
static const struct field topology_fields[] = {
	FIELD_LIST("matchLabelExpressions", topology_expr_schema, struct match_expr, struct node_term, n,
		   expr),
};
static const struct schema topology_schema = SCHEMA_OF(topology_fields, NULL);

static const struct field storage_class_fields[] = {
	FIELD_MAP("metadata", meta_schema, struct storage_class, meta),
	FIELD("provisioner", load_string, struct storage_class, provisioner),
	FIELD("volumeBindingMode", load_string, struct storage_class, binding_mode),
	FIELD_LIST("allowedTopologies", topology_schema, struct node_term, struct storage_class, nterm, term),
	FIELD_KNOWN("allowVolumeExpansion"),
	FIELD_KNOWN("mountOptions"),
	FIELD_KNOWN("parameters"),
	FIELD_KNOWN("reclaimPolicy"),
};

static void storage_class_init(void *rec)
{
	struct storage_class *s = rec;

	meta_schema.init(&s->meta);
	s->binding_mode = SID_NONE;
}

const struct schema storage_class_schema = SCHEMA_OF(storage_class_fields, storage_class_init);

bool storage_class_loaded(struct loader *l, const struct doc_node *n, void *rec)
{
	struct storage_class *s = rec;
	sid in = intern_cstr(l->in, "In");

	(void)n;
	for (uint32_t i = 0; i < s->nterm; i++)
		for (uint32_t k = 0; k < s->term[i].n; k++)
			s->term[i].expr[k].op = in;
	if (s->binding_mode == SID_NONE && !l->stored)
		s->binding_mode = intern_cstr(l->in, "Immediate");
	return true;
}

static const struct field driver_alloc_fields[] = {
	FIELD("count", load_int64, struct csi_driver_limit, count),
};
static const struct schema driver_alloc_schema = SCHEMA_OF(driver_alloc_fields, NULL);

static const struct field driver_fields[] = {
	FIELD("name", load_string, struct csi_driver_limit, driver),
	FIELD_IN("allocatable", driver_alloc_schema),
	FIELD_KNOWN("nodeID"),
	FIELD_KNOWN("topologyKeys"),
};

static void driver_init(void *rec)
{
	((struct csi_driver_limit *)rec)->count = -1;
}

static const struct schema driver_schema = SCHEMA_OF(driver_fields, driver_init);

static const struct field csi_node_spec_fields[] = {
	FIELD_LIST("drivers", driver_schema, struct csi_driver_limit, struct csi_node, n, driver),
};
static const struct schema csi_node_spec_schema = SCHEMA_OF(csi_node_spec_fields, NULL);

static const struct field csi_node_fields[] = {
	FIELD_MAP("metadata", meta_schema, struct csi_node, meta),
	FIELD_IN("spec", csi_node_spec_schema),
};

static void csi_node_init(void *rec)
{
	meta_schema.init(&((struct csi_node *)rec)->meta);
}

const struct schema csi_node_schema = SCHEMA_OF(csi_node_fields, csi_node_init);
