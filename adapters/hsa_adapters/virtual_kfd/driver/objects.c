/* Buffer objects: each is a file in memory of its own, so sharing one is passing its descriptor.
 *
 * The name of the file tells another process what the object is; its inode tells that it is the
 * same one. User memory (USERPTR) has no file: it is where the program put it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared.h"

#define NAME "virtual-kfd"

static struct object *objects;
static uint64_t last_handle;
static uint64_t next_offset = 1ull << 32;

static struct object *added(struct object object)
{
    struct object *made = malloc(sizeof *made);

    if (!made)
        return NULL;
    *made = object;
    made->handle = ++last_handle;
    made->references = 1;
    made->offset = next_offset;
    next_offset += (object.size + PAGE) & ~(PAGE - 1);
    made->next = objects;
    objects = made;
    return made;
}

static int new_file(int gpu, uint32_t flags, uint64_t size, ino_t *inode)
{
    char name[64];
    struct stat found;

    snprintf(name, sizeof name, NAME ":%d:%x", gpu, flags);
    int descriptor = memfd_create(name, MFD_CLOEXEC);
    if (descriptor < 0)
        return -1;
    if (ftruncate(descriptor, size) || fstat(descriptor, &found)) {
        close(descriptor);
        return -1;
    }
    *inode = found.st_ino;
    return hidden(descriptor);
}

int object_create(int gpu, uint64_t address, uint64_t size, uint32_t flags, uint64_t user,
                  struct object **created)
{
    bool counted = flags & MEMORY_VRAM;
    struct object object = {.address = address, .size = size, .flags = flags, .gpu = gpu};

    object.memfd = -1;
    object.owned = counted;
    if (counted && !shared_take(gpu, size))
        return ENOMEM;
    if (flags & MEMORY_USERPTR)
        object.host = (uint8_t *)user;
    else if (flags & MEMORY_DOORBELL)
        object.host = doorbells(machine()->gpu[gpu].id, NULL);
    else
        object.memfd = new_file(gpu, flags, size, &object.inode);
    bool backed = object.host || object.memfd >= 0;
    *created = backed ? added(object) : NULL;
    if (*created)
        return 0;
    if (object.memfd >= 0)
        close(object.memfd);
    if (counted)
        shared_give(gpu, size);
    return ENOMEM;
}

struct object *object_by_handle(uint64_t handle)
{
    struct object *object = objects;

    while (object && object->handle != handle)
        object = object->next;
    return object;
}

struct object *object_by_offset(uint64_t offset)
{
    struct object *object = objects;

    while (object && (offset < object->offset || offset - object->offset >= object->size))
        object = object->next;
    return object;
}

struct object *object_by_descriptor(int descriptor)
{
    struct stat found;

    if (fstat(descriptor, &found))
        return NULL;
    struct object *object = objects;
    while (object && (object->memfd < 0 || object->inode != found.st_ino))
        object = object->next;
    return object;
}

/* Return whether a descriptor is of an object, with what its name says. */
static bool described(int descriptor, int *gpu, uint32_t *flags)
{
    char link[64], name[128];

    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlinkat(AT_FDCWD, link, name, sizeof name - 1);
    if (length < 0)
        return false;
    name[length] = 0;
    return sscanf(name, "/memfd:" NAME ":%d:%x", gpu, flags) == 2;
}

int object_import(int descriptor, int gpu, uint64_t address, struct object **found)
{
    struct object object = {.address = address};
    struct stat file;
    int from;

    if (fcntl(descriptor, F_GETFD) < 0)
        return EBADF;
    if (!described(descriptor, &from, &object.flags) || fstat(descriptor, &file))
        return EINVAL;
    object.gpu = gpu == NO_GPU ? from : gpu;
    object.size = file.st_size;
    object.inode = file.st_ino;
    object.memfd = hidden(fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    *found = object.memfd < 0 ? NULL : added(object);
    return *found ? 0 : ENOMEM;
}

int object_export(const struct object *object, int *descriptor)
{
    if (object->memfd < 0)
        return EINVAL;
    *descriptor = fcntl(object->memfd, F_DUPFD_CLOEXEC, 0);
    return *descriptor < 0 ? errno : 0;
}

void object_release(struct object *object)
{
    if (--object->references > 0)
        return;
    pages_forget(object);
    for (struct object **link = &objects; *link; link = &(*link)->next)
        if (*link == object) {
            *link = object->next;
            break;
        }
    if (object->memfd >= 0) {
        if (object->host)
            munmap(object->host, object->size);
        close(object->memfd);
    }
    if (object->owned)
        shared_give(object->gpu, object->size);
    free(object);
}

uint8_t *object_bytes(struct object *object)
{
    if (!object->host) {
        void *mapped = kernel_mmap(NULL, object->size, PROT_READ | PROT_WRITE, MAP_SHARED,
                                   object->memfd, 0);
        if (mapped == MAP_FAILED)
            return NULL;
        madvise(mapped, object->size, MADV_DONTFORK);
        object->host = mapped;
    }
    return object->host;
}

static void forget(void)
{
    while (objects) {
        struct object *object = objects;
        objects = object->next;
        if (object->memfd >= 0)
            close(object->memfd);
        free(object);
    }
}

__attribute__((constructor)) static void register_reset(void)
{
    on_fork(forget);
}
