/* Any text as a selector: one message that points into it, or requirements that keep the rules of their
 * algebra. */
#include <string.h>

#include "fuzz.h"
#include "label.h"
#include "load_selector.h"
#include "require.h"

/* In the notation that was read. */
static void print(struct buf *out, const struct intern *in, const struct api_requirement *r)
{
	const char *op = intern_c(in, r->op), *key = intern_c(in, r->key);

	if (strcmp(op, "Exists") == 0 || strcmp(op, "DoesNotExist") == 0) {
		buf_addf(out, "%s%s", *op == 'D' ? "!" : "", key);
		return;
	}
	buf_addf(out, "%s %s %s", key, op, *op == 'I' || *op == 'N' ? "(" : "");
	for (uint32_t i = 0; i < r->n; i++)
		buf_addf(out, "%s%s", i ? "," : "", intern_c(in, r->values[i]));
	buf_adds(out, *op == 'I' || *op == 'N' ? ")" : "");
}

static void check_again(struct arena *a, struct diags *d, struct intern *in, const struct api_requirement *v,
			uint32_t n)
{
	struct api_requirement *again = NULL;
	uint32_t nagain = 0;
	struct buf text;

	buf_init(&text);
	for (uint32_t i = 0; i < n; i++) {
		buf_adds(&text, i ? "," : "");
		print(&text, in, &v[i]);
	}
	require(selector_parse(a, d, in, buf_cstr(&text), &again, &nagain) && nagain == n);
	for (uint32_t i = 0; i < n; i++) {
		require(again[i].key == v[i].key && again[i].op == v[i].op && again[i].n == v[i].n);
		require(v[i].n == 0 || memcmp(again[i].values, v[i].values, v[i].n * sizeof(sid)) == 0);
	}
	buf_release(&text);
}

static void check_pair(struct reqpool *p, struct buf *text, reqid x, reqid y)
{
	reqid both = req_intersect(p, x, y);
	sid any = req_any(p, both);

	require(req_has_intersection(p, x, y) == req_has_intersection(p, y, x));
	require(both == req_intersect(p, y, x) && both == req_intersect(p, both, x));
	if (any != SID_EMPTY && req_allows(p, both, any))
		require(req_allows(p, x, any) && req_allows(p, y, any));
	req_print(p, text, both);
}

static void check_algebra(struct arena *a, struct intern *in, const struct api_requirement *v, uint32_t n)
{
	enum { MOST = 12 };
	struct reqpool p;
	struct buf text;
	rsetid all = RSET_EMPTY;
	reqid reqs[MOST];

	reqpool_init(&p, a, in, true);
	buf_init(&text);
	n = n < MOST ? n : MOST;
	for (uint32_t i = 0; i < n; i++) {
		enum req_op op;

		require(req_op_parse(intern_str(in, v[i].op), &op));
		reqs[i] = req_make(&p, req_key(&p, v[i].key), op, v[i].values, v[i].n, -1);
		require(req_intersect(&p, reqs[i], reqs[i]) == reqs[i]);
		all = rset_add(&p, all, reqs[i]);
		rset_print(&p, &text, all);
		for (uint32_t k = 0; k < i; k++) {
			rsetid one = rset_of(&p, &reqs[k], 1);

			if (req_get(&p, reqs[k])->key == req_get(&p, reqs[i])->key)
				check_pair(&p, &text, reqs[k], reqs[i]);
			require(rset_intersects(&p, one, all) == rset_intersects(&p, all, one));
			if (!rset_compatible(&p, one, all, true))
				rset_explain(&p, &text, one, all, true);
		}
	}
	require(rset_of(&p, reqs, n) == all);
	buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
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
	if (selector_parse(&a, &d, &in, arena_strndup(&a, (const char *)data, size), &v, &n)) {
		require(n > 0 && d.msgs.n == 0);
		check_again(&a, &d, &in, v, n);
		check_algebra(&a, &in, v, n);
	} else {
		require(d.msgs.n == 1 && d.msgs.v[0].span.col >= 1 && d.msgs.v[0].span.col <= size + 1);
	}
	arena_release(&a);
	return 0;
}
