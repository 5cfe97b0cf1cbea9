#include "types.h"

#define KWOK "karpenter.kwok.sh/"

/* An entry of instance_types.json. */
struct kwok_record {
	struct type_record type;
	sid arch;
	uint32_t nos;
	sid *os;
};

/* Go reads keys without regard to case; both spellings are in use. */
static const struct field offering_fields[] = {
	FIELD_LIST("Requirements", requirement_schema, struct api_requirement, struct offering_record, nreq,
		   req),
	FIELD_LIST("requirements", requirement_schema, struct api_requirement, struct offering_record, nreq,
		   req),
	FIELD("Price", load_amount, struct offering_record, o.price),
	FIELD("price", load_amount, struct offering_record, o.price),
	FIELD("Available", load_bool, struct offering_record, o.available),
	FIELD("available", load_bool, struct offering_record, o.available),
	FIELD("ReservationCapacity", load_count, struct offering_record, capacity),
	FIELD("reservationCapacity", load_count, struct offering_record, capacity),
};
static const struct schema offering_schema = SCHEMA_OF(offering_fields, offering_record_init);

static const struct field kwok_fields[] = {
	FIELD_REQUIRED("name", load_string, struct kwok_record, type.t.name),
	FIELD_REQUIRED("architecture", load_string, struct kwok_record, arch),
	FIELD_COUNTED("operatingSystems", load_strings, struct kwok_record, nos, os),
	FIELD("resources", load_reslist, struct kwok_record, type.t.capacity),
	FIELD_LIST("offerings", offering_schema, struct offering_record, struct kwok_record, type.noffering,
		   type.offering),
};
static const struct schema kwok_schema = SCHEMA_OF(kwok_fields, NULL);

struct kwok_list {
	uint32_t n;
	struct kwok_record *v;
};

static const struct field list_field =
	FIELD_LIST("", kwok_schema, struct kwok_record, struct kwok_list, n, v);

/* The text before the first . or -, else the first letter. */
static sid family_of(struct loader *l, struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (name.p[i] == '.' || name.p[i] == '-')
			return intern_put(l->in, (struct str){name.p, i});
	return intern_put(l->in, (struct str){name.p, name.n ? 1 : 0});
}

static bool is_word(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c != '_' && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z'))
			return false;
	}
	return s.n > 0;
}

/* What follows the dot of a name in the manner of EC2; SID_NONE for other names. */
static sid size_of(struct loader *l, struct str name)
{
	static const char *const sizes[] = {"nano", "micro", "small", "medium", "large", "metal"};
	const char *dot = name.n ? memchr(name.p, '.', name.n) : NULL;
	struct str size, digits;

	if (!dot || !is_word((struct str){name.p, (size_t)(dot - name.p)}))
		return SID_NONE;
	size = (struct str){dot + 1, name.n - (size_t)(dot - name.p) - 1};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		if (str_is(size, sizes[i]))
			return intern_put(l->in, size);
	if (!str_ends(size, "xlarge"))
		return SID_NONE;
	digits = (struct str){size.p, size.n - strlen("xlarge")};
	for (size_t i = 0; i < digits.n; i++)
		if (digits.p[i] < '0' || digits.p[i] > '9')
			return SID_NONE;
	return intern_put(l->in, size);
}

static sid amount_text(struct loader *l, const struct reslist *r, sid name)
{
	const struct res_item *it = reslist_find(r, name);
	struct buf b;
	sid out = SID_EMPTY;

	if (!it)
		return out;
	buf_init(&b);
	quantity_print(&b, (struct quantity){it->v, it->format});
	out = intern_put(l->in, (struct str){b.p, b.n});
	buf_release(&b);
	return out;
}

static void add_req(struct loader *l, struct type_record *t, sid key, const sid *values, uint32_t n)
{
	t->req[t->nreq++] =
		(struct api_requirement){.key = key,
					 .op = intern_cstr(l->in, "In"),
					 .n = n,
					 .values = arena_memdup(l->arena, values, n, sizeof(*values)),
					 .min_values = -1};
}

/* The values that the offerings give a key. */
static void add_offered(struct loader *l, struct type_record *t, sid key)
{
	VEC(sid) all = {0};

	VEC_RESERVE(l->arena, &all, 1);
	for (uint32_t i = 0; i < t->noffering; i++)
		for (uint32_t k = 0; k < t->offering[i].nreq; k++)
			for (uint32_t m = 0; t->offering[i].req[k].key == key && m < t->offering[i].req[k].n;
			     m++)
				VEC_PUSH(l->arena, &all, t->offering[i].req[k].values[m]);
	add_req(l, t, key, all.v, all.n);
}

/* What the KWOK provider adds: labels from the name and the resources, 110 pods, and a fixed overhead. */
static void complete(struct loader *l, struct kwok_record *r)
{
	struct type_record *t = &r->type;
	sid cpu = amount_text(l, &t->t.capacity, RES_CPU),
	    memory = amount_text(l, &t->t.capacity, RES_MEMORY);
	sid family = family_of(l, intern_str(l->in, t->t.name)),
	    size = size_of(l, intern_str(l->in, t->t.name));
	struct reslist *reserved = &t->t.kube_reserved;
	struct quantity q;

	t->req = ARENA_ARRAY(l->arena, struct api_requirement, 9);
	add_req(l, t, LBL_INSTANCE_TYPE, &t->t.name, 1);
	add_req(l, t, LBL_ARCH, &r->arch, 1);
	if (r->nos)
		add_req(l, t, LBL_OS, r->os, r->nos);
	add_offered(l, t, LBL_ZONE);
	add_offered(l, t, LBL_CAPACITY_TYPE);
	add_req(l, t, intern_cstr(l->in, KWOK "instance-size"), size == SID_NONE ? &cpu : &size, 1);
	add_req(l, t, intern_cstr(l->in, KWOK "instance-family"), &family, 1);
	add_req(l, t, intern_cstr(l->in, KWOK "instance-cpu"), &cpu, 1);
	add_req(l, t, intern_cstr(l->in, KWOK "instance-memory"), &memory, 1);
	if (!reslist_find(&t->t.capacity, RES_PODS))
		t->t.capacity = reslist_set(l->in, l->arena, &t->t.capacity, RES_PODS,
					    (struct quantity){qty_of(110), QTY_DECIMAL});
	quantity_parse(STR_LIT("100m"), &q);
	*reserved = reslist_set(l->in, l->arena, reserved, RES_CPU, q);
	quantity_parse(STR_LIT("10Mi"), &q);
	*reserved = reslist_set(l->in, l->arena, reserved, RES_MEMORY, q);
}

static void add_well_known(struct loader *l, const struct kwok_record *r)
{
	for (uint32_t i = 0; i < r->type.noffering; i++)
		for (uint32_t k = 0; k < r->type.offering[i].nreq; k++)
			reqpool_add_well_known(l->c->rp, r->type.offering[i].req[k].key);
}

bool load_kwok(struct loader *l, const struct doc_node *n, struct instance_type_set *ret_set)
{
	static const char *const labels[] = {KWOK "instance-size", KWOK "instance-family",
					     KWOK "instance-cpu", KWOK "instance-memory"};
	struct kwok_list list = {0};
	struct type_record *v;

	l->root = &kwok_schema;
	if (!load_list(l, &list_field, n, &list))
		return false;
	for (size_t i = 0; i < sizeof(labels) / sizeof(*labels); i++)
		reqpool_add_well_known(l->c->rp, intern_cstr(l->in, labels[i]));
	v = ARENA_ARRAY(l->arena, struct type_record, list.n);
	for (uint32_t i = 0; i < list.n; i++) {
		add_well_known(l, &list.v[i]);
		complete(l, &list.v[i]);
		v[i] = list.v[i].type;
	}
	return types_finish(l, v, list.n, load_span(l, n), &ret_set->types);
}
