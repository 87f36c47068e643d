/* One user-mode queue, as those see it who carry out its packets. */
#ifndef QUEUE_H
#define QUEUE_H

#include <pthread.h>

#include "base/base.h"
#include "base/kfd.h"

struct queue {
    struct create_queue_args args, now; /* now: as its thread sees them during a packet */
    int gpu;
    uint64_t position; /* of the next packet: an index (AQL) or a byte (SDMA) */
    pthread_t thread;
    bool stop, broken; /* broken: after an error, for good */
    bool gws;          /* whether global wave sync is its own */
    int device;        /* its connection with the device that executes kernels, -1 for none */
    struct queue *next;
};

/* What its owner is told; the numbers are those of enum kfd_dbg_trap_exception_code of the kernel's
 * linux/kfd_ioctl.h.
 */
enum exception {
    WAVE_ABORT = 1,
    WAVE_TRAP = 2,
    ILLEGAL_INSTRUCTION = 4,
    DISPATCH_DIMENSIONS = 16,
    DISPATCH_GROUP_SEGMENT = 17,
    DISPATCH_CODE = 18,
    PACKET_UNSUPPORTED = 20,
    DISPATCH_WORK_GROUP = 21,
    DISPATCH_REGISTERS = 22,
    VENDOR_UNSUPPORTED = 23,
};

/* Stop a queue for good and tell its owner why. */
void queue_error(struct queue *queue, enum exception exception);
/* Set the queue's inactive signal and wake its owner; return the signal, or 0 after a fault. */
uint64_t queue_tell(const struct queue *queue, uint64_t value);

#endif
