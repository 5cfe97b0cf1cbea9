#include "write_all.h"

#include <errno.h>
#include <unistd.h>

bool write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t got = write(fd, p, n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got == 0)
			errno = ENOSPC;
		if (got <= 0)
			return false;
		p += got;
		n -= (size_t)got;
	}
	return true;
}
