#pragma once
/*
 * The command line of one command: its options, from the rows of options.def, and its positional arguments.
 * Text points into argv.
 */
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "buf.h"

struct text_list {
	uint32_t n;
	const char **v;
};

#define OPT_FIELD_FLAG(field) bool field;
#define OPT_FIELD_TEXT(field) const char *field;
#define OPT_FIELD_LIST(field) struct text_list field;
#define OPT_FIELD_COUNT(field) uint32_t field;

struct opts {
#define OPTION(type, field, long_name, short_name, arg, choices, group, commands, help) \
	OPT_FIELD_##type(field)
#include "options.def"
#undef OPTION
	struct text_list args;
};

struct command;

/* Parses argv[1..] of a command; argv[0] is "kspot NAME". Ends the process for --help and the like and on a
 * usage error. */
void opts_parse(struct opts *o, struct arena *a, const struct command *cmd, int argc, char **argv);
/*
 * All rows as tab-separated lines: command, long, short, argument, choices, help. Before the options of a
 * command stands the command itself, without option names. Completions read this.
 */
void opts_list(struct buf *out);
