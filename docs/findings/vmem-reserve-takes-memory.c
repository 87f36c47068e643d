/* Addresses that are only reserved must not be memory that the host can read. */
#include "vmem.h"

#include <unistd.h>

int main(int count, char **words)
{
    size_t granule;
    int ends[2];
    void *va;

    start(count, words);
    need_virtual_memory();
    granule = granule_of(gpu_pool());
    va = reserved(granule);
    if (pipe(ends))
        cannot_tell("no pipe");
    /* The kernel reads in our place, and answers EFAULT where we would get a signal. */
    return write(ends[1], va, 1) == 1;
}
