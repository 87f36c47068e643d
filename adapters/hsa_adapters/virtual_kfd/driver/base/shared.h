/* What the processes of one machine share, as a file in the machine's folder. */
#ifndef SHARED_H
#define SHARED_H

#include <sys/types.h>

#include "base/base.h"

#define PROCESSES 256
#define SHARES 1024
#define DESCRIPTIONS 256
#define LINGERING 1024
#define REFUSABLE 0x111 /* kinds of calls: ioctls, and those of faults.h */
#define NOTED_CALLS 8
#define MEMORIES (MAX_GPUS + 1) /* the GPUs', then the host's */

/* Bytes of a memory in use: to the page, and in the blocks that are told as not available. */
struct usage {
    uint64_t exact, blocks;
};

struct process_slot {
    uint64_t taken;
    int32_t pid, pad;
    struct usage used[MEMORIES];
};

/* Somebody who has an object that is known by a key. */
struct share {
    uint32_t key[4];
    int32_t pid, descriptor;
    uint64_t inode;
    uint32_t flags, pad;
};

/* Memory that was freed, and that a descriptor, a mapping or an import may still hold. */
struct held {
    uint64_t inode, size;
    int32_t memory, pad;
};

/* What user space says about an object for whoever imports it. */
struct metadata {
    uint64_t flags, tiling;
    uint32_t size, words[64];
};

struct description {
    uint64_t inode;
    struct metadata metadata;
};

/* A failure to come: the call that fails, how many are let through before, and with what. It is met
 * once, or again and again. Each one has a round of its own, from 1 on. */
struct injection {
    int32_t number, skip, error, hits, lasting, round;
};

/* The kinds of the first call that failed in this round, and of those after it. */
struct noted {
    int32_t count, call[NOTED_CALLS];
};

struct shared {
    struct injection injection; /* first: faults.py writes it */
    int32_t made[REFUSABLE];    /* calls of each kind in this round; faults.py reads it */
    struct noted noted;         /* so it does this */
    struct process_slot process[PROCESSES];
    struct share share[SHARES];
    struct held lingering[LINGERING];
    struct description description[DESCRIPTIONS];
    uint64_t descriptions; /* ever made: the oldest is overwritten */
};

/* All of these with the lock of this process held. */
struct shared *shared(void);
void shared_lock(void);
void shared_unlock(void);
/* Take a part of a memory, or give it back; false where there is not enough, for which the caller
 * answers ENOMEM. */
bool shared_take(int memory, uint64_t size);
void shared_give(int memory, uint64_t size);
/* Give back a part that somebody may still hold: it counts for as long as anybody does. */
void shared_linger(int memory, uint64_t size, ino_t inode);
/* What this process has of all memories, and what was freed and is still held, in bytes. */
uint64_t shared_taken(void);
uint64_t shared_available(int gpu);

void metadata_of(ino_t inode, struct metadata *metadata);
void metadata_set(ino_t inode, const struct metadata *metadata);

#endif
