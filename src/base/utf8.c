#include "utf8.h"

size_t utf8_decode(const char *p, size_t n, uint32_t *ret_c)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char first = (unsigned char)p[0];
	size_t len = first < 0x80   ? 1
		     : first < 0xc0 ? 0
		     : first < 0xe0 ? 2
		     : first < 0xf0 ? 3
		     : first < 0xf8 ? 4
				    : 0;
	uint32_t c = len == 1 ? first : first & (0x7fu >> len);

	if (len == 0 || len > n)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if (((unsigned char)p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | ((unsigned char)p[i] & 0x3fu);
	}
	*ret_c = c;
	return c < least[len] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : len;
}
