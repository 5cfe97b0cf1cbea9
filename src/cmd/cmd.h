#pragma once
/*
 * Commands. A command is a row of commands.def and a function cmd_NAME(struct run *) that fills run.out and
 * run.diags and returns an exit code; main.c prints both at the end, messages first. A run owns its arena and
 * its output.
 */
#include "arena.h"
#include "buf.h"
#include "bug.h"
#include "diag.h"
#include "opts.h"

enum exit_code {
	RC_OK = 0,
	RC_BAD_INPUT = 1, /* input, usage or output error */
	RC_CHANGES = 2,   /* --detailed-exitcode */
	RC_FAILED = 3,    /* a check, an expectation or a threshold */
	RC_PENDING = 4,   /* --fail-on-pending */
	RC_BUG = KS_EXIT_BUG,
};

enum command_id {
#define COMMAND(name, outputs, args, min_args, max_args, summary, description) CMD_##name,
#include "commands.def"
#undef COMMAND
	CMD_MAX_
};

enum command_bit {
#define COMMAND(name, outputs, args, min_args, max_args, summary, description) BIT_##name = 1 << CMD_##name,
#include "commands.def"
#undef COMMAND
};

/* Sets of commands that share options. */
#define EVERY_COMMAND (~0u)
#define READS_OBJECTS (BIT_plan | BIT_disrupt | BIT_check | BIT_catalog | BIT_explain)
#define READS_CATALOG (BIT_plan | BIT_disrupt | BIT_catalog | BIT_explain)
#define DECIDES (BIT_plan | BIT_disrupt) /* as Karpenter does, so its settings apply */
#define SETS (DECIDES | BIT_explain)     /* takes Karpenter's settings */
#define HAS_OUTPUTS                                                                                        \
	(BIT_plan | BIT_disrupt | BIT_check | BIT_catalog | BIT_explain) /* more than one form of --output \
									  */

struct run;

struct command {
	const char *name;
	const char *outputs; /* "text|json", or "" */
	const char *args;
	uint32_t min_args, max_args;
	const char *summary;
	const char *description;
	int (*run)(struct run *r);
};

struct run {
	const struct command *cmd;
	struct opts opts;
	struct arena arena; /* the session */
	struct diags diags;
	struct buf out; /* standard output */
	bool colour;    /* standard output takes colours */
	struct buf log; /* standard error, after the messages: --stats */
};

extern const struct command commands[CMD_MAX_];

/* NULL when there is none of that name. */
const struct command *command_find(const char *name);
/* The name of the command closest to a misspelt one, or NULL. */
const char *command_suggest(const char *name);

/* Whether word is one of choices ("a|b|c"). */
bool choice_has(const char *choices, const char *word);

#define COMMAND(name, outputs, args, min_args, max_args, summary, description) int cmd_##name(struct run *r);
#include "commands.def"
#undef COMMAND
