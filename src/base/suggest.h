#pragma once
/*
 * "Did you mean": the closest of some candidates to a misspelt word. Distance counts inserted, removed,
 * replaced and swapped neighbouring letters, case ignored; only a candidate within a third of the word's
 * length counts. Of equally close ones the first tried stands.
 */
#include "str.h"

struct suggest {
	struct str word;
	struct str best; /* empty when nothing is close */
	unsigned distance;
};

void suggest_init(struct suggest *s, struct str word);
void suggest_try(struct suggest *s, struct str candidate);
