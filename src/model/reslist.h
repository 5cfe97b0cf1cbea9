#pragma once
/*
 * A resource list: amounts by resource name, as `requests`, `capacity` or `limits` hold them. Entries are
 * sorted by the text of their name and each name is there once; an absent name and a zero amount are
 * different things (karpenter-core A7.5, A7.6). Lists are values: operations make a new list in the arena
 * given.
 */
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "intern.h"
#include "quantity.h"

struct res_item {
	qty v;
	sid name;
	uint8_t format; /* enum qty_format */
};

struct reslist {
	uint32_t n;
	struct res_item *v;
};

/* The amount, or NULL when absent. */
const struct res_item *reslist_find(const struct reslist *l, sid name);
qty reslist_amount(const struct reslist *l, sid name);
/* A copy with the entry set. */
struct reslist reslist_set(const struct intern *in, struct arena *a, const struct reslist *l, sid name,
			   struct quantity q);
/* Sum per name over the union. The format of the left side stands unless its amount is zero
 * (resource.Quantity.Add). */
struct reslist reslist_add(const struct intern *in, struct arena *a, const struct reslist *l,
			   const struct reslist *r);
/* Exactly the names of l; what r has is taken off. */
struct reslist reslist_sub(struct arena *a, const struct reslist *l, const struct reslist *r);
/* The larger amount per name over the union. */
struct reslist reslist_max(const struct intern *in, struct arena *a, const struct reslist *l,
			   const struct reslist *r);
/* Names in both, the smaller amount. */
struct reslist reslist_min(struct arena *a, const struct reslist *l, const struct reslist *r);
/* Any negative amount in total means no; then every amount wanted must be there (absent counts as zero). */
bool reslist_fits(const struct reslist *want, const struct reslist *total);
bool reslist_eq(const struct reslist *l, const struct reslist *r);
/* {"cpu":"1","memory":"1Gi"}: JSON object of canonical quantities. */
void reslist_print(const struct intern *in, struct buf *out, const struct reslist *l);
