#pragma once
/*
 * EC2's part of Karpenter's cloud provider: a catalogue and an EC2NodeClass give the instance types that a
 * NodePool may choose from, with capacity, overhead, labels and offerings. Rule: Karpenter AWS provider
 * v1.14.1 (aws-provider 1 and 2; order and ties: determinism, "Instance types and offerings").
 *
 * Pure computation: the result depends on the arguments alone and belongs to the arena given; requirements go
 * to the cluster's pool.
 */
#include "catalog.h"
#include "cluster.h"

enum ami_family {
	AMI_AL2,
	AMI_AL2023,
	AMI_BOTTLEROCKET,
	AMI_WINDOWS2019,
	AMI_WINDOWS2022,
	AMI_WINDOWS2025,
	AMI_CUSTOM,
};

/* What of its instance types depends on the AMI family (IT-60). */
struct ami_traits {
	bool eni_memory;    /* kube-reserved memory follows the ENI density, whatever maxPods says */
	bool pods_per_core; /* podsPerCore counts */
	bool eni_pods;      /* density limited by ENIs, else 110 */
	bool windows;
	const char *ephemeral_device; /* NULL: none known */
	int32_t ephemeral_gib;        /* size of that device where nothing is said */
	const char *windows_build;    /* NULL for Linux */
};

/* spec.amiFamily, else the alias's, else Custom; unknown names count as AL2. */
enum ami_family ec2_ami_family(const struct intern *in, const struct ec2_node_class *nc);
const struct ami_traits *ec2_ami_traits(enum ami_family f);

/*
 * The instance types of the catalogue's region that the settings let exist, by name. Needs nc's status
 * (ec2_class_defaults makes one up). Offerings of a type: zones by name, on-demand before spot; then reserved
 * ones in status order.
 */
struct itype_list ec2_types(struct arena *a, const struct cluster *c, const struct catalog *cat,
			    const struct ec2_node_class *nc);

/*
 * nc itself, or a copy with what its status lacks made up: one subnet for each zone of the catalogue that the
 * settings let exist (local zones only where the settings name zones), one AMI for each architecture and
 * variant of its family. The ids are placeholders. nc NULL: an AL2023 class of the name given.
 * *ret_placeholder tells whether anything was made up.
 */
const struct ec2_node_class *ec2_class_defaults(struct arena *a, const struct cluster *c,
						const struct catalog *cat, const struct ec2_node_class *nc,
						sid name, bool *ret_placeholder);

/* The requirements of each of nc's images, in status order. */
rsetid *ec2_image_requirements(struct arena *a, struct reqpool *rp, const struct ec2_node_class *nc);
/* The image that a type uses: the first whose requirements its labels meet (IT-61); SID_NONE without one. */
sid ec2_image_of(struct reqpool *rp, const struct ec2_node_class *nc, const rsetid *image_reqs,
		 const struct itype *t);

/* Whether a type or zone exists under the settings' globs. */
bool ec2_type_exists(const struct settings *s, const struct intern *in, sid type);
bool ec2_zone_exists(const struct settings *s, sid zone);

/* How the number of pods of a type came about (IT-14). */
enum pods_rule { PODS_FROM_ENIS, PODS_FROM_MAX_PODS, PODS_FIXED, PODS_PER_CORE };

/* The account of a type's memory and pods, for people: what Karpenter computes on the way to its capacity. */
struct ec2_account {
	int64_t memory_mib;      /* EC2's figure */
	int64_t graviton_mib;    /* kept on Arm */
	int64_t vm_overhead_mib; /* the estimated share of hypervisor and kernel */
	int64_t pods;
	enum pods_rule rule;
	int32_t reserved_enis; /* taken off the interfaces for pods */
	int64_t density;       /* pods that kube-reserved memory is for */
};

struct ec2_account ec2_account_of(const struct cluster *c, const struct catalog *cat,
				  const struct ec2_node_class *nc, const struct ec2_type *t);
