#include <criterion/criterion.h>

#include "carry_out.h"

/* A NodePool, a Deployment of four pods, and a plan that puts the first two on one node and one on another.
 */
struct sample {
	struct arena a;
	struct intern in;
	struct reqpool rp;
	struct cluster c;
	struct workload w;
	struct itype_list types;
	const struct itype_list *by_pool[1];
	struct plan plan;
	struct plan_claim claim[3];
};

static sid text(struct sample *s, const char *t)
{
	return intern_cstr(&s->in, t);
}

static void make_pods(struct sample *s)
{
	static const char *const names[] = {"web-1", "web-2", "web-3", "web-4"};
	static const struct pod_spec spec;

	s->c.pods.n = 4;
	s->c.pods.v = ARENA_ARRAY(&s->a, struct pod, 4);
	for (uint32_t i = 0; i < 4; i++) {
		struct pod *p = &s->c.pods.v[i];

		p->meta = (struct object_meta){
			.ns = text(s, "default"), .name = text(s, names[i]), .deleted = TIME_NONE};
		p->spec = &spec;
		p->meta.nowner = 1;
		p->meta.owner = ARENA_NEW(&s->a, struct owner_ref);
		*p->meta.owner = (struct owner_ref){
			.kind = text(s, "ReplicaSet"), .name = text(s, "web"), .controller = true};
		p->meta.labels.n = 1;
		p->meta.labels.v = ARENA_NEW(&s->a, struct kv);
		p->meta.labels.v[0] = (struct kv){text(s, "app"), text(s, "web")};
		p->order = i;
	}
	s->w = (struct workload){.kind = WL_DEPLOYMENT, .replicas = 4};
	s->w.meta = (struct object_meta){.ns = text(s, "default"), .name = text(s, "web")};
	s->w.selector = (struct label_selector){.present = true, .match = s->c.pods.v[0].meta.labels};
}

static void make_type(struct sample *s)
{
	struct itype *t = ARENA_NEW(&s->a, struct itype);
	reqid arch = req_in1(&s->rp, req_key(&s->rp, LBL_ARCH), STR_ARM64);
	sid both[] = {CAP_SPOT, CAP_ON_DEMAND};
	reqid capacity = req_make(&s->rp, req_key(&s->rp, LBL_CAPACITY_TYPE), OP_IN, both, 2, -1);
	reqid of_offering[] = {req_in1(&s->rp, req_key(&s->rp, LBL_ZONE), text(s, "z1")),
			       req_in1(&s->rp, req_key(&s->rp, LBL_CAPACITY_TYPE), CAP_SPOT)};

	t->name = text(s, "t1");
	t->reqs = rset_of(&s->rp, (reqid[]){arch, capacity}, 2);
	t->noffering = 1;
	t->offering = ARENA_NEW(&s->a, struct offering);
	*t->offering = (struct offering){.reqs = rset_of(&s->rp, of_offering, 2),
					 .price = 0.1,
					 .zone = text(s, "z1"),
					 .capacity_type = CAP_SPOT};
	s->types = (struct itype_list){1, t};
	s->by_pool[0] = &s->types;
}

static void make(struct sample *s)
{
	static uint32_t first[] = {0, 1}, second[] = {2};

	*s = (struct sample){0};
	arena_init(&s->a);
	intern_init(&s->in, &s->a);
	labels_init(&s->in);
	reqpool_init(&s->rp, &s->a, &s->in, true);
	s->c = (struct cluster){.arena = &s->a, .in = &s->in, .rp = &s->rp};
	settings_defaults(&s->c.settings, &s->in);
	s->c.settings.now = 100000;
	make_pods(s);
	make_type(s);
	s->c.pools.n = 1;
	s->c.pools.v = ARENA_NEW(&s->a, struct node_pool);
	s->c.pools.v->meta.name = text(s, "pool");
	s->c.pools.v->consolidate_after = 30000000000;
	for (int i = 0; i < 3; i++)
		s->claim[i] = (struct plan_claim){
			.pool = s->c.pools.v,
			.launch = {.type = text(s, "t1"), .zone = text(s, "z1"), .capacity_type = CAP_SPOT}};
	s->claim[0].npod = 2;
	s->claim[0].pod = first;
	s->claim[1].npod = 1;
	s->claim[1].pod = second;
	s->claim[2].launch.type = SID_NONE; /* cannot be launched */
	s->plan = (struct plan){.nclaim = 3, .claim = s->claim};
}

Test(carry_out, launch)
{
	static const char *const names[] = {"pool-2", "pool-1", "pool-3"};
	struct sample s;
	struct cluster *c;
	const struct node *n;

	make(&s);
	c = sim_launch(&s.a, &s.c, &s.plan, (struct sim_types){s.by_pool}, names);
	cr_assert_eq(c->nodes.n, 2);
	cr_assert_eq(c->claims.n, 2);
	cr_assert_eq(s.c.nodes.n, 0, "the old cluster stands");
	cr_assert_eq(s.c.pods.v[0].node, SID_EMPTY);
	cr_assert_eq(c->nodes.v[0].meta.name, text(&s, "pool-1"), "sorted by name");
	cr_assert_eq(c->pods.v[0].node, text(&s, "pool-2"));
	cr_assert_eq(c->pods.v[2].node, text(&s, "pool-1"));
	cr_assert_eq(c->pods.v[2].phase, POD_RUNNING);
	cr_assert_eq(c->pods.v[3].node, SID_EMPTY);
	n = cluster_node(c, text(&s, "pool-2"));
	cr_assert(n);
	cr_assert_eq(labels_get(&n->meta.labels, LBL_ZONE), text(&s, "z1"));
	cr_assert_eq(labels_get(&n->meta.labels, LBL_CAPACITY_TYPE), CAP_SPOT,
		     "the offering's, though the type has two");
	cr_assert_eq(labels_get(&n->meta.labels, LBL_ARCH), STR_ARM64);
	cr_assert_eq(labels_get(&n->meta.labels, LBL_INITIALIZED), STR_TRUE);
	cr_assert_eq(labels_get(&n->meta.labels, LBL_HOSTNAME), text(&s, "pool-2"));
	cr_assert_eq(n->meta.created, 100000 - 3600 - 30);
	cr_assert(conditions_true(&c->claims.v[0].conditions, &s.in, "Consolidatable"));
	cr_assert_eq(c->claims.v[0].provider_id,
		     n == &c->nodes.v[0] ? n->provider_id : c->nodes.v[0].provider_id);
	arena_release(&s.a);
}

/* What a launch leaves on its node: of the type's reservations only the one that was taken, the tenancy that
 * was asked for, and EFA interfaces only where the claim requests them. */
Test(carry_out, launched_as)
{
	static const char *const names[] = {"pool-1"};
	static const struct {
		sid capacity_type;
		const char *taken, *tenancy, *want_reservation, *want_tenancy;
		bool efa;
	} rows[] = {
		{CAP_SPOT, "", NULL, "", "default", false},
		{CAP_RESERVED, "cr-2", NULL, "cr-2", "default", true},
		{CAP_RESERVED, "cr-1", "dedicated", "cr-1", "dedicated", false},
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sample s;
		static const struct fleet fleet;
		struct res_item efa = {.v = qty_of(2), .name = RES_EFA};

		make(&s);
		struct itype *t = s.types.v;
		sid tenancies[] = {STR_DEFAULT, text(&s, "dedicated")};

		t->reqs = rset_add(&s.rp, t->reqs,
				   req_make(&s.rp, req_key(&s.rp, LBL_TENANCY), OP_IN, tenancies, 2, -1));
		t->reqs = rset_add(&s.rp, t->reqs,
				   req_in1(&s.rp, req_key(&s.rp, LBL_CR_TYPE), text(&s, "default")));
		t->capacity = t->allocatable = (struct reslist){1, &efa};
		t->noffering = 3;
		t->offering = ARENA_ARRAY(&s.a, struct offering, 3);
		for (uint32_t k = 0; k < 3; k++) {
			struct offering *o = &t->offering[k];
			sid id = text(&s, k == 0 ? "" : k == 1 ? "cr-1" : "cr-2");

			*o = (struct offering){.zone = text(&s, "z1"),
					       .capacity_type = k ? CAP_RESERVED : CAP_SPOT,
					       .reservation = k ? id : SID_NONE};
			o->reqs =
				rset_add(&s.rp, RSET_EMPTY,
					 req_in1(&s.rp, req_key(&s.rp, LBL_CAPACITY_TYPE), o->capacity_type));
			if (k)
				o->reqs = rset_add(&s.rp, o->reqs,
						   req_in1(&s.rp, req_key(&s.rp, LBL_CR_ID), id));
		}
		s.claim[0].fleet = &fleet;
		s.claim[0].launch.capacity_type = rows[i].capacity_type;
		s.claim[0].launch.reservation = text(&s, rows[i].taken);
		if (rows[i].efa)
			s.claim[0].requests = (struct reslist){1, &efa};
		if (rows[i].tenancy)
			s.claim[0].reqs = rset_add(
				&s.rp, s.claim[0].reqs,
				req_make(&s.rp, req_key(&s.rp, LBL_TENANCY), OP_NOT_IN, tenancies, 1, -1));
		s.plan.nclaim = 1;
		const struct cluster *c =
			sim_launch(&s.a, &s.c, &s.plan, (struct sim_types){s.by_pool}, names);

		cr_assert_eq(c->nodes.n, 1);
		const struct labels *l = &c->nodes.v[0].meta.labels;
		sid id = labels_get(l, LBL_CR_ID), type = labels_get(l, LBL_CR_TYPE);

		cr_expect_str_eq(id == SID_NONE ? "" : intern_c(&s.in, id), rows[i].want_reservation);
		cr_expect_eq(type == SID_NONE, rows[i].capacity_type == CAP_SPOT, "row %u", i);
		cr_expect_str_eq(intern_c(&s.in, labels_get(l, LBL_TENANCY)), rows[i].want_tenancy);
		cr_expect_eq(reslist_find(&c->nodes.v[0].allocatable, RES_EFA) != NULL, rows[i].efa);
		arena_release(&s.a);
	}
}

static void reserve(struct sample *s, uint32_t k, const char *id, int32_t free)
{
	s->types.v->offering[k] = (struct offering){.zone = text(s, "z1"),
						    .capacity_type = CAP_RESERVED,
						    .reservation = text(s, id),
						    .reservation_cap = free,
						    .available = free > 0};
}

/* A NodeClaim takes an instance of its reservation and gives it back. */
Test(carry_out, reservations)
{
	struct sample s;
	struct node_claim claim[2];
	struct kv label[2];
	struct cluster more;
	struct nc_reservation expiring;
	struct ec2_node_class class = {.nreservation = 1, .reservation = &expiring};

	make(&s);
	s.types.v->noffering = 2;
	s.types.v->offering = ARENA_ARRAY(&s.a, struct offering, 2);
	reserve(&s, 0, "cr-1", 1);
	reserve(&s, 1, "cr-2", 5);
	for (unsigned i = 0; i < 2; i++) {
		label[i] = (struct kv){LBL_CR_ID, text(&s, i ? "cr-2" : "cr-1")};
		claim[i] = (struct node_claim){.meta.labels = {1, &label[i]}};
	}
	more = s.c;
	more.claims.n = 2;
	more.claims.v = claim;
	cr_expect_eq(sim_recount(&s.a, &more, &more, s.by_pool), s.by_pool, "nothing changed");
	const struct offering *o = sim_recount(&s.a, &s.c, &more, s.by_pool)[0]->v[0].offering;

	cr_expect(o[0].reservation_cap == 0 && !o[0].available);
	cr_expect(o[1].reservation_cap == 4 && o[1].available);
	cr_expect(s.types.v->offering[0].reservation_cap == 1, "the old types stand");
	reserve(&s, 0, "cr-1", 0);
	o = sim_recount(&s.a, &more, &s.c, s.by_pool)[0]->v[0].offering;
	cr_expect(o[0].reservation_cap == 1 && o[0].available);
	cr_expect(o[1].reservation_cap == 6 && o[1].available);
	expiring = (struct nc_reservation){.id = text(&s, "cr-1"), .state = text(&s, "expiring")};
	more.classes.n = 1;
	more.classes.v = &class;
	o = sim_recount(&s.a, &more, &s.c, s.by_pool)[0]->v[0].offering;
	cr_expect(o[0].reservation_cap == 1 && !o[0].available);
	arena_release(&s.a);
}

Test(carry_out, scale_down)
{
	static const char *const names[] = {"pool-1", "pool-2", "pool-3"};
	/* How many stay, and which go: the one without a node, then one that shares its node, then the last.
	 */
	static const struct {
		uint32_t replicas;
		const char *gone;
	} rows[] = {
		{4, ""},
		{3, "default/web-4 "},
		{2, "default/web-2 default/web-4 "},
		{1, "default/web-1 default/web-2 default/web-4 "},
		{0, "default/web-1 default/web-2 default/web-3 default/web-4 "},
	};
	struct sample s;
	struct cluster *c;

	make(&s);
	c = sim_launch(&s.a, &s.c, &s.plan, (struct sim_types){s.by_pool}, names);
	cr_assert_eq(sim_replicas(c, &s.w), 4);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pod_names removed;
		struct cluster *left = sim_scale_down(&s.a, c, &s.w, rows[i].replicas, &removed);
		struct buf b;

		buf_init(&b);
		for (uint32_t k = 0; k < removed.n; k++)
			buf_addf(&b, "%s ", removed.v[k]);
		cr_assert_eq(left->pods.n, rows[i].replicas);
		cr_assert_str_eq(buf_cstr(&b), rows[i].gone);
		buf_release(&b);
	}
	arena_release(&s.a);
}

Test(carry_out, disrupt)
{
	static const char *const names[] = {"pool-1", "pool-2", "pool-3"}, *const again[] = {"pool-4"};
	static const char *const failed[] = {NULL};
	static uint32_t moved[] = {1};
	struct sample s;
	struct plan_claim replacement;
	struct cluster *c, *after;
	struct disrupt_command command = {.ncandidate = 1, .nreplacement = 1, .replacement = &replacement};
	sid gone;

	make(&s);
	c = sim_launch(&s.a, &s.c, &s.plan, (struct sim_types){s.by_pool}, names);
	gone = text(&s, "pool-1");
	command.candidate = &gone;
	replacement = s.claim[0];
	replacement.npod = 1;
	replacement.pod = moved;
	after = sim_disrupt(&s.a, c, &(struct disrupt_commands){1, &command}, failed,
			    (struct sim_types){s.by_pool}, again);
	cr_assert_eq(after->nodes.n, 2);
	cr_assert_eq(after->claims.n, 2);
	cr_assert_null(cluster_node(after, gone));
	cr_assert_not_null(cluster_node(after, text(&s, "pool-4")));
	cr_assert_eq(after->pods.v[0].node, SID_EMPTY, "evicted");
	cr_assert_eq(after->pods.v[0].phase, POD_PENDING);
	cr_assert_eq(after->pods.v[1].node, text(&s, "pool-4"), "went with the replacement");
	cr_assert_eq(after->pods.v[2].node, text(&s, "pool-2"), "not concerned");
	cr_assert_eq(c->pods.v[0].node, gone, "the old cluster stands");
	arena_release(&s.a);
}
