#include "object.h"

#include <inttypes.h>

sid labels_get(const struct labels *l, sid key)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->v[i].key == key)
			return l->v[i].val;
	return SID_NONE;
}

const struct condition *conditions_find(const struct conditions *c, const struct intern *in, const char *type)
{
	for (uint32_t i = 0; i < c->n; i++)
		if (str_is(intern_str(in, c->v[i].type), type))
			return &c->v[i];
	return NULL;
}

bool conditions_true(const struct conditions *c, const struct intern *in, const char *type)
{
	const struct condition *found = conditions_find(c, in, type);

	return found && str_is(intern_str(in, found->status), "True");
}

struct labels labels_set(struct arena *a, const struct intern *in, const struct labels *l, sid key, sid val)
{
	struct labels out = {0, ARENA_ARRAY(a, struct kv, l->n + 1)};
	bool done = false;

	for (uint32_t i = 0; i < l->n; i++) {
		int c = done ? -1 : intern_cmp(in, l->v[i].key, key);

		if (c >= 0) {
			out.v[out.n++] = (struct kv){key, val};
			done = true;
		}
		if (c != 0)
			out.v[out.n++] = l->v[i];
	}
	if (!done)
		out.v[out.n++] = (struct kv){key, val};
	return out;
}

/* v of units that are 10^digits parts each, with as many decimals as it takes. */
static void print_decimals(struct buf *out, uint64_t v, int digits, const char *unit)
{
	uint64_t one = 1;

	for (int i = 0; i < digits; i++)
		one *= 10;
	buf_addf(out, "%" PRIu64, v / one);
	if (v % one) {
		buf_addf(out, ".%0*" PRIu64, digits, v % one);
		while (out->p[out->n - 1] == '0')
			out->p[--out->n] = '\0';
	}
	buf_adds(out, unit);
}

/* Go's time.Duration.String for everything that Kubernetes' durations can be. */
void duration_print(struct buf *out, int64_t ns)
{
	const uint64_t second = 1000000000;
	uint64_t u = ns < 0 ? -(uint64_t)ns : (uint64_t)ns, seconds = u / second;

	if (ns == DURATION_NONE)
		return;
	if (ns == DURATION_NEVER) {
		buf_adds(out, "Never");
		return;
	}
	if (ns < 0)
		buf_addch(out, '-');
	if (u && u < second) {
		int digits = u >= 1000000 ? 6 : u >= 1000 ? 3 : 0;

		print_decimals(out, u, digits, digits == 6 ? "ms" : digits == 3 ? "\xc2\xb5s" : "ns");
		return;
	}
	if (seconds >= 3600)
		buf_addf(out, "%" PRIu64 "h", seconds / 3600);
	if (seconds >= 60)
		buf_addf(out, "%" PRIu64 "m", seconds / 60 % 60);
	print_decimals(out, seconds % 60 * second + u % second, 9, "s");
}

void duration_print_short(struct buf *out, int64_t ns)
{
	size_t start = out->n;

	duration_print(out, ns);
	for (const char *tail = "m0s"; tail; tail = *tail == 'm' ? "h0m" : NULL)
		if (out->n - start > 3 && memcmp(out->p + out->n - 3, tail, 3) == 0) {
			out->n -= 2;
			out->p[out->n] = '\0';
		}
}
