/* Calls that go past the functions that this library puts itself in front of. */
#ifndef KERNEL_H
#define KERNEL_H

#include <sys/types.h>

#include "base/base.h"

int kernel_open(int folder, const char *path, int flags, mode_t mode);
void *kernel_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);
int kernel_munmap(void *address, size_t size);
/* For what a child does before fork returns there: a sanitizer's own close does not work yet. */
int kernel_close(int descriptor);
/* Memory that no ledger counts, given back by kernel_munmap; NULL where there is none. */
void *private_memory(size_t size);
/* The function that this library stands in front of. */
void *next_function(const char *name);
/* Move a descriptor to where nobody looks for it; -1 where there is none. */
int hidden(int descriptor);
/* A file in memory that is mapped here; NULL where there is no room. */
uint8_t *memory_file(const char *name, uint64_t size, int *descriptor);

#endif
