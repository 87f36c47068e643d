/* To start the runtime and shut it down again and again does not take more of the heap each time,
 * for GPUs that it does not show either. */
#define _GNU_SOURCE
#include "finding.h"

enum { WARM_UP = 50, ROUNDS = 100, LEAST = 256 /* bytes of what a GPU has to do with */ };

FUNCTION(int, hsa_shut_down, (void), ())

/* What mallinfo2 of the GNU C library answers. */
struct heap {
    size_t word[10];
};

static size_t in_use(void)
{
    static struct heap (*mallinfo2)(void);
    void *found = dlsym(RTLD_DEFAULT, "mallinfo2");

    if (!found)
        cannot_tell("the C library does not say what its heap holds");
    memcpy(&mallinfo2, &found, sizeof found);
    struct heap heap = mallinfo2();
    return heap.word[4] + heap.word[7];
}

static void rounds(int count)
{
    for (int i = 0; i < count; i++) {
        initialise();
        if (hsa_shut_down())
            cannot_tell("hsa_shut_down fails");
    }
}

int main(int count, char **words)
{
    setenv("ROCR_VISIBLE_DEVICES", "1", 1); /* the second GPU, and not the first */
    load(count, words);
    rounds(WARM_UP);
    size_t before = in_use();
    rounds(ROUNDS);
    size_t after = in_use();

    printf("the heap held %zu bytes, and holds %zu after %d more rounds\n", before, after, ROUNDS);
    return after >= before + (size_t)ROUNDS * LEAST ? DEFECT : NO_DEFECT;
}
