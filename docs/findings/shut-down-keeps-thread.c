/* To start the runtime, name a block for other processes, free it, and shut the runtime down again
 * and again does not take the addresses of one more thread's stack each time. */
#include "ipc.h"
#include <poll.h>

enum { WARM_UP = 2, ROUNDS = 8, LEAST = 1 << 20, MOMENT = 20, PROCESSES = 20 };

FUNCTION(int, hsa_shut_down, (void), ())
FUNCTION(int, hsa_amd_memory_pool_free, (void *block), (block))

/* Bytes of all addresses that the process has. */
static size_t addresses(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    size_t pages;

    if (!file || fscanf(file, "%zu", &pages) != 1)
        cannot_tell("the size of the process is unknown");
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void rounds(int count)
{
    hsa_amd_ipc_memory_t name;

    for (int i = 0; i < count; i++) {
        initialise();
        void *block = block_of(HSA_DEVICE_TYPE_GPU, SHARED_BYTES);
        if (hsa_amd_ipc_memory_create(block, SHARED_BYTES, &name) ||
            hsa_amd_memory_pool_free(block) || hsa_shut_down())
            cannot_tell("the block is not named, or not freed, or the runtime not shut down");
        poll(NULL, 0, MOMENT); /* what ends a little later is no loss */
    }
}

static int grows(void)
{
    rounds(WARM_UP);
    size_t before = addresses();
    rounds(ROUNDS);
    size_t after = addresses();

    printf("the process had %zu bytes of addresses, and has %zu after %d more rounds\n", before,
           after, ROUNDS);
    return after >= before + (size_t)ROUNDS * LEAST ? DEFECT : NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    need("hsa_amd_ipc_memory_create");
    /* That the thread may end the process is another defect (shut-down-ipc-thread). */
    for (int process = 0; process < PROCESSES; process++) {
        int status = run(grows, 60);
        if (status < 128)
            return status;
    }
    cannot_tell("no process came to its end");
}
