/* The packet processor of a queue: a thread that takes packets in order, one at a time. */
#include "internal.h"

/* Functions of agent dispatch packets; what has another type does nothing. */
enum { FUNCTION_ADD = 0x8000 };

static void *slot_of(const struct queue *queue, uint64_t index)
{
    return (char *)queue->visible.base_address + index % queue->visible.size * PACKET_SIZE;
}

/* The header is what publishes a packet. */
static _Atomic uint16_t *header_of(void *packet)
{
    return packet;
}

static bool well_formed(uint16_t header)
{
    switch (header & 0xff) {
    case HSA_PACKET_TYPE_BARRIER_AND:
    case HSA_PACKET_TYPE_BARRIER_OR:
    case HSA_PACKET_TYPE_AGENT_DISPATCH:
        return (header >> HSA_PACKET_HEADER_ACQUIRE_FENCE_SCOPE & 3) <= HSA_FENCE_SCOPE_SYSTEM &&
               (header >> HSA_PACKET_HEADER_RELEASE_FENCE_SCOPE & 3) <= HSA_FENCE_SCOPE_SYSTEM;
    default:
        return false;
    }
}

/* Wait for the dependencies of a barrier, all of them or any. The lock is held. */
static void wait_for_barrier(struct queue *queue, const hsa_barrier_and_packet_t *packet, bool all)
{
    struct waiter waiters[5] = {0};
    for (int i = 0; i < 5; i++) {
        struct signal *signal = find_signal(packet->dep_signal[i]);
        waiters[i] = (struct waiter){.satisfied = equal, .compare = 0, .wake = &queue->wake};
        if (signal)
            watch(signal, &waiters[i]);
        else
            waiters[i].met = all;
    }
    while (!queue->stopped) {
        int met = 0;
        for (int i = 0; i < 5; i++)
            met += waiters[i].met;
        if (all ? met == 5 : met > 0)
            break;
        pthread_cond_wait(&queue->wake, &runtime_lock);
    }
    for (int i = 0; i < 5; i++)
        unwatch(&waiters[i]);
}

static void run_function(const hsa_agent_dispatch_packet_t *packet)
{
    if (packet->type == FUNCTION_ADD && packet->return_address)
        *(uint64_t *)packet->return_address = packet->arg[0] + packet->arg[1];
}

/* No further packet is launched, and the application is told why. The lock is let go. */
static void report(struct queue *queue, hsa_status_t status)
{
    queue->stopped = true;
    pthread_mutex_unlock(&runtime_lock);
    if (queue->callback)
        queue->callback(status, &queue->visible, queue->data);
    pthread_mutex_lock(&runtime_lock);
}

/* Release the slot before the application learns that the packet is complete. */
static void complete(struct queue *queue, void *packet, hsa_signal_t completion)
{
    atomic_store_explicit(header_of(packet), HSA_PACKET_TYPE_INVALID, memory_order_relaxed);
    atomic_fetch_add_explicit(&queue->read_index, 1, memory_order_release);
    struct signal *signal = find_signal(completion);
    if (signal)
        set_signal(signal, (hsa_signal_value_t)((uintptr_t)signal->value - 1));
}

static void process(struct queue *queue, void *packet, uint16_t header)
{
    const hsa_barrier_and_packet_t *barrier = packet;
    if (!well_formed(header)) {
        report(queue, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
        return;
    }
    if ((header & 0xff) == HSA_PACKET_TYPE_AGENT_DISPATCH)
        run_function(packet);
    else
        wait_for_barrier(queue, barrier, (header & 0xff) == HSA_PACKET_TYPE_BARRIER_AND);
    if (!queue->stopped) /* the completion signal has the same place in every packet */
        complete(queue, packet, barrier->completion_signal);
}

void *process_packets(void *argument)
{
    struct queue *queue = argument;
    pthread_mutex_lock(&runtime_lock);
    struct waiter bell = {.satisfied = always, .wake = &queue->wake};
    watch(find_signal(queue->visible.doorbell_signal), &bell);
    while (!queue->stopped) {
        void *packet = slot_of(queue, queue->read_index);
        uint16_t header = atomic_load_explicit(header_of(packet), memory_order_acquire);
        if ((header & 0xff) != HSA_PACKET_TYPE_INVALID) {
            process(queue, packet, header);
            continue;
        }
        while (!bell.met && !queue->stopped)
            pthread_cond_wait(&queue->wake, &runtime_lock);
        bell.met = false;
    }
    unwatch(&bell);
    if (queue->abandoned)
        free_queue(queue);
    pthread_mutex_unlock(&runtime_lock);
    return NULL;
}
