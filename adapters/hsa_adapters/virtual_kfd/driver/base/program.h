/* The program's own memory, which it may take away. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "base/base.h"

/* Return whether the driver may touch memory of the program. */
bool is_there(const void *address, uint64_t size, bool write);
/* Return whether all of a range belongs to some mapping of the program. */
bool is_mapped(uint64_t address, uint64_t size);

#endif
