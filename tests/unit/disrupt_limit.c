#include <criterion/criterion.h>

#include "stage.h"

/* What a number of simulations does in the place of Karpenter's time-outs (B9.6, B10.2, B10.3). */

#define POOL(n) "pool " n " || disruption: {budgets: [{nodes: 100%}]}\n"
/* A node that stays, which takes one simulation to find out. */
#define FULL(n, np) "node " n " " np " small z1 spot 2\nrun p" n " 2 " n "\n"
#define SIX FULL("n1", "a") FULL("n2", "a") FULL("n3", "a") FULL("n4", "b") FULL("n5", "b") FULL("n6", "b")

/* Room for two of their pods, on a node that stays. */
#define ROOM                                        \
	"node n5 b large z1 spot 5\nrun k 1 n5 || " \
	"annotations: {karpenter.sh/do-not-disrupt: 'true'}"

struct limit_row {
	const char *name, *text;
	uint32_t max;
	const char *unseen; /* NodePools a and b as 0 and 1; NULL: nothing is known */
	const char *multi, *single, *stays;
	const char *cut_off;      /* the methods that gave up */
	const char *still_unseen; /* for the next round */
};

static const char *bits(struct stage *s, const bool *v)
{
	char *out = arena_alloc(&s->arena, 3, 1);

	if (!v)
		return NULL;
	out[0] = v[0] ? '1' : '0';
	out[1] = v[1] ? '1' : '0';
	return out;
}

static void check(const struct limit_row *row)
{
	const struct disruption *d;
	struct stage s;
	bool unseen[2];

	stage_init(&s, row->text);
	s.max_simulations = row->max;
	for (int i = 0; row->unseen && i < 2; i++)
		unseen[i] = row->unseen[i] == '1';
	s.unseen = row->unseen ? unseen : NULL;
	d = stage_disrupt(&s);
	cr_expect_str_eq(stage_method(&s, d, METHOD_MULTI, 0), row->multi, "%s, multi: %s", row->name,
			 stage_method(&s, d, METHOD_MULTI, 0));
	cr_expect_str_eq(stage_method(&s, d, METHOD_SINGLE, 0), row->single, "%s, single: %s", row->name,
			 stage_method(&s, d, METHOD_SINGLE, 0));
	cr_expect_str_eq(stage_stays(&s, d), row->stays, "%s: %s", row->name, stage_stays(&s, d));
	cr_expect_eq(d->cut_off[METHOD_MULTI], strstr(row->cut_off, "multi") != NULL, "%s", row->name);
	cr_expect_eq(d->cut_off[METHOD_SINGLE], strstr(row->cut_off, "single") != NULL, "%s", row->name);
	if (row->still_unseen)
		cr_expect_str_eq(bits(&s, d->unseen), row->still_unseen, "%s: %s", row->name,
				 bits(&s, d->unseen));
	else
		cr_expect_null(d->unseen, "%s", row->name);
	stage_release(&s);
}

#define OFF ":SpotToSpotDisabled"
#define LIMIT ":SimulationLimit"

Test(limit, simulations)
{
	static const struct limit_row rows[] = {
		{"without a limit", POOL("a") POOL("b") SIX, 0, NULL, "", "",
		 "n1" OFF " n2" OFF " n3" OFF " n4" OFF " n5" OFF " n6" OFF, "", "00"},
		{"as many as there are", POOL("a") POOL("b") SIX, 6, NULL, "", "",
		 "n1" OFF " n2" OFF " n3" OFF " n4" OFF " n5" OFF " n6" OFF, "", "00"},
		{"NodePools in turn", POOL("a") POOL("b") SIX, 3, NULL, "", "",
		 "n1" OFF " n2" OFF " n3" LIMIT " n4" OFF " n5" LIMIT " n6" LIMIT, "single", "00"},
		{"one is not reached", POOL("a") POOL("b") SIX, 1, NULL, "", "",
		 "n1" OFF " n2" LIMIT " n3" LIMIT " n4" LIMIT " n5" LIMIT " n6" LIMIT, "multi single", "01"},
		{"and comes first the next time", POOL("a") POOL("b") SIX, 1, "01", "", "",
		 "n1" LIMIT " n2" LIMIT " n3" LIMIT " n4" OFF " n5" LIMIT " n6" LIMIT, "multi single", "10"},
		{"both unseen go by name", POOL("a") POOL("b") SIX, 1, "11", "", "",
		 "n1" OFF " n2" LIMIT " n3" LIMIT " n4" LIMIT " n5" LIMIT " n6" LIMIT, "multi single", "01"},
		{"a round that does something else leaves the memory as it was",
		 POOL("a") POOL("b") FULL("n1", "a") FULL("n4", "b") "node n7 a arm z1 spot 1", 1, "01", "",
		 "", "n1" LIMIT " n4" OFF, "single", "01"},
		/* Of four nodes two can go: three are tried first, then two. */
		{"multi-node consolidation keeps what it has",
		 POOL("a") POOL("b") FULL("n1", "a") FULL("n2", "a") FULL("n3", "a") FULL("n4", "a") ROOM, 0,
		 NULL, "Underutilized delete n1 n2", "Underutilized delete n1",
		 "n3:NotReached n4:NotReached n5:PodDoNotDisrupt", "", NULL},
		{"which is nothing after one try",
		 POOL("a") POOL("b") FULL("n1", "a") FULL("n2", "a") FULL("n3", "a") FULL("n4", "a") ROOM, 1,
		 NULL, "", "Underutilized delete n1",
		 "n2:NotReached n3:NotReached n4:NotReached n5:PodDoNotDisrupt", "multi", NULL},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(&rows[i]);
}
