/* Clocks of the host and of devices. */
#include <time.h>

#include "base/clocks.h"
#include "base/machine.h"

uint64_t nanoseconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t device_ticks(int gpu)
{
    return nanoseconds(CLOCK_MONOTONIC_RAW) / 1000 * machine()->gpu[gpu].counter_khz / 1000;
}
