#pragma once
/*
 * Ready instance types as they are written, shared by InstanceTypeSet documents and KWOK files: requirements
 * stay as the API has them until the set's types are made.
 */
#include "loader.h"

struct offering_record {
	struct offering o;
	uint32_t nreq;
	struct api_requirement *req;
	int64_t capacity;
};

struct type_record {
	struct itype t;
	uint32_t nreq, noffering;
	struct api_requirement *req;
	struct offering_record *offering;
};

void offering_record_init(void *rec);
/* The types of a set from their records; false after an error. */
bool types_finish(struct loader *l, const struct type_record *v, uint32_t n, struct span at,
		  struct itype_list *ret_types);
/* A list of instance types as Karpenter's KWOK provider reads it. */
bool load_kwok(struct loader *l, const struct doc_node *n, struct instance_type_set *ret_set);
