/* Signals as devices see them: where their members are, from the handle on, in ROCr's
 * amd_hsa_signal.h.
 */
#ifndef SIGNALS_H
#define SIGNALS_H

#include "base/base.h"

#define SIGNAL_VALUE 8
#define SIGNAL_MAILBOX 16
#define SIGNAL_EVENT 24
#define SIGNAL_START 32
#define SIGNAL_END 40

/* Who waits for a signal: the slot of an event, 0 for none, and the event. */
struct waiting {
    uint64_t mailbox, event;
};

/* Read it before the signal changes: then it may be gone. False after a memory fault. */
bool signal_waiting(int gpu, uint64_t signal, struct waiting *waiting);
bool signal_notify(int gpu, const struct waiting *waiting);

#endif
