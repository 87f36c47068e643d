/* Memory that cannot be shared has to be refused, and not to end the process.
 *
 * usage: ipc-create-asserts [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    uint64_t handle;
} handle; /* an agent, a pool or a signal: all have this form */

enum {
    CANNOT_TELL = 77, INFO_DEVICE = 17, INFO_BREAK = 1, POOL_ALLOC_ALLOWED = 5, CPU = 0,
    SIZE = 4096,
};

static void *library;

static void cannot_tell(const char *why)
{
    printf("cannot tell: %s\n", why);
    exit(CANNOT_TELL);
}

static void need(const char *name, void *function)
{
    void *found = dlsym(library, name);

    if (!found)
        cannot_tell(name);
    memcpy(function, &found, sizeof found);
}

static void load(int count, char **words)
{
    library = dlopen(count > 1 ? words[1] : "libhsa-runtime64.so.1", RTLD_NOW);
    if (!library)
        cannot_tell(dlerror());
}

static void initialise(void)
{
    int (*init)(void);

    need("hsa_init", &init);
    if (init())
        cannot_tell("hsa_init fails: is there a GPU?");
}

static int (*agent_info)(handle, uint32_t, void *);

struct device {
    uint32_t type;
    handle agent;
};

static int take_agent(handle agent, void *data)
{
    struct device *wanted = data;
    uint32_t type;

    if (agent_info(agent, INFO_DEVICE, &type) || type != wanted->type)
        return 0;
    wanted->agent = agent;
    return INFO_BREAK;
}

static handle agent_of(uint32_t type)
{
    struct device device = {type, {0}};
    int (*agents)(int (*)(handle, void *), void *);

    need("hsa_agent_get_info", &agent_info);
    need("hsa_iterate_agents", &agents);
    agents(take_agent, &device);
    if (!device.agent.handle)
        cannot_tell("an agent is missing");
    return device.agent;
}

static int (*pool_info)(handle, uint32_t, void *);

static int take_pool(handle pool, void *data)
{
    handle *wanted = data;
    bool allocatable;

    if (pool_info(pool, POOL_ALLOC_ALLOWED, &allocatable) || !allocatable)
        return 0;
    *wanted = pool;
    return INFO_BREAK;
}

static handle pool_of(handle agent)
{
    handle pool = {0};
    int (*pools)(handle, int (*)(handle, void *), void *);

    need("hsa_amd_memory_pool_get_info", &pool_info);
    need("hsa_amd_agent_iterate_memory_pools", &pools);
    pools(agent, take_pool, &pool);
    if (!pool.handle)
        cannot_tell("a pool is missing");
    return pool;
}

static void *block_of(uint32_t type, size_t size)
{
    int (*allocate)(handle, size_t, uint32_t, void **);
    void *block;

    need("hsa_amd_memory_pool_allocate", &allocate);
    if (allocate(pool_of(agent_of(type)), size, 0, &block))
        cannot_tell("no memory");
    return block;
}

/* Run in a child, which may be killed: return its exit status, or 1 if a signal ended it. */
static int survive(int (*body)(void))
{
    int status;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        alarm(60);
        exit(body());
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        cannot_tell("no child");
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    if (WTERMSIG(status) == SIGALRM)
        cannot_tell("the call did not come back");
    printf("the process was ended by signal %d\n", WTERMSIG(status));
    return 1;
}

static int create(void *block)
{
    int (*create_name)(void *, size_t, uint32_t *);
    uint32_t name[8];

    need("hsa_amd_ipc_memory_create", &create_name);
    printf("status %#x\n", (unsigned)create_name(block, SIZE, name));
    return 0;
}

static int unknown_memory(void)
{
    static char memory[2 * SIZE];

    initialise();
    return create(memory);
}

static int memory_of_the_host(void)
{
    initialise();
    return create(block_of(CPU, SIZE));
}

int main(int count, char **words)
{
    int unknown, host;

    load(count, words);
    unknown = survive(unknown_memory);
    host = survive(memory_of_the_host);
    return unknown == 1 || host == 1 ? 1 : unknown == 0 && host == 0 ? 0 : CANNOT_TELL;
}
