#include "doc_walk.h"

#include "doc.h"
#include "fuzz.h"
#include "scalar.h"

static void check_position(const struct source *src, uint32_t line, uint32_t col)
{
	require(line >= 1 && line <= src->nlines);
	require(col >= 1 && col - 1 <= src->text.n - src->line_start[line - 1]);
}

/* Gives the number of nodes, aliases expanded. The depth is what the reader promises to bound. */
static uint64_t check_node(const struct source *src, const struct doc_node *n,
			   int depth) /* NOLINT(misc-no-recursion) */
{
	uint64_t nodes = 1;

	check_position(src, n->line, n->col);
	if (n->kind == DOC_SCALAR) {
		require(n->text.p[n->text.n] == '\0' && strlen(n->text.p) == n->text.n);
		scalar_of(n);
		require(doc_type_name(n) != NULL);
		return nodes;
	}
	require(depth < DOC_MAX_DEPTH);
	for (uint32_t i = 0; i < n->n; i++) {
		if (n->kind == DOC_SEQ) {
			nodes += check_node(src, n->items[i], depth + 1);
			continue;
		}
		const struct doc_entry *e = &n->entries[i];

		check_position(src, e->line, e->col);
		require(strlen(e->key.p) == e->key.n && e->key.n <= DOC_MAX_KEY);
		if (i < 100)
			require(doc_entry_of(n, e->key.p) == e);
		nodes += check_node(src, e->value, depth + 1);
	}
	return nodes;
}

void doc_walk(const uint8_t *data, size_t size)
{
	struct arena a;
	struct diags d;
	struct docs docs = {0};
	struct buf out;
	const struct source *src;
	uint32_t index = 0;
	bool ok;

	arena_init(&a);
	diags_init(&d, &a);
	buf_init(&out);
	src = source_from_text(&a, "fuzz", (struct str){arena_strndup(&a, (const char *)data, size), size});
	ok = doc_read(&a, &d, src, &docs);
	require(ok == (d.errors == 0));
	for (uint32_t i = 0; i < docs.v.n; i++) {
		require(docs.v.v[i].index >= index);
		index = docs.v.v[i].index + 1;
		require(check_node(src, docs.v.v[i].root, 0) <= docs.nodes + DOC_MAX_ALIASED);
	}
	for (uint32_t i = 0; i < d.msgs.n; i++)
		diag_print(&out, &d.msgs.v[i], false);
	buf_release(&out);
	arena_release(&a);
}
