#pragma once
/*
 * Names that the rules mention, with fixed interned ids: labels_init() interns the rows of label.def first of
 * all, so that LBL_ZONE is the id of "topology.kubernetes.io/zone" in every pool.
 */
#include "intern.h"

#define LABEL_CORE 1 /* well known to core Karpenter */
#define LABEL_AWS 2  /* well known to the AWS provider */

enum label_id {
	LABEL_NULL_, /* the empty string has id 0 */
#define LABEL(id, text, flags) id,
#include "label.def"
#undef LABEL
	LABEL_MAX_
};

/* Must be the first thing interned after intern_init(). */
void labels_init(struct intern *in);
/* LABEL_CORE | LABEL_AWS flags of an id of the table; 0 for any other id. */
unsigned label_flags(sid id);
/* Old spellings of a key (failure-domain.beta.kubernetes.io/zone, ...) map to the present one; others to
 * themselves. */
sid label_normalize(struct intern *in, sid key);
/* The text before '/', or empty. */
struct str label_domain(struct str key);
