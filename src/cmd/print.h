#pragma once
/* The forms of --output, for results that have all of them. */
#include "cmd.h"
#include "emit.h"
#include "rep_disruption.h"
#include "rounds.h"

enum output { OUTPUT_TEXT, OUTPUT_WIDE, OUTPUT_NAME, OUTPUT_JSON, OUTPUT_YAML };

enum output output_of(const struct opts *o);
/* How many rounds --rounds and --settle ask for; 1 without them. */
uint32_t rounds_wanted(const struct opts *o);
/* Whether the caller is to be told of several rounds, even if one sufficed. */
bool rounds_many(const struct opts *o);
/* Whether options on rounds go together; false after a diagnostic. */
bool rounds_options_fit(struct run *r);
struct disruption_report round_report(struct run *r, const struct one_round *round);
/* The rounds one after the other, and how they ended. */
void print_rounds_text(struct run *r, const struct rounds *rounds, bool wide);
/* rounds: [...], cost: [...], ended: {...}, as members of an open map. */
void emit_rounds(struct run *r, struct emit *e, const struct rounds *rounds);
