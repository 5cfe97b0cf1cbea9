#pragma once
/* Loads a text as if it were a file, for the tests of the load layer. */
#include "load.h"

struct loaded {
	struct arena arena;
	struct diags diags;
	struct docs docs;
	struct cluster *c; /* NULL after errors */
};

/* opts may be NULL. The text must outlive the result. */
void loaded_init(struct loaded *t, const char *text, const struct load_options *opts);
void loaded_release(struct loaded *t);
/* The messages: "line:col severity code: text", one a line, hints as "  hint: text". In the arena. */
const char *loaded_messages(struct loaded *t);
/* "ns/name", or NULL. */
const struct pod *loaded_pod(const struct loaded *t, const char *name);
/* Text of a resource list. In the arena. */
const char *loaded_list(struct loaded *t, const struct reslist *l);
