/* Memory has to be filled with 32-bit numbers, not with bytes.
 *
 * usage: fill-host-bytes [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t handle;
} handle; /* an agent, a region, a pool, or a signal: all have this form */

enum {
    CANNOT_TELL = 77, SUCCESS = 0, DEVICE = 17, CPU = 0, GPU = 1, POOL_ALLOC_ALLOWED = 5,
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

static handle cpu, gpu;

static int note_agent(handle agent, void *data)
{
    int (*info)(handle, uint32_t, void *);
    uint32_t device;

    (void)data;
    need("hsa_agent_get_info", &info);
    if (info(agent, DEVICE, &device))
        return 0;
    if (device == CPU && !cpu.handle)
        cpu = agent;
    if (device == GPU && !gpu.handle)
        gpu = agent;
    return 0;
}

static void find_agents(void)
{
    int (*iterate)(int (*)(handle, void *), void *);

    need("hsa_iterate_agents", &iterate);
    iterate(note_agent, NULL);
    if (!cpu.handle || !gpu.handle)
        cannot_tell("a CPU and a GPU are needed");
}

static int note_pool(handle pool, void *data)
{
    int (*info)(handle, uint32_t, void *);
    bool allowed = false;

    need("hsa_amd_memory_pool_get_info", &info);
    if (!info(pool, POOL_ALLOC_ALLOWED, &allowed) && allowed && !((handle *)data)->handle)
        *(handle *)data = pool;
    return 0;
}

static void *allocate(handle agent)
{
    int (*iterate)(handle, int (*)(handle, void *), void *);
    int (*allocate_in)(handle, size_t, uint32_t, void **);
    handle pool = {0};
    void *block = NULL;

    need("hsa_amd_agent_iterate_memory_pools", &iterate);
    need("hsa_amd_memory_pool_allocate", &allocate_in);
    iterate(agent, note_pool, &pool);
    if (!pool.handle || allocate_in(pool, 4096, 0, &block))
        cannot_tell("no memory of the host");
    return block;
}

int main(int count, char **words)
{
    int (*fill)(void *, uint32_t, size_t);
    uint32_t *block;

    load(count, words);
    need("hsa_amd_memory_fill", &fill);
    initialise();
    find_agents();
    block = allocate(cpu); /* no GPU was given access: no kernel can be meant to do it */
    if (fill(block, 0x11223344, 2) != SUCCESS)
        cannot_tell("the call does not succeed");
    printf("%#x %#x\n", block[0], block[1]);
    return block[0] != 0x11223344 || block[1] != 0x11223344;
}
