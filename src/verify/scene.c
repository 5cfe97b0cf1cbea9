#include "verify_impl.h"

#include <stdarg.h>
#include <stdio.h>

/* The nodes as they are, and who is where once the decision is carried out (karpenter-core A8). */

void finding(struct scene *s, const char *rule, const char *fmt, ...)
{
	char text[600];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	VEC_PUSH(s->a, &s->out->v, arena_printf(s->a, "%s: %s", rule, text));
}

const char *pod_text(const struct scene *s, uint32_t pod)
{
	if (pod >= s->c->pods.n)
		return arena_printf(s->a, "buffer pod %u", pod - s->c->pods.n);
	return arena_printf(s->a, "%s/%s", name_of(s, s->c->pods.v[pod].meta.ns),
			    name_of(s, s->c->pods.v[pod].meta.name));
}

static bool is_true(const struct labels *l, sid key)
{
	return labels_get(l, key) == STR_TRUE;
}

/* Taints that go away by themselves while a node starts. */
static bool passing(const struct cluster *c, const struct node_claim *claim, const struct taint *t)
{
	bool no_schedule = t->effect == EFFECT_NO_SCHEDULE, no_execute = t->effect == EFFECT_NO_EXECUTE;

	for (uint32_t i = 0; i < claim->startup_taints.n; i++)
		if (claim->startup_taints.v[i].key == t->key &&
		    claim->startup_taints.v[i].effect == t->effect)
			return true;
	return (t->key == TAINT_NOT_READY && (no_schedule || no_execute)) ||
	       (t->key == TAINT_UNREACHABLE && no_schedule) ||
	       (t->key == TAINT_UNINITIALIZED && no_schedule) ||
	       (t->key == TAINT_UNREGISTERED && no_execute) ||
	       str_starts(intern_str(c->in, t->key), "readiness.k8s.io/");
}

static struct taints lasting_taints(struct scene *s, const struct place *p, bool registered)
{
	const struct taints *from = p->node && registered ? &p->node->taints : &p->claim->taints;
	struct taints out = {0, ARENA_ARRAY(s->a, struct taint, from->n)};

	for (uint32_t i = 0; i < from->n; i++) {
		const struct taint *t = &from->v[i];

		/* A round of disruption first takes off what an earlier one left. */
		if (s->disrupting && p->claim && p->node && !p->deleting && t->key == TAINT_DISRUPTED)
			continue;
		if (p->claim && !p->initialized && passing(s->c, p->claim, t))
			continue;
		out.v[out.n++] = *t;
	}
	return out;
}

/* What a node that still starts does not tell, its NodeClaim does. */
static struct reslist amounts(struct scene *s, const struct place *p, const struct reslist *node,
			      const struct reslist *claim)
{
	struct reslist out = *node;

	if (p->initialized || !p->claim)
		return out;
	for (uint32_t i = 0; i < claim->n; i++) {
		const struct res_item *item = &claim->v[i];

		if (reslist_amount(&out, item->name) == 0)
			out = reslist_set(s->c->in, s->a, &out, item->name,
					  (struct quantity){item->v, item->format});
	}
	return out;
}

static void place_existing(struct scene *s, const struct node *node, const struct node_claim *claim)
{
	static const struct reslist nothing;
	struct place *p = VEC_ADD(s->a, &s->place);
	bool registered = node && (!claim || is_true(&node->meta.labels, LBL_REGISTERED));
	const struct object_meta *m = registered ? &node->meta : &claim->meta;
	sid host = labels_get(&m->labels, LBL_HOSTNAME), pool = labels_get(&m->labels, LBL_NODEPOOL);

	p->node = node;
	p->claim = claim;
	p->labels = &m->labels;
	p->name = m->name;
	p->host = host == SID_NONE || host == SID_EMPTY ? m->name : host;
	p->what = arena_printf(s->a, "node %s", name_of(s, m->name));
	p->pool = pool == SID_NONE ? NULL : cluster_pool(s->c, pool);
	p->initialized = node && (!claim || is_true(&node->meta.labels, LBL_INITIALIZED));
	p->deleting = claim ? claim->meta.deleted != TIME_NONE ||
				      conditions_true(&claim->conditions, s->c->in, "InstanceTerminating")
			    : node->meta.deleted != TIME_NONE;
	p->taints = lasting_taints(s, p, registered);
	p->capacity = amounts(s, p, node ? &node->capacity : &nothing, claim ? &claim->capacity : &nothing);
	p->allocatable =
		amounts(s, p, node ? &node->allocatable : &nothing, claim ? &claim->allocatable : &nothing);
}

static const struct node *node_behind(const struct cluster *c, const struct node_claim *claim)
{
	for (uint32_t i = 0; i < c->nodes.n; i++)
		if (c->nodes.v[i].provider_id == claim->provider_id)
			return &c->nodes.v[i];
	return NULL;
}

static void add_places(struct scene *s)
{
	struct cluster *c = s->c;
	bool *taken = ARENA_ARRAY(s->a, bool, c->nodes.n);

	for (uint32_t i = 0; i < c->claims.n; i++) {
		const struct node *node = node_behind(c, &c->claims.v[i]);

		if (node)
			taken[node - c->nodes.v] = true;
		place_existing(s, node, &c->claims.v[i]);
	}
	for (uint32_t i = 0; i < c->nodes.n; i++)
		if (!taken[i])
			place_existing(s, &c->nodes.v[i], NULL);
}

static void add_bound(struct scene *s)
{
	struct idmap by_name;
	uint32_t at;

	idmap_init(&by_name, s->a);
	for (uint32_t i = 0; i < s->place.n; i++)
		if (s->place.v[i].node)
			idmap_put(&by_name, s->place.v[i].node->meta.name, i);
	for (uint32_t i = 0; i < s->c->pods.n; i++) {
		const struct pod *p = &s->c->pods.v[i];

		s->at[i] = NOWHERE;
		if (p->node == SID_EMPTY || p->node == SID_NONE || ended(p) ||
		    !idmap_get(&by_name, p->node, &at))
			continue;
		s->at[i] = at;
		VEC_PUSH(s->a, &s->place.v[at].pods, i);
	}
}

void scene_init(struct scene *s, struct arena *a, const struct verify_input *in, struct findings *out,
		bool disrupting)
{
	*s = (struct scene){.a = a, .in = in, .c = in->c, .out = out, .disrupting = disrupting};
	s->at = ARENA_ARRAY(a, uint32_t, in->c->pods.n);
	s->placed = ARENA_ARRAY(a, bool, in->c->pods.n);
	s->waiting = ARENA_ARRAY(a, bool, in->c->pods.n);
	add_places(s);
	add_bound(s);
}

struct place *place_find(struct scene *s, sid name)
{
	for (uint32_t i = 0; i < s->place.n; i++)
		if (!s->place.v[i].fresh && s->place.v[i].name == name)
			return &s->place.v[i];
	return NULL;
}

void put_pods(struct scene *s, struct place *p, const uint32_t *pod, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (pod[i] >= s->c->pods.n)
			continue;
		/* A pod of a node that goes away leaves it. */
		if (s->at[pod[i]] != NOWHERE) {
			struct place *old = &s->place.v[s->at[pod[i]]];
			uint32_t kept = 0;

			for (uint32_t k = 0; k < old->pods.n; k++)
				if (old->pods.v[k] != pod[i])
					old->pods.v[kept++] = old->pods.v[k];
			old->pods.n = kept;
		}
		if (s->placed[pod[i]])
			finding(s, "place", "pod %s is placed twice", pod_text(s, pod[i]));
		s->at[pod[i]] = (uint32_t)(p - s->place.v);
		s->placed[pod[i]] = true;
		VEC_PUSH(s->a, &p->pods, pod[i]);
		p->nplaced++;
	}
}

void place_fresh(struct scene *s, const struct plan_claim *claim, uint32_t number)
{
	struct place *p = VEC_ADD(s->a, &s->place);

	p->fresh = claim;
	p->pool = claim->pool;
	p->name = p->host = SID_NONE;
	p->what = arena_printf(s->a, "NodeClaim %u of %s", number, name_of(s, claim->pool->meta.name));
	p->taints = claim->pool->taints;
	p->initialized = true;
	put_pods(s, p, claim->pod, claim->npod);
}
