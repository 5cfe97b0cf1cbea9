#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "load.h"
#include "vec.h"

struct file_list {
	struct arena *arena;
	struct diags *d;
	bool recursive;
	VEC(const char *) v;
};

static bool is_manifest(const char *name)
{
	struct str s = str_of(name);

	return str_ends(s, ".yaml") || str_ends(s, ".yml") || str_ends(s, ".json");
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool add_directory(struct file_list *f, const char *path);

/* One entry of a directory. Links to directories are not followed, so that there are no loops. */
static bool add_entry(struct file_list *f, const char *dir, const char *name)
{
	const char *slash = str_ends(str_of(dir), "/") ? "" : "/";
	const char *path = arena_printf(f->arena, "%s%s%s", dir, slash, name);
	struct stat st;

	if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return !f->recursive || add_directory(f, path);
	if (!is_manifest(name))
		return true;
	if (stat(path, &st) != 0) {
		diag(f->d, KS_FILE_OPEN, SPAN_NONE, "cannot open '%s': %s", path, strerror(errno));
		return false;
	}
	if (S_ISREG(st.st_mode))
		VEC_PUSH(f->arena, &f->v, path);
	return true;
}

static bool add_directory(struct file_list *f, const char *path)
{
	VEC(const char *) names = {0};
	const struct dirent *e;
	DIR *dir = opendir(path);
	bool ok = true;

	if (!dir) {
		diag(f->d, KS_FILE_OPEN, SPAN_NONE, "cannot open '%s': %s", path, strerror(errno));
		return false;
	}
	/* Names that start with a dot are not looked at. */
	while (errno = 0, (e = readdir(dir)) != NULL)
		if (e->d_name[0] != '.')
			VEC_PUSH(f->arena, &names, arena_strndup(f->arena, e->d_name, strlen(e->d_name)));
	if (errno) {
		diag(f->d, KS_FILE_READ, SPAN_NONE, "cannot read '%s': %s", path, strerror(errno));
		ok = false;
	}
	closedir(dir);
	if (names.n)
		qsort(names.v, names.n, sizeof(*names.v), by_bytes);
	for (uint32_t i = 0; i < names.n; i++)
		ok &= add_entry(f, path, names.v[i]);
	return ok;
}

static bool add_path(struct file_list *f, const char *path)
{
	uint32_t before = f->v.n;
	struct stat st;

	if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
		VEC_PUSH(f->arena, &f->v, path);
		return true;
	}
	if (!add_directory(f, path))
		return false;
	if (f->v.n > before)
		return true;
	diag(f->d, KS_DIR_EMPTY, SPAN_NONE, "no .yaml, .yml or .json file in '%s'", path);
	if (!f->recursive)
		diag_hint(f->d, "with -R the directories below it are read too");
	return false;
}

bool load_inputs(struct arena *session, struct diags *d, const struct load_options *o, struct docs *ret_docs)
{
	struct file_list f = {.arena = session, .d = d, .recursive = o->recursive};
	bool ok = true;

	*ret_docs = (struct docs){0};
	for (uint32_t i = 0; i < o->npaths; i++)
		ok &= add_path(&f, o->paths[i]);
	if (o->types_file)
		VEC_PUSH(session, &f.v, o->types_file);
	for (uint32_t i = 0; i < f.v.n; i++) {
		const struct source *src = source_read(session, d, f.v.v[i]);

		ok &= src && doc_read(session, d, src, ret_docs);
	}
	return ok;
}
