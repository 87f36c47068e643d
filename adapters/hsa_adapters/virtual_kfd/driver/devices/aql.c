/* One packet of an AQL queue: barriers wait and complete, what is malformed stops the queue.
 *
 * A machine without a device that executes kernels ends each dispatch as one whose first instruction
 * is illegal: never with success.
 */
#include <string.h>

#include "base/clocks.h"
#include "base/faults.h"
#include "base/machine.h"
#include "devices/access.h"
#include "devices/aql.h"
#include "devices/kernels.h"
#include "devices/pm4.h"
#include "devices/queue.h"
#include "devices/scratch.h"
#include "devices/signals.h"

/* Packets are those of hsa.h, and the vendor's those of hsa_ext_amd.h and hsa_ven_amd_aqlprofile.h. */
enum packet_type {
    PACKET_VENDOR = 0,
    PACKET_INVALID = 1,
    PACKET_DISPATCH = 2,
    PACKET_BARRIER_AND = 3,
    PACKET_BARRIER_OR = 5,
};
enum condition { EQ, NE, LT, GTE };
#define VENDOR_COMMANDS 1
#define VENDOR_BARRIER_VALUE 2
#define PACKET_BYTES 64
#define TYPE(header) ((header) & 0xff)

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

struct commands {
    uint16_t header;
    uint8_t format, reserved0;
    uint32_t jump[4], left, reserved1[8];
    uint64_t completion;
};

union packet {
    uint16_t header;
    struct commands commands;
    struct barrier barrier;
    struct barrier_value value;
    struct dispatch dispatch;
};

/* What became of a packet. FAULT: it met memory that the device was not given. */
enum progress { WAITS, MET, FAULT };

static enum progress barrier_progress(int gpu, const struct barrier *barrier, bool all)
{
    int met = 0, present = 0;

    for (int i = 0; i < 5; i++) {
        uint64_t value;
        if (!barrier->signals[i])
            continue;
        if (!gpu_load(gpu, barrier->signals[i] + SIGNAL_VALUE, &value))
            return FAULT;
        present++;
        met += !value;
    }
    return (all ? met == present : met || !present) ? MET : WAITS;
}

static bool compares(int64_t value, enum condition condition, int64_t with)
{
    switch (condition) {
    case EQ:
        return value == with;
    case NE:
        return value != with;
    case LT:
        return value < with;
    case GTE:
        return value >= with;
    }
    return false;
}

static enum progress value_progress(int gpu, const struct barrier_value *barrier)
{
    uint64_t value;

    if (!barrier->signal)
        return MET;
    if (!gpu_load(gpu, barrier->signal + SIGNAL_VALUE, &value))
        return FAULT;
    bool met = compares((int64_t)value & barrier->mask, barrier->condition, barrier->value);
    return met ? MET : WAITS;
}

static bool complete(int gpu, uint64_t signal, uint64_t began)
{
    struct waiting waiting;

    if (!signal)
        return true;
    return gpu_store(gpu, signal + SIGNAL_START, began) &&
           gpu_store(gpu, signal + SIGNAL_END, device_ticks(gpu)) &&
           signal_waiting(gpu, signal, &waiting) && gpu_add(gpu, signal + SIGNAL_VALUE, -1ull) &&
           signal_notify(gpu, &waiting);
}

static enum exception fault_of(const struct dispatch *dispatch)
{
    unsigned dimensions = dispatch->setup & 3;
    uint64_t threads = 1;

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
    return dispatch->code ? 0 : DISPATCH_CODE;
}

static enum progress progress_of(enum scratch scratch)
{
    if (scratch == SCRATCH_WAITS)
        return WAITS;
    return scratch == SCRATCH_READY ? MET : FAULT;
}

static enum progress dispatch_progress(struct queue *queue, const union packet *packet,
                                       uint64_t address, enum exception *error)
{
    *error = fault_of(&packet->dispatch);
    if (!*error && !machine()->executes)
        *error = ILLEGAL_INSTRUCTION;
    if (*error) {
        /* Hardware may take sizes of zero otherwise. */
        note_kernel();
        return MET;
    }
    const struct dispatch *dispatch = &packet->dispatch;
    enum progress scratch =
        progress_of(scratch_get(queue, dispatch->private_size, dispatch->code));
    if (scratch != MET)
        return scratch;
    switch (kernels_run(queue, packet, address, error)) {
    case EXECUTION_STOPPED:
        return WAITS;
    case EXECUTION_FAULT:
        return FAULT;
    default:
        return *error ? MET : progress_of(scratch_end(queue));
    }
}

static enum progress vendor_progress(int gpu, const union packet *packet, enum exception *error)
{
    enum pm4 done = PM4_UNKNOWN;

    if (packet->value.format == VENDOR_BARRIER_VALUE && packet->value.condition <= GTE)
        return value_progress(gpu, &packet->value);
    if (packet->commands.format == VENDOR_COMMANDS && pm4_is_buffer(packet->commands.jump))
        done = pm4_run(gpu, packet->commands.jump);
    if (done == PM4_UNKNOWN)
        *error = VENDOR_UNSUPPORTED;
    return done == PM4_FAULT ? FAULT : MET;
}

/* Look at a packet; `error` where it is one that stops the queue, and else what it completes. */
static enum progress look(struct queue *queue, const union packet *packet, uint64_t address,
                          enum exception *error, uint64_t *completion)
{
    int gpu = queue->gpu;

    switch (TYPE(packet->header)) {
    case PACKET_INVALID:
        return WAITS;
    case PACKET_BARRIER_AND:
    case PACKET_BARRIER_OR:
        *completion = packet->barrier.completion;
        return barrier_progress(gpu, &packet->barrier,
                                TYPE(packet->header) == PACKET_BARRIER_AND);
    case PACKET_VENDOR:
        *completion = packet->value.completion;
        return vendor_progress(gpu, packet, error);
    case PACKET_DISPATCH:
        *completion = packet->dispatch.completion;
        return dispatch_progress(queue, packet, address, error);
    default:
        *error = PACKET_UNSUPPORTED;
        return MET;
    }
}

/* Read the packet at the head; WAITS where there is none yet. */
static enum progress fetch(const struct queue *queue, uint64_t address, union packet *packet)
{
    uint64_t written, first;

    if (!gpu_load(queue->gpu, queue->now.write_pointer, &written))
        return FAULT;
    if (queue->position >= written)
        return WAITS;
    /* The header is written last. */
    if (!gpu_load(queue->gpu, address, &first))
        return FAULT;
    if (TYPE(first) == PACKET_INVALID)
        return WAITS;
    return gpu_read(queue->gpu, address, packet, sizeof *packet) ? MET : FAULT;
}

bool aql_step(struct queue *queue)
{
    uint64_t slots = queue->now.ring_size / PACKET_BYTES, completion = 0;
    uint64_t address = queue->now.ring + queue->position % slots * PACKET_BYTES;
    const uint16_t invalid = PACKET_INVALID;
    int gpu = queue->gpu;
    uint64_t began = device_ticks(gpu);
    enum exception error = 0;
    union packet packet;

    enum progress progress = fetch(queue, address, &packet);
    if (progress == MET)
        progress = look(queue, &packet, address, &error, &completion);
    if (progress == WAITS)
        return false;
    if (error) {
        queue_error(queue, error);
        return false;
    }
    /* The slot is free before anybody hears that the packet completed. */
    queue->broken = progress == FAULT || !gpu_write(gpu, address, &invalid, sizeof invalid) ||
                    !gpu_store(gpu, queue->now.read_pointer, ++queue->position) ||
                    !complete(gpu, completion, began);
    return !queue->broken;
}
