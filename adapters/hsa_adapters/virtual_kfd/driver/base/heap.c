/* The functions of the heap, counted: the C library's own numbers take what a thread has put aside
 * for its next request for memory that is in use.
 *
 * What the driver takes for itself, with its lock held, is not the program's.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"
#include "base/heap.h"
#include "base/state.h"

#ifdef __GLIBC__

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static _Atomic int64_t in_use;

int64_t heap_bytes(void)
{
    return atomic_load_explicit(&in_use, memory_order_relaxed);
}

static void count(int64_t bytes)
{
    atomic_fetch_add_explicit(&in_use, bytes, memory_order_relaxed);
}

static void *taken(void *block)
{
    if (block && !is_driving())
        count((int64_t)malloc_usable_size(block));
    return block;
}

static void give(void *block)
{
    if (block && !is_driving())
        count(-(int64_t)malloc_usable_size(block));
}

EXPORT void *malloc(size_t size)
{
    return taken(__libc_malloc(size));
}

EXPORT void *calloc(size_t count, size_t size)
{
    return taken(__libc_calloc(count, size));
}

EXPORT void *realloc(void *old, size_t size)
{
    int64_t before = old && !is_driving() ? (int64_t)malloc_usable_size(old) : 0;
    void *block = __libc_realloc(old, size);

    if (block || (old && !size))
        count(-before);
    return taken(block);
}

EXPORT void free(void *block)
{
    give(block);
    __libc_free(block);
}

EXPORT void *memalign(size_t alignment, size_t size)
{
    return taken(__libc_memalign(alignment, size));
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) || !alignment || alignment & (alignment - 1))
        return EINVAL;
    void *found = memalign(alignment, size);
    if (!found)
        return ENOMEM;
    *block = found;
    return 0;
}

EXPORT void *valloc(size_t size)
{
    return memalign((size_t)sysconf(_SC_PAGESIZE), size);
}

#else

int64_t heap_bytes(void)
{
    return -1;
}

#endif
