/* Sharing memory by name opens no descriptor that programs inherit. */
#include "ipc.h"
#include <fcntl.h>

enum { MOST = 1024 };

/* How many open descriptors stay open when a program is executed. */
static int inherited(void)
{
    int count = 0;

    for (int number = 3; number < MOST; number++) {
        int flags = fcntl(number, F_GETFD);
        count += flags >= 0 && !(flags & FD_CLOEXEC);
    }
    return count;
}

int main(int count, char **words)
{
    hsa_amd_ipc_memory_t name;
    int before, after;

    start(count, words);
    before = inherited();
    if (hsa_amd_ipc_memory_create(block_of(HSA_DEVICE_TYPE_GPU, SHARED_BYTES), SHARED_BYTES, &name))
        cannot_tell("the block gets no name");
    after = inherited();
    printf("programs inherit %d descriptors before, and %d after\n", before, after);
    return after > before ? DEFECT : NO_DEFECT;
}
