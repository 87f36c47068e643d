/* Ioctls that make, map and free memory. */
#include <errno.h>
#include <string.h>

#include "base/base.h"
#include "base/kfd.h"
#include "base/machine.h"
#include "base/process.h"
#include "base/program.h"
#include "base/shared.h"
#include "memory/doorbells.h"
#include "memory/objects.h"
#include "memory/pages.h"
#include "memory/sharing.h"
#include "devices/events.h"
#include "calls/memory.h"

#define MEMORY_KINDS                                                                               \
    (MEMORY_VRAM | MEMORY_GTT | MEMORY_USERPTR | MEMORY_DOORBELL | MEMORY_MMIO)

/* The kernel lets a buffer be mapped for CPUs where its flags say so; user space asks by offset. */
static uint64_t offset_for_mmap(const struct object *object)
{
    if (object->flags & MEMORY_DOORBELL)
        return MMAP_DOORBELL | MMAP_GPU(machine()->gpu[object->gpu].id);
    return object->flags & MEMORY_USERPTR ? 0 : object->offset;
}

static bool is_valid(const struct alloc_args *args, const struct gpu *gpu)
{
    bool small_bar = gpu->visible < gpu->memory;

    if (!(args->flags & MEMORY_KINDS))
        return false;
    if (args->flags & MEMORY_VRAM && args->flags & MEMORY_PUBLIC && small_bar)
        return false;
    if (args->flags & MEMORY_USERPTR)
        return args->mmap_offset != 0;
    if (args->flags & MEMORY_DOORBELL)
        return args->size == DOORBELL_BYTES;
    return !(args->flags & MEMORY_MMIO) || args->size == PAGE;
}

static int alloc(void *arguments)
{
    struct alloc_args *args = arguments;
    int gpu = gpu_by_id(args->gpu_id);
    struct object *object;

    if (!args->size || gpu == NO_GPU || !is_valid(args, &machine()->gpu[gpu]))
        return EINVAL;
    if (!is_acquired(gpu))
        return ENODEV;
    if (args->size > UINT64_MAX - PAGE)
        return ENOMEM;
    if (args->flags & MEMORY_USERPTR && !is_mapped(args->mmap_offset, args->size))
        return EFAULT;
    int error = object_create(gpu, args->address, PAGES(args->size), args->flags,
                              args->mmap_offset, &object);
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
    /* The driver itself writes there until the process ends. */
    if (event_page_is(object))
        return EPERM;
    if (object->mapped)
        return EBUSY;
    object->handle = 0;
    if (object->shared)
        sharing_end(object);
    object_release(object);
    return 0;
}

/* Memory of another GPU, and its doorbells and registers, are reached over links alone. */
static bool reaches(int gpu, const struct object *object)
{
    bool local = object->flags & (MEMORY_VRAM | MEMORY_DOORBELL | MEMORY_MMIO);

    return gpu == object->gpu || !local || machine()->peers;
}

static int map_one(struct object *object, int gpu)
{
    const struct range range = {
        .address = object->address,
        .size = object->size,
        .object = object,
        .writable = object->flags & MEMORY_WRITABLE,
        .mapper = BY_KFD,
    };

    if (object->mapped & 1u << gpu)
        return 0;
    if (!range.address || range.address % PAGE || !reaches(gpu, object))
        return EINVAL;
    int error = pages_map(gpu, &range);
    if (!error)
        object->mapped |= 1u << gpu;
    return error;
}

static int unmap_one(struct object *object, int gpu)
{
    if (!(object->mapped & 1u << gpu))
        return EINVAL;
    object->mapped &= ~(1u << gpu);
    return pages_unmap(gpu, object->address, object, BY_KFD);
}

static int for_each(struct map_args *args, int (*change)(struct object *object, int gpu))
{
    struct object *object = object_by_handle(args->handle);
    const uint32_t *ids = (const uint32_t *)args->gpu_ids;

    if (gpu_by_id((uint32_t)(args->handle >> 32)) == NO_GPU)
        return EINVAL;
    if (!args->count || args->done > args->count)
        return EINVAL;
    if (!ids)
        return EFAULT;
    if (!object)
        return ENOMEM;
    for (; args->done < args->count; args->done++) {
        int gpu = gpu_by_id(ids[args->done]);
        if (gpu == NO_GPU)
            return EINVAL;
        if (!is_acquired(gpu))
            return ENODEV;
        int error = change(object, gpu);
        if (error)
            return error;
    }
    return 0;
}

static int map(void *arguments)
{
    return for_each(arguments, map_one);
}

static int unmap(void *arguments)
{
    return for_each(arguments, unmap_one);
}

static int available(void *arguments)
{
    struct available_args *args = arguments;
    int gpu = gpu_by_id(args->gpu_id);

    if (gpu == NO_GPU)
        return EINVAL;
    /* How much it keeps for itself is the driver's business. */
    uint64_t available = shared_available(gpu), own = either(0, 64ull << 20);
    args->available = available > own ? available - own : 0;
    return 0;
}

const handler memory_ioctls[KFD_IOCTLS] = {
    [ALLOC_MEMORY_OF_GPU] = alloc,
    [FREE_MEMORY_OF_GPU] = free_memory,
    [MAP_MEMORY_TO_GPU] = map,
    [UNMAP_MEMORY_FROM_GPU] = unmap,
    [AVAILABLE_MEMORY] = available,
};
