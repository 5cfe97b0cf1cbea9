/*
 * kspot: what Karpenter would do on EC2 Spot, from files. This file parses the words before the command, runs
 * it, and prints its messages and its result, each with one checked write.
 */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "write_all.h"

static const char version_text[] = "kspot " KSPOT_VERSION " (decides as Karpenter v1.14.1)";

/* What is left for the command once the words before it are parsed. */
struct top {
	const struct command *cmd;
	bool list_options, help;
	int argc;
	char **argv;
};

/*
 * A standard stream that is closed would be taken by the first file that is opened, and what is printed would
 * go there. It is opened the wrong way round, so that using it fails.
 */
static void open_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static void tell_unwritten(void)
{
	/* Whoever read the other end wants no more: that is no error worth a word. */
	if (errno != EPIPE)
		fprintf(stderr, "kspot: error: cannot write to standard output: %s [KS%04d]\n",
			strerror(errno), KS_OUTPUT_WRITE);
}

static int write_output(const struct buf *out)
{
	if (write_all(STDOUT_FILENO, out->p, out->n))
		return RC_OK;
	tell_unwritten();
	return RC_BAD_INPUT;
}

/* At exit, as argp prints help with stdio and leaves by itself. Some devices tell only when they are closed.
 */
static void check_stdout(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout) && (close(STDOUT_FILENO) == 0 || errno == EINTR))
		return;
	tell_unwritten();
	_exit(RC_BAD_INPUT);
}

static bool colour_wanted(const struct opts *o, int fd)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return !o->no_color && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0 && isatty(fd);
}

static bool shown(const struct opts *o, enum severity severity)
{
	return severity == SEV_ERROR || (severity == SEV_WARNING && !o->quiet) || (o->verbose && !o->quiet);
}

/* False when they could not be written. */
static bool print_messages(const struct run *r)
{
	const struct diags *d = &r->diags;
	bool colour = colour_wanted(&r->opts, STDERR_FILENO), show = false, ok;
	struct buf text;

	buf_init(&text);
	for (uint32_t i = 0; i < d->msgs.n; i++) {
		if (!d->msgs.v[i].attached)
			show = shown(&r->opts, d->msgs.v[i].severity);
		if (show)
			diag_print(&text, &d->msgs.v[i], colour);
	}
	if (d->errors > DIAG_MAX_ERRORS)
		buf_addf(&text, "kspot: %u errors, the first %d shown\n", d->errors, DIAG_MAX_ERRORS);
	else if (d->errors > 1)
		buf_addf(&text, "kspot: %u errors\n", d->errors);
	buf_addstr(&text, (struct str){r->log.p, r->log.n});
	ok = write_all(STDERR_FILENO, text.p, text.n);
	buf_release(&text);
	return ok;
}

static int run_command(const struct command *cmd, int argc, char **argv)
{
	struct run r = {.cmd = cmd};
	int rc, written;

	arena_init(&r.arena);
	diags_init(&r.diags, &r.arena);
	buf_init(&r.out);
	buf_init(&r.log);
	opts_parse(&r.opts, &r.arena, cmd, argc, argv);
	r.colour = colour_wanted(&r.opts, STDOUT_FILENO);
	rc = cmd->run(&r);
	if (r.diags.errors && rc == RC_OK)
		rc = RC_BAD_INPUT;
	if (!print_messages(&r) && rc == RC_OK)
		rc = RC_BAD_INPUT;
	written = write_output(&r.out);
	buf_release(&r.out);
	buf_release(&r.log);
	arena_release(&r.arena);
	return written ? written : rc;
}

static error_t parse_top(int key, char *arg, struct argp_state *state)
{
	struct top *top = state->input;
	const char *near;

	switch (key) {
	case ARGP_KEY_ARG:
		if (strcmp(arg, "__options") == 0) {
			top->list_options = true;
		} else if (strcmp(arg, "help") == 0 && !top->help) {
			top->help = true;
			if (state->next == state->argc)
				argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
			return 0;
		} else if (!(top->cmd = command_find(arg))) {
			near = command_suggest(arg);
			argp_error(state,
				   near ? "unknown command '%s'; did you mean '%s'?" : "unknown command '%s'",
				   arg, near);
		}
		top->argc = state->argc - state->next + 1;
		top->argv = state->argv + state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_usage(state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const char *top_doc(struct arena *a)
{
	struct buf b;
	const char *text;

	buf_init(&b);
	buf_adds(&b, "Predicts, from files alone, what Karpenter does on EC2 Spot.\vCommands:\n");
	for (int i = 0; i < CMD_MAX_; i++)
		buf_addf(&b, "  %-10s %s\n", commands[i].name, commands[i].summary);
	buf_adds(&b, "\n'kspot help COMMAND' tells more of one.");
	text = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return text;
}

static int list_options(void)
{
	struct buf b;
	int rc;

	buf_init(&b);
	opts_list(&b);
	rc = write_output(&b);
	buf_release(&b);
	return rc;
}

int main(int argc, char **argv)
{
	struct top top = {0};
	struct arena a;
	struct argp argp = {.parser = parse_top, .args_doc = "COMMAND [ARG...]"};
	char name[32];

	open_streams();
	argp_program_version = version_text;
	argp_err_exit_status = RC_BAD_INPUT;
	atexit(check_stdout);
	arena_init(&a);
	argp.doc = top_doc(&a);
	if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &top) != 0)
		ks_out_of_memory();
	arena_release(&a);
	if (top.list_options)
		return list_options();
	snprintf(name, sizeof(name), "kspot %s", top.cmd->name);
	top.argv[0] = name;
	if (top.help)
		return run_command(top.cmd, 2, (char *[]){name, (char[]){"--help"}, NULL});
	return run_command(top.cmd, top.argc, top.argv);
}
