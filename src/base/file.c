#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bug.h"

static const uint32_t *line_table(struct arena *a, struct str text, uint32_t *ret_n)
{
	uint32_t n = 1, i = 1;
	uint32_t *start;

	for (const char *p = text.p, *e = text.p + text.n; (p = memchr(p, '\n', (size_t)(e - p))); p++)
		n++;
	start = ARENA_ARRAY(a, uint32_t, n);
	for (const char *p = text.p, *e = text.p + text.n; (p = memchr(p, '\n', (size_t)(e - p))); p++)
		start[i++] = (uint32_t)(p + 1 - text.p);
	*ret_n = n;
	return start;
}

static const struct source *make_source(struct arena *a, const char *name, struct str text, bool utf16)
{
	struct source *s = ARENA_NEW(a, struct source);

	KS_BUG_ON(text.n > UINT32_MAX / 2);
	s->name = arena_strndup(a, name, strlen(name));
	s->text = text;
	s->utf16 = utf16;
	s->line_start = line_table(a, text, &s->nlines);
	return s;
}

const struct source *source_from_text(struct arena *a, const char *name, struct str text)
{
	return make_source(a, name, text, false);
}

/* Reads to the end; -1 with errno set, -2 over the limit. The caller frees *ret_p in every case. */
static ssize_t read_all(int fd, char **ret_p)
{
	size_t n = 0, cap = 64u << 10;
	struct stat st;
	char *p;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
	    st.st_size < (off_t)FILE_MAX_BYTES)
		cap = (size_t)st.st_size + 1;
	p = malloc(cap);
	if (!p)
		ks_out_of_memory();
	for (;;) {
		ssize_t got = read(fd, p + n, cap - n);

		if (got < 0 && errno == EINTR)
			continue;
		*ret_p = p;
		if (got < 0)
			return -1;
		if (got == 0)
			return (ssize_t)n;
		n += (size_t)got;
		if (n > FILE_MAX_BYTES)
			return -2;
		if (n == cap) {
			char *q = realloc(p, cap * 2);

			if (!q)
				ks_out_of_memory();
			p = q;
			cap *= 2;
		}
	}
}

static size_t put_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/* Text that starts with a UTF-16 byte order mark, as UTF-8 without it; unchanged if it is anything else. */
static struct str from_utf16(struct arena *a, struct str in)
{
	const unsigned char *p = (const unsigned char *)in.p;
	bool big;
	size_t n = 0;
	char *out;

	if (in.n < 2 || in.n % 2 || !((p[0] == 0xff && p[1] == 0xfe) || (p[0] == 0xfe && p[1] == 0xff)))
		return in;
	big = p[0] == 0xfe;
	out = ARENA_ARRAY(a, char, in.n / 2 * 3 + 1);
	for (size_t i = 2; i < in.n; i += 2) {
		uint32_t c = (uint32_t)p[i + !big] << 8 | p[i + big], low = 0;

		if (c >= 0xd800 && c < 0xdc00 && i + 2 < in.n) {
			i += 2;
			low = (uint32_t)p[i + !big] << 8 | p[i + big];
			c = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00)
							  : 0xd800;
		}
		if (c >= 0xd800 && c < 0xe000)
			return in;
		n += put_utf8(out + n, c);
	}
	return (struct str){out, n};
}

/* Takes a copy of the text, as UTF-8. */
static const struct source *source_from_bytes(struct arena *a, const char *name, const char *p, size_t n)
{
	struct str raw = {arena_strndup(a, p, n), n}, text = from_utf16(a, raw);

	return make_source(a, name, text, text.p != raw.p);
}

const struct source *source_read(struct arena *a, struct diags *d, const char *path)
{
	bool is_stdin = strcmp(path, "-") == 0;
	const char *name = is_stdin ? "<stdin>" : path;
	int fd = STDIN_FILENO;
	const struct source *s = NULL;
	char *text = NULL;
	ssize_t n;

	/* A pipe without a writer waits, and waiting may be interrupted. */
	if (!is_stdin)
		do {
			fd = open(path, O_RDONLY | O_CLOEXEC);
		} while (fd < 0 && errno == EINTR);
	if (fd < 0) {
		diag(d, KS_FILE_OPEN, SPAN_NONE, "cannot open '%s': %s", name, strerror(errno));
		return NULL;
	}
	n = read_all(fd, &text);
	if (n == -1)
		diag(d, KS_FILE_READ, SPAN_NONE, "cannot read '%s': %s", name, strerror(errno));
	else if (n == -2)
		diag(d, KS_FILE_TOO_LARGE, SPAN_NONE, "'%s' is larger than %u MiB", name,
		     FILE_MAX_BYTES >> 20);
	else
		s = source_from_bytes(a, name, text, (size_t)n);
	free(text);
	if (!is_stdin)
		close(fd);
	return s;
}

void source_locate(const struct source *s, size_t offset, uint32_t *ret_line, uint32_t *ret_col)
{
	uint32_t lo = 0, hi = s->nlines;

	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (s->line_start[mid] <= offset)
			lo = mid;
		else
			hi = mid;
	}
	*ret_line = lo + 1;
	*ret_col = (uint32_t)(offset - s->line_start[lo]) + 1;
}

struct str source_line(const struct source *s, uint32_t line)
{
	if (line == 0 || line > s->nlines)
		return STR_LIT("");
	size_t from = s->line_start[line - 1];
	size_t to = line < s->nlines ? s->line_start[line] - 1 : s->text.n;

	if (to > from && s->text.p[to - 1] == '\r')
		to--;
	return (struct str){s->text.p + from, to - from};
}
