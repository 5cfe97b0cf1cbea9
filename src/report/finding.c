#include "finding.h"

void findings_init(struct findings *f, struct arena *a, bool strict)
{
	*f = (struct findings){.arena = a, .strict = strict};
}

void findings_unit(struct findings *f, const char *file, const char *name)
{
	VEC_PUSH(f->arena, &f->units, ((struct finding_unit){file, name, f->msgs.n, 0}));
}

void findings_take(struct findings *f, const struct diag_msg *m)
{
	VEC_PUSH(f->arena, &f->msgs, *m);
	if (f->units.n)
		f->units.v[f->units.n - 1].n++;
}

void findings_add(struct findings *f, enum diag_code code, struct span at, const char *text, const char *hint)
{
	findings_take(f, &(struct diag_msg){.code = code,
					    .severity = diag_lookup(code)->severity,
					    .span = at,
					    .text = text,
					    .hint = hint});
}

bool finding_fails(const struct findings *f, const struct diag_msg *m)
{
	return m->severity == SEV_ERROR || (m->severity == SEV_WARNING && f->strict);
}

bool findings_failed(const struct findings *f)
{
	for (uint32_t i = 0; i < f->msgs.n; i++)
		if (finding_fails(f, &f->msgs.v[i]))
			return true;
	return false;
}

void rep_findings_text(struct buf *out, const struct findings *f, bool colour, enum severity least)
{
	bool show = true;

	for (uint32_t i = 0; i < f->msgs.n; i++) {
		if (!f->msgs.v[i].attached)
			show = f->msgs.v[i].severity >= least || finding_fails(f, &f->msgs.v[i]);
		if (show)
			diag_print(out, &f->msgs.v[i], colour);
	}
}
