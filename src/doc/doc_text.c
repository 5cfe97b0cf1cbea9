#include "doc_text.h"

#include <stdint.h>
#include <string.h>

#include "utf8.h"

size_t text_bom(struct str text)
{
	return text.n >= 3 && memcmp(text.p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

bool text_is_utf16(struct str t)
{
	if (t.n >= 2 && (memcmp(t.p, "\xff\xfe", 2) == 0 || memcmp(t.p, "\xfe\xff", 2) == 0))
		return true;
	/* Without a mark: every other byte of ASCII text is NUL. */
	return t.n >= 4 && !t.p[0] != !t.p[1] && !t.p[0] == !t.p[2] && !t.p[1] == !t.p[3];
}

static bool allowed_in_yaml(uint32_t c)
{
	return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c < 0x7f) || c == 0x85 ||
	       (c >= 0xa0 && c < 0xfffe) || c >= 0x10000;
}

size_t text_check(const struct source *src, size_t from, size_t to, bool yaml,
		  const struct text_fault **ret_fault)
{
	static const struct text_fault utf8 = {KS_TEXT_UTF8, "invalid UTF-8"},
				       nul = {KS_TEXT_CONTROL, "NUL character"},
				       control = {KS_TEXT_CONTROL, "control character"};
	const unsigned char *p = (const unsigned char *)src->text.p;

	*ret_fault = NULL;
	for (size_t i = from, len; i < to; i += len) {
		uint32_t c;

		if (p[i] >= 0x20 && p[i] < 0x7f) {
			len = 1;
			continue;
		}
		len = utf8_decode(src->text.p + i, to - i, &c);
		*ret_fault = len == 0 ? &utf8 : c == 0 ? &nul : yaml && !allowed_in_yaml(c) ? &control : NULL;
		if (*ret_fault)
			return i;
	}
	return to;
}
