/* A copy of a box to or from NULL, or in no known direction, has to be refused.
 *
 * usage: copy-rect-unchecked [LIBRARY]      (default: libhsa-runtime64.so.1)
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
    CANNOT_TELL = 77, SUCCESS = 0, DEVICE = 17, CPU = 0, GPU = 1, POOL_ALLOC_ALLOWED = 5, HOST_TO_DEVICE = 1, NO_DIRECTION = 4,
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

static handle signal_of(int64_t value)
{
    int (*create)(int64_t, uint32_t, const handle *, handle *);
    handle made = {0};

    need("hsa_signal_create", &create);
    if (create(value, 0, NULL, &made))
        cannot_tell("no signal");
    return made;
}

struct pitched {
    void *base;
    size_t pitch, slice;
};

struct dim3 {
    uint32_t x, y, z;
};

static int (*copy)(const struct pitched *, const struct dim3 *, const struct pitched *,
                   const struct dim3 *, const struct dim3 *, handle, uint32_t, uint32_t,
                   const handle *, handle);

/* The copy waits for a signal that nobody sets to 0, so that it never begins. */
static int is_accepted(const char *what, void *to, void *of, uint32_t direction)
{
    struct pitched target = {to, 64, 512}, source = {of, 64, 512};
    struct dim3 start = {0, 0, 0}, extent = {1, 1, 1};
    handle never = signal_of(1);
    int status = copy(&target, &start, &source, &start, &extent, gpu, direction, 1, &never,
                      signal_of(1));

    printf("%s: status %#x\n", what, (unsigned)status);
    return status == SUCCESS;
}

int main(int count, char **words)
{
    int wrong = 0;
    void *block;

    load(count, words);
    need("hsa_amd_memory_async_copy_rect", &copy);
    initialise();
    find_agents();
    block = allocate(cpu);
    wrong |= is_accepted("to NULL", NULL, block, HOST_TO_DEVICE);
    wrong |= is_accepted("from NULL", block, NULL, HOST_TO_DEVICE);
    wrong |= is_accepted("direction 4", block, block, NO_DIRECTION);
    fflush(stdout);
    _Exit(wrong);
}
