#include "doc_build.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "scalar.h"

#define MAX_WARNED 20 /* duplicates of a source that are worth a warning each */

struct span build_span(struct builder *b, size_t off, size_t len)
{
	const uint32_t *start = b->src->line_start;
	uint32_t line = b->line;

	if (off < start[line - 1]) {
		uint32_t col;

		source_locate(b->src, off, &line, &col);
	}
	while (line < b->src->nlines && start[line] <= off)
		line++;
	b->line = line;
	return (struct span){b->src, line, (uint32_t)(off - start[line - 1]) + 1, (uint32_t)len};
}

void build_bad(struct builder *b, struct span at, const char *text)
{
	VEC_PUSH(b->a, &b->out->bad,
		 ((struct doc_bad){.src = b->src,
				   .index = b->index++,
				   .seq = b->out->v.n + b->out->bad.n,
				   .line = at.line,
				   .col = at.col,
				   .text = arena_strndup(b->a, text, strlen(text))}));
}

bool build_fail(struct builder *b, enum diag_code code, struct span at, const char *fmt, ...)
{
	struct buf text;
	va_list ap;

	buf_init(&text);
	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	diag(b->d, code, at, "%s", buf_cstr(&text));
	build_bad(b, at, buf_cstr(&text));
	buf_release(&text);
	return false;
}

/* A NUL-terminated copy; short texts such as keys are shared with earlier ones. */
static struct str keep(struct builder *b, struct str s)
{
	struct str *slot;

	if (s.n > 40)
		return (struct str){arena_strndup(b->a, s.p, s.n), s.n};
	slot = &b->cache[hash_bytes(s.p, s.n) % BUILD_CACHE];
	if (!slot->p || !str_eq(*slot, s))
		*slot = (struct str){arena_strndup(b->a, s.p, s.n), s.n};
	return *slot;
}

void build_init(struct builder *b, struct arena *a, struct diags *d, const struct source *src,
		struct docs *out)
{
	*b = (struct builder){.a = a, .d = d, .src = src, .out = out, .line = 1};
	arena_init(&b->scratch);
	arena_alloc(&b->scratch, 1, 1); /* keeps the first block from one document to the next */
	b->empty = arena_mark(&b->scratch);
}

void build_release(struct builder *b)
{
	arena_release(&b->scratch);
}

void build_open(struct builder *b)
{
	b->json_doc = false;
	b->root = NULL;
	b->depth = 0;
	b->seq = 0;
	b->aliased = 0;
	b->child.v = NULL;
	b->dup.v = NULL;
	b->dup_seq.v = NULL;
	b->anchor.v = NULL;
	b->child.n = b->dup.n = b->dup_seq.n = b->anchor.n = 0;
	b->child.cap = b->dup.cap = b->dup_seq.cap = b->anchor.cap = 0;
	arena_rewind(&b->scratch, b->empty);
	VEC_RESERVE(&b->scratch, &b->child, 64);
}

struct dup_rank {
	uint32_t seq, at;
};

static int cmp_rank(const void *x, const void *y)
{
	const struct dup_rank *a = x, *b = y;

	return a->seq != b->seq ? (a->seq > b->seq) - (a->seq < b->seq) : (a->at > b->at) - (a->at < b->at);
}

/* In the order in which a decoder sets the keys: a value before the key it belongs to. */
static const struct doc_duplicate *sorted_duplicates(struct builder *b)
{
	struct doc_duplicate *out = ARENA_ARRAY(b->a, struct doc_duplicate, b->dup.n);
	struct dup_rank *rank = ARENA_ARRAY(&b->scratch, struct dup_rank, b->dup.n);

	for (uint32_t i = 0; i < b->dup.n; i++)
		rank[i] = (struct dup_rank){b->dup_seq.v[i], i};
	qsort(rank, b->dup.n, sizeof(*rank), cmp_rank);
	for (uint32_t i = 0; i < b->dup.n; i++)
		out[i] = b->dup.v[rank[i].at];
	return out;
}

static void warn_duplicates(struct builder *b, const struct doc *doc)
{
	for (uint32_t i = 0; i < doc->nduplicates; i++) {
		const struct doc_duplicate *dup = &doc->duplicates[i];
		uint32_t len = (uint32_t)dup->key.n;

		if (dup->merged || b->warned++ >= MAX_WARNED)
			continue;
		diag(b->d, KS_KEY_DUPLICATE, (struct span){b->src, dup->line, dup->col, len},
		     "key '%s' is given twice; the last one stands", dup->key.p);
		diag_note(b->d, (struct span){b->src, dup->first_line, dup->first_col, len},
			  "'%s' is first given here", dup->key.p);
	}
}

void build_close(struct builder *b)
{
	struct doc doc = {.src = b->src, .root = b->root, .start_line = b->start_line, .json = b->json_doc};

	KS_BUG_ON(b->depth);
	if (!b->root || doc_is_null(b->root))
		return;
	doc.index = b->index++;
	doc.seq = b->out->v.n + b->out->bad.n;
	if (b->dup.n) {
		doc.duplicates = sorted_duplicates(b);
		doc.nduplicates = b->dup.n;
		warn_duplicates(b, &doc);
	}
	VEC_PUSH(b->a, &b->out->v, doc);
}

static bool count_nodes(struct builder *b, uint64_t n, struct span at)
{
	b->out->nodes += n;
	if (b->out->nodes <= DOC_MAX_NODES)
		return true;
	return build_fail(b, KS_LIMIT_NODES, at, "more than %u values in the input", DOC_MAX_NODES);
}

static bool count_aliased(struct builder *b, uint64_t n, struct span at)
{
	b->aliased += n;
	if (b->aliased <= DOC_MAX_ALIASED)
		return true;
	return build_fail(b, KS_LIMIT_ALIAS, at, "aliases repeat more than %u values in this document",
			  DOC_MAX_ALIASED);
}

static void add_child(struct builder *b, struct doc_entry e, uint32_t value_line, bool merged)
{
	VEC_PUSH(&b->scratch, &b->child, ((struct build_child){e, b->seq++, value_line, merged}));
}

static bool merge_map(struct builder *b, const struct doc_node *map, struct span at)
{
	if (map->kind != DOC_MAP)
		return build_fail(b, KS_MERGE_VALUE, at, "'<<' needs a map or a list of maps, not %s",
				  doc_type_name(map));
	if (!count_aliased(b, map->n, at))
		return false;
	for (uint32_t i = 0; i < map->n; i++)
		add_child(b, map->entries[i], map->entries[i].value->line, true);
	return true;
}

/*
 * A merge key acts where it stands: it overrides keys before it and is overridden by keys after it. In a list
 * of maps the earlier map wins. Rule: go-yaml v2 as in kubectl (YAML's own merge type lets explicit keys win
 * wherever they stand).
 */
static bool merge(struct builder *b, const struct doc_node *value, struct span at)
{
	if (value->kind != DOC_SEQ)
		return merge_map(b, value, at);
	for (uint32_t i = value->n; i-- > 0;) {
		const struct doc_node *map = value->items[i];

		if (!merge_map(b, map, (struct span){b->src, map->line, map->col, map->len}))
			return false;
	}
	return true;
}

static bool attach(struct builder *b, const struct doc_node *node, uint64_t size, uint32_t height,
		   struct span at)
{
	struct build_frame *f;

	if (b->depth == 0) {
		b->root = node;
		return true;
	}
	f = &b->frame[b->depth - 1];
	f->size += size;
	if (f->height < height)
		f->height = height;
	if (!f->map) {
		add_child(b, (struct doc_entry){.value = node}, at.line, false);
		return true;
	}
	f->has_key = false;
	if (f->merge_key)
		return merge(b, node, at);
	f->key.value = node;
	add_child(b, f->key, at.line, false);
	return true;
}

static void set_anchor(struct builder *b, uint32_t anchor, const struct doc_node *node, uint64_t size,
		       uint32_t height)
{
	if (anchor)
		b->anchor.v[anchor - 1] = (struct build_anchor){node, height, size};
}

const struct doc_node *build_node(struct builder *b, struct str text, bool quoted, struct span at)
{
	struct doc_node *n = ARENA_NEW(b->a, struct doc_node);

	n->kind = DOC_SCALAR;
	n->quoted = quoted;
	n->line = at.line;
	n->col = at.col;
	n->len = at.len;
	n->text = keep(b, text);
	return n;
}

bool build_scalar(struct builder *b, struct str text, bool quoted, size_t off, size_t len, uint32_t anchor)
{
	struct span at = build_span(b, off, len);
	const struct doc_node *n;

	if (text.n > DOC_MAX_SCALAR)
		return build_fail(b, KS_LIMIT_SCALAR, at, "a value of %zu bytes; at most %u are allowed",
				  text.n, DOC_MAX_SCALAR);
	if (!count_nodes(b, 1, at))
		return false;
	n = build_node(b, text, quoted, at);
	set_anchor(b, anchor, n, 1, 0);
	return attach(b, n, 1, 0, at);
}

bool build_key(struct builder *b, struct str text, bool merge_key, size_t off)
{
	struct build_frame *f = &b->frame[b->depth - 1];
	struct span at = build_span(b, off, 0);

	if (text.n > DOC_MAX_KEY)
		return build_fail(b, KS_LIMIT_KEY, at, "a key of %zu bytes; at most %u are allowed", text.n,
				  DOC_MAX_KEY);
	f->has_key = true;
	f->merge_key = merge_key;
	f->key = (struct doc_entry){.key = keep(b, text), .line = at.line, .col = at.col};
	return true;
}

bool build_wants_key(const struct builder *b)
{
	return b->depth && b->frame[b->depth - 1].map && !b->frame[b->depth - 1].has_key;
}

bool build_begin(struct builder *b, bool map, size_t off, uint32_t anchor)
{
	struct span at = build_span(b, off, 0);

	if (b->depth == DOC_MAX_DEPTH)
		return build_fail(b, KS_LIMIT_DEPTH, at, "nested more than %d deep", DOC_MAX_DEPTH);
	if (!count_nodes(b, 1, at))
		return false;
	b->frame[b->depth++] = (struct build_frame){
		.map = map, .from = b->child.n, .line = at.line, .col = at.col, .anchor = anchor, .size = 1};
	return true;
}

/* Where the map of the innermost frame is: "spec.containers[0].resources". */
static const char *path_here(struct builder *b)
{
	struct buf path;
	const char *text;

	buf_init(&path);
	for (uint32_t i = 0; i + 1 < b->depth; i++) {
		const struct build_frame *f = &b->frame[i];

		if (!f->map)
			buf_addf(&path, "[%u]", b->frame[i + 1].from - f->from);
		else
			buf_addf(&path, "%s%s", path.n ? "." : "", f->key.key.p);
	}
	text = arena_strndup(b->a, buf_cstr(&path), path.n);
	buf_release(&path);
	return text;
}

static bool note_duplicate(struct builder *b, const char **path, const struct build_child *first,
			   const struct build_child *later)
{
	const struct doc_entry *e = &later->entry;
	struct span at = {b->src, e->line, e->col, (uint32_t)e->key.n};

	if (b->dup.n == DOC_MAX_DUPLICATES)
		return build_fail(b, KS_LIMIT_DUPLICATES, at, "more than %u duplicate keys in this document",
				  DOC_MAX_DUPLICATES);
	if (!*path)
		*path = path_here(b);
	VEC_PUSH(&b->scratch, &b->dup,
		 ((struct doc_duplicate){.map = *path,
					 .key = e->key,
					 .line = e->line,
					 .col = e->col,
					 .value_line = later->value_line,
					 .first_line = first->entry.line,
					 .first_col = first->entry.col,
					 .merged = first->merged || later->merged}));
	VEC_PUSH(&b->scratch, &b->dup_seq, later->seq);
	return true;
}

/* Moves every key to one place with its last value; gives how many keys are left, or UINT32_MAX after an
 * error. */
static uint32_t drop_duplicates(struct builder *b, struct build_child *c, uint32_t n)
{
	const char *path = NULL;
	uint32_t kept = 0, small[64] = {0}, mask = 63, *slots = small;
	struct arena_mark mark = arena_mark(&b->scratch);

	if (n > 32) {
		while (mask < 2 * n)
			mask = mask * 2 + 1;
		slots = ARENA_ARRAY(&b->scratch, uint32_t, mask + 1);
	}
	for (uint32_t i = 0; i < n; i++) {
		struct str key = c[i].entry.key;
		uint32_t h = (uint32_t)hash_bytes(key.p, key.n) & mask;

		while (slots[h] && !str_eq(c[slots[h] - 1].entry.key, key))
			h = (h + 1) & mask;
		if (!slots[h]) {
			c[kept] = c[i];
			slots[h] = ++kept;
			continue;
		}
		if (!note_duplicate(b, &path, &c[slots[h] - 1], &c[i]))
			return UINT32_MAX;
		c[slots[h] - 1] = c[i];
	}
	/* The lists of duplicates grow in scratch too: only a map without any gives its table back. */
	if (kept == n)
		arena_rewind(&b->scratch, mark);
	return kept;
}

bool build_end(struct builder *b)
{
	struct build_frame *f = &b->frame[b->depth - 1];
	struct build_child *c = b->child.v + f->from;
	uint32_t n = b->child.n - f->from;
	struct doc_node *node = ARENA_NEW(b->a, struct doc_node);
	struct span at = {b->src, f->line, f->col, 1};

	node->kind = f->map ? DOC_MAP : DOC_SEQ;
	node->line = f->line;
	node->col = f->col;
	if (f->map) {
		n = drop_duplicates(b, c, n);
		if (n == UINT32_MAX)
			return false;
		node->entries = ARENA_ARRAY(b->a, struct doc_entry, n);
		for (uint32_t i = 0; i < n; i++)
			node->entries[i] = c[i].entry;
	} else {
		node->items = ARENA_ARRAY(b->a, const struct doc_node *, n);
		for (uint32_t i = 0; i < n; i++)
			node->items[i] = c[i].entry.value;
	}
	node->n = n;
	b->child.n = f->from;
	b->depth--;
	set_anchor(b, f->anchor, node, f->size, f->height + 1);
	return attach(b, node, f->size, f->height + 1, at);
}

bool build_alias(struct builder *b, uint32_t anchor, size_t off)
{
	const struct build_anchor *x = &b->anchor.v[anchor - 1];
	struct span at = build_span(b, off, 0);

	if (b->depth + x->height > DOC_MAX_DEPTH)
		return build_fail(b, KS_LIMIT_DEPTH, at, "nested more than %d deep through this alias",
				  DOC_MAX_DEPTH);
	if (!count_aliased(b, x->size, at) || !count_nodes(b, x->size, at))
		return false;
	return attach(b, x->node, x->size, x->height, at);
}
