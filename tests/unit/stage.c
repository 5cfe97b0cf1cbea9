#include "stage.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "load_fixture.h"
#include "overlay.h"
#include "provision.h"
#include "round.h"

#define LABEL_FMT                                                                                            \
	"karpenter.sh/nodepool: '%s', node.kubernetes.io/instance-type: '%s', topology.kubernetes.io/zone: " \
	"'%s', karpenter.sh/capacity-type: '%s', kubernetes.io/arch: amd64, kubernetes.io/os: linux, %s"
#define SINCE "creationTimestamp: '2025-12-31T00:00:00Z'"
#define TRUE_(type) "{type: " type ", status: 'True', lastTransitionTime: '2025-12-31T00:01:00Z'}"
#define REF "nodeClassRef: {group: g.io, kind: Class, name: c}, "
#define ROOM "{cpu: '%s', memory: 64Gi, pods: 10}"

static void add_type(struct buf *b, const char *name, const char *arch, int cpu, const char *spot,
		     const char *on_demand)
{
	buf_addf(b,
		 "{name: %s, capacity: {cpu: %d, memory: %dGi, pods: 10}, requirements: ["
		 "{key: node.kubernetes.io/instance-type, operator: In, values: [%s]}, "
		 "{key: kubernetes.io/arch, operator: In, values: [%s]}, "
		 "{key: kubernetes.io/os, operator: In, values: [linux]}, "
		 "{key: topology.kubernetes.io/zone, operator: In, values: [z1, z2, z3]}, "
		 "{key: karpenter.sh/capacity-type, operator: In, values: [on-demand, spot]}], offerings: [",
		 name, cpu, cpu * 2, name, arch);
	for (int zone = 1; zone <= 3; zone++)
		for (int spotty = 0; spotty < 2; spotty++)
			buf_addf(b,
				 "{price: %s, requirements: ["
				 "{key: topology.kubernetes.io/zone, operator: In, values: [z%d]}, "
				 "{key: karpenter.sh/capacity-type, operator: In, values: [%s]}]}, ",
				 spotty ? spot : on_demand, zone, spotty ? "spot" : "on-demand");
	buf_adds(b, "]}, ");
}

static void add_types(struct buf *b)
{
	buf_adds(b, "{apiVersion: kspot.dev/v1, kind: InstanceTypeSet, metadata: {name: t}, "
		    "spec: {instanceTypes: [");
	add_type(b, "small", "amd64", 2, "0.02", "0.06");
	add_type(b, "medium", "amd64", 4, "0.04", "0.12");
	add_type(b, "large", "amd64", 8, "0.08", "0.24");
	add_type(b, "arm", "arm64", 4, "0.036", "0.116");
	buf_adds(b, "]}}\n");
}

static void add_cents(struct buf *b, int n)
{
	buf_adds(b, "{apiVersion: kspot.dev/v1, kind: InstanceTypeSet, metadata: {name: t}, "
		    "spec: {instanceTypes: [");
	for (int i = 1; i <= n; i++) {
		char name[16], spot[16], on_demand[16];

		snprintf(name, sizeof(name), "t%02d", i);
		snprintf(spot, sizeof(spot), "%d.%02d", i / 100, i % 100);
		snprintf(on_demand, sizeof(on_demand), "%d.%02d", 3 * i / 100, 3 * i % 100);
		add_type(b, name, "amd64", 4, spot, on_demand);
	}
	buf_adds(b, "]}}\n");
}

/* The words of a line up to its first bar, and what stands between bars. */
struct line {
	char *word[8], *part[8];
};

static struct line split(char *text)
{
	struct line l;
	char *rest = text, *words = strsep(&rest, "|"), *more;

	for (size_t i = 0; i < 8; i++) {
		char *part = strsep(&rest, "|");

		l.part[i] = part ? part : text + strlen(text);
	}
	for (size_t i = 0; i < 8; i++)
		l.word[i] = strtok_r(i ? NULL : words, " ", &more);
	return l;
}

/* "CPU" or "CPU/MEMORY"; "-": nothing. */
static void add_container(struct buf *b, char *amounts, const char *more)
{
	char *memory = amounts, *cpu = strsep(&memory, "/");

	buf_adds(b, "containers: [{name: c, ");
	if (strcmp(cpu, "-") != 0)
		buf_addf(b, "resources: {requests: {cpu: '%s'%s%s}}, ", cpu, memory ? ", memory: " : "",
			 memory ? memory : "");
	buf_addf(b, "%s}]", more);
}

static bool is(const char *word, const char *want)
{
	return word && strcmp(word, want) == 0;
}

static void add_node(struct buf *b, const struct line *l)
{
	char *const *w = l->word, *const *p = l->part;

	buf_addf(b,
		 "{apiVersion: karpenter.sh/v1, kind: NodeClaim, metadata: {name: '%s', " SINCE
		 ", labels: {" LABEL_FMT "}, %s}, spec: {" REF "requirements: [], %s}, status: {providerID: "
		 "'p://%s', nodeName: '%s', conditions: [" TRUE_("Launched") ", " TRUE_(
			 "Registered") ", " TRUE_("Initialized") ", %s], %s}}\n---\n",
		 w[1], w[2], w[3], w[4], w[5], p[0], p[1], p[2], w[1], w[1], p[6], p[3]);
	buf_addf(b,
		 "{apiVersion: v1, kind: Node, metadata: {name: '%s', " SINCE
		 ", labels: {karpenter.sh/registered: '%s', karpenter.sh/initialized: '%s', "
		 "kubernetes.io/hostname: '%s', " LABEL_FMT "}, %s}, spec: {providerID: 'p://%s', %s}, "
		 "status: {capacity: " ROOM ", allocatable: " ROOM
		 ", conditions: [{type: Ready, status: '%s', "
		 "lastTransitionTime: '2025-12-31T00:01:00Z'}]}}\n",
		 w[1], is(w[7], "unregistered") ? "false" : "true",
		 is(w[7], "unregistered") || is(w[7], "new") ? "false" : "true", w[1], w[2], w[3], w[4], w[5],
		 p[0], p[4], w[1], p[5], w[6], w[6], is(w[7], "unready") ? "False" : "True");
}

/* A controller's pod that runs on a node. */
static bool add_running(struct buf *b, char *const *w, char *const *p)
{
	static const char *const owners[][2] = {
		{"run", "apiVersion: apps/v1, kind: ReplicaSet"},
		{"sts", "apiVersion: apps/v1, kind: StatefulSet"},
		{"ds", "apiVersion: apps/v1, kind: DaemonSet"},
		{"mirror", "apiVersion: v1, kind: Node"},
	};

	for (size_t i = 0; i < sizeof(owners) / sizeof(owners[0]); i++) {
		if (!is(w[0], owners[i][0]))
			continue;
		buf_addf(
			b,
			"{apiVersion: v1, kind: Pod, metadata: {name: '%s', ownerReferences: [{%s, name: rs, "
			"uid: rs, controller: true}], %s}, spec: {nodeName: '%s', ",
			w[1], owners[i][1], p[1], w[3]);
		add_container(b, w[2], p[3]);
		buf_addf(b, ", %s}, status: {phase: Running, %s}}\n", p[0], p[2]);
		return true;
	}
	return false;
}

/* The kinds of pods. */
static bool add_pod(struct buf *b, char *const *w, char *const *p)
{
	if (strcmp(w[0], "pod") == 0) {
		buf_addf(b, "{apiVersion: v1, kind: Pod, metadata: {name: '%s', %s}, spec: {", w[1], p[1]);
		add_container(b, w[2], p[2]);
		buf_addf(b, ", %s}}\n", p[0]);
	} else if (strcmp(w[0], "daemon") == 0) {
		buf_addf(b,
			 "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: '%s', uid: '%s'}, spec: "
			 "{selector: {matchLabels: {ds: '%s'}}, template: {metadata: {labels: {ds: '%s'}}, "
			 "spec: {",
			 w[1], w[1], w[1], w[1]);
		add_container(b, w[2], p[1]);
		buf_addf(b, ", %s}}}}\n", p[0]);
	} else if (strcmp(w[0], "daemonpod") == 0) {
		buf_addf(b,
			 "{apiVersion: v1, kind: Pod, metadata: {name: '%s', labels: {ds: '%s'}, "
			 "ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: '%s', uid: '%s', "
			 "controller: true}], %s}, spec: {nodeName: '%s', ",
			 w[1], w[2], w[2], w[2], p[1], w[4]);
		add_container(b, w[3], p[2]);
		buf_addf(b, ", %s}, status: {phase: Running}}\n", p[0]);
	} else {
		return false;
	}
	return true;
}

static void add_object(struct buf *b, char *text)
{
	struct line l = split(text);
	char *const *w = l.word, *const *p = l.part;

	if (strcmp(w[0], "settings") == 0) {
		buf_addf(b,
			 "{apiVersion: kspot.dev/v1, kind: Settings, metadata: {name: s}, spec: {now: "
			 "'2026-01-01T00:00:00Z', %s}}\n",
			 p[0]);
	} else if (strcmp(w[0], "pool") == 0) {
		buf_addf(b,
			 "{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: '%s', %s}, spec: "
			 "{template: {metadata: {%s}, spec: {" REF "%s}}, %s}}\n",
			 w[1], p[3], p[2], p[0], p[1]);
	} else if (strcmp(w[0], "pdb") == 0) {
		buf_addf(b,
			 "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: '%s'}, spec: "
			 "{%s}, status: {disruptionsAllowed: %s, currentHealthy: 1, desiredHealthy: 1, "
			 "expectedPods: 1}}\n",
			 w[1], *p[0] ? p[0] : "selector: {}", w[2]);
	} else if (strcmp(w[0], "types") == 0) {
		add_cents(b, atoi(w[1]));
	} else if (!add_pod(b, w, p) && !add_running(b, w, p)) {
		cr_assert_str_eq(w[0], "node");
		add_node(b, &l);
	}
}

/* The whole as YAML. */
static const char *expand(struct arena *a, const char *text)
{
	char *copy = arena_strndup(a, text, strlen(text)), *line;
	struct buf b;

	buf_init(&b);
	if (!strstr(text, "settings |") && !strstr(text, "kind: Settings"))
		add_object(&b, arena_strndup(a, "settings |", 10));
	if (!strstr(text, "kind: InstanceTypeSet") && strncmp(text, "types ", 6) != 0 &&
	    !strstr(text, "\ntypes ")) {
		buf_adds(&b, "---\n");
		add_types(&b);
	}
	while ((line = strsep(&copy, "\n"))) {
		buf_adds(&b, "---\n");
		if (*line == '{')
			buf_addf(&b, "%s\n", line);
		else if (*line)
			add_object(&b, line);
	}
	text = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return text;
}

static const struct itype_list *types_of(struct stage *s, sid pool)
{
	struct itype_list *l = ARENA_NEW(&s->arena, struct itype_list);
	VEC(struct itype) v = {0};

	for (uint32_t i = 0; i < s->c->type_sets.n; i++) {
		const struct instance_type_set *set = &s->c->type_sets.v[i];
		bool named = !set->npool;

		for (uint32_t k = 0; k < set->npool; k++)
			named = named || set->pool[k] == pool;
		for (uint32_t k = 0; named && k < set->types.n; k++)
			VEC_PUSH(&s->arena, &v, set->types.v[k]);
	}
	*l = (struct itype_list){v.n, v.v};
	return l;
}

void stage_init(struct stage *s, const char *text)
{
	static const struct load_options none;
	struct loaded t;

	*s = (struct stage){0};
	arena_init(&s->arena);
	diags_init(&s->diags, &s->arena);
	text = expand(&s->arena, text);
	doc_read(&s->arena, &s->diags, source_from_text(&s->arena, "in.yaml", str_of(text)), &s->docs);
	s->c = load_cluster(&s->arena, &s->diags, &s->docs, &none);
	t = (struct loaded){.arena = s->arena, .diags = s->diags};
	cr_assert(s->c && !s->diags.errors, "%s\n%s", text, loaded_messages(&t));
	s->types = ARENA_ARRAY(&s->arena, const struct itype_list *, s->c->pools.n);
	for (uint32_t i = 0; i < s->c->pools.n; i++)
		s->types[i] = types_of(s, s->c->pools.v[i].meta.name);
	if (s->c->settings.gates[GATE_NODE_OVERLAY])
		overlays_apply(&s->arena, s->c, s->types);
}

void stage_release(struct stage *s)
{
	arena_release(&s->arena);
}

static const char *pod_name(const struct stage *s, uint32_t pod)
{
	return pod < s->c->pods.n ? intern_c(s->c->in, s->c->pods.v[pod].meta.name) : "~";
}

static void show_pods(const struct stage *s, struct buf *b, const uint32_t *pod, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		buf_addf(b, "%s%s", i ? " " : "", pod_name(s, pod[i]));
}

static bool is_plain(const struct stage *s, sid key)
{
	return key == LBL_NODEPOOL || key == LBL_INSTANCE_TYPE ||
	       str_is(intern_str(s->c->in, key), "g.io/class");
}

static void show_reqs(const struct stage *s, struct buf *b, rsetid reqs)
{
	struct reqpool *p = s->c->rp;

	for (uint32_t i = 0; i < rset_get(p, reqs)->n;) {
		keyid k = req_get(p, rset_get(p, reqs)->req[i])->key;

		if (!is_plain(s, req_key_name(p, k))) {
			i++;
			continue;
		}
		reqs = rset_without(p, reqs, k);
		i = 0;
	}
	buf_adds(b, " {");
	rset_print(p, b, reqs);
	buf_addch(b, '}');
}

static void show_labels(const struct stage *s, struct buf *b, const struct labels *l)
{
	const char *between = " <";

	for (uint32_t i = 0; i < l->n; i++) {
		if (is_plain(s, l->v[i].key) ||
		    str_starts(intern_str(s->c->in, l->v[i].key), "karpenter.sh/nodepool-hash"))
			continue;
		buf_addf(b, "%s%s=%s", between, intern_c(s->c->in, l->v[i].key),
			 intern_c(s->c->in, l->v[i].val));
		between = " ";
	}
	buf_adds(b, *between == ' ' && between[1] ? " <>" : ">");
}

static void show_claim(const struct stage *s, struct buf *b, const struct plan_claim *c, unsigned show)
{
	struct reqpool *p = s->c->rp;
	reqid zone = rset_find(p, c->reqs, req_key(p, LBL_ZONE));

	buf_addf(b, "%s(", intern_c(s->c->in, c->pool->meta.name));
	show_pods(s, b, c->pod, c->npod);
	buf_addch(b, ')');
	if (show & SHOW_ZONE) {
		uint32_t n = 0;
		sid *v = zone == REQ_NONE ? NULL : req_values(p, zone, s->c->arena, &n);

		for (uint32_t i = 0; i < n; i++)
			buf_addf(b, "%s%s", i ? "," : "@", intern_c(s->c->in, v[i]));
	}
	if (show & SHOW_TYPES)
		for (uint32_t i = 0; i < c->ntype; i++)
			buf_addf(b, "%s%s", i ? "," : "=", intern_c(s->c->in, c->type[i]->name));
	if (show & SHOW_REQS)
		show_reqs(s, b, c->reqs);
	if (show & SHOW_REQUESTS) {
		buf_addch(b, ' ');
		reslist_print(s->c->in, b, &c->requests);
	}
	if (show & SHOW_META) {
		show_labels(s, b, &c->labels);
		show_labels(s, b, &c->annotations);
	}
	if (c->fleet_error && (show & SHOW_ERRORS))
		buf_addf(b, " ERROR %s", c->fleet_error);
}

static void space(struct buf *b)
{
	if (b->n)
		buf_addch(b, ' ');
}

static const char *keep(struct stage *s, struct buf *b)
{
	const char *text = arena_strndup(&s->arena, buf_cstr(b), b->n);

	buf_release(b);
	return text;
}

const char *stage_plan(struct stage *s, unsigned show)
{
	const struct plan *plan =
		provision(&s->arena, snapshot_new(&s->arena, s->c, s->types, FOR_PROVISIONING));
	struct buf b;

	buf_init(&b);
	for (uint32_t i = 0; i < plan->nclaim; i++) {
		space(&b);
		show_claim(s, &b, &plan->claim[i], show);
	}
	for (uint32_t i = 0; i < plan->nnode; i++) {
		space(&b);
		buf_addf(&b, "%s(", intern_c(s->c->in, plan->node[i].name));
		show_pods(s, &b, plan->node[i].pod, plan->node[i].npod);
		buf_addch(&b, ')');
	}
	for (uint32_t i = 0; i < plan->nerror; i++) {
		space(&b);
		buf_addf(&b, "!%s", intern_c(s->c->in, s->c->pods.v[plan->error[i].pod].meta.name));
		if (show & SHOW_ERRORS)
			buf_addf(&b, ": %s", plan->error[i].message);
	}
	return keep(s, &b);
}

struct disruption *stage_disrupt(struct stage *s)
{
	struct disrupt_input in = {
		.types = s->types, .max_simulations = s->max_simulations, .unseen = s->unseen};

	return disrupt_round(&s->arena, snapshot_new(&s->arena, s->c, s->types, FOR_DISRUPTION), &in);
}

static const char *show_commands(struct stage *s, const struct disrupt_commands *all, unsigned show)
{
	static const char *const reasons[] = {"Empty", "Underutilized", "Drifted"};
	struct buf b;

	buf_init(&b);
	for (uint32_t i = 0; i < all->n; i++) {
		const struct disrupt_command *c = &all->v[i];

		buf_addf(&b, "%s%s %s", i ? "; " : "", reasons[c->reason],
			 c->nreplacement ? "replace" : "delete");
		for (uint32_t k = 0; k < c->ncandidate; k++)
			buf_addf(&b, " %s", intern_c(s->c->in, c->candidate[k]));
		if (c->nreplacement)
			buf_adds(&b, " -> ");
		for (uint32_t k = 0; k < c->nreplacement; k++) {
			if (k)
				buf_addch(&b, ' ');
			show_claim(s, &b, &c->replacement[k], show);
		}
		if (show & SHOW_SAVINGS)
			buf_addf(&b, " $%.4f", c->savings);
	}
	return keep(s, &b);
}

const char *stage_round(struct stage *s, unsigned show)
{
	return show_commands(s, &stage_disrupt(s)->commands, show);
}

const char *stage_method(struct stage *s, const struct disruption *d, enum disrupt_method m, unsigned show)
{
	return show_commands(s, &d->method[m], show);
}

const char *stage_events(struct stage *s, const struct disruption *d, const char *object, const char *reason)
{
	struct buf b;

	buf_init(&b);
	for (uint32_t i = 0; i < d->nevent; i++)
		if (strcmp(d->event[i].object, object) == 0 && strcmp(d->event[i].reason, reason) == 0)
			buf_addf(&b, "%s%s", b.n ? "; " : "", d->event[i].message);
	return keep(s, &b);
}

const char *stage_stays(struct stage *s, const struct disruption *d)
{
	struct buf b;

	buf_init(&b);
	for (uint32_t i = 0; i < d->nnode; i++)
		if (strcmp(d->node[i].verdict, "stay") == 0)
			buf_addf(&b, "%s%s:%s", b.n ? " " : "", intern_c(s->c->in, d->node[i].name),
				 d->node[i].reason);
	return keep(s, &b);
}

static void check_event(struct stage *s, const struct disruption *d, const struct round_row *row)
{
	const char *got = stage_events(s, d, row->object, row->reason),
		   *want = row->message ? row->message : "";

	cr_expect_str_eq(got, want, "%s, event:\n  got  %s\n  want %s", row->name, got, want);
}

void check_rounds(const struct round_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *commands, *stays, *got;
		const struct disruption *d;
		struct stage s;

		stage_init(&s, rows[i].text);
		d = stage_disrupt(&s);
		commands = show_commands(&s, &d->commands, rows[i].show);
		stays = stage_stays(&s, d);
		got = arena_printf(&s.arena, "%s%s%s", commands, *commands && *stays ? " / " : "", stays);
		cr_expect_str_eq(got, rows[i].want, "%s:\n  got  %s\n  want %s", rows[i].name, got,
				 rows[i].want);
		if (rows[i].object)
			check_event(&s, d, &rows[i]);
		stage_release(&s);
	}
}

void check_plans(const struct plan_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct stage s;
		const char *got;

		stage_init(&s, rows[i].text);
		got = stage_plan(&s, rows[i].show);
		cr_expect_str_eq(got, rows[i].want, "%s:\n  got  %s\n  want %s", rows[i].name, got,
				 rows[i].want);
		stage_release(&s);
	}
}
