/* What the processes of one machine share, as a file in the machine's folder. */
#ifndef SHARED_H
#define SHARED_H

#include "driver.h"

#define PROCESSES 256
#define SHARES 1024

struct process_slot {
    int32_t pid;
    uint32_t pad;
    uint64_t used[MAX_GPUS];
};

struct share {
    uint32_t key[4];
    int32_t pid, descriptor;
    uint64_t inode;
};

/* A failure to come: the call that fails, how many are let through before, and with what. */
struct injection {
    int32_t number, skip, error, hits;
};

struct shared {
    struct injection injection;
    struct process_slot process[PROCESSES];
    struct share share[SHARES];
};

struct shared *shared(void);
void shared_lock(void);
void shared_unlock(void);
/* Take memory of a GPU, or give it back; false where there is not enough. */
bool shared_take(int gpu, uint64_t size);
void shared_give(int gpu, uint64_t size);
uint64_t shared_available(int gpu);

#endif
