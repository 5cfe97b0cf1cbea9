#pragma once
/* What bytes may stand in an input text: UTF-8 without NUL, and for YAML no control characters but tab and
 * line ends. */
#include <stdbool.h>
#include <stddef.h>

#include "diag.h"
#include "file.h"
#include "str.h"

/* Length of the byte order mark that the text starts with: 3 or 0. */
size_t text_bom(struct str text);
bool text_is_utf16(struct str text);
/* The first byte of src's text[from, to) that may not stand there, or to; *ret_fault tells why, NULL for
 * none. */
struct text_fault {
	enum diag_code code;
	const char *text;
};
size_t text_check(const struct source *src, size_t from, size_t to, bool yaml,
		  const struct text_fault **ret_fault);
