#include <criterion/criterion.h>
#include <stdio.h>

#include "load_fixture.h"
#include "rank.h"

/* Two pods that differ in one thing; the one named first goes first. */

#define POD(name, meta, spec, status)                                                       \
	"---\n"                                                                             \
	"apiVersion: v1\n"                                                                  \
	"kind: Pod\n"                                                                       \
	"metadata: {name: " name ", creationTimestamp: '2026-01-19T10:00:00Z', " meta "}\n" \
	"spec: {" spec ", containers: [{name: c, image: c}], initContainers: ["             \
	"{name: side, image: c, restartPolicy: Always}, {name: once, image: c}]}\n"         \
	"status: {" status "}\n"
#define ON_N1 "nodeName: n1"
#define READY(since)                                                                             \
	"phase: Running, conditions: [{type: Ready, status: 'True', lastTransitionTime: '" since \
	"'}, {type: PodScheduled, status: 'True'}]"
#define TEN READY("2026-01-19T10:00:00Z")
#define NOT_READY                                                                          \
	"phase: Running, conditions: [{type: Ready, status: 'False', lastTransitionTime: " \
	"'2026-01-19T10:00:00Z'}]"
#define COST(n) "annotations: {controller.kubernetes.io/pod-deletion-cost: '" n "'}, "
#define SAME(name) POD(name, "uid: u-" name, "nodeName: n-" name, TEN)

static const char settings[] = "apiVersion: kspot.dev/v1\n"
			       "kind: Settings\n"
			       "spec: {now: '2026-01-19T12:00:00Z'}\n";

struct row {
	const char *what;
	enum workload_kind kind;
	const char *pods;
	const char *order; /* names, first to go first */
};

static const struct row rows[] = {
	{"without a node first", WL_REPLICA_SET,
	 POD("a", "uid: a", ON_N1, TEN) POD("b", "uid: b", "hostNetwork: false", TEN), "b a "},
	{"pending, unknown, running", WL_REPLICA_SET,
	 POD("a", "uid: a", "nodeName: n1", "phase: Running")
		 POD("b", "uid: b", "nodeName: n2", "phase: Unknown")
			 POD("c", "uid: c", "nodeName: n3", "phase: Pending"),
	 "c b a "},
	{"not ready before ready", WL_REPLICA_SET,
	 POD("a", "uid: a", "nodeName: n1", TEN) POD("b", "uid: b", "nodeName: n2", NOT_READY), "b a "},
	{"readiness goes before the deletion cost", WL_REPLICA_SET,
	 POD("a", COST("-5") "uid: a", "nodeName: n1", TEN) POD("b", "uid: b", "nodeName: n2", NOT_READY),
	 "b a "},
	{"the least deletion cost, none is 0", WL_DEPLOYMENT,
	 POD("a", COST("7") "uid: a", "nodeName: n1", TEN) POD("b", "uid: b", "nodeName: n2", TEN)
		 POD("c", COST("-7") "uid: c", "nodeName: n3", TEN),
	 "c b a "},
	{"a cost that Kubernetes does not read is 0", WL_REPLICA_SET,
	 POD("a", COST("-1") "uid: a", "nodeName: n1", TEN) POD("b", COST("+9") "uid: c", "nodeName: n2", TEN)
		 POD("c", COST("-08") "uid: d", "nodeName: n3", TEN)
			 POD("d", COST("9x") "uid: e", "nodeName: n4", TEN),
	 "a d c b "},
	{"a Job does not look at costs", WL_JOB,
	 POD("a", COST("-7") "uid: a", "nodeName: n1", TEN) POD("b", "uid: b", "nodeName: n2", TEN), "b a "},
	{"those that share a node", WL_REPLICA_SET,
	 POD("a", "uid: a", "nodeName: n1", TEN) POD("b", "uid: b", "nodeName: n2", TEN)
		 POD("c", "uid: c", "nodeName: n2", TEN),
	 "c b a "},
	{"a Job does not count neighbours", WL_JOB,
	 POD("a", "uid: a", "nodeName: n1", READY("2026-01-19T11:30:00Z"))
		 POD("b", "uid: b", "nodeName: n2", TEN) POD("c", "uid: c", "nodeName: n2", TEN),
	 "a c b "},
	{"costs go before neighbours", WL_REPLICA_SET,
	 POD("a", COST("-1") "uid: a", "nodeName: n1", TEN) POD("b", "uid: b", "nodeName: n2", TEN)
		 POD("c", "uid: c", "nodeName: n2", TEN),
	 "a c b "},
	{"ready for less time, by powers of two", WL_REPLICA_SET,
	 POD("a", "uid: a", "nodeName: n1", TEN)
		 POD("b", "uid: b", "nodeName: n2", READY("2026-01-19T11:50:00Z")),
	 "b a "},
	{"within a power of two by uid", WL_REPLICA_SET,
	 POD("a", "uid: a", "nodeName: n1", READY("2026-01-19T10:00:00Z"))
		 POD("b", "uid: b", "nodeName: n2", READY("2026-01-19T10:01:00Z")),
	 "a b "},
	{"a Job goes by the second", WL_JOB,
	 POD("a", "uid: a", "nodeName: n1", READY("2026-01-19T10:00:00Z"))
		 POD("b", "uid: b", "nodeName: n2", READY("2026-01-19T10:01:00Z")),
	 "b a "},
	{"more restarts of one container", WL_REPLICA_SET,
	 POD("a", "uid: a", "nodeName: n1", TEN) POD("b", "uid: b", "nodeName: n2",
						     TEN ", containerStatuses: [{name: c, restartCount: 2}]")
		 POD("c", "uid: c", "nodeName: n3", TEN ", containerStatuses: [{name: c, restartCount: 5}]"),
	 "c b a "},
	{"then of a sidecar, not of what runs once", WL_REPLICA_SET,
	 POD("a", "uid: a", "nodeName: n1", TEN ", initContainerStatuses: [{name: side, restartCount: 1}]")
		 POD("b", "uid: b", "nodeName: n2",
		     TEN ", initContainerStatuses: [{name: once, restartCount: 9}]")
			 POD("c", "uid: c", "nodeName: n3",
			     TEN ", initContainerStatuses: [{name: side, restartCount: 2}]"),
	 "c a b "},
	{"else the last of the input", WL_REPLICA_SET, SAME("a") SAME("b") SAME("c"), "c b a "},
	{"a StatefulSet from its highest ordinal", WL_STATEFUL_SET,
	 POD("s-0", "uid: a", "hostNetwork: false", "phase: Pending")
		 POD("s-10", "uid: b", "nodeName: n2", TEN)
			 POD("s-9", COST("-5") "uid: c", "nodeName: n3", NOT_READY),
	 "s-10 s-9 s-0 "},
};

static void created(struct loaded *in, uint32_t pod, int64_t ago)
{
	in->c->pods.v[pod].meta.created = in->c->settings.now - ago;
}

static const char *order_of(struct loaded *in, enum workload_kind kind)
{
	struct victim v[8];
	uint32_t n = in->c->pods.n;
	struct buf b;
	const char *text;

	cr_assert(n <= 8);
	for (uint32_t i = 0; i < n; i++)
		victim_of(&v[i], in->c, i);
	victims_sort(&in->arena, in->c, kind, v, n);
	buf_init(&b);
	for (uint32_t i = 0; i < n; i++)
		buf_addf(&b, "%s ", intern_c(in->c->in, in->c->pods.v[v[i].pod].meta.name));
	text = arena_strndup(&in->arena, b.p, b.n);
	buf_release(&b);
	return text;
}

static void load(struct loaded *in, const char *pods)
{
	static char text[16384];

	cr_assert((size_t)snprintf(text, sizeof(text), "%s%s", settings, pods) < sizeof(text));
	loaded_init(in, text, NULL);
	cr_assert(in->c, "%s", loaded_messages(in));
}

Test(rank, one_thing_at_a_time)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct loaded in;

		load(&in, rows[i].pods);
		cr_expect_str_eq(order_of(&in, rows[i].kind), rows[i].order, "%s", rows[i].what);
		loaded_release(&in);
	}
}

Test(rank, creation)
{
	/* Seconds ago, and the order: the younger first, but within a power of two by uid. */
	static const struct {
		enum workload_kind kind;
		int64_t a, b;
		const char *order;
	} row[] = {
		{WL_REPLICA_SET, 7200, 600, "b a "},  {WL_REPLICA_SET, 600, 7200, "a b "},
		{WL_REPLICA_SET, 7200, 7100, "a b "}, {WL_REPLICA_SET, 7100, 7200, "a b "},
		{WL_JOB, 7200, 7100, "b a "},         {WL_REPLICA_SET, 0, 10, "a b "},
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct loaded in;

		load(&in, SAME("a") SAME("b"));
		created(&in, 0, row[i].a);
		created(&in, 1, row[i].b);
		cr_expect_str_eq(order_of(&in, row[i].kind), row[i].order, "row %zu", i);
		loaded_release(&in);
	}
}
