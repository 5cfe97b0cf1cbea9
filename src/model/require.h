#pragma once
/*
 * The requirement algebra. A requirement says which values a label may take: a set of values or the
 * complement of one, integer bounds, and how many distinct values must stay available (minValues). Rule:
 * Karpenter v1.14.1, scheduling requirements (karpenter-core A6).
 *
 * Requirements and sets of requirements are hash-consed: equal ones have equal ids, and the results of
 * intersections and tests are remembered by id, so that the scheduler compares and combines them in constant
 * time. Values of a key are numbered in order of first mention, and value sets are bit sets over those
 * numbers.
 *
 * A pool owns everything it gives out; ids stay valid as long as it. Not for use from several threads at
 * once.
 */
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "buf.h"
#include "idmap.h"
#include "intern.h"
#include "vec.h"

typedef uint32_t keyid; /* a label key, numbered in order of first mention */
typedef uint32_t reqid;
typedef uint32_t rsetid;

#define KEY_NONE UINT32_MAX
#define REQ_NONE UINT32_MAX
#define RSET_EMPTY ((rsetid)0)

enum req_op { OP_IN, OP_NOT_IN, OP_EXISTS, OP_DOES_NOT_EXIST, OP_GT, OP_LT, OP_GTE, OP_LTE, OP_MAX_ };

struct req {
	keyid key;
	bool complement;
	bool has_gte, has_lte;
	int32_t min_values; /* -1: none */
	int64_t gte, lte;
	uint32_t nvalues; /* members of the set */
	uint32_t nwords;
	const uint64_t *bits; /* over the value numbers of the key; the last word is not 0 */
};

/* A set of requirements with distinct keys, in order of key id. */
struct rset {
	uint32_t n;
	const reqid *req;
};

struct req_key {
	sid name;
	bool well_known;
	uint32_t nvalues, cap;
	sid *value;      /* by value number */
	int64_t *number; /* the value as an integer */
	bool *is_number;
	struct idmap index; /* sid -> value number */
};

struct reqpool {
	struct arena *arena;
	struct intern *in;
	VEC(struct req_key) keys;
	VEC(struct req) reqs;
	VEC(struct rset) sets;
	struct idmap key_of, spelled_of;
	struct idset req_of, set_of;
	struct idmap req_and, set_and, set_overlap, set_compat, set_compat_known;
};

/* Well-known labels are those of core, and the AWS provider's if aws. */
void reqpool_init(struct reqpool *p, struct arena *a, struct intern *in, bool aws);
/* Makes a further key well known (design 3.3, wellKnownLabels). */
void reqpool_add_well_known(struct reqpool *p, sid key);

/* Keys are normalised (label_normalize). */
keyid req_key(struct reqpool *p, sid name);
/* The key under exactly this spelling: for an alias a key of its own, which no requirement has. */
keyid req_key_spelled(struct reqpool *p, sid name);
static inline sid req_key_name(const struct reqpool *p, keyid k)
{
	return p->keys.v[k].name;
}
static inline bool req_key_well_known(const struct reqpool *p, keyid k)
{
	return p->keys.v[k].well_known;
}
/* The number of a value of a key, new or known. */
uint32_t req_value(struct reqpool *p, keyid k, sid value);

bool req_op_parse(struct str s, enum req_op *ret_op);
const char *req_op_name(enum req_op op);

/* A requirement; min_values -1 for none. Bounds that are no integer count as 0, those too large for 64 bits
 * as the nearest integer; Gt of the largest integer allows nothing. */
reqid req_make(struct reqpool *p, keyid key, enum req_op op, const sid *values, uint32_t n,
	       int32_t min_values);
reqid req_in1(struct reqpool *p, keyid key, sid value);

static inline const struct req *req_get(const struct reqpool *p, reqid r)
{
	return &p->reqs.v[r];
}

/* In, NotIn, Exists or DoesNotExist; bounds do not show (A6.3). */
enum req_op req_operator(const struct reqpool *p, reqid r);
reqid req_intersect(struct reqpool *p, reqid a, reqid b);
bool req_has_intersection(const struct reqpool *p, reqid a, reqid b);
bool req_allows(const struct reqpool *p, reqid r, sid value);
/* The same requirement with another minValues. */
reqid req_with_min_values(struct reqpool *p, reqid r, int32_t min_values);
/* Members of the value set sorted by name (of a complement: the excluded values). */
sid *req_values(const struct reqpool *p, reqid r, struct arena *a, uint32_t *ret_n);
/* The value that stands for the requirement: smallest member; lower bound or 0 for complements; empty if none
 * (determinism). */
sid req_any(struct reqpool *p, reqid r);
/* `key In [a b]`, at most five values, bounds and minValues (A6.12). */
void req_print(const struct reqpool *p, struct buf *out, reqid r);

rsetid rset_of(struct reqpool *p, const reqid *reqs,
	       uint32_t n); /* requirements of one key are intersected */
static inline const struct rset *rset_get(const struct reqpool *p, rsetid s)
{
	return &p->sets.v[s];
}
/* The requirement of a key, or REQ_NONE when the set does not mention it. */
reqid rset_find(const struct reqpool *p, rsetid s, keyid k);
rsetid rset_add(struct reqpool *p, rsetid s, reqid r);
/* Replaces the requirement of r's key. */
rsetid rset_replace(struct reqpool *p, rsetid s, reqid r);
rsetid rset_without(struct reqpool *p, rsetid s, keyid k);
rsetid rset_intersect(struct reqpool *p, rsetid a, rsetid b);

/* A6.8. Symmetric in its verdict. */
bool rset_intersects(struct reqpool *p, rsetid receiver, rsetid incoming);
/* A6.9: the receiver is the node side. allow_known: well-known labels may be undefined on it. */
bool rset_compatible(struct reqpool *p, rsetid receiver, rsetid incoming, bool allow_known);
/* Why rset_compatible said no, in Karpenter's words, with ties as in determinism. */
void rset_explain(struct reqpool *p, struct buf *out, rsetid receiver, rsetid incoming, bool allow_known);
/* Members by key name, joined by ", ", without the hostname. */
void rset_print(struct reqpool *p, struct buf *out, rsetid s);
/* Indices of the members in order of their key's name. */
uint32_t *rset_by_name(const struct reqpool *p, rsetid s, struct arena *a);
