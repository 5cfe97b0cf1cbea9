#include <criterion/criterion.h>

#include "label.h"
#include "load_selector.h"

static const char *print(struct arena *a, const struct intern *in, const struct api_requirement *v,
			 uint32_t n)
{
	const char *out = "";

	for (uint32_t i = 0; i < n; i++) {
		out = arena_printf(a, "%s%s%s %s", out, i ? "; " : "", intern_c(in, v[i].key),
				   intern_c(in, v[i].op));
		for (uint32_t k = 0; k < v[i].n; k++)
			out = arena_printf(a, "%s %s", out, intern_c(in, v[i].values[k]));
	}
	return out;
}

Test(load_selector, notation)
{
	static const struct {
		const char *text, *want; /* want NULL: refused at column col */
		uint32_t col;
	} rows[] = {
		{"a/b in (x,y)", "a/b In x y", 0},
		{" a in ( x , y ) , b notin(z)", "a In x y; b NotIn z", 0},
		{"a=x,b==y,c!=z", "a In x; b In y; c NotIn z", 0},
		{"a,!b", "a Exists; b DoesNotExist", 0},
		{"a gt 4,b LT 64,c gte 1,d lte 2", "a Gt 4; b Lt 64; c Gte 1; d Lte 2", 0},
		{"a>4,b<64,c>=1,d<=2", "a Gt 4; b Lt 64; c Gte 1; d Lte 2", 0},
		{"! a", "a DoesNotExist", 0},
		{"", NULL, 1},
		{"a in", NULL, 5},
		{"a in (", NULL, 7},
		{"a in (x", NULL, 8},
		{"a in (x;y)", NULL, 8},
		{"a,", NULL, 3},
		{"a gt", NULL, 5},
		{"a about 4", NULL, 3},
		{"a=x b=y", NULL, 5},
		{"(a)", NULL, 1},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a;
		struct intern in;
		struct diags d;
		struct api_requirement *v = NULL;
		uint32_t n = 0;

		arena_init(&a);
		intern_init(&in, &a);
		labels_init(&in);
		diags_init(&d, &a);
		bool ok = selector_parse(&a, &d, &in, rows[i].text, &v, &n);

		cr_assert_eq(ok, rows[i].want != NULL, "\"%s\"", rows[i].text);
		if (ok)
			cr_expect_str_eq(print(&a, &in, v, n), rows[i].want, "\"%s\"", rows[i].text);
		else
			cr_expect(d.msgs.n == 1 && d.msgs.v[0].span.col == rows[i].col, "\"%s\": column %u",
				  rows[i].text, d.msgs.v[0].span.col);
		arena_release(&a);
	}
}

/* Several texts gather in one list. */
Test(load_selector, gathers)
{
	struct arena a;
	struct intern in;
	struct diags d;
	struct api_requirement *v = NULL;
	uint32_t n = 0;

	arena_init(&a);
	intern_init(&in, &a);
	labels_init(&in);
	diags_init(&d, &a);
	cr_assert(selector_parse(&a, &d, &in, "a,b", &v, &n));
	cr_assert(selector_parse(&a, &d, &in, "c=1", &v, &n));
	cr_expect_str_eq(print(&a, &in, v, n), "a Exists; b Exists; c In 1");
	arena_release(&a);
}
