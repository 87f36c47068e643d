/* To start the runtime and shut it down again and again does not take more of the heap each time,
 * for GPUs that it does not show either. */
#define _GNU_SOURCE
#include "heap.h"

enum { ROUNDS = 100, LEAST = 256 /* bytes of what a GPU has to do with */ };

int main(int count, char **words)
{
    setenv("ROCR_VISIBLE_DEVICES", "1", 1); /* the second GPU, and not the first */
    load(count, words);
    return grows(ROUNDS, LEAST) ? DEFECT : NO_DEFECT;
}
