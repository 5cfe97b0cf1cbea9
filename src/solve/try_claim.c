#include <stdio.h>
#include <string.h>

#include "bits.h"
#include "run.h"

/* Placing a pod on a NodeClaim that is being filled (Karpenter v1.14.1, A10). */

struct claim *claim_new(struct solving *r, struct template *m, const uint64_t *types)
{
	struct claim *c = ARENA_NEW(r->arena, struct claim);
	char host[40];

	snprintf(host, sizeof(host), "hostname-placeholder-%04u", ++r->hosts);
	c->m = m;
	c->host = intern_cstr(r->s->c->in, host);
	c->reqs = m->reqs;
	c->types = arena_memdup(r->arena, types, m->nwords, sizeof(*types));
	c->total = ARENA_ARRAY(r->arena, qty, r->nlane);
	return c;
}

static bool group_blocked(const struct attempt *a, const struct claim *c, const struct type_group *g)
{
	const struct intern *in = a->r->s->c->in;
	const struct pod_class *k = a->p->class;
	const struct host_port *mine;

	return k->nport && (ports_conflict(in, &g->ports, a->p->pod, k->port, k->nport, &mine) ||
			    ports_conflict(in, &c->ports, a->p->pod, k->port, k->nport, &mine));
}

/* Clears from mask the types of a group that are too small for the claim with the pod. */
static void need_group(struct attempt *a, const struct claim *c, const struct type_group *g, uint64_t *mask)
{
	struct class_table *t = &a->r->s->t;
	const struct pod_class *k = a->p->class;
	qty *total = a->r->total;

	memcpy(total, c->total, a->r->nlane * sizeof(*total));
	for (uint32_t i = 0; i < k->nlane; i++)
		total[k->lane[i]] += k->amount[i];
	for (uint32_t i = 0; g->has_overhead && i < g->overhead.n; i++) {
		uint32_t lane = lane_of(t, g->overhead.v[i].name);

		/* Overhead may name a resource that no pod asks for. */
		if (lane < a->r->nlane)
			total[lane] += g->overhead.v[i].v;
		else if (g->overhead.v[i].v > 0)
			template_need(c->m, t, lane, g->overhead.v[i].v, mask);
	}
	for (uint32_t lane = 0; lane < a->r->nlane; lane++)
		if (total[lane] > 0)
			template_need(c->m, t, lane, total[lane], mask);
}

/* Types of the claim that are large enough, whatever the requirements. */
static void fit_types(struct attempt *a, const struct claim *c, const uint64_t *from, uint64_t *mask)
{
	struct template *m = c->m;
	struct arena_mark mark = arena_mark(&a->r->scratch);
	uint64_t *one = ARENA_ARRAY(&a->r->scratch, uint64_t, m->nwords);

	memset(mask, 0, m->nwords * sizeof(*mask));
	for (uint32_t g = 0; g < m->ngroup; g++) {
		if (group_blocked(a, c, &m->group[g]))
			continue;
		for (uint32_t w = 0; w < m->nwords; w++)
			one[w] = from[w] & m->group[g].mask[w];
		if (!bits_any(one, m->nwords))
			continue;
		need_group(a, c, &m->group[g], one);
		for (uint32_t w = 0; w < m->nwords; w++)
			mask[w] |= one[w];
	}
	arena_rewind(&a->r->scratch, mark);
}

const struct itype **types_listed(struct arena *arena, const struct template *m, const uint64_t *mask,
				  uint32_t *ret_n)
{
	const struct itype **v = ARENA_ARRAY(arena, const struct itype *, bits_count(mask, m->nwords));
	uint32_t n = 0;

	BITS_EACH (i, mask, m->nwords) {
		v[n++] = m->type[i];
	}
	*ret_n = n;
	return v;
}

/* minValues of what is left (A10.8); relax lowers what cannot be met. */
static bool check_min_values(struct attempt *a, const struct claim *c, bool relax, struct fit *f,
			     uint64_t *types, struct min_values_gap **ret_gap, uint32_t *ret_ngap)
{
	struct reqpool *p = a->r->s->c->rp;
	uint32_t n;

	*ret_ngap = 0;
	if (!rset_has_min_values(p, f->reqs))
		return true;
	const struct itype **v = types_listed(a->r->arena, c->m, types, &n);

	if (itypes_min_values(p, a->r->arena, v, n, f->reqs, ret_gap, ret_ngap) != UINT32_MAX)
		return true;
	for (uint32_t i = 0; relax && i < *ret_ngap; i++) {
		reqid r = rset_find(p, f->reqs, (*ret_gap)[i].key);

		f->reqs = rset_replace(p, f->reqs, req_with_min_values(p, r, (int32_t)(*ret_gap)[i].have));
	}
	return relax;
}

static bool holds(const struct claim *c, sid reservation)
{
	for (uint32_t i = 0; i < c->reserved.n; i++)
		if (c->reserved.v[i] == reservation)
			return true;
	return false;
}

static void reserve_add(struct arena *a, struct fit *f, sid id)
{
	for (uint32_t i = 0; i < f->reserve.n; i++)
		if (f->reserve.v[i] == id)
			return;
	VEC_PUSH(a, &f->reserve, id);
}

static uint32_t reservations_left(const struct solving *r, sid id)
{
	uint32_t left = 0;

	return idmap_get(&r->reserved, id, &left) ? left : 0;
}

/* A10.4. */
static bool reserve(struct attempt *a, const struct claim *c, struct fit *f)
{
	struct solving *r = a->r;
	struct reqpool *p = r->s->c->rp;
	bool compatible = false;

	f->reserve.n = 0;
	if (!c->m->has_reserved || !r->s->c->settings.gates[GATE_RESERVED_CAPACITY])
		return true;
	BITS_EACH (i, f->types, c->m->nwords) {
		const struct itype *type = c->m->type[i];

		for (uint32_t k = 0; k < type->noffering; k++) {
			const struct offering *o = &type->offering[k];

			if (o->reservation == SID_NONE || !o->available ||
			    !rset_compatible(p, f->reqs, o->reqs, true))
				continue;
			compatible = true;
			if (holds(c, o->reservation) || reservations_left(r, o->reservation) > 0)
				reserve_add(r->arena, f, o->reservation);
		}
	}
	f->reserved_error = r->o.strict_reserved && f->reserve.n == 0 && (compatible || c->reserved.n);
	return !f->reserved_error;
}

enum refusal {
	REFUSED_NOT,
	REFUSED_VOLUME,
	REFUSED_TOPOLOGY,
	REFUSED_TIGHT,
	REFUSED_TYPES,
	REFUSED_RESERVED
};

/* One volume alternative up to topology (A10.1). On refusal fit->reqs is what was reached. */
static enum refusal narrow(struct attempt *a, const struct claim *c, rsetid base, const struct hreqs *vol,
			   struct fit *f)
{
	struct solving *r = a->r;
	struct reqpool *p = r->s->c->rp;
	rsetid tight;

	f->reqs = base;
	if (vol) {
		if (!rset_compatible(p, base, vol->set, true) ||
		    (vol->host != REQ_NONE && !req_allows(p, vol->host, c->host)))
			return REFUSED_VOLUME;
		f->reqs = rset_intersect(p, base, vol->set);
	}
	if (!topology_tighten(&r->y, a->p->class, a->v, f->reqs, &tight))
		return REFUSED_TOPOLOGY;
	if (!rset_compatible(p, f->reqs, tight, true)) {
		f->reqs = tight;
		return REFUSED_TIGHT;
	}
	f->reqs = rset_intersect(p, f->reqs, tight);
	return REFUSED_NOT;
}

/* Of the types that are large enough those that the narrowed requirements leave. */
static enum refusal choose_types(struct attempt *a, const struct claim *c, bool relax, struct fit *f,
				 struct min_values_gap **ret_gap, uint32_t *ret_ngap)
{
	struct template *m = c->m;
	struct class_table *t = &a->r->s->t;
	const uint64_t *good = template_compatible(m, t, f->reqs), *offered = template_offered(m, t, f->reqs);

	f->reserved_error = false;
	for (uint32_t w = 0; w < m->nwords; w++)
		f->types[w] = f->fit[w] & good[w] & offered[w];
	if (!check_min_values(a, c, relax, f, f->types, ret_gap, ret_ngap) || !bits_any(f->types, m->nwords))
		return REFUSED_TYPES;
	return reserve(a, c, f) ? REFUSED_NOT : REFUSED_RESERVED;
}

/* What the hostname, taints and requirements of a claim refuse, they refuse for good. */
static bool admits(struct attempt *a, const struct claim *c)
{
	struct reqpool *p = a->r->s->c->rp;

	return template_tolerated(c->m, &a->r->s->t, a->v) &&
	       rset_compatible(p, c->reqs, a->v->reqs.set, true) &&
	       (a->v->reqs.host == REQ_NONE || req_allows(p, a->v->reqs.host, c->host));
}

bool claim_try(struct attempt *a, struct claim *c, bool relax, struct fit *ret_fit, bool *ret_final)
{
	struct solving *r = a->r;
	const struct pod_volumes *vol = a->p->volumes;
	uint32_t nalternative = vol ? vol->nalternative : 0, ngap;
	struct min_values_gap *gap;
	enum refusal why = REFUSED_NOT;
	bool fitted = false;
	rsetid base;

	*ret_final = true;
	ret_fit->reserved_error = ret_fit->topology = false;
	if (!admits(a, c) || !topology_host_ok(&r->y, a->p->class, a->v, c->host, ret_final))
		return false;
	base = rset_intersect(r->s->c->rp, c->reqs, a->v->reqs.set);
	for (uint32_t i = 0; i == 0 || i < nalternative; i++) {
		why = narrow(a, c, base, nalternative ? &vol->alternative[i] : NULL, ret_fit);
		if (why != REFUSED_NOT)
			continue;
		/* Topology refuses far more often than size does, and is asked at less cost. */
		if (!fitted) {
			fit_types(a, c, c->types, ret_fit->fit);
			if (!bits_any(ret_fit->fit, c->m->nwords)) {
				*ret_final = true;
				return false;
			}
			fitted = true;
		}
		why = choose_types(a, c, relax, ret_fit, &gap, &ngap);
		if (why == REFUSED_NOT)
			return true;
	}
	/* Without topology, what fails now fails for good: claims only ever narrow. */
	*ret_final = !nalternative && why == REFUSED_TYPES && a->v->r->nother == 0;
	ret_fit->topology = !nalternative && (why == REFUSED_TOPOLOGY || why == REFUSED_TIGHT);
	return false;
}

static void release(struct solving *r, struct claim *c, const struct fit *f)
{
	for (uint32_t i = 0; i < c->reserved.n; i++) {
		bool kept = false;

		for (uint32_t k = 0; k < f->reserve.n; k++)
			kept = kept || f->reserve.v[k] == c->reserved.v[i];
		if (!kept)
			idmap_put(&r->reserved, c->reserved.v[i], reservations_left(r, c->reserved.v[i]) + 1);
	}
}

void claim_add(struct attempt *a, struct claim *c, uint32_t pod, const struct fit *fit)
{
	struct solving *r = a->r;
	const struct pod_class *k = a->p->class;
	struct place at = {c->host, &c->m->pool->taints};

	VEC_PUSH(r->arena, &c->pods, pod);
	memcpy(c->types, fit->types, c->m->nwords * sizeof(*c->types));
	for (uint32_t i = 0; i < k->nlane; i++)
		c->total[k->lane[i]] += k->amount[i];
	c->reqs = fit->reqs;
	topology_register_host(&r->y, c->host);
	topology_record(&r->y, k, &at, fit->reqs);
	ports_add(r->arena, &c->ports, a->p->pod, k->port, k->nport);
	for (uint32_t i = 0; i < fit->reserve.n; i++)
		if (!holds(c, fit->reserve.v[i]))
			idmap_put(&r->reserved, fit->reserve.v[i],
				  reservations_left(r, fit->reserve.v[i]) - 1);
	release(r, c, fit);
	c->reserved.n = 0;
	for (uint32_t i = 0; i < fit->reserve.n; i++)
		VEC_PUSH(r->arena, &c->reserved, fit->reserve.v[i]);
}

/* --- words --- */

struct verdict {
	bool r, f, o;    /* some type met requirements, fit, offering */
	bool rf, ro, fo; /* some type met these two and not the third */
};

static void judge(struct attempt *a, const struct claim *c, rsetid reqs, struct verdict *v,
		  struct reslist *ret_min, struct reslist *ret_max)
{
	struct template *m = c->m;
	struct class_table *t = &a->r->s->t;
	struct arena *arena = a->r->arena;
	const struct intern *in = a->r->s->c->in;
	const uint64_t *good = template_compatible(m, t, reqs), *offered = template_offered(m, t, reqs);
	uint64_t *fit = ARENA_ARRAY(arena, uint64_t, m->nwords);

	for (uint32_t g = 0; g < m->ngroup; g++) {
		const struct type_group *group = &m->group[g];

		if (group_blocked(a, c, group))
			continue;
		if (group->has_overhead) {
			*ret_min =
				ret_max->n ? reslist_min(arena, ret_min, &group->overhead) : group->overhead;
			*ret_max = ret_max->n ? reslist_max(in, arena, ret_max, &group->overhead)
					      : group->overhead;
		}
		for (uint32_t w = 0; w < m->nwords; w++)
			fit[w] = c->types[w] & group->mask[w];
		need_group(a, c, group, fit);
		for (uint32_t w = 0; w < m->nwords; w++) {
			uint64_t all = c->types[w] & group->mask[w];
			/* A type counts as large enough only where it has an offering as well. */
			uint64_t R = all & good[w], O = all & offered[w], F = fit[w] & O;

			v->r = v->r || R;
			v->f = v->f || F;
			v->o = v->o || O;
			v->rf = v->rf || (R & F & ~O);
			v->ro = v->ro || (R & O & ~F);
			v->fo = v->fo || (F & O & ~R);
		}
	}
}

static const char *verdict_text(const struct verdict *v)
{
	if (!v->r && !v->f && !v->o)
		return "no instance type met the scheduling requirements or had enough resources or had a "
		       "required offering";
	if (!v->r && !v->f)
		return "no instance type met the scheduling requirements or had enough resources";
	if (!v->r && !v->o)
		return "no instance type met the scheduling requirements or had a required offering";
	if (!v->f && !v->o)
		return "no instance type had enough resources or had a required offering";
	if (!v->r)
		return "no instance type met all requirements";
	if (!v->f)
		return "no instance type has enough resources";
	if (!v->o)
		return "no instance type has the required offering";
	if (v->rf)
		return "no instance type which met the scheduling requirements and had enough resources, had "
		       "a required "
		       "offering";
	if (v->fo)
		return "no instance type which had enough resources and the required offering met the "
		       "scheduling "
		       "requirements";
	if (v->ro)
		return "no instance type which met the scheduling requirements and the required offering had "
		       "the required "
		       "resources";
	return "no instance type met the requirements/resources/offering tuple";
}

static void print_resources(struct attempt *a, struct buf *out, const struct reslist *min,
			    const struct reslist *max)
{
	const struct intern *in = a->r->s->c->in;
	struct arena *arena = a->r->arena;
	const struct reslist *pod = &a->p->class->requests;
	struct buf lo, hi;

	if (!min->n) {
		reslist_print(in, out, pod);
		return;
	}
	struct reslist low = reslist_add(in, arena, min, pod), high = reslist_add(in, arena, max, pod);

	buf_init(&lo);
	buf_init(&hi);
	reslist_print(in, &lo, &low);
	reslist_print(in, &hi, &high);
	if (strcmp(buf_cstr(&lo), buf_cstr(&hi)) == 0)
		buf_adds(out, buf_cstr(&lo));
	else
		buf_addf(out, "min=%s, max=%s", buf_cstr(&lo), buf_cstr(&hi));
	buf_release(&lo);
	buf_release(&hi);
}

/* A10.7. */
static void explain_types(struct attempt *a, const struct claim *c, rsetid reqs,
			  const struct min_values_gap *gap, uint32_t ngap, struct buf *out)
{
	struct reqpool *p = a->r->s->c->rp;
	struct verdict v = {false};
	struct reslist min = {0}, max = {0};

	judge(a, c, reqs, &v, &min, &max);
	if (ngap)
		min_values_print(p, out, gap, ngap);
	else
		buf_adds(out, verdict_text(&v));
	buf_adds(out, ", requirements=");
	rset_print(p, out, reqs);
	buf_adds(out, ", resources=");
	print_resources(a, out, &min, &max);
	/* The typo hint belongs to the plain "not enough resources" alone. */
	if (!ngap && v.r && !v.f && v.o && reslist_amount(&a->p->class->requests, RES_CPU) >= qty_of(1000000))
		buf_adds(out, " (CPU request >= 1 Million, m vs M typo?)");
}

static bool explain_alternative(struct attempt *a, struct claim *c, rsetid base, const struct hreqs *vol,
				bool relax, struct buf *out)
{
	struct solving *r = a->r;
	struct reqpool *p = r->s->c->rp;
	struct fit f = {.types = ARENA_ARRAY(r->arena, uint64_t, c->m->nwords),
			.fit = ARENA_ARRAY(r->arena, uint64_t, c->m->nwords)};
	struct place at = {c->host, &c->m->pool->taints};
	struct min_values_gap *gap = NULL;
	uint32_t ngap = 0;
	enum refusal why;
	rsetid before = vol ? rset_intersect(p, base, vol->set) : base;
	const struct topology_group *g;

	if (vol && !rset_compatible(p, base, vol->set, true)) {
		buf_adds(out, "incompatible volume requirements, ");
		rset_explain(p, out, base, vol->set, true);
		return false;
	}
	g = topology_obstacle(&r->y, a->p->class, a->v, &at, before);
	if (g) {
		topology_explain(&r->y, out, g, a->v, &at, before);
		return false;
	}
	fit_types(a, c, c->types, f.fit);
	why = narrow(a, c, base, vol, &f);
	if (why == REFUSED_NOT)
		why = choose_types(a, c, relax, &f, &gap, &ngap);
	switch (why) {
	case REFUSED_TIGHT:
		rset_explain(p, out, before, f.reqs, true);
		break;
	case REFUSED_TYPES:
		explain_types(a, c, f.reqs, gap, ngap, out);
		break;
	case REFUSED_RESERVED:
		buf_adds(out,
			 c->reserved.n
				 ? "satisfying updated nodeclaim constraints would remove all compatible "
				   "reserved offering options"
				 : "one or more instance types with compatible reserved offerings are "
				   "available, but could not be reserved");
		return true;
	case REFUSED_NOT:
	case REFUSED_VOLUME:
	case REFUSED_TOPOLOGY:
		break;
	}
	return false;
}

bool claim_explain(struct attempt *a, struct claim *c, bool relax, struct buf *out)
{
	struct solving *r = a->r;
	struct reqpool *p = r->s->c->rp;
	const struct pod_volumes *vol = a->p->volumes;
	rsetid base;

	if (!template_tolerated(c->m, &r->s->t, a->v)) {
		tolerate_explain(p->in, out, a->v->toleration, a->v->ntoleration, &c->m->pool->taints);
		return false;
	}
	rsetid node = rset_add(p, c->reqs, req_in1(p, r->s->t.host_key, c->host));
	rsetid pod =
		a->v->reqs.host == REQ_NONE ? a->v->reqs.set : rset_add(p, a->v->reqs.set, a->v->reqs.host);

	if (!rset_compatible(p, node, pod, true)) {
		buf_adds(out, "incompatible requirements, ");
		rset_explain(p, out, node, pod, true);
		return false;
	}
	base = rset_intersect(p, c->reqs, a->v->reqs.set);
	/* Of several alternatives the last one's error stands. */
	return explain_alternative(a, c, base,
				   vol && vol->nalternative ? &vol->alternative[vol->nalternative - 1] : NULL,
				   relax, out);
}
