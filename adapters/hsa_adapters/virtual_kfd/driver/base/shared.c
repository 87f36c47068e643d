/* The file that all processes of a machine map: memory in use, shared handles, failures to come. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/base.h"
#include "base/kernel.h"
#include "base/machine.h"
#include "base/shared.h"
#include "base/state.h"

/* The kernel tells what is available in blocks of this size, so that small buffers do not seem to
 * leave more than can be had in one piece. */
#define BLOCK (2ull << 20)
#define BLOCKS(size) (((size) + BLOCK - 1) & ~(BLOCK - 1))
/* A slot is its owner's for as long as the byte here and after is locked: the kernel lets go of it
 * when the process ends, however it ends. */
#define SLOT_LOCKS (1ll << 40)

static struct shared *file;
static int descriptor = -1;
static int own = -1;

static void forget(void)
{
    /* The child opens the file anew: locks belong to whoever opened it. */
    if (descriptor >= 0)
        close(descriptor);
    descriptor = own = -1;
    if (file)
        kernel_munmap(file, sizeof *file);
    file = NULL;
}

__attribute__((constructor)) static void register_reset(void)
{
    on_fork(forget);
}

static void give_up(const char *what)
{
    perror(what);
    _exit(3);
}

struct shared *shared(void)
{
    char path[sizeof machine()->folder + 16];

    if (file)
        return file;
    snprintf(path, sizeof path, "%s/shared", machine()->folder);
    int opened = kernel_open(AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (opened < 0 || (lseek(opened, 0, SEEK_END) < (off_t)sizeof *file &&
                       ftruncate(opened, sizeof *file)))
        give_up("virtual KFD: the machine's folder cannot be written");
    descriptor = hidden(opened);
    void *mapped =
        kernel_mmap(NULL, sizeof *file, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (mapped == MAP_FAILED)
        give_up("virtual KFD: the machine's shared state cannot be mapped");
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

static bool slot_lock(int slot, int command, struct flock *lock)
{
    *lock = (struct flock){.l_type = F_WRLCK, .l_start = SLOT_LOCKS + slot, .l_len = 1};
    return !fcntl(descriptor, command, lock);
}

static bool lives(int slot)
{
    struct flock lock;

    if (!file->process[slot].taken)
        return false;
    if (slot == own || (slot_lock(slot, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK))
        return true;
    file->process[slot] = (struct process_slot){0};
    return false;
}

static struct usage used(int memory)
{
    struct usage sum = {0};

    for (int i = 0; i < PROCESSES; i++)
        if (lives(i)) {
            sum.exact += file->process[i].used[memory].exact;
            sum.blocks += file->process[i].used[memory].blocks;
        }
    return sum;
}

static struct process_slot *own_slot(void)
{
    struct flock lock;

    for (int i = 0; own < 0 && i < PROCESSES; i++)
        if (!lives(i) && slot_lock(i, F_OFD_SETLK, &lock)) {
            file->process[i] = (struct process_slot){.taken = 1};
            own = i;
        }
    return own < 0 ? NULL : &file->process[own];
}

static uint64_t size_of(int memory)
{
    /* The kernel keeps one part in 64 of the host's memory to itself. */
    return memory == HOST ? machine()->host_memory - machine()->host_memory / 64
                          : machine()->gpu[memory].memory;
}

bool shared_take(int memory, uint64_t size)
{
    shared_lock();
    struct process_slot *slot = own_slot();
    uint64_t taken = used(memory).exact;
    bool enough = slot && taken <= size_of(memory) && size <= size_of(memory) - taken;
    if (enough) {
        slot->used[memory].exact += size;
        slot->used[memory].blocks += BLOCKS(size);
    }
    shared_unlock();
    return enough;
}

void shared_give(int memory, uint64_t size)
{
    shared_lock();
    struct process_slot *slot = own_slot();
    if (slot) {
        slot->used[memory].exact -= size;
        slot->used[memory].blocks -= BLOCKS(size);
    }
    shared_unlock();
}

uint64_t shared_available(int gpu)
{
    shared_lock();
    uint64_t taken = used(gpu).blocks, size = size_of(gpu);
    shared_unlock();
    return taken < size ? (size - taken) & ~(BLOCK - 1) : 0;
}

static struct description *description_of(ino_t inode)
{
    for (int i = 0; i < DESCRIPTIONS; i++)
        if (shared()->description[i].inode == inode)
            return &file->description[i];
    return NULL;
}

void metadata_of(ino_t inode, struct metadata *metadata)
{
    shared_lock();
    const struct description *known = inode ? description_of(inode) : NULL;
    *metadata = known ? known->metadata : (struct metadata){0};
    shared_unlock();
}

void metadata_set(ino_t inode, const struct metadata *metadata)
{
    shared_lock();
    struct description *known = description_of(inode);
    if (!known)
        known = &file->description[file->descriptions++ % DESCRIPTIONS];
    *known = (struct description){inode, *metadata};
    shared_unlock();
}
