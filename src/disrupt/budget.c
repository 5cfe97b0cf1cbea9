#include "budget.h"

#include "cron.h"

const char *disrupt_reason_name(enum disrupt_reason r)
{
	static const char *const names[] = {[DISRUPT_EMPTY] = "Empty",
					    [DISRUPT_UNDERUTILIZED] = "Underutilized",
					    [DISRUPT_DRIFTED] = "Drifted"};

	return names[r];
}

bool budget_active(const struct intern *in, const struct budget *b, int64_t now, bool *ret_bad)
{
	int64_t seconds = b->duration == DURATION_NONE ? 0 : b->duration / 1000000000;
	struct arena a;
	struct cron cron;
	bool active;

	*ret_bad = false;
	if (b->schedule == SID_NONE && b->duration == DURATION_NONE)
		return true;
	arena_init(&a);
	if (cron_parse(&a, intern_str(in, b->schedule), &cron)) {
		*ret_bad = true;
		active = false;
	} else {
		int64_t hit = cron_next(&cron, now - seconds);

		/* A schedule without hits gives the zero time, which is not after now. */
		active = hit <= now || hit == INT64_MAX;
	}
	arena_release(&a);
	return active;
}

/* "3", or "10%" of nodes rounded up; false when it is neither. */
static bool budget_value(struct str s, int64_t nodes, int64_t *ret_n)
{
	bool percent = s.n > 1 && s.p[s.n - 1] == '%';
	size_t i = 0, n = s.n - percent;
	int64_t v = 0;

	if (n && (s.p[0] == '+' || s.p[0] == '-') && !percent)
		i++;
	if (i == n)
		return false;
	for (; i < n; i++) {
		int digit = s.p[i] - '0';

		if (digit < 0 || digit > 9 || v > (INT64_MAX - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	if (percent && v > INT32_MAX)
		return false;
	if (s.n && s.p[0] == '-')
		v = -v;
	/* Karpenter keeps the low 32 bits of a number that is too large. */
	*ret_n = percent ? (v * nodes + 99) / 100 : (int32_t)(uint32_t)v;
	return true;
}

static bool concerns(const struct intern *in, const struct budget *b, enum disrupt_reason r)
{
	for (uint32_t i = 0; i < b->nreason; i++)
		if (str_is(intern_str(in, b->reason[i]), disrupt_reason_name(r)))
			return true;
	return !b->has_reasons;
}

struct budget_limit budget_limit(const struct intern *in, const struct node_pool *np, int64_t nodes,
				 enum disrupt_reason r, int64_t now)
{
	struct budget_limit least = {.n = BUDGET_UNLIMITED};

	for (uint32_t i = 0; i < np->nbudget; i++) {
		const struct budget *b = &np->budget[i];
		int64_t value = 0;
		bool bad;

		if (!budget_active(in, b, now, &bad))
			value = BUDGET_UNLIMITED;
		else if (!budget_value(intern_str(in, b->nodes), nodes, &value))
			bad = true;
		/* One budget in error, for whatever reason, blocks the pool (B5.2). */
		if (bad)
			return (struct budget_limit){0, b, true};
		if (concerns(in, b, r) && value < least.n)
			least = (struct budget_limit){value, b, false};
	}
	return least;
}

bool budget_until(const struct intern *in, const struct budget *b, int64_t now, int64_t *ret_end)
{
	int64_t seconds = b->duration == DURATION_NONE ? 0 : b->duration / 1000000000, hit;
	struct arena a;
	struct cron cron;
	bool ends = false;

	if (b->schedule == SID_NONE)
		return false;
	arena_init(&a);
	if (!cron_parse(&a, intern_str(in, b->schedule), &cron)) {
		hit = cron_next(&cron, now - seconds);
		/* Windows that go on for that long have no end worth telling. */
		for (int i = 0; i < 1000 && hit <= now + 366 * 86400 && !ends; i++) {
			int64_t next = cron_next(&cron, hit);

			ends = next > hit + seconds;
			*ret_end = hit + seconds;
			hit = next;
		}
	}
	arena_release(&a);
	return ends;
}

static bool is_ready(const struct intern *in, const struct node *n)
{
	return conditions_true(&n->conditions, in, "Ready");
}

struct pool_budget *budgets_now(struct arena *a, const struct snapshot *s, enum disrupt_reason r)
{
	const struct cluster *c = s->c;
	struct pool_budget *out = ARENA_ARRAY(a, struct pool_budget, c->pools.n);

	for (uint32_t i = 0; i < s->state.n; i++) {
		const struct snode *n = &s->state.v[i];
		struct pool_budget *b;

		if (!n->claim || !n->initialized || !n->pool ||
		    conditions_true(&n->claim->conditions, c->in, "InstanceTerminating"))
			continue;
		b = &out[n->pool - c->pools.v];
		b->nodes++;
		b->busy += !is_ready(c->in, n->node) || n->deleting;
	}
	for (uint32_t i = 0; i < c->pools.n; i++) {
		out[i].limit = budget_limit(c->in, &c->pools.v[i], out[i].nodes, r, c->settings.now);
		out[i].left = out[i].limit.n > out[i].busy ? out[i].limit.n - out[i].busy : 0;
	}
	return out;
}
