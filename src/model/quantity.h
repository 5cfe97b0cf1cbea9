#pragma once
/*
 * Kubernetes quantities. A value is an exact whole number of billionths (nano) in 128 bits: every quantity
 * the API accepts fits, sums never round and never overflow (2^63 units x 10^9 leaves room for 10^10
 * summands). The format is kept beside the value because Karpenter prints quantities in the notation of the
 * first operand. Rule: resource.Quantity of Kubernetes apimachinery; karpenter-core 0.6.
 */
#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "str.h"

__extension__ typedef __int128 qty;

#define QTY_ONE ((qty)1000000000)
#define QTY_MILLI ((qty)1000000)

enum qty_format { QTY_DECIMAL, QTY_BINARY, QTY_EXPONENT };

struct quantity {
	qty v;          /* in billionths */
	uint8_t format; /* enum qty_format */
};

/* false when the text is no quantity. Parts finer than a billionth are rounded away from zero, as Kubernetes
 * does. */
bool quantity_parse(struct str s, struct quantity *ret_q);
/* Canonical text: the largest suffix of the format that leaves no fraction; at most 3 decimal digits are kept
 * by the format. */
void quantity_print(struct buf *out, struct quantity q);
/* The nearest double, for ratios and messages only. */
double quantity_double(qty v);
/* Rounded up to a whole number. */
int64_t quantity_ceil(qty v);
/* Rounded up (away from zero) to a thousandth, as the API server does with requests and limits. */
qty quantity_round_milli(qty v);

static inline qty qty_of(int64_t units)
{
	return (qty)units * QTY_ONE;
}
