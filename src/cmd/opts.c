#include "opts.h"

#include <argp.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "suggest.h"

enum opt_type { FLAG, TEXT, LIST, COUNT };
enum opt_group { GROUP_MIN_, GROUP_INPUT, GROUP_WHAT_IF, GROUP_OUTPUT, GROUP_MAX_ };

static const char *const group_title[GROUP_MAX_] = {
	[GROUP_INPUT] = "Input:",
	[GROUP_WHAT_IF] = "Settings and what-ifs:",
	[GROUP_OUTPUT] = "Output:",
};

struct row {
	enum opt_type type;
	size_t offset; /* in struct opts */
	const char *name;
	int key; /* the short option, or a number beyond characters */
	const char *arg, *choices;
	enum opt_group group;
	unsigned commands;
	const char *help;
};

enum row_index {
#define OPTION(type, field, long_name, short_name, arg, choices, group, commands, help) ROW_##field,
#include "options.def"
#undef OPTION
	ROW_MAX_
};

static const struct row rows[ROW_MAX_] = {
#define OPTION(type, field, long_name, short_name, arg, choices, group, commands, help) \
	{type,      offsetof(struct opts, field),                                       \
	 long_name, short_name ? short_name : 256 + ROW_##field,                        \
	 arg,       choices,                                                            \
	 group,     commands,                                                           \
	 help},
#include "options.def"
#undef OPTION
};

/* What the parser needs beside the result. */
struct parse {
	struct opts *opts;
	struct arena *arena;
	const struct command *cmd;
};

static bool takes(const struct command *cmd, const struct row *row)
{
	return row->commands >> (cmd - commands) & 1;
}

static const char *choices_of(const struct command *cmd, const struct row *row)
{
	return row - rows == ROW_output ? cmd->outputs : row->choices;
}

static void list_add(struct arena *a, struct text_list *l, const char *text)
{
	/* Grows at every power of two. */
	if ((l->n & (l->n - 1)) == 0) {
		const char **v = ARENA_ARRAY(a, const char *, l->n ? 2 * (size_t)l->n : 1);

		if (l->n)
			memcpy(v, l->v, l->n * sizeof(*v));
		l->v = v;
	}
	l->v[l->n++] = text;
}

static void check_choice(const struct parse *p, const struct row *row, const char *arg,
			 struct argp_state *state)
{
	const char *choices = choices_of(p->cmd, row);
	struct suggest s;

	if (!*choices || choice_has(choices, arg))
		return;
	suggest_init(&s, str_of(arg));
	for (const char *c = choices; *c; c += strcspn(c, "|"), c += *c == '|')
		suggest_try(&s, (struct str){c, strcspn(c, "|")});
	if (s.best.n)
		argp_error(state, "invalid argument '%s' for '--%s' (%s); did you mean '%.*s'?", arg,
			   row->name, choices, (int)s.best.n, s.best.p);
	argp_error(state, "invalid argument '%s' for '--%s' (%s)", arg, row->name, choices);
}

static uint32_t parse_count(const struct row *row, const char *arg, struct argp_state *state)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(arg, &end, 10);
	if (*arg < '0' || *arg > '9' || *end || errno || n < 1 || n > 1000000)
		argp_error(state, "invalid argument '%s' for '--%s': a number from 1 to 1000000 is needed",
			   arg, row->name);
	return (uint32_t)n;
}

static void store(const struct parse *p, const struct row *row, const char *arg, struct argp_state *state)
{
	void *field = (char *)p->opts + row->offset;

	if (arg)
		check_choice(p, row, arg, state);
	switch (row->type) {
	case FLAG:
		*(bool *)field = true;
		break;
	case TEXT:
		*(const char **)field = arg;
		break;
	case LIST:
		list_add(p->arena, field, arg);
		break;
	case COUNT:
		*(uint32_t *)field = parse_count(row, arg, state);
		break;
	}
}

static error_t parse_one(int key, char *arg, struct argp_state *state)
{
	struct parse *p = state->input;

	if (key == ARGP_KEY_ARG) {
		if (p->opts->args.n == p->cmd->max_args)
			argp_error(state, "unexpected argument '%s'%s", arg,
				   p->cmd->max_args ? "" : "; files are named with -f");
		list_add(p->arena, &p->opts->args, arg);
		return 0;
	}
	if (key == ARGP_KEY_END) {
		if (p->opts->args.n < p->cmd->min_args)
			argp_error(state, "missing argument: %s", p->cmd->args);
		return 0;
	}
	for (size_t i = 0; i < ROW_MAX_; i++)
		if (rows[i].key == key && takes(p->cmd, &rows[i])) {
			store(p, &rows[i], arg, state);
			return 0;
		}
	return ARGP_ERR_UNKNOWN;
}

/* The help of an option with its choices. */
static const char *help_text(struct arena *a, const struct command *cmd, const struct row *row)
{
	const char *choices = choices_of(cmd, row);
	struct buf b;
	const char *text;

	if (!*choices)
		return row->help;
	buf_init(&b);
	buf_addf(&b, "%s: ", row->help);
	for (const char *c = choices; *c; c++)
		buf_adds(&b, *c == '|' ? ", " : (char[]){*c, '\0'});
	text = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return text;
}

static struct argp_option *option_table(struct arena *a, const struct command *cmd)
{
	struct argp_option *table = ARENA_ARRAY(a, struct argp_option, ROW_MAX_ + GROUP_MAX_ + 1);
	size_t n = 0;

	for (int g = GROUP_MIN_ + 1; g < GROUP_MAX_; g++) {
		bool titled = false;

		for (size_t i = 0; i < ROW_MAX_; i++) {
			const struct row *row = &rows[i];

			if ((int)row->group != g || !takes(cmd, row))
				continue;
			if (!titled)
				table[n++] = (struct argp_option){.doc = group_title[g], .group = g};
			titled = true;
			table[n++] = (struct argp_option){
				.name = row->name,
				.key = row->key,
				.arg = *row->arg ? row->arg : NULL,
				.doc = help_text(a, cmd, row),
				.group = g,
			};
		}
	}
	return table;
}

void opts_parse(struct opts *o, struct arena *a, const struct command *cmd, int argc, char **argv)
{
	struct parse p = {.opts = o, .arena = a, .cmd = cmd};
	struct argp argp = {
		.options = option_table(a, cmd),
		.parser = parse_one,
		.args_doc = *cmd->args ? cmd->args : NULL,
		.doc = cmd->description,
	};

	if (argp_parse(&argp, argc, argv, 0, NULL, &p) != 0)
		ks_out_of_memory();
	if (!o->output)
		o->output = arena_strndup(a, cmd->outputs, strcspn(cmd->outputs, "|"));
}

static void list_row(struct buf *out, const struct command *cmd, const struct row *row)
{
	buf_addf(out, "%s\t--%s\t", cmd->name, row->name);
	if (row->key < 256)
		buf_addf(out, "-%c", row->key);
	buf_addf(out, "\t%s\t%s\t%s\n", row->arg, choices_of(cmd, row), row->help);
}

void opts_list(struct buf *out)
{
	for (const struct command *cmd = commands; cmd < commands + CMD_MAX_; cmd++) {
		buf_addf(out, "%s\t\t\t%s\t\t%s\n", cmd->name, cmd->args, cmd->summary);
		for (size_t i = 0; i < ROW_MAX_; i++)
			if (takes(cmd, &rows[i]))
				list_row(out, cmd, &rows[i]);
	}
}
