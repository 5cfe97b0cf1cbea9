#include "cmd.h"

#include <string.h>

#include "suggest.h"

const struct command commands[CMD_MAX_] = {
#define COMMAND(name, outputs, args, min_args, max_args, summary, description) \
	{#name, outputs, args, min_args, max_args, summary, description, cmd_##name},
#include "commands.def"
#undef COMMAND
};

const struct command *command_find(const char *name)
{
	for (int i = 0; i < CMD_MAX_; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

const char *command_suggest(const char *name)
{
	struct suggest s;

	suggest_init(&s, str_of(name));
	for (int i = 0; i < CMD_MAX_; i++)
		suggest_try(&s, str_of(commands[i].name));
	return s.best.n ? s.best.p : NULL;
}

bool choice_has(const char *choices, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = choices; *p;) {
		size_t len = strcspn(p, "|");

		if (len == n && memcmp(p, word, n) == 0)
			return true;
		p += len + (p[len] == '|');
	}
	return false;
}
