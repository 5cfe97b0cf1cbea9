#include "domains.h"

#include <string.h>

#include "bits.h"

static struct domain_entry *entry_of(struct domain_universe *u, keyid k, uint32_t value)
{
	struct domain_key *key = &u->key[k];
	uint32_t at;

	if (idmap_get(&key->at, value, &at))
		return &key->v[at];
	if (key->n == key->cap) {
		uint32_t cap = key->cap ? key->cap * 2 : 8;
		struct domain_entry *v = ARENA_ARRAY(u->arena, struct domain_entry, cap);

		if (key->n)
			memcpy(v, key->v, key->n * sizeof(*v));
		key->v = v;
		key->cap = cap;
	}
	idmap_put(&key->at, value, key->n);
	key->v[key->n] = (struct domain_entry){.value = value};
	return &key->v[key->n++];
}

/* Once a NodePool without taints allows a domain, taints no longer matter (A13.3). */
static void insert(struct domain_universe *u, keyid k, uint32_t value, const struct taints *taints)
{
	struct domain_entry *e = entry_of(u, k, value);

	if (e->untainted || (e->n && e->taints[e->n - 1] == taints))
		return;
	if (taints->n == 0) {
		e->untainted = true;
		return;
	}
	if (e->n == e->cap) {
		uint32_t cap = e->cap ? e->cap * 2 : 2;
		const struct taints **v = ARENA_ARRAY(u->arena, const struct taints *, cap);

		if (e->n)
			memcpy(v, e->taints, e->n * sizeof(*v));
		e->taints = v;
		e->cap = cap;
	}
	e->taints[e->n++] = taints;
}

static void insert_values(struct domain_universe *u, const struct reqpool *p, reqid r,
			  const struct taints *taints)
{
	const struct req *q = req_get(p, r);

	BITS_EACH (v, q->bits, q->nwords) {
		insert(u, q->key, v, taints);
	}
}

static void insert_pool(struct domain_universe *u, struct class_table *t, const struct node_pool *np,
			const struct itype_list *types)
{
	struct reqpool *p = t->cluster->rp;
	struct idmap done;
	rsetid base = reqs_of_api(p, np->req, np->nreq);
	const struct rset *s;
	uint32_t seen;

	idmap_init(&done, u->arena);
	base = rset_intersect(p, base, reqs_of_labels(p, &np->template_labels));
	for (uint32_t i = 0; i < types->n; i++) {
		const struct rset *own = rset_get(p, types->v[i].reqs);

		/* The value sets of the intersection; a requirement that was seen adds nothing new. */
		for (uint32_t j = 0; j < own->n; j++) {
			reqid with = rset_find(p, base, req_get(p, own->req[j])->key);
			reqid r = with == REQ_NONE ? own->req[j] : req_intersect(p, with, own->req[j]);

			own = rset_get(p, types->v[i].reqs);
			if (idmap_get(&done, r, &seen))
				continue;
			idmap_put(&done, r, 1);
			insert_values(u, p, r, &np->taints);
		}
		s = rset_get(p, base);
		for (uint32_t j = 0; j < s->n; j++)
			if (rset_find(p, types->v[i].reqs, req_get(p, s->req[j])->key) == REQ_NONE &&
			    !idmap_get(&done, s->req[j], &seen)) {
				idmap_put(&done, s->req[j], 1);
				insert_values(u, p, s->req[j], &np->taints);
			}
	}
	s = rset_get(p, base);
	for (uint32_t j = 0; j < s->n; j++)
		if (req_operator(p, s->req[j]) == OP_IN)
			insert_values(u, p, s->req[j], &np->taints);
}

void domains_build(struct domain_universe *u, struct class_table *t, const struct template_set *m)
{
	u->arena = t->arena;
	/* Keys of NodePools exist once their templates are built; a few spare ones cost nothing. */
	u->n = t->cluster->rp->keys.n;
	u->key = ARENA_ARRAY(t->arena, struct domain_key, u->n);
	for (uint32_t k = 0; k < u->n; k++)
		idmap_init(&u->key[k].at, t->arena);
	for (uint32_t i = 0; i < m->npool; i++)
		if (m->types[i])
			insert_pool(u, t, m->pool[i], m->types[i]);
}
