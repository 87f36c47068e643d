/* Scratch of a queue, which the runtime gives and takes back. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include "base/base.h"
#include "devices/queue.h"

/* WAITS: the queue is not mapped. GONE: it is stopped, or the runtime has ended it. FAULT: it met
 * memory that is not there. */
enum scratch { SCRATCH_READY, SCRATCH_WAITS, SCRATCH_GONE, SCRATCH_FAULT };

/* Say in a new queue that its scratch can be taken back meanwhile, if so. The lock is held. */
void scratch_connect(const struct queue *queue);
/* Have scratch for a dispatch: of so many bytes for each work-item, for the kernel of a descriptor. */
enum scratch scratch_get(struct queue *queue, uint32_t size, uint64_t descriptor);
/* Let the runtime have it back after a dispatch, where it is for one only. */
enum scratch scratch_end(struct queue *queue);

#endif
