/* Packets of an SDMA queue. */
#ifndef SDMA_H
#define SDMA_H

#include "devices/queue.h"

/* Return whether the packet at the head was finished; false: nothing to do, or broken. */
bool sdma_step(struct queue *queue);

#endif
