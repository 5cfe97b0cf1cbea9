#pragma once
/* Why Go's time.Parse refuses a text as RFC 3339, in its words and in the arena; NULL when it does not. */
#include "arena.h"
#include "str.h"

const char *go_time_error(struct arena *a, struct str s);
