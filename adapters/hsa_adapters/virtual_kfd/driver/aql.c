/* One packet of an AQL queue: barriers wait and complete, what is malformed stops the queue.
 *
 * Kernels are not executed. A dispatch ends as one whose first instruction is illegal: never with
 * success.
 */
#include <string.h>
#include <time.h>

#include "driver.h"

enum packet_type {
    PACKET_VENDOR = 0,
    PACKET_INVALID = 1,
    PACKET_DISPATCH = 2,
    PACKET_BARRIER_AND = 3,
    PACKET_BARRIER_OR = 5,
};
enum condition { EQ, NE, LT, GTE };
#define VENDOR_BARRIER_VALUE 2
#define PACKET_BYTES 64

/* Exceptions of a queue, by the numbers of the kernel's interface. */
enum exception {
    ILLEGAL_INSTRUCTION = 4,
    DISPATCH_DIMENSIONS = 16,
    DISPATCH_CODE = 18,
    PACKET_UNSUPPORTED = 20,
    DISPATCH_WORK_GROUP = 21,
    VENDOR_UNSUPPORTED = 23,
};

struct signal {
    int64_t kind, value;
    uint64_t mailbox;
    uint32_t event, reserved;
    uint64_t start, end;
};

struct barrier {
    uint16_t header, reserved0;
    uint32_t reserved1;
    uint64_t signals[5], reserved2, completion;
};

struct barrier_value {
    uint16_t header;
    uint8_t format, reserved0;
    uint32_t reserved1;
    uint64_t signal;
    int64_t value, mask;
    uint32_t condition, reserved2;
    uint64_t reserved3, reserved4, completion;
};

struct dispatch {
    uint16_t header, setup, group[3], reserved0;
    uint32_t grid[3], private_size, group_size;
    uint64_t code, kernarg, reserved1, completion;
};

union packet {
    uint16_t header;
    struct barrier barrier;
    struct barrier_value value;
    struct dispatch dispatch;
};

static bool is_zero(uint64_t handle)
{
    const struct signal *signal = (const struct signal *)handle;

    return !handle || !__atomic_load_n(&signal->value, __ATOMIC_ACQUIRE);
}

static bool barrier_is_met(const struct barrier *barrier, bool all)
{
    int met = 0, present = 0;

    for (int i = 0; i < 5; i++) {
        present += barrier->signals[i] != 0;
        met += barrier->signals[i] && is_zero(barrier->signals[i]);
    }
    return all ? met == present : met > 0 || !present;
}

static bool value_is_met(const struct barrier_value *barrier)
{
    const struct signal *signal = (const struct signal *)barrier->signal;

    if (!signal)
        return true;
    int64_t value = __atomic_load_n(&signal->value, __ATOMIC_ACQUIRE) & barrier->mask;
    switch ((enum condition)barrier->condition) {
    case EQ:
        return value == barrier->value;
    case NE:
        return value != barrier->value;
    case LT:
        return value < barrier->value;
    case GTE:
        return value >= barrier->value;
    }
    return false;
}

static uint64_t ticks(int gpu)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    uint64_t raw = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    return raw / 1000 * machine()->gpu[gpu].counter_khz / 1000;
}

static void complete(const struct queue *queue, uint64_t handle, uint64_t began)
{
    struct signal *signal = (struct signal *)handle;

    if (!signal)
        return;
    signal->start = began;
    signal->end = ticks(queue->gpu);
    /* Once it is zero, somebody may free it. */
    uint64_t mailbox = signal->mailbox;
    uint32_t event = signal->event;
    __atomic_sub_fetch(&signal->value, 1, __ATOMIC_ACQ_REL);
    if (mailbox) {
        __atomic_store_n((uint64_t *)mailbox, event, __ATOMIC_RELEASE);
        event_signal(event);
    }
}

static enum exception fault_of(const struct dispatch *dispatch)
{
    unsigned dimensions = dispatch->setup & 3, threads = 1;

    for (unsigned i = 0; i < 3; i++) {
        threads *= dispatch->group[i];
        if (!dispatch->group[i] || !dispatch->grid[i] ||
            (i >= dimensions && dispatch->grid[i] != 1))
            return DISPATCH_DIMENSIONS;
    }
    if (!dimensions)
        return DISPATCH_DIMENSIONS;
    if (threads > 1024)
        return DISPATCH_WORK_GROUP;
    return dispatch->code ? ILLEGAL_INSTRUCTION : DISPATCH_CODE;
}

bool aql_step(struct queue *queue)
{
    const uint64_t *written = (const uint64_t *)queue->args.write_pointer;
    uint64_t *read = (uint64_t *)queue->args.read_pointer;
    uint64_t slots = queue->args.ring_size / PACKET_BYTES;
    union packet *packet =
        (union packet *)(queue->args.ring + queue->position % slots * PACKET_BYTES);

    if (queue->position >= __atomic_load_n(written, __ATOMIC_ACQUIRE))
        return false;
    uint16_t header = __atomic_load_n(&packet->header, __ATOMIC_ACQUIRE);
    uint64_t began = ticks(queue->gpu);
    switch (header & 0xff) {
    case PACKET_INVALID:
        return false;
    case PACKET_BARRIER_AND:
    case PACKET_BARRIER_OR:
        if (!barrier_is_met(&packet->barrier, (header & 0xff) == PACKET_BARRIER_AND))
            return false;
        complete(queue, packet->barrier.completion, began);
        break;
    case PACKET_VENDOR:
        if (packet->value.format != VENDOR_BARRIER_VALUE || packet->value.condition > GTE) {
            queue_error(queue, VENDOR_UNSUPPORTED);
            return true;
        }
        if (!value_is_met(&packet->value))
            return false;
        complete(queue, packet->value.completion, began);
        break;
    case PACKET_DISPATCH:
        queue_error(queue, fault_of(&packet->dispatch));
        return true;
    default:
        queue_error(queue, PACKET_UNSUPPORTED);
        return true;
    }
    __atomic_store_n(&packet->header, PACKET_INVALID, __ATOMIC_RELEASE);
    __atomic_store_n(read, ++queue->position, __ATOMIC_RELEASE);
    return true;
}
