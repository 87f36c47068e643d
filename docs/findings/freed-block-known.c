/* The address of a block that was freed is of no known kind.
 *
 * usage: freed-block-known [LIBRARY]    (default: libhsa-runtime64.so.1)
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
} handle; /* an agent, or a pool: both have this form */

enum {
    CANNOT_TELL = 77, INFO_DEVICE = 17, INFO_BREAK = 1, POOL_ALLOC_ALLOWED = 5, GPU = 1,
    KIND_UNKNOWN = 0, SMALL = 4096,
};

/* What hsa_amd_pointer_info fills in; newer releases have more. */
struct info {
    uint32_t size, kind;
    void *agent_address, *host_address;
    size_t bytes;
    void *user_data;
    handle owner;
    uint32_t flags;
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

static uint32_t kind_of(const void *address)
{
    int (*pointer_info)(const void *, struct info *, void *, uint32_t *, handle **);
    struct info info = {.size = sizeof info};

    need("hsa_amd_pointer_info", &pointer_info);
    if (pointer_info(address, &info, NULL, NULL, NULL))
        cannot_tell("the kind of the address is unknown");
    return info.kind;
}

int main(int count, char **words)
{
    int (*allocate)(handle, size_t, uint32_t, void **);
    int (*give_back)(void *);
    uint32_t before, after;
    void *block;

    load(count, words);
    initialise();
    find_agents();
    find_pools();
    need("hsa_amd_memory_pool_allocate", &allocate);
    need("hsa_amd_memory_pool_free", &give_back);
    if (allocate(pool_of(agent_of(GPU), true), SMALL, 0, &block))
        cannot_tell("no memory");
    before = kind_of(block);
    if (give_back(block))
        cannot_tell("the block is not freed");
    after = kind_of(block);
    printf("kind %u, and when it was freed %u\n", before, after);
    return after != KIND_UNKNOWN;
}
