/* Dispatches, where the machine has a device that executes them. */
#ifndef KERNELS_H
#define KERNELS_H

#include "devices/queue.h"

/* How a dispatch ended. ERROR: one of the queue; FAULT: of memory, of which the program was told. */
enum execution { EXECUTION_DONE, EXECUTION_ERROR, EXECUTION_FAULT, EXECUTION_STOPPED };

/* Have the packet at an address executed; `error` says what a queue's error is. */
enum execution kernels_run(struct queue *queue, const void *packet, uint64_t address,
                           enum exception *error);
/* Wait until no kernel uses what page tables have lost. Without the lock. */
void kernels_let_go(void);
/* Part with the device, which ends its process for this queue; wait until that is gone. */
void kernels_end(struct queue *queue);

#endif
