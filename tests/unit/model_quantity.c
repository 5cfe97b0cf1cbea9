#include <criterion/criterion.h>

#include "itype.h"
#include "model_fixture.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

/* Canonical text and value in billionths, as Kubernetes' resource.Quantity has them. */
Test(quantity, canonical)
{
	static const struct {
		const char *text, *want;
		int64_t nano; /* INT64_MAX: too large to say here */
	} rows[] = {
		{"0", "0", 0},
		{"0Gi", "0", 0},
		{"-0", "0", 0},
		{"0e100", "0", 0},
		{"1", "1", 1000000000},
		{"+1", "1", 1000000000},
		{"-1", "-1", -1000000000},
		{"1000m", "1", 1000000000},
		{"0.5", "500m", 500000000},
		{".5", "500m", 500000000},
		{"5.", "5", 5000000000},
		{"1500m", "1500m", 1500000000},
		{"100u", "100u", 100000},
		{"1000n", "1u", 1000},
		{"0.1n", "1n", 1},
		{"1.1n", "2n", 2},
		{"-1.1n", "-2n", -2},
		{"0.00000000001", "1n", 1},
		{"1000", "1k", 1000000000000},
		{"1024", "1024", 1024000000000},
		{"2000k", "2M", 2000000000000000},
		{"1500k", "1500k", 1500000000000000},
		{"1Ki", "1Ki", 1024000000000},
		{"1024Ki", "1Mi", 1048576000000000},
		{"1000Ki", "1000Ki", 1024000000000000},
		{"1.5Ki", "1536", 1536000000000},
		{"1.5Gi", "1536Mi", 1610612736000000000},
		{"0.5Gi", "512Mi", 536870912000000000},
		{"0.5Ki", "512", 512000000000},
		/* Below 1024, or not whole: written in decimal. */
		{"0.1Mi", "104857600m", 104857600000000},
		{"0.9Ki", "921600m", 921600000000},
		{"-2Gi", "-2Gi", -2147483648000000000},
		{"1e3", "1e3", 1000000000000},
		{"1E3", "1e3", 1000000000000},
		{"12e6", "12e6", 12000000000000000},
		{"1500e0", "1500", 1500000000000},
		{"1e-3", "1e-3", 1000000},
		{"100e-3", "100e-3", 100000000},
		{"1e+2", "100", 100000000000},
		{"1E", "1E", INT64_MAX},
		{"1Ei", "1Ei", INT64_MAX},
		{"1e18", "1e18", INT64_MAX},
		{"1e19", "9223372036854775807", INT64_MAX},
		{"8Ei", "9223372036854775807", INT64_MAX},
		{"9223372036854775807", "9223372036854775807", INT64_MAX},
		{"9223372036854775808", "9223372036854775807", INT64_MAX},
		{"-9223372036854775809", "-9223372036854775807", INT64_MAX},
		{"123456789012345678901234567890", "9223372036854775807", INT64_MAX},
		{"0.000000000000000000000000000001", "1n", 1},
		{"1000000000000000000000000000000000000000e-39", "1", 1000000000},
		/* More digits than 128 bits hold. */
		{"91999.999999999999999979999996Gi", "98784247807999999999979n", INT64_MAX},
		{"0.9999999999999999999999999999999999999999Gi", "1Gi", 1073741824000000000},
		{"1.00000000000000000000000000000000000000001Ki", "1024000000001n", 1024000000001},
		{"100000.00000000000000000000000000000000001e-5", "1000000001e-9", 1000000001},
		{"0.00000000000000000000000000000001e32", "1", 1000000000},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct quantity q, again;
		struct buf b;

		buf_init(&b);
		cr_expect(quantity_parse(str_of(rows[i].text), &q), "%s", rows[i].text);
		quantity_print(&b, q);
		cr_expect_str_eq(buf_cstr(&b), rows[i].want, "%s: %s", rows[i].text, buf_cstr(&b));
		if (rows[i].nano != INT64_MAX)
			cr_expect(q.v == rows[i].nano, "%s", rows[i].text);
		cr_expect(quantity_parse(str_of(rows[i].want), &again) && again.v == q.v, "%s reads back",
			  rows[i].want);
		buf_release(&b);
	}
}

Test(quantity, refused)
{
	static const char *const rows[] = {"",    "-",   "+",     ".",     "Ki",   "m",    "1K",    "1ki",
					   "1KI", "1mi", "1 Gi",  " 1",    "1 ",   "1..2", "1.2.3", "--1",
					   "1e",  "1e+", "1ex",   "1e3.5", "0x10", "1,5",  "1GiB",  "1Gib",
					   "NaN", "inf", "1_000", "1e3Ki", "one"};

	for (size_t i = 0; i < N(rows); i++) {
		struct quantity q;

		cr_expect_not(quantity_parse(str_of(rows[i]), &q), "\"%s\"", rows[i]);
	}
}

Test(quantity, rounding)
{
	static const struct {
		const char *text;
		int64_t whole;
		const char *milli;
	} rows[] = {
		{"0", 0, "0"},      {"1", 1, "1"},          {"1m", 1, "1m"},      {"1500m", 2, "1500m"},
		{"1n", 1, "1m"},    {"1500u", 1, "2m"},     {"-1500u", 0, "-2m"}, {"-1500m", -1, "-1500m"},
		{"2001u", 1, "3m"}, {"999999999n", 1, "1"},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct quantity q;
		struct buf b;

		buf_init(&b);
		quantity_parse(str_of(rows[i].text), &q);
		cr_expect_eq(quantity_ceil(q.v), rows[i].whole, "%s", rows[i].text);
		quantity_print(&b, (struct quantity){quantity_round_milli(q.v), q.format});
		cr_expect_str_eq(buf_cstr(&b), rows[i].milli, "%s: %s", rows[i].text, buf_cstr(&b));
		buf_release(&b);
	}
}

/* A7.6. Sums keep the notation of the left side, unless that is zero. */
Test(reslist, operations)
{
	static const struct {
		const char *l, *r, *add, *sub, *max, *min;
	} rows[] = {
		{"", "", "", "", "", ""},
		{"cpu=1", "", "cpu=1", "cpu=1", "cpu=1", ""},
		{"", "cpu=1", "cpu=1", "", "cpu=1", ""},
		{"cpu=1 memory=1Gi", "cpu=500m pods=3", "cpu=1500m memory=1Gi pods=3", "cpu=500m memory=1Gi",
		 "cpu=1 memory=1Gi pods=3", "cpu=500m"},
		{"memory=1Gi", "memory=1000M", "memory=2073741824", "memory=73741824", "memory=1Gi",
		 "memory=1G"},
		{"memory=1G", "memory=1Gi", "memory=2073741824", "memory=-73741824", "memory=1Gi",
		 "memory=1G"},
		{"memory=0", "memory=1Gi", "memory=1Gi", "memory=-1Gi", "memory=1Gi", "memory=0"},
		{"memory=512Mi", "memory=512Mi", "memory=1Gi", "memory=0", "memory=512Mi", "memory=512Mi"},
		{"cpu=100m", "cpu=200m", "cpu=300m", "cpu=-100m", "cpu=200m", "cpu=100m"},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct bench b;
		struct reslist l, r, x;

		bench_init(&b);
		l = bench_list(&b, rows[i].l);
		r = bench_list(&b, rows[i].r);
		x = reslist_add(&b.in, &b.arena, &l, &r);
		cr_expect_str_eq(bench_show_list(&b, &x), rows[i].add, "row %zu: %s", i,
				 bench_show_list(&b, &x));
		x = reslist_sub(&b.arena, &l, &r);
		cr_expect_str_eq(bench_show_list(&b, &x), rows[i].sub, "row %zu: %s", i,
				 bench_show_list(&b, &x));
		x = reslist_max(&b.in, &b.arena, &l, &r);
		cr_expect_str_eq(bench_show_list(&b, &x), rows[i].max, "row %zu: %s", i,
				 bench_show_list(&b, &x));
		x = reslist_min(&b.arena, &l, &r);
		cr_expect_str_eq(bench_show_list(&b, &x), rows[i].min, "row %zu: %s", i,
				 bench_show_list(&b, &x));
		bench_release(&b);
	}
}

/* A7.5. */
Test(reslist, fits)
{
	static const struct {
		const char *want, *total;
		bool fits;
	} rows[] = {
		{"", "", true},
		{"cpu=1", "cpu=1", true},
		{"cpu=1001m", "cpu=1", false},
		{"cpu=1", "cpu=2 memory=1Gi", true},
		{"cpu=1 memory=1Gi", "cpu=2", false},
		{"nvidia.com/gpu=0", "cpu=2", true},
		{"nvidia.com/gpu=1", "cpu=2", false},
		{"", "cpu=-1n", false},
		{"memory=1Gi", "cpu=-1 memory=2Gi", false},
		{"cpu=0", "cpu=0", true},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct bench b;
		struct reslist want, total;

		bench_init(&b);
		want = bench_list(&b, rows[i].want);
		total = bench_list(&b, rows[i].total);
		cr_expect_eq(reslist_fits(&want, &total), rows[i].fits, "%s in %s", rows[i].want,
			     rows[i].total);
		bench_release(&b);
	}
}

Test(reslist, entries)
{
	struct bench b;
	struct reslist l, m;
	struct buf out;

	bench_init(&b);
	buf_init(&out);
	l = bench_list(&b, "pods=1 cpu=1 memory=1Gi cpu=2");
	cr_expect_str_eq(bench_show_list(&b, &l), "cpu=2 memory=1Gi pods=1", "sorted, each name once");
	cr_expect(reslist_amount(&l, RES_CPU) == qty_of(2));
	cr_expect(reslist_amount(&l, RES_NODES) == 0);
	cr_expect_null(reslist_find(&l, RES_NODES), "an absent name is no zero");
	reslist_print(&b.in, &out, &l);
	cr_expect_str_eq(buf_cstr(&out), "{\"cpu\":\"2\",\"memory\":\"1Gi\",\"pods\":\"1\"}");
	m = bench_list(&b, "memory=1Gi pods=1 cpu=2");
	cr_expect(reslist_eq(&l, &m));
	m = bench_list(&b, "memory=1Gi pods=1 cpu=2 x=0");
	cr_expect_not(reslist_eq(&l, &m));
	m = bench_list(&b, "memory=1Gi pods=1 cpu=3");
	cr_expect_not(reslist_eq(&l, &m));
	buf_release(&out);
	bench_release(&b);
}

/* A10.6: what kubelet, system and eviction keep, and hugepages out of the memory. */
Test(itype, allocatable)
{
	static const struct {
		const char *capacity, *kube, *system, *eviction, *want;
	} rows[] = {
		{"cpu=4 memory=8Gi pods=20", "", "", "", "cpu=4 memory=8Gi pods=20"},
		{"cpu=4 memory=8Gi", "cpu=80m memory=1Gi", "cpu=20m", "memory=100Mi",
		 "cpu=3900m memory=7068Mi"},
		{"cpu=4 memory=8Gi", "pods=3", "", "", "cpu=4 memory=8Gi"},
		{"cpu=4 hugepages-2Mi=2Gi memory=8Gi", "", "", "", "cpu=4 hugepages-2Mi=2Gi memory=6Gi"},
		{"cpu=4 hugepages-1Gi=3Gi hugepages-2Mi=2Gi memory=4Gi", "", "", "",
		 "cpu=4 hugepages-1Gi=3Gi hugepages-2Mi=2Gi memory=0"},
		{"memory=1Gi", "memory=2Gi", "", "", "memory=-1Gi"},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct bench b;
		struct itype t = {0};
		struct reslist l;

		bench_init(&b);
		t.capacity = bench_list(&b, rows[i].capacity);
		t.kube_reserved = bench_list(&b, rows[i].kube);
		t.system_reserved = bench_list(&b, rows[i].system);
		t.eviction = bench_list(&b, rows[i].eviction);
		l = itype_allocatable(&b.in, &b.arena, &t);
		cr_expect_str_eq(bench_show_list(&b, &l), rows[i].want, "row %zu: %s", i,
				 bench_show_list(&b, &l));
		bench_release(&b);
	}
}
