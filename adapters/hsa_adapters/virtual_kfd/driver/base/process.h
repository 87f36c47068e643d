/* What this process has told the driver. */
#ifndef PROCESS_H
#define PROCESS_H

#include "base/base.h"

/* Return whether it has given the GPU its render node, as memory and queues need. */
bool is_acquired(int gpu);
void acquire(int gpu);
/* Return whether page faults of GPUs are retried. */
bool xnack_is_on(void);
void xnack_set(bool on);

#endif
