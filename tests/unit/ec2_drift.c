#include <criterion/criterion.h>

#include "drift.h"
#include "ec2_fixture.h"

/* An m5.large of the class, launched from ami-1 in zone a. */
struct drift_fixture {
	struct ec2_fixture f;
	struct itype_list types;
	struct node_claim claim;
	struct kv label[3];
	struct api_requirement req[2];
};

static void set_up(struct drift_fixture *x)
{
	struct ec2_fixture *f = &x->f;
	sid *amd64;

	memset(x, 0, sizeof(*x));
	fx_init(f);
	amd64 = ARENA_ARRAY(&f->arena, sid, 1);
	amd64[0] = STR_AMD64;
	x->req[0] = (struct api_requirement){
		.key = LBL_ARCH, .op = fx_sid(f, "In"), .n = 1, .values = amd64, .min_values = -1};
	x->req[1] = (struct api_requirement){
		.key = fx_sid(f, "example.com/any"), .op = fx_sid(f, "Exists"), .min_values = -1};
	f->nc.ami = ARENA_ARRAY(&f->arena, struct nc_ami, 2);
	f->nc.ami[0] = (struct nc_ami){.id = fx_sid(f, "ami-1"), .nreq = 1, .req = x->req};
	f->nc.ami[1] = (struct nc_ami){.id = fx_sid(f, "ami-2"), .nreq = 1, .req = x->req};
	f->nc.nami = 2;
	f->nc.nsecurity_group = 1;
	x->label[0] = (struct kv){LBL_INSTANCE_TYPE, fx_sid(f, "m5.large")};
	x->label[1] = (struct kv){LBL_ZONE, fx_sid(f, "eu-west-1a")};
	x->label[2] = (struct kv){LBL_CR_ID, SID_EMPTY};
	x->claim.meta.labels = (struct labels){3, x->label};
	x->claim.provider_id = SID_EMPTY;
	x->claim.image_id = fx_sid(f, "ami-1");
	x->types = ec2_types(&f->arena, &f->c, &f->cat, &f->nc);
}

static void check(struct drift_fixture *x, const char *want, const char *what)
{
	struct ec2_fixture *f = &x->f;
	sid got = ec2_drift(&f->c, &f->nc, &x->types, &x->claim);
	const char *text = got == SID_NONE ? "(none)" : intern_c(&f->in, got);

	cr_expect_str_eq(text, want, "%s: %s, not %s", what, text, want);
}

/* aws-provider DR-1. */
Test(ec2_drift, reasons)
{
	struct drift_fixture x;
	struct ec2_fixture *f = &x.f;

	set_up(&x);
	check(&x, "", "nothing changed");
	f->nc.ami[0].nreq = 2;
	f->nc.ami[0].req = x.req;
	check(&x, "AMIDrift", "a label that the type lacks cannot be demanded of it");
	f->nc.ami[0].nreq = 1;
	x.claim.image_id = fx_sid(f, "ami-2");
	check(&x, "AMIDrift", "the first image counts");
	x.claim.image_id = SID_EMPTY;
	check(&x, "(none)", "no image id");
	x.claim.image_id = fx_sid(f, "ami-1");
	x.claim.provider_id = fx_sid(f, "aws:///eu-west-1c/i-1");
	check(&x, "SubnetDrift", "the zone of the provider id comes first");
	f->nc.nsecurity_group = 0;
	check(&x, "(none)", "no security groups");
	f->nc.nsecurity_group = 1;
	x.claim.provider_id = SID_EMPTY;
	x.label[2].val = fx_sid(f, "cr-1");
	check(&x, "CapacityReservationDrift", "the reservation is not of the class");
	x.label[0].val = fx_sid(f, "x9.large");
	check(&x, "(none)", "a type that is not there");
	fx_release(f);
}
