#include "check_fixture.h"

void check_fixture_init(struct check_fixture *f)
{
	arena_init(&f->a);
	buf_init(&f->out);
}

void check_fixture_release(struct check_fixture *f)
{
	buf_release(&f->out);
	arena_release(&f->a);
}

static void show(struct buf *out, const struct check_doc *d)
{
	buf_adds(out, check_verdict_name(d->verdict));
	if (d->item >= 0)
		buf_addf(out, " #%lld", (long long)d->item);
	buf_addch(out, '\n');
	for (uint32_t i = 0; i < d->strict.n; i++)
		buf_addf(out, "strict %s\n", d->strict.v[i].text);
	for (uint32_t i = 0; i < d->errors.n; i++)
		buf_addf(out, "%s %s %s\n", d->errors.v[i].path, d->errors.v[i].type, d->errors.v[i].message);
	for (uint32_t i = 0; i < d->runtime.n; i++)
		buf_addf(out, "%s: %s\n", d->runtime.v[i].source, d->runtime.v[i].message);
	for (uint32_t i = 0; i < d->warnings.n; i++)
		buf_addf(out, "warning %s: %s\n", d->warnings.v[i].source, d->warnings.v[i].message);
	for (uint32_t i = 0; i < d->defaulted.n; i++)
		buf_addf(out, "default %s\n", d->defaulted.v[i].path);
}

const char *check_text(struct check_fixture *f, const char *text)
{
	struct docs docs = {0};

	arena_release(&f->a);
	arena_init(&f->a);
	diags_init(&f->d, &f->a);
	buf_clear(&f->out);
	doc_read(&f->a, &f->d, source_from_text(&f->a, "t", str_of(text)), &docs);
	f->result = check_docs(&f->a, &docs);
	for (uint32_t i = 0; i < f->result->docs.n; i++)
		show(&f->out, &f->result->docs.v[i]);
	return buf_cstr(&f->out);
}
