/* Ioctls that make, map and free memory. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "shared.h"

/* The kernel lets a buffer be mapped for CPUs where its flags say so; user space asks by offset. */
static uint64_t offset_for_mmap(const struct object *object)
{
    if (object->flags & MEMORY_DOORBELL)
        return MMAP_DOORBELL | MMAP_GPU(machine()->gpu[object->gpu].id);
    return object->flags & MEMORY_USERPTR ? 0 : object->offset;
}

static int alloc(void *arguments)
{
    struct alloc_args *args = arguments;
    int gpu = gpu_by_id(args->gpu_id);
    struct object *object;

    if (!args->size || args->size % PAGE || args->address % PAGE)
        return EINVAL;
    if (gpu == NO_GPU)
        return EINVAL;
    if (args->flags & MEMORY_MMIO && args->size != PAGE)
        return EINVAL;
    int error = object_create(gpu, args->address, args->size, args->flags, args->mmap_offset,
                              &object);
    if (error)
        return error;
    args->handle = object->handle;
    args->mmap_offset = offset_for_mmap(object);
    return 0;
}

static int free_memory(void *arguments)
{
    struct object *object = object_by_handle(((struct free_args *)arguments)->handle);

    if (!object)
        return EINVAL;
    for (int gpu = 0; gpu < machine()->gpus; gpu++)
        if (pages_has(gpu, object) && object->references == 1)
            return EBUSY;
    object_release(object);
    return 0;
}

static int map(void *arguments)
{
    struct map_args *args = arguments;
    struct object *object = object_by_handle(args->handle);
    const uint32_t *ids = (const uint32_t *)args->gpu_ids;

    if (!args->count || args->done > args->count || !object || !object->address)
        return EINVAL;
    for (; args->done < args->count; args->done++) {
        int gpu = gpu_by_id(ids[args->done]);
        if (gpu == NO_GPU)
            return EINVAL;
        if (pages_has(gpu, object))
            continue;
        int error = pages_map(gpu, object->address, object->size, object, 0, true);
        if (error)
            return error;
    }
    return 0;
}

static int unmap(void *arguments)
{
    struct map_args *args = arguments;
    struct object *object = object_by_handle(args->handle);
    const uint32_t *ids = (const uint32_t *)args->gpu_ids;

    if (!args->count || args->done > args->count || !object)
        return EINVAL;
    for (; args->done < args->count; args->done++) {
        int gpu = gpu_by_id(ids[args->done]);
        if (gpu == NO_GPU)
            return EINVAL;
        pages_unmap(gpu, object->address, object);
    }
    return 0;
}

static int available(void *arguments)
{
    struct available_args *args = arguments;
    int gpu = gpu_by_id(args->gpu_id);

    if (gpu == NO_GPU)
        return EINVAL;
    args->available = shared_available(gpu);
    return 0;
}

const handler memory_ioctls[KFD_IOCTLS] = {
    [ALLOC_MEMORY_OF_GPU] = alloc,
    [FREE_MEMORY_OF_GPU] = free_memory,
    [MAP_MEMORY_TO_GPU] = map,
    [UNMAP_MEMORY_FROM_GPU] = unmap,
    [AVAILABLE_MEMORY] = available,
};
