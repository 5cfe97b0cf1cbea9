#include "types.h"

struct set_record {
	struct instance_type_set s;
	uint32_t n;
	struct type_record *type;
};

static const struct field offering_fields[] = {
	FIELD_LIST("requirements", requirement_schema, struct api_requirement, struct offering_record, nreq,
		   req),
	FIELD("price", load_amount, struct offering_record, o.price),
	FIELD("available", load_bool, struct offering_record, o.available),
	FIELD("reservationCapacity", load_count, struct offering_record, capacity),
};

void offering_record_init(void *rec)
{
	struct offering_record *r = rec;

	r->o.available = true;
	r->o.zone = r->o.zone_id = r->o.capacity_type = r->o.reservation = SID_NONE;
}

static const struct schema offering_schema = SCHEMA_OF(offering_fields, offering_record_init);

static const struct field overhead_fields[] = {
	FIELD("kubeReserved", load_reslist, struct itype, kube_reserved),
	FIELD("systemReserved", load_reslist, struct itype, system_reserved),
	FIELD("evictionThreshold", load_reslist, struct itype, eviction),
};
static const struct schema overhead_schema = SCHEMA_OF(overhead_fields, NULL);

static const struct field type_fields[] = {
	FIELD_REQUIRED("name", load_string, struct type_record, t.name),
	FIELD_LIST("requirements", requirement_schema, struct api_requirement, struct type_record, nreq, req),
	FIELD("capacity", load_reslist, struct type_record, t.capacity),
	FIELD_IN("overhead", overhead_schema),
	FIELD_LIST("offerings", offering_schema, struct offering_record, struct type_record, noffering,
		   offering),
};
static const struct schema type_schema = SCHEMA_OF(type_fields, NULL);

static const struct field set_spec_fields[] = {
	FIELD_COUNTED("nodePools", load_strings, struct set_record, s.npool, s.pool),
	FIELD_LIST("instanceTypes", type_schema, struct type_record, struct set_record, n, type),
};
static const struct schema set_spec_schema = SCHEMA_OF(set_spec_fields, NULL);

static const struct field set_fields[] = {
	FIELD_IN("spec", set_spec_schema),
	FIELD_KNOWN("metadata"),
};
static const struct schema set_schema = SCHEMA_OF(set_fields, NULL);

static bool requirements_of(struct loader *l, const struct api_requirement *v, uint32_t n, struct span at,
			    rsetid *ret_set)
{
	rsetid s = RSET_EMPTY;

	for (uint32_t i = 0; i < n; i++) {
		enum req_op op;

		if (!req_op_parse(intern_str(l->in, v[i].op), &op)) {
			diag(l->d, KS_BAD_VALUE, at, "requirement '%s': '%s' is no operator",
			     intern_c(l->in, v[i].key), intern_c(l->in, v[i].op));
			return false;
		}
		s = rset_add(l->c->rp, s,
			     req_make(l->c->rp, req_key(l->c->rp, v[i].key), op, v[i].values, v[i].n,
				      v[i].min_values));
	}
	*ret_set = s;
	return true;
}

/* The single value of a key; SID_NONE when the set does not mention it. */
static sid value_of(struct loader *l, rsetid s, sid key)
{
	reqid r = key == SID_NONE ? REQ_NONE : rset_find(l->c->rp, s, req_key(l->c->rp, key));

	return r == REQ_NONE ? SID_NONE : req_any(l->c->rp, r);
}

static bool finish_type(struct loader *l, const struct type_record *r, struct span at, struct itype *ret_type)
{
	struct itype t = r->t;

	if (!requirements_of(l, r->req, r->nreq, at, &t.reqs))
		return false;
	t.allocatable = itype_allocatable(l->in, l->arena, &t);
	t.noffering = r->noffering;
	t.offering = ARENA_ARRAY(l->arena, struct offering, r->noffering);
	for (uint32_t i = 0; i < r->noffering; i++) {
		struct offering o = r->offering[i].o;

		if (!requirements_of(l, r->offering[i].req, r->offering[i].nreq, at, &o.reqs))
			return false;
		o.zone = value_of(l, o.reqs, LBL_ZONE);
		o.zone_id = value_of(l, o.reqs, LBL_ZONE_ID);
		o.capacity_type = value_of(l, o.reqs, LBL_CAPACITY_TYPE);
		o.reservation = value_of(l, o.reqs, l->c->settings.reservation_label);
		o.reservation_cap = (int32_t)r->offering[i].capacity;
		t.offering[i] = o;
	}
	*ret_type = t;
	return true;
}

bool types_finish(struct loader *l, const struct type_record *v, uint32_t n, struct span at,
		  struct itype_list *ret_types)
{
	bool ok = true;

	*ret_types = (struct itype_list){n, ARENA_ARRAY(l->arena, struct itype, n)};
	for (uint32_t i = 0; i < n; i++)
		ok &= finish_type(l, &v[i], at, &ret_types->v[i]);
	return ok;
}

bool load_type_set(struct loader *l, const struct doc_node *n)
{
	VEC_PUSH(l->arena, &l->type_sets, ((struct type_set_doc){l->doc, n}));
	/* Counted at once: that they are there decides what is well known. */
	load_add(l, LK_TYPE_SET);
	return true;
}

static bool load_set(struct loader *l, const struct doc_node *n, struct instance_type_set *ret_set)
{
	struct set_record r = {0};

	l->root = &set_schema;
	if (!schema_decode(l, &set_schema, n, &r))
		return false;
	*ret_set = r.s;
	return types_finish(l, r.type, r.n, load_span(l, n), &ret_set->types);
}

bool load_type_sets(struct loader *l)
{
	bool ok = true;

	for (uint32_t i = 0; i < l->type_sets.n; i++) {
		const struct doc_node *n = l->type_sets.v[i].node;
		struct instance_type_set *out = record_at(l, LK_TYPE_SET, i);

		l->doc = l->type_sets.v[i].doc;
		ok &= n->kind == DOC_SEQ ? load_kwok(l, n, out) : load_set(l, n, out);
		out->at = load_span(l, n);
	}
	return ok;
}
