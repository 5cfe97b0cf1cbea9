#include "daemon.h"

#include "podreq.h"
#include "state.h"

/* Karpenter goes by the uid of the controlling owner alone, so owners without uid are those of a DaemonSet
 * without one. */
static bool controls(const struct daemon_set *ds, const struct pod *p)
{
	for (uint32_t i = 0; i < p->meta.nowner; i++)
		if (p->meta.owner[i].controller)
			return p->meta.owner[i].uid == ds->meta.uid;
	return false;
}

/* The newest pod that the DaemonSet controls; the first listed on a tie (A12.1). */
static const struct pod *newest_pod(const struct cluster *c, const struct daemon_set *ds)
{
	const struct pod *best = NULL;

	for (uint32_t i = 0; i < c->pods.n; i++) {
		const struct pod *p = &c->pods.v[i];

		if (p->meta.ns == ds->meta.ns && controls(ds, p) &&
		    (!best || p->meta.created > best->meta.created))
			best = p;
	}
	return best;
}

static void set_daemon(struct daemon *d, struct class_table *t, struct arena *a, const struct daemon_set *ds)
{
	const struct cluster *c = t->cluster;
	const struct pod *pod = newest_pod(c, ds);
	const struct pod_spec *s = pod ? pod->spec : ds->spec;
	uint32_t n = 0;

	d->ns = ds->meta.ns;
	d->name = pod ? pod->meta.name : ds->meta.name;
	d->node_selector = &s->node_selector;
	d->nterm = s->nrequired;
	d->term = s->required;
	if (ds->spec->has_required_terms) {
		d->nterm = ds->spec->nrequired;
		d->term = ds->spec->required;
	}
	d->ntoleration = s->ntoleration;
	d->toleration = s->toleration;
	d->requests = pod ? pod->requests : pod_requests_of(c->in, a, s, PODREQ_LIMITS);
	d->resource_claims = s->resource_claims;
	for (uint32_t i = 0; i < s->ncontainer; i++)
		n += s->container[i].nport;
	d->port = ARENA_ARRAY(a, struct host_port, n);
	for (uint32_t i = 0; i < s->ncontainer; i++)
		for (uint32_t k = 0; k < s->container[i].nport; k++)
			d->port[d->nport++] = s->container[i].port[k];
}

static void set_strict(struct daemon *d, struct class_table *t)
{
	struct reqpool *p = t->cluster->rp;

	d->strict = reqs_of_labels(p, d->node_selector);
	if (d->nterm)
		d->strict = rset_intersect(p, d->strict, reqs_of_term(p, &d->term[0]));
}

void daemons_build(struct daemons *d, struct class_table *t, struct arena *a)
{
	const struct cluster *c = t->cluster;

	d->n = 0;
	d->v = ARENA_ARRAY(a, struct daemon, c->daemons.n);
	for (uint32_t i = 0; i < c->daemons.n; i++) {
		struct daemon *one = &d->v[d->n++];

		set_daemon(one, t, a, &c->daemons.v[i]);
		one->key = c->pods.n + 1000000u + i;
		set_strict(one, t);
	}
}

bool daemon_drop_term(struct daemon *d, struct class_table *t)
{
	if (d->nterm <= 1)
		return false;
	d->term++;
	d->nterm--;
	set_strict(d, t);
	return true;
}

void daemon_tolerate_preference(struct daemon *d, struct arena *a)
{
	struct toleration extra = {.op = STR_EXISTS, .effect = EFFECT_PREFER_NO_SCHEDULE};
	struct toleration *out;

	for (uint32_t i = 0; i < d->ntoleration; i++) {
		const struct toleration *t = &d->toleration[i];

		if (t->key == extra.key && t->op == extra.op && t->value == extra.value &&
		    t->effect == extra.effect)
			return;
	}
	out = ARENA_ARRAY(a, struct toleration, d->ntoleration + 1);
	for (uint32_t i = 0; i < d->ntoleration; i++)
		out[i] = d->toleration[i];
	out[d->ntoleration++] = extra;
	d->toleration = out;
}
