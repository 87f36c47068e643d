/* What the program has taken from its heap. */
#ifndef HEAP_H
#define HEAP_H

#include "base/base.h"

/* Bytes in use; -1 where nobody counts them. */
int64_t heap_bytes(void);

#endif
