/* Memory that another process shares, for the programs about hsa_amd_ipc_memory_attach. */
#ifndef IPC_H
#define IPC_H

#include "finding.h"

enum { SHARED_BYTES = 4096 };

typedef struct {
    uint32_t word[8];
} hsa_amd_ipc_memory_t;

FUNCTION(int, hsa_amd_ipc_memory_create, (void *block, size_t size, hsa_amd_ipc_memory_t *name),
         (block, size, name))
FUNCTION(int, hsa_amd_ipc_memory_attach,
         (const hsa_amd_ipc_memory_t *name, size_t size, uint32_t count, const hsa_agent_t *agents,
          void **mapped),
         (name, size, count, agents, mapped))

static inline bool share_memory(hsa_amd_ipc_memory_t *name)
{
    return !hsa_amd_ipc_memory_create(block_of(HSA_DEVICE_TYPE_GPU, SHARED_BYTES), SHARED_BYTES,
                                      name);
}

/* Start a process that shares something until this one ends; return the name of it. */
static inline hsa_amd_ipc_memory_t shared_by_another_process(bool (*share)(hsa_amd_ipc_memory_t *))
{
    static int names[2], ends[2];
    hsa_amd_ipc_memory_t name;
    char end;
    pid_t child;

    if (pipe(names) || pipe(ends))
        cannot_tell("no pipe");
    fflush(stdout);
    child = fork();
    if (child < 0)
        cannot_tell("no child");
    if (child == 0) {
        close(ends[1]);
        initialise();
        if (share(&name) && write(names[1], &name, sizeof name) == sizeof name)
            while (read(ends[0], &end, 1) > 0)
                ;
        _exit(0);
    }
    close(names[1]);
    if (read(names[0], &name, sizeof name) != sizeof name)
        cannot_tell("the other process shares nothing");
    return name;
}

/* Start a process that shares memory of a GPU until this one ends; return the name of it. */
static inline hsa_amd_ipc_memory_t memory_of_another_process(void)
{
    return shared_by_another_process(share_memory);
}

#endif
