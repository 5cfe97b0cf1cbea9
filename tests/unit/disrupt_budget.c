#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "budget.h"
#include "doc.h"
#include "duration.h"
#include "file.h"
#include "round_impl.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

struct bench {
	struct arena a;
	struct intern in;
};

static void init(struct bench *b)
{
	arena_init(&b->a);
	intern_init(&b->in, &b->a);
	labels_init(&b->in);
}

static struct budget budget_of(struct bench *b, const char *nodes, const char *schedule, const char *duration)
{
	struct budget g = {.nodes = intern_cstr(&b->in, nodes),
			   .schedule = schedule ? intern_cstr(&b->in, schedule) : SID_NONE,
			   .duration = DURATION_NONE};
	struct buf why;

	buf_init(&why);
	if (duration)
		cr_assert(duration_parse(str_of(duration), &g.duration, &why), "%s", duration);
	buf_release(&why);
	return g;
}

#define NOON 1704628800 /* 2024-01-07T12:00:00Z, a Sunday */

/* B5.4. */
Test(budget, active)
{
	static const struct {
		const char *schedule, *duration;
		int64_t now;
		bool active, bad;
	} rows[] = {
		{NULL, NULL, NOON, true, false},
		{"0 12 * * *", "1h", NOON, true, false},      /* a hit now */
		{"0 12 * * *", "1h", NOON - 1, false, false}, /* in a second */
		{"0 12 * * *", "1h", NOON + 3599, true, false},
		{"0 12 * * *", "1h", NOON + 3600, false, false}, /* exactly the duration ago */
		{"@daily", "12h", NOON, false, false},
		{"@daily", "12h1m", NOON, true, false},
		{"0 12 * * sun", "1h", NOON, true, false},
		{"0 12 * * mon", "1h", NOON, false, false},
		{"0 12 8 * sun", "1h", NOON, true, false}, /* either day will do */
		{"0 12 31 2 *", "1h", NOON, true, false},  /* never: the zero time is not after now */
		{"@wrongly", "1h", NOON, false, true},
		{"0 12 * *", "1h", NOON, false, true},
		{NULL, "1h", NOON, false, true}, /* a duration alone */
	};
	struct bench b;

	init(&b);
	for (size_t i = 0; i < N(rows); i++) {
		struct budget g = budget_of(&b, "1", rows[i].schedule, rows[i].duration);
		bool bad;

		cr_expect_eq(budget_active(&b.in, &g, rows[i].now, &bad), rows[i].active, "row %zu", i);
		cr_expect_eq(bad, rows[i].bad, "row %zu", i);
	}
	arena_release(&b.a);
}

/* B5.2, B5.3. */
Test(budget, allowed)
{
	static const struct {
		const char *nodes[2], *schedule,
			*reason; /* both of the second budget; reason "": none given */
		int64_t total, empty, drifted;
	} rows[] = {
		{{"10%"}, NULL, NULL, 0, 0, 0},
		{{"10%"}, NULL, NULL, 1, 1, 1}, /* rounded up */
		{{"10%"}, NULL, NULL, 10, 1, 1},
		{{"10%"}, NULL, NULL, 11, 2, 2},
		{{"1%"}, NULL, NULL, 1, 1, 1},
		{{"1%"}, NULL, NULL, 101, 2, 2},
		{{"100%"}, NULL, NULL, 7, 7, 7},
		{{"0"}, NULL, NULL, 7, 0, 0},
		{{"5"}, NULL, NULL, 3, 5, 5},
		{{"5", "3"}, NULL, NULL, 9, 3, 3},
		{{"5", "3"}, NULL, "Empty", 9, 3, 5},
		{{"5", "3"}, NULL, "Drifted", 9, 5, 3},
		{{"5", "0"}, NULL, "", 9, 5, 5},          /* an empty list concerns nothing */
		{{"5", "0"}, "0 0 1 1 *", NULL, 9, 5, 5}, /* not now */
		{{"5", "0"}, "0 12 * * *", NULL, 9, 0, 0},
		{{"5", "9"}, "@wrongly", "Drifted", 9, 0, 0}, /* an error blocks every reason */
		{{NULL, "3"}, NULL, "Empty", 9, 3, BUDGET_UNLIMITED},
		{{"1000a%"}, NULL, NULL, 9, 0, 0},
		{{"+4"}, NULL, NULL, 9, 4, 4},
		{{"%"}, NULL, NULL, 9, 0, 0},
		/* Go's intstr.FromInt keeps 32 bits; what is no int at all is an error. */
		{{"4294967299"}, NULL, NULL, 9, 3, 3},
		{{"9223372036854775808"}, NULL, NULL, 9, 0, 0},
	};
	struct bench b;

	init(&b);
	for (size_t i = 0; i < N(rows); i++) {
		struct budget g[2];
		sid reason = rows[i].reason ? intern_cstr(&b.in, rows[i].reason) : SID_NONE;
		struct node_pool np = {.budget = g};

		for (int k = 0; k < 2; k++)
			if (rows[i].nodes[k])
				g[np.nbudget++] = budget_of(&b, rows[i].nodes[k], k ? rows[i].schedule : NULL,
							    k && rows[i].schedule ? "1h" : NULL);
		if (rows[i].reason) {
			g[np.nbudget - 1].has_reasons = true;
			g[np.nbudget - 1].nreason = *rows[i].reason != '\0';
			g[np.nbudget - 1].reason = &reason;
		}
		cr_expect_eq(budget_limit(&b.in, &np, rows[i].total, DISRUPT_EMPTY, NOON).n, rows[i].empty,
			     "row %zu", i);
		cr_expect_eq(budget_limit(&b.in, &np, rows[i].total, DISRUPT_DRIFTED, NOON).n,
			     rows[i].drifted, "row %zu", i);
	}
	arena_release(&b.a);
}

static const char *text_of(const struct doc_node *n, const char *key)
{
	const struct doc_node *v = doc_get(n, key);

	return v ? v->text.p : NULL;
}

static struct budget recorded_budget(struct bench *b, const struct doc_node *n)
{
	const struct doc_node *reasons = doc_get(n, "reasons");
	struct budget g = budget_of(b, text_of(n, "nodes"), text_of(n, "schedule"), text_of(n, "duration"));

	g.has_reasons = reasons != NULL;
	g.nreason = reasons ? reasons->n : 0;
	g.reason = ARENA_ARRAY(&b->a, sid, g.nreason);
	for (uint32_t i = 0; i < g.nreason; i++)
		g.reason[i] = intern_put(&b->in, reasons->items[i]->text);
	return g;
}

static int64_t seconds_of(const char *text)
{
	struct tm t = {0};

	cr_assert(strptime(text, "%Y-%m-%dT%H:%M:%SZ", &t), "%s", text);
	return timegm(&t);
}

static void check_row(struct bench *b, const struct doc_node *row)
{
	static const enum disrupt_reason reasons[] = {DISRUPT_EMPTY, DISRUPT_UNDERUTILIZED, DISRUPT_DRIFTED};
	const struct doc_node *list = doc_get(row, "budgets");
	const char *want = text_of(row, "value"), *now = text_of(row, "now"),
		   *reason = text_of(row, "reason");
	struct node_pool np = {.nbudget = list->n, .budget = ARENA_ARRAY(&b->a, struct budget, list->n)};
	bool bad;

	for (uint32_t i = 0; i < list->n; i++)
		np.budget[i] = recorded_budget(b, list->items[i]);
	if (strcmp(text_of(row, "check"), "active") == 0) {
		cr_expect_eq(budget_active(&b->in, &np.budget[0], seconds_of(now), &bad),
			     strcmp(want, "true") == 0, "line %u", row->line);
		cr_expect_eq(bad, text_of(row, "error") != NULL, "line %u", row->line);
		return;
	}
	for (size_t i = 0; i < N(reasons); i++)
		if (strcmp(reason, disrupt_reason_name(reasons[i])) == 0)
			cr_expect_eq(budget_limit(&b->in, &np, atoi(text_of(row, "numNodes")), reasons[i],
						  seconds_of(now))
					     .n,
				     atoi(want), "line %u", row->line);
}

/* Decisions recorded from Karpenter, where they are at hand. */
Test(budget, recorded)
{
	const char *path = getenv("KSPOT_BUDGETS");
	char *text = NULL;
	size_t n = 0;
	FILE *f = path ? fopen(path, "r") : NULL;
	struct diags d;
	struct docs docs = {0};
	struct bench b;

	if (!f)
		cr_skip_test("no recorded budgets here");
	cr_assert_gt(getdelim(&text, &n, '\0', f), 0);
	fclose(f);
	init(&b);
	diags_init(&d, &b.a);
	cr_assert(doc_read(&b.a, &d, source_from_text(&b.a, path, str_of(text)), &docs));
	cr_assert_gt(docs.v.v[0].root->n, 0);
	for (uint32_t i = 0; i < docs.v.v[0].root->n; i++)
		check_row(&b, docs.v.v[0].root->items[i]);
	arena_release(&b.a);
	free(text);
}

/* B3.1. */
Test(cost, eviction)
{
	static const struct {
		const char *deletion; /* annotation */
		bool has_priority;
		int32_t priority;
		double want;
	} rows[] = {
		{NULL, false, 0, 1.0},
		{NULL, true, 33554432, 2.0},
		{NULL, true, -33554432, 0.0},
		{"134217728", false, 0, 2.0},
		{"-134217728", false, 0, 0.0},
		{"x", false, 0, 1.0},
		{"", false, 0, 1.0},
		{"67108864", true, 16777216, 2.0},
		{NULL, true, 1000000000, 10.0},
		{NULL, true, -2147483647, -10.0},
		{"2147483647", true, -2147483647, -10.0},
	};
	struct bench b;

	init(&b);
	for (size_t i = 0; i < N(rows); i++) {
		struct cluster c = {.in = &b.in};
		struct pod_spec spec = {.has_priority = rows[i].has_priority, .priority = rows[i].priority};
		struct kv kv = {ANN_POD_DELETION_COST, SID_EMPTY};
		struct pod p = {.spec = &spec};

		if (rows[i].deletion) {
			kv.val = intern_cstr(&b.in, rows[i].deletion);
			p.meta.annotations = (struct labels){1, &kv};
		}
		cr_expect_float_eq(eviction_cost(&c, &p), rows[i].want, 1e-6, "row %zu: %g", i,
				   eviction_cost(&c, &p));
	}
	arena_release(&b.a);
}
