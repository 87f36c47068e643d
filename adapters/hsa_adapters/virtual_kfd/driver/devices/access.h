/* Accesses of a GPU; false after a fault, of which the program has been told. */
#ifndef ACCESS_H
#define ACCESS_H

#include "base/wire.h"
#include "memory/pages.h"

/* Memory as the GPU sees it: what its page table has there, or shared virtual memory. */
struct view gpu_view(int gpu, uint64_t address, bool write);
bool gpu_read(int gpu, uint64_t address, void *bytes, uint64_t size);
bool gpu_write(int gpu, uint64_t address, const void *bytes, uint64_t size);
bool gpu_copy(int gpu, uint64_t to, uint64_t from, uint64_t size);
bool gpu_fill(int gpu, uint64_t to, uint32_t value, uint64_t words);
bool gpu_load(int gpu, uint64_t address, uint64_t *value);
bool gpu_store(int gpu, uint64_t address, uint64_t value);
bool gpu_add(int gpu, uint64_t address, uint64_t value);
/* An atomic operation of a kernel, by its number, on 4 or 8 bytes. */
bool gpu_change(int gpu, int operation, int size, const struct change *change, uint64_t *old);

#endif
