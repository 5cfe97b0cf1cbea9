/*
 * Preloaded into kspot by fault.py: makes one call to the system fail. FAULT=KIND:N:HOW picks the Nth call of
 * a kind, KIND one of malloc, read, write, close, open, fstat, opendir, readdir; HOW is the number of an
 * error, or "short" for a read or write of one byte. FAULT=KIND:0: counts them, and writes the count to
 * descriptor FAULT_FD at exit.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char kind[16];
static unsigned long wanted, seen;
static int how; /* 0: short */

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("FAULT");
	char word[16] = "";

	if (!text || sscanf(text, "%15[a-z]:%lu:%15s", kind, &wanted, word) < 2)
		kind[0] = '\0';
	how = atoi(word);
}

__attribute__((destructor)) static void end(void)
{
	const char *fd = getenv("FAULT_FD");

	if (kind[0] && !wanted && fd)
		dprintf(atoi(fd), "%lu\n", seen);
}

/* Whether this call is the one. */
static bool strikes(const char *what)
{
	return kind[0] && strcmp(kind, what) == 0 && ++seen == wanted;
}

static bool fails(const char *what)
{
	if (!strikes(what))
		return false;
	errno = how;
	return true;
}

/* What stands behind the function of that name here; looked up once, as the look-up may allocate. */
#define REAL(type, name, ...)             \
	static type (*real)(__VA_ARGS__); \
	if (!real)                        \
	*(void **)&real = dlsym(RTLD_NEXT, name)

/* -- memory -- */

void *malloc(size_t n)
{
	REAL(void *, "malloc", size_t);

	return fails("malloc") ? NULL : real(n);
}

/* dlsym may ask for memory itself; it is content to get none. */
void *calloc(size_t n, size_t size)
{
	static bool looking;

	if (looking)
		return NULL;
	looking = true;
	REAL(void *, "calloc", size_t, size_t);
	looking = false;

	return fails("malloc") ? NULL : real(n, size);
}

void *realloc(void *p, size_t n)
{
	REAL(void *, "realloc", void *, size_t);

	return fails("malloc") ? NULL : real(p, n);
}

/* -- files; meson has file offsets of 64 bits, which gives some functions another name -- */

ssize_t read(int fd, void *p, size_t n)
{
	REAL(ssize_t, "read", int, void *, size_t);

	if (!strikes("read"))
		return real(fd, p, n);
	errno = how;
	return how ? -1 : real(fd, p, n ? 1 : 0);
}

ssize_t write(int fd, const void *p, size_t n)
{
	REAL(ssize_t, "write", int, const void *, size_t);

	if (!strikes("write"))
		return real(fd, p, n);
	errno = how;
	return how ? -1 : real(fd, p, n ? 1 : 0);
}

/* The descriptor is closed all the same, as Linux does it. */
int close(int fd)
{
	REAL(int, "close", int);
	int rc = real(fd);

	return fails("close") ? -1 : rc;
}

int open(const char *path, int flags, ...)
{
	REAL(int, "open64", const char *, int, ...);
	va_list ap;
	mode_t mode = 0;

	va_start(ap, flags);
	if (flags & O_CREAT)
		mode = va_arg(ap, mode_t);
	va_end(ap);
	return fails("open") ? -1 : real(path, flags, mode);
}

int fstat(int fd, struct stat *st)
{
	REAL(int, "fstat64", int, struct stat *);

	return fails("fstat") ? -1 : real(fd, st);
}

DIR *opendir(const char *path)
{
	REAL(DIR *, "opendir", const char *);

	return fails("opendir") ? NULL : real(path);
}

struct dirent *readdir(DIR *dir)
{
	REAL(struct dirent *, "readdir64", DIR *);

	return fails("readdir") ? NULL : real(dir);
}
