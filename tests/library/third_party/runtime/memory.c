/* Allocation from regions, copies, owners of buffers, and registration. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct allocation {
    struct object object;
    struct region *region;
    size_t size;
    const struct agent *owner; /* of coarse-grained memory; NULL until one is assigned */
    hsa_access_permission_t access;
};

struct registration {
    void *ptr;
    size_t size;
    struct registration *next;
};

static struct registration *registrations;

/* Take memory from a region that allows it. The lock is held. */
hsa_status_t allocate(struct region *region, size_t size, void **ptr)
{
    size = (size + region->granule - 1) / region->granule * region->granule;
    if (size > region->size - region->used)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    struct allocation *allocation = calloc(1, sizeof *allocation);
    void *memory;
    if (!allocation || posix_memalign(&memory, region->alignment, size) != 0) {
        free(allocation);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    allocation->region = region;
    allocation->size = size;
    add_object(&allocation->object, ALLOCATION, (uintptr_t)memory);
    region->used += size;
    *ptr = memory;
    return HSA_STATUS_SUCCESS;
}

static void free_allocation(struct allocation *allocation)
{
    allocation->region->used -= allocation->size;
    remove_object(&allocation->object);
    free((void *)allocation->object.address);
    free(allocation);
}

/* Give memory back; return whether it was allocated. The lock is held. */
bool release(void *ptr)
{
    struct object *found = find_object(ALLOCATION, (uintptr_t)ptr);
    if (found)
        free_allocation((struct allocation *)found);
    return found != NULL;
}

void reset_memory(void)
{
    struct object *object;
    pthread_mutex_lock(&runtime_lock);
    while ((object = any_object(ALLOCATION)))
        free_allocation((struct allocation *)object);
    while (registrations) {
        struct registration *first = registrations;
        registrations = first->next;
        free(first);
    }
    pthread_mutex_unlock(&runtime_lock);
}

hsa_status_t hsa_memory_allocate(hsa_region_t region, size_t size, void **ptr)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    struct region *found = find_region(region);
    if (!found)
        return HSA_STATUS_ERROR_INVALID_REGION;
    if (!ptr || size == 0)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (found->granule == 0 || size > found->alloc_max)
        return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    pthread_mutex_lock(&runtime_lock);
    hsa_status_t status = allocate(found, size, ptr);
    pthread_mutex_unlock(&runtime_lock);
    return status;
}

hsa_status_t hsa_memory_free(void *ptr)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    pthread_mutex_lock(&runtime_lock);
    bool released = release(ptr);
    pthread_mutex_unlock(&runtime_lock);
    return released || !ptr ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_memory_copy(void *dst, const void *src, size_t size)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    if (!dst || !src)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    memmove(dst, src, size);
    return HSA_STATUS_SUCCESS;
}

/* Memory that the runtime did not allocate is fine-grained, and has no owner. */
hsa_status_t hsa_memory_assign_agent(void *ptr, hsa_agent_t agent, hsa_access_permission_t access)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    const struct agent *found = find_agent(agent);
    if (!found)
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!ptr || (access != HSA_ACCESS_PERMISSION_RO && access != HSA_ACCESS_PERMISSION_WO &&
                 access != HSA_ACCESS_PERMISSION_RW))
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    pthread_mutex_lock(&runtime_lock);
    struct allocation *memory = (struct allocation *)find_object(ALLOCATION, (uintptr_t)ptr);
    if (memory && memory->region->flags & HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED) {
        memory->owner = found;
        memory->access = access;
    }
    pthread_mutex_unlock(&runtime_lock);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_memory_register(void *ptr, size_t size)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    if (!ptr)
        return HSA_STATUS_SUCCESS;
    if (size == 0)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    struct registration *registration = malloc(sizeof *registration);
    if (!registration)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    pthread_mutex_lock(&runtime_lock);
    *registration = (struct registration){ptr, size, registrations};
    registrations = registration;
    pthread_mutex_unlock(&runtime_lock);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_memory_deregister(void *ptr, size_t size)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    if (!ptr)
        return HSA_STATUS_SUCCESS;
    pthread_mutex_lock(&runtime_lock);
    struct registration **link = &registrations;
    while (*link && ((*link)->ptr != ptr || (*link)->size != size))
        link = &(*link)->next;
    struct registration *found = *link;
    if (found)
        *link = found->next;
    pthread_mutex_unlock(&runtime_lock);
    free(found);
    return found ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
