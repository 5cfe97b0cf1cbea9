#pragma once
/*
 * The cross-field rules (x-kubernetes-validations) of Karpenter's kinds as functions: what each says is its
 * name and the message beside it in the table. self is the value that the rule hangs on, after defaulting and
 * with the types that the schema wants. A rule that CEL could not evaluate gives CEL_ERROR and CEL's words.
 * Rule: CustomResourceDefinitions of Karpenter v1.14.1; rules that only look at updates never fail on a
 * create.
 */
#include "crd_schema.h"

#define CEL_RULE(name) enum cel name(const struct jval *self, const char **ret_error __attribute__((unused)))

/*
 * has() of an integer field. A decimal such as 10.0, which JSON text may hold, passes the schema as an
 * integer, and is no int to CEL: looking at it is an error.
 */
enum cel cel_has_int(const struct jval *v, const char *field, const char **ret_error);

/* Any kind. */
CEL_RULE(cel_not_empty); /* a string */

/* Requirements and template labels (crd_rules_core.c). */
CEL_RULE(cel_in_has_values);
CEL_RULE(cel_not_in_has_values);
CEL_RULE(cel_bound_is_one_integer); /* Gt, Lt, Gte, Lte */
CEL_RULE(cel_min_values_fit);
CEL_RULE(cel_key_domain_core); /* a key: no karpenter.sh domain */
CEL_RULE(cel_key_domain_aws);  /* no karpenter.k8s.aws domain but for known keys */
CEL_RULE(cel_key_domain_aws_overlay);
CEL_RULE(cel_key_not_nodepool);
CEL_RULE(cel_key_not_hostname);
CEL_RULE(cel_labels_domain_core); /* the same of every key of a map */
CEL_RULE(cel_labels_domain_aws);
CEL_RULE(cel_labels_not_nodepool);
CEL_RULE(cel_labels_not_hostname);

/* NodePool, NodeOverlay, CapacityBuffer (crd_rules_core.c). */
CEL_RULE(cel_static_limits);
CEL_RULE(cel_static_weight);
CEL_RULE(cel_schedule_with_duration);
CEL_RULE(cel_one_price);
CEL_RULE(cel_overlay_capacity);
CEL_RULE(cel_buffer_size);
CEL_RULE(cel_buffer_target);

/* EC2NodeClass (crd_rules_nodeclass.c). */
CEL_RULE(cel_role_or_profile);
CEL_RULE(cel_family_al2);
CEL_RULE(cel_family_al2023);
CEL_RULE(cel_family_bottlerocket);
CEL_RULE(cel_family_windows2019);
CEL_RULE(cel_family_windows2022);
CEL_RULE(cel_family_windows2025);
CEL_RULE(cel_family_without_alias);
CEL_RULE(cel_ami_one_of);
CEL_RULE(cel_ami_id_alone);
CEL_RULE(cel_ami_alias_alone);
CEL_RULE(cel_ami_alias_only_term);
CEL_RULE(cel_alias_format);
CEL_RULE(cel_alias_family);
CEL_RULE(cel_alias_windows_latest);
CEL_RULE(cel_tags_not_empty);
CEL_RULE(cel_one_root_volume);
CEL_RULE(cel_ebs_source);
CEL_RULE(cel_ebs_initialization);
CEL_RULE(cel_reservation_one_of);
CEL_RULE(cel_reservation_id_alone);
CEL_RULE(cel_tracking_one_of);
CEL_RULE(cel_image_gc_order);
CEL_RULE(cel_soft_has_grace);
CEL_RULE(cel_grace_has_soft);
CEL_RULE(cel_eviction_keys);
CEL_RULE(cel_reserved_keys);
CEL_RULE(cel_reserved_not_negative);
CEL_RULE(cel_interfaces_primary);
CEL_RULE(cel_interfaces_distinct);
CEL_RULE(cel_placement_one_of);
CEL_RULE(cel_placement_not_both);
CEL_RULE(cel_list_not_empty);
CEL_RULE(cel_group_one_of);
CEL_RULE(cel_group_id_alone);
CEL_RULE(cel_group_name_alone);
CEL_RULE(cel_subnet_one_of);
CEL_RULE(cel_subnet_id_alone);
CEL_RULE(cel_tag_keys_not_empty);
CEL_RULE(cel_tag_not_cluster_name);
CEL_RULE(cel_tag_not_cluster);
CEL_RULE(cel_tag_not_nodepool);
CEL_RULE(cel_tag_not_nodeclaim);
CEL_RULE(cel_tag_not_nodeclass);
