/* Clocks of the host and of devices. */
#ifndef CLOCKS_H
#define CLOCKS_H

#include <time.h>

#include "base/base.h"

uint64_t nanoseconds(clockid_t clock);
/* A GPU's own counter. */
uint64_t device_ticks(int gpu);

#endif
