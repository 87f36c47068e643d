/* The functions of libdrm and libdrm_amdgpu that ROCr uses, for the virtual GPUs. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/faults.h"
#include "base/machine.h"
#include "base/shared.h"
#include "base/state.h"
#include "memory/objects.h"
#include "memory/pages.h"
#include "devices/kernels.h"

/* Numbers and structures of libdrm's amdgpu.h and amdgpu_drm.h. */
enum handle_type { HANDLE_FLINK, HANDLE_KMS, HANDLE_DMABUF, HANDLE_KMS_NO_IMPORT };
enum va_operation { VA_MAP = 1, VA_UNMAP, VA_CLEAR, VA_REPLACE };
#define VA_BOTTOM 0x10000ull
#define VA_TOP (1ull << 47)
#define GEM_MMAP 1
#define DRM_MAJOR 3
#define DRM_MINOR 57

static struct device {
    int gpu, descriptor, references;
} devices[MAX_GPUS];

/* An object as one GPU has it. As libdrm does it, importing it again gives the same one. */
static struct buffer {
    struct device *device;
    struct object *object; /* NULL in a child of the process that it was made in */
    int references;
    struct buffer *next;
} *buffers;

/* As far as anybody here reads it, of libdrm's structure of that name. */
/* A flag of AMDGPU_INFO_DEV_INFO: the GPU is a part of the processor. */
#define INTEGRATED 1

struct gpu_info {
    uint32_t asic, chip_revision, chip_external_revision, family;
    uint64_t flags, engine_clock, memory_clock;
    uint32_t shape[8], counter_khz;
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

/* Begin a call: take the lock, and return the errno that was asked for. Calls end with `done`. */
static int begin(enum refusable call)
{
    lock();
    return injected(call);
}

static int done(int error)
{
    unlock();
    kernels_let_go();
    return -errno_of_refusal(error);
}

EXPORT int amdgpu_device_initialize(int descriptor, uint32_t *major, uint32_t *minor,
                                    struct device **made)
{
    int gpu = gpu_of_descriptor(descriptor);

    if (gpu == NO_GPU)
        return -EINVAL;
    int error = begin(CALL_amdgpu_device_initialize);
    struct device *device = &devices[gpu];
    if (!error && !device->references) {
        int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
        error = copy < 0 ? errno : 0;
        *device = (struct device){gpu, copy, 0};
    }
    if (!error) {
        device->references++;
        *major = DRM_MAJOR;
        *minor = DRM_MINOR;
        *made = device;
    }
    return done(error);
}

EXPORT int amdgpu_device_deinitialize(struct device *device)
{
    lock();
    if (!--device->references)
        close(device->descriptor);
    return done(0);
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
    *info = (struct gpu_info){.family = machine()->gpu[device->gpu].family,
                              .flags = machine()->gpu[device->gpu].integrated ? INTEGRATED : 0,
                              .counter_khz = machine()->gpu[device->gpu].counter_khz};
    return 0;
}

/* The same bytes may have been imported by an ioctl meanwhile: what is behind them tells. */
static bool is_of(const struct buffer *buffer, const struct object *object)
{
    return buffer->object == object ||
           (buffer->object && object->memfd >= 0 && buffer->object->memfd >= 0 &&
            buffer->object->inode == object->inode);
}

/* Return the buffer of an object on a device; it has one reference more. */
static struct buffer *buffer_of(struct device *device, struct object *object)
{
    struct buffer *buffer = buffers;

    while (buffer && (buffer->device != device || !is_of(buffer, object)))
        buffer = buffer->next;
    if (!buffer) {
        buffer = malloc(sizeof *buffer);
        if (!buffer)
            return NULL;
        *buffer = (struct buffer){device, object, 0, buffers};
        buffers = buffer;
        object->references++;
    }
    buffer->references++;
    return buffer;
}

static int import(struct device *device, int descriptor, struct buffer **buffer)
{
    struct origin origin;

    int error = object_origin(descriptor, &origin);
    if (error)
        return error;
    struct object *object = object_by_inode(origin.inode);
    if (object)
        object->references++;
    else
        error = object_import(descriptor, device->gpu, 0, &object);
    if (error)
        return error;
    *buffer = buffer_of(device, object);
    /* The buffer has its own. */
    object_release(object);
    return *buffer ? 0 : ENOMEM;
}

EXPORT int amdgpu_bo_import(struct device *device, enum handle_type type, uint32_t handle,
                            struct import_result *result)
{
    struct buffer *buffer;
    int error = begin(CALL_amdgpu_bo_import);

    if (!error && type != HANDLE_DMABUF)
        error = type == HANDLE_KMS || type == HANDLE_KMS_NO_IMPORT ? EPERM : EINVAL;
    if (!error)
        error = import(device, (int)handle, &buffer);
    if (!error)
        *result = (struct import_result){buffer, buffer->object->size};
    return done(error);
}

/* Begin a call on a buffer. */
static int begin_on(const struct buffer *buffer, enum refusable call)
{
    int error = begin(call);

    return error || buffer->object ? error : EINVAL;
}

EXPORT int amdgpu_bo_export(struct buffer *buffer, enum handle_type type, uint32_t *handle)
{
    int descriptor, error = begin_on(buffer, CALL_amdgpu_bo_export);

    if (error)
        return done(error);
    switch (type) {
    case HANDLE_KMS:
    case HANDLE_KMS_NO_IMPORT:
        *handle = buffer->object->number;
        break;
    case HANDLE_DMABUF:
        error = object_export(buffer->object, O_CLOEXEC, &descriptor);
        if (!error)
            *handle = (uint32_t)descriptor;
        break;
    default:
        error = EINVAL;
    }
    return done(error);
}

EXPORT int amdgpu_bo_free(struct buffer *buffer)
{
    struct buffer **link = &buffers;

    lock();
    if (--buffer->references)
        return done(0);
    while (*link && *link != buffer)
        link = &(*link)->next;
    if (*link)
        *link = buffer->next;
    if (buffer->object) {
        pages_forget(buffer->device->gpu, buffer->object, BY_DRM);
        object_release(buffer->object);
    }
    free(buffer);
    return done(0);
}

static int map(struct buffer *buffer, const struct range *range)
{
    uint64_t size = PAGES(buffer->object->size), end = range->address + range->size;

    if (!range->size || (range->offset | range->address) % PAGE)
        return EINVAL;
    if (range->offset > size || range->size > size - range->offset)
        return EINVAL;
    if (range->address < VA_BOTTOM || end < range->address || end > VA_TOP)
        return EINVAL;
    return pages_map(buffer->device->gpu, range);
}

/* libdrm makes every mapping readable, writable and executable, whatever the flags say. */
EXPORT int amdgpu_bo_va_op(struct buffer *buffer, uint64_t offset, uint64_t size, uint64_t address,
                           uint64_t flags, uint32_t operation)
{
    bool gives_back = operation == VA_UNMAP;
    int error = begin_on(buffer, gives_back ? CALL_amdgpu_bo_va_op_unmap : CALL_amdgpu_bo_va_op);
    const struct range range = {
        .address = address,
        .size = PAGES(size),
        .offset = offset,
        .object = buffer->object,
        .writable = true,
        .mapper = BY_DRM,
    };

    (void)flags;
    if (error)
        return done(error);
    switch (operation) {
    case VA_MAP:
        return done(map(buffer, &range));
    case VA_UNMAP:
        return done(pages_unmap(buffer->device->gpu, address, buffer->object, BY_DRM));
    case VA_CLEAR:
    case VA_REPLACE:
        complain("operation of amdgpu_bo_va_op", operation);
    }
    return done(EINVAL);
}

EXPORT int amdgpu_bo_cpu_map(struct buffer *buffer, void **address)
{
    int error = begin_on(buffer, CALL_amdgpu_bo_cpu_map);

    if (error)
        return done(error);
    *address = object_bytes(buffer->object);
    return done(*address ? 0 : ENOMEM);
}

EXPORT int amdgpu_bo_cpu_unmap(struct buffer *buffer)
{
    (void)buffer; /* the driver's own view stays for as long as the object does */
    return 0;
}

EXPORT int amdgpu_bo_query_info(struct buffer *buffer, struct buffer_info *info)
{
    int error = begin_on(buffer, CALL_amdgpu_bo_query_info);

    if (error)
        return done(error);
    *info = (struct buffer_info){.size = buffer->object->size, .alignment = PAGE};
    metadata_of(buffer->object->inode, &info->metadata);
    return done(0);
}

EXPORT int amdgpu_bo_set_metadata(struct buffer *buffer, const struct metadata *metadata)
{
    int error = begin_on(buffer, CALL_amdgpu_bo_set_metadata);

    if (!error && metadata->size > sizeof metadata->words)
        error = EINVAL;
    if (!error)
        metadata_set(buffer->object->inode, metadata);
    return done(error);
}

EXPORT int drmCommandWriteRead(int descriptor, unsigned long command, void *data,
                               unsigned long size)
{
    uint64_t *offset = data;

    if (gpu_of_descriptor(descriptor) == NO_GPU || command != GEM_MMAP || size < sizeof *offset) {
        complain("DRM command", command);
        return -EINVAL;
    }
    int error = begin(CALL_drmCommandWriteRead);
    const struct object *object = object_by_number(*(uint32_t *)data);
    if (!error && !object)
        error = ENOENT;
    if (!error)
        *offset = object->offset;
    return done(error);
}

static void forget(void)
{
    for (struct buffer *buffer = buffers; buffer; buffer = buffer->next)
        buffer->object = NULL;
    buffers = NULL;
}

__attribute__((constructor)) static void register_reset(void)
{
    on_fork(forget);
}
