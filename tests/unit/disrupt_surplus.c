#include <criterion/criterion.h>

#include "round.h"
#include "stage.h"

/* B15.2: which nodes of a static NodePool go when it has more than its replicas. */

#define POOL(replicas) "settings | featureGates: {StaticCapacity: true}\npool np || replicas: " replicas "\n"
#define NODE(n) "node " n " np large z1 spot 8"
#define SHIELD "|| annotations: {karpenter.sh/do-not-disrupt: 'true'}"
#define EXPIRES(in) " ||| expireAfter: " in

Test(surplus, order)
{
	static const struct {
		const char *name, *text, *want; /* the first to go first */
	} rows[] = {
		{"as many as replicas", POOL("2") NODE("n1") "\n" NODE("n2"), ""},
		{"fewer", POOL("3") NODE("n1") "\n" NODE("n2"), ""},
		{"the gate is off", "pool np || replicas: 0\n" NODE("n1"), ""},
		{"other NodePools have none",
		 "settings | featureGates: {StaticCapacity: true}\npool np\n" NODE("n1"), ""},
		{"by name where all is equal", POOL("1") NODE("n1") "\n" NODE("n2") "\n" NODE("n3"), "n1 n2"},
		{"nodes on their way out do not count", POOL("1") NODE("n1") "\n" NODE("n2") " || " DELETED,
		 ""},
		{"empty ones first", POOL("1") NODE("n1") "\nrun a 1 n1\n" NODE("n2"), "n2"},
		{"pods of DaemonSets leave a node empty",
		 POOL("1") NODE("n1") "\nrun a 1 n1\n" NODE("n2") "\ndaemon d 1\ndaemonpod d-1 d 1 n2", "n2"},
		{"the fewest pods",
		 POOL("1") NODE("n1") "\nrun a 1 n1\nrun b 1 n1\n" NODE("n2") "\nrun c 1 n2\n", "n2"},
		{"shielded pods last",
		 POOL("1") NODE("n1") "\nrun a 1 n1 " SHIELD "\n" NODE("n2") "\nrun b 1 n2\nrun c 1 n2",
		 "n2"},
		{"all of them, shielded ones too",
		 POOL("0") NODE("n1") "\nrun a 1 n1 " SHIELD "\n" NODE("n2") "\nrun b 1 n2\n" NODE("n3"),
		 "n3 n2 n1"},
		/* Up since 2025-12-31T00:01:00Z, a day ago. */
		{"less life left",
		 POOL("1") NODE("n1") EXPIRES("100h") "\nrun a 1 n1\n" NODE("n2")
			 EXPIRES("48h") "\nrun b 1 n2",
		 "n2"},
		{"life counts for nothing on empty nodes",
		 POOL("1") NODE("n1") EXPIRES("100h") "\n" NODE("n2") EXPIRES("48h"), "n1"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct stage s;
		const char *got = "";
		uint32_t n;
		sid *v;

		stage_init(&s, rows[i].text);
		n = static_surplus(&s.arena, snapshot_new(&s.arena, s.c, s.types, FOR_DISRUPTION), &v);
		for (uint32_t k = 0; k < n; k++)
			got = arena_printf(&s.arena, "%s%s%s", got, k ? " " : "", intern_c(s.c->in, v[k]));
		cr_expect_str_eq(got, rows[i].want, "%s: %s", rows[i].name, got);
		stage_release(&s);
	}
}
