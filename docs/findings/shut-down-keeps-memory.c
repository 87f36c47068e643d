/* To initialise the runtime and shut it down again and again does not take more of the heap each
 * time. */
#include "heap.h"

enum { ROUNDS = 600, LEAST = 24 /* bytes of the smallest block of a heap */ };

int main(int count, char **words)
{
    load(count, words);
    return grows(ROUNDS, LEAST) ? DEFECT : NO_DEFECT;
}
