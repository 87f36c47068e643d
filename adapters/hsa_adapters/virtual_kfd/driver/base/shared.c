/* The file that all processes of a machine map: memory in use, shared handles, failures to come. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
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
        kernel_close(descriptor);
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

/* A file of lines of which one may name an inode, or a folder of links of which one may lead to it. */
static bool maps(int pid, ino_t inode)
{
    char path[64], line[512];
    unsigned long long mapped;
    bool found = false;

    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    FILE *listing = fdopen(kernel_open(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0), "r");
    while (listing && !found && fgets(line, sizeof line, listing))
        found = sscanf(line, "%*s %*s %*s %*s %llu", &mapped) == 1 && mapped == inode;
    if (listing)
        fclose(listing);
    return found;
}

static bool has_open(int pid, ino_t inode)
{
    char path[64];
    struct stat file;
    bool found = false;

    snprintf(path, sizeof path, "/proc/%d/fd", pid);
    int folder = kernel_open(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    DIR *listing = folder < 0 ? NULL : fdopendir(folder);
    for (struct dirent *entry; listing && !found && (entry = readdir(listing));)
        found = !fstatat(folder, entry->d_name, &file, 0) && file.st_ino == inode;
    if (listing)
        closedir(listing);
    return found;
}

static bool is_held(const struct held *held)
{
    for (int i = 0; i < PROCESSES; i++)
        if (lives(i) && (has_open(file->process[i].pid, (ino_t)held->inode) ||
                         maps(file->process[i].pid, (ino_t)held->inode)))
            return true;
    return false;
}

/* Bytes that were freed and are still held, of one memory or of all; what nobody holds is gone. */
static struct usage lingering(int memory)
{
    struct usage sum = {0};

    for (int i = 0; i < LINGERING; i++) {
        struct held *held = &file->lingering[i];
        if (held->inode && !is_held(held))
            *held = (struct held){0};
        if (held->inode && (memory < 0 || held->memory == memory)) {
            sum.exact += held->size;
            sum.blocks += BLOCKS(held->size);
        }
    }
    return sum;
}

static struct usage used(int memory)
{
    struct usage sum = lingering(memory);

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
            file->process[i] = (struct process_slot){.taken = 1, .pid = getpid()};
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

void shared_linger(int memory, uint64_t size, ino_t inode)
{
    shared_lock();
    for (int i = 0; i < LINGERING; i++) {
        if (file->lingering[i].inode)
            continue;
        file->lingering[i] = (struct held){.inode = inode, .size = size, .memory = memory};
        break;
    }
    shared_unlock();
    shared_give(memory, size);
}

uint64_t shared_taken(void)
{
    shared_lock();
    const struct process_slot *slot = own_slot();
    uint64_t taken = lingering(-1).exact;
    for (int i = 0; slot && i < MEMORIES; i++)
        taken += slot->used[i].exact;
    shared_unlock();
    return taken;
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
