#include <criterion/criterion.h>

#include "ec2_fixture.h"
#include "ec2_query.h"

static struct query_row *ask(struct ec2_fixture *f, rsetid reqs, enum query_order order, uint32_t *ret_n)
{
	struct itype_list l = ec2_types(&f->arena, &f->c, &f->cat, &f->nc);

	return ec2_query(&f->arena, &f->c, &f->cat, &l, reqs, order, ret_n);
}

static const char *names(struct ec2_fixture *f, const struct query_row *r, uint32_t n)
{
	const char *out = "";

	for (uint32_t i = 0; i < n; i++)
		out = arena_printf(&f->arena, "%s%s%s", out, i ? " " : "", intern_c(&f->in, r[i].type->name));
	return out;
}

Test(ec2_query, order)
{
	static const struct {
		enum query_order order;
		const char *want;
	} rows[] = {
		{QUERY_BY_PRICE, "c7g.xlarge i4i.large m5.large p4d.24xlarge t3.nano"},
		{QUERY_BY_CPU, "i4i.large m5.large t3.nano c7g.xlarge p4d.24xlarge"},
		{QUERY_BY_MEMORY, "t3.nano c7g.xlarge m5.large i4i.large p4d.24xlarge"},
		{QUERY_BY_PRICE_PER_CPU, "p4d.24xlarge c7g.xlarge i4i.large m5.large t3.nano"},
		{QUERY_BY_NAME, "c7g.xlarge i4i.large m5.large p4d.24xlarge t3.nano"},
	};
	struct ec2_fixture f;

	fx_init(&f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t n;
		struct query_row *r = ask(&f, RSET_EMPTY, rows[i].order, &n);

		cr_expect_str_eq(names(&f, r, n), rows[i].want);
	}
	fx_release(&f);
}

Test(ec2_query, requirements_and_prices)
{
	struct ec2_fixture f;
	uint32_t n;
	sid zone, spot = CAP_SPOT;
	rsetid reqs;

	fx_init(&f);
	zone = fx_sid(&f, "eu-west-1b");
	f.cat.on_demand_flag[FX_M5_LARGE] = PRICE_ESTIMATED;
	f.cat.spot_flag[FX_M5_LARGE * 2 + 1] = PRICE_REGIONAL;
	struct query_row *r = ask(&f, RSET_EMPTY, QUERY_BY_NAME, &n);

	cr_assert_eq(n, FX_NTYPE);
	cr_expect(r[FX_M5_LARGE].estimated && r[FX_M5_LARGE].regional && !r[FX_T3_NANO].regional);
	struct catalog_rule told[] = {{.type = fx_sid(&f, "m5.large"),
				       .zone = SID_NONE,
				       .capacity_type = SID_NONE,
				       .usd_per_hour = 0.01}};

	f.c.settings.price = told;
	f.c.settings.nprice = 1;
	r = ask(&f, RSET_EMPTY, QUERY_BY_NAME, &n);
	cr_expect(!r[FX_M5_LARGE].estimated && !r[FX_M5_LARGE].regional, "the settings tell the price");
	f.c.settings.nprice = 0;
	r = ask(&f, RSET_EMPTY, QUERY_BY_NAME, &n);
	cr_expect_eq(r[FX_M5_LARGE].nzone, 2);
	cr_expect_float_eq(r[FX_M5_LARGE].spot_min, 0.03 * 3, 1e-12);
	cr_expect_float_eq(r[FX_M5_LARGE].spot_max, 0.03 * 3 + 0.001, 1e-12);
	reqs = rset_add(&f.rp, RSET_EMPTY, req_in1(&f.rp, req_key(&f.rp, LBL_ZONE), zone));
	reqs = rset_add(&f.rp, reqs, req_in1(&f.rp, req_key(&f.rp, LBL_CAPACITY_TYPE), spot));
	f.cat.spot[FX_T3_NANO * 2 + 1] = CATALOG_NO_PRICE;
	r = ask(&f, reqs, QUERY_BY_NAME, &n);
	cr_expect_str_eq(names(&f, r, n), "c7g.xlarge i4i.large m5.large p4d.24xlarge");
	cr_expect(r[0].on_demand < 0 && r[0].nzone == 1);
	cr_expect_float_eq(r[0].cheapest, 0.031, 1e-12);
	fx_release(&f);
}
