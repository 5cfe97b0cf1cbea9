/* Lints of disruption budgets. */
#include "cron.h"
#include "duration.h"
#include "lint_impl.h"

/* 2026-01-01T00:00:00Z: any start does for schedules that repeat within the year. */
#define SAMPLE_START ((int64_t)1767225600)
#define SAMPLE_FIRES 2000

/* Whether the windows of a schedule leave no gap. */
static bool covers_all_time(struct arena *a, const struct jval *schedule, const struct jval *duration)
{
	int64_t ns, t = SAMPLE_START, next;
	struct cron c;

	if (cron_parse(a, schedule->s, &c) || !cron_fires(&c) ||
	    !duration_parse(jval_text(duration), &ns, NULL))
		return false;
	t = cron_next(&c, t);
	for (int i = 0; i < SAMPLE_FIRES && t < SAMPLE_START + (int64_t)366 * 86400; i++) {
		next = cron_next(&c, t);
		if (next == INT64_MAX || next - t > ns / 1000000000)
			return false;
		t = next;
	}
	return true;
}

static bool always_active(struct arena *a, const struct jval *budget)
{
	const struct jval *schedule = jval_get(budget, "schedule");

	return !schedule || covers_all_time(a, schedule, jval_get(budget, "duration"));
}

static bool allows_all(const struct jval *budget)
{
	return jval_is_text(jval_get(budget, "nodes"), "100%");
}

static bool allows_none(const struct jval *budget)
{
	struct str s = jval_text(jval_get(budget, "nodes"));

	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '0' && s.p[i] != '%')
			return false;
	return s.n > 0;
}

void lint_budgets(struct lint *l, const struct lint_pool *p)
{
	const struct jval *list = jval_at(p->spec, "disruption.budgets");
	uint32_t limiting = 0, scheduled = 0;

	for (uint32_t i = 0; list && i < list->items.n; i++) {
		const struct jval *b = list->items.v[i];
		bool always = always_active(l->a, b);

		if (allows_none(b) && always)
			lint_add(
				l, KS_LINT_BUDGET_NEVER, p->doc, lint_span(l, p->doc, jval_get(b, "nodes")),
				"give it a schedule and a duration, or a number above 0",
				jval_get(b, "reasons")
					? "NodePool '%s' never lets a node go for the reasons of budgets[%u]"
					: "NodePool '%s' never lets a node go: budgets[%u] is 0 at all times",
				p->name.p, i);
		limiting += !allows_all(b);
		scheduled += !allows_all(b) && !always;
	}
	if (!list || jval_get(p->spec, "replicas"))
		return;
	if (!limiting)
		lint_add(l, KS_LINT_BUDGET_ALWAYS, p->doc, lint_span(l, p->doc, list), "add {nodes: 10%}",
			 "all nodes of NodePool '%s' may be disrupted at once", p->name.p);
	else if (scheduled == limiting)
		lint_add(l, KS_LINT_BUDGET_GAP, p->doc, lint_span(l, p->doc, list),
			 "add {nodes: 10%} without schedule beside them",
			 "outside of the schedules of its budgets all nodes of NodePool '%s' may be "
			 "disrupted at once",
			 p->name.p);
}
