/* A process that has detached a block of another one keeps none of it: once the other has freed the
 * block, there is as much memory as before. */
#include "ipc.h"

enum { BYTES = 64 << 20, ROUNDS = 4, HSA_AMD_AGENT_INFO_MEMORY_AVAIL = 0xA015 };

FUNCTION(int, hsa_amd_memory_pool_free, (void *block), (block))
FUNCTION(int, hsa_amd_ipc_memory_detach, (void *mapped), (mapped))

static int wishes[2], names[2];

/* The other process: for each wish it shares a block, and frees it at the next wish. */
static void share(void)
{
    hsa_amd_ipc_memory_t name;
    void *block = NULL;
    char wish;

    initialise();
    while (read(wishes[0], &wish, 1) == 1) {
        if (block)
            hsa_amd_memory_pool_free(block);
        block = wish == 'b' ? block_of(HSA_DEVICE_TYPE_GPU, BYTES) : NULL;
        if (block && hsa_amd_ipc_memory_create(block, BYTES, &name))
            break;
        if (write(names[1], &name, sizeof name) != sizeof name)
            break;
    }
    _exit(0);
}

static hsa_amd_ipc_memory_t ask(char wish)
{
    hsa_amd_ipc_memory_t name;

    if (write(wishes[1], &wish, 1) != 1 || read(names[0], &name, sizeof name) != sizeof name)
        cannot_tell("the other process shares nothing");
    return name;
}

static uint64_t available(void)
{
    uint64_t bytes;

    if (hsa_agent_get_info(agent_of(HSA_DEVICE_TYPE_GPU), HSA_AMD_AGENT_INFO_MEMORY_AVAIL, &bytes))
        cannot_tell("the agent does not say how much memory is available");
    return bytes;
}

static void attach_and_detach(void)
{
    hsa_amd_ipc_memory_t name = ask('b');
    void *mapped;

    if (hsa_amd_ipc_memory_attach(&name, BYTES, 0, NULL, &mapped) ||
        hsa_amd_ipc_memory_detach(mapped))
        cannot_tell("the block is not attached, or not detached");
    ask('e');
}

int main(int count, char **words)
{
    pid_t child;

    load(count, words);
    need("hsa_amd_ipc_memory_attach");
    if (pipe(wishes) || pipe(names) || (child = fork()) < 0)
        cannot_tell("no other process");
    if (child == 0) {
        close(wishes[1]);
        share();
    }
    close(names[1]);
    initialise();
    attach_and_detach(); /* what the first use takes is no loss */

    uint64_t before = available();
    for (int i = 0; i < ROUNDS; i++)
        attach_and_detach();
    uint64_t after = available();

    printf("%llu bytes were available, %llu are after %d rounds of %d bytes\n",
           (unsigned long long)before, (unsigned long long)after, ROUNDS, BYTES);
    return before - after >= (uint64_t)ROUNDS * BYTES && after < before ? DEFECT : NO_DEFECT;
}
