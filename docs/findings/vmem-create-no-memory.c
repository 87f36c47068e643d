/* hsa_amd_vmem_handle_create that finds no memory says so, and does not succeed with the handle 0.
 *
 * usage: vmem-create-no-memory [LIBRARY]    (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t handle;
} handle; /* an agent, a pool, or virtual memory: all have this form */

enum {
    CANNOT_TELL = 77, INFO_DEVICE = 17, INFO_BREAK = 1, POOL_SIZE = 2, POOL_ALLOC_ALLOWED = 5,
    POOL_GRANULE = 6, VIRTUAL_MEMORY_SUPPORTED = 0x205, GPU = 1, PARTS = 8,
};

static void *library;

static void cannot_tell(const char *why)
{
    printf("cannot tell: %s\n", why);
    exit(CANNOT_TELL);
}

static int find(const char *name, void *function)
{
    void *found = dlsym(library, name);

    if (found)
        memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void need(const char *name, void *function)
{
    if (!find(name, function))
        cannot_tell(name);
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
static int (*agents)(int (*)(handle, void *), void *);

static void find_agents(void)
{
    need("hsa_agent_get_info", &agent_info);
    need("hsa_iterate_agents", &agents);
}

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

    agents(take_agent, &device);
    if (!device.agent.handle)
        cannot_tell("an agent is missing");
    return device.agent;
}

static int (*pool_info)(handle, uint32_t, void *);
static int (*pools)(handle, int (*)(handle, void *), void *);

static void find_pools(void)
{
    need("hsa_amd_memory_pool_get_info", &pool_info);
    need("hsa_amd_agent_iterate_memory_pools", &pools);
}

struct choice {
    bool allocatable;
    handle pool;
};

static int take_pool(handle pool, void *data)
{
    struct choice *wanted = data;
    bool allocatable;

    if (pool_info(pool, POOL_ALLOC_ALLOWED, &allocatable) || allocatable != wanted->allocatable)
        return 0;
    wanted->pool = pool;
    return INFO_BREAK;
}

static handle pool_of(handle agent, bool allocatable)
{
    struct choice choice = {allocatable, {0}};

    pools(agent, take_pool, &choice);
    if (!choice.pool.handle)
        cannot_tell("a pool is missing");
    return choice.pool;
}

static size_t granule_of(handle pool)
{
    size_t granule;

    if (pool_info(pool, POOL_GRANULE, &granule))
        cannot_tell("the granule is unknown");
    return granule;
}

static void need_virtual_memory(void)
{
    int (*system_info)(uint32_t, void *);
    bool supported = false;

    need("hsa_system_get_info", &system_info);
    if (system_info(VIRTUAL_MEMORY_SUPPORTED, &supported) || !supported)
        cannot_tell("no virtual memory");
}

static int (*create)(handle, size_t, int, uint64_t, handle *);

int main(int count, char **words)
{
    handle pool, memory;
    size_t granule, size;
    int status = 0;

    load(count, words);
    initialise();
    need_virtual_memory();
    find_agents();
    find_pools();
    need("hsa_amd_vmem_handle_create", &create);
    pool = pool_of(agent_of(GPU), true);
    granule = granule_of(pool);
    if (pool_info(pool, POOL_SIZE, &size))
        cannot_tell("the size of the pool is unknown");
    size = size / PARTS / granule * granule;

    /* More parts than there are: sooner or later there is no memory for one. */
    for (int part = 1; !status && part <= 2 * PARTS; part++) {
        memory.handle = 1;
        status = create(pool, size, 0, 0, &memory);
        printf("part %d of %d: status %#x, handle %#llx\n", part, PARTS, (unsigned)status,
               (unsigned long long)memory.handle);
        if (!status && !memory.handle)
            return 1;
    }
    return 0;
}
