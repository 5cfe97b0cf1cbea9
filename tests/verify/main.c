/*
 * usage: verify CATALOG FILE...
 * Decides on each FILE as kspot does, and has src/verify judge every decision: the plan; rounds of disruption
 * on the cluster as it is; and, once the plan was launched and each workload halved, rounds on that. Prints
 * TAP: one test a file, findings as comments. CATALOG is a directory, or - for the one built in; files with
 * instance types of their own need none. A FILE with errors is skipped, as nothing is decided on it.
 */
#include <stdio.h>
#include <string.h>

#include "carry_out.h"
#include "cmd.h"
#include "decide.h"
#include "rounds.h"
#include "verify.h"

enum { ROUNDS = 6 };

static struct verify_input input_of(const struct world *w)
{
	return (struct verify_input){w->c, w->types};
}

static void judge_rounds(struct arena *a, const struct world *w, struct findings *out)
{
	struct rounds rounds = {0};

	rounds_run(a, w, ROUNDS, &rounds);
	for (uint32_t i = 0; i < rounds.v.n; i++) {
		const struct one_round *r = &rounds.v.v[i];
		struct verify_input before = input_of(r->before), after;

		verify_disruption(a, &before, r->d, out);
		if (!r->after)
			continue;
		after = input_of(r->after);
		verify_settled(a, &before, r->d, r->outcome, &after, out);
	}
}

/* Whether some workload had more than one pod. */
static bool halve(struct arena *a, struct world *w)
{
	bool any = false;

	for (uint32_t i = 0; i < w->c->workloads.n; i++) {
		const struct workload *load = &w->c->workloads.v[i];
		uint32_t n = sim_replicas(w->c, load);
		struct pod_names gone;

		any = any || n > 1;
		w->c = sim_scale_down(a, w->c, load, n / 2, &gone);
	}
	return any;
}

static void judge(struct run *r, struct world *w, struct findings *out)
{
	struct plan *plan = decide_plan(&r->arena, w);
	struct verify_input in = input_of(w);
	struct world *launched;

	verify_plan(&r->arena, &in, plan, out);
	judge_rounds(&r->arena, w, out);
	launched = world_launched(&r->arena, w, plan);
	if (halve(&r->arena, launched) || plan->nclaim)
		judge_rounds(&r->arena, launched, out);
}

static bool generic(const char *file)
{
	char text[4096];
	FILE *f = fopen(file, "r");
	bool found = false;

	while (f && !found && fgets(text, sizeof(text), f))
		found = strstr(text, "InstanceTypeSet") != NULL;
	if (f)
		fclose(f);
	return found;
}

/* The number of findings; -1 when the file cannot be loaded. */
static int judge_file(const char *catalog, const char *file, uint64_t *checks)
{
	struct findings out = {0};
	struct run r = {.cmd = NULL};
	struct world *w;

	arena_init(&r.arena);
	diags_init(&r.diags, &r.arena);
	r.opts.filename = (struct text_list){1, &file};
	r.opts.catalog = strcmp(catalog, "-") == 0 || generic(file) ? NULL : catalog;
	w = world_load(&r);
	if (w)
		judge(&r, w, &out);
	for (uint32_t i = 0; i < out.v.n && i < 20; i++)
		printf("# %s\n", out.v.v[i]);
	*checks += out.checks;
	arena_release(&r.arena);
	return w ? (int)out.v.n : -1;
}

int main(int argc, char **argv)
{
	uint64_t checks = 0;
	int bad = 0;

	for (int i = 2; i < argc; i++) {
		const char *name = strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1 : argv[i];
		int n = judge_file(argv[1], argv[i], &checks);

		printf("%s %d - %s%s\n", n > 0 ? "not ok" : "ok", i - 1, name,
		       n < 0 ? " # SKIP nothing is decided on it" : "");
		fflush(stdout);
		bad += n > 0;
	}
	printf("# %llu facts looked at\n1..%d\n", (unsigned long long)checks, argc - 2);
	return bad > 0;
}
