#pragma once
/* A pool of requirements, and requirements and resource lists read from text, for the tests of the model. */
#include "label.h"
#include "require.h"
#include "reslist.h"

struct bench {
	struct arena arena;
	struct intern in;
	struct reqpool rp;
};

void bench_init(struct bench *b);
void bench_release(struct bench *b);
/* "key Op v1 v2", "key Op v1 min 2". */
reqid bench_req(struct bench *b, const char *text);
/* Requirements separated by ", ". */
rsetid bench_set(struct bench *b, const char *text);
/* "cpu=1 memory=1Gi". */
struct reslist bench_list(struct bench *b, const char *text);
/* The other way round; in the arena. */
const char *bench_show_req(struct bench *b, reqid r);
const char *bench_show_set(struct bench *b, rsetid s);
const char *bench_show_list(struct bench *b, const struct reslist *l);
