/* ioctl and mmap: what is about the virtual devices goes to the driver, all else to the kernel. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "driver.h"

#define KFD_TYPE 'K'

static const handler *const tables[] = {
    device_ioctls, memory_ioctls, sharing_ioctls, svm_ioctls, event_ioctls, queue_ioctls,
};

static handler handler_of(unsigned number)
{
    for (unsigned i = 0; i < sizeof tables / sizeof *tables; i++)
        if (tables[i][number])
            return tables[i][number];
    return NULL;
}

static int answer(int error)
{
    if (!error)
        return 0;
    errno = error;
    return -1;
}

static int kfd_ioctl(unsigned number, void *arguments)
{
    handler handler = handler_of(number);

    if (!handler) {
        complain("ioctl of /dev/kfd", number);
        return answer(ENOTTY);
    }
    int error = injected((int)number);
    if (!error) {
        lock();
        error = handler(arguments);
        unlock();
    }
    return answer(error);
}

EXPORT int ioctl(int descriptor, unsigned long request, ...)
{
    va_list rest;

    va_start(rest, request);
    void *arguments = va_arg(rest, void *);
    va_end(rest);
    if (_IOC_TYPE(request) == KFD_TYPE && is_kfd(descriptor))
        return kfd_ioctl(_IOC_NR(request), arguments);
    return (int)syscall(SYS_ioctl, descriptor, request, arguments);
}

/* Map a part of what the driver keeps; `skip` bytes into the file behind it. */
static void *map_file(void *address, size_t size, int protection, int flags, int memfd, off_t skip)
{
    if (memfd >= 0)
        return kernel_mmap(address, size, protection, flags, memfd, skip);
    errno = EINVAL;
    return MAP_FAILED;
}

static void *map_object(void *address, size_t size, int protection, int flags, uint64_t offset)
{
    lock();
    struct object *object = object_by_offset(offset);
    int memfd = object ? object->memfd : -1;
    uint64_t skip = object ? offset - object->offset : 0;
    if (object && size > ((object->size + PAGE - 1) & ~(PAGE - 1)) - skip)
        memfd = -1;
    void *mapped = map_file(address, size, protection, flags, memfd, (off_t)skip);
    unlock();
    return mapped;
}

static void *map_doorbells(void *address, size_t size, int protection, int flags, uint64_t offset)
{
    int memfd = -1;

    lock();
    for (int gpu = 0; gpu < machine()->gpus; gpu++)
        if (MMAP_GPU_OF(offset) == (machine()->gpu[gpu].id & 0xffff))
            doorbells(machine()->gpu[gpu].id, &memfd);
    void *mapped = map_file(address, size, protection, flags, memfd, 0);
    unlock();
    return mapped;
}

static void *map(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    bool kfd = is_kfd(fd);

    if (flags & MAP_ANONYMOUS || fd < 0 || (!kfd && gpu_of_descriptor(fd) == NO_GPU))
        return kernel_mmap(address, size, protection, flags, fd, offset);
    int error = injected(INJECT_MMAP);
    if (error) {
        errno = error;
        return MAP_FAILED;
    }
    if (kfd && MMAP_TYPE(offset) == MMAP_TYPE(MMAP_DOORBELL))
        return map_doorbells(address, size, protection, flags, (uint64_t)offset);
    /* A page of slots that nobody allocated: no signal is told through it here. */
    if (kfd && MMAP_TYPE(offset) == MMAP_TYPE(MMAP_EVENTS))
        return kernel_mmap(address, size, protection, flags | MAP_ANONYMOUS, -1, 0);
    return map_object(address, size, protection, flags, (uint64_t)offset);
}

EXPORT void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return map(address, size, protection, flags, fd, offset);
}

EXPORT void *mmap64(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return map(address, size, protection, flags, fd, offset);
}
