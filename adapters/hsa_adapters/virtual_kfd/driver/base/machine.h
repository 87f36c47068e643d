/* The machine that is imitated: the description that the library was started with. */
#ifndef MACHINE_H
#define MACHINE_H

#include <sys/types.h>

#include "base/base.h"

struct gpu {
    uint32_t id, family, integrated, counter_khz, queues;
    uint32_t reclaiming; /* its dies, where its firmware lets scratch be taken back, else 0 */
    int minor;
    uint64_t memory, visible;
    char name[64];
    ino_t inode; /* the file that stands for its render node */
};

struct machine {
    char folder[4096];
    uint32_t major, minor;
    uint64_t host_memory;
    uint64_t lds; /* where kernels see it */
    bool xnack, svm, peers, otherwise, paths_only;
    bool executes; /* it has a device that executes kernels */
    unsigned slow_queue_us, late_event_us;
    ino_t inode; /* the file that stands for /dev/kfd */
    dev_t device;
    int gpus;
    struct gpu gpu[MAX_GPUS];
};

/* The machine, or NULL where no folder is named. */
const struct machine *machine(void);
/* What a driver may decide for itself: the one value, or the other where the machine does otherwise. */
uint64_t either(uint64_t usual, uint64_t other);
/* The errno for arguments that are refused, of which a driver has the choice; others as they are. */
int errno_of_refusal(int error);
int gpu_by_id(uint32_t id);
bool is_kfd(int descriptor);
int gpu_of_descriptor(int descriptor);
/* Tell the user, on stderr and in the machine's folder, what was asked for and is not there. */
void complain(const char *what, uint64_t which);
/* Tell in the same way what a device lacked for a kernel, in its own words, which need not end. */
void tell_lacking(const char *what, size_t length);

#endif
