#include "loader.h"
#include "scalar.h"
#include "suggest.h"

static const char known_versions[] = "v1.14.1";

static const char *const preference_policies[] = {"Respect", "Ignore", NULL};
static const char *const min_values_policies[] = {"Strict", "BestEffort", NULL};

static void rule_init(void *rec)
{
	struct catalog_rule *r = rec;

	r->type = r->zone = r->capacity_type = SID_NONE;
}

static const struct field rule_fields[] = {
	FIELD("instanceType", load_string, struct catalog_rule, type),
	FIELD("zone", load_string, struct catalog_rule, zone),
	FIELD("capacityType", load_string, struct catalog_rule, capacity_type),
};
static const struct schema rule_schema = SCHEMA_OF(rule_fields, rule_init);

static const struct field price_fields[] = {
	FIELD("instanceType", load_string, struct catalog_rule, type),
	FIELD("zone", load_string, struct catalog_rule, zone),
	FIELD("capacityType", load_string, struct catalog_rule, capacity_type),
	FIELD_REQUIRED("usdPerHour", load_amount, struct catalog_rule, usd_per_hour),
};
static const struct schema price_schema = SCHEMA_OF(price_fields, rule_init);

static const struct field count_fields[] = {
	FIELD_REQUIRED("id", load_string, struct reservation_count, id),
	FIELD("availableInstanceCount", load_count, struct reservation_count, available),
};

static void count_init(void *rec)
{
	((struct reservation_count *)rec)->available = 1;
}

static const struct schema count_schema = SCHEMA_OF(count_fields, count_init);

static const struct field catalog_fields[] = {
	FIELD_COUNTED("instanceTypes", load_strings, struct settings, ntype_glob, type_glob),
	FIELD_COUNTED("zones", load_strings, struct settings, nzone, zone),
	FIELD_LIST("unavailable", rule_schema, struct catalog_rule, struct settings, nunavailable,
		   unavailable),
	FIELD_LIST("prices", price_schema, struct catalog_rule, struct settings, nprice, price),
	FIELD_LIST("reservations", count_schema, struct reservation_count, struct settings, nreservation,
		   reservation),
};
static const struct schema catalog_schema = SCHEMA_OF(catalog_fields, NULL);

static bool gate_by_name(struct str name, enum gate *ret_gate)
{
	for (unsigned g = 0; g < GATE_MAX_; g++) {
		if (!str_is(name, gate_name((enum gate)g)))
			continue;
		*ret_gate = (enum gate)g;
		return true;
	}
	return false;
}

static void hint_gate(struct loader *l, struct str name)
{
	struct suggest near;

	suggest_init(&near, name);
	for (unsigned g = 0; g < GATE_MAX_; g++)
		suggest_try(&near, str_of(gate_name((enum gate)g)));
	if (near.best.n)
		diag_hint(l->d, "did you mean %s?", near.best.p);
}

static bool load_gates(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	struct settings *s = rec;
	bool ok = true;

	(void)f;
	if (n->kind != DOC_MAP)
		return load_wrong_type(l, n, "a map of booleans");
	for (uint32_t i = 0; i < n->n; i++) {
		const struct doc_entry *e = &n->entries[i];
		const struct frame frame = {l->path, e->key, UINT32_MAX};
		struct field gate = {0};
		enum gate g;

		l->path = &frame;
		if (!gate_by_name(e->key, &g)) {
			ok = load_bad_value(l, e->value, "Karpenter has no such feature gate");
			hint_gate(l, e->key);
		} else {
			gate.off = offsetof(struct settings, gates) + g * sizeof(bool);
			ok &= load_bool(l, &gate, e->value, s);
		}
		l->path = frame.up;
	}
	return ok;
}

static bool is_known_version(struct str v)
{
	return str_is(v, known_versions);
}

static bool load_version(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	if (!load_string(l, f, n, rec))
		return false;
	if (is_known_version(n->text))
		return true;
	load_bad_value(l, n, "version '%s' of Karpenter is not known", n->text.p);
	diag_hint(l->d, "known: %s", known_versions);
	return false;
}

static bool load_uint32(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	const struct field as_int = {.off = 0};
	int64_t v = 0;

	if (!load_int64(l, &as_int, n, &v))
		return false;
	if (v < 1 || v > UINT32_MAX)
		return load_bad_value(l, n, "%s is out of range", n->text.p);
	*(uint32_t *)(void *)((char *)rec + f->off) = (uint32_t)v;
	return true;
}

static bool load_enis(struct loader *l, const struct field *f, const struct doc_node *n, void *rec)
{
	int32_t *enis = (void *)((char *)rec + f->off);

	if (!load_int32(l, f, n, rec))
		return false;
	return *enis >= 0 || load_bad_value(l, n, "%s is negative", n->text.p);
}

static const struct field spec_fields[] = {
	FIELD("karpenterVersion", load_version, struct settings, karpenter_version),
	FIELD("now", load_time, struct settings, now),
	FIELD("clusterName", load_string, struct settings, cluster_name),
	FIELD("region", load_string, struct settings, region),
	{FIELD_NAME("featureGates"), .decode = load_gates},
	FIELD_CHOICE("preferencePolicy", preference_policies, struct settings, preference_ignore),
	FIELD_CHOICE("minValuesPolicy", min_values_policies, struct settings, min_values_best_effort),
	FIELD("vmMemoryOverheadPercent", load_amount, struct settings, vm_memory_overhead),
	FIELD("reservedENIs", load_enis, struct settings, reserved_enis),
	FIELD_IN("catalog", catalog_schema),
	FIELD_COUNTED("wellKnownLabels", load_strings, struct settings, nwell_known, well_known),
	FIELD("reservationLabel", load_string, struct settings, reservation_label),
	FIELD("maxInstanceTypes", load_uint32, struct settings, max_instance_types),
};
const struct schema settings_spec_schema = SCHEMA_OF(spec_fields, NULL);

static const struct field settings_fields[] = {
	FIELD_IN("spec", settings_spec_schema),
	FIELD_KNOWN("metadata"),
};
const struct schema settings_schema = SCHEMA_OF(settings_fields, NULL);

bool load_settings(struct loader *l, const struct doc_node *n)
{
	struct settings *s = &l->c->settings;

	if (s->given) {
		diag(l->d, KS_SETTINGS_TWICE, load_span(l, n), "a second Settings document");
		diag_note(l->d, l->settings_at, "the first is here");
		return false;
	}
	s->given = true;
	l->settings_at = load_span(l, n);
	if (!schema_decode(l, &settings_schema, n, s))
		return false;
	s->has_type_globs = s->type_glob != NULL;
	s->has_zones = s->zone != NULL;
	return true;
}

static bool bad_option(struct loader *l, const char *option, const char *value, const char *expected)
{
	diag(l->d, KS_OPTION_VALUE, SPAN_NONE, "%s %s: expected %s", option, value, expected);
	return false;
}

/* Cuts the next part up to sep off *rest. */
static struct str cut(struct str *rest, char sep)
{
	const char *at = rest->n ? memchr(rest->p, sep, rest->n) : NULL;
	size_t n = at ? (size_t)(at - rest->p) : rest->n;
	struct str part = {rest->p, n};

	rest->p += n + (at != NULL);
	rest->n -= n + (at != NULL);
	return part;
}

static bool override_gates(struct loader *l)
{
	bool ok = true;

	for (uint32_t i = 0; i < l->o->ngates; i++) {
		struct str rest = str_of(l->o->gates[i]);

		while (rest.n) {
			struct str value = cut(&rest, ','), name = cut(&value, '=');
			enum gate g;

			if (!gate_by_name(name, &g)) {
				ok = bad_option(l, "--feature-gates", l->o->gates[i],
						"names of Karpenter's feature gates");
				hint_gate(l, name);
			} else if (!str_is(value, "true") && !str_is(value, "false")) {
				ok = bad_option(l, "--feature-gates", l->o->gates[i],
						"NAME=true or NAME=false");
			} else {
				l->c->settings.gates[g] = str_is(value, "true");
			}
		}
	}
	return ok;
}

static void override_zones(struct loader *l)
{
	struct settings *s = &l->c->settings;
	VEC(sid) zones = {0};

	if (!l->o->nzones)
		return;
	for (uint32_t i = 0; i < l->o->nzones; i++) {
		struct str rest = str_of(l->o->zones[i]);

		while (rest.n)
			VEC_PUSH(l->arena, &zones, intern_put(l->in, cut(&rest, ',')));
	}
	s->has_zones = true;
	s->nzone = zones.n;
	s->zone = zones.v;
}

/* Rules of the command line add to those of the document. */
static bool override_ice(struct loader *l)
{
	struct settings *s = &l->c->settings;
	struct catalog_rule *v;
	bool ok = true;

	if (!l->o->nice)
		return true;
	v = ARENA_ARRAY(l->arena, struct catalog_rule, s->nunavailable + l->o->nice);
	if (s->nunavailable)
		memcpy(v, s->unavailable, s->nunavailable * sizeof(*v));
	s->unavailable = v;
	for (uint32_t i = 0; i < l->o->nice; i++) {
		struct str rest = str_of(l->o->ice[i]);
		struct str type = cut(&rest, ':'), zone = cut(&rest, ':');

		if (!type.n || !zone.n || !rest.n || memchr(rest.p, ':', rest.n)) {
			ok = bad_option(l, "--ice", l->o->ice[i], "TYPE:ZONE:CAPACITY, any part may be *");
			continue;
		}
		v[s->nunavailable++] = (struct catalog_rule){
			.type = intern_put(l->in, type),
			.zone = intern_put(l->in, zone),
			.capacity_type = intern_put(l->in, rest),
		};
	}
	return ok;
}

static bool override_choice(struct loader *l, const char *option, const char *value,
			    const char *const *choices, bool *ret_v)
{
	if (!value)
		return true;
	for (unsigned i = 0; i < 2; i++) {
		if (strcmp(value, choices[i]) != 0)
			continue;
		*ret_v = i == 1;
		return true;
	}
	return bad_option(l, option, value, arena_printf(l->arena, "%s or %s", choices[0], choices[1]));
}

bool settings_override(struct loader *l)
{
	const struct load_options *o = l->o;
	struct settings *s = &l->c->settings;
	bool ok = override_gates(l);

	override_zones(l);
	ok &= override_ice(l);
	ok &= override_choice(l, "--preference-policy", o->preference_policy, preference_policies,
			      &s->preference_ignore);
	ok &= override_choice(l, "--min-values-policy", o->min_values_policy, min_values_policies,
			      &s->min_values_best_effort);
	if (o->region)
		s->region = intern_cstr(l->in, o->region);
	if (o->now && !parse_time(str_of(o->now), &s->now))
		ok = bad_option(l, "--now", o->now, "a time such as 2026-01-19T12:00:00Z");
	if (o->karpenter_version) {
		if (is_known_version(str_of(o->karpenter_version)))
			s->karpenter_version = intern_cstr(l->in, o->karpenter_version);
		else
			ok = bad_option(l, "--karpenter-version", o->karpenter_version, known_versions);
	}
	return ok;
}

/* eu-west-1a -> eu-west-1; local zones (us-west-2-lax-1a) too. Empty when it does not look like a zone. */
static struct str region_of_zone(struct str zone)
{
	size_t i = 0, dashes = 0;

	while (i < zone.n && dashes < 2)
		dashes += zone.p[i++] == '-';
	while (i < zone.n && zone.p[i] >= '0' && zone.p[i] <= '9')
		i++;
	return dashes == 2 && i < zone.n ? (struct str){zone.p, i} : (struct str){"", 0};
}

static bool region_from(struct loader *l, struct str zone, struct span at)
{
	struct str region = region_of_zone(zone);

	if (!region.n)
		return false;
	l->c->settings.region = intern_put(l->in, region);
	load_assume(l, KS_ASSUME_REGION, at, "region %.*s, that of zone %.*s", (int)region.n, region.p,
		    (int)zone.n, zone.p);
	return true;
}

static void assume_region(struct loader *l)
{
	const struct settings *s = &l->c->settings;

	for (uint32_t i = 0; i < l->objects[LK_NODE_CLASS].n; i++) {
		const struct ec2_node_class *c = record_at(l, LK_NODE_CLASS, i);

		if (c->nsubnet && region_from(l, intern_str(l->in, c->subnet[0].zone), c->meta.at))
			return;
	}
	for (uint32_t i = 0; i < l->objects[LK_NODE].n; i++) {
		const struct object_meta *m = record_at(l, LK_NODE, i);
		sid zone = labels_get(&m->labels, LBL_ZONE);

		if (zone != SID_NONE && region_from(l, intern_str(l->in, zone), m->at))
			return;
	}
	for (uint32_t i = 0; i < s->nzone; i++)
		if (region_from(l, intern_str(l->in, s->zone[i]), SPAN_NONE))
			return;
}

void settings_assume(struct loader *l)
{
	struct settings *s = &l->c->settings;

	if (s->region == SID_NONE && l->objects[LK_TYPE_SET].n == 0)
		assume_region(l);
	if (s->now == TIME_NONE && l->newest != TIME_NONE) {
		s->now = l->newest;
		load_assume(l, KS_ASSUME_NOW, SPAN_NONE, "the time is %s, the newest in the input",
			    time_text(l->arena, s->now));
	}
}
