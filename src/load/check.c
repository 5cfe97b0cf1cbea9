#include "check.h"

#include <stdlib.h>

#include "crd.h"
#include "scalar.h"

const char *check_verdict_name(enum check_verdict v)
{
	static const char *const names[] = {"accepted", "rejected", "unknownKind", "notKarpenter",
					    "parseError"};

	return names[v];
}

struct run_check {
	struct arena *a;
	struct check_result *out;
};

/* A string member as the result shows it: NUL terminated, "" for anything else. */
static const char *text_member(const struct doc_node *n, const char *key)
{
	const struct doc_node *v = doc_get(n, key);

	/* A plain scalar that YAML reads as a number or a boolean is no string. */
	if (!v || v->kind != DOC_SCALAR || (!v->quoted && scalar_of(v).type != SCALAR_STRING))
		return "";
	return v->text.p;
}

static struct check_doc *add_doc(struct run_check *r, const struct doc *doc, const struct doc_node *root,
				 int64_t item)
{
	struct check_doc *d = VEC_ADD(r->a, &r->out->docs);

	d->src = doc->src;
	d->index = doc->index;
	d->item = item;
	d->api_version = text_member(root, "apiVersion");
	d->kind = text_member(root, "kind");
	d->name = text_member(doc_get(root, "metadata"), "name");
	d->at = doc_span(doc, root);
	d->root = root;
	return d;
}

static void add_error(struct run_check *r, struct check_doc *d, const char *path, const char *type,
		      const char *message)
{
	VEC_PUSH(r->a, &d->errors, ((struct check_error){path, type, message, d->at}));
}

/* All of a document's duplicate keys are one entry in YAML, one each in JSON. */
static void add_duplicates(struct run_check *r, struct check_doc *d, const struct doc *doc)
{
	struct buf text;

	buf_init(&text);
	for (uint32_t i = 0; i < doc->nduplicates; i++) {
		const struct doc_duplicate *dup = &doc->duplicates[i];
		struct span at = {doc->src, dup->line, dup->col, (uint32_t)dup->key.n};

		if (doc->json) {
			VEC_PUSH(r->a, &d->strict,
				 ((struct check_strict){arena_printf(r->a, "duplicate field \"%s%s%s\"",
								     dup->map, *dup->map ? "." : "",
								     dup->key.p),
							at, true, NULL}));
			continue;
		}
		if (i == 0) {
			VEC_PUSH(r->a, &d->strict, ((struct check_strict){NULL, at, true, NULL}));
			buf_adds(&text, "yaml: unmarshal errors:");
		}
		buf_addf(&text, "\n  line %u: key ", dup->value_line - doc->start_line + 1);
		crd_add_quoted(&text, dup->key);
		buf_adds(&text, " already set in map");
	}
	if (text.n)
		d->strict.v[d->strict.n - 1].text = arena_strndup(r->a, text.p, text.n);
	buf_release(&text);
}

static int cmp_error(const void *a, const void *b)
{
	const struct check_error *x = a, *y = b;
	int c = strcmp(x->path, y->path);

	if (!c)
		c = strcmp(x->type, y->type);
	return c ? c : strcmp(x->message, y->message);
}

static void drop_status(struct jval *root)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < root->members.n; i++)
		if (!str_is(root->members.v[i].key, "status"))
			root->members.v[kept++] = root->members.v[i];
	root->members.n = kept;
}

static void create(struct run_check *r, struct check_doc *d, const struct crd_kind *kind, struct jval *root)
{
	struct crd_walk w = {.a = r->a, .doc = d, .kind = kind};

	buf_init(&w.path);
	d->object = root;
	d->verdict = CHECK_REJECTED;
	if (crd_metadata(&w, root)) {
		crd_prune(&w, root);
		drop_status(root);
		crd_default(&w, root);
		crd_validate(&w, root);
		if (d->errors.n == 0) {
			d->verdict = CHECK_ACCEPTED;
			crd_runtime(&w, root);
		}
	}
	if (d->errors.n)
		qsort(d->errors.v, d->errors.n, sizeof(*d->errors.v), cmp_error);
	buf_release(&w.path);
}

static void check_object(struct run_check *r, struct check_doc *d, const struct doc *doc,
			 const struct doc_node *root)
{
	struct str version = str_of(d->api_version), kind = str_of(d->kind);
	const char *slash = strchr(d->api_version, '/');
	const struct crd_kind *crd;
	struct jval_error bad;
	struct jval *v;

	if (!kind.n || !version.n) {
		d->verdict = CHECK_PARSE_ERROR;
		add_error(r, d, kind.n ? "apiVersion" : "kind", "Required",
			  kind.n ? "Object 'apiVersion' is missing" : "Object 'Kind' is missing");
		return;
	}
	if (slash && strchr(slash + 1, '/')) {
		d->verdict = CHECK_UNKNOWN_KIND;
		add_error(r, d, "apiVersion", "Invalid",
			  arena_printf(r->a, "unexpected GroupVersion string: %s", d->api_version));
		return;
	}
	crd = crd_find(version, kind);
	if (!crd) {
		d->verdict = CHECK_NOT_KARPENTER;
		if (!crd_is_karpenter_group(version, kind))
			return;
		d->verdict = CHECK_UNKNOWN_KIND;
		add_error(r, d, "kind", "NotFound",
			  arena_printf(r->a, "no matches for kind \"%s\" in version \"%s\"", d->kind,
				       d->api_version));
		return;
	}
	v = jval_of(r->a, root, doc->json, &bad);
	if (bad.text) {
		d->verdict = CHECK_PARSE_ERROR;
		add_error(r, d, "", "Invalid", bad.text);
		return;
	}
	if (d->item < 0)
		add_duplicates(r, d, doc);
	create(r, d, crd, v);
}

static bool is_list(const struct doc_node *root, const char *kind)
{
	const struct doc_node *items = doc_get(root, "items");

	return str_ends(str_of(kind), "List") && items && items->kind == DOC_SEQ;
}

/* Lists inside lists count their members on. Nesting is bounded by the reader. */
static void check_list(struct run_check *r, const struct doc *doc, const struct doc_node *list, int64_t *item)
{
	const char *kind = text_member(list, "kind"), *version = text_member(list, "apiVersion");
	const struct doc_node *items = doc_get(list, "items");
	size_t n = strlen(kind) - strlen("List");

	for (uint32_t i = 0; i < items->n; i++) {
		const struct doc_node *member = items->items[i];
		struct check_doc *d;

		if (is_list(member, text_member(member, "kind"))) {
			check_list(r, doc, member, item);
			continue;
		}
		d = add_doc(r, doc, member, (*item)++);
		/* A list of one kind lends its members what they leave out. */
		if (n && !*d->kind && !*d->api_version) {
			d->kind = arena_strndup(r->a, kind, n);
			d->api_version = version;
		}
		check_object(r, d, doc, member);
	}
}

static void check_doc(struct run_check *r, const struct doc *doc)
{
	struct check_doc *d;
	int64_t item = 0;

	if (is_list(doc->root, text_member(doc->root, "kind"))) {
		check_list(r, doc, doc->root, &item);
		return;
	}
	d = add_doc(r, doc, doc->root, -1);
	if (doc->root->kind == DOC_MAP) {
		check_object(r, d, doc, doc->root);
		return;
	}
	d->verdict = CHECK_PARSE_ERROR;
	add_error(r, d, "", "Invalid", "document is not an object");
}

static void add_bad(struct run_check *r, const struct doc_bad *bad)
{
	struct check_doc *d = VEC_ADD(r->a, &r->out->docs);

	*d = (struct check_doc){.src = bad->src,
				.index = bad->index,
				.item = -1,
				.api_version = "",
				.kind = "",
				.name = "",
				.at = {bad->src, bad->line, bad->col, 0},
				.verdict = CHECK_PARSE_ERROR,
				.unreadable = true};
	add_error(r, d, "", "Invalid", bad->text);
}

struct check_result *check_docs(struct arena *a, const struct docs *docs)
{
	struct run_check r = {a, ARENA_NEW(a, struct check_result)};
	uint32_t i = 0, k = 0;

	while (i < docs->v.n || k < docs->bad.n) {
		if (i < docs->v.n && docs->v.v[i].src->utf16 && docs->v.v[i].index > 0)
			i++; /* kubectl sees no separator in UTF-16, and reads the first document only */
		else if (k == docs->bad.n || (i < docs->v.n && docs->v.v[i].seq < docs->bad.v[k].seq))
			check_doc(&r, &docs->v.v[i++]);
		else
			add_bad(&r, &docs->bad.v[k++]);
	}
	return r.out;
}
