/* Ioctls that pass memory to others: dma-bufs, and handles for other processes. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "shared.h"

static int export_dmabuf(void *arguments)
{
    struct export_args *args = arguments;
    struct object *object = object_by_handle(args->handle);
    int descriptor;

    if (!object)
        return EINVAL;
    int error = object_export(object, &descriptor);
    if (!error)
        args->descriptor = (uint32_t)descriptor;
    return error;
}

static int import_dmabuf(void *arguments)
{
    struct import_args *args = arguments;
    int gpu = gpu_by_id(args->gpu_id);
    struct object *object;

    if (gpu == NO_GPU)
        return EINVAL;
    int error = object_import((int)args->descriptor, gpu, args->address, &object);
    if (!error)
        args->handle = object->handle;
    return error;
}

static int dmabuf_info(void *arguments)
{
    struct dmabuf_info_args *args = arguments;
    struct object *object;

    int error = object_import((int)args->descriptor, NO_GPU, 0, &object);
    if (error)
        return error;
    args->size = object->size;
    args->gpu_id = machine()->gpu[object->gpu].id;
    args->flags = object->flags & (MEMORY_VRAM | MEMORY_GTT | MEMORY_PUBLIC);
    args->metadata_size = 0;
    object_release(object);
    return 0;
}

static struct share *share_of(const struct object *object)
{
    for (int i = 0; i < SHARES; i++) {
        struct share *share = &shared()->share[i];
        if (share->pid == getpid() && share->inode == object->inode)
            return share;
    }
    return NULL;
}

static bool lapsed(const struct share *share)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/fd/%d", share->pid, share->descriptor);
    return !share->pid || faccessat(AT_FDCWD, path, F_OK, 0);
}

static int ipc_export(void *arguments)
{
    struct ipc_export_args *args = arguments;
    struct object *object = object_by_handle(args->handle);

    if (!object || object->memfd < 0 || gpu_by_id(args->gpu_id) == NO_GPU)
        return EINVAL;
    shared_lock();
    struct share *share = share_of(object);
    for (int i = 0; !share && i < SHARES; i++)
        if (lapsed(&shared()->share[i])) {
            share = &shared()->share[i];
            *share = (struct share){.pid = getpid(), .inode = object->inode};
            if (getrandom(share->key, sizeof share->key, 0) != sizeof share->key)
                share->pid = 0;
        }
    if (share) {
        share->descriptor = object->memfd;
        memcpy(args->share, share->key, sizeof share->key);
    }
    shared_unlock();
    return share ? 0 : ENOMEM;
}

/* Open the object that a share is of; the process that made it may have ended or freed it. */
static int opened(const struct share *share)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/fd/%d", share->pid, share->descriptor);
    return kernel_open(AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
}

static int ipc_import(void *arguments)
{
    struct ipc_import_args *args = arguments;
    int gpu = gpu_by_id(args->gpu_id), descriptor = -1;
    struct object *object;

    if (gpu == NO_GPU)
        return EINVAL;
    shared_lock();
    for (int i = 0; descriptor < 0 && i < SHARES; i++) {
        const struct share *share = &shared()->share[i];
        if (share->pid && !memcmp(share->key, args->share, sizeof share->key))
            descriptor = opened(share);
    }
    shared_unlock();
    if (descriptor < 0)
        return EINVAL;
    int error = object_import(descriptor, gpu, args->address, &object);
    close(descriptor);
    if (error)
        return error;
    args->handle = object->handle;
    args->mmap_offset = object->offset;
    args->flags = 0;
    return 0;
}

const handler sharing_ioctls[KFD_IOCTLS] = {
    [EXPORT_DMABUF] = export_dmabuf,
    [IMPORT_DMABUF] = import_dmabuf,
    [GET_DMABUF_INFO] = dmabuf_info,
    [IPC_EXPORT_HANDLE] = ipc_export,
    [IPC_IMPORT_HANDLE] = ipc_import,
};
