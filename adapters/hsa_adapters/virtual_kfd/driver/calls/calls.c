/* ioctl and mmap: what is about the virtual devices goes to the driver, all else to the kernel. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/base.h"
#include "base/faults.h"
#include "base/kernel.h"
#include "base/kfd.h"
#include "base/machine.h"
#include "base/state.h"
#include "memory/doorbells.h"
#include "memory/objects.h"
#include "memory/sharing.h"
#include "memory/svm.h"
#include "devices/events.h"
#include "devices/kernels.h"
#include "devices/queues.h"
#include "calls/device.h"
#include "calls/memory.h"

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

/* The minor version of the interface that brought an ioctl. */
static const uint8_t since[KFD_IOCTLS] = {
    [SMI_EVENTS] = 3,        [SVM] = 5,      [SET_XNACK_MODE] = 5,
    [CRIU_OP] = 7,           [AVAILABLE_MEMORY] = 9,
    [EXPORT_DMABUF] = 12,    [RUNTIME_ENABLE] = 13, [DBG_TRAP] = 13,
};

static bool has(unsigned number)
{
    return machine()->major > 1 || machine()->minor >= since[number];
}

static int answer(int error)
{
    if (!error)
        return 0;
    errno = error;
    return -1;
}

static int kfd_ioctl(int descriptor, unsigned number, void *arguments)
{
    handler handler = handler_of(number);

    /* Opened before a fork: it is of the process that opened it. */
    if (lseek(descriptor, 0, SEEK_CUR) != getpid())
        return answer(EBADF);
    if (!handler) {
        complain("ioctl of /dev/kfd", number);
        return answer(ENOTTY);
    }
    if (!has(number))
        return answer(ENOTTY);
    if (!arguments)
        return answer(EFAULT);
    lock();
    int error = injected((int)number);
    /* A queue is gone all the same when its GPU does not answer. */
    if (!error || number == DESTROY_QUEUE) {
        int own = errno_of_refusal(handler(arguments));
        error = own ? own : error;
    }
    unlock();
    kernels_let_go();
    return answer(error);
}

EXPORT int ioctl(int descriptor, unsigned long request, ...)
{
    va_list rest;

    va_start(rest, request);
    void *arguments = va_arg(rest, void *);
    va_end(rest);
    if (_IOC_TYPE(request) == KFD_TYPE && is_kfd(descriptor))
        return kfd_ioctl(descriptor, _IOC_NR(request), arguments);
    return (int)syscall(SYS_ioctl, descriptor, request, arguments);
}

static int object_file(bool kfd, uint64_t offset, uint64_t size)
{
    const struct object *object = object_by_offset(offset);

    /* Registers are the driver's to map; all else is the render node's. */
    if (!object || kfd != !!(object->flags & MEMORY_MMIO) || size > PAGES(object->size))
        return -1;
    return object->memfd;
}

static int doorbell_file(uint64_t offset, uint64_t size)
{
    int memfd = -1;

    for (int gpu = 0; gpu < machine()->gpus; gpu++)
        if (MMAP_GPU_OF(offset) == (machine()->gpu[gpu].id & 0xffff) && size == DOORBELL_BYTES)
            doorbells(gpu, &memfd);
    return memfd;
}

/* Return the file that is behind an offset of a device; -1 where nothing is. */
static int file_of(bool kfd, uint64_t offset, uint64_t size)
{
    if (kfd && MMAP_TYPE(offset) == MMAP_TYPE(MMAP_DOORBELL))
        return doorbell_file(offset, size);
    if (kfd && MMAP_TYPE(offset) == MMAP_TYPE(MMAP_EVENTS))
        return event_page_file(size);
    return object_file(kfd, offset, size);
}

static void *map(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    bool kfd = fd >= 0 && !(flags & MAP_ANONYMOUS) && is_kfd(fd);

    if (flags & MAP_ANONYMOUS || fd < 0 || (!kfd && gpu_of_descriptor(fd) == NO_GPU))
        return kernel_mmap(address, size, protection, flags, fd, offset);
    lock();
    int error = injected(CALL_mmap);
    int memfd = error ? -1 : file_of(kfd, (uint64_t)offset, size);
    void *mapped = memfd < 0 ? MAP_FAILED
                             : kernel_mmap(address, size, protection, flags, memfd, 0);
    if (memfd < 0)
        errno = error ? error : EINVAL;
    unlock();
    return mapped;
}

EXPORT void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return map(address, size, protection, flags, fd, offset);
}

EXPORT void *mmap64(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return map(address, size, protection, flags, fd, offset);
}

EXPORT int munmap(void *address, size_t size)
{
    int result = kernel_munmap(address, size);

    if (!result && machine())
        svm_unmapped((uint64_t)address, PAGES(size));
    return result;
}
