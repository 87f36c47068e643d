/* Calls that go straight to the kernel, past the functions that this library stands in for. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "driver.h"

int kernel_open(int folder, const char *path, int flags, mode_t mode)
{
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

void *kernel_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}

/* A real driver needs no descriptors of the process for its memory. Ours go above the soft limit,
 * where programs neither get, count nor close any. */
int hidden(int descriptor)
{
    struct rlimit limit, wide;

    if (descriptor < 0)
        return -1;
    getrlimit(RLIMIT_NOFILE, &limit);
    wide = limit;
    wide.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &wide);
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, (int)limit.rlim_cur + 1);
    setrlimit(RLIMIT_NOFILE, &limit);
    if (moved < 0)
        return descriptor;
    close(descriptor);
    return moved;
}
