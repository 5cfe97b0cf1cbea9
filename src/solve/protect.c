#include "protect.h"

#include "duration.h"

struct shield_info pod_shield(const struct cluster *c, const struct pod *p, struct arena *a)
{
	sid value = labels_get(&p->meta.annotations, ANN_DO_NOT_DISRUPT);
	struct shield_info out = {SHIELD_NONE, TIME_NONE, NULL};
	struct str text = intern_str(c->in, value);
	struct buf why;
	int64_t ns;

	if (value == SID_NONE)
		return out;
	if (value == STR_TRUE) {
		out.state = SHIELD_ACTIVE;
		return out;
	}
	buf_init(&why);
	if (!duration_parse(text, &ns, &why)) {
		out.state = SHIELD_INVALID;
		if (a)
			out.why = arena_printf(a, "failed to parse \"%s\" as a duration: %s", text.p,
					       buf_cstr(&why));
	} else if (ns <= 0) {
		out.state = SHIELD_INVALID;
		if (a)
			out.why = arena_printf(a, "duration \"%s\" must be positive", text.p);
	} else if (p->start_time == TIME_NONE) {
		out.state = SHIELD_ACTIVE;
	} else {
		/* Times have whole seconds, so a started second of the duration counts as one. */
		int64_t seconds = ns / 1000000000 + (ns % 1000000000 != 0);

		out.until = p->start_time + ns / 1000000000;
		out.state = c->settings.now - p->start_time < seconds ? SHIELD_UNTIL : SHIELD_ELAPSED;
	}
	buf_release(&why);
	return out;
}

bool pod_shielded(const struct cluster *c, const struct pod *p)
{
	enum shield s = pod_shield(c, p, NULL).state;

	return s == SHIELD_ACTIVE || s == SHIELD_UNTIL;
}

bool pod_is_disruptable(const struct cluster *c, const struct pod *p)
{
	return !pod_is_active(p) || !pod_shielded(c, p);
}

static bool fully_blocking(const struct cluster *c, const struct pdb *b)
{
	struct str max = intern_str(c->in, b->max_unavailable), min = intern_str(c->in, b->min_available);

	return str_is(max, "0") || str_is(max, "0%") || str_is(min, "100%");
}

static bool unready(const struct cluster *c, const struct pod *p)
{
	for (uint32_t i = 0; i < p->conditions.n; i++)
		if (str_is(intern_str(c->in, p->conditions.v[i].type), "Ready") &&
		    str_is(intern_str(c->in, p->conditions.v[i].status), "False"))
			return true;
	return false;
}

bool pod_can_be_evicted(const struct cluster *c, const struct pod *p)
{
	struct taint disrupted = {TAINT_DISRUPTED, SID_EMPTY, EFFECT_NO_SCHEDULE, TIME_NONE};
	struct taints one = {1, &disrupted};

	return pod_is_active(p) && !tolerates_all(c->in, p->spec->toleration, p->spec->ntoleration, &one) &&
	       !pod_owned_by(c, p, "v1", "Node");
}

bool pod_evictable(const struct cluster *c, const struct pod *p, bool full, struct arena *a,
		   struct pdb_block *ret_block)
{
	struct pdb_block b = {0};

	*ret_block = b;
	if (!c->pdbs.n || !pod_can_be_evicted(c, p) || pod_shielded(c, p))
		return true;
	for (uint32_t i = 0; i < c->pdbs.n; i++) {
		const struct pdb *d = &c->pdbs.v[i];

		if (d->meta.ns != p->meta.ns ||
		    !selector_matches(c->in, &d->selector, &p->meta.labels, false))
			continue;
		if (b.n < 2)
			b.pdb[b.n] = d;
		b.n++;
	}
	if (b.n > 1) {
		uint32_t n = 0;

		b.all = a ? ARENA_ARRAY(a, uint32_t, b.n) : NULL;
		for (uint32_t i = 0; a && i < c->pdbs.n; i++)
			if (c->pdbs.v[i].meta.ns == p->meta.ns &&
			    selector_matches(c->in, &c->pdbs.v[i].selector, &p->meta.labels, false))
				b.all[n++] = i;
		*ret_block = b;
		return false;
	}
	if (!b.n || (b.pdb[0]->always_allow && unready(c, p)))
		return true;
	if (full ? !fully_blocking(c, b.pdb[0]) : b.pdb[0]->disruptions_allowed != 0)
		return true;
	*ret_block = b;
	return false;
}

bool pod_is_currently_reschedulable(const struct cluster *c, const struct pod *p)
{
	struct pdb_block block;

	return pod_is_reschedulable(c, p) && pod_is_disruptable(c, p) &&
	       pod_evictable(c, p, true, NULL, &block);
}
