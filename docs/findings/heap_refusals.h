/* Memory that calls in a thread are refused, for the programs about what runs out of it.
 *
 * The program has functions of the heap of its own, which stand before those of the C library; that
 * has to be glibc. This header has to be the first one that a program includes.
 */
#ifndef HEAP_REFUSALS_H
#define HEAP_REFUSALS_H

#define _GNU_SOURCE
#include "finding.h"
#include <errno.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

/* How many requests of this thread are met before one is refused; negative: all are. */
static _Thread_local int requests_left = -1;

/* Whether code of the library asks, or the runtime of C++ on its behalf. */
static bool asked_by_library(const void *caller)
{
    static void *base;
    Dl_info asks, inside;
    const char *name;

    if (!base && dladdr(dlsym(library, "hsa_init"), &inside))
        base = inside.dli_fbase;
    if (!dladdr(caller, &asks))
        return false;
    name = strrchr(asks.dli_fname, '/');
    return asks.dli_fbase == base || (name && !strncmp(name, "/libstdc++.so", 13));
}

static bool is_refused(const void *caller)
{
    if (requests_left < 0 || !asked_by_library(caller) || requests_left-- > 0)
        return false;
    errno = ENOMEM;
    return true;
}

#define REFUSED is_refused(__builtin_return_address(0))

void *malloc(size_t size)
{
    return REFUSED ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return REFUSED ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return (size || !old) && REFUSED ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size)
{
    return REFUSED ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return REFUSED ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    void *found = REFUSED ? NULL : __libc_memalign(alignment, size);

    if (found)
        *block = found;
    return found ? 0 : ENOMEM;
}

static int requests_met; /* in the process that is tried, before the one that is refused */

/* Refuse a request of the next call; to be ended with `memory_refused`. */
static inline void refuse_memory(void)
{
    requests_left = requests_met;
}

/* Refuse nothing any more, and return whether a request was refused. */
static inline bool memory_refused(void)
{
    bool refused = requests_left < 0;

    requests_left = -1;
    return refused;
}

enum { NO_MORE = 2, MOST_REQUESTS = 1000 };

/* Run in a child for many of the requests that a call makes; it returns NO_MORE when there is none. */
static inline int each_request(body *body)
{
    for (requests_met = 0; requests_met < MOST_REQUESTS; requests_met += 1 + requests_met / 16) {
        int found = survive(body);

        if (found == NO_MORE)
            return NO_DEFECT;
        if (found != NO_DEFECT)
            return found;
    }
    cannot_tell("the call makes too many requests for memory");
    return CANNOT_TELL;
}

#endif
