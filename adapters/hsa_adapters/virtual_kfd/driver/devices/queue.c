/* A queue that stops, and how its owner learns of it.
 *
 * The runtime is told through the head of the queue's save area, or, before that was there, through
 * the queue's own signal. An engine for copies has neither: it hangs, and the GPU with it.
 */
#include "base/kfd.h"
#include "base/program.h"
#include "devices/access.h"
#include "devices/events.h"
#include "devices/queue.h"
#include "devices/signals.h"

/* Where a queue's own structure holds that signal, seen from its write index: amd_queue_t of ROCr's
 * amd_hsa_queue.h.
 */
#define INACTIVE_SIGNAL (192 - 56)

static bool tell_save_area(const struct queue *queue, enum exception exception)
{
    const struct save_area_header *header = (void *)queue->now.save_area;
    uint64_t *payload;
    uint32_t event;

    if (!header || !is_there(header, sizeof *header, false))
        return false;
    payload = (uint64_t *)header->error_address;
    event = header->error_event;
    if (!payload || !is_there(payload, sizeof *payload, true))
        return false;
    __atomic_or_fetch(payload, 1ull << (exception - 1), __ATOMIC_SEQ_CST);
    event_set(event);
    return true;
}

/* What the signal is set to, as ROCr's amd_aql_queue.cpp reads it where it handles events of a queue. */
static uint64_t code_of(enum exception exception)
{
    switch (exception) {
    case DISPATCH_DIMENSIONS:
        return 2;
    case DISPATCH_GROUP_SEGMENT:
        return 4;
    case DISPATCH_CODE:
        return 8;
    case PACKET_UNSUPPORTED:
        return 32;
    case DISPATCH_WORK_GROUP:
        return 64;
    case DISPATCH_REGISTERS:
        return 128;
    case VENDOR_UNSUPPORTED:
        return 256;
    case ILLEGAL_INSTRUCTION:
        return 0x40000000;
    case WAVE_ABORT:
    case WAVE_TRAP:
        return 0x80000000;
    }
    return 32;
}

uint64_t queue_tell(const struct queue *queue, uint64_t value)
{
    struct waiting waiting;
    uint64_t signal;

    if (gpu_load(queue->gpu, queue->now.write_pointer + INACTIVE_SIGNAL, &signal) && signal &&
        signal_waiting(queue->gpu, signal, &waiting) &&
        gpu_store(queue->gpu, signal + SIGNAL_VALUE, value) &&
        signal_notify(queue->gpu, &waiting))
        return signal;
    return 0;
}

void queue_error(struct queue *queue, enum exception exception)
{
    queue->broken = true;
    if (tell_save_area(queue, exception))
        return;
    if (queue->now.type == QUEUE_COMPUTE_AQL)
        queue_tell(queue, code_of(exception));
    else
        event_hang(queue->gpu);
}
