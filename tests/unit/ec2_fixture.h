#pragma once
/* A small catalogue in memory, for tests of ec2/: five types of eu-west-1 in zones a and b. */
#include "bits.h"
#include "ec2_types.h"

struct ec2_fixture {
	struct arena arena;
	struct intern in;
	struct reqpool rp;
	struct cluster c;
	struct catalog cat;
	struct ec2_node_class nc;
};

enum { FX_C7G_XLARGE, FX_I4I_LARGE, FX_M5_LARGE, FX_P4D, FX_T3_NANO, FX_NTYPE };

static inline struct ec2_type fx_type(struct ec2_fixture *f, const char *name, int32_t vcpus, int64_t mib,
				      int32_t enis, int32_t ips)
{
	struct ec2_type t = {
		.name = intern_cstr(&f->in, name),
		.vcpus = vcpus,
		.memory_mib = mib,
		.x86 = true,
		.on_demand = true,
		.spot = true,
		.hypervisor = intern_cstr(&f->in, "nitro"),
		.cpu_manufacturer = intern_cstr(&f->in, "Intel"),
		.default_card_enis = enis,
		.ipv4_per_eni = ips,
		.network_cards = 1,
		.trunking = true,
		.branch_interfaces = 9,
		.network_mbps = 750,
		.ebs_default = true,
		.ebs_max_mbps = 4750,
	};

	ec2_type_parse_name(&f->in, &t);
	return t;
}

static inline sid fx_sid(struct ec2_fixture *f, const char *s)
{
	return intern_cstr(&f->in, s);
}

static inline void fx_class(struct ec2_fixture *f)
{
	f->nc = (struct ec2_node_class){
		.meta = {.name = fx_sid(f, "default")},
		.ami_family = SID_NONE,
		.alias = fx_sid(f, "al2023@latest"),
		.context = SID_NONE,
		.placement_group = SID_NONE,
		.kubelet = {.max_pods = -1, .pods_per_core = -1},
		.has_status = true,
		.nsubnet = 2,
		.subnet = ARENA_ARRAY(&f->arena, struct nc_subnet, 2),
	};
	f->nc.subnet[0] =
		(struct nc_subnet){fx_sid(f, "subnet-b"), fx_sid(f, "eu-west-1b"), fx_sid(f, "euw1-az1")};
	f->nc.subnet[1] =
		(struct nc_subnet){fx_sid(f, "subnet-a"), fx_sid(f, "eu-west-1a"), fx_sid(f, "euw1-az3")};
}

static inline void fx_init(struct ec2_fixture *f)
{
	static const char *const zones[2][2] = {{"eu-west-1a", "euw1-az3"}, {"eu-west-1b", "euw1-az1"}};
	struct catalog *cat = &f->cat;

	arena_init(&f->arena);
	intern_init(&f->in, &f->arena);
	labels_init(&f->in);
	reqpool_init(&f->rp, &f->arena, &f->in, true);
	f->c = (struct cluster){.arena = &f->arena, .in = &f->in, .rp = &f->rp};
	settings_defaults(&f->c.settings, &f->in);
	*cat = (struct catalog){.region = fx_sid(f, "eu-west-1"), .ntype = FX_NTYPE, .nzone = 2};
	cat->zone = ARENA_ARRAY(&f->arena, struct ec2_zone, 2);
	for (unsigned z = 0; z < 2; z++)
		cat->zone[z] = (struct ec2_zone){fx_sid(f, zones[z][0]), fx_sid(f, zones[z][1]), cat->region};
	cat->type = ARENA_ARRAY(&f->arena, struct ec2_type, FX_NTYPE);
	cat->type[FX_C7G_XLARGE] = fx_type(f, "c7g.xlarge", 4, 8192, 4, 15);
	cat->type[FX_C7G_XLARGE].x86 = false;
	cat->type[FX_C7G_XLARGE].arm64 = cat->type[FX_C7G_XLARGE].arm64_first = true;
	cat->type[FX_I4I_LARGE] = fx_type(f, "i4i.large", 2, 16384, 3, 10);
	cat->type[FX_I4I_LARGE].storage_gb = cat->type[FX_I4I_LARGE].nvme_gb = 468;
	cat->type[FX_M5_LARGE] = fx_type(f, "m5.large", 2, 8192, 3, 10);
	cat->type[FX_P4D] = fx_type(f, "p4d.24xlarge", 96, 1179648, 15, 50);
	cat->type[FX_P4D].network_cards = 4;
	cat->type[FX_P4D].efa_max = 4;
	cat->type[FX_P4D].gpu_name = fx_sid(f, "RTX PRO 4500");
	cat->type[FX_P4D].gpu_manufacturer = fx_sid(f, "NVIDIA");
	cat->type[FX_P4D].gpu_count = 8;
	cat->type[FX_P4D].gpu_memory_mib = 40960;
	cat->type[FX_T3_NANO] = fx_type(f, "t3.nano", 2, 512, 2, 2);
	cat->on_demand = ARENA_ARRAY(&f->arena, double, FX_NTYPE);
	cat->on_demand_flag = ARENA_ARRAY(&f->arena, uint8_t, FX_NTYPE);
	cat->spot = ARENA_ARRAY(&f->arena, double, 2 * FX_NTYPE);
	cat->spot_flag = ARENA_ARRAY(&f->arena, uint8_t, 2 * FX_NTYPE);
	cat->interruption = ARENA_ARRAY(&f->arena, int8_t, FX_NTYPE);
	cat->offered = ARENA_ARRAY(&f->arena, uint64_t, 1);
	for (uint32_t i = 0; i < FX_NTYPE; i++) {
		cat->on_demand[i] = 0.1 * (i + 1);
		for (uint32_t z = 0; z < 2; z++) {
			cat->spot[i * 2 + z] = 0.03 * (i + 1) + 0.001 * z;
			bits_set(cat->offered, i * 2 + z);
		}
	}
	fx_class(f);
}

static inline void fx_release(struct ec2_fixture *f)
{
	arena_release(&f->arena);
}
