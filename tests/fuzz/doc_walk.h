#pragma once
/* Reads bytes as documents and walks what comes out; a promise of doc.h that is broken ends the process. */
#include <stddef.h>
#include <stdint.h>

void doc_walk(const uint8_t *data, size_t size);
