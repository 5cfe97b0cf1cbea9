#include <criterion/criterion.h>
#include <stdio.h>

#include "ec2_fixture.h"

static const struct itype *find(struct ec2_fixture *f, const struct itype_list *l, const char *name)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->v[i].name == fx_sid(f, name))
			return &l->v[i];
	cr_assert(false, "%s is not listed", name);
	return NULL;
}

static void check_amount(struct ec2_fixture *f, const struct reslist *l, sid name, const char *want,
			 const char *what)
{
	struct quantity q;

	cr_assert(quantity_parse(str_of(want), &q));
	cr_expect(reslist_amount(l, name) == q.v, "%s: %s is %g, not %s", what, intern_c(&f->in, name),
		  quantity_double(reslist_amount(l, name)), want);
}

static void set_device(struct ec2_fixture *f, const char *size)
{
	f->nc.ndevice = 1;
	f->nc.device = ARENA_ARRAY(&f->arena, struct nc_block_device, 1);
	f->nc.device[0].device_name = fx_sid(f, "/dev/xvda");
	f->nc.device[0].has_ebs = f->nc.device[0].has_size = true;
	cr_assert(quantity_parse(str_of(size), &f->nc.device[0].size));
}

static void set_eviction(struct ec2_fixture *f, const char *signal, const char *value)
{
	f->nc.kubelet.eviction_hard.n = 1;
	f->nc.kubelet.eviction_hard.v = ARENA_ARRAY(&f->arena, struct kv, 1);
	f->nc.kubelet.eviction_hard.v[0] = (struct kv){fx_sid(f, signal), fx_sid(f, value)};
}

/* aws-provider IT-80, and what IT-13, IT-14, IT-34 add. */
Test(ec2_types, allocatable)
{
	static const struct {
		const char *type, *alias;
		int32_t max_pods, per_core, reserved_enis;
		const char *eviction, *device;
		bool raid0;
		const char *pods, *cpu, *memory, *disk;
	} rows[] = {
		{"m5.large", "al2023@latest", -1, -1, 0, NULL, NULL, false, "29", "1930m", "6903Mi", "17Gi"},
		{"c7g.xlarge", "al2023@latest", -1, -1, 0, NULL, NULL, false, "58", "3920m", "6525Mi",
		 "17Gi"},
		{"t3.nano", "al2023@latest", -1, -1, 0, NULL, NULL, false, "4", "1930m", "74Mi", "17Gi"},
		{"p4d.24xlarge", "al2023@latest", -1, -1, 0, NULL, NULL, false, "737", "95690m", "1082712Mi",
		 "17Gi"},
		{"m5.large", "al2023@latest", 110, -1, 0, NULL, NULL, false, "110", "1930m", "6903Mi",
		 "17Gi"},
		{"m5.large", "bottlerocket@latest", 110, -1, 0, NULL, NULL, false, "110", "1930m", "6012Mi",
		 "17Gi"},
		{"m5.large", "windows2022@latest", -1, -1, 0, NULL, NULL, false, "110", "1930m", "6012Mi",
		 "44Gi"},
		{"m5.large", "al2023@latest", -1, -1, 1, NULL, NULL, false, "20", "1930m", "6903Mi", "17Gi"},
		{"m5.large", "bottlerocket@latest", -1, -1, 1, NULL, NULL, false, "20", "1930m", "7002Mi",
		 "17Gi"},
		{"m5.large", "al2023@latest", -1, -1, 0, "5%", NULL, false, "29", "1930m", "6945924710",
		 "17Gi"},
		{"m5.large", "al2023@latest", -1, -1, 0, "100%", NULL, false, "29", "1930m", "7003Mi",
		 "17Gi"},
		{"m5.large", "al2023@latest", -1, -1, 0, "200Mi", NULL, false, "29", "1930m", "6803Mi",
		 "17Gi"},
		{"i4i.large", "al2023@latest", -1, -1, 0, NULL, NULL, true, "29", "1930m", "14481Mi",
		 "420126258176"},
		{"m5.large", "al2023@latest", -1, -1, 0, NULL, "100Gi", true, "29", "1930m", "6903Mi",
		 "89Gi"},
		{"m5.large", "bottlerocket@latest", -1, 4, 0, NULL, NULL, false, "29", "1930m", "6903Mi",
		 "17Gi"},
		{"m5.large", "al2023@latest", -1, 4, 0, NULL, NULL, false, "8", "1930m", "6903Mi", "17Gi"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ec2_fixture f;
		char what[64];

		fx_init(&f);
		f.nc.alias = fx_sid(&f, rows[i].alias);
		f.nc.kubelet.max_pods = rows[i].max_pods;
		f.nc.kubelet.pods_per_core = rows[i].per_core;
		f.nc.raid0 = rows[i].raid0;
		f.c.settings.reserved_enis = rows[i].reserved_enis;
		if (rows[i].eviction)
			set_eviction(&f, "memory.available", rows[i].eviction);
		if (rows[i].device)
			set_device(&f, rows[i].device);
		struct itype_list l = ec2_types(&f.arena, &f.c, &f.cat, &f.nc);
		const struct itype *t = find(&f, &l, rows[i].type);

		snprintf(what, sizeof(what), "row %zu %s %s", i, rows[i].type, rows[i].alias);
		check_amount(&f, &t->allocatable, RES_PODS, rows[i].pods, what);
		check_amount(&f, &t->allocatable, RES_CPU, rows[i].cpu, what);
		check_amount(&f, &t->allocatable, RES_MEMORY, rows[i].memory, what);
		check_amount(&f, &t->allocatable, RES_EPHEMERAL, rows[i].disk, what);
		fx_release(&f);
	}
}

static void check_label(struct ec2_fixture *f, const struct itype *t, sid key, const char *want)
{
	struct buf b;
	reqid r = rset_find(&f->rp, t->reqs, req_key(&f->rp, key));

	cr_assert(r != REQ_NONE, "%s is missing", intern_c(&f->in, key));
	buf_init(&b);
	req_print(&f->rp, &b, r);
	cr_expect_str_eq(buf_cstr(&b), want);
	buf_release(&b);
}

Test(ec2_types, labels)
{
	struct ec2_fixture f;

	fx_init(&f);
	struct itype_list l = ec2_types(&f.arena, &f.c, &f.cat, &f.nc);
	const struct itype *t = find(&f, &l, "p4d.24xlarge");

	check_label(&f, t, LBL_CATEGORY, "karpenter.k8s.aws/instance-category In [p]");
	check_label(&f, t, LBL_GENERATION, "karpenter.k8s.aws/instance-generation In [4]");
	check_label(&f, t, LBL_FAMILY, "karpenter.k8s.aws/instance-family In [p4d]");
	check_label(&f, t, LBL_SIZE, "karpenter.k8s.aws/instance-size In [24xlarge]");
	check_label(&f, t, LBL_GPU_NAME, "karpenter.k8s.aws/instance-gpu-name In [rtx-pro-4500]");
	check_label(&f, t, LBL_GPU_COUNT, "karpenter.k8s.aws/instance-gpu-count In [8]");
	check_label(&f, t, LBL_CLOCK, "karpenter.k8s.aws/instance-cpu-sustained-clock-speed-mhz In [0]");
	check_label(&f, t, LBL_LOCAL_NVME, "karpenter.k8s.aws/instance-local-nvme DoesNotExist");
	check_label(&f, t, LBL_TENANCY, "karpenter.k8s.aws/instance-tenancy In [dedicated default]");
	check_label(&f, t, LBL_ZONE, "topology.kubernetes.io/zone In [eu-west-1a eu-west-1b]");
	check_label(&f, t, LBL_ZONE_ID, "topology.k8s.aws/zone-id In [euw1-az1 euw1-az3]");
	check_label(&f, t, LBL_CR_ID, "karpenter.k8s.aws/capacity-reservation-id DoesNotExist");
	check_label(&f, find(&f, &l, "c7g.xlarge"), LBL_ARCH, "kubernetes.io/arch In [arm64]");
	fx_release(&f);
}

/* Names that tell more, or less, than the usual. */
Test(ec2_types, names)
{
	static const struct {
		const char *name, *family, *size, *category;
		int32_t generation;
		bool flex;
	} rows[] = {
		{"u-12tb1.112xlarge", "u-12tb1", "112xlarge", "u", 1, false},
		{"u7i-12tb.224xlarge", "u7i-12tb", "224xlarge", "u", 7, false},
		{"m7i-flex.large", "m7i-flex", "large", "m", 7, true},
		{"mac-m4.metal", "mac-m4", "metal", "", -1, false},
		{"p6-b200.48xlarge", "p6-b200", "48xlarge", "p", 6, false},
		{"im4gn.large", "im4gn", "large", "im", 4, false},
		{"odd", "", "", "", -1, false},
		{"a1.b.c", "", "", "a", 1, false},
	};
	struct ec2_fixture f;

	fx_init(&f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ec2_type t = {.name = fx_sid(&f, rows[i].name)};

		ec2_type_parse_name(&f.in, &t);
		cr_expect_str_eq(intern_c(&f.in, t.family), rows[i].family, "%s", rows[i].name);
		cr_expect_str_eq(intern_c(&f.in, t.size), rows[i].size, "%s", rows[i].name);
		cr_expect_str_eq(intern_c(&f.in, t.category), rows[i].category, "%s", rows[i].name);
		cr_expect_eq(t.generation, rows[i].generation, "%s", rows[i].name);
		cr_expect_eq(t.flex, rows[i].flex, "%s", rows[i].name);
	}
	fx_release(&f);
}

static const struct offering *pool(struct ec2_fixture *f, const struct itype *t, const char *zone, sid cap)
{
	for (uint32_t i = 0; i < t->noffering; i++)
		if (t->offering[i].zone == fx_sid(f, zone) && t->offering[i].capacity_type == cap)
			return &t->offering[i];
	return NULL;
}

Test(ec2_types, offerings)
{
	struct ec2_fixture f;
	struct catalog_rule ice = {.zone = SID_NONE, .capacity_type = CAP_SPOT};
	struct catalog_rule price = {.zone = SID_NONE, .capacity_type = CAP_ON_DEMAND, .usd_per_hour = 7};
	struct nc_reservation cr = {.state = SID_NONE, .type = STR_DEFAULT};

	fx_init(&f);
	ice.type = fx_sid(&f, "m5.*");
	price.type = fx_sid(&f, "t3.nano");
	cr.id = fx_sid(&f, "cr-1");
	cr.zone = fx_sid(&f, "eu-west-1b");
	cr.instance_type = fx_sid(&f, "t3.nano");
	f.c.settings.nunavailable = f.c.settings.nprice = 1;
	f.c.settings.unavailable = &ice;
	f.c.settings.price = &price;
	f.nc.nreservation = 1;
	f.nc.reservation = &cr;
	f.cat.spot[FX_T3_NANO * 2] = CATALOG_NO_PRICE;
	struct itype_list l = ec2_types(&f.arena, &f.c, &f.cat, &f.nc);
	const struct itype *m5 = find(&f, &l, "m5.large"), *t3 = find(&f, &l, "t3.nano");

	cr_expect_eq(l.n, FX_NTYPE);
	cr_expect_eq(m5->noffering, 4);
	cr_expect(!pool(&f, m5, "eu-west-1a", CAP_SPOT)->available);
	cr_expect(pool(&f, m5, "eu-west-1a", CAP_ON_DEMAND)->available);
	cr_expect(m5->offering[0].capacity_type == CAP_ON_DEMAND &&
		  m5->offering[1].capacity_type == CAP_SPOT);
	cr_expect_eq(t3->noffering, 5);
	cr_expect_float_eq(pool(&f, t3, "eu-west-1b", CAP_ON_DEMAND)->price, 7.0, 0);
	cr_expect(!pool(&f, t3, "eu-west-1a", CAP_SPOT)->available, "a pool without a price was available");
	cr_expect_float_eq(t3->offering[4].price, 7 / 10000000.0, 0);
	cr_expect(t3->offering[4].available && t3->offering[4].reservation_cap == 1);
	f.c.settings.gates[GATE_RESERVED_CAPACITY] = false;
	l = ec2_types(&f.arena, &f.c, &f.cat, &f.nc);
	cr_expect_eq(find(&f, &l, "t3.nano")->noffering, 4);
	fx_release(&f);
}

/* Subnets, settings and the class decide what exists and what can be launched. */
Test(ec2_types, existence)
{
	struct ec2_fixture f;
	sid globs[2], zone;

	fx_init(&f);
	globs[0] = fx_sid(&f, "c7g.*");
	globs[1] = fx_sid(&f, "t3.nano");
	zone = fx_sid(&f, "eu-west-1a");
	f.c.settings.has_type_globs = f.c.settings.has_zones = true;
	f.c.settings.type_glob = globs;
	f.c.settings.ntype_glob = 2;
	f.c.settings.zone = &zone;
	f.c.settings.nzone = 1;
	struct itype_list l = ec2_types(&f.arena, &f.c, &f.cat, &f.nc);

	cr_assert_eq(l.n, 2);
	cr_expect_eq(l.v[0].noffering, 2);
	/* Subnets that tell no zone id count as one, so only the first zone is known. */
	f.c.settings.has_type_globs = f.c.settings.has_zones = false;
	f.nc.subnet[0].zone_id = f.nc.subnet[1].zone_id = SID_NONE;
	l = ec2_types(&f.arena, &f.c, &f.cat, &f.nc);
	check_label(&f, &l.v[0], LBL_ZONE, "topology.kubernetes.io/zone In [eu-west-1b]");
	f.nc.connection_tracking = true;
	f.cat.type[FX_C7G_XLARGE].hypervisor = SID_EMPTY;
	l = ec2_types(&f.arena, &f.c, &f.cat, &f.nc);
	cr_expect(find(&f, &l, "c7g.xlarge")->incompatible);
	cr_expect(!find(&f, &l, "m5.large")->incompatible);
	f.nc.nsubnet = 0;
	cr_expect_eq(ec2_types(&f.arena, &f.c, &f.cat, &f.nc).n, 0);
	fx_release(&f);
}

/* aws-provider IT-70: of the types, p4d has 4 network cards and EFA, m5 no ENA, i4i nested virtualisation. */
Test(ec2_types, compatibility)
{
	static const struct {
		const char *what;
		struct nc_interface interface[2];
		uint32_t n;
		bool nested, tracking;
		const char *fits; /* the types that can be launched, by first letter */
	} rows[] = {
		{"nothing asked", {{0}}, 0, false, false, "cimpt"},
		{"one interface", {{0}}, 1, false, false, "cipt"},
		{"a third interface", {{0}, {.device = 2}}, 2, false, false, "cip"},
		{"a second card", {{0}, {.card = 1, .device = 1}}, 2, false, false, "p"},
		{"an EFA", {{0}, {.device = 1, .efa_only = true}}, 2, false, false, "p"},
		{"nested virtualisation", {{0}}, 0, true, false, "i"},
		{"connection tracking", {{0}}, 0, false, true, "cimp"},
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ec2_fixture f;
		char fits[FX_NTYPE + 1] = "";
		unsigned n = 0;

		fx_init(&f);
		f.cat.type[FX_M5_LARGE].no_ena = true;
		f.cat.type[FX_I4I_LARGE].nested_virtualization = true;
		f.cat.type[FX_T3_NANO].hypervisor = fx_sid(&f, "xen");
		f.nc.has_interfaces = rows[i].n > 0;
		f.nc.ninterface = rows[i].n;
		f.nc.interface = arena_memdup(&f.arena, rows[i].interface, 2, sizeof(struct nc_interface));
		f.nc.nested_virtualization = rows[i].nested;
		f.nc.connection_tracking = rows[i].tracking;
		struct itype_list l = ec2_types(&f.arena, &f.c, &f.cat, &f.nc);

		for (uint32_t k = 0; k < l.n; k++)
			if (!l.v[k].incompatible)
				fits[n++] = *intern_c(&f.in, l.v[k].name);
		cr_expect_str_eq(fits, rows[i].fits, "%s: %s, not %s", rows[i].what, fits, rows[i].fits);
		fx_release(&f);
	}
}

Test(ec2_types, class_defaults)
{
	struct ec2_fixture f;
	bool made_up;

	fx_init(&f);
	cr_expect_eq(ec2_class_defaults(&f.arena, &f.c, &f.cat, &f.nc, SID_EMPTY, &made_up), &f.nc);
	cr_expect(!made_up);
	const struct ec2_node_class *nc =
		ec2_class_defaults(&f.arena, &f.c, &f.cat, NULL, fx_sid(&f, "default"), &made_up);

	cr_expect(made_up);
	cr_expect_eq(nc->meta.name, fx_sid(&f, "default"));
	cr_expect_eq(nc->nsubnet, 2);
	cr_expect_eq(nc->nami, 5);
	cr_expect_eq(ec2_types(&f.arena, &f.c, &f.cat, nc).n, FX_NTYPE);
	f.nc.has_status = false;
	f.nc.alias = fx_sid(&f, "windows2022@latest");
	nc = ec2_class_defaults(&f.arena, &f.c, &f.cat, &f.nc, SID_EMPTY, &made_up);
	cr_expect(made_up && nc->nami == 1 && nc->ami[0].nreq == 3);
	/* A local zone has a subnet only where the settings name it, or where names tell nothing. */
	f.cat.zone[1].name = fx_sid(&f, "eu-west-1-dub-1a");
	nc = ec2_class_defaults(&f.arena, &f.c, &f.cat, &f.nc, SID_EMPTY, &made_up);
	cr_expect(nc->nsubnet == 1 && nc->subnet[0].zone == fx_sid(&f, "eu-west-1a"));
	f.c.settings.has_zones = true;
	f.c.settings.zone = &f.cat.zone[1].name;
	f.c.settings.nzone = 1;
	nc = ec2_class_defaults(&f.arena, &f.c, &f.cat, &f.nc, SID_EMPTY, &made_up);
	cr_expect(nc->nsubnet == 1 && nc->subnet[0].zone == f.cat.zone[1].name);
	f.c.settings.has_zones = false;
	f.cat.zone[0].name = fx_sid(&f, "north");
	nc = ec2_class_defaults(&f.arena, &f.c, &f.cat, &f.nc, SID_EMPTY, &made_up);
	cr_expect_eq(nc->nsubnet, 2);
	fx_release(&f);
}
