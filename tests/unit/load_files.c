#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "load_fixture.h"

static char dir[64];

static void write_file(const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	cr_assert(f);
	fputs(text, f);
	fclose(f);
}

static void make_dir(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	cr_assert_eq(mkdir(path, 0700), 0);
}

static void tree_init(void)
{
	char path[128];

	strcpy(dir, "/tmp/kspot-load-XXXXXX");
	cr_assert(mkdtemp(dir));
	make_dir("sub");
	make_dir("none");
	write_file("b.yaml", "kind: b\n");
	write_file("a.json", "{\"kind\": \"a\"}\n");
	write_file("c.yml", "kind: c\n---\nkind: c2\n");
	write_file("readme.md", "kind: md\n");
	write_file(".hidden.yaml", "kind: hidden\n");
	write_file("sub/d.yaml", "kind: d\n");
	write_file("types.json", "[]");
	/* A loop, which is not followed. */
	snprintf(path, sizeof(path), "%s/sub/up", dir);
	cr_assert_eq(symlink("..", path), 0);
}

static void tree_fini(void)
{
	static const char *const names[] = {"sub/up", "sub/d.yaml", "types.json", ".hidden.yaml", "readme.md",
					    "c.yml",  "a.json",     "b.yaml",     "none",         "sub",
					    ""};
	char path[128];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		remove(path);
	}
}

/* The kinds of the documents read, in order, and the messages without the directory. */
static void expect(const struct load_options *o, bool want_ok, const char *want)
{
	struct loaded t = {0};
	struct buf b;
	bool ok;

	arena_init(&t.arena);
	diags_init(&t.diags, &t.arena);
	ok = load_inputs(&t.arena, &t.diags, o, &t.docs);
	cr_expect_eq(ok, want_ok);
	buf_init(&b);
	for (uint32_t i = 0; i < t.docs.v.n; i++) {
		const struct doc_node *kind = doc_get(t.docs.v.v[i].root, "kind");

		buf_addf(&b, "%s%s", i ? " " : "", kind ? kind->text.p : "-");
	}
	buf_adds(&b, "|");
	for (uint32_t i = 0; i < t.diags.msgs.n; i++) {
		const char *text = t.diags.msgs.v[i].text, *rest = strstr(text, dir);

		buf_adds(&b, rest ? rest + strlen(dir) : text);
		if (t.diags.msgs.v[i].hint)
			buf_addf(&b, " (%s)", t.diags.msgs.v[i].hint);
	}
	cr_expect_str_eq(buf_cstr(&b), want);
	buf_release(&b);
	arena_release(&t.arena);
}

Test(load_files, directories, .init = tree_init, .fini = tree_fini)
{
	char file[128], none[128], types[128], missing[128];
	const char *const whole[] = {dir}, *const both[] = {file, dir}, *const empty[] = {none},
			  *const absent[] = {missing, file};

	snprintf(file, sizeof(file), "%s/sub/d.yaml", dir);
	snprintf(none, sizeof(none), "%s/none", dir);
	snprintf(types, sizeof(types), "%s/types.json", dir);
	snprintf(missing, sizeof(missing), "%s/missing.yaml", dir);
	expect(&(struct load_options){.paths = whole, .npaths = 1}, true, "a b c c2 -|");
	expect(&(struct load_options){.paths = whole, .npaths = 1, .recursive = true}, true, "a b c c2 d -|");
	expect(&(struct load_options){.paths = both, .npaths = 2}, true, "d a b c c2 -|");
	expect(&(struct load_options){.paths = whole, .npaths = 0, .types_file = types}, true, "-|");
	expect(&(struct load_options){.paths = empty, .npaths = 1}, false,
	       "|/none' (with -R the directories below it are "
	       "read "
	       "too)");
	expect(&(struct load_options){.paths = absent, .npaths = 2}, false,
	       "d|/missing.yaml': No such file or directory");
}
