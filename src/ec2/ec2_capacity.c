#include <math.h>
#include <stdlib.h>

#include "ec2_impl.h"

#define MIB ((int64_t)1 << 20)
#define GIB ((int64_t)1 << 30)

/* Collects entries in any order; reslist entries are sorted by name when it is closed. */
struct res_build {
	const struct intern *in;
	uint32_t n;
	struct res_item v[24];
};

static void put(struct res_build *b, sid name, qty v, enum qty_format f)
{
	uint32_t i = 0;

	while (i < b->n && b->v[i].name != name)
		i++;
	KS_BUG_ON(i == sizeof(b->v) / sizeof(b->v[0]));
	b->v[i] = (struct res_item){.v = v, .name = name, .format = (uint8_t)f};
	if (i == b->n)
		b->n++;
}

static void put_list(struct res_build *b, const struct reslist *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		put(b, l->v[i].name, l->v[i].v, (enum qty_format)l->v[i].format);
}

static struct reslist res_close(const struct res_build *b, struct arena *a)
{
	struct reslist out = {.n = b->n, .v = ARENA_ARRAY(a, struct res_item, b->n)};

	for (uint32_t i = 0; i < b->n; i++) {
		uint32_t k = i;

		for (; k > 0 && intern_cmp(b->in, out.v[k - 1].name, b->v[i].name) > 0; k--)
			out.v[k] = out.v[k - 1];
		out.v[k] = b->v[i];
	}
	return out;
}

/* What Karpenter takes off a Graviton instance before anything else. */
static int64_t graviton_mib(const struct ec2_type *t)
{
	return t->arm64_first ? 64 : 0;
}

/* IT-11: what hypervisor and kernel keep is estimated as a share of the instance's memory, in doubles. */
static int64_t vm_overhead_mib(const struct ec2_ctx *x, const struct ec2_type *t)
{
	int64_t mib = t->memory_mib - graviton_mib(t);

	return (int64_t)ceil((double)(mib * MIB) * x->set->vm_memory_overhead / 1024 / 1024);
}

static int64_t memory_bytes(const struct ec2_ctx *x, const struct ec2_type *t)
{
	return (t->memory_mib - graviton_mib(t) - vm_overhead_mib(x, t)) * MIB;
}

/* IT-15; reserved: ENIs that are kept from pods. */
static int64_t eni_limited_pods(const struct ec2_ctx *x, const struct ec2_type *t, int32_t reserved)
{
	int64_t usable = (int64_t)t->default_card_enis - reserved - x->efa_only_card0;

	if (usable <= 0)
		return 0;
	return usable * (t->ipv4_per_eni - 1) + 2;
}

/* IT-14. */
static int64_t pods(const struct ec2_ctx *x, const struct ec2_type *t, enum pods_rule *ret_rule)
{
	const struct nc_kubelet *k = &x->nc->kubelet;
	int64_t n = 110;

	*ret_rule = PODS_FIXED;
	if (k->max_pods >= 0) {
		n = k->max_pods;
		*ret_rule = PODS_FROM_MAX_PODS;
	} else if (x->traits->eni_pods) {
		n = eni_limited_pods(x, t, x->set->reserved_enis);
		*ret_rule = PODS_FROM_ENIS;
	}
	if (k->pods_per_core > 0 && x->traits->pods_per_core && (int64_t)k->pods_per_core * t->vcpus < n) {
		n = (int64_t)k->pods_per_core * t->vcpus;
		*ret_rule = PODS_PER_CORE;
	}
	return n;
}

/* How many pods the memory that the kubelet reserves is for (IT-30). */
static int64_t pod_density(const struct ec2_ctx *x, const struct ec2_type *t, int64_t npods)
{
	return x->traits->eni_memory ? eni_limited_pods(x, t, 0) : npods;
}

/* IT-13. */
static struct quantity ephemeral(const struct ec2_ctx *x, const struct ec2_type *t)
{
	const struct ec2_node_class *nc = x->nc;
	const struct quantity fallback = {qty_of(20 * GIB), QTY_BINARY};

	if (nc->raid0 && t->storage_gb > 0)
		return (struct quantity){qty_of(t->storage_gb * 1000000000), QTY_DECIMAL};
	if (nc->ndevice > 0) {
		for (uint32_t i = 0; i < nc->ndevice; i++)
			if (nc->device[i].root_volume) {
				if (nc->device[i].has_size)
					return nc->device[i].size;
				break;
			}
		if (x->family == AMI_CUSTOM) {
			const struct nc_block_device *last = &nc->device[nc->ndevice - 1];

			return last->has_size ? last->size : fallback;
		}
		for (uint32_t i = 0; i < nc->ndevice; i++)
			if (nc->device[i].has_size && nc->device[i].device_name != SID_NONE &&
			    str_is(intern_str(x->in, nc->device[i].device_name), x->traits->ephemeral_device))
				return nc->device[i].size;
	}
	return (struct quantity){qty_of(x->traits->ephemeral_gib * GIB), QTY_BINARY};
}

/* A double that Karpenter prints with %v and parses back: exponents from a million on. */
static struct quantity from_double(double v)
{
	return (struct quantity){qty_of((int64_t)v), v >= 1e6 ? QTY_EXPONENT : QTY_DECIMAL};
}

/* IT-34: a percentage of the capacity, or an amount. */
static struct quantity eviction_signal(const struct ec2_ctx *x, sid text, qty capacity)
{
	struct str s = intern_str(x->in, text);
	struct quantity q = {0, QTY_DECIMAL};

	if (!str_ends(s, "%")) {
		quantity_parse(s, &q);
		return q;
	}
	char num[64] = {0};
	size_t n = s.n;

	while (n > 0 && s.p[n - 1] == '%')
		n--;
	memcpy(num, s.p, n < sizeof(num) ? n : sizeof(num) - 1);
	double p = strtod(num, NULL);

	if (p >= 100 && p <= 100)
		p = 0; /* 100 % turns the threshold off */
	return from_double(ceil((double)quantity_ceil(capacity) / 100 * p));
}

static struct reslist eviction_threshold(const struct ec2_ctx *x, int64_t memory, qty storage)
{
	struct res_build b = {.in = x->in};
	const struct labels *hard = &x->nc->kubelet.eviction_hard;
	struct quantity mem = {qty_of(100 * MIB), QTY_BINARY};
	struct quantity disk = from_double(ceil((double)quantity_ceil(storage) / 100 * 10));
	sid sig_mem = intern_find(x->in, STR_LIT("memory.available"));
	sid sig_disk = intern_find(x->in, STR_LIT("nodefs.available"));
	sid v;

	if (sig_mem != SID_NONE && (v = labels_get(hard, sig_mem)) != SID_NONE)
		mem = eviction_signal(x, v, qty_of(memory));
	if (sig_disk != SID_NONE && (v = labels_get(hard, sig_disk)) != SID_NONE)
		disk = eviction_signal(x, v, storage);
	put(&b, RES_EPHEMERAL, disk.v, (enum qty_format)disk.format);
	put(&b, RES_MEMORY, mem.v, (enum qty_format)mem.format);
	return res_close(&b, x->arena);
}

/* IT-31: shares of CPU time by bands of millicores, each cut to whole millicores. */
static int64_t kube_reserved_cpu(int64_t millicores)
{
	static const struct {
		int64_t start, end;
		double share;
	} band[] = {
		{0, 1000, 0.06}, {1000, 2000, 0.01}, {2000, 4000, 0.005}, {4000, (int64_t)1 << 31, 0.0025}};
	int64_t sum = 0;

	for (size_t i = 0; i < sizeof(band) / sizeof(band[0]); i++) {
		if (millicores < band[i].start)
			break;
		int64_t end = millicores < band[i].end ? millicores : band[i].end;

		sum += (int64_t)((double)(end - band[i].start) * band[i].share);
	}
	return sum;
}

static struct reslist kube_reserved(const struct ec2_ctx *x, const struct ec2_type *t, int64_t npods)
{
	struct res_build b = {.in = x->in};
	int64_t density = pod_density(x, t, npods);

	put(&b, RES_CPU, kube_reserved_cpu((int64_t)t->vcpus * 1000) * QTY_MILLI, QTY_DECIMAL);
	put(&b, RES_EPHEMERAL, qty_of(GIB), QTY_BINARY);
	put(&b, RES_MEMORY, qty_of((11 * density + 255) * MIB), QTY_BINARY);
	put_list(&b, &x->nc->kubelet.kube_reserved);
	return res_close(&b, x->arena);
}

/* IT-18: GPUs count for the manufacturers Kubernetes has a resource for. */
static int64_t gpus(const struct ec2_ctx *x, const struct ec2_type *t, const char *manufacturer)
{
	return str_is(intern_str(x->in, t->gpu_manufacturer), manufacturer) ? t->gpu_count : 0;
}

static const struct limit {
	const char *type;
	bool known;
} limits[] = {
#define LIMIT(type, known) {type, known},
#include "ec2_limits.def"
#undef LIMIT
};

static int by_type(const void *name, const void *row)
{
	return strcmp(name, ((const struct limit *)row)->type);
}

/* IT-17, IT-20: branch interfaces and private IPv4 addresses, as Karpenter's table of limits has them. */
static void put_network(struct res_build *b, const struct ec2_ctx *x, const struct ec2_type *t,
			bool os_windows)
{
	const struct limit *l = bsearch(intern_c(x->in, t->name), limits, sizeof(limits) / sizeof(limits[0]),
					sizeof(limits[0]), by_type);
	bool known = l ? l->known : t->branch_interfaces >= 0;
	bool trunk = !l && known && t->trunking;

	if (os_windows)
		put(b, RES_PRIVATE_IPV4, qty_of(known ? t->ipv4_per_eni - 1 : 0), QTY_DECIMAL);
	put(b, RES_EFA, qty_of(x->nc->has_interfaces ? x->efa_only : t->efa_max), QTY_DECIMAL);
	put(b, RES_POD_ENI, qty_of(trunk ? t->branch_interfaces : 0), QTY_DECIMAL);
}

void ec2_resources(const struct ec2_ctx *x, const struct ec2_type *t, bool os_windows, struct itype *it)
{
	struct res_build b = {.in = x->in};
	enum pods_rule rule;
	int64_t npods = pods(x, t, &rule), memory = memory_bytes(x, t);
	struct quantity disk = ephemeral(x, t);

	/* In the order of their names, so that sorting finds nothing to do. */
	put(&b, RES_AMD, qty_of(gpus(x, t, "AMD")), QTY_DECIMAL);
	put(&b, RES_NEURON, qty_of(t->neuron_cores > 0 ? t->accelerator_count : 0), QTY_DECIMAL);
	put(&b, RES_NEURONCORE, qty_of(t->neuron_cores), QTY_DECIMAL);
	put(&b, RES_CPU, qty_of(t->vcpus), QTY_DECIMAL);
	put(&b, RES_EPHEMERAL, disk.v, (enum qty_format)disk.format);
	put(&b, RES_GAUDI, qty_of(gpus(x, t, "Habana")), QTY_DECIMAL);
	put(&b, RES_MEMORY, qty_of(memory), QTY_BINARY);
	put(&b, RES_NVIDIA, qty_of(gpus(x, t, "NVIDIA")), QTY_DECIMAL);
	put(&b, RES_PODS, qty_of(npods), QTY_DECIMAL);
	put_network(&b, x, t, os_windows);
	it->capacity = res_close(&b, x->arena);
	it->kube_reserved = kube_reserved(x, t, npods);
	it->system_reserved = x->nc->kubelet.system_reserved;
	it->eviction = eviction_threshold(x, memory, disk.v);
	it->allocatable = itype_allocatable(x->in, x->arena, it);
}

struct ec2_account ec2_account_of(const struct cluster *c, const struct catalog *cat,
				  const struct ec2_node_class *nc, const struct ec2_type *t)
{
	const struct ec2_ctx x = ec2_ctx_of(c->arena, c, cat, nc);
	struct ec2_account a = {
		.memory_mib = t->memory_mib,
		.graviton_mib = graviton_mib(t),
		.vm_overhead_mib = vm_overhead_mib(&x, t),
		.reserved_enis = c->settings.reserved_enis + x.efa_only_card0,
	};

	a.pods = pods(&x, t, &a.rule);
	a.density = pod_density(&x, t, a.pods);
	return a;
}
