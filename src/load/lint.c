#include "lint_impl.h"

#include <stdarg.h>
#include <stdlib.h>

#include "file.h"
#include "label.h"

struct span lint_span(const struct lint *l, uint32_t doc, const struct jval *v)
{
	const struct check_doc *d = lint_doc(l, doc);

	return v && v->line ? (struct span){d->src, v->line, v->col, v->len} : d->at;
}

struct span lint_node_span(const struct lint *l, uint32_t doc, const struct doc_node *n)
{
	return (struct span){lint_doc(l, doc)->src, n->line, n->col, n->len};
}

struct str lint_text(const struct doc_node *n)
{
	return n && n->kind == DOC_SCALAR ? n->text : (struct str){"", 0};
}

void lint_add(struct lint *l, enum diag_code code, uint32_t doc, struct span at, const char *hint,
	      const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	VEC_PUSH(l->a, &l->out->v,
		 ((struct lint_finding){doc,
					{.code = code,
					 .severity = diag_lookup(code)->severity,
					 .span = at.src ? at : lint_doc(l, doc)->at,
					 .text = arena_vprintf(l->a, fmt, ap),
					 .hint = hint}}));
	va_end(ap);
}

/* The codes that a file, or one document of it, switches off. */
struct ignored {
	const struct source *src;
	bool one;     /* doc alone */
	uint32_t doc; /* index in check_result.docs */
	VEC(enum diag_code) codes;
};

struct ignore_list {
	VEC(struct ignored) v;
};

#define IGNORE_MARK "kspot: ignore "
#define IGNORE_ANNOTATION "kspot.dev/ignore"

static bool is_lint(long code)
{
	uint32_t n;
	const struct diag_info *rows = diag_table(&n);

	for (uint32_t i = 0; i < n; i++)
		if ((long)rows[i].code == code)
			return code >= 700 && code < 800;
	return false;
}

/* Codes with blanks or commas between; anything else ends them, so that a reason may follow. */
static void read_codes(struct lint *l, struct ignored *ig, uint32_t doc, uint32_t line, struct str s,
		       size_t col)
{
	while (s.n) {
		long code = 0;
		size_t n = 0;

		while (s.n && (s.p[0] == ' ' || s.p[0] == ',')) {
			s = (struct str){s.p + 1, s.n - 1};
			col++;
		}
		while (n < s.n && s.p[n] != ' ' && s.p[n] != ',' && s.p[n] != '\r')
			n++;
		if (n != 6 || s.p[0] != 'K' || s.p[1] != 'S')
			return;
		for (size_t i = 2; i < 6; i++)
			code = code * 10 + (s.p[i] - '0');
		if (is_lint(code))
			VEC_PUSH(l->a, &ig->codes, (enum diag_code)code);
		else
			lint_add(l, KS_LINT_IGNORE, doc, (struct span){ig->src, line, (uint32_t)col, 6},
				 "codes of lints start with KS07",
				 "'%.6s' is no lint that can be switched off", s.p);
		s = (struct str){s.p + n, s.n - n};
		col += n;
	}
}

static void read_ignores(struct lint *l, struct ignored *ig, uint32_t doc)
{
	for (uint32_t line = 1; line <= ig->src->nlines; line++) {
		struct str s = source_line(ig->src, line);
		const char *hash = s.n ? memchr(s.p, '#', s.n) : NULL, *mark;

		if (!hash)
			continue;
		mark = memmem(hash, s.n - (size_t)(hash - s.p), IGNORE_MARK, sizeof(IGNORE_MARK) - 1);
		if (!mark)
			continue;
		mark += sizeof(IGNORE_MARK) - 1;
		read_codes(l, ig, doc, line, (struct str){mark, s.n - (size_t)(mark - s.p)},
			   (size_t)(mark - s.p) + 1);
	}
}

/* Tools that render manifests drop comments and keep annotations. */
static void read_annotation(struct lint *l, struct ignore_list *list, uint32_t doc)
{
	const struct check_doc *d = lint_doc(l, doc);
	const struct doc_node *meta = d->root ? doc_get(d->root, "metadata") : NULL;
	const struct doc_node *codes = doc_get(doc_get(meta, "annotations"), IGNORE_ANNOTATION);
	struct str s = lint_text(codes);

	if (!s.n)
		return;
	VEC_PUSH(l->a, &list->v, ((struct ignored){.src = d->src, .one = true, .doc = doc}));
	read_codes(l, &list->v.v[list->v.n - 1], doc, codes->line, s, codes->col + codes->quoted);
}

static void collect_ignores(struct lint *l, struct ignore_list *list)
{
	const struct source *last = NULL;

	for (uint32_t i = 0; i < l->in->docs.n; i++) {
		const struct source *src = l->in->docs.v[i].src;

		read_annotation(l, list, i);

		/* The documents of a source stand together. */
		if (src == last)
			continue;
		last = src;
		VEC_PUSH(l->a, &list->v, ((struct ignored){.src = src}));
		read_ignores(l, &list->v.v[list->v.n - 1], i);
	}
}

static bool is_ignored(const struct ignore_list *list, const struct lint_finding *f)
{
	for (uint32_t i = 0; i < list->v.n; i++) {
		const struct ignored *ig = &list->v.v[i];

		for (uint32_t k = 0; k < ig->codes.n; k++)
			if (ig->codes.v[k] == f->msg.code &&
			    (ig->one ? ig->doc == f->doc : ig->src == f->msg.span.src))
				return true;
	}
	return false;
}

struct ranked {
	struct lint_finding f;
	uint32_t rank;
};

static int cmp_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->f.doc != y->f.doc)
		return x->f.doc < y->f.doc ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

void lint_settle(struct arena *a, const struct check_result *in, struct lint_findings *out)
{
	struct lint l = {.a = a, .in = in, .out = out};
	struct ignore_list ignores = {0};
	uint32_t n, kept = 0;
	struct ranked *r;

	collect_ignores(&l, &ignores);
	n = out->v.n;
	r = ARENA_ARRAY(a, struct ranked, n);
	for (uint32_t i = 0; i < n; i++)
		r[i] = (struct ranked){out->v.v[i], i};
	qsort(r, n, sizeof(*r), cmp_ranked);
	for (uint32_t i = 0; i < n; i++)
		if (!is_ignored(&ignores, &r[i].f))
			out->v.v[kept++] = r[i].f;
	out->v.n = kept;
}

static bool is_class(const struct check_doc *d)
{
	return d->object && strcmp(d->kind, "EC2NodeClass") == 0;
}

static void lint_one(struct lint *l, uint32_t doc)
{
	const struct check_doc *d = lint_doc(l, doc);

	if (!d->root)
		return;
	lint_names(l, doc);
	if (d->object || d->verdict == CHECK_UNKNOWN_KIND)
		lint_old_fields(l, doc);
	if (is_class(d) && d->verdict == CHECK_ACCEPTED)
		lint_class(l, doc);
	if (d->verdict != CHECK_NOT_KARPENTER)
		return;
	lint_workload(l, doc);
	if (strcmp(d->kind, "PodDisruptionBudget") == 0)
		lint_pdb(l, doc);
}

void lint_docs(struct arena *a, const struct check_result *in, struct lint_findings *ret_out)
{
	struct lint l = {.a = a, .in = in, .out = ret_out};

	intern_init(&l.strings, a);
	labels_init(&l.strings);
	reqpool_init(&l.reqs, a, &l.strings, true);
	for (uint32_t i = 0; i < in->docs.n; i++)
		l.nclasses += is_class(&in->docs.v[i]);
	lint_collect_pools(&l);
	for (uint32_t i = 0; i < in->docs.n; i++)
		lint_one(&l, i);
	for (uint32_t i = 0; i < l.pools.n; i++) {
		lint_pool(&l, &l.pools.v[i]);
		lint_budgets(&l, &l.pools.v[i]);
	}
	lint_overlaps(&l);
}
