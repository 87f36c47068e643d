/* How a device wakes those who wait for a signal: it writes to a mailbox, and interrupts.
 *
 * From a finished packet to a thread in WAIT_EVENTS: aql.c `complete` -> `signal_notify` here -> events.c
 * `event_interrupt` -> `take_slot` -> `set` -> `announce`, which ends `sleep_until` of `wait`; `outcome`
 * decides whether the thread returns.
 */
#include "devices/access.h"
#include "devices/events.h"
#include "devices/signals.h"

bool signal_waiting(int gpu, uint64_t signal, struct waiting *waiting)
{
    if (!gpu_load(gpu, signal + SIGNAL_MAILBOX, &waiting->mailbox) ||
        !gpu_load(gpu, signal + SIGNAL_EVENT, &waiting->event))
        return false;
    waiting->event &= UINT32_MAX;
    return true;
}

bool signal_notify(int gpu, const struct waiting *waiting)
{
    if (!waiting->mailbox)
        return true;
    if (!gpu_store(gpu, waiting->mailbox, waiting->event))
        return false;
    event_interrupt((uint32_t)waiting->event);
    return true;
}
