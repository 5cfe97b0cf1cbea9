#pragma once
/* The input of a command, from its options: the objects, decoded. */
#include "cluster.h"
#include "cmd.h"

/* NULL after diagnostics: nothing may be decided from a broken input. Lives in the arena of the run. */
struct cluster *input_load(struct run *r);
