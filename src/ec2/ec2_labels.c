#include <ctype.h>

#include "bits.h"
#include "ec2_impl.h"

/* Requirements of one type as they are collected. */
struct label_build {
	const struct ec2_ctx *x;
	uint32_t n;
	reqid req[40];
};

static void add(struct label_build *b, reqid r)
{
	KS_BUG_ON(b->n == sizeof(b->req) / sizeof(b->req[0]));
	b->req[b->n++] = r;
}

struct label_memo *ec2_label_memo(struct arena *a, struct reqpool *rp)
{
	struct label_memo *m = ARENA_ARRAY(a, struct label_memo, LABEL_MAX_);

	for (sid i = 1; i < LABEL_MAX_; i++)
		if (label_flags(i)) {
			m[i].key = req_key(rp, i);
			m[i].none = req_make(rp, m[i].key, OP_DOES_NOT_EXIST, NULL, 0, -1);
		}
	return m;
}

/* In the values, or DoesNotExist without any (IT-40: a label whose condition fails). */
static void add_values(struct label_build *b, sid label, const sid *v, uint32_t n)
{
	const struct label_memo *m = &b->x->memo[label];

	add(b, n ? req_make(b->x->rp, m->key, OP_IN, v, n, -1) : m->none);
}

static void add_if(struct label_build *b, sid label, bool present, sid v)
{
	struct label_memo *m = &b->x->memo[label];

	if (present && !(m->any && m->value == v)) {
		m->in = req_in1(b->x->rp, m->key, v);
		m->value = v;
		m->any = true;
	}
	add(b, present ? m->in : m->none);
}

static void add_value(struct label_build *b, sid label, sid v)
{
	add_if(b, label, true, v);
}

static sid number(struct intern *in, int64_t v)
{
	char text[24], *p = text + sizeof(text);
	uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;

	do
		*--p = (char)('0' + u % 10);
	while (u /= 10);
	if (v < 0)
		*--p = '-';
	return intern_put(in, (struct str){p, (size_t)(text + sizeof(text) - p)});
}

static void add_number(struct label_build *b, sid label, bool present, int64_t v)
{
	struct label_memo *m = &b->x->memo[label];

	if (present && !(m->any && m->value == v)) {
		m->in = req_in1(b->x->rp, m->key, number(b->x->in, v));
		m->value = v;
		m->any = true;
	}
	add(b, present ? m->in : m->none);
}

static void add_bool(struct label_build *b, sid label, bool v)
{
	add_value(b, label, v ? STR_TRUE : STR_FALSE);
}

/* "RTX PRO 4500" -> "rtx-pro-4500". */
static sid kebab(const struct ec2_ctx *x, sid text)
{
	struct str s = intern_str(x->in, text);
	char out[128];
	size_t n = s.n < sizeof(out) ? s.n : sizeof(out);

	for (size_t i = 0; i < n; i++)
		out[i] = s.p[i] == ' ' ? '-' : (char)tolower((unsigned char)s.p[i]);
	return intern_put(x->in, (struct str){out, n});
}

sid ec2_arch(const struct ec2_type *t)
{
	if (t->arm64 && (t->arm64_first || !t->x86))
		return STR_ARM64;
	return t->x86 ? STR_AMD64 : SID_NONE;
}

static void add_zones(struct label_build *b, const uint64_t *zones)
{
	const struct ec2_ctx *x = b->x;
	sid *names = ARENA_ARRAY(x->arena, sid, x->cat->nzone);
	sid *ids = ARENA_ARRAY(x->arena, sid, x->cat->nzone);
	uint32_t n = 0;

	BITS_EACH (z, zones, BITS_WORDS(x->cat->nzone)) {
		names[n] = x->cat->zone[z].name;
		ids[n++] = x->zone_id[z];
	}
	add_values(b, LBL_ZONE, names, n);
	if (n)
		add_values(b, LBL_ZONE_ID, ids, n); /* the key is left out otherwise */
}

/* Capacity types, and what the reservations of the type say. */
static void add_capacity(struct label_build *b, const struct ec2_type *t)
{
	const struct ec2_ctx *x = b->x;
	const struct ec2_node_class *nc = x->nc;
	uint32_t max = nc->nreservation + 1, n = 0, ncap = 0;
	sid *id = ARENA_ARRAY(x->arena, sid, max);
	sid *type = ARENA_ARRAY(x->arena, sid, max);
	sid *interruptible = ARENA_ARRAY(x->arena, sid, max);
	sid cap[3];

	for (uint32_t i = 0; i < nc->nreservation; i++) {
		if (nc->reservation[i].instance_type != t->name)
			continue;
		id[n] = nc->reservation[i].id;
		type[n] = nc->reservation[i].type;
		interruptible[n++] = nc->reservation[i].interruptible ? STR_TRUE : STR_FALSE;
	}
	if (t->on_demand)
		cap[ncap++] = CAP_ON_DEMAND;
	if (t->spot)
		cap[ncap++] = CAP_SPOT;
	if (n)
		cap[ncap++] = CAP_RESERVED;
	add_values(b, LBL_CAPACITY_TYPE, cap, ncap);
	add_values(b, LBL_CR_ID, id, n);
	add_values(b, LBL_CR_TYPE, type, n);
	add_values(b, LBL_CR_INTERRUPTIBLE, interruptible, n);
}

static void add_platform(struct label_build *b, const struct ec2_type *t)
{
	const struct ec2_ctx *x = b->x;
	bool windows = x->traits->windows;
	sid arch = ec2_arch(t);

	add_value(b, LBL_INSTANCE_TYPE, t->name);
	add_value(b, LBL_ARCH, arch);
	add_if(b, LBL_OS, !windows || arch == STR_AMD64, windows ? STR_WINDOWS : STR_LINUX);
	add_if(b, LBL_WINDOWS_BUILD, windows,
	       windows ? intern_cstr(x->in, x->traits->windows_build) : SID_EMPTY);
	add_value(b, LBL_REGION, x->cat->region);
}

static void add_tenancy(struct label_build *b)
{
	const sid both[] = {STR_DEFAULT, intern_cstr(b->x->in, "dedicated")};

	add_values(b, LBL_TENANCY, both, 2);
}

static void add_accelerators(struct label_build *b, const struct ec2_type *t)
{
	const struct ec2_ctx *x = b->x;
	bool gpu = t->gpu_name != SID_EMPTY, acc = t->accelerator_label != SID_EMPTY;

	add_if(b, LBL_GPU_NAME, gpu, gpu ? kebab(x, t->gpu_name) : SID_EMPTY);
	add_if(b, LBL_GPU_MANUFACTURER, gpu, gpu ? kebab(x, t->gpu_manufacturer) : SID_EMPTY);
	add_number(b, LBL_GPU_COUNT, gpu, t->gpu_count);
	add_number(b, LBL_GPU_MEMORY, gpu, t->gpu_memory_mib);
	add_if(b, LBL_ACCELERATOR_NAME, acc, t->accelerator_label);
	add_if(b, LBL_ACCELERATOR_MANUFACTURER, acc, acc ? kebab(x, t->accelerator_manufacturer) : SID_EMPTY);
	add_number(b, LBL_ACCELERATOR_COUNT, acc, t->accelerator_count);
}

rsetid ec2_labels(const struct ec2_ctx *x, const struct ec2_type *t, const uint64_t *zones)
{
	struct label_build b = {.x = x};
	bool family = t->family != SID_EMPTY;

	add_platform(&b, t);
	add_zones(&b, zones);
	add_capacity(&b, t);
	add_if(&b, LBL_CATEGORY, t->category != SID_EMPTY, t->category);
	add_number(&b, LBL_GENERATION, t->generation >= 0, t->generation);
	add_if(&b, LBL_FAMILY, family, t->family);
	add_if(&b, LBL_SIZE, family, t->size);
	add_bool(&b, LBL_FLEX, t->flex);
	add_number(&b, LBL_CPU, true, t->vcpus);
	add_number(&b, LBL_MEMORY, true, t->memory_mib);
	add_value(&b, LBL_CPU_MANUFACTURER, kebab(x, t->cpu_manufacturer));
	add_number(&b, LBL_CLOCK, true, t->clock_mhz);
	add_number(&b, LBL_EBS_BANDWIDTH, t->ebs_default && t->ebs_max_mbps >= 0, t->ebs_max_mbps);
	add_number(&b, LBL_NETWORK_BANDWIDTH, t->network_mbps >= 0, t->network_mbps);
	add_number(&b, LBL_LOCAL_NVME, t->nvme_gb > 0, t->nvme_gb);
	add_accelerators(&b, t);
	add_value(&b, LBL_HYPERVISOR, t->hypervisor);
	add_bool(&b, LBL_ENCRYPTION, t->encryption_in_transit);
	add_tenancy(&b);
	return rset_of(x->rp, b.req, b.n);
}
