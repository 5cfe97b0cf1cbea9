#pragma once
/*
 * What a scalar means. The rules are those of sigs.k8s.io/yaml as kubectl and the API server apply them
 * (YAML 1.1): plain null, ~ and the empty scalar are null; yes/no/on/off/true/false in the usual spellings
 * are booleans; decimal, octal, hexadecimal, binary integers with underscores and floats are numbers;
 * anything quoted is a string.
 */
#include <stdbool.h>
#include <stdint.h>

#include "doc.h"

enum scalar_type { SCALAR_NULL, SCALAR_BOOL, SCALAR_INT, SCALAR_FLOAT, SCALAR_STRING };

struct scalar {
	enum scalar_type type;
	bool b;
	bool big;  /* SCALAR_INT that does not fit int64; i is saturated */
	int64_t i; /* SCALAR_INT */
	double f;  /* SCALAR_INT and SCALAR_FLOAT */
};

/* n must be a scalar. Never fails: text that is nothing else is a string. */
struct scalar scalar_of(const struct doc_node *n);
/* Whether a value counts as absent: NULL, or a null scalar. */
bool doc_is_null(const struct doc_node *n);
/* "a string", "a number", "a boolean", "a map", "a list", "null": for messages. */
const char *doc_type_name(const struct doc_node *n);
