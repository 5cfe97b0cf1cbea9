#include <criterion/criterion.h>

#include "catalog_import.h"
#include "label.h"

struct import {
	struct arena arena;
	struct intern in;
	struct diags d;
	struct catalog_import im;
	struct buf file[CATALOG_FILES_];
};

/* Imports some answers of the AWS CLI, one after the other. */
static void import(struct import *x, const char *const *answer, unsigned n)
{
	arena_init(&x->arena);
	intern_init(&x->in, &x->arena);
	labels_init(&x->in);
	diags_init(&x->d, &x->arena);
	catalog_import_init(&x->im, &x->arena, &x->d, &x->in, SID_NONE);
	for (unsigned i = 0; i < n && answer[i]; i++) {
		struct docs docs = {0};

		cr_assert(doc_read(&x->arena, &x->d, source_from_text(&x->arena, "answer", str_of(answer[i])),
				   &docs));
		for (uint32_t k = 0; k < docs.v.n; k++)
			catalog_import_doc(&x->im, &docs.v.v[k]);
	}
	for (unsigned i = 0; i < CATALOG_FILES_; i++)
		buf_init(&x->file[i]);
	catalog_import_finish(&x->im, x->file);
}

static void release(struct import *x)
{
	for (unsigned i = 0; i < CATALOG_FILES_; i++)
		buf_release(&x->file[i]);
	arena_release(&x->arena);
}

/* Everything that was said, one message a line. */
static const char *messages(struct import *x)
{
	struct buf b;
	const char *out;

	buf_init(&b);
	for (uint32_t i = 0; i < x->d.msgs.n; i++)
		buf_addf(&b, "%s\n", x->d.msgs.v[i].text);
	out = arena_printf(&x->arena, "%s", buf_cstr(&b));
	buf_release(&b);
	return out;
}

#define TYPE(name, rest)                                                                        \
	"{InstanceType: " name ", VCpuInfo: {DefaultVCpus: 2}, MemoryInfo: {SizeInMiB: 8192}, " \
	"SupportedUsageClasses: [on-demand, spot], Hypervisor: nitro, " rest "}"
#define X86(rest) "ProcessorInfo: {Manufacturer: Intel, SupportedArchitectures: [x86_64]" rest "}"
#define ZONE_A "{ZoneName: eu-west-1a, ZoneId: euw1-az3, RegionName: eu-west-1}"
#define OFFER(type, zone) "{InstanceType: " type ", LocationType: availability-zone, Location: " zone "}"
#define SPOT(type, zone, price, time)                      \
	"{InstanceType: " type ", AvailabilityZone: " zone \
	", ProductDescription: Linux/UNIX, SpotPrice: '" price "', Timestamp: '" time "'}"
#define PRODUCT(type, region, attrs, money)                                                         \
	"{product: {productFamily: Compute Instance, attributes: {instanceType: " type              \
	", regionCode: " region                                                                     \
	", operatingSystem: Linux, preInstalledSw: NA, capacitystatus: Used, tenancy: Shared" attrs \
	"}}, terms: {OnDemand: {t: {priceDimensions: {d: {pricePerUnit: {" money "}}}}}}}"

/* What each answer leaves in one of the files, or among the messages. */
Test(load_import, answers)
{
	static const struct {
		const char *what, *answer[4];
		unsigned file; /* CATALOG_FILES_: the messages */
		const char *want, *without;
	} rows[] = {
		{"a list of pages",
		 {"[{AvailabilityZones: [" ZONE_A "]}, {AvailabilityZones: []}]"},
		 CATALOG_ZONES,
		 "\neu-west-1,eu-west-1a,euw1-az3\n",
		 NULL},
		{"a bare list", {"[" ZONE_A "]"}, CATALOG_ZONES, "\neu-west-1,eu-west-1a,euw1-az3\n", NULL},
		{"bare offerings and types, in any order",
		 {"[" OFFER("m5.large", "eu-west-1a") "]", "[" TYPE("m5.large", X86("")) "]"},
		 CATALOG_OFFERINGS,
		 "\neu-west-1,m5.large,eu-west-1a\n",
		 NULL},
		{"a list of something else",
		 {"[{Reservations: []}]"},
		 CATALOG_FILES_,
		 "this is not what",
		 NULL},
		{"zones that only offerings name",
		 {"{InstanceTypeOfferings: [" OFFER("m5.large", "us-east-1-bos-1a") ", " OFFER(
			 "m5.large", "us-gov-west-1b") "]}"},
		 CATALOG_ZONES,
		 "\nus-east-1,us-east-1-bos-1a,\nus-gov-west-1,us-gov-west-1b,\n",
		 NULL},
		{"the newest spot price, in whatever order",
		 {"{SpotPriceHistory: [" SPOT("m5.large", "eu-west-1a", "0.0400",
					      "2026-01-03T00:00:00Z") ", " SPOT("m5.large", "eu-west-1a",
										"0.0500",
										"2026-01-02T00:00:00Z") "]}",
		  "[" TYPE("m5.large", X86("")) "]", "[" OFFER("m5.large", "eu-west-1a") "]"},
		 CATALOG_SPOT,
		 "\neu-west-1,eu-west-1a,m5.large,0.04,2026-01-03\n",
		 "0.05"},
		{"GPUs of two kinds have no labels, the first kind counts",
		 {"[" TYPE("g9.large",
			   X86("") ", GpuInfo: {Gpus: [{Name: A, Manufacturer: NVIDIA, Count: 2}, {Name: B, "
				   "Manufacturer: NVIDIA, Count: 1}, {Name: C, Manufacturer: AMD, Count: "
				   "4}]}") "]"},
		 CATALOG_TYPES,
		 ",,NVIDIA,3,0,",
		 NULL},
		{"one kind of GPU",
		 {"[" TYPE("g9.large",
			   X86("") ", GpuInfo: {Gpus: [{Name: A10G, Manufacturer: NVIDIA, Count: 1, "
				   "MemoryInfo: {SizeInMiB: 22888}}]}") "]"},
		 CATALOG_TYPES,
		 ",A10G,NVIDIA,1,22888,",
		 NULL},
		{"Neuron devices stand before inference accelerators",
		 {"[" TYPE("inf2.large",
			   X86("") ", NeuronInfo: {NeuronDevices: [{Name: Inferentia2, Count: 6, CoreInfo: "
				   "{Count: 2}}]}, InferenceAcceleratorInfo: {Accelerators: [{Name: Other, "
				   "Manufacturer: X, Count: 1}]}") "]"},
		 CATALOG_TYPES,
		 ",Inferentia2,inferentia2,AWS,6,12,",
		 "Other"},
		{"cards are counted, ENA and nested virtualisation told",
		 {"[" TYPE(
			 "m9.large",
			 X86(", SupportedFeatures: [nested-virtualization]") ", NetworkInfo: {EnaSupport: "
									     "unsupported, NetworkCards: "
									     "[{}, {}], "
									     "MaximumNetworkCards: 1}") "]"},
		 CATALOG_TYPES,
		 ",0,0,2,",
		 NULL},
		{"ENA and nested virtualisation",
		 {"[" TYPE("m9.large",
			   X86(", SupportedFeatures: [nested-virtualization]") ", NetworkInfo: {EnaSupport: "
									       "unsupported}") "]"},
		 CATALOG_TYPES,
		 ",false,unsupported,true\n",
		 NULL},
		{"a type without HVM",
		 {"[" TYPE("m0.large", X86("") ", SupportedVirtualizationTypes: [paravirtual]") "]",
		  "[" OFFER("m0.large", "eu-west-1a") "]"},
		 CATALOG_FILES_,
		 "types that Karpenter does not ask for, as they are not for HVM images of x86_64 or arm64, "
		 "left "
		 "out (1): m0.large\n",
		 "not described"},
		{"a type for neither architecture",
		 {"[" TYPE("mac9.metal", "ProcessorInfo: {SupportedArchitectures: [arm64_mac]}") "]"},
		 CATALOG_TYPES,
		 "nested_virtualization\n",
		 "mac9"},
		{"a product sold otherwise",
		 {"{PriceList: [" PRODUCT("m5.large", "eu-west-1", ", marketoption: CapacityBlock",
					  "USD: '5'") "]}"},
		 CATALOG_FILES_,
		 "prices of other systems and terms, left out: 1",
		 NULL},
		{"a product of China",
		 {"{PriceList: [" PRODUCT("m5.large", "cn-north-1", ", marketoption: OnDemand",
					  "CNY: '0.7000', USD: '9'") "]}",
		  "[" TYPE("m5.large", X86("")) "]",
		  "[{ZoneName: cn-north-1a, ZoneId: cnn1-az1, RegionName: cn-north-1}]"},
		 CATALOG_ON_DEMAND,
		 "\ncn-north-1,m5.large,0.7,\n",
		 NULL},
		{"prices of a region without zones",
		 {"{PriceList: [" PRODUCT("m5.large", "eu-west-2", "", "USD: '1'") "]}", "[" ZONE_A "]"},
		 CATALOG_FILES_,
		 "regions with on-demand prices but no zones, left out (1): eu-west-2\n",
		 NULL},
		{"prices of a type that nobody described",
		 {"{PriceList: [" PRODUCT("m5.large", "eu-west-1", "", "USD: '1'") "]}", "[" ZONE_A "]"},
		 CATALOG_FILES_,
		 "types with on-demand prices but not described by describe-instance-types, left out (1): "
		 "m5.large\n",
		 NULL},
		{"a product without a type",
		 {"{PriceList: [" PRODUCT("''", "eu-west-1", "", "USD: '1'") "]}"},
		 CATALOG_FILES_,
		 "a product without instanceType",
		 NULL},
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct import x;

		import(&x, rows[i].answer, 4);
		const char *got =
			rows[i].file == CATALOG_FILES_ ? messages(&x) : buf_cstr(&x.file[rows[i].file]);

		cr_expect(strstr(got, rows[i].want), "%s: %s", rows[i].what, got);
		cr_expect(!rows[i].without || !strstr(got, rows[i].without), "%s: %s", rows[i].what, got);
		release(&x);
	}
}
