#include "catalog_import.h"
#include "scalar.h"

/* The node at a path of map keys, NULL when some part is absent. */
static const struct doc_node *at2(const struct doc_node *n, const char *a, const char *b)
{
	const struct doc_node *x = doc_get(n, a);

	return x ? doc_get(x, b) : NULL;
}

static bool is_scalar(const struct doc_node *n)
{
	return n && n->kind == DOC_SCALAR && !doc_is_null(n);
}

static int64_t whole(const struct doc_node *n, int64_t absent)
{
	struct scalar s;

	if (!is_scalar(n))
		return absent;
	s = scalar_of(n);
	return s.type == SCALAR_INT && !s.big && s.i >= 0 && s.i < 100000000000 ? s.i : absent;
}

/* Larger numbers than any machine has count as absent. */
static int32_t count(const struct doc_node *n, int32_t absent)
{
	int64_t v = whole(n, absent);

	return v > 1000000 ? absent : (int32_t)v;
}

static double real(const struct doc_node *n)
{
	struct scalar s;

	if (!is_scalar(n))
		return 0;
	s = scalar_of(n);
	return s.type == SCALAR_INT || s.type == SCALAR_FLOAT ? s.f : 0;
}

/* 0 for what no integer holds. */
static double bounded(double v)
{
	return v >= 0 && v < 1e9 ? v : 0;
}

static bool truth(const struct doc_node *n)
{
	struct scalar s;

	if (!is_scalar(n))
		return false;
	s = scalar_of(n);
	return s.type == SCALAR_BOOL && s.b;
}

static bool has_item(const struct doc_node *list, const char *item)
{
	for (uint32_t i = 0; list && list->kind == DOC_SEQ && i < list->n; i++)
		if (list->items[i]->kind == DOC_SCALAR && str_is(list->items[i]->text, item))
			return true;
	return false;
}

static bool is_text(const struct doc_node *n, const char *want)
{
	return is_scalar(n) && str_is(n->text, want);
}

/* How many items a list has. */
static uint32_t items(const struct doc_node *list)
{
	return list && list->kind == DOC_SEQ ? list->n : 0;
}

static const struct doc_node *item(const struct doc_node *list, uint32_t i)
{
	return i < items(list) ? list->items[i] : NULL;
}

static void processor(struct ec2_type *t, const struct catalog_import *im, const struct doc_node *n)
{
	const struct doc_node *archs = at2(n, "ProcessorInfo", "SupportedArchitectures");

	t->x86 = has_item(archs, "x86_64");
	t->arm64 = has_item(archs, "arm64");
	t->arm64_first = is_text(item(archs, 0), "arm64");
	t->nested_virtualization =
		has_item(at2(n, "ProcessorInfo", "SupportedFeatures"), "nested-virtualization");
	t->cpu_manufacturer = catalog_import_text(im, at2(n, "ProcessorInfo", "Manufacturer"));
	t->clock_mhz =
		(int32_t)bounded(real(at2(n, "ProcessorInfo", "SustainedClockSpeedInGhz")) * 1000 + 0.5);
	t->vcpus = count(at2(n, "VCpuInfo", "DefaultVCpus"), 0);
	t->default_cores = count(at2(n, "VCpuInfo", "DefaultCores"), 0);
	t->threads_per_core = count(at2(n, "VCpuInfo", "DefaultThreadsPerCore"), 0);
}

static void network(struct ec2_type *t, const struct doc_node *n)
{
	const struct doc_node *info = doc_get(n, "NetworkInfo"), *cards;
	double gbps = 0;

	t->branch_interfaces = -1;
	t->network_mbps = -1;
	t->network_cards = 1;
	if (!info)
		return;
	cards = doc_get(info, "NetworkCards");
	t->network_cards =
		items(cards) ? (int32_t)items(cards) : count(doc_get(info, "MaximumNetworkCards"), 1);
	t->no_ena = is_text(doc_get(info, "EnaSupport"), "unsupported");
	t->default_card_enis = count(doc_get(info, "MaximumNetworkInterfaces"), 0);
	t->ipv4_per_eni = count(doc_get(info, "Ipv4AddressesPerInterface"), 0);
	t->encryption_in_transit = truth(doc_get(info, "EncryptionInTransitSupported"));
	t->efa_max = count(at2(info, "EfaInfo", "MaximumEfaInterfaces"), 0);
	const struct doc_node *card =
		item(cards, (uint32_t)whole(doc_get(info, "DefaultNetworkCardIndex"), 0));

	if (card)
		t->default_card_enis = count(doc_get(card, "MaximumNetworkInterfaces"), t->default_card_enis);
	for (uint32_t i = 0; item(cards, i); i++)
		gbps += real(doc_get(item(cards, i), "BaselineBandwidthInGbps"));
	if (gbps > 0)
		t->network_mbps = (int64_t)bounded(gbps * 1000 + 0.5);
}

static void storage(struct ec2_type *t, const struct doc_node *n)
{
	const struct doc_node *ebs = doc_get(n, "EbsInfo");

	t->storage_gb = whole(at2(n, "InstanceStorageInfo", "TotalSizeInGB"), 0);
	t->nvme_gb = is_text(at2(n, "InstanceStorageInfo", "NvmeSupport"), "unsupported") ? 0 : t->storage_gb;
	t->ebs_max_mbps = ebs ? whole(at2(ebs, "EbsOptimizedInfo", "MaximumBandwidthInMbps"), -1) : -1;
	t->ebs_default = ebs && is_text(doc_get(ebs, "EbsOptimizedSupport"), "default");
}

/* "Qualcomm AI100" -> "qualcomm-ai100", as Karpenter writes labels. */
static sid label(const struct catalog_import *im, const struct doc_node *n)
{
	struct buf b;
	sid out;

	struct str name = intern_str(im->in, catalog_import_text(im, n));

	buf_init(&b);
	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];

		buf_addch(&b, c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c);
	}
	out = intern_put(im->in, (struct str){b.p, b.n});
	buf_release(&b);
	return out;
}

/* How many devices of its manufacturer a list has. */
static int32_t devices_like(const struct doc_node *list, const struct doc_node *manufacturer)
{
	int32_t n = 0;

	for (uint32_t i = 0; i < 1000 && item(list, i); i++) {
		const struct doc_node *m = doc_get(item(list, i), "Manufacturer");

		if (!is_scalar(manufacturer) || (is_scalar(m) && str_eq(m->text, manufacturer->text)))
			n += count(doc_get(item(list, i), "Count"), 0);
	}
	return n;
}

/* GPUs of several kinds count as a resource, and Karpenter gives them no labels (IT-18, IT-40). */
static void gpus(struct ec2_type *t, const struct catalog_import *im, const struct doc_node *n)
{
	const struct doc_node *list = at2(n, "GpuInfo", "Gpus"), *gpu = item(list, 0);

	t->gpu_name = t->gpu_manufacturer = SID_EMPTY;
	if (!gpu)
		return;
	if (items(list) == 1)
		t->gpu_name = catalog_import_text(im, doc_get(gpu, "Name"));
	t->gpu_manufacturer = catalog_import_text(im, doc_get(gpu, "Manufacturer"));
	t->gpu_count = devices_like(list, doc_get(gpu, "Manufacturer"));
	t->gpu_memory_mib = whole(at2(gpu, "MemoryInfo", "SizeInMiB"), 0);
}

/* Where EC2 tells of Neuron devices, its list of inference accelerators is of the same ones. */
static void accelerators(struct ec2_type *t, const struct catalog_import *im, const struct doc_node *n)
{
	const struct doc_node *neurons = at2(n, "NeuronInfo", "NeuronDevices"), *neuron = item(neurons, 0);
	const struct doc_node *list = neuron ? neurons : at2(n, "InferenceAcceleratorInfo", "Accelerators");
	const struct doc_node *acc = item(list, 0);

	t->accelerator_name = t->accelerator_label = t->accelerator_manufacturer = SID_EMPTY;
	if (!acc)
		return;
	t->accelerator_name = catalog_import_text(im, doc_get(acc, "Name"));
	if (items(list) == 1)
		t->accelerator_label = label(im, doc_get(acc, "Name"));
	t->accelerator_manufacturer =
		neuron ? intern_cstr(im->in, "AWS") : catalog_import_text(im, doc_get(acc, "Manufacturer"));
	t->accelerator_count = devices_like(list, NULL);
	if (neuron)
		t->neuron_cores = (int32_t)((int64_t)count(doc_get(neuron, "Count"), 0) *
					    count(at2(neuron, "CoreInfo", "Count"), 0) % 1000000);
}

bool catalog_import_type(struct catalog_import *im, const struct doc *doc, const struct doc_node *n,
			 struct ec2_type *ret_t)
{
	const struct doc_node *usage = doc_get(n, "SupportedUsageClasses");
	struct ec2_type t = {.name = catalog_import_text(im, doc_get(n, "InstanceType"))};

	if (t.name == SID_EMPTY) {
		diag(im->d, KS_IMPORT_SHAPE, doc_span(doc, n), "an instance type without InstanceType");
		return false;
	}
	t.memory_mib = whole(at2(n, "MemoryInfo", "SizeInMiB"), 0);
	processor(&t, im, n);
	if (t.memory_mib == 0 || t.vcpus == 0) {
		diag(im->d, KS_CATALOG_NO_MEMORY, doc_span(doc, n), "instance type \"%s\" has no %s",
		     intern_c(im->in, t.name), t.vcpus ? "memory" : "CPU");
		return false;
	}
	t.on_demand = has_item(usage, "on-demand");
	t.spot = has_item(usage, "spot");
	t.capacity_block = has_item(usage, "capacity-block");
	t.hypervisor = catalog_import_text(im, doc_get(n, "Hypervisor"));
	t.bare_metal = truth(doc_get(n, "BareMetal"));
	t.recorded_at = SID_EMPTY;
	network(&t, n);
	storage(&t, n);
	gpus(&t, im, n);
	accelerators(&t, im, n);
	*ret_t = t;
	return true;
}
