#include <criterion/criterion.h>
#include <stdio.h>

#include "ec2_fixture.h"
#include "fleet.h"

/* A claim of the pool "default", and an image for each architecture. */
struct launch_fixture {
	struct ec2_fixture f;
	struct node_pool pool;
	struct plan_claim claim;
	struct itype_list types;
	const struct fleet *fleet;
	const char *error;
};

static struct api_requirement arch(struct ec2_fixture *f, sid value)
{
	struct api_requirement r = {.key = LBL_ARCH, .op = fx_sid(f, "In"), .n = 1, .min_values = -1};

	r.values = arena_memdup(&f->arena, &value, 1, sizeof(value));
	return r;
}

static void set_up(struct launch_fixture *x)
{
	struct ec2_fixture *f = &x->f;

	memset(x, 0, sizeof(*x));
	fx_init(f);
	x->pool.meta.name = fx_sid(f, "default");
	x->claim.pool = &x->pool;
	f->nc.nami = 2;
	f->nc.ami = ARENA_ARRAY(&f->arena, struct nc_ami, 2);
	f->nc.ami[0] = (struct nc_ami){.id = fx_sid(f, "ami-x"), .nreq = 1};
	f->nc.ami[0].req = ARENA_ARRAY(&f->arena, struct api_requirement, 1);
	f->nc.ami[0].req[0] = arch(f, STR_AMD64);
	f->nc.ami[1] = (struct nc_ami){.id = fx_sid(f, "ami-a"), .nreq = 1};
	f->nc.ami[1].req = ARENA_ARRAY(&f->arena, struct api_requirement, 1);
	f->nc.ami[1].req[0] = arch(f, STR_ARM64);
	f->nc.nsecurity_group = 1;
}

static void require(struct launch_fixture *x, sid key, const char *const *values, uint32_t n, int32_t min)
{
	struct reqpool *rp = &x->f.rp;
	sid v[8];

	for (uint32_t i = 0; i < n; i++)
		v[i] = fx_sid(&x->f, values[i]);
	x->claim.reqs =
		rset_add(rp, x->claim.reqs, req_make(rp, req_key(rp, key), n ? OP_IN : OP_EXISTS, v, n, min));
}

static void build(struct launch_fixture *x)
{
	x->types = ec2_types(&x->f.arena, &x->f.c, &x->f.cat, &x->f.nc);
	x->fleet = fleet_build(&x->f.arena, &x->f.c, &x->f.nc, &x->types, &x->claim, &x->error);
}

/* "ami:type/zone type/zone;..." */
static const char *overrides(struct launch_fixture *x)
{
	char *out = arena_printf(&x->f.arena, "%s", "");

	for (uint32_t i = 0; i < x->fleet->nconfig; i++) {
		const struct fleet_config *cfg = &x->fleet->config[i];

		out = arena_printf(&x->f.arena, "%s%s%s:", out, i ? "; " : "",
				   intern_c(&x->f.in, cfg->template_name));
		for (uint32_t k = 0; k < cfg->n; k++) {
			const char *zone = intern_c(&x->f.in, cfg->override[k].zone);

			out = arena_printf(&x->f.arena, "%s%s%s/%s", out, k ? " " : "",
					   intern_c(&x->f.in, cfg->override[k].type),
					   zone + strlen(zone) - 1);
		}
	}
	return out;
}

Test(ec2_fleet, spot_request)
{
	struct launch_fixture x;
	const char *spot = "spot";

	set_up(&x);
	require(&x, LBL_CAPACITY_TYPE, &spot, 1, -1);
	build(&x);
	cr_assert(x.fleet, "%s", x.error);
	/* The GPU type is left out; one template for each image and pod count. */
	cr_expect_str_eq(overrides(&x),
			 "ami-a:c7g.xlarge/a c7g.xlarge/b; ami-x:i4i.large/a i4i.large/b m5.large/a "
			 "m5.large/b; ami-x:t3.nano/a t3.nano/b");
	cr_expect_str_eq(x.fleet->default_target, "spot");
	cr_expect_str_eq(x.fleet->spot_strategy, "price-capacity-optimized");
	cr_expect_null(x.fleet->on_demand_strategy);
	cr_expect_eq(x.fleet->tags.n, 4);
	cr_expect_str_eq(intern_c(&x.f.in, x.fleet->tags.v[3].key), "kubernetes.io/cluster/kspot");
	struct launch l = launch_of_fleet(x.fleet);

	cr_expect_eq(l.type, fx_sid(&x.f, "c7g.xlarge"));
	cr_expect_float_eq(l.price, 0.03, 0);
	cr_expect_float_eq(l.price_max, 0.03 * 5 + 0.001, 1e-12);
	fx_release(&x.f);
}

/* A steadier type is predicted where interruptions count; prices stay what they are. */
Test(ec2_fleet, weighed_launch)
{
	struct launch_fixture x;
	const char *spot = "spot";

	set_up(&x);
	require(&x, LBL_CAPACITY_TYPE, &spot, 1, -1);
	x.f.cat.interruption[FX_C7G_XLARGE] = 4;
	x.f.cat.interruption[FX_I4I_LARGE] = 1;
	build(&x);
	cr_assert(x.fleet, "%s", x.error);
	/* 0.03 and 0.06: at 20 % a class they count as 0.054 and 0.072, at 100 % as 0.15 and 0.12; m5.large
	 * is 0.09. */
	struct launch l = launch_weighed(x.fleet, &x.f.cat, &x.f.in, 20);

	cr_expect(l.type == fx_sid(&x.f, "c7g.xlarge") && l.weighed);
	l = launch_weighed(x.fleet, &x.f.cat, &x.f.in, 100);
	cr_expect_eq(l.type, fx_sid(&x.f, "m5.large"));
	cr_expect_float_eq(l.price, 0.09, 1e-12);
	l = launch_weighed(x.fleet, &x.f.cat, &x.f.in, 0);
	cr_expect(l.type == fx_sid(&x.f, "c7g.xlarge") && !l.weighed);
	fx_release(&x.f);
}

/* Where both are allowed, spot is asked for, but not what is dearer than the cheapest on-demand offering. */
Test(ec2_fleet, spot_and_on_demand)
{
	struct launch_fixture x;
	const char *both[] = {"spot", "on-demand"};

	set_up(&x);
	require(&x, LBL_CAPACITY_TYPE, both, 2, -1);
	build(&x);
	cr_assert(x.fleet, "%s", x.error);
	/* Cheapest on-demand: 0.1. Spot of t3.nano costs 0.15. */
	cr_expect_str_eq(
		overrides(&x),
		"ami-a:c7g.xlarge/a c7g.xlarge/b; ami-x:i4i.large/a i4i.large/b m5.large/a m5.large/b");
	for (uint32_t i = 0; i < 2 * FX_NTYPE; i++)
		x.f.cat.spot[i] = CATALOG_NO_PRICE;
	build(&x);
	cr_expect_str_eq(x.fleet->default_target, "on-demand");
	cr_expect_str_eq(x.fleet->on_demand_strategy, "lowest-price");
	fx_release(&x.f);
}

Test(ec2_fleet, min_values)
{
	struct launch_fixture x;

	set_up(&x);
	require(&x, LBL_FAMILY, NULL, 0, 5);
	build(&x);
	cr_assert(x.fleet, "%s", x.error);
	cr_expect(strstr(overrides(&x), "p4d.24xlarge"), "minValues turns the exotic filter off");
	require(&x, LBL_FAMILY, NULL, 0, 6);
	build(&x);
	cr_assert(!x.fleet);
	cr_expect_str_eq(
		x.error,
		"creating instance, insufficient capacity, truncating instance types based on the passed-in "
		"requirements, validating minValues, minValues requirement is not met for label(s) "
		"(label(s)=[karpenter.k8s.aws/instance-family])");
	x.f.c.settings.min_values_best_effort = true;
	build(&x);
	cr_expect(x.fleet);
	fx_release(&x.f);
}

Test(ec2_fleet, reserved)
{
	struct launch_fixture x;
	struct nc_reservation cr[3];

	set_up(&x);
	for (unsigned i = 0; i < 3; i++)
		cr[i] = (struct nc_reservation){.id = fx_sid(&x.f, i == 0   ? "cr-0"
								   : i == 1 ? "cr-1"
									    : "cr-2"),
						.instance_type = fx_sid(&x.f, "t3.nano"),
						.zone = fx_sid(&x.f, "eu-west-1b"),
						.state = SID_NONE,
						.type = STR_DEFAULT};
	struct reservation_count free = {.id = cr[1].id, .available = 7};

	x.f.c.settings.reservation = &free;
	x.f.c.settings.nreservation = 1;
	x.f.nc.reservation = cr;
	x.f.nc.nreservation = 3;
	build(&x);
	cr_assert(x.fleet, "%s", x.error);
	cr_expect_str_eq(overrides(&x), "ami-x:t3.nano/b");
	cr_expect_eq(x.fleet->capacity_type, CAP_RESERVED);
	cr_expect_eq(launch_of_fleet(x.fleet).reservation, cr[1].id, "that with most instances free");
	cr_expect_str_eq(x.fleet->default_target, "on-demand");
	for (unsigned i = 0; i < 3; i++)
		cr[i].interruptible = true;
	build(&x);
	cr_expect_str_eq(x.fleet->default_target, "reserved-capacity");
	cr_expect_str_eq(x.fleet->reservation_type, "interruptible-capacity-reservation");
	for (unsigned i = 0; i < 3; i++) {
		cr[i].interruptible = false;
		cr[i].type = fx_sid(&x.f, "capacity-block");
	}
	build(&x);
	cr_expect_str_eq(x.fleet->default_target, "capacity-block");
	cr_expect(!x.fleet->on_demand_strategy && !x.fleet->spot_strategy);
	fx_release(&x.f);
}

Test(ec2_fleet, failures)
{
	static const char amis[] = "creating instance, creating nodeclaim, getting launch template configs, "
				   "getting launch templates, ";
	struct launch_fixture x;
	const char *type = "c7g.xlarge", *nowhere = "x9.large";
	struct kv tag = {LBL_NODEPOOL, SID_EMPTY};

	set_up(&x);
	require(&x, LBL_INSTANCE_TYPE, &type, 1, -1);
	x.f.nc.nami = 1;
	build(&x);
	cr_assert(!x.fleet);
	cr_expect(strstr(x.error, amis) == x.error);
	cr_expect_str_eq(x.error + sizeof(amis) - 1,
			 "no instance types satisfy requirements of amis [ami-x]");
	x.f.nc.nami = 0;
	build(&x);
	cr_expect_str_eq(x.error + sizeof(amis) - 1, "no amis exist given constraints");
	require(&x, LBL_INSTANCE_TYPE, &nowhere, 1, -1);
	build(&x);
	cr_expect_str_eq(x.error,
			 "creating instance, insufficient capacity, all requested instance types were "
			 "unavailable during launch");
	x.f.nc.tags = (struct labels){1, &tag};
	build(&x);
	cr_expect(strstr(x.error, "tags=\"karpenter.sh/nodepool\""), "%s", x.error);
	struct condition ready = {
		.type = fx_sid(&x.f, "Ready"), .status = fx_sid(&x.f, "True"), .observed = 1};

	x.f.nc.conditions = (struct conditions){1, &ready};
	x.f.nc.meta.generation = 2;
	build(&x);
	cr_expect_str_eq(x.error,
			 "NodeClassRef not ready, nodeclass status has not been reconciled against the "
			 "latest spec");
	fx_release(&x.f);
}

/* Only the 60 cheapest types are asked for. */
Test(ec2_fleet, truncation)
{
	enum { N = 70 };
	struct launch_fixture x;
	uint32_t n = 0;

	set_up(&x);
	struct ec2_fixture *f = &x.f;

	f->cat.ntype = N;
	f->cat.type = ARENA_ARRAY(&f->arena, struct ec2_type, N);
	f->cat.on_demand = ARENA_ARRAY(&f->arena, double, N);
	f->cat.spot = ARENA_ARRAY(&f->arena, double, 2 * N);
	f->cat.offered = ARENA_ARRAY(&f->arena, uint64_t, BITS_WORDS(2 * N));
	for (uint32_t i = 0; i < N; i++) {
		char name[32];

		snprintf(name, sizeof(name), "m5.s%02u", i);
		f->cat.type[i] = fx_type(f, name, 2, 8192, 3, 10);
		f->cat.on_demand[i] = 1.0 - i * 0.01;
		f->cat.spot[2 * i] = f->cat.spot[2 * i + 1] = CATALOG_NO_PRICE;
		bits_set(f->cat.offered, 2 * i);
		bits_set(f->cat.offered, 2 * i + 1);
	}
	build(&x);
	cr_assert(x.fleet, "%s", x.error);
	for (uint32_t i = 0; i < x.fleet->nconfig; i++)
		n += x.fleet->config[i].n;
	cr_expect_eq(n, 2 * FLEET_MAX_TYPES);
	cr_expect_eq(x.fleet->config[0].override[0].type, fx_sid(f, "m5.s10"),
		     "the dearest were not left out");
	fx_release(f);
}
