/* After hsa_shut_down no thread of the runtime may use what is gone. */
#include "ipc.h"
#include <poll.h>

enum { BLOCKS = 1, ROUNDS = 40, MOMENT = 20 };

FUNCTION(int, hsa_shut_down, (void), ())

static int share_and_shut_down(void)
{
    hsa_amd_ipc_memory_t name;

    initialise();
    for (int i = 0; i < BLOCKS; i++)
        if (hsa_amd_ipc_memory_create(block_of(HSA_DEVICE_TYPE_GPU, SHARED_BYTES), SHARED_BYTES,
                                      &name))
            cannot_tell("no name of memory");
    if (hsa_shut_down())
        cannot_tell("hsa_shut_down fails");
    poll(NULL, 0, MOMENT);
    return NO_DEFECT;
}

int main(int count, char **words)
{
    int result = NO_DEFECT;

    load(count, words);
    for (int round = 0; round < ROUNDS && result == NO_DEFECT; round++)
        result = survive(share_and_shut_down);
    return result;
}
