/* What this process has told the driver, apart from what it made. */
#include "base/machine.h"
#include "base/process.h"
#include "base/state.h"

static int xnack = -1;
static uint32_t acquired; /* a bit for each GPU */

bool is_acquired(int gpu)
{
    return acquired & 1u << gpu;
}

void acquire(int gpu)
{
    acquired |= 1u << gpu;
}

bool xnack_is_on(void)
{
    return xnack < 0 ? machine()->xnack : xnack;
}

void xnack_set(bool on)
{
    xnack = on;
}

static void forget(void)
{
    xnack = -1;
    acquired = 0;
}

__attribute__((constructor)) static void register_reset(void)
{
    on_fork(forget);
}
