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
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/kernel.h"
#include "base/kfd.h"
#include "base/machine.h"
#include "base/shared.h"
#include "base/state.h"
#include "memory/doorbells.h"
#include "memory/objects.h"

#define NAME "virtual-kfd"

/* In the order of their numbers, which is that of their offsets, too: both only grow. */
static struct object **objects;
static size_t count, room;
static uint32_t last_number;
static uint64_t next_offset = 1ull << 32;

static struct object *added(struct object object)
{
    if (count == room) {
        size_t more = room ? 2 * room : 64;
        struct object **grown = realloc(objects, more * sizeof(struct object *));
        if (!grown)
            return NULL;
        objects = grown;
        room = more;
    }
    struct object *made = malloc(sizeof *made);
    if (!made)
        return NULL;
    *made = object;
    made->number = (uint32_t)either(0, 5000) + ++last_number;
    made->handle = (uint64_t)machine()->gpu[object.gpu].id << 32 | made->number;
    made->references = 1;
    made->offset = either(0, 1ull << 38) + next_offset;
    next_offset += PAGES(object.size) + PAGE;
    return objects[count++] = made;
}

static bool before(const struct object *object, uint32_t number, uint64_t offset)
{
    return object->number < number || object->offset < offset;
}

/* The place of the first object that has this number or a higher one, and likewise its offset. */
static size_t place_of(uint32_t number, uint64_t offset)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (before(objects[middle], number, offset))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct object *object_by_number(uint32_t number)
{
    size_t place = place_of(number, 0);

    return place < count && objects[place]->number == number ? objects[place] : NULL;
}

struct object *object_by_handle(uint64_t handle)
{
    struct object *object = object_by_number((uint32_t)handle);

    return object && handle && object->handle == handle ? object : NULL;
}

struct object *object_by_offset(uint64_t offset)
{
    size_t place = place_of(0, offset);

    return place < count && objects[place]->offset == offset ? objects[place] : NULL;
}

struct object *object_by_inode(ino_t inode)
{
    for (size_t i = count; i-- > 0;)
        if (objects[i]->memfd >= 0 && objects[i]->inode == inode)
            return objects[i];
    return NULL;
}

static int new_file(int gpu, uint32_t flags, uint64_t size, ino_t *inode)
{
    char name[64];
    struct stat found;

    snprintf(name, sizeof name, NAME ":%d:%x", gpu, flags);
    int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0)
        return -1;
    if (ftruncate(descriptor, (off_t)size) || fstat(descriptor, &found)) {
        close(descriptor);
        return -1;
    }
    *inode = found.st_ino;
    return hidden(descriptor);
}

/* The memory that an object is counted against; doorbells and registers are in none. */
static int memory_of(int gpu, uint32_t flags)
{
    return flags & MEMORY_VRAM ? gpu : HOST;
}

static void give(const struct object *object)
{
    shared_give(memory_of(object->gpu, object->flags), object->size);
}

static void linger(const struct object *object)
{
    shared_linger(memory_of(object->gpu, object->flags), object->size, object->inode);
}

int object_create(int gpu, uint64_t address, uint64_t size, uint32_t flags, uint64_t user,
                  struct object **created)
{
    struct object object = {.address = address, .size = size, .flags = flags, .gpu = gpu};

    object.memfd = -1;
    object.counted = !(flags & (MEMORY_DOORBELL | MEMORY_MMIO));
    if (object.counted && !shared_take(memory_of(gpu, flags), size))
        return ENOMEM;
    if (flags & MEMORY_USERPTR)
        object.host = (uint8_t *)user;
    else if (flags & MEMORY_DOORBELL)
        object.host = doorbells(gpu, NULL);
    else
        object.memfd = new_file(gpu, flags, size, &object.inode);
    bool backed = object.host || object.memfd >= 0;
    *created = backed ? added(object) : NULL;
    if (*created)
        return 0;
    if (object.memfd >= 0)
        close(object.memfd);
    if (object.counted)
        shared_give(memory_of(gpu, flags), size);
    return ENOMEM;
}

int object_origin(int descriptor, struct origin *origin)
{
    char link[64], name[128];
    struct stat file;

    if (fstat(descriptor, &file))
        return EBADF;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlinkat(AT_FDCWD, link, name, sizeof name - 1);
    if (length < 0)
        return EBADF;
    name[length] = 0;
    if (sscanf(name, "/memfd:" NAME ":%d:%x", &origin->gpu, &origin->flags) != 2 ||
        origin->gpu >= machine()->gpus)
        return EINVAL;
    origin->size = (uint64_t)file.st_size;
    origin->inode = file.st_ino;
    return 0;
}

int object_import(int descriptor, int gpu, uint64_t address, struct object **found)
{
    struct origin origin;

    int error = object_origin(descriptor, &origin);
    if (error)
        return error;
    /* To those who look for who holds it, this process has to be known. */
    shared_take(HOST, 0);
    struct object object = {
        .address = address,
        .size = origin.size,
        .flags = origin.flags | MEMORY_WRITABLE,
        .gpu = gpu,
        .inode = origin.inode,
        .memfd = hidden(fcntl(descriptor, F_DUPFD_CLOEXEC, 0)),
    };
    *found = object.memfd < 0 ? NULL : added(object);
    if (!*found && object.memfd >= 0)
        close(object.memfd);
    return *found ? 0 : ENOMEM;
}

int object_export(struct object *object, int flags, int *descriptor)
{
    if (object->flags & MEMORY_USERPTR)
        return EPERM;
    if (object->memfd < 0)
        return EINVAL;
    int lowest = (int)either(0, 100);
    *descriptor = fcntl(object->memfd, flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, lowest);
    object->exported |= *descriptor >= 0;
    return *descriptor < 0 ? errno : 0;
}

/* Return whether a file that nobody will map any more still is mapped: then it cannot be sealed. */
static bool is_mapped_file(int memfd)
{
    return fcntl(memfd, F_ADD_SEALS, F_SEAL_WRITE) && errno == EBUSY;
}

size_t objects_count(void)
{
    return count;
}

void object_release(struct object *object)
{
    bool held = false;

    if (--object->references > 0)
        return;
    size_t place = place_of(object->number, 0);
    memmove(&objects[place], &objects[place + 1],
            (--count - place) * sizeof(struct object *));
    if (object->memfd >= 0) {
        if (object->host)
            kernel_munmap(object->host, PAGES(object->size));
        /* As in the kernel, whoever has a descriptor or a mapping of a buffer keeps it. */
        held = object->counted &&
               (object->exported || object->shared || is_mapped_file(object->memfd));
        close(object->memfd);
    }
    if (object->counted)
        (held ? linger : give)(object);
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
    for (size_t i = 0; i < count; i++) {
        if (objects[i]->memfd >= 0)
            kernel_close(objects[i]->memfd);
        free(objects[i]);
    }
    count = 0;
}

__attribute__((constructor)) static void register_reset(void)
{
    on_fork(forget);
}
