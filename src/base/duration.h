#pragma once
/* Durations in the notation of Go's time.ParseDuration: "1h30m", "300ms", "-1.5h". */
#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "str.h"

/* Nanoseconds. false when the text is no duration; why (may be NULL) then gets Go's words for it. */
bool duration_parse(struct str s, int64_t *ret_ns, struct buf *why);
