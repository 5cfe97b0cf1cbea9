#include "model_fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>

void bench_init(struct bench *b)
{
	*b = (struct bench){0};
	arena_init(&b->arena);
	intern_init(&b->in, &b->arena);
	labels_init(&b->in);
	reqpool_init(&b->rp, &b->arena, &b->in, true);
}

void bench_release(struct bench *b)
{
	arena_release(&b->arena);
}

static reqid parse(struct bench *b, char *text)
{
	char *rest, *word = strtok_r(text, " ", &rest);
	keyid key = req_key(&b->rp, intern_cstr(&b->in, word));
	enum req_op op = OP_MAX_;
	sid value[32];
	uint32_t n = 0;
	int32_t min = -1;

	word = strtok_r(NULL, " ", &rest);
	cr_assert(word && req_op_parse(str_of(word), &op), "%s", text);
	while ((word = strtok_r(NULL, " ", &rest)))
		if (strcmp(word, "min") == 0)
			min = atoi(strtok_r(NULL, " ", &rest));
		else
			value[n++] = intern_cstr(&b->in, word);
	return req_make(&b->rp, key, op, value, n, min);
}

reqid bench_req(struct bench *b, const char *text)
{
	return parse(b, arena_strndup(&b->arena, text, strlen(text)));
}

rsetid bench_set(struct bench *b, const char *text)
{
	char *copy = arena_strndup(&b->arena, text, strlen(text));
	rsetid set = RSET_EMPTY;

	for (char *rest, *one = strtok_r(copy, ",", &rest); one; one = strtok_r(NULL, ",", &rest))
		set = rset_add(&b->rp, set, parse(b, one));
	return set;
}

struct reslist bench_list(struct bench *b, const char *text)
{
	char *copy = arena_strndup(&b->arena, text, strlen(text));
	struct reslist l = {0};

	for (char *rest, *one = strtok_r(copy, " ", &rest); one; one = strtok_r(NULL, " ", &rest)) {
		char *is = strchr(one, '=');
		struct quantity q;

		*is = '\0';
		cr_assert(quantity_parse(str_of(is + 1), &q), "%s", text);
		l = reslist_set(&b->in, &b->arena, &l, intern_cstr(&b->in, one), q);
	}
	return l;
}

static const char *keep(struct bench *b, struct buf *out)
{
	const char *s = arena_strndup(&b->arena, buf_cstr(out), out->n);

	buf_release(out);
	return s;
}

const char *bench_show_req(struct bench *b, reqid r)
{
	struct buf out;

	buf_init(&out);
	req_print(&b->rp, &out, r);
	return keep(b, &out);
}

const char *bench_show_set(struct bench *b, rsetid s)
{
	struct buf out;

	buf_init(&out);
	rset_print(&b->rp, &out, s);
	return keep(b, &out);
}

const char *bench_show_list(struct bench *b, const struct reslist *l)
{
	struct buf out;

	buf_init(&out);
	for (uint32_t i = 0; i < l->n; i++) {
		buf_addf(&out, "%s%s=", i ? " " : "", intern_c(&b->in, l->v[i].name));
		quantity_print(&out, (struct quantity){l->v[i].v, l->v[i].format});
	}
	return keep(b, &out);
}
