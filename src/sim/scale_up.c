#include <inttypes.h>
#include <string.h>

#include "buffer.h"
#include "gosort.h"
#include "idmap.h"
#include "sim_impl.h"

/* More pods of a workload, named and numbered as those of the input are when it is loaded. */

struct growing {
	struct arena *a;
	const struct cluster *from;
	struct cluster *c; /* what becomes of it, with room */
	const struct workload *w;
	struct idmap taken; /* names of pods by namespace */
	struct owner_ref *owner;
	uint64_t uid;
};

static const struct {
	const char *version, *kind;
	uint32_t first;
} owners[] = {
	[WL_DEPLOYMENT] = {"apps/v1", "ReplicaSet", 1},
	[WL_REPLICA_SET] = {"apps/v1", "ReplicaSet", 1},
	[WL_STATEFUL_SET] = {"apps/v1", "StatefulSet", 0},
	[WL_JOB] = {"batch/v1", "Job", 1},
};

/* The next that no object has. */
static sid next_uid(struct growing *g)
{
	const char *text;

	do {
		text = arena_printf(g->a, "00000000-0000-4000-8000-%012" PRIu64, ++g->uid);
	} while (intern_find(g->c->in, str_of(text)) != SID_NONE);
	return intern_cstr(g->c->in, text);
}

/* Those of its siblings know the class that the template may leave open. */
static sid storage_class_of(const struct growing *g, const struct pvc *template)
{
	const char *start = arena_printf(g->a, "%s-%s-", intern_c(g->c->in, template->meta.name),
					 intern_c(g->c->in, g->w->meta.name));

	for (uint32_t i = 0; i < g->c->pvcs.n; i++)
		if (g->c->pvcs.v[i].meta.ns == g->w->meta.ns &&
		    strncmp(intern_c(g->c->in, g->c->pvcs.v[i].meta.name), start, strlen(start)) == 0)
			return g->c->pvcs.v[i].storage_class;
	return template->storage_class;
}

/* The claims of a pod of a StatefulSet, in front of the volumes of other names. */
static const struct pod_spec *claim_volumes(struct growing *g, sid pod)
{
	const struct workload *w = g->w;
	struct pod_spec *own = arena_memdup(g->a, w->spec, 1, sizeof(*own));
	uint32_t n = 0;

	own->volume = ARENA_ARRAY(g->a, struct pod_volume, (size_t)w->nclaim + w->spec->nvolume);
	for (uint32_t i = 0; i < w->nclaim; i++) {
		const struct pvc *t = &w->claim[i];
		sid name = intern_cstr(g->c->in, arena_printf(g->a, "%s-%s", intern_c(g->c->in, t->meta.name),
							      intern_c(g->c->in, pod)));
		struct pvc *made = &g->c->pvcs.v[g->c->pvcs.n];

		own->volume[n++] =
			(struct pod_volume){.name = t->meta.name, .claim = name, .ephemeral_class = SID_NONE};
		if (cluster_pvc(g->from, w->meta.ns, name))
			continue;
		*made = *t;
		made->meta.name = name;
		made->meta.ns = w->meta.ns;
		made->storage_class = storage_class_of(g, t);
		g->c->pvcs.n++;
	}
	for (uint32_t i = 0; i < w->spec->nvolume; i++) {
		bool replaced = false;

		for (uint32_t k = 0; k < w->nclaim; k++)
			replaced = replaced || w->claim[k].meta.name == w->spec->volume[i].name;
		if (!replaced)
			own->volume[n++] = w->spec->volume[i];
	}
	own->nvolume = n;
	return own;
}

static bool object_before(const struct intern *in, const struct object_meta *x, const struct object_meta *y)
{
	int c = intern_cmp(in, x->ns, y->ns);

	return c ? c < 0 : intern_cmp(in, x->name, y->name) < 0;
}

static bool pod_before(const void *a, const void *b, const void *ctx)
{
	const struct pod *x = a, *y = b;

	return object_before(ctx, &x->meta, &y->meta);
}

static bool claim_before(const void *a, const void *b, const void *ctx)
{
	const struct pvc *x = a, *y = b;

	return object_before(ctx, &x->meta, &y->meta);
}

static void add_pod(struct growing *g, sid name)
{
	const struct workload *w = g->w;
	struct cluster *c = g->c;

	c->pods.v[c->pods.n] = (struct pod){
		.meta = {.name = name,
			 .ns = w->meta.ns,
			 .uid = next_uid(g),
			 .labels = w->template_labels,
			 .annotations = w->template_annotations,
			 .nowner = 1,
			 .owner = g->owner,
			 .created = c->settings.now,
			 .deleted = TIME_NONE,
			 .at = w->meta.at},
		.spec = w->nclaim ? claim_volumes(g, name) : w->spec,
		.node = w->node,
		.start_time = TIME_NONE,
		.requests = w->requests,
		.order = c->pods.n,
	};
	c->pods.n++;
}

static struct growing growing(struct arena *a, const struct cluster *c, const struct workload *w,
			      uint32_t more)
{
	struct growing g = {
		.a = a, .from = c, .w = w, .uid = c->pods.n, .owner = ARENA_NEW(a, struct owner_ref)};
	size_t claims = (size_t)w->nclaim * more;

	g.c = arena_memdup(a, c, 1, sizeof(*c));
	g.c->pods.v = ARENA_ARRAY(a, struct pod, (size_t)c->pods.n + more);
	if (c->pods.n)
		memcpy(g.c->pods.v, c->pods.v, c->pods.n * sizeof(*c->pods.v));
	g.c->pvcs.v = ARENA_ARRAY(a, struct pvc, c->pvcs.n + claims);
	if (c->pvcs.n)
		memcpy(g.c->pvcs.v, c->pvcs.v, c->pvcs.n * sizeof(*c->pvcs.v));
	idmap_init(&g.taken, a);
	for (uint32_t i = 0; i < c->pods.n; i++)
		idmap_put(&g.taken, IDMAP_PAIR(c->pods.v[i].meta.ns, c->pods.v[i].meta.name), i);
	*g.owner = (struct owner_ref){.api_version = intern_cstr(c->in, owners[w->kind].version),
				      .kind = intern_cstr(c->in, owners[w->kind].kind),
				      .name = w->meta.name,
				      .controller = true};
	return g;
}

struct cluster *sim_scale_up(struct arena *a, const struct cluster *c, const struct workload *w,
			     uint32_t replicas, struct pod_names *ret_added)
{
	uint32_t have = sim_replicas(c, w), more = replicas > have ? replicas - have : 0;
	struct growing g = growing(a, c, w, more);

	*ret_added = (struct pod_names){0, ARENA_ARRAY(a, const char *, more)};
	for (uint32_t i = owners[w->kind].first; ret_added->n < more; i++) {
		sid name =
			intern_cstr(c->in, arena_printf(a, "%s-%" PRIu32, intern_c(c->in, w->meta.name), i));
		uint32_t x;

		if (idmap_get(&g.taken, IDMAP_PAIR(w->meta.ns, name), &x))
			continue;
		add_pod(&g, name);
		ret_added->v[ret_added->n++] =
			arena_printf(a, "%s/%s", intern_c(c->in, w->meta.ns), intern_c(c->in, name));
	}
	GOSORT(g.c->pods.v, g.c->pods.n, pod_before, c->in);
	GOSORT(g.c->pvcs.v, g.c->pvcs.n, claim_before, c->in);
	return g.c;
}

struct cluster *sim_scale_buffers(struct arena *a, const struct cluster *c, const struct workload *w,
				  uint32_t replicas)
{
	static const char *const kinds[] = {[WL_DEPLOYMENT] = "Deployment",
					    [WL_REPLICA_SET] = "ReplicaSet",
					    [WL_STATEFUL_SET] = "StatefulSet",
					    [WL_JOB] = "Job"};
	struct cluster *out = arena_memdup(a, c, 1, sizeof(*c));
	bool any = false;

	out->buffers.v = ARENA_ARRAY(a, struct capacity_buffer, c->buffers.n);
	for (uint32_t i = 0; i < c->buffers.n; i++) {
		struct capacity_buffer *b = &out->buffers.v[i];

		*b = c->buffers.v[i];
		if (b->meta.ns != w->meta.ns || b->scalable_name != w->meta.name || !b->spec ||
		    !str_is(intern_str(c->in, b->scalable_kind), kinds[w->kind]))
			continue;
		b->replicas = buffer_replicas(b, replicas);
		b->ready = b->replicas > 0;
		any = true;
	}
	if (any)
		buffers_make_pods(a, out);
	return out;
}
