#pragma once
/*
 * Regular expressions with the meaning of Go's RE2 on the part of its syntax that schemas use: literals, '.',
 * classes with ranges and negation, \d \s \w and escaped punctuation, groups, '|' with empty alternatives, *
 * + ? {m} {m,n}, ^ and $.
 * '$' is the very end of the text, '.' is no newline. Matching walks all states at once: time grows with
 * length of text x size of pattern, whatever the pattern. Works on bytes, which is right for UTF-8 as long as
 * no counted repetition is about characters beyond ASCII.
 *
 * A compiled expression belongs to the arena it was made in and does not change.
 */
#include <stdbool.h>

#include "arena.h"
#include "str.h"

struct re;

/* The pattern is the program's own: one that is not understood is a bug and ends the run. */
const struct re *re_compile(struct arena *a, const char *pattern);
/* Whether the text matches, anywhere in it unless the pattern is anchored. */
bool re_match(const struct re *re, struct str text);
