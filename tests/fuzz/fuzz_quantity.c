/* Any text as a quantity: refused, or a value that its own text gives back. */
#include <string.h>

#include "fuzz.h"
#include "quantity.h"

static qty magnitude(qty v)
{
	return v < 0 ? -v : v;
}

static void check_value(qty v)
{
	qty milli = quantity_round_milli(v), whole = qty_of(quantity_ceil(v));
	double approximately = quantity_double(v);

	require(milli % QTY_MILLI == 0 && magnitude(milli) >= magnitude(v));
	require(magnitude(milli) - magnitude(v) < QTY_MILLI);
	require(whole >= v && whole - v < QTY_ONE);
	require(v > 0 ? approximately > 0 : v < 0 ? approximately < 0 : !(approximately > 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct quantity q, again;
	struct buf text, second;

	if (!quantity_parse((struct str){(const char *)data, size}, &q))
		return 0;
	require(magnitude(q.v) <= qty_of(INT64_MAX));
	check_value(q.v);
	buf_init(&text);
	buf_init(&second);
	quantity_print(&text, q);
	require(strlen(text.p) == text.n && text.n < 40);
	require(quantity_parse((struct str){text.p, text.n}, &again));
	require(again.v == q.v);
	quantity_print(&second, again);
	require(strcmp(text.p, second.p) == 0);
	buf_release(&text);
	buf_release(&second);
	return 0;
}
