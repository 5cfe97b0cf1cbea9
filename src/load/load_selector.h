#pragma once
/*
 * Requirements as a person types them, in the notation of kubectl's label selectors: "key in (a,b)", "key
 * notin (a,b)", "key=a", "key!=a", "key", "!key", and "key gt 4", "key lt 64" (also gte, lte, >, <, >=, <=);
 * several are joined by commas.
 */
#include "cluster.h"

/* Appends what text says to *v (in the arena); false after a diagnostic that points into text. */
bool selector_parse(struct arena *a, struct diags *d, struct intern *in, const char *text,
		    struct api_requirement **v, uint32_t *n);
