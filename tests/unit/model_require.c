#include <criterion/criterion.h>
#include <stdio.h>

#include "model_fixture.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

/* How a requirement reads, and which operator it reports (karpenter-core A6.1, A6.3, A6.12). */
Test(require, made)
{
	static const struct {
		const char *text, *want;
		enum req_op op;
	} rows[] = {
		{"k In b a b", "k In [a b]", OP_IN},
		{"k In", "k DoesNotExist", OP_DOES_NOT_EXIST},
		{"k NotIn b a", "k NotIn [a b]", OP_NOT_IN},
		{"k NotIn", "k Exists", OP_EXISTS},
		{"k Exists", "k Exists", OP_EXISTS},
		{"k DoesNotExist", "k DoesNotExist", OP_DOES_NOT_EXIST},
		{"k Gt 4", "k Exists >=5", OP_EXISTS},
		{"k Lt 4", "k Exists <=3", OP_EXISTS},
		{"k Gte 4", "k Exists >=4", OP_EXISTS},
		{"k Lte 4", "k Exists <=4", OP_EXISTS},
		{"k Gt -3", "k Exists >=-2", OP_EXISTS},
		{"k Gt x", "k Exists >=1", OP_EXISTS}, /* no number counts as 0 */
		{"k Lt 4.5", "k Exists <=-1", OP_EXISTS},
		{"k Gte +7", "k Exists >=7", OP_EXISTS},
		{"k Gt 9223372036854775807", "k DoesNotExist", OP_DOES_NOT_EXIST},
		{"k Gt 9223372036854775807 min 2", "k DoesNotExist", OP_DOES_NOT_EXIST},
		/* Too large for 64 bits: the nearest integer, as Go reads it. */
		{"k Gt 9223372036854775808", "k DoesNotExist", OP_DOES_NOT_EXIST},
		{"k Gte 99999999999999999999", "k Exists >=9223372036854775807", OP_EXISTS},
		{"k Lte -99999999999999999999", "k Exists <=-9223372036854775808", OP_EXISTS},
		{"k Lt 9223372036854775807", "k Exists <=9223372036854775806", OP_EXISTS},
		{"k In a b min 2", "k In [a b] minValues 2", OP_IN},
		{"k In a min 0", "k In [a] minValues 0", OP_IN},
		{"k Exists min 3", "k Exists minValues 3", OP_EXISTS},
		{"k Gt 4 min 3", "k Exists >=5 minValues 3", OP_EXISTS},
		{"k In a b c d e", "k In [a b c d e]", OP_IN},
		{"k In e d c b a g f", "k In [a b c d e and 2 others]", OP_IN},
		/* Old spellings of keys (A6.2). */
		{"failure-domain.beta.kubernetes.io/zone In z", "topology.kubernetes.io/zone In [z]", OP_IN},
		{"failure-domain.beta.kubernetes.io/region In r", "topology.kubernetes.io/region In [r]",
		 OP_IN},
		{"beta.kubernetes.io/arch In arm64", "kubernetes.io/arch In [arm64]", OP_IN},
		{"beta.kubernetes.io/os In linux", "kubernetes.io/os In [linux]", OP_IN},
		{"beta.kubernetes.io/instance-type In m5", "node.kubernetes.io/instance-type In [m5]", OP_IN},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct bench b;
		reqid r;

		bench_init(&b);
		r = bench_req(&b, rows[i].text);
		cr_expect_str_eq(bench_show_req(&b, r), rows[i].want, "%s: %s", rows[i].text,
				 bench_show_req(&b, r));
		cr_expect_eq(req_operator(&b.rp, r), rows[i].op, "%s", rows[i].text);
		cr_expect_eq(bench_req(&b, rows[i].text), r, "%s: equal requirements share an id",
			     rows[i].text);
		bench_release(&b);
	}
}

/* A6.4. */
Test(require, intersection)
{
	static const struct {
		const char *a, *b, *want;
	} rows[] = {
		{"k Exists", "k Exists", "k Exists"},
		{"k Exists", "k DoesNotExist", "k DoesNotExist"},
		{"k Exists", "k In A B", "k In [A B]"},
		{"k Exists", "k NotIn A", "k NotIn [A]"},
		{"k Exists", "k Gt 1", "k Exists >=2"},
		{"k DoesNotExist", "k In A", "k DoesNotExist"},
		{"k DoesNotExist", "k NotIn A", "k DoesNotExist"},
		{"k DoesNotExist", "k Lt 9", "k DoesNotExist"},
		{"k In A B", "k In B C", "k In [B]"},
		{"k In A", "k In B", "k DoesNotExist"},
		{"k In A B", "k NotIn A", "k In [B]"},
		{"k In A", "k NotIn A", "k DoesNotExist"},
		{"k In 1 9", "k NotIn 1 2", "k In [9]"},
		{"k NotIn A", "k NotIn 1 2", "k NotIn [1 2 A]"},
		{"k In A B", "k Gt 1", "k DoesNotExist"},
		{"k In 1 9", "k Gt 1", "k In [9]"},
		{"k In 1 9", "k Lt 9", "k In [1]"},
		{"k In 1 9", "k Lt 1", "k DoesNotExist"},
		{"k In 01 +5 -7 5x", "k Gt 0", "k In [+5 01]"},
		{"k In 99999999999999999999 5", "k Gt 0", "k In [5]"},
		/* Bounds throw out excluded values that lie outside, or are no numbers. */
		{"k NotIn A", "k Gt 9", "k Exists >=10"},
		{"k NotIn 1 2", "k Gt 1", "k NotIn [2] >=2"},
		{"k NotIn 1 2", "k Gt 9", "k Exists >=10"},
		{"k NotIn 1 2", "k Lt 9", "k NotIn [1 2] <=8"},
		{"k Gt 1", "k Gt 9", "k Exists >=10"},
		{"k Lt 1", "k Lt 9", "k Exists <=0"},
		{"k Gt 1", "k Lt 9", "k Exists >=2 <=8"},
		{"k Gt 9", "k Lt 1", "k DoesNotExist"},
		{"k Gt 4", "k Lt 6", "k Exists >=5 <=5"},
		{"k Gt 4", "k Lt 5", "k DoesNotExist"},
		{"k Gte 5", "k Lte 5", "k Exists >=5 <=5"},
		{"k In 1 5 9", "k Gte 5", "k In [5 9]"},
		/* The larger minValues stands; crossing bounds keep it. */
		{"k In A B min 1", "k In A B min 2", "k In [A B] minValues 2"},
		{"k In A B min 2", "k Exists", "k In [A B] minValues 2"},
		{"k In A B min 2", "k In A", "k In [A] minValues 2"},
		{"k Gt 9 min 2", "k Lt 1 min 3", "k DoesNotExist minValues 3"},
		{"k Exists min 0", "k Exists", "k Exists minValues 0"},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct bench b;
		reqid x, y;

		bench_init(&b);
		x = bench_req(&b, rows[i].a);
		y = bench_req(&b, rows[i].b);
		cr_expect_str_eq(bench_show_req(&b, req_intersect(&b.rp, x, y)), rows[i].want,
				 "%s and %s: %s", rows[i].a, rows[i].b,
				 bench_show_req(&b, req_intersect(&b.rp, x, y)));
		cr_expect_eq(req_intersect(&b.rp, y, x), req_intersect(&b.rp, x, y), "%s and %s", rows[i].a,
			     rows[i].b);
		bench_release(&b);
	}
}

static bool in_text(const char *list, const char *word)
{
	char padded[64], probe[16];

	snprintf(padded, sizeof(padded), " %s ", list);
	snprintf(probe, sizeof(probe), " %s ", word);
	return strstr(padded, probe) != NULL;
}

/*
 * Every pair of requirements over every value, against the definition: what an intersection allows is what
 * both sides allow (A6.6), and there is one unless no value of a concrete side is left (A6.5).
 */
Test(require, pairs)
{
	static const struct {
		const char *text;
		const char *yes; /* the values it allows */
	} reqs[] = {
		{"k Exists", "A B 1 2 9 10 -1 01"},
		{"k DoesNotExist", ""},
		{"k In A", "A"},
		{"k In A B", "A B"},
		{"k In 1", "1"},
		{"k In 1 9", "1 9"},
		{"k In A 9 10", "A 9 10"},
		{"k NotIn A", "B 1 2 9 10 -1 01"},
		{"k NotIn 1 2", "A B 9 10 -1 01"},
		{"k Gt 1", "2 9 10"},
		{"k Gt 9", "10"},
		{"k Lt 1", "-1"},
		{"k Lt 9", "1 2 -1 01"},
		{"k Gte 9", "9 10"},
		{"k Lte 1", "1 -1 01"},
	};
	static const char *const values[] = {"A", "B", "1", "2", "9", "10", "-1", "01"};
	struct bench b;

	bench_init(&b);
	for (size_t i = 0; i < N(reqs); i++)
		for (size_t j = 0; j < N(reqs); j++) {
			reqid x = bench_req(&b, reqs[i].text), y = bench_req(&b, reqs[j].text);
			reqid both = req_intersect(&b.rp, x, y);
			bool any = false;

			for (size_t k = 0; k < N(values); k++) {
				bool want =
					in_text(reqs[i].yes, values[k]) && in_text(reqs[j].yes, values[k]);

				any = any || want;
				cr_expect_eq(req_allows(&b.rp, both, intern_cstr(&b.in, values[k])), want,
					     "%s and %s: %s", reqs[i].text, reqs[j].text, values[k]);
			}
			/* Two complements meet somewhere unless their bounds cross. */
			any = any || (req_get(&b.rp, x)->complement && req_get(&b.rp, y)->complement &&
				      req_operator(&b.rp, both) != OP_DOES_NOT_EXIST);
			cr_expect_eq(req_has_intersection(&b.rp, x, y), any, "%s and %s", reqs[i].text,
				     reqs[j].text);
		}
	/* A value that no requirement mentions. */
	cr_expect(req_allows(&b.rp, bench_req(&b, "k NotIn A"), intern_cstr(&b.in, "new")));
	cr_expect_not(req_allows(&b.rp, bench_req(&b, "k Gt 1"), intern_cstr(&b.in, "newer")));
	cr_expect(req_allows(&b.rp, bench_req(&b, "k Gt 1"), intern_cstr(&b.in, "77")));
	cr_expect_not(req_allows(&b.rp, bench_req(&b, "k Lt 1"), intern_cstr(&b.in, "78")));
	bench_release(&b);
}

/* Sets of thousands of values: the same rules, on other paths. */
Test(require, many_values)
{
	static const struct {
		uint32_t n, step_a, step_b;
	} rows[] = {{40, 2, 3}, {300, 2, 3}, {3000, 2, 3}, {3000, 7, 5}};

	for (size_t i = 0; i < N(rows); i++) {
		struct bench b;
		sid *va, *vb;
		uint32_t na = 0, nb = 0, want = 0, n;
		keyid k;
		reqid x, y, both, but;

		bench_init(&b);
		k = req_key(&b.rp, intern_cstr(&b.in, "k"));
		va = ARENA_ARRAY(&b.arena, sid, rows[i].n);
		vb = ARENA_ARRAY(&b.arena, sid, rows[i].n);
		for (uint32_t v = 0; v < rows[i].n; v++) {
			sid text = intern_cstr(&b.in, arena_printf(&b.arena, "%u", v));

			if (v % rows[i].step_a == 0)
				va[na++] = text;
			if (v % rows[i].step_b == 0)
				vb[nb++] = text;
			want += v % rows[i].step_a == 0 && v % rows[i].step_b == 0 && v > 5;
		}
		x = req_make(&b.rp, k, OP_IN, va, na, -1);
		y = req_make(&b.rp, k, OP_IN, vb, nb, -1);
		cr_expect_eq(req_make(&b.rp, k, OP_IN, va, na, -1), x, "the same set again");
		both = req_intersect(&b.rp, req_intersect(&b.rp, x, y), bench_req(&b, "k Gt 5"));
		but = req_intersect(&b.rp, x, req_make(&b.rp, k, OP_NOT_IN, vb, nb, -1));
		req_values(&b.rp, both, &b.arena, &n);
		cr_expect_eq(n, want, "%u values: %u left", rows[i].n, n);
		cr_expect_not(req_has_intersection(&b.rp, both, but));
		cr_expect_eq(req_get(&b.rp, but)->nvalues +
				     req_get(&b.rp, req_intersect(&b.rp, x, y))->nvalues,
			     na);
		bench_release(&b);
	}
}

/* The value that stands for a requirement (determinism, "Requirements"). */
Test(require, any)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"k In b a", "a"},    {"k In 10 9", "10"}, {"k DoesNotExist", ""}, {"k Exists", "0"},
		{"k NotIn 0 1", "0"}, {"k Gt 4", "5"},     {"k Lt 4", "0"},        {"k Gte 7 min 2", "7"},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct bench b;

		bench_init(&b);
		cr_expect_str_eq(intern_c(&b.in, req_any(&b.rp, bench_req(&b, rows[i].text))), rows[i].want,
				 "%s", rows[i].text);
		bench_release(&b);
	}
}

/* A6.7-A6.10: sets, their compatibility and why there is none. */
Test(require, sets)
{
	static const struct {
		const char *receiver, *incoming;
		bool intersects, compatible, known; /* known: well-known labels may be undefined */
		const char *why;                    /* of known, if it fails; else of compatible */
	} rows[] = {
		{"", "", true, true, true, ""},
		{"", "kq In a", true, false, false, "label \"kq\" does not have known values"},
		{"", "kq Exists", true, false, false, "label \"kq\" does not have known values"},
		{"", "kq Gt 1", true, false, false, "label \"kq\" does not have known values"},
		{"", "kq NotIn a", true, true, true, ""},
		{"", "kq DoesNotExist", true, true, true, ""},
		{"", "topology.kubernetes.io/zone In a", true, false, true,
		 "label \"topology.kubernetes.io/zone\" does not have known values"},
		{"", "karpenter.k8s.aws/instance-cpu Gt 4", true, false, true,
		 "label \"karpenter.k8s.aws/instance-cpu\" does not have known values"},
		{"", "kubernetes.io/hostname In a", true, false, false,
		 "label \"kubernetes.io/hostname\" does not have known values"},
		{"kq In a b", "kq In b c", true, true, true, ""},
		{"kq In a", "kq In b", false, false, false, "key kq, kq In [b] not in kq In [a]"},
		{"kq In a", "j NotIn a", true, true, true, ""},
		{"kq In a", "kq DoesNotExist", false, false, false,
		 "key kq, kq DoesNotExist not in kq In [a]"},
		/* Two negatives never clash. */
		{"kq DoesNotExist", "kq DoesNotExist", true, true, true, ""},
		{"kq DoesNotExist", "kq NotIn a", true, true, true, ""},
		{"kq NotIn a", "kq DoesNotExist", true, true, true, ""},
		{"kq DoesNotExist", "kq Exists", false, false, false,
		 "key kq, kq Exists not in kq DoesNotExist"},
		{"kq Gt 5", "kq Lt 3", false, false, false, "key kq, kq Exists <=2 not in kq Exists >=6"},
		/* Bounds hide behind Exists, and an excluded value makes that NotIn, a negative. */
		{"kq DoesNotExist", "kq Gt 3", false, false, false,
		 "key kq, kq Exists >=4 not in kq DoesNotExist"},
		{"kq DoesNotExist", "kq Gt 3, kq NotIn 7", true, true, true, ""},
		{"a In 1, bq In 1", "bq In 2, a In 2", false, false, false,
		 "key a, a In [2] not in a In [1]; key bq, bq In [2] not in bq In [1]"},
		{"a In 1", "bq In 1, a In 2", false, false, false, "label \"bq\" does not have known values"},
		/* Hints: a well-known label first, else one of the receiver. */
		{"", "example.com/zone In a", true, false, false,
		 "label \"example.com/zone\" does not have known values (typo of "
		 "\"topology.kubernetes.io/zone\"?)"},
		{"", "zone In a", true, false, false,
		 "label \"zone\" does not have known values (typo of \"topology.k8s.aws/zone-id\"?)"},
		{"team-name In a", "team In a", true, false, false,
		 "label \"team\" does not have known values (typo of \"team-name\"?)"},
		{"x/team In a, a-team In a", "y/team In a", true, false, false,
		 "label \"y/team\" does not have known values (typo of \"a-team\"?)"},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct bench b;
		rsetid r, in;
		struct buf why;

		bench_init(&b);
		buf_init(&why);
		r = bench_set(&b, rows[i].receiver);
		in = bench_set(&b, rows[i].incoming);
		/* Twice: the second answer is remembered. */
		for (int k = 0; k < 2; k++) {
			cr_expect_eq(rset_intersects(&b.rp, r, in), rows[i].intersects, "row %zu", i);
			cr_expect_eq(rset_intersects(&b.rp, in, r), rows[i].intersects, "row %zu", i);
			cr_expect_eq(rset_compatible(&b.rp, r, in, false), rows[i].compatible, "row %zu", i);
			cr_expect_eq(rset_compatible(&b.rp, r, in, true), rows[i].known, "row %zu", i);
		}
		rset_explain(&b.rp, &why, r, in, !rows[i].known);
		cr_expect_str_eq(buf_cstr(&why), rows[i].why, "row %zu: %s", i, buf_cstr(&why));
		buf_release(&why);
		bench_release(&b);
	}
}

Test(require, set_operations)
{
	struct bench b;
	rsetid s, t;
	keyid a, k;

	bench_init(&b);
	s = bench_set(&b, "b In 1 2, a Exists, b In 2 3, kubernetes.io/hostname In h");
	cr_expect_str_eq(bench_show_set(&b, s), "a Exists, b In [2]", "without the hostname");
	a = req_key(&b.rp, intern_cstr(&b.in, "a"));
	k = req_key(&b.rp, intern_cstr(&b.in, "absent"));
	cr_expect_eq(rset_find(&b.rp, s, k), REQ_NONE);
	cr_expect_str_eq(bench_show_req(&b, rset_find(&b.rp, s, a)), "a Exists");
	cr_expect_str_eq(bench_show_set(&b, rset_without(&b.rp, s, a)), "b In [2]");
	cr_expect_eq(rset_without(&b.rp, s, k), s);
	cr_expect_str_eq(bench_show_set(&b, rset_replace(&b.rp, s, bench_req(&b, "b In 9"))),
			 "a Exists, b In [9]");
	cr_expect_eq(rset_replace(&b.rp, s, bench_req(&b, "a Exists")), s);
	t = bench_set(&b, "c In x, a NotIn y, b Exists");
	cr_expect_str_eq(bench_show_set(&b, rset_intersect(&b.rp, s, t)), "a NotIn [y], b In [2], c In [x]");
	cr_expect_eq(rset_intersect(&b.rp, s, t), rset_intersect(&b.rp, t, s));
	cr_expect_eq(rset_intersect(&b.rp, s, RSET_EMPTY), s);
	cr_expect_eq(rset_intersect(&b.rp, RSET_EMPTY, s), s);
	cr_expect_eq(bench_set(&b, "x In 1, y In 2"), bench_set(&b, "y In 2, x In 1"),
		     "the order of mention does not matter");
	cr_expect_str_eq(bench_show_req(&b, req_with_min_values(&b.rp, bench_req(&b, "b In 1 2 min 2"), 1)),
			 "b In [1 2] minValues 1");
	bench_release(&b);
}

/* A6.11: who knows which labels. */
Test(require, well_known)
{
	static const struct {
		const char *key;
		bool core, aws;
	} rows[] = {
		{"karpenter.sh/nodepool", true, true},
		{"topology.kubernetes.io/zone", true, true},
		{"topology.kubernetes.io/region", true, true},
		{"node.kubernetes.io/instance-type", true, true},
		{"kubernetes.io/arch", true, true},
		{"kubernetes.io/os", true, true},
		{"karpenter.sh/capacity-type", true, true},
		{"node.kubernetes.io/windows-build", true, true},
		{"kubernetes.io/hostname", false, false},
		{"karpenter.sh/registered", false, false},
		{"karpenter.k8s.aws/instance-family", false, true},
		{"karpenter.k8s.aws/instance-gpu-memory", false, true},
		{"karpenter.k8s.aws/capacity-reservation-id", false, true},
		{"karpenter.k8s.aws/instance-tenancy", false, true},
		{"karpenter.k8s.aws/ec2nodeclass", false, false},
		{"topology.k8s.aws/zone-id", false, true},
		{"example.com/own", false, false},
	};

	for (int aws = 0; aws < 2; aws++) {
		struct bench b;
		struct reqpool p;

		bench_init(&b);
		reqpool_init(&p, &b.arena, &b.in, aws);
		for (size_t i = 0; i < N(rows); i++)
			cr_expect_eq(req_key_well_known(&p, req_key(&p, intern_cstr(&b.in, rows[i].key))),
				     aws ? rows[i].aws : rows[i].core, "%s %d", rows[i].key, aws);
		reqpool_add_well_known(&p, intern_cstr(&b.in, "example.com/own"));
		cr_expect(req_key_well_known(&p, req_key(&p, intern_cstr(&b.in, "example.com/own"))));
		bench_release(&b);
	}
}
