#include "catalog_read.h"

enum kind { TEXT, COUNT32, COUNT64, BOOL, SPECIAL };

/* One column of instance-types.csv and the member of struct ec2_type that it fills. */
struct type_column {
	enum kind kind;
	size_t member;
	int64_t blank; /* what a blank field means */
};

enum { T_NAME, T_ARCH, T_USAGE, T_EBS, T_ENA, T_VCPUS, T_MEMORY };

#define MEMBER(m) offsetof(struct ec2_type, m)

/* TYPE_COLUMN(name, optional, kind, member, blank), the first seven in the order of the enum. */
#define TYPE_COLUMNS                                                                              \
	TYPE_COLUMN("instance_type", false, TEXT, MEMBER(name), 0)                                \
	TYPE_COLUMN("architectures", false, SPECIAL, 0, 0)                                        \
	TYPE_COLUMN("usage_classes", false, SPECIAL, 0, 0)                                        \
	TYPE_COLUMN("ebs_optimized", false, SPECIAL, 0, 0)                                        \
	TYPE_COLUMN("ena_support", true, SPECIAL, 0, 0)                                           \
	TYPE_COLUMN("vcpus", false, COUNT32, MEMBER(vcpus), 0)                                    \
	TYPE_COLUMN("memory_mib", false, COUNT64, MEMBER(memory_mib), 0)                          \
	TYPE_COLUMN("cores", true, COUNT32, MEMBER(default_cores), 0)                             \
	TYPE_COLUMN("threads_per_core", true, COUNT32, MEMBER(threads_per_core), 0)               \
	TYPE_COLUMN("hypervisor", false, TEXT, MEMBER(hypervisor), 0)                             \
	TYPE_COLUMN("bare_metal", true, BOOL, MEMBER(bare_metal), 0)                              \
	TYPE_COLUMN("cpu_manufacturer", false, TEXT, MEMBER(cpu_manufacturer), 0)                 \
	TYPE_COLUMN("sustained_clock_mhz", false, COUNT32, MEMBER(clock_mhz), 0)                  \
	TYPE_COLUMN("default_card_eni_count", false, COUNT32, MEMBER(default_card_enis), 0)       \
	TYPE_COLUMN("ipv4_per_eni", false, COUNT32, MEMBER(ipv4_per_eni), 0)                      \
	TYPE_COLUMN("network_card_count", false, COUNT32, MEMBER(network_cards), 0)               \
	TYPE_COLUMN("trunking_compatible", false, BOOL, MEMBER(trunking), 0)                      \
	TYPE_COLUMN("branch_interfaces", false, COUNT32, MEMBER(branch_interfaces), -1)           \
	TYPE_COLUMN("network_bandwidth_mbps", false, COUNT64, MEMBER(network_mbps), -1)           \
	TYPE_COLUMN("ebs_max_mbps", false, COUNT64, MEMBER(ebs_max_mbps), -1)                     \
	TYPE_COLUMN("local_storage_gb", false, COUNT64, MEMBER(storage_gb), 0)                    \
	TYPE_COLUMN("local_nvme_gb", false, COUNT64, MEMBER(nvme_gb), 0)                          \
	TYPE_COLUMN("gpu_name", false, TEXT, MEMBER(gpu_name), 0)                                 \
	TYPE_COLUMN("gpu_manufacturer", false, TEXT, MEMBER(gpu_manufacturer), 0)                 \
	TYPE_COLUMN("gpu_count", false, COUNT32, MEMBER(gpu_count), 0)                            \
	TYPE_COLUMN("gpu_memory_mib", false, COUNT64, MEMBER(gpu_memory_mib), 0)                  \
	TYPE_COLUMN("accelerator_name", true, TEXT, MEMBER(accelerator_name), 0)                  \
	TYPE_COLUMN("accelerator_label", false, TEXT, MEMBER(accelerator_label), 0)               \
	TYPE_COLUMN("accelerator_manufacturer", false, TEXT, MEMBER(accelerator_manufacturer), 0) \
	TYPE_COLUMN("accelerator_count", false, COUNT32, MEMBER(accelerator_count), 0)            \
	TYPE_COLUMN("neuron_core_count", false, COUNT32, MEMBER(neuron_cores), 0)                 \
	TYPE_COLUMN("efa_max", false, COUNT32, MEMBER(efa_max), 0)                                \
	TYPE_COLUMN("encryption_in_transit", false, BOOL, MEMBER(encryption_in_transit), 0)       \
	TYPE_COLUMN("nested_virtualization", true, BOOL, MEMBER(nested_virtualization), 0)        \
	TYPE_COLUMN("recorded_at", true, TEXT, MEMBER(recorded_at), 0)

const struct catalog_column catalog_type_cols[] = {
#define TYPE_COLUMN(name, optional, kind, member, blank) {name, optional},
	TYPE_COLUMNS
#undef TYPE_COLUMN
};

static const struct type_column members[] = {
#define TYPE_COLUMN(name, optional, kind, member, blank) {kind, member, blank},
	TYPE_COLUMNS
#undef TYPE_COLUMN
};

const unsigned catalog_type_ncol = sizeof(members) / sizeof(members[0]);

static bool read_bool(const struct catalog_file *f, const struct csv_row *row, unsigned c, bool *ret_v)
{
	struct str s = catalog_field(f, row, c);

	*ret_v = str_is(s, "true");
	if (*ret_v || s.n == 0 || str_is(s, "false"))
		return true;
	diag(f->r->d, KS_CATALOG_VALUE, catalog_span(f, row, c), "%s \"%.*s\" is neither true nor false",
	     f->col[c].name, (int)s.n, s.p);
	return false;
}

static bool read_member(const struct catalog_file *f, const struct csv_row *row, unsigned c,
			struct ec2_type *t)
{
	char *at = (char *)t + members[c].member;
	int64_t v;
	int32_t v32;
	bool b;
	sid text;

	switch (members[c].kind) {
	case TEXT:
		text = intern_put(f->r->in, catalog_field(f, row, c));
		memcpy(at, &text, sizeof(text));
		return true;
	case BOOL:
		if (!read_bool(f, row, c, &b))
			return false;
		memcpy(at, &b, sizeof(b));
		return true;
	case COUNT64:
	case COUNT32:
		if (!catalog_int(f, row, c, members[c].blank, &v))
			return false;
		if (members[c].kind == COUNT64) {
			memcpy(at, &v, sizeof(v));
			return true;
		}
		if (v > 1000000000) {
			diag(f->r->d, KS_CATALOG_NUMBER, catalog_span(f, row, c), "%s %lld is too large",
			     f->col[c].name, (long long)v);
			return false;
		}
		v32 = (int32_t)v;
		memcpy(at, &v32, sizeof(v32));
		return true;
	case SPECIAL:
		return true;
	}
	return true;
}

/* The next element of a list joined with ';'. */
static bool next_item(struct str *rest, struct str *ret_item)
{
	const char *semi = memchr(rest->p, ';', rest->n);

	if (rest->n == 0)
		return false;
	*ret_item = (struct str){rest->p, semi ? (size_t)(semi - rest->p) : rest->n};
	rest->p += ret_item->n + (semi ? 1 : 0);
	rest->n -= ret_item->n + (semi ? 1 : 0);
	return true;
}

static bool read_architectures(const struct catalog_file *f, const struct csv_row *row, struct ec2_type *t)
{
	struct str rest = catalog_field(f, row, T_ARCH), item;

	t->arm64_first = str_is(rest, "arm64") || str_starts(rest, "arm64;");
	while (next_item(&rest, &item)) {
		if (str_is(item, "x86_64"))
			t->x86 = true;
		else if (str_is(item, "arm64"))
			t->arm64 = true;
		else if (!str_is(item, "i386") && !str_ends(item, "_mac")) {
			diag(f->r->d, KS_CATALOG_VALUE, catalog_span(f, row, T_ARCH),
			     "architecture \"%.*s\" is unknown", (int)item.n, item.p);
			return false;
		}
	}
	return true;
}

static bool read_usage(const struct catalog_file *f, const struct csv_row *row, struct ec2_type *t)
{
	struct str rest = catalog_field(f, row, T_USAGE), item;

	while (next_item(&rest, &item)) {
		if (str_is(item, "on-demand"))
			t->on_demand = true;
		else if (str_is(item, "spot"))
			t->spot = true;
		else if (str_is(item, "capacity-block"))
			t->capacity_block = true;
		else {
			diag(f->r->d, KS_CATALOG_VALUE, catalog_span(f, row, T_USAGE),
			     "usage class \"%.*s\" is unknown", (int)item.n, item.p);
			return false;
		}
	}
	return true;
}

bool catalog_type_row(void *ctx, const struct csv_row *row)
{
	const struct catalog_file *f = ctx;
	struct catalog_reader *r = f->r;
	struct ec2_type t = {0};
	uint32_t known;
	bool ok = true;

	for (unsigned c = 0; c < catalog_type_ncol; c++)
		ok &= read_member(f, row, c, &t);
	ok &= read_architectures(f, row, &t);
	ok &= read_usage(f, row, &t);
	t.ebs_default = str_is(catalog_field(f, row, T_EBS), "default");
	t.no_ena = str_is(catalog_field(f, row, T_ENA), "unsupported");
	if (t.name == SID_EMPTY) {
		diag(r->d, KS_CATALOG_VALUE, catalog_span(f, row, T_NAME), "instance_type is blank");
		return true;
	}
	if (ok && (t.memory_mib == 0 || t.vcpus == 0)) {
		diag(r->d, KS_CATALOG_NO_MEMORY, catalog_span(f, row, t.vcpus ? T_MEMORY : T_VCPUS),
		     "instance type \"%s\" has no %s", intern_c(r->in, t.name), t.vcpus ? "memory" : "CPU");
		return true;
	}
	if (idmap_get(&r->type_of, t.name, &known)) {
		diag(r->d, KS_CATALOG_DUPLICATE, catalog_span(f, row, T_NAME),
		     "instance type \"%s\" is given twice", intern_c(r->in, t.name));
		return true;
	}
	/* A type with a bad field is known all the same, so that its other rows are not reported too. */
	ec2_type_parse_name(r->in, &t);
	idmap_put(&r->type_of, t.name, r->types.n);
	VEC_PUSH(&r->tables, &r->types, t);
	return true;
}
