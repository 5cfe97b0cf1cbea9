/* The EC2NodeClass of karpenter.k8s.aws/v1 as Karpenter v1.14.1 defines it. */
#include "crd_rules.h"

#define EVICTION_KEYS                                                                     \
	"['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available'," \
	"'imagefs.inodesFree','pid.available']"
#define RESERVED_KEYS "['cpu','memory','ephemeral-storage','pid']"
#define EVICTION_PATTERN                                                                          \
	"^((\\d{1,2}(\\.\\d{1,2})?|100(\\.0{1,2})?)%||(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))" \
	"(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?)$"
#define FAMILY(name, title) "if set, amiFamily must be '" name "' or 'Custom' when using " title " alias"
#define NO_EMPTY_TAGS "empty tag keys or values aren't supported"

static const char *const families[] = {"AL2",         "AL2023",      "Bottlerocket", "Custom",
				       "Windows2019", "Windows2022", "Windows2025",  NULL};
static const char *const volume_types[] = {"standard", "io1", "io2", "gp2", "sc1", "st1", "gp3", NULL};
static const char *const on_off[] = {"enabled", "disabled", NULL};
static const char *const tokens[] = {"required", "optional", NULL};
static const char *const criteria[] = {"open", "targeted", NULL};
static const char *const store_policies[] = {"RAID0", NULL};
static const char *const interface_types[] = {"interface", "efa-only", NULL};

static const struct crd_rule term_tags_rules[] = {{cel_tags_not_empty, NO_EMPTY_TAGS}, {0}};

static const struct crd_rule alias_rules[] = {
	{cel_alias_format, "'alias' is improperly formatted, must match the format 'family@version'"},
	{cel_alias_family, "family is not supported, must be one of the following: 'al2', 'al2023', "
			   "'bottlerocket', 'windows2019', 'windows2022', 'windows2025'"},
	{cel_alias_windows_latest, "windows families may only specify version 'latest'"},
	{0},
};

static const struct crd_field ami_fields[] = {
	{.name = "alias", .type = CRD_STRING, .max_chars = 30, .rules = alias_rules},
	{.name = "id", .type = CRD_STRING, .pattern = "ami-[0-9a-z]+"},
	{.name = "name", .type = CRD_STRING},
	{.name = "owner", .type = CRD_STRING},
	{.name = "ssmParameter", .type = CRD_STRING},
	{.name = "tags", .type = CRD_MAP, .max_len = 20, .item = &crd_string_item, .rules = term_tags_rules},
	{0},
};

static const struct crd_field ami_item = {.type = CRD_OBJECT, .fields = ami_fields};

static const struct crd_rule ami_rules[] = {
	{cel_ami_one_of, "expected at least one, got none, ['tags', 'id', 'name', 'alias', 'ssmParameter']"},
	{cel_ami_id_alone,
	 "'id' is mutually exclusive, cannot be set with a combination of other fields in amiSelectorTerms"},
	{cel_ami_alias_alone, "'alias' is mutually exclusive, cannot be set with a combination of other "
			      "fields in amiSelectorTerms"},
	{cel_ami_alias_only_term,
	 "'alias' is mutually exclusive, cannot be set with a combination of other amiSelectorTerms"},
	{0},
};

static const struct crd_field ebs_fields[] = {
	{.name = "deleteOnTermination", .type = CRD_BOOLEAN},
	{.name = "encrypted", .type = CRD_BOOLEAN},
	{.name = "iops", .type = CRD_INTEGER},
	{.name = "kmsKeyID", .type = CRD_STRING},
	{.name = "snapshotID", .type = CRD_STRING},
	{.name = "throughput", .type = CRD_INTEGER},
	{.name = "volumeInitializationRate",
	 .type = CRD_INTEGER,
	 .flags = CRD_HAS_MIN | CRD_HAS_MAX,
	 .min = 100,
	 .max = 300},
	{.name = "volumeSize",
	 .type = CRD_STRING,
	 .pattern = "^((?:[1-9][0-9]{0,3}|[1-4][0-9]{4}|[5][0-8][0-9]{3}|59000)Gi|"
		    "(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|[6][0-3][0-9]{3}|64000)G|"
		    "([1-9]||[1-5][0-7]|58)Ti|([1-9]||[1-5][0-9]|6[0-3]|64)T)$",
	 .go = GO_QUANTITY},
	{.name = "volumeType", .type = CRD_STRING, .values = volume_types},
	{0},
};

static const struct crd_rule ebs_rules[] = {
	{cel_ebs_source, "snapshotID or volumeSize must be defined"},
	{cel_ebs_initialization, "snapshotID must be set when volumeInitializationRate is set"},
	{0},
};

static const struct crd_field device_fields[] = {
	{.name = "deviceName", .type = CRD_STRING},
	{.name = "ebs", .type = CRD_OBJECT, .fields = ebs_fields, .rules = ebs_rules},
	{.name = "rootVolume", .type = CRD_BOOLEAN},
	{0},
};

static const struct crd_field device_item = {.type = CRD_OBJECT, .fields = device_fields};

static const struct crd_rule device_rules[] = {
	{cel_one_root_volume, "must have only one blockDeviceMappings with rootVolume"},
	{0},
};

static const struct crd_field reservation_fields[] = {
	{.name = "id", .type = CRD_STRING, .pattern = "^cr-[0-9a-z]+$"},
	{.name = "instanceMatchCriteria", .type = CRD_STRING, .values = criteria},
	{.name = "ownerID", .type = CRD_STRING, .pattern = "^[0-9]{12}$"},
	{.name = "tags", .type = CRD_MAP, .max_len = 20, .item = &crd_string_item, .rules = term_tags_rules},
	{0},
};

static const struct crd_field reservation_item = {.type = CRD_OBJECT, .fields = reservation_fields};

static const struct crd_rule reservation_rules[] = {
	{cel_reservation_one_of, "expected at least one, got none, ['tags', 'id', 'instanceMatchCriteria']"},
	{cel_reservation_id_alone, "'id' is mutually exclusive, cannot be set along with other fields in a "
				   "capacity reservation selector term"},
	{0},
};

static const struct crd_field tracking_fields[] = {
	{.name = "tcpEstablishedTimeout",
	 .type = CRD_INTEGER,
	 .flags = CRD_HAS_MIN | CRD_HAS_MAX,
	 .min = 60,
	 .max = 432000},
	{.name = "udpStreamTimeout",
	 .type = CRD_INTEGER,
	 .flags = CRD_HAS_MIN | CRD_HAS_MAX,
	 .min = 60,
	 .max = 180},
	{.name = "udpTimeout", .type = CRD_INTEGER, .flags = CRD_HAS_MIN | CRD_HAS_MAX, .min = 30, .max = 60},
	{0},
};

static const struct crd_rule tracking_rules[] = {
	{cel_tracking_one_of,
	 "at least one of tcpEstablishedTimeout, udpStreamTimeout, or udpTimeout must be set"},
	{0},
};

static const struct crd_field cpu_fields[] = {
	{.name = "nestedVirtualization", .type = CRD_STRING, .values = on_off},
	{0},
};

static const struct crd_field eviction_value = {.type = CRD_STRING, .pattern = EVICTION_PATTERN};
static const struct crd_field grace_value = {.type = CRD_STRING, .go = GO_DURATION};
static const struct crd_field reserved_value = {.type = CRD_STRING, .pattern = CRD_QUANTITY_PATTERN};

static const struct crd_rule hard_rules[] = {
	{cel_eviction_keys, "valid keys for evictionHard are " EVICTION_KEYS},
	{0},
};
static const struct crd_rule soft_rules[] = {
	{cel_eviction_keys, "valid keys for evictionSoft are " EVICTION_KEYS},
	{0},
};
static const struct crd_rule grace_rules[] = {
	{cel_eviction_keys, "valid keys for evictionSoftGracePeriod are " EVICTION_KEYS},
	{0},
};
static const struct crd_rule kube_reserved_rules[] = {
	{cel_reserved_keys, "valid keys for kubeReserved are " RESERVED_KEYS},
	{cel_reserved_not_negative, "kubeReserved value cannot be a negative resource quantity"},
	{0},
};
static const struct crd_rule system_reserved_rules[] = {
	{cel_reserved_keys, "valid keys for systemReserved are " RESERVED_KEYS},
	{cel_reserved_not_negative, "systemReserved value cannot be a negative resource quantity"},
	{0},
};

#define KUBELET_INT32 .type = CRD_INTEGER, .go = GO_INT32, .go_type = "KubeletConfiguration"

static const struct crd_field kubelet_fields[] = {
	{.name = "clusterDNS", .type = CRD_LIST, .item = &crd_string_item},
	{.name = "cpuCFSQuota", .type = CRD_BOOLEAN},
	{.name = "evictionHard", .type = CRD_MAP, .item = &eviction_value, .rules = hard_rules},
	{.name = "evictionMaxPodGracePeriod", KUBELET_INT32},
	{.name = "evictionSoft", .type = CRD_MAP, .item = &eviction_value, .rules = soft_rules},
	{.name = "evictionSoftGracePeriod", .type = CRD_MAP, .item = &grace_value, .rules = grace_rules},
	{.name = "imageGCHighThresholdPercent",
	 KUBELET_INT32,
	 .flags = CRD_HAS_MIN | CRD_HAS_MAX,
	 .max = 100},
	{.name = "imageGCLowThresholdPercent", KUBELET_INT32, .flags = CRD_HAS_MIN | CRD_HAS_MAX, .max = 100},
	{.name = "kubeReserved", .type = CRD_MAP, .item = &reserved_value, .rules = kube_reserved_rules},
	{.name = "maxPods", KUBELET_INT32, .flags = CRD_HAS_MIN},
	{.name = "podsPerCore", KUBELET_INT32, .flags = CRD_HAS_MIN},
	{.name = "systemReserved", .type = CRD_MAP, .item = &reserved_value, .rules = system_reserved_rules},
	{0},
};

static const struct crd_rule kubelet_rules[] = {
	{cel_image_gc_order, "imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent"},
	{cel_soft_has_grace, "evictionSoft OwnerKey does not have a matching evictionSoftGracePeriod"},
	{cel_grace_has_soft, "evictionSoftGracePeriod OwnerKey does not have a matching evictionSoft"},
	{0},
};

static const struct crd_field metadata_fields[] = {
	{.name = "httpEndpoint", .type = CRD_STRING, .values = on_off, .dflt = "\"enabled\""},
	{.name = "httpProtocolIPv6", .type = CRD_STRING, .values = on_off, .dflt = "\"disabled\""},
	{.name = "httpPutResponseHopLimit",
	 .type = CRD_INTEGER,
	 .flags = CRD_HAS_MIN | CRD_HAS_MAX,
	 .min = 1,
	 .max = 64,
	 .dflt = "1"},
	{.name = "httpTokens", .type = CRD_STRING, .values = tokens, .dflt = "\"required\""},
	{0},
};

#define INTERFACE_INT32 .type = CRD_INTEGER, .go = GO_INT32, .go_type = "NetworkInterface"

static const struct crd_field interface_fields[] = {
	{.name = "deviceIndex", INTERFACE_INT32, .flags = CRD_REQUIRED | CRD_HAS_MIN},
	{.name = "interfaceType", .type = CRD_STRING, .flags = CRD_REQUIRED, .values = interface_types},
	{.name = "networkCardIndex", INTERFACE_INT32, .flags = CRD_REQUIRED | CRD_HAS_MIN},
	{0},
};

static const struct crd_field interface_item = {.type = CRD_OBJECT, .fields = interface_fields};

static const struct crd_rule interface_rules[] = {
	{cel_interfaces_primary,
	 "networkInterfaces must include a primary interface with interfaceType='interface'"},
	{cel_interfaces_distinct,
	 "networkInterfaces must not have duplicate networkCardIndex and deviceIndex "
	 "pairs, and can have at most one efa device per network card"},
	{0},
};

static const struct crd_field placement_fields[] = {
	{.name = "id", .type = CRD_STRING, .pattern = "^pg-[0-9a-z]+$"},
	{.name = "name", .type = CRD_STRING, .min_chars = 1},
	{0},
};

static const struct crd_rule placement_rules[] = {
	{cel_placement_one_of, "expected at least one, got none, ['name', 'id']"},
	{cel_placement_not_both, "'name' and 'id' are mutually exclusive"},
	{0},
};

static const struct crd_field group_fields[] = {
	{.name = "id", .type = CRD_STRING, .pattern = "sg-[0-9a-z]+"},
	{.name = "name", .type = CRD_STRING},
	{.name = "tags", .type = CRD_MAP, .max_len = 20, .item = &crd_string_item, .rules = term_tags_rules},
	{0},
};

static const struct crd_field group_item = {.type = CRD_OBJECT, .fields = group_fields};

static const struct crd_rule group_rules[] = {
	{cel_list_not_empty, "securityGroupSelectorTerms cannot be empty"},
	{cel_group_one_of, "expected at least one, got none, ['tags', 'id', 'name']"},
	{cel_group_id_alone,
	 "'id' is mutually exclusive, cannot be set with a combination of other fields in "
	 "a security group selector term"},
	{cel_group_name_alone, "'name' is mutually exclusive, cannot be set with a combination of other "
			       "fields in a security group selector term"},
	{0},
};

static const struct crd_field subnet_fields[] = {
	{.name = "id", .type = CRD_STRING, .pattern = "subnet-[0-9a-z]+"},
	{.name = "tags", .type = CRD_MAP, .max_len = 20, .item = &crd_string_item, .rules = term_tags_rules},
	{0},
};

static const struct crd_field subnet_item = {.type = CRD_OBJECT, .fields = subnet_fields};

static const struct crd_rule subnet_rules[] = {
	{cel_list_not_empty, "subnetSelectorTerms cannot be empty"},
	{cel_subnet_one_of, "expected at least one, got none, ['tags', 'id']"},
	{cel_subnet_id_alone, "'id' is mutually exclusive, cannot be set with a combination of other fields "
			      "in a subnet selector term"},
	{0},
};

static const struct crd_rule tags_rules[] = {
	{cel_tag_keys_not_empty, "empty tag keys aren't supported"},
	{cel_tag_not_cluster_name, "tag contains a restricted tag matching eks:eks-cluster-name"},
	{cel_tag_not_cluster, "tag contains a restricted tag matching kubernetes.io/cluster/"},
	{cel_tag_not_nodepool, "tag contains a restricted tag matching karpenter.sh/nodepool"},
	{cel_tag_not_nodeclaim, "tag contains a restricted tag matching karpenter.sh/nodeclaim"},
	{cel_tag_not_nodeclass, "tag contains a restricted tag matching karpenter.k8s.aws/ec2nodeclass"},
	{0},
};

static const struct crd_rule role_rules[] = {{cel_not_empty, "role cannot be empty"}, {0}};
static const struct crd_rule profile_rules[] = {{cel_not_empty, "instanceProfile cannot be empty"}, {0}};

static const struct crd_field spec_fields[] = {
	{.name = "amiFamily", .type = CRD_STRING, .values = families},
	{.name = "amiSelectorTerms",
	 .type = CRD_LIST,
	 .flags = CRD_REQUIRED,
	 .min_len = 1,
	 .max_len = 30,
	 .item = &ami_item,
	 .rules = ami_rules},
	{.name = "associatePublicIPAddress", .type = CRD_BOOLEAN},
	{.name = "blockDeviceMappings",
	 .type = CRD_LIST,
	 .max_len = 50,
	 .item = &device_item,
	 .rules = device_rules},
	{.name = "capacityReservationSelectorTerms",
	 .type = CRD_LIST,
	 .max_len = 30,
	 .item = &reservation_item,
	 .rules = reservation_rules},
	{.name = "connectionTracking",
	 .type = CRD_OBJECT,
	 .fields = tracking_fields,
	 .rules = tracking_rules},
	{.name = "context", .type = CRD_STRING},
	{.name = "cpuOptions", .type = CRD_OBJECT, .fields = cpu_fields},
	{.name = "detailedMonitoring", .type = CRD_BOOLEAN},
	{.name = "instanceProfile", .type = CRD_STRING, .rules = profile_rules},
	{.name = "instanceStorePolicy", .type = CRD_STRING, .values = store_policies},
	{.name = "ipPrefixCount",
	 .type = CRD_INTEGER,
	 .flags = CRD_HAS_MIN,
	 .go = GO_INT32,
	 .go_type = "EC2NodeClassSpec"},
	{.name = "kubelet", .type = CRD_OBJECT, .fields = kubelet_fields, .rules = kubelet_rules},
	{.name = "metadataOptions",
	 .type = CRD_OBJECT,
	 .dflt = "{\"httpEndpoint\": \"enabled\", \"httpProtocolIPv6\": \"disabled\", "
		 "\"httpPutResponseHopLimit\": 1, \"httpTokens\": \"required\"}",
	 .fields = metadata_fields},
	{.name = "networkInterfaces",
	 .type = CRD_LIST,
	 .max_len = 150,
	 .item = &interface_item,
	 .rules = interface_rules},
	{.name = "placementGroupSelector",
	 .type = CRD_OBJECT,
	 .fields = placement_fields,
	 .rules = placement_rules},
	{.name = "role", .type = CRD_STRING, .rules = role_rules},
	{.name = "securityGroupSelectorTerms",
	 .type = CRD_LIST,
	 .flags = CRD_REQUIRED,
	 .max_len = 30,
	 .item = &group_item,
	 .rules = group_rules},
	{.name = "subnetSelectorTerms",
	 .type = CRD_LIST,
	 .flags = CRD_REQUIRED,
	 .max_len = 30,
	 .item = &subnet_item,
	 .rules = subnet_rules},
	{.name = "tags", .type = CRD_MAP, .item = &crd_string_item, .rules = tags_rules},
	{.name = "userData", .type = CRD_STRING},
	{0},
};

static const struct crd_rule spec_rules[] = {
	{cel_role_or_profile, "must specify exactly one of ['role', 'instanceProfile']"},
	{cel_family_al2, FAMILY("AL2", "an AL2")},
	{cel_family_al2023, FAMILY("AL2023", "an AL2023")},
	{cel_family_bottlerocket, FAMILY("Bottlerocket", "a Bottlerocket")},
	{cel_family_windows2019, FAMILY("Windows2019", "a Windows2019")},
	{cel_family_windows2022, FAMILY("Windows2022", "a Windows2022")},
	{cel_family_windows2025, FAMILY("Windows2025", "a Windows2025")},
	{cel_family_without_alias, "must specify amiFamily if amiSelectorTerms does not contain an alias"},
	{0},
};

static const struct crd_field status_requirement_fields[] = {
	{.name = "key", .type = CRD_STRING},
	{.name = "operator", .type = CRD_STRING},
	{.name = "values", .type = CRD_LIST, .item = &crd_string_item},
	{0},
};
static const struct crd_field status_requirement_item = {.type = CRD_OBJECT,
							 .fields = status_requirement_fields};

static const struct crd_field status_ami_fields[] = {
	{.name = "deprecated", .type = CRD_BOOLEAN},
	{.name = "id", .type = CRD_STRING},
	{.name = "name", .type = CRD_STRING},
	{.name = "requirements", .type = CRD_LIST, .item = &status_requirement_item},
	{0},
};
static const struct crd_field status_ami_item = {.type = CRD_OBJECT, .fields = status_ami_fields};

static const struct crd_field status_reservation_fields[] = {
	{.name = "availabilityZone", .type = CRD_STRING},
	{.name = "endTime", .type = CRD_DATE_TIME},
	{.name = "id", .type = CRD_STRING},
	{.name = "instanceMatchCriteria", .type = CRD_STRING},
	{.name = "instanceType", .type = CRD_STRING},
	{.name = "interruptible", .type = CRD_BOOLEAN},
	{.name = "ownerID", .type = CRD_STRING},
	{.name = "reservationType", .type = CRD_STRING},
	{.name = "state", .type = CRD_STRING},
	{0},
};
static const struct crd_field status_reservation_item = {.type = CRD_OBJECT,
							 .fields = status_reservation_fields};

static const struct crd_field status_group_fields[] = {
	{.name = "id", .type = CRD_STRING},
	{.name = "name", .type = CRD_STRING},
	{0},
};
static const struct crd_field status_group_item = {.type = CRD_OBJECT, .fields = status_group_fields};

static const struct crd_field status_subnet_fields[] = {
	{.name = "id", .type = CRD_STRING},
	{.name = "zone", .type = CRD_STRING},
	{.name = "zoneID", .type = CRD_STRING},
	{0},
};
static const struct crd_field status_subnet_item = {.type = CRD_OBJECT, .fields = status_subnet_fields};

static const struct crd_field status_fields[] = {
	{.name = "amis", .type = CRD_LIST, .item = &status_ami_item},
	{.name = "capacityReservations", .type = CRD_LIST, .item = &status_reservation_item},
	{.name = "conditions", .type = CRD_LIST, .item = &crd_condition_item},
	{.name = "instanceProfile", .type = CRD_STRING},
	{.name = "securityGroups", .type = CRD_LIST, .item = &status_group_item},
	{.name = "subnets", .type = CRD_LIST, .item = &status_subnet_item},
	{0},
};

static const struct crd_field root_fields[] = {
	{.name = "spec", .type = CRD_OBJECT, .fields = spec_fields, .rules = spec_rules},
	{.name = "status", .type = CRD_OBJECT, .fields = status_fields},
	{0},
};

const struct crd_kind crd_nodeclass = {
	.api_version = "karpenter.k8s.aws/v1",
	.kind = "EC2NodeClass",
	.root = {.type = CRD_OBJECT, .fields = root_fields},
};
