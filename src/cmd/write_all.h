#pragma once
/* Output that counts: short writes go on, interrupted ones are tried again. */
#include <stdbool.h>
#include <stddef.h>

/* False with errno set when not everything could be written. */
bool write_all(int fd, const char *p, size_t n);
