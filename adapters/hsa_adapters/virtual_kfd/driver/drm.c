/* The functions of libdrm and libdrm_amdgpu that ROCr uses, for the virtual GPUs. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver.h"

enum handle_type { HANDLE_FLINK, HANDLE_KMS, HANDLE_DMABUF };
enum va_operation { VA_MAP = 1, VA_UNMAP = 2 };
#define VA_WRITEABLE 4ull
#define GEM_MMAP 1
#define DRM_MAJOR 3
#define DRM_MINOR 57

struct device {
    int gpu, descriptor;
};

struct buffer {
    struct device *device;
    struct object *object;
};

struct metadata {
    uint64_t flags, tiling;
    uint32_t size, words[64];
};

/* As far as anybody here reads it, of libdrm's structure of that name. */
struct gpu_info {
    uint32_t asic, chip_revision, chip_external_revision, family;
    uint64_t flags, engine_clock, memory_clock;
    uint32_t shape[8], counter_khz;
    uint32_t rest[90];
};

struct import_result {
    struct buffer *buffer;
    uint64_t size;
};

struct buffer_info {
    uint64_t size, alignment;
    uint32_t heap;
    uint64_t flags;
    struct metadata metadata;
};

static struct {
    ino_t inode;
    struct metadata metadata;
} described[256];
static unsigned described_count;

EXPORT int drmOpenRender(int minor)
{
    char path[32];

    snprintf(path, sizeof path, "/dev/dri/renderD%d", minor);
    return open(path, O_RDWR | O_CLOEXEC);
}

EXPORT int drmClose(int descriptor)
{
    return close(descriptor);
}

EXPORT int amdgpu_device_initialize(int descriptor, uint32_t *major, uint32_t *minor,
                                    struct device **made)
{
    int gpu = gpu_of_descriptor(descriptor);

    if (gpu == NO_GPU)
        return -EINVAL;
    struct device *device = malloc(sizeof *device);
    if (!device)
        return -ENOMEM;
    *device = (struct device){gpu, fcntl(descriptor, F_DUPFD_CLOEXEC, 0)};
    *major = DRM_MAJOR;
    *minor = DRM_MINOR;
    *made = device;
    return 0;
}

EXPORT int amdgpu_device_deinitialize(struct device *device)
{
    close(device->descriptor);
    free(device);
    return 0;
}

EXPORT int amdgpu_device_get_fd(struct device *device)
{
    return device->descriptor;
}

EXPORT const char *amdgpu_get_marketing_name(struct device *device)
{
    return machine()->gpu[device->gpu].name;
}

EXPORT int amdgpu_query_gpu_info(struct device *device, struct gpu_info *info)
{
    memset(info, 0, offsetof(struct gpu_info, rest));
    info->family = machine()->gpu[device->gpu].family;
    info->counter_khz = machine()->gpu[device->gpu].counter_khz;
    return 0;
}

EXPORT int amdgpu_bo_import(struct device *device, enum handle_type type, uint32_t handle,
                            struct import_result *result)
{
    int error = injected(INJECT_DRM);

    if (error || type != HANDLE_DMABUF)
        return -(error ? error : EINVAL);
    struct buffer *buffer = malloc(sizeof *buffer);
    if (!buffer)
        return -ENOMEM;
    buffer->device = device;
    lock();
    buffer->object = object_by_descriptor((int)handle);
    if (buffer->object)
        buffer->object->references++;
    else
        error = object_import((int)handle, device->gpu, 0, &buffer->object);
    unlock();
    if (error) {
        free(buffer);
        return -error;
    }
    *result = (struct import_result){buffer, buffer->object->size};
    return 0;
}

EXPORT int amdgpu_bo_export(struct buffer *buffer, enum handle_type type, uint32_t *handle)
{
    int descriptor, error = injected(INJECT_DRM);

    if (error)
        return -error;
    if (type == HANDLE_KMS) {
        *handle = (uint32_t)buffer->object->handle;
        return 0;
    }
    if (type != HANDLE_DMABUF)
        return -EINVAL;
    lock();
    error = object_export(buffer->object, &descriptor);
    unlock();
    if (!error)
        *handle = (uint32_t)descriptor;
    return -error;
}

EXPORT int amdgpu_bo_free(struct buffer *buffer)
{
    lock();
    object_release(buffer->object);
    unlock();
    free(buffer);
    return 0;
}

EXPORT int amdgpu_bo_va_op(struct buffer *buffer, uint64_t offset, uint64_t size, uint64_t address,
                           uint64_t flags, uint32_t operation)
{
    int error = injected(INJECT_DRM);
    bool fits = offset <= buffer->object->size && size <= buffer->object->size - offset;

    if (error || operation < VA_MAP || operation > VA_UNMAP)
        return -(error ? error : EINVAL);
    if (!size || (offset | size | address) % PAGE || (operation == VA_MAP && !fits))
        return -EINVAL;
    lock();
    if (operation == VA_MAP)
        error = pages_map(buffer->device->gpu, address, size, buffer->object, offset,
                          flags & VA_WRITEABLE);
    else
        error = pages_unmap(buffer->device->gpu, address, buffer->object);
    unlock();
    return -error;
}

EXPORT int amdgpu_bo_cpu_map(struct buffer *buffer, void **address)
{
    int error = injected(INJECT_DRM);
    if (error)
        return -error;
    lock();
    *address = object_bytes(buffer->object);
    unlock();
    return *address ? 0 : -ENOMEM;
}

EXPORT int amdgpu_bo_cpu_unmap(struct buffer *buffer)
{
    (void)buffer; /* the driver's own view stays for as long as the object does */
    return 0;
}

static struct metadata *metadata_of(ino_t inode)
{
    for (unsigned i = 0; i < described_count; i++)
        if (described[i].inode == inode)
            return &described[i].metadata;
    return NULL;
}

EXPORT int amdgpu_bo_query_info(struct buffer *buffer, struct buffer_info *info)
{
    *info = (struct buffer_info){.size = buffer->object->size, .alignment = PAGE};
    lock();
    struct metadata *metadata = metadata_of(buffer->object->inode);
    if (metadata)
        info->metadata = *metadata;
    unlock();
    return 0;
}

EXPORT int amdgpu_bo_set_metadata(struct buffer *buffer, const struct metadata *metadata)
{
    int error = 0;

    if (metadata->size > sizeof metadata->words)
        return -EINVAL;
    lock();
    struct metadata *known = metadata_of(buffer->object->inode);
    if (!known && described_count < sizeof described / sizeof *described) {
        described[described_count].inode = buffer->object->inode;
        known = &described[described_count++].metadata;
    }
    if (known)
        *known = *metadata;
    else
        error = -ENOMEM;
    unlock();
    return error;
}

EXPORT int drmCommandWriteRead(int descriptor, unsigned long command, void *data,
                               unsigned long size)
{
    uint64_t *offset = data;
    int error = injected(INJECT_DRM);

    if (error)
        return -error;
    if (gpu_of_descriptor(descriptor) == NO_GPU || command != GEM_MMAP || size < sizeof *offset) {
        complain("DRM command", command);
        return -EINVAL;
    }
    lock();
    struct object *object = object_by_handle(*(uint32_t *)data);
    if (object)
        *offset = object->offset;
    unlock();
    return object ? 0 : -ENOENT;
}
