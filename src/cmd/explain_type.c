#include "explain_type.h"

#include <stdio.h>
#include <string.h>

#include "bits.h"
#include "ec2_types.h"
#include "explain.h"
#include "input.h"
#include "rep_types.h"
#include "table.h"
#include "world.h"

struct subject {
	struct run *r;
	struct cluster *c;
	const struct catalog *cat;
	const struct ec2_node_class *node_class;
	const struct itype *type;
	const struct ec2_type *facts;
};

static const char *name_of(const struct subject *s, sid id)
{
	return intern_c(s->c->in, id);
}

/* -- allocatable -- */

static void line(const struct subject *s, const char *what, const char *amount, const char *why)
{
	buf_addf(&s->r->out, "  %-17s%12s%s%s\n", what, amount, *why ? "   " : "", why);
}

static const char *amount(const struct subject *s, const char *sign, const struct reslist *l, sid name)
{
	const struct res_item *it = reslist_find(l, name);
	struct buf b;
	const char *out;

	struct quantity q = {it ? it->v : 0, it ? it->format : (uint8_t)QTY_DECIMAL};

	buf_init(&b);
	/* Karpenter writes large doubles with exponents, which nobody reads. */
	if (q.format == QTY_EXPONENT)
		q.format = QTY_BINARY;
	quantity_print(&b, q);
	out = arena_printf(&s->r->arena, "%s%s", it && it->v != 0 ? sign : "", buf_cstr(&b));
	buf_release(&b);
	return out;
}

/* The lines below the capacity, which are alike for every resource. */
static void overheads(const struct subject *s, sid name, const char *kube_why)
{
	const struct itype *t = s->type;

	line(s, "kube-reserved", amount(s, "-", &t->kube_reserved, name),
	     reslist_find(&s->node_class->kubelet.kube_reserved, name) ? "kubelet.kubeReserved" : kube_why);
	if (reslist_find(&t->system_reserved, name))
		line(s, "system-reserved", amount(s, "-", &t->system_reserved, name),
		     "kubelet.systemReserved");
	if (reslist_find(&t->eviction, name))
		line(s, "eviction", amount(s, "-", &t->eviction, name), "");
	line(s, "for pods", amount(s, "", &t->allocatable, name), "");
}

static void memory(const struct subject *s, const struct ec2_account *a)
{
	struct arena *m = &s->r->arena;

	buf_adds(&s->r->out, "\nmemory\n");
	line(s, "EC2's figure", arena_printf(m, "%lldMi", (long long)a->memory_mib), "");
	if (a->graviton_mib)
		line(s, "kernel", arena_printf(m, "-%lldMi", (long long)a->graviton_mib), "kept on Graviton");
	line(s, "VM overhead", arena_printf(m, "-%lldMi", (long long)a->vm_overhead_mib),
	     arena_printf(m, "%.4g%%, rounded up", s->c->settings.vm_memory_overhead * 100));
	line(s, "capacity", amount(s, "", &s->type->capacity, RES_MEMORY), "");
	overheads(s, RES_MEMORY,
		  arena_printf(m, "11Mi for each of %lld pods, and 255Mi", (long long)a->density));
}

static void pods(const struct subject *s, const struct ec2_account *a)
{
	const struct ec2_type *t = s->facts;
	struct arena *m = &s->r->arena;
	const char *why = "";

	switch (a->rule) {
	case PODS_FROM_ENIS:
		why = arena_printf(m, "%d interfaces of %d addresses less 1, and 2",
				   t->default_card_enis - a->reserved_enis, t->ipv4_per_eni);
		break;
	case PODS_FROM_MAX_PODS:
		why = "kubelet.maxPods";
		break;
	case PODS_FIXED:
		why = "the AMI family does not count addresses";
		break;
	case PODS_PER_CORE:
		why = arena_printf(m, "kubelet.podsPerCore, %d for each of %d CPUs",
				   s->node_class->kubelet.pods_per_core, t->vcpus);
		break;
	}
	buf_adds(&s->r->out, "\npods\n");
	line(s, "capacity", arena_printf(m, "%lld", (long long)a->pods), why);
}

static void allocatable(const struct subject *s)
{
	struct ec2_account a = ec2_account_of(s->c, s->cat, s->node_class, s->facts);

	memory(s, &a);
	buf_adds(&s->r->out, "\ncpu\n");
	line(s, "capacity", amount(s, "", &s->type->capacity, RES_CPU), "");
	overheads(s, RES_CPU, "6% of the first core, less of the others");
	buf_adds(&s->r->out, "\nephemeral-storage\n");
	line(s, "capacity", amount(s, "", &s->type->capacity, RES_EPHEMERAL),
	     s->node_class->raid0 && s->facts->storage_gb ? "instance store, RAID0" : "");
	overheads(s, RES_EPHEMERAL, "");
	pods(s, &a);
}

/* -- offerings -- */

/* Why an offering is not available. */
static const char *unavailable(const struct subject *s, const struct offering *o)
{
	uint32_t ti = catalog_type(s->cat, s->c->in, s->type->name), z = catalog_zone(s->cat, o->zone);
	bool subnet = false;

	if (s->type->incompatible)
		return "the EC2NodeClass rules the type out";
	if (z == UINT32_MAX || !bits_test(s->cat->offered, ti * s->cat->nzone + z))
		return "not offered there";
	for (uint32_t i = 0; i < s->node_class->nsubnet; i++)
		subnet |= s->node_class->subnet[i].zone == o->zone;
	if (!subnet)
		return "no subnet of the EC2NodeClass";
	if (o->price > 0)
		return o->reservation != SID_NONE ? "no instance of the reservation is free"
						  : "no capacity (--ice, Settings)";
	return "no price";
}

static const char *price_note(const struct subject *s, const struct offering *o)
{
	enum price_flag flag =
		catalog_price_flag(s->cat, s->c->in, s->type->name, o->zone, o->capacity_type, o->price);

	return flag == PRICE_REGIONAL ? "regional figure" : flag == PRICE_ESTIMATED ? "estimated" : "";
}

static void offerings(const struct subject *s)
{
	static const struct table_column columns[] = {
		{"ZONE", false, false}, {"CAPACITY", false, false}, {"$/H", true, false}, {"", false, true}};
	struct table t;

	buf_addch(&s->r->out, '\n');
	table_init(&t, &s->r->arena, columns, sizeof(columns) / sizeof(columns[0]));
	for (uint32_t i = 0; i < s->type->noffering; i++) {
		const struct offering *o = &s->type->offering[i];

		table_cell(&t, "%s", name_of(s, o->zone));
		table_cell(&t, "%s", name_of(s, o->capacity_type));
		if (o->price > 0)
			table_cell(&t, "%.4f", o->price);
		else
			table_cell(&t, "-");
		table_cell(&t, "%s", o->available ? price_note(s, o) : unavailable(s, o));
	}
	table_print(&t, &s->r->out, SCREEN_WIDTH);
}

/* -- NodePools -- */

/* How a requirement of a pool keeps the type out; NULL: it does not. */
static const char *refuses(const struct subject *s, reqid r)
{
	struct reqpool *rp = s->c->rp;
	keyid key = req_get(rp, r)->key;
	reqid has = rset_find(rp, s->type->reqs, key);
	rsetid one = rset_add(rp, RSET_EMPTY, r);
	rsetid mine = has == REQ_NONE ? RSET_EMPTY : rset_add(rp, RSET_EMPTY, has);
	const char *text;
	struct buf b;

	if (rset_compatible(rp, one, mine, true))
		return NULL;
	buf_init(&b);
	buf_adds(&b, "kept out by ");
	req_print(rp, &b, r);
	buf_adds(&b, ", the type has ");
	size_t from = b.n, key_length = intern_str(s->c->in, req_key_name(rp, key)).n + 1;

	req_print(rp, &b, has);
	memmove(b.p + from, b.p + from + key_length, b.n - from - key_length + 1);
	text = arena_strndup(&s->r->arena, b.p, b.n);
	buf_release(&b);
	return text;
}

static uint32_t usable_offerings(const struct subject *s, rsetid reqs)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->type->noffering; i++)
		n += s->type->offering[i].available &&
		     rset_compatible(s->c->rp, reqs, s->type->offering[i].reqs, true);
	return n;
}

struct pool_verdict {
	uint32_t n;           /* requirements that keep the type out */
	const char **refusal; /* how */
	uint32_t usable;      /* offerings, if none does */
};

static struct pool_verdict judge(const struct subject *s, const struct node_pool *pool)
{
	struct reqpool *rp = s->c->rp;
	rsetid reqs = input_pool_requirements(rp, RSET_EMPTY, pool);
	uint32_t *order = rset_by_name(rp, reqs, &s->r->arena), n = rset_get(rp, reqs)->n;
	struct pool_verdict v = {.refusal = ARENA_ARRAY(&s->r->arena, const char *, (size_t)n + 1)};

	for (uint32_t i = 0; i < n; i++) {
		const char *text = refuses(s, rset_get(rp, reqs)->req[order[i]]);

		if (text)
			v.refusal[v.n++] = text;
	}
	v.usable = v.n ? 0 : usable_offerings(s, reqs);
	if (!v.n && !v.usable)
		v.refusal[v.n++] = "kept out: no available offering is of an allowed zone and capacity type";
	return v;
}

static void print_verdict(const struct subject *s, const struct node_pool *pool)
{
	struct pool_verdict v = judge(s, pool);

	buf_addf(&s->r->out, "\nNodePool %s\n", name_of(s, pool->meta.name));
	if (pool->class_ref.name != s->node_class->meta.name)
		buf_addf(&s->r->out, "  uses EC2NodeClass %s, not the one above\n",
			 name_of(s, pool->class_ref.name));
	for (uint32_t i = 0; i < v.n; i++) {
		buf_adds(&s->r->out, "  ");
		text_wrap(&s->r->out, v.refusal[i], 2, 4, SCREEN_WIDTH);
	}
	if (!v.n)
		buf_addf(&s->r->out, "  allowed: %u of %u offerings\n", v.usable, s->type->noffering);
}

static void emit_verdict(struct emit *e, const struct subject *s, const struct node_pool *pool)
{
	struct pool_verdict v = judge(s, pool);

	emit_map(e);
	emit_kv_cstr(e, "nodePool", name_of(s, pool->meta.name));
	emit_kv_cstr(e, "nodeClass", name_of(s, pool->class_ref.name));
	emit_kv_bool(e, "allowed", !v.n);
	emit_kv_int(e, "offerings", v.usable);
	emit_kv_seq(e, "keptOut");
	for (uint32_t i = 0; i < v.n; i++)
		emit_cstr(e, v.refusal[i]);
	emit_end(e);
	emit_end(e);
}

/* -- the whole -- */

static void print_subject(const struct subject *s)
{
	buf_addf(&s->r->out, "%s in %s, as EC2NodeClass %s sees it\n", name_of(s, s->type->name),
		 name_of(s, s->cat->region), name_of(s, s->node_class->meta.name));
	allocatable(s);
	offerings(s);
	for (uint32_t i = 0; i < s->c->pools.n; i++)
		print_verdict(s, &s->c->pools.v[i]);
}

static void emit_subject(const struct subject *s)
{
	const struct report report = {.c = s->c, .scratch = &s->r->arena};
	struct emit e;

	explain_open(&e, s->r, "type", name_of(s, s->type->name));
	emit_kv_cstr(&e, "region", name_of(s, s->cat->region));
	emit_kv_cstr(&e, "nodeClass", name_of(s, s->node_class->meta.name));
	emit_key(&e, "type");
	rep_type(&e, &report, s->type);
	emit_kv_seq(&e, "unavailable");
	for (uint32_t i = 0; i < s->type->noffering; i++) {
		const struct offering *o = &s->type->offering[i];

		if (o->available)
			continue;
		emit_map(&e);
		emit_kv_cstr(&e, "zone", name_of(s, o->zone));
		emit_kv_cstr(&e, "capacityType", name_of(s, o->capacity_type));
		emit_kv_cstr(&e, "why", unavailable(s, o));
		emit_end(&e);
	}
	emit_end(&e);
	emit_kv_seq(&e, "nodePools");
	for (uint32_t i = 0; i < s->c->pools.n; i++)
		emit_verdict(&e, s, &s->c->pools.v[i]);
	emit_end(&e);
	explain_close(&e);
}

int explain_type(struct run *r, const char *name)
{
	struct subject s = {.r = r, .c = input_load_any(r)};
	const struct itype_list *types;

	if (!s.c)
		return RC_BAD_INPUT;
	if (cluster_generic(s.c)) {
		diag(&r->diags, KS_EXPLAIN_SUBJECT, SPAN_NONE,
		     "ready instance types are as their file tells");
		return RC_BAD_INPUT;
	}
	s.cat = world_catalog(r, s.c);
	if (!s.cat)
		return RC_BAD_INPUT;
	/* The class of the first NodePool, else the first there is, else a plain one. */
	if (s.c->pools.n)
		s.node_class = cluster_class(s.c, s.c->pools.v[0].class_ref.name);
	if (!s.node_class && s.c->classes.n)
		s.node_class = &s.c->classes.v[0];
	types = world_class_types(r, s.c, s.cat, &s.node_class);
	s.type = itype_find(types, intern_cstr(s.c->in, name));
	if (!s.type) {
		diag(&r->diags, KS_CATALOG_NO_TYPE, SPAN_NONE, "%s has no instance type \"%s\"",
		     name_of(&s, s.cat->region), name);
		return RC_BAD_INPUT;
	}
	s.facts = &s.cat->type[catalog_type(s.cat, s.c->in, s.type->name)];
	if (explain_json(r))
		emit_subject(&s);
	else
		print_subject(&s);
	return RC_OK;
}
