#include "load_fixture.h"

void loaded_init(struct loaded *t, const char *text, const struct load_options *opts)
{
	static const struct load_options none;

	*t = (struct loaded){0};
	arena_init(&t->arena);
	diags_init(&t->diags, &t->arena);
	doc_read(&t->arena, &t->diags, source_from_text(&t->arena, "in.yaml", str_of(text)), &t->docs);
	t->c = load_cluster(&t->arena, &t->diags, &t->docs, opts ? opts : &none);
}

void loaded_release(struct loaded *t)
{
	arena_release(&t->arena);
}

const char *loaded_messages(struct loaded *t)
{
	static const char *const severities[] = {"note", "warning", "error"};
	struct buf b;
	const char *out;

	buf_init(&b);
	for (uint32_t i = 0; i < t->diags.msgs.n; i++) {
		const struct diag_msg *m = &t->diags.msgs.v[i];

		if (!m->attached)
			buf_addf(&b, "%u:%u %s %u: %s\n", m->span.line, m->span.col, severities[m->severity],
				 (unsigned)m->code, m->text);
		if (m->hint)
			buf_addf(&b, "  hint: %s\n", m->hint);
	}
	out = arena_strndup(&t->arena, buf_cstr(&b), b.n);
	buf_release(&b);
	return out;
}

const struct pod *loaded_pod(const struct loaded *t, const char *name)
{
	for (uint32_t i = 0; t->c && i < t->c->pods.n; i++) {
		const struct pod *p = &t->c->pods.v[i];
		const char *ns = intern_c(t->c->in, p->meta.ns);

		if (strncmp(name, ns, strlen(ns)) == 0 && name[strlen(ns)] == '/' &&
		    strcmp(name + strlen(ns) + 1, intern_c(t->c->in, p->meta.name)) == 0)
			return p;
	}
	return NULL;
}

const char *loaded_list(struct loaded *t, const struct reslist *l)
{
	struct buf b;
	const char *out;

	buf_init(&b);
	reslist_print(t->c->in, &b, l);
	out = arena_strndup(&t->arena, b.p, b.n);
	buf_release(&b);
	return out;
}
