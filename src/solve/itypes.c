#include <float.h>

#include "bits.h"
#include "gosort.h"
#include "template.h"

double itype_price(struct reqpool *p, const struct itype *t, rsetid reqs)
{
	double best = DBL_MAX;

	for (uint32_t i = 0; i < t->noffering; i++)
		if (t->offering[i].available && t->offering[i].price < best &&
		    rset_compatible(p, reqs, t->offering[i].reqs, true))
			best = t->offering[i].price;
	return best;
}

struct priced {
	double price;
	const struct itype *type;
};

static bool cheaper(const void *x, const void *y, const void *ctx)
{
	const struct priced *a = x, *b = y;

	(void)ctx;
	return a->price < b->price;
}

static void sort_priced(struct priced *v, uint32_t n, const struct itype **ret_types)
{
	GOSORT(v, n, cheaper, NULL);
	for (uint32_t i = 0; i < n; i++)
		ret_types[i] = v[i].type;
}

void itypes_by_price(struct reqpool *p, struct arena *scratch, const struct itype **types, uint32_t n,
		     rsetid reqs)
{
	struct priced *v = ARENA_ARRAY(scratch, struct priced, n);

	for (uint32_t i = 0; i < n; i++)
		v[i] = (struct priced){itype_price(p, types[i], reqs), types[i]};
	sort_priced(v, n, types);
}

const double *template_prices(struct template *m, struct class_table *t, rsetid reqs)
{
	uint32_t at;
	double *v;

	if (idmap_get(&m->price_of, reqs, &at))
		return m->prices.v[at];
	v = ARENA_ARRAY(m->arena, double, m->list->n);
	for (uint32_t i = 0; i < m->list->n; i++)
		v[i] = itype_price(t->cluster->rp, &m->list->v[i], reqs);
	idmap_put(&m->price_of, reqs, m->prices.n);
	VEC_PUSH(m->arena, &m->prices, v);
	return v;
}

void template_sort(struct template *m, struct class_table *t, struct arena *scratch,
		   const struct itype **types, uint32_t n, rsetid reqs)
{
	const double *price = template_prices(m, t, reqs);
	struct priced *v = ARENA_ARRAY(scratch, struct priced, n);

	for (uint32_t i = 0; i < n; i++)
		v[i] = (struct priced){price[types[i] - m->list->v], types[i]};
	sort_priced(v, n, types);
}

bool rset_has_min_values(const struct reqpool *p, rsetid s)
{
	const struct rset *set = rset_get(p, s);

	for (uint32_t i = 0; i < set->n; i++)
		if (req_get(p, set->req[i])->min_values >= 0)
			return true;
	return false;
}

struct counted_key {
	keyid key;
	uint32_t want, have, nwords;
	uint64_t *seen; /* over the value numbers of the key */
};

static struct counted_key *counted_keys(struct reqpool *p, struct arena *a, rsetid reqs, uint32_t *ret_n)
{
	const struct rset *set = rset_get(p, reqs);
	uint32_t *order = rset_by_name(p, reqs, a), n = 0;
	struct counted_key *k = ARENA_ARRAY(a, struct counted_key, set->n);

	for (uint32_t i = 0; i < set->n; i++) {
		const struct req *r = req_get(p, set->req[order[i]]);

		if (r->min_values < 0)
			continue;
		k[n].key = r->key;
		k[n].want = (uint32_t)r->min_values;
		k[n].nwords = BITS_WORDS(p->keys.v[r->key].nvalues);
		k[n].seen = ARENA_ARRAY(a, uint64_t, k[n].nwords);
		n++;
	}
	*ret_n = n;
	return k;
}

static void count_type(const struct reqpool *p, struct counted_key *k, const struct itype *t)
{
	reqid r = rset_find(p, t->reqs, k->key);

	if (r == REQ_NONE)
		return;
	const struct req *q = req_get(p, r);

	for (uint32_t w = 0; w < q->nwords; w++)
		k->seen[w] |= q->bits[w];
	k->have = bits_count(k->seen, k->nwords);
}

uint32_t itypes_min_values(struct reqpool *p, struct arena *a, const struct itype *const *types, uint32_t n,
			   rsetid reqs, struct min_values_gap **ret_gap, uint32_t *ret_ngap)
{
	uint32_t nkey, short_of = 0;
	struct counted_key *k = counted_keys(p, a, reqs, &nkey);

	*ret_ngap = 0;
	if (!nkey || !n)
		return 0;
	for (uint32_t i = 0; i < n; i++) {
		short_of = 0;
		for (uint32_t j = 0; j < nkey; j++) {
			count_type(p, &k[j], types[i]);
			short_of += k[j].have < k[j].want;
		}
		if (!short_of)
			return i + 1;
	}
	*ret_gap = ARENA_ARRAY(a, struct min_values_gap, short_of);
	for (uint32_t j = 0; j < nkey; j++)
		if (k[j].have < k[j].want)
			(*ret_gap)[(*ret_ngap)++] = (struct min_values_gap){k[j].key, k[j].have};
	return UINT32_MAX;
}

void min_values_print(const struct reqpool *p, struct buf *out, const struct min_values_gap *gap, uint32_t n)
{
	buf_adds(out, "minValues requirement is not met for label(s) (label(s)=[");
	for (uint32_t i = 0; i < n; i++)
		buf_addf(out, "%s%s", i ? " " : "", intern_c(p->in, req_key_name(p, gap[i].key)));
	buf_adds(out, "])");
}
