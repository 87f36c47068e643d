/* The machine's memory: pools, objects (memory behind handles) and ranges of addresses. */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static const struct {
    int agent;
    uint32_t segment, flags;
    size_t size;
    bool allocatable;
} pools[POOLS] = {
    [CPU_FINE] = {CPU, 0, 1 | 2, (size_t)4 << 30, true},
    [CPU_COARSE] = {CPU, 0, 4, (size_t)4 << 30, true},
    [GPU_COARSE] = {GPU, 0, 4, (size_t)2 << 30, true},
    [GPU_GROUP] = {GPU, 3, 0, 64 << 10, false},
};

/* A handle is the address of a block that nothing else has, so one kind is never taken for another,
 * nor a handle slightly off for its neighbour. */
static const struct {
    char block[64];
} agent_identity[AGENTS], pool_identity[POOLS];

static hsa_agent_t agent_handle(int agent)
{
    return (hsa_agent_t){(uintptr_t)&agent_identity[agent]};
}

static hsa_amd_memory_pool_t pool_handle(int pool)
{
    return (hsa_amd_memory_pool_t){(uintptr_t)&pool_identity[pool]};
}

/* Return the index of an agent, or -1. */
static int find_agent(hsa_agent_t agent)
{
    for (int i = 0; i < AGENTS; i++)
        if (agent.handle == agent_handle(i).handle)
            return i;
    return -1;
}

static int find_pool(hsa_amd_memory_pool_t pool)
{
    for (int i = 0; i < POOLS; i++)
        if (pool.handle == pool_handle(i).handle)
            return i;
    return -1;
}

/* Return the range of a kind that holds an address, or NULL. */
static range *find_range(enum kind kind, const void *address)
{
    uintptr_t wanted = (uintptr_t)address;
    for (range *it = ranges; it; it = it->next)
        if (it->kind == kind && wanted - (uintptr_t)it->start < it->size)
            return it;
    return NULL;
}

static range *new_range(enum kind kind, char *start, size_t size, int pool)
{
    range *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    *it = (range){ranges, kind, start, size, NULL, pool, {NEVER_SET, NEVER_SET}};
    return ranges = it;
}

static void drop_range(range *gone)
{
    range **link = &ranges;
    while (*link != gone)
        link = &(*link)->next;
    *link = gone->next;
    free(gone);
}

/* Let the CPU have the access that is recorded for it. */
static bool protect(const range *it)
{
    static const int protections[] = {
        [NONE] = PROT_NONE,       [READ_ONLY] = PROT_READ,
        [WRITE_ONLY] = PROT_WRITE, [READ_WRITE] = PROT_READ | PROT_WRITE,
        [NEVER_SET] = PROT_NONE,
    };
    return mprotect(it->start, it->size, protections[it->access[CPU]]) == 0;
}

static object *find_object(hsa_amd_vmem_alloc_handle_t handle)
{
    for (object *it = objects; it; it = it->next)
        if (it->references && it->handle == handle.handle)
            return it;
    return NULL;
}

/* Make an object around a descriptor, which becomes its own. */
static object *new_object(int descriptor, size_t size, int pool, int type, bool imported)
{
    static uint64_t last; /* handles are not used again */
    object *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    *it = (object){objects, last += 16, size, pool, type, descriptor, 1, 0, imported};
    if (!imported)
        used[pool] += size;
    return objects = it;
}

/* Free an object that nothing refers to. */
static void drop_object_if_unused(object *it)
{
    if (it->references || it->mappings)
        return;
    object **link = &objects;
    while (*link != it)
        link = &(*link)->next;
    *link = it->next;
    if (!it->imported)
        used[it->pool] -= it->size;
    close(it->descriptor);
    free(it);
}

/* The name of an object's file carries what another process needs to know of it. */
#define OBJECT_NAME "hsa-vmem:%d:%d"

static object *create_object(int pool, size_t size, int type)
{
    char name[64];
    snprintf(name, sizeof name, OBJECT_NAME, pool, type);
    int descriptor = memfd_create(name, MFD_CLOEXEC);
    if (descriptor < 0)
        return NULL;
    object *it = NULL;
    if (ftruncate(descriptor, (off_t)size) == 0)
        it = new_object(descriptor, size, pool, type, false);
    if (!it)
        close(descriptor);
    return it;
}

/* Give back everything: the runtime was shut down. */
static void drop_everything(void)
{
    endings++;
    while (ranges) {
        if (ranges->kind != MAPPING) /* a mapping goes with its reservation */
            munmap(ranges->start, ranges->size);
        drop_range(ranges);
    }
    while (objects) {
        objects->references = objects->mappings = 0;
        drop_object_if_unused(objects);
    }
    for (int i = 0; i < POOLS; i++)
        used[i] = 0;
}
