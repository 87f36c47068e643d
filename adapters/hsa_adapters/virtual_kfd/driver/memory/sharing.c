/* Ioctls that pass memory to others: dma-bufs, and handles for other processes.
 *
 * Everybody who has an object that was shared can give it: it can be had for as long as one of them
 * keeps it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/kernel.h"
#include "base/kfd.h"
#include "base/machine.h"
#include "base/process.h"
#include "base/shared.h"
#include "memory/objects.h"
#include "memory/sharing.h"

static int export_dmabuf(void *arguments)
{
    struct export_args *args = arguments;
    struct object *object = object_by_handle(args->handle);
    int descriptor;

    if (!object)
        return EINVAL;
    int error = object_export(object, (int)args->flags, &descriptor);
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
    if (!is_acquired(gpu))
        return ENODEV;
    int error = object_import((int)args->descriptor, gpu, args->address, &object);
    if (!error)
        args->handle = object->handle;
    return error;
}

static int dmabuf_info(void *arguments)
{
    struct dmabuf_info_args *args = arguments;
    struct origin origin;
    struct metadata metadata;

    int error = machine()->gpus ? object_origin((int)args->descriptor, &origin) : EINVAL;
    if (error)
        return error;
    metadata_of(origin.inode, &metadata);
    if (args->metadata && args->metadata_size < metadata.size)
        return EINVAL;
    if (args->metadata)
        memcpy((void *)args->metadata, metadata.words, metadata.size);
    args->metadata_size = metadata.size;
    args->size = origin.size;
    args->gpu_id = machine()->gpu[origin.gpu].id;
    args->flags = origin.flags & (MEMORY_VRAM | MEMORY_GTT | MEMORY_PUBLIC);
    return 0;
}

/* Open the object of a share; -1 where its owner has ended or let go of it. */
static int opened(const struct share *share)
{
    char path[64];
    struct stat found;

    snprintf(path, sizeof path, "/proc/%d/fd/%d", share->pid, share->descriptor);
    int descriptor = share->pid ? kernel_open(AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0) : -1;
    /* Another file may have the number by now. */
    if (descriptor < 0 || (!fstat(descriptor, &found) && found.st_ino == share->inode))
        return descriptor;
    close(descriptor);
    return -1;
}

static bool lapsed(const struct share *share)
{
    int descriptor = opened(share);

    if (descriptor >= 0)
        close(descriptor);
    return descriptor < 0;
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

/* Note that this process has an object that others may ask for. */
static struct share *add(struct object *object, const uint32_t *key, uint32_t flags)
{
    for (int i = 0; i < SHARES; i++) {
        struct share *share = &shared()->share[i];
        if (!lapsed(share))
            continue;
        *share = (struct share){
            .pid = getpid(), .descriptor = object->memfd, .inode = object->inode, .flags = flags};
        memcpy(share->key, key, sizeof share->key);
        object->shared = true;
        return share;
    }
    return NULL;
}

void sharing_end(const struct object *object)
{
    shared_lock();
    struct share *share = share_of(object);
    if (share && share->descriptor == object->memfd)
        *share = (struct share){0};
    shared_unlock();
}

static int ipc_export(void *arguments)
{
    struct ipc_export_args *args = arguments;
    struct object *object = object_by_handle(args->handle);
    uint32_t key[4];

    if (!object || gpu_by_id(args->gpu_id) == NO_GPU)
        return EINVAL;
    if (object->memfd < 0)
        return EPERM;
    if (getrandom(key, sizeof key, 0) != sizeof key)
        return ENOMEM;
    shared_lock();
    struct share *share = share_of(object);
    if (!share)
        share = add(object, key, args->flags);
    else if (lapsed(share))
        share->descriptor = object->memfd;
    if (share)
        memcpy(args->share, share->key, sizeof share->key);
    shared_unlock();
    return share ? 0 : ENOMEM;
}

static int ipc_import(void *arguments)
{
    struct ipc_import_args *args = arguments;
    int gpu = gpu_by_id(args->gpu_id), descriptor = -1;
    struct object *object;

    if (gpu == NO_GPU)
        return EINVAL;
    if (!is_acquired(gpu))
        return ENODEV;
    shared_lock();
    for (int i = 0; descriptor < 0 && i < SHARES; i++) {
        const struct share *share = &shared()->share[i];
        if (memcmp(share->key, args->share, sizeof share->key))
            continue;
        descriptor = opened(share);
        args->flags = share->flags;
    }
    int error = descriptor < 0 ? EINVAL : object_import(descriptor, gpu, args->address, &object);
    if (!error && !share_of(object))
        add(object, args->share, args->flags);
    shared_unlock();
    if (descriptor >= 0)
        close(descriptor);
    if (error)
        return error;
    args->handle = object->handle;
    args->mmap_offset = object->offset;
    return 0;
}

const handler sharing_ioctls[KFD_IOCTLS] = {
    [EXPORT_DMABUF] = export_dmabuf,
    [IMPORT_DMABUF] = import_dmabuf,
    [GET_DMABUF_INFO] = dmabuf_info,
    [IPC_EXPORT_HANDLE] = ipc_export,
    [IPC_IMPORT_HANDLE] = ipc_import,
};
