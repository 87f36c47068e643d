/* Packets of an AQL queue. */
#ifndef AQL_H
#define AQL_H

#include "devices/queue.h"

/* Return whether the packet at the head was finished; false: nothing to do, or broken. */
bool aql_step(struct queue *queue);

#endif
