#pragma once
/* The input of a command, from its options: the objects, decoded. */
#include "cluster.h"
#include "cmd.h"
#include "doc.h"

/* NULL after diagnostics: nothing may be decided from a broken input. Lives in the arena of the run. */
struct cluster *input_load(struct run *r);
/* The two halves of it. Reading gives what could be read, whatever it raised; false: no input was named. */
bool input_read(struct run *r, struct docs *ret_docs);
struct cluster *input_decode(struct run *r, const struct docs *docs);
/* The same, but without -f it is an empty cluster and no error. */
struct cluster *input_load_any(struct run *r);

/* s with requirements as objects have them; operators that nobody knows are left out. */
rsetid input_requirements(struct reqpool *rp, rsetid s, const struct api_requirement *v, uint32_t n);
/* s with what a NodePool asks of its nodes: requirements and labels of its template. */
rsetid input_pool_requirements(struct reqpool *rp, rsetid s, const struct node_pool *pool);
