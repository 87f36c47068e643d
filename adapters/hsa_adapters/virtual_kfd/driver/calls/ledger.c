/* What the driver holds for this process, for whoever asks: a line for each kind of thing. */
#include <inttypes.h>
#include <stdio.h>

#include "base/base.h"
#include "base/heap.h"
#include "base/machine.h"
#include "base/shared.h"
#include "base/state.h"
#include "memory/objects.h"
#include "memory/pages.h"
#include "memory/svm.h"
#include "devices/events.h"
#include "devices/queues.h"

/* The name is what the tester looks for in anything that is preloaded. */
EXPORT void hsa_conformance_ledger(char *text, size_t size)
{
    text[0] = 0;
    if (!machine())
        return;
    lock();
    int written = snprintf(text, size,
                           "%zu buffer object\n%" PRIu64 " bytes of buffer objects\n"
                           "%zu mapping of a GPU\n%zu queue of the driver\n"
                           "%zu event of the driver\n%zu range of shared virtual memory\n",
                           objects_count(), shared_taken(), pages_count(), queues_count(),
                           events_count(), svm_count());
    unlock();
    if (heap_bytes() >= 0 && written > 0 && (size_t)written < size)
        snprintf(text + written, size - (size_t)written, "%" PRId64 " bytes of host memory\n",
                 heap_bytes());
}
