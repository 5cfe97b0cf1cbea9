#include "rep_types.h"

#include "table.h"

static void offering(struct emit *e, const struct report *r, const struct offering *o)
{
	emit_map(e);
	emit_kv_str(e, "zone", report_text(r, o->zone));
	emit_kv_str(e, "zoneID", report_text(r, o->zone_id));
	emit_kv_str(e, "capacityType", report_text(r, o->capacity_type));
	emit_kv_double(e, "price", o->price);
	emit_kv_bool(e, "available", o->available);
	if (o->reservation != SID_NONE) {
		emit_kv_str(e, "reservationID", report_text(r, o->reservation));
		if (o->reservation_cap)
			emit_kv_int(e, "reservationCapacity", o->reservation_cap);
	}
	emit_end(e);
}

void rep_type(struct emit *e, const struct report *r, const struct itype *t)
{
	emit_map(e);
	emit_kv_str(e, "name", report_text(r, t->name));
	rep_resources(e, r, "capacity", &t->capacity);
	emit_kv_map(e, "overhead");
	rep_resources(e, r, "kubeReserved", &t->kube_reserved);
	rep_resources(e, r, "systemReserved", &t->system_reserved);
	rep_resources(e, r, "evictionThreshold", &t->eviction);
	emit_end(e);
	rep_resources(e, r, "allocatable", &t->allocatable);
	rep_requirements(e, r, "requirements", t->reqs, false);
	emit_kv_seq(e, "offerings");
	for (uint32_t i = 0; i < t->noffering; i++)
		offering(e, r, &t->offering[i]);
	emit_end(e);
	emit_end(e);
}

void rep_types(struct emit *e, const struct report *r, sid node_class, const struct itype_list *types)
{
	emit_map(e);
	emit_kv_cstr(e, "kind", "InstanceTypes");
	emit_kv_str(e, "nodeClass", report_text(r, node_class));
	emit_kv_seq(e, "types");
	for (uint32_t i = 0; i < types->n; i++)
		rep_type(e, r, &types->v[i]);
	emit_end(e);
	emit_end(e);
}

static void cell_amount(struct table *t, const struct reslist *l, sid name, double unit)
{
	table_cell(t, "%.6g", quantity_double(reslist_amount(l, name)) / unit);
}

/* The cheapest available offering of a capacity type. */
static void cell_price(struct table *t, const struct itype *it, sid capacity_type)
{
	const struct offering *best = NULL;

	for (uint32_t i = 0; i < it->noffering; i++) {
		const struct offering *o = &it->offering[i];

		if (o->available && o->capacity_type == capacity_type && (!best || o->price < best->price))
			best = o;
	}
	if (best)
		table_cell(t, "%.4f", best->price);
	else
		table_cell(t, "-");
}

void rep_types_text(struct buf *out, const struct report *r, sid node_class, const struct itype_list *types,
		    uint32_t width)
{
	static const struct table_column columns[] = {
		{"TYPE", false, true}, {"CPU", true, false},       {"MEM-GIB", true, false},
		{"PODS", true, false}, {"FREE-CPU", true, false},  {"FREE-GIB", true, false},
		{"SPOT", true, false}, {"ON-DEMAND", true, false},
	};
	const double gib = 1 << 30;
	struct table t;

	table_init(&t, r->scratch, columns, sizeof(columns) / sizeof(columns[0]));
	for (uint32_t i = 0; i < types->n; i++) {
		const struct itype *it = &types->v[i];

		table_cell(&t, "%s", intern_c(r->c->in, it->name));
		cell_amount(&t, &it->capacity, RES_CPU, 1);
		cell_amount(&t, &it->capacity, RES_MEMORY, gib);
		cell_amount(&t, &it->capacity, RES_PODS, 1);
		cell_amount(&t, &it->allocatable, RES_CPU, 1);
		cell_amount(&t, &it->allocatable, RES_MEMORY, gib);
		cell_price(&t, it, CAP_SPOT);
		cell_price(&t, it, CAP_ON_DEMAND);
	}
	table_print(&t, out, width);
	buf_addf(out, "%u instance types for EC2NodeClass %s\n", types->n, intern_c(r->c->in, node_class));
}
