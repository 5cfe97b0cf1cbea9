#pragma once
/* Reads a text and shows what came of it: the trees in one line each, and the messages. */
#include "doc.h"

struct doc_fixture {
	struct arena a;
	struct diags d;
	struct docs docs;
	struct buf out;
};

void doc_fixture_init(struct doc_fixture *f);
void doc_fixture_release(struct doc_fixture *f);
bool doc_fixture_read(struct doc_fixture *f, struct str text);
/*
 * One document a line in order of index: JSON, but plain scalars as written and without quotes; "BAD text"
 * for a bad one. With positions each node is followed by @line:col, scalars by +len too, keys by @line:col.
 */
const char *doc_fixture_trees(struct doc_fixture *f, bool positions);
/* "line:col KSnnnn text" for each message, notes without code; hints as "hint: text". */
const char *doc_fixture_messages(struct doc_fixture *f);

/* Reads text afresh and gives its trees or messages; valid until the next call. */
const char *doc_trees_of(struct doc_fixture *f, struct str text, bool positions);
const char *doc_messages_of(struct doc_fixture *f, struct str text);
