/* The file that all processes of a machine map: memory in use, shared handles, failures to come. */
#define _GNU_SOURCE
#include "shared.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

static struct shared *file;
static int descriptor = -1;
static int owner;

static void forget(void)
{
    /* The child opens the file anew: a lock belongs to whoever opened it. */
    if (descriptor >= 0)
        close(descriptor);
    descriptor = -1;
    if (file)
        munmap(file, sizeof *file);
    file = NULL;
}

__attribute__((constructor)) static void register_reset(void)
{
    on_fork(forget);
}

struct shared *shared(void)
{
    char path[512];

    if (file && owner == getpid())
        return file;
    forget();
    snprintf(path, sizeof path, "%s/shared", machine()->folder);
    int opened = kernel_open(AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (opened < 0 || (lseek(opened, 0, SEEK_END) < (off_t)sizeof *file &&
                       ftruncate(opened, sizeof *file))) {
        perror("virtual KFD: the machine's folder cannot be written");
        _exit(3);
    }
    descriptor = hidden(opened);
    void *mapped =
        kernel_mmap(NULL, sizeof *file, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (descriptor < 0 || mapped == MAP_FAILED) {
        perror("virtual KFD: the machine's shared state cannot be mapped");
        _exit(3);
    }
    owner = getpid();
    return file = mapped;
}

void shared_lock(void)
{
    shared();
    while (flock(descriptor, LOCK_EX) && errno == EINTR)
        ;
}

void shared_unlock(void)
{
    flock(descriptor, LOCK_UN);
}

static bool lives(const struct process_slot *slot)
{
    return slot->pid && (!kill(slot->pid, 0) || errno == EPERM);
}

static uint64_t used(int gpu)
{
    uint64_t sum = 0;

    for (int i = 0; i < PROCESSES; i++)
        if (lives(&shared()->process[i]))
            sum += shared()->process[i].used[gpu];
    return sum;
}

static struct process_slot *own_slot(void)
{
    struct process_slot *vacant = NULL;

    for (int i = 0; i < PROCESSES; i++) {
        struct process_slot *slot = &shared()->process[i];
        if (slot->pid == getpid())
            return slot;
        if (!vacant && !lives(slot))
            vacant = slot;
    }
    if (vacant)
        *vacant = (struct process_slot){.pid = getpid()};
    return vacant;
}

bool shared_take(int gpu, uint64_t size)
{
    shared_lock();
    struct process_slot *slot = own_slot();
    bool enough = slot && used(gpu) + size <= machine()->gpu[gpu].memory;
    if (enough)
        slot->used[gpu] += size;
    shared_unlock();
    return enough;
}

void shared_give(int gpu, uint64_t size)
{
    shared_lock();
    struct process_slot *slot = own_slot();
    if (slot)
        slot->used[gpu] -= size;
    shared_unlock();
}

uint64_t shared_available(int gpu)
{
    shared_lock();
    uint64_t available = machine()->gpu[gpu].memory - used(gpu);
    shared_unlock();
    return available;
}

/* A process that took the number of one that ended must not begin with its memory. */
__attribute__((destructor)) static void leave(void)
{
    if (!file || owner != getpid())
        return;
    shared_lock();
    for (int i = 0; i < PROCESSES; i++)
        if (file->process[i].pid == getpid())
            file->process[i] = (struct process_slot){0};
    shared_unlock();
}
