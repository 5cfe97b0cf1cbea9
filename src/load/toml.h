#pragma once
/*
 * Whether a text is TOML, and what its values are: enough to say of user data for Bottlerocket whether
 * Karpenter can read it. No tree is built. Messages are in the words of the library that Karpenter reads TOML
 * with (go-toml v2), without its "toml: ".
 */
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "str.h"

enum toml_kind {
	TOML_STRING,
	TOML_INTEGER,
	TOML_FLOAT,
	TOML_BOOL,
	TOML_TIME,
	TOML_ARRAY,
	TOML_INLINE_TABLE,
	TOML_TABLE
};

#define TOML_MAX_DEPTH 64
#define TOML_MAX_PARTS 64

struct toml_path {
	uint32_t n;
	struct str part[TOML_MAX_PARTS];
};

/* Called for each value and each table header with its whole path; NULL goes on, a text ends reading with
 * that error. */
typedef const char *(*toml_visit)(void *ctx, struct arena *a, const struct toml_path *path,
				  enum toml_kind kind);

/* NULL, or the first error. */
const char *toml_read(struct arena *a, struct str text, toml_visit visit, void *ctx);
