/* An honest implementation of the core and virtual memory functions on a machine of one CPU and
 * one GPU, written from the public headers alone. Other fakes define hooks and include it. */
#include "fake.h"

#include "memory.c"

#include "core.c"
#include "pools.c"
#include "vmem.c"
