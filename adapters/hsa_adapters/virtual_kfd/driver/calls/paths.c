/* Files that are about the virtual devices are taken from the machine's folder. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/base.h"
#include "base/faults.h"
#include "base/kernel.h"
#include "base/machine.h"
#include "base/state.h"

static const char *const redirected[] = {
    "/dev/kfd", "/dev/dri", "/sys/devices/virtual/kfd", "/sys/class/kfd", "/sys/module/amdgpu",
    "/proc/modules", "/sys/devices/system/node/node",
};

/* Return where a file is to be found; `room` holds the answer when it is not where it was. */
static const char *place(const char *path, char *room, size_t size)
{
    if (!path || *path != '/' || !machine())
        return path;
    for (unsigned i = 0; i < sizeof redirected / sizeof *redirected; i++) {
        size_t length = strlen(redirected[i]);
        if (strncmp(path, redirected[i], length))
            continue;
        length += strspn(path + length, "0123456789"); /* of a node */
        if (path[length] && path[length] != '/')
            continue;
        if (snprintf(room, size, "%s%s", machine()->folder, path) < (int)size)
            return room;
    }
    return path;
}

#define ROOM char room[8192]
#define PLACE(path) place(path, room, sizeof room)
#define NEXT(name) ((__typeof__(&name))next_function(#name))

/* Return the errno that a call on a redirected file has to fail with, or 0. */
static int refused(enum refusable call)
{
    if (machine()->paths_only || is_driving())
        return 0;
    lock();
    int error = injected(call);
    unlock();
    return error;
}

static bool open_refused(const char *path)
{
    bool render = !strncmp(path, "/dev/dri/", strlen("/dev/dri/"));
    bool kfd = !strcmp(path, "/dev/kfd");
    int error = refused(kfd ? CALL_open_kfd : render ? CALL_open_render : CALL_open_file);

    if (error)
        errno = error;
    return error;
}

static ssize_t refuse(void *error, char *buffer, size_t size)
{
    (void)buffer, (void)size;
    errno = (int)(intptr_t)error;
    return -1;
}

/* Return a file that was opened, or one that cannot be read. */
static FILE *readable(FILE *file)
{
    int error = file ? refused(CALL_read_file) : 0;

    if (!error)
        return file;
    fclose(file);
    return fopencookie((void *)(intptr_t)error, "r", (cookie_io_functions_t){.read = refuse});
}

static int open_place(int folder, const char *path, int flags, va_list rest)
{
    ROOM;
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;

    const char *found = PLACE(path);
    if (found != path && open_refused(path))
        return -1;
    int descriptor = kernel_open(folder, found, flags, mode);
    /* Copies of it and children share where it is in the file: so it tells whose it is. */
    if (found != path && is_kfd(descriptor))
        lseek(descriptor, getpid(), SEEK_SET);
    return descriptor;
}

#define OPEN(name)                                                                                 \
    EXPORT int name(const char *path, int flags, ...)                                              \
    {                                                                                              \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        int descriptor = open_place(AT_FDCWD, path, flags, rest);                                  \
        va_end(rest);                                                                              \
        return descriptor;                                                                         \
    }

#define OPENAT(name)                                                                               \
    EXPORT int name(int folder, const char *path, int flags, ...)                                  \
    {                                                                                              \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        int descriptor = open_place(folder, path, flags, rest);                                    \
        va_end(rest);                                                                              \
        return descriptor;                                                                         \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

/* The forms that a compiler chooses where no mode is given, under _FORTIFY_SOURCE. */
EXPORT int __open_2(const char *path, int flags)
{
    return open(path, flags);
}

EXPORT int __open64_2(const char *path, int flags)
{
    return open(path, flags);
}

EXPORT int __openat_2(int folder, const char *path, int flags)
{
    return openat(folder, path, flags);
}

EXPORT int __openat64_2(int folder, const char *path, int flags)
{
    return openat(folder, path, flags);
}

EXPORT FILE *fopen(const char *restrict path, const char *restrict mode)
{
    ROOM;
    const char *found = PLACE(path);
    if (found == path)
        return NEXT(fopen)(path, mode);
    return open_refused(path) ? NULL : readable(NEXT(fopen)(found, mode));
}

EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    ROOM;
    const char *found = PLACE(path);
    if (found == path)
        return NEXT(fopen64)(path, mode);
    return open_refused(path) ? NULL : readable(NEXT(fopen64)(found, mode));
}

EXPORT DIR *opendir(const char *path)
{
    ROOM;
    const char *found = PLACE(path);
    return found != path && open_refused(path) ? NULL : NEXT(opendir)(found);
}

EXPORT int access(const char *path, int mode)
{
    ROOM;
    return (int)syscall(SYS_faccessat, AT_FDCWD, PLACE(path), mode);
}

EXPORT ssize_t readlink(const char *restrict path, char *restrict buffer, size_t size)
{
    ROOM;
    return syscall(SYS_readlinkat, AT_FDCWD, PLACE(path), buffer, size);
}

#define STAT(name, type)                                                                           \
    EXPORT int name(const char *restrict path, struct type *restrict found)                        \
    {                                                                                              \
        ROOM;                                                                                      \
        return NEXT(name)(PLACE(path), found);                                                     \
    }

STAT(stat, stat)
STAT(stat64, stat64)
STAT(lstat, stat)
STAT(lstat64, stat64)

/* What programs call that were built with an older C library. */
#define OLD_STAT(name, now, type)                                                                  \
    EXPORT int name(int version, const char *restrict path, struct type *restrict found)           \
    {                                                                                              \
        (void)version;                                                                             \
        return now(path, found);                                                                   \
    }

OLD_STAT(__xstat, stat, stat)
OLD_STAT(__xstat64, stat64, stat64)
OLD_STAT(__lxstat, lstat, stat)
OLD_STAT(__lxstat64, lstat64, stat64)
