#include <criterion/criterion.h>

#include "drift.h"
#include "ec2_fixture.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

enum lacks { NOTHING, AMIS, SUBNETS, GROUPS };

struct row {
	const char *name;
	const char *have_hash, *have_version, *want_hash, *want_version; /* of the claim, of the class */
	const char *type, *image, *provider_id, *zone, *reservation;
	enum lacks lacks;
	const char *want; /* NULL: cannot be told */
};

static void add(struct ec2_fixture *f, struct labels *l, sid key, const char *value)
{
	if (!value)
		return;
	if (!l->v)
		l->v = ARENA_ARRAY(&f->arena, struct kv, 4);
	l->v[l->n++] = (struct kv){key, fx_sid(f, value)};
}

static void fill_class(struct ec2_fixture *f, const struct row *row)
{
	struct ec2_node_class *nc = &f->nc;
	sid any[] = {STR_AMD64, STR_ARM64};

	add(f, &nc->meta.annotations, ANN_NODECLASS_HASH, row->want_hash);
	add(f, &nc->meta.annotations, ANN_NODECLASS_HASH_VERSION, row->want_version);
	nc->nami = row->lacks == AMIS ? 0 : 3;
	nc->ami = ARENA_ARRAY(&f->arena, struct nc_ami, 3);
	for (uint32_t i = 0; i < 3; i++) {
		static const char *const ids[] = {"ami-x", "ami-any", "ami-a"};
		struct api_requirement *r = ARENA_NEW(&f->arena, struct api_requirement);

		*r = (struct api_requirement){
			.key = LBL_ARCH, .op = fx_sid(f, "In"), .n = i == 1 ? 2 : 1, .min_values = -1};
		r->values = arena_memdup(&f->arena, i == 1 ? any : &any[i / 2], r->n, sizeof(*any));
		nc->ami[i] = (struct nc_ami){.id = fx_sid(f, ids[i]), .nreq = 1, .req = r};
	}
	nc->nsubnet = row->lacks == SUBNETS ? 0 : 1; /* of eu-west-1b */
	nc->nsecurity_group = row->lacks == GROUPS ? 0 : 1;
	nc->nreservation = 1;
	nc->reservation = ARENA_NEW(&f->arena, struct nc_reservation);
	nc->reservation->id = fx_sid(f, "cr-1");
}

/* DR-1; the instance behind a claim as in determinism, "Disruption". */
Test(drift, ec2)
{
#define B "eu-west-1b"
#define LIKE_NEW NULL, NULL, NULL, NULL, "m5.large", "ami-x"
	static const struct row rows[] = {
		{"as it should be", LIKE_NEW, "aws:///eu-west-1b/i-1", B, NULL, NOTHING, ""},
		{"hash", "1", "v4", "2", "v4", "m5.large", "ami-x", "aws:///eu-west-1b/i-1", B, NULL, NOTHING,
		 "NodeClassDrift"},
		{"the same hash", "1", "v4", "1", "v4", "m5.large", "ami-x", "aws:///eu-west-1b/i-1", B, NULL,
		 NOTHING, ""},
		{"another version", "1", "v4", "2", "v3", "m5.large", "ami-x", "aws:///eu-west-1b/i-1", B,
		 NULL, NOTHING, ""},
		{"no hash of the claim", NULL, "v4", "2", "v4", "m5.large", "ami-x", "aws:///eu-west-1b/i-1",
		 B, NULL, NOTHING, ""},
		{"no hash of the class", "1", "v4", NULL, "v4", "m5.large", "ami-x", "aws:///eu-west-1b/i-1",
		 B, NULL, NOTHING, ""},
		{"no versions", "1", NULL, "2", NULL, "m5.large", "ami-x", "aws:///eu-west-1b/i-1", B, NULL,
		 NOTHING, ""},
		{"the hash comes first", "1", "v4", "2", "v4", "none.such", NULL, "", NULL, NULL, AMIS,
		 "NodeClassDrift"},
		{"a type that is not there", NULL, NULL, NULL, NULL, "none.such", "ami-x",
		 "aws:///eu-west-1b/i-1", B, NULL, NOTHING, NULL},
		{"no images", LIKE_NEW, "aws:///eu-west-1b/i-1", B, NULL, AMIS, NULL},
		{"no image id", NULL, NULL, NULL, NULL, "m5.large", NULL, "aws:///eu-west-1b/i-1", B, NULL,
		 NOTHING, NULL},
		{"another image", NULL, NULL, NULL, NULL, "m5.large", "ami-a", "aws:///eu-west-1b/i-1", B,
		 NULL, NOTHING, "AMIDrift"},
		/* Not an image that would do, but the first. */
		{"the second image that fits", NULL, NULL, NULL, NULL, "m5.large", "ami-any",
		 "aws:///eu-west-1b/i-1", B, NULL, NOTHING, "AMIDrift"},
		{"of another architecture", NULL, NULL, NULL, NULL, "c7g.xlarge", "ami-any",
		 "aws:///eu-west-1b/i-1", B, NULL, NOTHING, ""},
		{"no security groups", LIKE_NEW, "aws:///eu-west-1a/i-1", B, NULL, GROUPS, NULL},
		{"no subnets", LIKE_NEW, "aws:///eu-west-1b/i-1", B, NULL, SUBNETS, NULL},
		{"no subnet in the zone of the instance", LIKE_NEW, "aws:///eu-west-1a/i-1", B, NULL, NOTHING,
		 "SubnetDrift"},
		{"nor in that of the label", LIKE_NEW, "i-1", "eu-west-1a", NULL, NOTHING, "SubnetDrift"},
		{"the zone of the label", LIKE_NEW, "i-1", B, NULL, NOTHING, ""},
		{"a reservation", LIKE_NEW, "aws:///eu-west-1b/i-1", B, "cr-1", NOTHING, ""},
		{"one that is gone", LIKE_NEW, "aws:///eu-west-1b/i-1", B, "cr-2", NOTHING,
		 "CapacityReservationDrift"},
		{"the subnet before the reservation", LIKE_NEW, "aws:///eu-west-1a/i-1", B, "cr-2", NOTHING,
		 "SubnetDrift"},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct node_claim claim = {.image_id = SID_NONE};
		struct itype_list types;
		struct ec2_fixture f;
		const char *got;
		sid drift;

		fx_init(&f);
		fill_class(&f, &rows[i]);
		types = ec2_types(&f.arena, &f.c, &f.cat, &f.nc);
		add(&f, &claim.meta.annotations, ANN_NODECLASS_HASH, rows[i].have_hash);
		add(&f, &claim.meta.annotations, ANN_NODECLASS_HASH_VERSION, rows[i].have_version);
		add(&f, &claim.meta.labels, LBL_INSTANCE_TYPE, rows[i].type);
		add(&f, &claim.meta.labels, LBL_ZONE, rows[i].zone);
		add(&f, &claim.meta.labels, LBL_CR_ID, rows[i].reservation);
		claim.provider_id = fx_sid(&f, rows[i].provider_id);
		if (rows[i].image)
			claim.image_id = fx_sid(&f, rows[i].image);
		drift = ec2_drift(&f.c, &f.nc, &types, &claim);
		got = intern_c(&f.in, drift);
		cr_expect(rows[i].want ? strcmp(got, rows[i].want) == 0 : drift == SID_NONE, "%s: %s",
			  rows[i].name, got);
		fx_release(&f);
	}
}
