/* Calls that go straight to the kernel, past the functions that this library stands in for. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/kernel.h"

#define FEW 1024u
#define SPARE 256 /* for others that hide descriptors just above the limit */

int kernel_open(int folder, const char *path, int flags, mode_t mode)
{
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

void *kernel_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}

int kernel_munmap(void *address, size_t size)
{
    return (int)syscall(SYS_munmap, address, size);
}

int kernel_close(int descriptor)
{
    return (int)syscall(SYS_close, descriptor);
}

void *private_memory(size_t size)
{
    void *memory =
        kernel_mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

void *next_function(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

/* A real driver needs no descriptors of the process for its memory. Ours go above the soft limit,
 * where programs neither get, count nor close any. Where nothing is above it, it is lowered. */
int hidden(int descriptor)
{
    struct rlimit limit, wide;

    if (descriptor < 0)
        return -1;
    getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur > FEW && limit.rlim_max - limit.rlim_cur < FEW)
        limit.rlim_cur = limit.rlim_max / 2;
    wide = limit;
    wide.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &wide);
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, (int)limit.rlim_cur + SPARE);
    setrlimit(RLIMIT_NOFILE, &limit);
    if (moved < 0)
        return descriptor;
    close(descriptor);
    return moved;
}

uint8_t *memory_file(const char *name, uint64_t size, int *descriptor)
{
    int made = memfd_create(name, MFD_CLOEXEC);
    if (made < 0 || ftruncate(made, (off_t)size)) {
        if (made >= 0)
            close(made);
        return NULL;
    }
    *descriptor = hidden(made);
    void *bytes =
        kernel_mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *descriptor, 0);
    if (bytes == MAP_FAILED) {
        close(*descriptor);
        return NULL;
    }
    /* A child maps its own. */
    madvise(bytes, size, MADV_DONTFORK);
    return bytes;
}
