/* What the heap holds over many starts of the runtime, for the programs about what is kept. */
#ifndef HEAP_H
#define HEAP_H

#include "finding.h"

enum { WARM_UP = 50, SPANS = 3 };

FUNCTION(int, hsa_shut_down, (void), ())

/* What mallinfo2 of the GNU C library answers. */
struct heap {
    size_t word[10];
};

static inline size_t in_use(void)
{
    static struct heap (*mallinfo2)(void);
    void *found = dlsym(RTLD_DEFAULT, "mallinfo2");

    if (!found)
        cannot_tell("the C library does not say what its heap holds");
    memcpy(&mallinfo2, &found, sizeof found);
    struct heap heap = mallinfo2();
    return heap.word[4] + heap.word[7];
}

/* What a program does with the runtime before it shuts it down again. */
typedef void use(void);

static inline void rounds(int count, use *use)
{
    for (int i = 0; i < count; i++) {
        initialise();
        if (use)
            use();
        if (hsa_shut_down())
            cannot_tell("hsa_shut_down fails");
    }
}

/* Whether each start, use and shut-down leaves so many bytes behind: the heap grows over each of
 * several spans of them, since a thread that ends late can hold memory at the end of one. */
static inline bool grows_with(use *use, int count, size_t least)
{
    rounds(WARM_UP, use);
    for (int span = 0; span < SPANS; span++) {
        size_t before = in_use();
        rounds(count, use);
        size_t after = in_use();

        printf("the heap held %zu bytes, and holds %zu after %d more rounds\n", before, after, count);
        if (after < before + (size_t)count * least)
            return false;
    }
    return true;
}

static inline bool grows(int count, size_t least)
{
    return grows_with(NULL, count, least);
}

#endif
